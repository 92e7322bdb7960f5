import type { DriverFamily } from '../family.ts'
import { auxiliaryCommands } from './auxiliary-commands.ts'
import { capabilities } from './capabilities.ts'
import { USUAL_EDITION } from './edition.ts'
import { evidence } from './evidence.ts'
import { fiscalReceipts } from './fiscal-receipts.ts'
import { nonFiscalReceipts } from './non-fiscal-receipts.ts'
import { hostShape, writeFrame } from './protocol/frame.ts'
import { catalogueOf } from './protocol/index.ts'
import { reports } from './queries-and-reports.ts'
import { FIRST_NUMBER, linkRules, protocolAdapter } from './session.ts'
import type { RememberedFacts } from './state.ts'
import type { WireC } from './wire.ts'

export const familyC: DriverFamily<WireC> = {
  linkRules,
  framesToDevice: hostShape,
  bauds: [115_200, 9_600, 38_400, 19_200, 57_600],
  probe: writeFrame(FIRST_NUMBER, catalogueOf(USUAL_EDITION.name).byName.status.code, ''),
  defaultTcpPort: 8_000,
  capabilities,
  protocolAdapter,
  operations(session, settings) {
    const remembered: RememberedFacts = {}
    session.link.onOpened(() => {
      remembered.paid = undefined
    })
    return {
      ...nonFiscalReceipts(session),
      ...fiscalReceipts(session, settings, remembered),
      ...reports(session, remembered),
      ...evidence(session, remembered),
      ...auxiliaryCommands(session),
    }
  },
}
