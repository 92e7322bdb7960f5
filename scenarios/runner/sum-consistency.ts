/** Checks that the device's own sums agree with each other. */
import { formatMoney, parseDecimal } from '../../drivers/model/money.ts'
import type { DayView, ZView } from '../../emulator/panel/contract.ts'

interface Books {
  readonly day: DayView
  readonly zs: readonly ZView[]
}

export function cents(text: string): number {
  const amount = parseDecimal(text, 2)
  return typeof amount === 'number' ? amount : Number.NaN
}

const sum = (amounts: Iterable<string>): number => [...amounts].reduce((total, amount) => total + cents(amount), 0)

/** Amounts are in hundredths. */
export const differenceOfAmounts = (what: string, one: number, other: number): string[] =>
  one === other ? [] : [`${what}: ${formatMoney(one)} is not ${formatMoney(other)}`]

/** Checks the sums of the day and of each Z report. Returns a message for each difference. */
export function checkOwnSums({ day, zs }: Books): string[] {
  return [
    ...differenceOfAmounts('day: tax groups and total', sum(Object.values(day.taxes)), cents(day.total)),
    ...differenceOfAmounts('day: payments and total', sum(Object.values(day.payments)), cents(day.total)),
    ...zs.flatMap((z, index) => [
      ...differenceOfAmounts(
        `Z ${z.number}: tax groups and total`,
        sum(z.taxes.map(({ turnover }) => turnover)),
        cents(z.total),
      ),
      ...differenceOfAmounts(
        `Z ${z.number}: payments and total`,
        sum(z.payments.map(({ amount }) => amount)),
        cents(z.total),
      ),
      ...(z.number === index + 1 ? [] : [`Z ${z.number} is at position ${index + 1} of the archive`]),
    ]),
  ]
}
