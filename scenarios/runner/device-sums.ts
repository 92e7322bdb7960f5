/**
 * Sums and counters as a device of any target tells them: decimal text, whole numbers, and null for what cannot be told.
 * On a device that was in use before they are judged as differences from what stood there before the first step.
 */

import { formatMoney } from '../../drivers/model/money.ts'
import { type ArchivedZ, type CountedAmount, type DaySums, UNREPORTED_SUMS } from '../../drivers/model/printer.ts'
import type { FrameView } from '../../emulator/panel/contract.ts'
import { differences, hundredths, type MatchRules } from './match.ts'

export type ReportedValue = string | number | null | Sums
export interface Sums {
  readonly [name: string]: ReportedValue
}

/** Before the first step, and before what `given` prints. */
export interface Before {
  readonly lastDocument: number | null
  readonly lastZ: number | null
  readonly day: Sums
  readonly counters: Sums
}

export const NEW_DEVICE: Before = { lastDocument: 0, lastZ: 0, day: {}, counters: {} }

/** Somebody has printed on it before. */
export const isUsed = ({ lastDocument, lastZ }: Before): boolean => lastDocument !== 0 || lastZ !== 0

export const isNothing = (told: ReportedValue): boolean =>
  typeof told === 'object' && told !== null ? Object.values(told).every(isNothing) : Number(told ?? 0) === 0

/** A document that was printed since, with its kind; null: not told. */
export interface PrintedKind {
  readonly number: number
  readonly kind: string | null
}

/** What a device that nobody can see answers, each with its own words. Null: it cannot tell. */
export interface DeviceReader {
  numbers(): Promise<Pick<Before, 'lastDocument' | 'lastZ'>>
  day(): Promise<Sums>
  /** Null: nothing is open. */
  openReceipt(): Promise<Sums | null>
  /** Undefined: there is no such report. */
  zReport(number: number): Promise<Sums | undefined>
  /** Those with these numbers. */
  documents(first: number, last: number): Promise<readonly PrintedKind[] | null>
  /** What passed on the line since the target was opened. */
  frames(): readonly FrameView[] | null
}

// ---------------------------------------------------------------- the driver's words

/** Cash paid out and taken back is negative. */
const text = (amount: number | null): string | null =>
  amount === null ? null : `${amount < 0 ? '-' : ''}${formatMoney(Math.abs(amount))}`

const counted = (value: CountedAmount | null): ReportedValue =>
  value && { count: value.count, amount: text(value.amount) }

type Paid = readonly { readonly paymentMode: number; readonly amount: number }[] | null
const byMode = (payments: Paid): ReportedValue =>
  payments && Object.fromEntries(payments.map(({ paymentMode, amount }) => [String(paymentMode), text(amount)]))

type Both = Pick<
  DaySums & ArchivedZ,
  'total' | 'payments' | 'discounts' | 'surcharges' | 'voids' | 'cashIn' | 'cashOut'
>
const sumsOf = (sums: Both): Sums => ({
  total: text(sums.total),
  payments: byMode(sums.payments),
  discounts: counted(sums.discounts),
  surcharges: counted(sums.surcharges),
  voids: counted(sums.voids),
  cashIn: text(sums.cashIn),
  cashOut: text(sums.cashOut),
})

export const reportedDay = (sums: DaySums): Sums => ({
  ...sumsOf(sums),
  taxes: sums.turnovers && Object.fromEntries(sums.turnovers.map((sum, group) => ['ABCDEFGH'[group] ?? '', text(sum)])),
  drawerCash: null,
  receiptsCount: sums.receipts,
})

export const UNREPORTED_DAY: Sums = reportedDay(UNREPORTED_SUMS)

export const reportedZ = (z: ArchivedZ): Sums => ({
  ...sumsOf(z),
  taxes: Object.fromEntries(z.taxes.map(({ letter, turnover }) => [letter, text(turnover)])),
  number: z.number,
  receiptsCount: z.receiptsCount,
  firstReceipt: z.firstReceipt,
  lastReceipt: z.lastReceipt,
})

// ---------------------------------------------------------------- differences

/** What has come to it since: amounts and counts by name. What was not told before is not told now. */
export function since(now: ReportedValue, before: ReportedValue | undefined): ReportedValue {
  if (now === null || before === null) return null
  if (before === undefined) return now
  if (typeof now === 'number') return now - Number(before)
  if (typeof now === 'string') return text((hundredths(now) ?? 0) - (hundredths(before) ?? 0))
  const earlier = typeof before === 'object' ? before : {}
  return Object.fromEntries(Object.entries(now).map(([name, value]) => [name, since(value, earlier[name])]))
}

interface SumsComparison {
  readonly wrong: readonly string[]
  /** Members that were expected and that nobody can tell: `discounts.count`. */
  readonly unreported: readonly string[]
}

/** What is expected of sums, as far as they were told. */
export function compareReported(expected: object, there: Sums, rules: MatchRules = { amounts: true }): SumsComparison {
  const untold: string[] = []
  const reportedPart = (value: unknown, at: ReportedValue | undefined, path: string): unknown => {
    if (at === null) {
      untold.push(path)
      return undefined
    }
    if (typeof value !== 'object' || value === null || typeof at !== 'object') return value
    const members = Object.entries(value).map(
      ([name, member]) => [name, reportedPart(member, at[name], path === '' ? name : `${path}.${name}`)] as const,
    )
    return Object.fromEntries(members.filter(([, member]) => member !== undefined))
  }
  return { wrong: differences(reportedPart(expected, there, ''), there, '', rules), unreported: untold }
}
