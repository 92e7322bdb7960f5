import type { DriverFamily } from '../family.ts'
import { capabilities } from './capabilities.ts'
import { operations } from './driver.ts'
import { USUAL_EDITION } from './edition.ts'
import { hostShape, writeFrame } from './protocol/frame.ts'
import { catalogueOf } from './protocol/index.ts'
import { FIRST_NUMBER, linkRules, protocolAdapter } from './session.ts'
import type { WireC } from './wire.ts'

export const familyC: DriverFamily<WireC> = {
  linkRules,
  framesToDevice: hostShape,
  bauds: [115_200, 9_600, 38_400, 19_200, 57_600],
  probe: writeFrame(FIRST_NUMBER, catalogueOf(USUAL_EDITION.name).byName.status.code, ''),
  defaultTcpPort: 8_000,
  capabilities,
  protocolAdapter,
  operations,
}
