/** Reports that are not zeroed: status bits 1.3 to 1.5 (sheet 3), and the refusals 30/33 of sheet 4.13. */
import type { FiscalDevice } from '../fiscal/api.ts'
import type { Context } from './context.ts'
import type { CountedReport } from './session.ts'

/** Returns true if a receipt, cash in or cash out was completed since the last Z report. */
export const dailyOpen = ({ day }: FiscalDevice): boolean =>
  day.receipts + day.reversalReceipts > 0 || day.cashIn.count > 0 || day.cashOut.count > 0

export const articlesOpen = ({ articles }: FiscalDevice): boolean => articles.next(0, 'up', 'sold') !== undefined

export function operatorsOpen({ registers, profile }: FiscalDevice): boolean {
  for (let code = 1; code <= profile.operators; code++) {
    const totals = registers.operatorTotals(code)
    if (totals.receipts > 0 || totals.cashIn.count > 0 || totals.cashOut.count > 0) return true
  }
  return false
}

export const departmentOpen = ({ registers }: FiscalDevice, number: number): boolean =>
  registers.departmentTotals(number).sales.count > 0

export function markReport({ device, session: { reports } }: Context, report: CountedReport): void {
  reports.set(report, { number: reports.get(report).number + 1, at: device.localTime() })
}
