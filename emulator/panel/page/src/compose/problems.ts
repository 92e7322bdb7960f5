/**
 * Checks a composed receipt before it is sent, with messages for the fields of the form. The service checks everything
 * else.
 */
import {
  formatMoney,
  formatQuantity,
  MONEY_MAX,
  type Money,
  parseDecimal,
  QUANTITY_MAX,
  QUANTITY_MIN,
} from '../../../../../drivers/model/money.ts'
import { amountIn, type Draft, HUNDRED_PERCENT, paymentPath, type Row, rowPath, type Total } from './receipt.ts'

export interface Problem {
  /** Name of the field, or `''` for the form as a whole. */
  readonly path: string
  readonly message: string
}

interface Bounds {
  readonly least: number
  readonly most: number
  readonly decimals: number
  readonly words: string
}

const AMOUNT: Bounds = { least: 1, most: MONEY_MAX, decimals: 2, words: 'from 0.01 to 9999999.99' }
const PRICE: Bounds = { ...AMOUNT, least: 0, words: 'from 0.00 to 9999999.99' }
const PERCENT: Bounds = { least: 1, most: HUNDRED_PERCENT, decimals: 2, words: 'from 0.01 to 100.00' }
const QUANTITY: Bounds = {
  least: QUANTITY_MIN,
  most: QUANTITY_MAX,
  decimals: 3,
  words: `from ${formatQuantity(QUANTITY_MIN)} to ${formatQuantity(QUANTITY_MAX)}`,
}

const CASH = '0'

/** Returns a sentence about an invalid text. `what` has its article, for example `a price`. */
function problemOf(text: string, what: string, { least, most, decimals, words }: Bounds): string | undefined {
  const trimmed = text.trim()
  const wanted = `Enter ${what} ${words}.`
  if (trimmed === '') return wanted
  if (/^\d+,\d+$/.test(trimmed)) return `Write ${trimmed.replace(',', '.')}: the decimal separator is a point.`
  if (!/^-?\d+(?:\.\d+)?$/.test(trimmed)) return `"${trimmed}" is not a number. ${wanted}`
  const value = parseDecimal(trimmed, decimals)
  if (value === 'too many decimals') return `At most ${decimals} decimals are possible.`
  const fits = typeof value === 'number' && value >= least && value <= most
  return fits ? undefined : wanted
}

const KINDS = {
  '1': ['a surcharge in percent', PERCENT],
  '2': ['a discount in percent', PERCENT],
  '3': ['the amount of the surcharge', AMOUNT],
  '4': ['the amount of the discount', AMOUNT],
} as const satisfies Readonly<Record<string, readonly [string, Bounds]>>

export function wholeProblem(text: string, least: number, most?: number): string | undefined {
  const trimmed = text.trim()
  const wanted = `Enter a whole number ${most === undefined ? `of at least ${least}` : `from ${least} to ${most}`}.`
  if (trimmed === '') return wanted
  if (!/^-?\d+$/.test(trimmed)) return `"${trimmed.slice(0, 40)}" is not a whole number. ${wanted}`
  const value = Number(trimmed)
  return value >= least && (most === undefined || value <= most) ? undefined : wanted
}

/** Characters that no code page contains, such as emoji. A device prints `?` for each of them. */
const UNPRINTABLE =
  /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}]|\p{Emoji_Presentation}|[\u{10000}-\u{10FFFF}]/u

export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name.'
  const sign = UNPRINTABLE.exec(name)?.[0]
  return sign === undefined
    ? undefined
    : `The device cannot print ${sign}: it would print a question mark. Leave it out.`
}

export const priceProblem = (price: string): string | undefined => problemOf(price, 'a price', PRICE)

export const present = (all: readonly (readonly [string, string | undefined])[]): Problem[] =>
  all.flatMap(([path, message]) => (message === undefined ? [] : [{ path, message }]))

function adjustmentProblem(discount: string, value: string): string | undefined {
  const kind = KINDS[discount as keyof typeof KINDS]
  return kind && problemOf(value, kind[0], kind[1])
}

function rowProblems(row: Row, index: number): Problem[] {
  const path = rowPath(index, row)
  const isFree = row.plu === 0
  return present([
    [`${path}.ProductName`, isFree ? nameProblem(row.name) : undefined],
    [`${path}.Price`, isFree ? priceProblem(row.price) : undefined],
    [`${path}.Quantity`, row.quantity.trim() === '' ? undefined : problemOf(row.quantity, 'a quantity', QUANTITY)],
    [`${path}.DiscountValue`, adjustmentProblem(row.discount, row.value)],
  ])
}

/** Returns a sentence about payments that do not match the total, whichever total the device calculates. */
export function paymentProblem(
  { payments }: Pick<Draft, 'payments'>,
  { amount, paid, mayDifferBy }: Pick<Total, 'amount' | 'paid' | 'mayDifferBy'>,
): string | undefined {
  if (paid === undefined || mayDifferBy === undefined) return undefined
  if (amount === 0 && mayDifferBy === 0) return 'The total is 0.00 and nothing is left to pay: remove the payments.'
  const total = formatMoney(amount)
  if (paid < amount - mayDifferBy)
    return `The payments are ${formatMoney(amount - paid)} less than the total of ${total}.`
  const withoutChange = payments
    .filter(({ mode }) => mode !== CASH)
    .reduce<Money>((sum, one) => sum + (amountIn(one.amount) ?? 0), 0)
  if (withoutChange <= amount + mayDifferBy) return undefined
  return `The payments other than cash are ${formatMoney(withoutChange - amount)} more than the total of ${total}: only cash gives change.`
}

/**
 * Returns the problems of the fields or, if there are none, those of the whole receipt. `total` is `undefined` while a
 * field is incomplete. `zeroTotal`: whether the device closes a receipt with a total of 0.00.
 */
export function problemsOf(draft: Draft, total: Total | undefined, zeroTotal: boolean): readonly Problem[] {
  const fields = [
    ...draft.rows.flatMap(rowProblems),
    ...present([['Subtotal.DiscountValue', adjustmentProblem(draft.discount, draft.value)]]),
    ...present(
      draft.payments.map(({ amount }, index) => [
        `${paymentPath(index)}.Amount`,
        problemOf(amount, 'an amount', AMOUNT),
      ]),
    ),
  ]
  if (fields.length > 0) return fields
  if (draft.rows.every(({ isVoid }) => isVoid))
    return [{ path: '', message: 'Every row is void: a receipt needs at least one sale.' }]
  if (total === undefined) return []
  if (total.amount < 0)
    return [
      { path: '', message: `The total of ${formatMoney(total.amount)} is negative: discounts or voids are too large.` },
    ]
  if (total.amount === 0 && total.mayDifferBy === 0 && !zeroTotal)
    return [{ path: '', message: 'The total is 0.00, and this device closes no receipt of 0.00: reduce the discount.' }]
  return present([['', paymentProblem(draft, total)]])
}
