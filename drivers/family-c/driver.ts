import type { DriverSettings, Operations } from '../family.ts'
import type { Session } from '../link/session.ts'
import { auxiliaryCommands } from './auxiliary-commands.ts'
import { evidence } from './evidence.ts'
import { fiscalReceipts } from './fiscal-receipts.ts'
import { nonFiscalReceipts } from './non-fiscal-receipts.ts'
import { reports } from './reports.ts'
import type { RememberedFacts } from './state.ts'
import type { WireC } from './wire.ts'

export function operations(session: Session<WireC>, settings: DriverSettings): Operations {
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
}
