import type { DriverFamily } from '../family.ts'
import { createZReports } from '../link/z-reports.ts'
import { auxiliaryCommands } from './auxiliary-commands.ts'
import { capabilities } from './capabilities.ts'
import { evidence, lastZ, numbersOf } from './evidence.ts'
import { fiscalReceipts } from './fiscal-receipts.ts'
import { nonFiscalReceipts } from './non-fiscal-receipts.ts'
import { FIRST_SEQUENCE, requestShape, writeRequest } from './protocol/frame.ts'
import { catalogueOf } from './protocol/index.ts'
import { lastReportZ, reports } from './queries-and-reports.ts'
import { linkRules, protocolAdapter } from './session.ts'
import type { WireB } from './wire.ts'

export const familyB: DriverFamily<WireB> = {
  linkRules,
  framesToDevice: requestShape,
  bauds: [9_600, 115_200, 19_200, 38_400, 57_600],
  probe: writeRequest({ seq: FIRST_SEQUENCE + 1, command: catalogueOf('b8').byName.status.code, data: '' }),
  defaultTcpPort: 4_999,
  capabilities,
  protocolAdapter,
  operations: (session, settings) => ({
    ...nonFiscalReceipts(session),
    ...fiscalReceipts(session, settings),
    ...createZReports(session, {
      command: ['dailyReport', { item: 0, keepOperators: false }],
      ...{ numbersOf, lastZ, lastReportZ },
    }),
    ...reports(session, settings),
    ...evidence(session),
    ...auxiliaryCommands(session),
  }),
}
