import type { DriverFamily } from '../family.ts'
import { capabilities } from './capabilities.ts'
import { operations } from './driver.ts'
import { linkRules, speech, type WireC } from './session.ts'

/** Family C as the driver side knows it. */
export const familyC: DriverFamily<WireC> = {
  linkRules,
  defaultBaud: 115_200,
  defaultTcpPort: 8_000,
  capabilities,
  speech,
  operations,
}
