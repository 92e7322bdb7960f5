/**
 * `books: balanced`: compares the device's own sums with an independent calculation over the frames of this scenario.
 */

import type { Family } from '../../drivers/model/families.ts'
import { money } from '../oracle/decimal.ts'
import type { Piece } from '../oracle/ledger.ts'
import { replays } from '../oracle/replays.ts'
import { letter } from '../oracle/totals.ts'
import type { ReportedValue, Sums } from './device-sums.ts'
import { cents, differenceOfAmounts } from './sum-consistency.ts'

export interface LineRecord {
  readonly family: Family
  readonly pieces: readonly Piece[]
  /** Tax rates A to H, in hundredths of a percent. */
  readonly rates: readonly bigint[]
  /** True if nothing was sold on this day before. */
  readonly isNewDay: boolean
  readonly articles: readonly { readonly plu: number; readonly taxCode: number; readonly price: string }[]
}

/** Returns the differences between the sums that the device reports and those of the replayed frames. */
export function compareWithFrames(
  { day, zs }: { readonly day: Sums; readonly zs: readonly Sums[] },
  { family, pieces, rates, articles, isNewDay }: LineRecord,
): string[] {
  const knownFields = Object.fromEntries(
    articles.map(({ plu, taxCode, price }) => [plu, { group: taxCode - 1, price: BigInt(cents(price)) }]),
  )
  const replay = replays.get(family)
  if (!replay) return []
  const ledger = replay(pieces, { rates, articles: knownFields })
  const recordedDay = ledger.day()
  const agree = (what: string, reported: ReportedValue | undefined, own: bigint) =>
    typeof reported === 'string' ? differenceOfAmounts(`${what}: device and frames`, cents(reported), Number(own)) : []
  const taxes = typeof day['taxes'] === 'object' ? (day['taxes'] ?? {}) : {}
  // The protocol of one family does not report the numbers of Z reports, and the replay counts from 1.
  const isCounted =
    ledger.closedDays[0]?.number === 1 && zs.length === ledger.closedDays.length && zs[0]?.['number'] !== 1
  return [
    // A replay from the middle of a day has other sums than the device.
    ...(isNewDay ? ledger.disagreements.map((one) => `frames: ${one}`) : []),
    ...recordedDay.groups.flatMap((turnover, group) =>
      agree(`day, tax group ${letter(group)}`, taxes[letter(group)], turnover),
    ),
    ...agree('day, total', day['total'], recordedDay.total),
    ...agree('day, drawer', day['drawerCash'], recordedDay.drawer),
    ...ledger.closedDays.flatMap(({ number, sums }, index) => {
      const z = isCounted ? zs[index] : zs.find((one) => one['number'] === number)
      return z
        ? agree(`Z ${number}, total`, z['total'], sums.total)
        : [`Z ${number} (${money(sums.total)}) was printed according to the line, but is not in the archive`]
    }),
  ]
}
