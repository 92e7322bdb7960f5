import type { DriverSettings, Operations } from '../family.ts'
import type { Session } from '../link/session.ts'
import { auxiliaryCommands } from './auxiliary-commands.ts'
import { evidence } from './evidence.ts'
import { fiscalReceipts } from './fiscal-receipts.ts'
import { nonFiscalReceipts } from './non-fiscal-receipts.ts'
import { reports } from './reports.ts'
import type { WireA } from './wire.ts'
import { zReports } from './z-reports.ts'

/** Returns every operation of the service on family A (sheet 6.14). */
export const operations = (session: Session<WireA>, settings: DriverSettings): Operations => ({
  ...nonFiscalReceipts(session),
  ...fiscalReceipts(session, settings),
  ...zReports(session),
  ...reports(session),
  ...evidence(session),
  ...auxiliaryCommands(session),
})
