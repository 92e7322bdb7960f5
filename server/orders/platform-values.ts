import { HUNDRED_PERCENT, multiplyDivide } from '../../drivers/model/amounts.ts'
import { formatMoney, MONEY_MAX, type Money, type Percent, parseDecimal } from '../../drivers/model/money.ts'
import type { MoneySet, TaxLine } from './order.ts'
import { badRequest } from './refusal.ts'

const DECIMALS = 2
const NAME_MAX = 72
const RATE_DECIMALS = 10
const RATE_SCALE = 10 ** RATE_DECIMALS

/** Maximum amount, above any receipt. The sum of all amounts in an answer of the platform is still exact. */
const AMOUNT_MAX: Money = 10 * MONEY_MAX

/**
 * Form of the platform's amounts: "29.99", "29.999", "5.0". There is no exponent, and a point is followed by digits.
 */
const AMOUNT = /^-?\d+(\.\d+)?$/

/** Accepts any number of decimals if those after the second are zeros. */
function signedMoneyOf(text: string, is: 'amount' | 'price', label: string): Money {
  const value = AMOUNT.test(text) ? parseDecimal(text, DECIMALS) : undefined
  if (typeof value === 'number') return value
  const excerpt = text.slice(0, 40)
  if (value === 'too large') throw outOfRange(is, excerpt, label)
  throw badRequest(`amount ${excerpt} cannot be expressed with ${DECIMALS} decimals`)
}

const outOfRange = (is: 'amount' | 'price', excerpt: string, label: string): Error =>
  badRequest(`${is} ${excerpt} of ${label} is out of range`)

export function moneyOf(text: string, label: string): Money {
  const value = signedMoneyOf(text, 'amount', label)
  if (value < 0) throw badRequest(`amount ${showMoney(value)} is negative`)
  if (value > AMOUNT_MAX) throw outOfRange('amount', showMoney(value), label)
  return value
}

export function priceIn({ shopMoney }: MoneySet, label: string): Money {
  const price = signedMoneyOf(shopMoney.amount, 'price', label)
  if (price < 0 || price > MONEY_MAX) throw outOfRange('price', showMoney(price), label)
  return price
}

export function signedMoneyIn({ shopMoney: { amount } }: MoneySet, label: string): Money {
  const value = signedMoneyOf(amount, 'amount', label)
  if (Math.abs(value) > AMOUNT_MAX) throw outOfRange('amount', showMoney(value), label)
  return value
}

export const moneyIn = (set: MoneySet, label: string): Money => moneyOf(set.shopMoney.amount, label)

export const showMoney = formatMoney

/** Returns the sum of the rates as a share of the price, in units of 10^-10. */
export function rateOf(lines: readonly TaxLine[]): number {
  return lines.reduce((sum, { rate, ratePercentage }) => sum + readRate(rate, ratePercentage), 0)
}

/** Parses the decimal text of the number, so that no binary fraction enters the sum. */
function readRate(rate: number | null | undefined, percentage: number | null | undefined): number {
  const [value, decimals] = typeof rate === 'number' ? [rate, RATE_DECIMALS] : [percentage ?? 0, RATE_DECIMALS - 2]
  const read = parseDecimal(String(value), decimals)
  if (typeof read !== 'number' || read < 0) throw badRequest(`tax rate ${value} cannot be read`)
  return read
}

/** Returns hundredths of a percent, the unit of `Mapping.taxCodes`. */
export const ratePercent = (rate: number): Percent =>
  multiplyDivide(rate, HUNDRED_PERCENT, RATE_SCALE, 'halfAwayFromZero')

export const withTax = (price: Money, rate: number): Money =>
  multiplyDivide(price, RATE_SCALE + rate, RATE_SCALE, 'halfAwayFromZero')

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Returns the text on one line: composed letters, single blanks, no control characters. Returns '' if nothing remains.
 */
export const cleanText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()

/** Returns at most 72 UTF-16 units, cut between visible characters. */
export function productName(title: string, otherwise: string): string {
  const clean = cleanText(title)
  if (clean === '') return otherwise
  let name = ''
  for (const { segment } of graphemes.segment(clean)) {
    if (name.length + segment.length > NAME_MAX) break
    name += segment
  }
  return name.trimEnd() || otherwise
}
