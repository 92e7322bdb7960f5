/** Responses of family C about articles and departments: sheet C 4.1 and 4.13. */
import { describe, expect, it } from 'vitest'
import type { EditionName } from '../../drivers/family-c/protocol/edition.ts'
import { orRefusal } from '../support/problems.ts'
import { declared, page, unitsOf } from './layouts.ts'

const answer = (edition: EditionName, code: number) => declared(edition, code).response
const answered = (edition: EditionName, code: number, data: string) =>
  orRefusal(() => answer(edition, code).read(data, page))

const ARTICLE = 0x6b
const DEPARTMENT = 0x67
const AT = '14-07-2025 09:00'
const NO_TIME = '00-00-0000 00:00'

/** Edition c4 aligns sums to the right in 11 characters. */
const wide = (...sums: readonly string[]): string => sums.map((sum) => sum.padStart(11)).join(';')
const BREAD = { plu: 1, name: 'Bread', price: 120, tax: 'А', turnover: 240, quantity: 2_000, lastZ: 7, department: 5 }
const LONG = 'Apa plata 0.5L'.padEnd(34)
const WATER = {
  ...{ plu: 77, name: 'Apa plata 0.5L', price: 350, tax: 'A', department: 5, turnover: 700, quantity: 2_000 },
  ...{ reversalSum: 350, reversalQuantity: 1_000, lastZ: 7 },
}
const SOLD = `7.00;2.000;3.50;1.000;7;${AT}`
const named = (name: string): string => `00001;${name.padEnd(20)};${wide('1.20')};\xc0;${wide('2.40', '2.000')};00007`

describe('an answer about articles and departments', () => {
  it.each<readonly [EditionName, number, object, string]>([
    ['c4', ARTICLE, { ...BREAD, at: '2025-07-14T09:00:00' }, `${named('Bread')};${AT};\x85;`],
    ['c4', ARTICLE, BREAD, `${named('Bread')};${NO_TIME};\x85;`],
    // A name may resemble an option at its beginning or end.
    ['c4', ARTICLE, { ...BREAD, name: '2 l water' }, `${named('2 l water')};${NO_TIME};\x85;`],
    ['c4', ARTICLE, { ...BREAD, name: 'Bread 500 g type 652' }, `${named('Bread 500 g type 652')};${NO_TIME};\x85;`],
    ['c6', ARTICLE, BREAD, `00001;${'Bread'.padEnd(20)};1.20;\xc0;2.40;2.000;00007;${NO_TIME};\x85`],
    [
      'c4',
      ARTICLE,
      { ...WATER, option: '1', priceFlag: 2, single: true, at: '2025-07-14T09:00:00' },
      `00077;1;${LONG};3.50;2;A;\x85;${SOLD};1`,
    ],
    [
      'c6',
      ARTICLE,
      { ...WATER, option: '1', priceFlag: 0, single: false, at: '2025-07-14T09:00:00' },
      `00077;1;${LONG};3.50;0;A;\x85;${SOLD};0`,
    ],
    ['c4', ARTICLE, { plu: 77, option: '2', stock: 5_000, stockFlag: 2 }, '00077;2;5.000;2'],
    ['c4', ARTICLE, { plu: 77, option: '3', barcode: '594123456789' }, '00077;3;594123456789 '],
    ['c4', ARTICLE, { plu: 77, option: '4', price: 350, priceFlag: 1 }, '00077;4;3.50;1'],
    // The byte contains the flags of price and stock, and the flag that the sale closes the receipt: 80h + 2 + 4 + 10h.
    [
      'c6',
      ARTICLE,
      {
        ...{ ...WATER, option: '"', priceFlag: 2, stockFlag: 1, single: true, at: '2025-07-14T09:00:00' },
        ...{ stock: 5_000, barcode: '594123456789' },
      },
      `00077;";${LONG};3.50;\x96;A;\x85;${SOLD};5.000;594123456789 `,
    ],
    [
      'c6',
      ARTICLE,
      {
        ...{ ...WATER, option: '"', priceFlag: 1, stockFlag: 2, single: false, at: '2025-07-14T09:00:00' },
        ...{ stock: -5_000, barcode: '' },
      },
      `00077;";${LONG};3.50;\x89;A;\x85;${SOLD};-5.000;${' '.repeat(13)}`,
    ],
    [
      'c4',
      DEPARTMENT,
      { department: 7, name: 'Food', tax: 'Б', turnover: 240, quantity: 2_000, lastZ: 7, at: '2025-07-14T09:00:00' },
      `07;${'Food'.padEnd(20)};\xc1;${wide('2.40', '2.000')};00007;${AT}`,
    ],
  ])('of %s to %i with %j is %j when written, and is read back', (edition, code, values, data) => {
    expect(answer(edition, code).write(values, page)).toBe(data)
    expect(answered(edition, code, data)).toStrictEqual(values)
  })

  it.each<readonly [EditionName, number, string, unknown]>([
    ['c4', ARTICLE, `${named('Bread')};${NO_TIME};\x85`, BREAD],
    ['c4', ARTICLE, '00077;4;3.50;1;', { plu: 77, option: '4', price: 350, priceFlag: 1 }],
    ['c4', ARTICLE, '00077;4;3.50;01', 'syntax'],
    ['c4', ARTICLE, '00077;4;3.50;3', 'syntax'],
    ['c4', ARTICLE, '00077;5;3.50;1', 'syntax'],
    ['c4', ARTICLE, '00077', 'syntax'],
    ['c4', ARTICLE, '', 'syntax'],
  ])('of %s to command %i is accepted only in the published form: %j', (edition, code, data, expected) => {
    expect(answered(edition, code, data)).toStrictEqual(expected)
  })

  it('has no flags in its byte if the device reports no flags', () => {
    const values = { ...WATER, option: '"', stock: 0, barcode: '' }
    expect(answer('c6', ARTICLE).write(values, page)).toContain(';3.50;\x80;A;')
  })

  it.each<readonly [number, object]>([
    [
      ARTICLE,
      {
        ...{ plu: 'number', name: 'text', price: 'money', priceFlag: 'number', tax: 'text as taxCode' },
        ...{ department: 'number', turnover: 'own money', quantity: 'own quantity', reversalSum: 'own money' },
        ...{ reversalQuantity: 'own quantity', lastZ: 'own number', at: 'own time', stock: 'own quantity' },
        ...{ stockFlag: 'number', barcode: 'text' },
      },
    ],
    [
      DEPARTMENT,
      {
        ...{ department: 'number', name: 'own text', tax: 'own text as taxCode', turnover: 'own money' },
        ...{ quantity: 'own quantity', lastZ: 'own number', at: 'own time' },
      },
    ],
  ])('to command %i has the documented members: %j', (code, units) => {
    expect(unitsOf(answer('c4', code).fields)).toEqual(units)
  })
})
