import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { multiplyDivide } from '../../drivers/model/amounts.ts'
import { formatDecimal, formatShort, parseDecimal } from '../../drivers/model/money.ts'

describe('the exact conversion of decimal text to an integer', () => {
  it.each([
    ['12.50', 2, 1250],
    ['12.5', 2, 1250],
    ['12', 2, 1200],
    ['.5', 2, 50],
    ['5.', 2, 500],
    ['0', 2, 0],
    ['-0.00', 2, 0],
    ['-1.23', 2, -123],
    ['+1.23', 2, 123],
    ['1.500', 2, 150],
    ['9999999.99', 2, 999_999_999],
    ['999999.999', 3, 999_999_999],
    ['1e2', 2, 10_000],
    ['1.25E1', 2, 1250],
    ['125e-2', 2, 125],
    ['0.0001e2', 2, 1],
    ['0000000000000000000012.00', 2, 1200],
  ])('reads %s with %i decimals as %i', (text, decimals, value) => {
    expect(parseDecimal(text, decimals)).toBe(value)
  })

  it.each([
    ['', 2, 'not a decimal number'],
    ['.', 2, 'not a decimal number'],
    ['1,5', 2, 'not a decimal number'],
    ['1 000', 2, 'not a decimal number'],
    ['NaN', 2, 'not a decimal number'],
    ['0x10', 2, 'not a decimal number'],
    ['1.005', 2, 'too many decimals'],
    ['1e-3', 2, 'too many decimals'],
    ['125e-3', 2, 'too many decimals'],
    ['99999999999999999', 2, 'too large'],
    ['1e300', 2, 'too large'],
  ])('refuses "%s" with %i decimals: %s', (text, decimals, problem) => {
    expect(parseDecimal(text, decimals)).toBe(problem)
  })

  it('reads back every integer that it writes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999, max: 999_999_999 }),
        fc.integer({ min: 0, max: 3 }),
        (value, decimals) => {
          expect(parseDecimal(formatDecimal(value, decimals), decimals)).toBe(value)
        },
      ),
    )
  })

  it.each([
    [1500, 3, '1.5'],
    [2000, 3, '2'],
    [100_000, 3, '100'],
    [1, 3, '0.001'],
    [0, 2, '0'],
    [-250, 2, '-2.5'],
    [20, 0, '20'],
  ])('writes %i with %i decimals in short as %s', (value, decimals, text) => {
    expect(formatShort(value, decimals)).toBe(text)
  })
})

describe('the division of a product, rounded half away from zero,', () => {
  it.each([
    [250, 2000, 1000, 500],
    [333, 1500, 1000, 500],
    [1, 499, 1000, 0],
    [1, 500, 1000, 1],
    [-1, 500, 1000, -1],
    [-1, 499, 1000, 0],
    [999_999_999, 999_999_999, 1000, 999_999_998_000_000],
    [123, -234, 10_000, -3],
  ])('of %i x %i by %i is %i', (a, b, divisor, value) => {
    expect(multiplyDivide(a, b, divisor, 'halfAwayFromZero')).toBe(value)
  })

  it('agrees with whole-number arithmetic of any size', () => {
    const amount = fc.integer({ min: -999_999_999, max: 999_999_999 })
    fc.assert(
      fc.property(amount, amount, fc.constantFrom(1000, 10_000, 12_000), (a, b, divisor) => {
        const exact = BigInt(a) * BigInt(b)
        const twiceExact = (exact < 0n ? -exact : exact) * 2n + BigInt(divisor)
        const rounded = twiceExact / (2n * BigInt(divisor))
        const expected = Number(exact < 0n ? -rounded : rounded)
        expect(multiplyDivide(a, b, divisor, 'halfAwayFromZero')).toBe(expected === 0 ? 0 : expected)
      }),
    )
  })
})
