import type { ArchivedZ } from '../../../drivers/model/printer.ts'
import { money } from '../../oracle/decimal.ts'
import type { DaySums } from '../../oracle/totals.ts'

/**
 * Compares an archived Z report with the sums of its receipts. Returns a message for each difference. Values that the
 * protocol does not report (null) are not compared. `cancelledCounts`: the family counts cancelled receipts as issued
 * (sheet B 10.5).
 */
export function differences(z: ArchivedZ, sums: DaySums, cancelledCounts = false): string[] {
  const wrong: string[] = []
  const same = (what: string, device: number | null | undefined, books: bigint): void => {
    if (device === null || device === undefined || BigInt(device) === books) return
    wrong.push(`Z ${z.number}: ${what} is ${money(BigInt(device))}, the sum of its receipts is ${money(books)}`)
  }
  const counted = (what: string, device: number | null | undefined, books: number): void => {
    if (typeof device === 'number' && device !== books)
      wrong.push(`Z ${z.number}: ${what}: ${device}, of its receipts ${books}`)
  }
  same('the total', z.total, sums.total)
  counted('receipts', z.receiptsCount, sums.receipts + (cancelledCounts ? sums.cancelled.count : 0))
  for (const { letter, taxCode, turnover, tax } of z.taxes) {
    same(`turnover ${letter}`, turnover, sums.groups[taxCode - 1] ?? 0n)
    same(`tax ${letter}`, tax, sums.taxes[taxCode - 1] ?? 0n)
  }
  const paid = new Map(z.payments?.map(({ paymentMode, amount }) => [paymentMode, amount]))
  if (z.payments)
    for (const [mode, amount] of sums.payments) same(`payments of mode ${mode}`, paid.get(mode) ?? 0, amount)
  for (const what of ['discounts', 'voids'] as const) {
    same(what, z[what]?.amount, sums[what].amount)
    counted(what, z[what]?.count, sums[what].count)
  }
  same('cash in', z.cashIn, sums.cashIn.amount)
  same('cash out', z.cashOut, sums.cashOut.amount)
  return wrong
}
