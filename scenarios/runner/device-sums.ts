/**
 * Sums and counters as a device of any target reports them: amounts as decimal text, counts as numbers, null if the
 * device does not report the value. Scenarios on a used device are judged by the increase.
 */

import { formatMoney } from '../../drivers/model/money.ts'
import { type ArchivedZ, type CountedAmount, type DaySums, UNREPORTED_SUMS } from '../../drivers/model/printer.ts'
import type { FrameView } from '../../emulator/panel/contract.ts'
import { differences, hundredths, type MatchRules } from './match.ts'

export type ReportedValue = string | number | null | Sums
export interface Sums {
  readonly [name: string]: ReportedValue
}

export interface SumsBefore {
  readonly lastDocument: number | null
  readonly lastZ: number | null
  readonly day: Sums
  readonly counters: Sums
}

export const NEW_DEVICE: SumsBefore = { lastDocument: 0, lastZ: 0, day: {}, counters: {} }

export const isUsed = ({ lastDocument, lastZ }: SumsBefore): boolean => lastDocument !== 0 || lastZ !== 0

export const isNothing = (reported: ReportedValue): boolean =>
  typeof reported === 'object' && reported !== null
    ? Object.values(reported).every(isNothing)
    : Number(reported ?? 0) === 0

/** `kind` is null if the device does not report the kind of the document. */
export interface PrintedKind {
  readonly number: number
  readonly kind: string | null
}

/** Reads a device without a control API. A value is null if the device does not report it. */
export interface DeviceReader {
  numbers(): Promise<Pick<SumsBefore, 'lastDocument' | 'lastZ'>>
  day(): Promise<Sums>
  openReceipt(): Promise<Sums | null>
  zReport(number: number): Promise<Sums | undefined>
  documents(first: number, last: number): Promise<readonly PrintedKind[] | null>
  frames(): readonly FrameView[] | null
}

const text = (amount: number | null): string | null => (amount === null ? null : formatMoney(amount))

const counted = (value: CountedAmount | null): ReportedValue =>
  value && { count: value.count, amount: text(value.amount) }

type PaymentSums = readonly { readonly paymentMode: number; readonly amount: number }[] | null
const byMode = (payments: PaymentSums): ReportedValue =>
  payments && Object.fromEntries(payments.map(({ paymentMode, amount }) => [String(paymentMode), text(amount)]))

type CommonSums = Pick<
  DaySums & ArchivedZ,
  'total' | 'payments' | 'discounts' | 'surcharges' | 'voids' | 'cashIn' | 'cashOut'
>
const sumsOf = (sums: CommonSums): Sums => ({
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

/** Returns the increase of each amount and count, or null if one of the two values was not reported. */
export function increaseSince(now: ReportedValue, before: ReportedValue | undefined): ReportedValue {
  if (now === null || before === null) return null
  if (before === undefined) return now
  if (typeof now === 'number') return now - Number(before)
  if (typeof now === 'string') return text((hundredths(now) ?? 0) - (hundredths(before) ?? 0))
  const earlier = typeof before === 'object' ? before : {}
  return Object.fromEntries(Object.entries(now).map(([name, value]) => [name, increaseSince(value, earlier[name])]))
}

interface SumsComparison {
  readonly wrong: readonly string[]
  /** Paths of expected members that the device does not report, such as `discounts.count`. */
  readonly unreported: readonly string[]
}

export function compareReported(expected: object, there: Sums, rules: MatchRules = { amounts: true }): SumsComparison {
  const unreported: string[] = []
  const reportedPart = (value: unknown, at: ReportedValue | undefined, path: string): unknown => {
    if (at === null) {
      unreported.push(path)
      return undefined
    }
    if (typeof value !== 'object' || value === null || typeof at !== 'object') return value
    const members = Object.entries(value).map(
      ([name, member]) => [name, reportedPart(member, at[name], path === '' ? name : `${path}.${name}`)] as const,
    )
    return Object.fromEntries(members.filter(([, member]) => member !== undefined))
  }
  return { wrong: differences(reportedPart(expected, there, ''), there, '', rules), unreported }
}
