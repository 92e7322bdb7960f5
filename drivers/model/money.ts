/**
 * Amounts, quantities and percentages are integers from the first parse to the last print; no floating point is used.
 */

import { trimEndOf } from './trim-end.ts'

/** Whole hundredths of the currency unit: 12.50 is 1250. */
export type Money = number

/** Whole thousandths of the unit sold: 1.5 kg is 1500. */
export type Quantity = number

/** Whole hundredths of a percent: 20 % is 2000. */
export type Percent = number

/** The largest amount that all three wire protocols can represent: 9,999,999.99. */
export const MONEY_MAX: Money = 999_999_999
/** The largest quantity that all three wire protocols can represent: 999,999.999. */
export const QUANTITY_MAX: Quantity = 999_999_999
/** The smallest quantity of the specification, 0.01 pieces. */
export const QUANTITY_MIN: Quantity = 10
export const ONE: Quantity = 1_000

export type DecimalProblem = 'not a decimal number' | 'too many decimals' | 'too large'

const DECIMAL = /^([+-])?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Parses decimal text exactly, without rounding: `"12.5"` with 2 decimals is 1250. Accepts trailing zeros beyond the
 * decimals, and an exponent as in JSON (`1e2`).
 */
export function parseDecimal(text: string, decimals: number): number | DecimalProblem {
  const match = DECIMAL.exec(text)
  if (!match) return 'not a decimal number'
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return 'not a decimal number'
  const digits = whole + fraction
  const shift = decimals - fraction.length + Number(exponent)
  const significant = digits.replace(/^0+/, '')
  if (significant === '') return 0
  let integer: string
  if (shift >= 0) {
    if (significant.length + shift > 15) return 'too large'
    integer = significant + '0'.repeat(shift)
  } else {
    const cut = digits.length + shift
    const dropped = cut > 0 ? digits.slice(cut) : digits
    if (/[1-9]/.test(dropped)) return 'too many decimals'
    integer = (cut > 0 ? digits.slice(0, cut) : '0').replace(/^0+(?=\d)/, '')
    if (integer.length > 15) return 'too large'
  }
  const value = Number(integer)
  return sign === '-' && value !== 0 ? -value : value
}

/** Returns an integer as decimal text with a fixed number of decimals: 1250 with 2 decimals is `"12.50"`. */
export function formatDecimal(value: number, decimals: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number: ${value}`)
  const digits = String(Math.abs(value)).padStart(decimals + 1, '0')
  const sign = value < 0 ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export const formatMoney = (value: Money): string => formatDecimal(value, 2)
export const formatQuantity = (value: Quantity): string => formatDecimal(value, 3)
export const formatPercent = (value: Percent): string => formatDecimal(value, 2)

/** Returns the shortest form of a value, for people: 1.500 is `1.5`, 2.000 is `2`. */
export const formatShort = (value: number, decimals: number): string =>
  decimals === 0 ? formatDecimal(value, 0) : trimEndOf(trimEndOf(formatDecimal(value, decimals), '0'), '.')
