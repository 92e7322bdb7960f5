import type { FiscalDevice } from '../fiscal/api.ts'

/** Which reports have something to zero: status bits 1.3 to 1.5 (sheet 3) and the refusals 30/33 of 4.13. */

/** Rises with the first sale, cash in or cash out after a Z. */
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

/** When the registers of articles, departments and operators were zeroed last, and how often: a report's own counter. */
export type CountedReport = 'articles' | 'departments' | 'operators'
export interface ReportMark {
  readonly number: number
  readonly at?: string
}

export function lastReport({ registers }: FiscalDevice, report: CountedReport): ReportMark {
  const kept = registers.parameter(`report.${report}`)
  if (kept === undefined) return { number: 0 }
  const [number = '0', at] = kept.split(' ')
  return at === undefined ? { number: Number(number) } : { number: Number(number), at }
}

export function markReport(device: FiscalDevice, report: CountedReport): void {
  const { number } = lastReport(device, report)
  device.registers.setParameter(`report.${report}`, `${number + 1} ${device.localTime()}`)
}
