import type { Sums } from '../../drivers/family-b/protocol/numbers.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { includedTax } from '../fiscal/rounding.ts'
import { NO_GROUPS } from '../fiscal/totals.ts'
import type { ZRecord } from '../fiscal/types/day.ts'
import type { ByTaxGroup } from '../fiscal/types/registers.ts'
import type { Edition } from './edition.ts'

/** Number of digits of a receipt's sums in both editions (sheet 10.5). */
export const RECEIPT_DIGITS = 10

export const groupsOf = (edition: Edition, sums: readonly number[]): number[] => sums.slice(0, edition.groups)

/**
 * Returns the sales and then the refunds of the groups; or, for `taxFreeFirst`, a tax-free sum of 0 and then the sales.
 */
function dayList(edition: Edition, sales: readonly number[], refunds: readonly number[]): Sums {
  const sums =
    edition.sumList === 'salesAndRefunds'
      ? [...groupsOf(edition, sales), ...groupsOf(edition, refunds)]
      : [0, ...groupsOf(edition, sales)]
  return { sums, digits: edition.sumDigits }
}

export type Part = 'gross' | 'net' | 'tax'

const partOf = (part: Part, gross: number, tax: number): number =>
  part === 'gross' ? gross : part === 'net' ? gross - tax : tax

export function closureList(edition: Edition, records: readonly ZRecord[], part: Part): Sums {
  const add = (pick: (tax: ZRecord['taxes'][number]) => number): number[] =>
    NO_GROUPS.map((_, group) =>
      records.reduce((total, { taxes }) => {
        const tax = taxes.find(({ taxCode }) => taxCode === group + 1)
        return total + (tax ? pick(tax) : 0)
      }, 0),
    )
  return dayList(
    edition,
    add(({ turnover, tax }) => partOf(part, turnover, tax)),
    add(({ reversal, reversalTax }) => partOf(part, reversal, reversalTax)),
  )
}

/** Taxes are computed from the sums of the groups, as in a Z report. */
export function presentDayList(edition: Edition, device: FiscalDevice, part: Part): Sums {
  const { day, registers } = device
  const cut = (sums: ByTaxGroup<number>) =>
    sums.map((gross, group) => partOf(part, gross, includedTax(gross, registers.taxRates[group] ?? null)))
  return dayList(edition, cut(day.taxes), cut(day.reversals))
}

/**
 * Returns AllReceipt and FiscReceipt (sheet 10.3): the documents and the receipts of the day, the latter without
 * refunds.
 */
export const countersOf = ({ day }: FiscalDevice): { documents: number; receipts: number } => ({
  documents: day.documents,
  receipts: day.receipts - day.reversalReceipts,
})
