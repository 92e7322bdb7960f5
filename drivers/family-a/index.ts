import type { DriverFamily } from '../family.ts'
import { createZReports } from '../link/z-reports.ts'
import { auxiliaryCommands } from './auxiliary-commands.ts'
import { capabilities } from './capabilities.ts'
import { evidence, lastZ, numbersOf } from './evidence.ts'
import { fiscalReceipts } from './fiscal-receipts.ts'
import { nonFiscalReceipts } from './non-fiscal-receipts.ts'
import { encodeHostFrame, FIRST_SEQ, hostShape } from './protocol/frame.ts'
import { catalogueOf } from './protocol/index.ts'
import { lastReportZ, reports } from './queries-and-reports.ts'
import { linkRules, protocolAdapter } from './session.ts'
import type { WireA } from './wire.ts'

export const familyA: DriverFamily<WireA> = {
  linkRules,
  framesToDevice: hostShape,
  bauds: [115_200, 9_600, 57_600, 19_200, 38_400],
  probe: encodeHostFrame({ seq: FIRST_SEQ + 1, code: catalogueOf('bg').byName.status.code, data: '' }),
  defaultTcpPort: 4_999,
  capabilities,
  protocolAdapter,
  operations: (session, settings) => ({
    ...nonFiscalReceipts(session),
    ...fiscalReceipts(session, settings),
    ...createZReports(session, { command: ['report', { option: 'Z' }], numbersOf, lastZ, lastReportZ }),
    ...reports(session),
    ...evidence(session),
    ...auxiliaryCommands(session),
  }),
}
