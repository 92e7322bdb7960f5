import type { DriverFamily } from '../family.ts'
import { capabilities } from './capabilities.ts'
import { operations } from './driver.ts'
import { linkRules, speech, type WireB } from './session.ts'

/** Family B as the driver side knows it. Speed: the documented default (sheet 3). */
export const familyB: DriverFamily<WireB> = {
  linkRules,
  defaultBaud: 9_600,
  defaultTcpPort: 4_999,
  capabilities,
  speech,
  operations,
}
