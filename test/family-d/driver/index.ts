import type { DriverFamily } from '../../../drivers/family.ts'
import { capabilities } from './capabilities.ts'
import { operations } from './driver.ts'
import { requestShape, writeRequest } from './protocol/frame.ts'
import { commandsD } from './protocol/index.ts'
import { linkRules, protocolAdapter, type WireD } from './session.ts'

export const familyD: DriverFamily<WireD> = {
  linkRules,
  framesToDevice: requestShape,
  bauds: [9_600],
  probe: writeRequest({ number: 0, code: commandsD.byName.deviceInfo.code, data: '' }),
  defaultTcpPort: 4_999,
  capabilities,
  protocolAdapter,
  operations,
}
