import type { DriverFamily } from '../family.ts'
import { tellRepeats } from '../link/repeats.ts'
import { capabilities } from './capabilities.ts'
import { dialect } from './dialect.ts'
import { FamilyAPrinter } from './driver.ts'
import type { DeviceFrame } from './protocol/frame.ts'

/** Family A as the driver side knows it; line settings of sheet 1. */
export const familyA: DriverFamily<DeviceFrame> = {
  family: 'A',
  dialect,
  defaultBaud: 115_200,
  defaultTcpPort: 4_999,
  capabilities,
  createDriver: (link, settings) => tellRepeats(link, new FamilyAPrinter(link, settings)),
}
