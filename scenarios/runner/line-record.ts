/**
 * `books: balanced`: the device's own sums agree with each other, and an independent calculation over the frames of this
 * scenario comes to the same. A power cut or a device that keeps an answer to itself leaves the listener without what
 * was booked: then only the device's sums are held against each other and against its paper.
 */

import type { Family } from '../../drivers/model/families.ts'
import { money } from '../oracle/decimal.ts'
import type { Piece } from '../oracle/ledger.ts'
import { replays } from '../oracle/replays.ts'
import { letter } from '../oracle/totals.ts'
import type { ReportedValue, Sums } from './device-sums.ts'
import { cents, same } from './sum-consistency.ts'

export interface LineRecord {
  readonly family: Family
  readonly pieces: readonly Piece[]
  /** In hundredths of a percent, A to H. */
  readonly rates: readonly bigint[]
  /** Nothing was sold before. */
  readonly isNewDay: boolean
  readonly articles: readonly { readonly plu: number; readonly taxCode: number; readonly price: string }[]
}

/** The device's sums since the scenario began, as far as it tells them, against those of somebody who only listened. */
export function outwardly(
  { day, zs }: { readonly day: Sums; readonly zs: readonly Sums[] },
  { family, pieces, rates, articles, isNewDay }: LineRecord,
): string[] {
  const known = Object.fromEntries(
    articles.map(({ plu, taxCode, price }) => [plu, { group: taxCode - 1, price: BigInt(cents(price)) }]),
  )
  const replay = replays.get(family)
  // Nobody listens to this family yet: its own sums are all that there is.
  if (!replay) return []
  const ledger = replay(pieces, { rates, articles: known })
  const heard = ledger.day()
  const agree = (what: string, told: ReportedValue | undefined, own: bigint) =>
    typeof told === 'string' ? same(`${what}: device and frames`, cents(told), Number(own)) : []
  const taxes = typeof day['taxes'] === 'object' ? (day['taxes'] ?? {}) : {}
  return [
    // Who came in the middle of a day has other sums than the device all day.
    ...(isNewDay ? ledger.disagreements.map((one) => `frames: ${one}`) : []),
    ...heard.groups.flatMap((turnover, group) =>
      agree(`day, tax group ${letter(group)}`, taxes[letter(group)], turnover),
    ),
    ...agree('day, total', day['total'], heard.total),
    ...agree('day, drawer', day['drawerCash'], heard.drawer),
    ...ledger.closedDays.flatMap(({ number, sums }, index) => {
      // One wire does not tell the number: the listener counts from 1.
      const z = zs.find((one) => one['number'] === number) ?? (isNewDay ? undefined : zs[index])
      return z
        ? agree(`Z ${number}, total`, z['total'], sums.total)
        : [`Z ${number} was heard (${money(sums.total)}) and is not in the archive`]
    }),
  ]
}
