/** The service and the device round with separate code. Both follow sheet A 7, so their results are equal. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as model from '../../drivers/model/amounts.ts'
import * as device from '../../emulator/fiscal/rounding.ts'

const amount = fc.integer({ min: -999_999_999, max: 999_999_999 })
const percent = fc.integer({ min: 0, max: 10_000 })
const adjustment = fc.record({
  kind: fc.constantFrom('discount' as const, 'surcharge' as const),
  percent,
})
const groups = fc.array(fc.integer({ min: 0, max: 99_999_999 }), { minLength: 1, maxLength: 8 })

describe('device and service equally round', () => {
  it('a row', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: -999_999_999, max: 999_999_999 }), (price, quantity) => {
        expect(device.rowAmount(price, quantity)).toBe(model.rowAmount(price, quantity))
      }),
      { numRuns: 2000 },
    )
  })

  it('a percentage and an adjustment', () => {
    fc.assert(
      fc.property(amount, adjustment, (base, one) => {
        expect(device.percentOf(base, one.percent)).toBe(model.percentOf(base, one.percent))
        expect(device.adjustmentOf(base, one)).toBe(model.adjustmentOf(base, one))
      }),
      { numRuns: 2000 },
    )
  })

  it('an amount that is distributed over tax groups', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), groups, (value, weights) => {
        expect(device.sharesOf(value, weights)).toEqual(model.sharesOf(value, weights))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    [5, 100, 1000, 1],
    [-5, 100, 1000, -1],
    [4, 100, 1000, 0],
    [-4, 100, 1000, 0],
    [999_999_999, 999_999_999, 1000, 999_999_998_000_000],
  ])('%i times %i divided by %i: %i, on either side', (value, part, whole, result) => {
    expect([device.portion(value, part, whole), model.multiplyDivide(value, part, whole, 'halfAwayFromZero')]).toEqual([
      result,
      result,
    ])
  })
})
