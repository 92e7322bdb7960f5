import type { DeviceClient } from '../link/protocol-adapter.ts'
import type { Session } from '../link/session.ts'
import { createZReports, type ZReports } from '../link/z-reports.ts'
import { lastZ, numbersOf } from './evidence.ts'
import type { WireB } from './wire.ts'

export const zReports = (session: Session<WireB>): ZReports =>
  createZReports(session, {
    command: ['dailyReport', { item: 0, keepOperators: false }],
    ...{ numbersOf, lastZ, lastReportZ },
  })

/**
 * Resolves to the text of the last Z report. 69 returns the number and the sums; 64 returns them for the last Z report,
 * followed by its date.
 */
async function lastReportZ(device: DeviceClient<WireB>): Promise<string> {
  const { text } = await device.ask('lastFiscalRecord', { sums: 'gross' })
  return text.replace(/,[^,]*$/, '')
}
