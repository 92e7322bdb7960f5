import type { DeviceClient } from '../link/protocol-adapter.ts'
import type { Session } from '../link/session.ts'
import { createZReports, type ZReports } from '../link/z-reports.ts'
import { lastZ, numbersOf } from './evidence.ts'
import type { WireA } from './wire.ts'

export const zReports = (session: Session<WireA>): ZReports =>
  createZReports(session, { command: ['report', { option: 'Z' }], numbersOf, lastZ, lastReportZ })

/**
 * Resolves to the text of the last Z report. 69 returns the number, the sums of sales and the sums of reversals; 64
 * returns the same sums for the last Z report, with its date. In the edition ro, the sum of invoices and their tax
 * follow the sums of sales.
 */
async function lastReportZ(device: DeviceClient<WireA>): Promise<string> {
  const isRo = device.edition.name === 'ro'
  const sales = await device.ask('lastClosure', { of: 'turnover' })
  const secondAnswer = await device.ask('lastClosure', { of: isRo ? 'tax' : 'reversals' })
  const [sums, rest] = [sales.text.split('\t').slice(0, -1), secondAnswer.text.split('\t').slice(1, -1)]
  return [...sums, ...(isRo ? rest.slice(-1) : rest)].join('\t')
}
