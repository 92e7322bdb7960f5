import type { DriverSettings, Operations } from '../family.ts'
import type { Session } from '../link/session.ts'
import { auxiliaryCommands } from './auxiliary-commands.ts'
import { evidence } from './evidence.ts'
import { fiscalReceipts } from './fiscal-receipts.ts'
import { nonFiscalReceipts } from './non-fiscal-receipts.ts'
import { reports } from './reports.ts'
import type { WireB } from './wire.ts'
import { zReports } from './z-reports.ts'

export const operations = (session: Session<WireB>, settings: DriverSettings): Operations => ({
  ...nonFiscalReceipts(session),
  ...fiscalReceipts(session, settings),
  ...zReports(session),
  ...reports(session, settings),
  ...evidence(session),
  ...auxiliaryCommands(session),
})
