import type { DriverFamily } from '../family.ts'
import { capabilitiesOf } from './capabilities.ts'
import { createDriver } from './driver.ts'
import { dialect } from './exchange.ts'
import type { HostFrame } from './protocol/frame.ts'

/** Family B for `openPrinter`. Speed: the documented default (sheet 3). */
export const familyB: DriverFamily<HostFrame> = {
  family: 'B',
  dialect,
  defaultBaud: 9_600,
  defaultTcpPort: 4_999,
  capabilities: (settings) => capabilitiesOf(settings),
  createDriver,
}
