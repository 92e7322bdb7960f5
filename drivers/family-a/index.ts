import type { DriverFamily } from '../family.ts'
import { capabilities } from './capabilities.ts'
import { operations } from './driver.ts'
import { linkRules, speech, type WireA } from './session.ts'

/** Family A as the driver side knows it; line settings of sheet 1. */
export const familyA: DriverFamily<WireA> = {
  linkRules,
  defaultBaud: 115_200,
  defaultTcpPort: 4_999,
  capabilities,
  speech,
  operations,
}
