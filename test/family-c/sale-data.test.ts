/** Reading and writing of family C's sales (sheet C 4.8), the response to a subtotal, and combined marks (4.9). */
import { describe, expect, it } from 'vitest'
import type { EditionName } from '../../drivers/family-c/protocol/edition.ts'
import { withResult } from '../support/verdict-rows.ts'
import {
  ARTICLE,
  BREAD,
  CHANGE,
  DEPARTMENT,
  declared,
  FOOD,
  FRACTION,
  page,
  readRequest,
  SALE,
  SOLD,
  SUBTOTAL,
  withoutUnit,
  written,
} from './layouts.ts'

describe('a sale of family C', () => {
  it.each<readonly [number, object, string]>([
    [SALE, SOLD, `${BREAD};\xc0;2.50`],
    [SALE, { ...SOLD, void: true, quantity: 1_500, value: -50 }, `${BREAD};\xc0;-2.50*1.500:-0.50`],
    [SALE, { ...SOLD, department: 12, percent: 500 }, `${BREAD};\xc0;2.50,5.00%!\x8c`],
    [FRACTION, { ...SOLD, quantity: 667, fraction: '2/3' }, `${BREAD};\xc0;2.50*2/3`],
    [DEPARTMENT, { ...FOOD, quantity: 2_000, tax: 'Б' }, `${BREAD};\x81;2.50*2.000!\xc1`],
    // The byte after `!` may be a mark. Here it is `*`, the forbidden tax class.
    [DEPARTMENT, { ...FOOD, tax: '*' }, `${BREAD};\x81;2.50!*`],
    [ARTICLE, { plu: 12, void: false, price: 150, quantity: 2_000 }, '+00012$1.50*2.000'],
    [SUBTOTAL, { print: true, display: false, value: -100 }, '1;0:-1.00'],
    [CHANGE, { type: 2, display: true, percent: -500 }, '2;1,-5.00%'],
  ])('command %i: %j is written as %j, and read back', (code, values, data) => {
    expect(written('c6', code, values)).toBe(data)
    expect(readRequest('c6', code, data)).toStrictEqual(values)
    expect(withoutUnit(values, declared('c6', code).request.fields)).toEqual([])
  })

  it.each(
    withResult<readonly [number, string, unknown]>([
      [SALE, `${BREAD};\xc0;5`, { ...SOLD, price: 500 }],
      [SALE, `${BREAD};\xc0;2.50*,5%`, 'syntax'],
      [DEPARTMENT, `${BREAD};\x81;2.50!**2.000`, { ...FOOD, tax: '*', quantity: 2_000 }],
      [DEPARTMENT, `${BREAD};\x81;2.50!`, 'syntax'],
      [SUBTOTAL, '1;0;x:1.00', 'syntax'],
      [CHANGE, '1;0;:1.00', { type: 1, display: false, value: 100 }],
      [CHANGE, '1;0x:1.00', 'syntax'],
    ]),
  )('is %s by command %i: %j', (_result, code, data, expected) => {
    expect(readRequest('c6', code, data)).toStrictEqual(expected)
  })

  it.each<readonly [EditionName, string]>([
    ['c4', '      2.50'],
    ['c6', '2.50'],
    ['cr', '2.50'],
  ])('has a subtotal that %s answers as %j', (edition, data) => {
    const { response } = declared(edition, SUBTOTAL)
    expect(response.write({ amount: 250 }, page)).toBe(data)
    expect(response.read(data, page)).toEqual({ amount: 250 })
    expect(withoutUnit({ amount: 250 }, response.fields)).toEqual([])
  })
})
