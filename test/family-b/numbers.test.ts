/** Numbers, dates, tax groups and letters in family B's notation: sheet B 6 and the error numbers of 8.1. */
import { describe, expect, it } from 'vitest'
import { georgian } from '../../drivers/family-b/protocol/charset.ts'
import { errorMeaning } from '../../drivers/family-b/protocol/errors.ts'
import {
  type DecimalForm,
  PERCENT,
  PRICE,
  QUANTITY,
  readDate,
  readDateTime,
  readDecimal,
  readRate,
  readSum,
  readSums,
  SHORT_PRICE,
  SIGNED_PRICE,
  taxByte,
  taxCodeOf,
  writeDate,
  writeDateTime,
  writeDecimal,
  writeRate,
  writeSigned,
  writeSum,
  writeSums,
} from '../../drivers/family-b/protocol/numbers.ts'
import { orRefusal } from '../support/problems.ts'
import { withResult } from '../support/verdict-rows.ts'

describe('a decimal number of family B', () => {
  it.each(
    withResult<readonly [string, DecimalForm, number | string]>([
      ['1', PRICE, 100],
      ['1.', PRICE, 100],
      ['.5', PRICE, 50],
      ['1.5', PRICE, 150],
      ['1.05', PRICE, 105],
      ['+1.05', PRICE, 105],
      ['-1.05', SIGNED_PRICE, -105],
      ['-0.00', PRICE, 0],
      ['0001.00', PRICE, 100],
      ['9999999.99', PRICE, 999_999_999],
      ['009999999.99', PRICE, 999_999_999],
      ['-9999999.99', SIGNED_PRICE, -999_999_999],
      ['99999999.00', PRICE, 'error 21'],
      ['123456789.0', PRICE, 'error 21'],
      ['1234567890', PRICE, 'error 16'],
      ['12345678.90', PRICE, 'error 21'],
      ['12345678.95', PRICE, 'error 16'],
      ['1234567.89', SHORT_PRICE, 'error 16'],
      ['123456.78', SHORT_PRICE, 12_345_678],
      ['-1', PRICE, 'error 21'],
      ['1.234', PRICE, 'error 15'],
      ['1.234', QUANTITY, 1_234],
      ['1.2345', QUANTITY, 'error 15'],
      ['0', QUANTITY, 'error 21'],
      ['0.001', QUANTITY, 1],
      ['-100', PERCENT, -10_000],
      ['-100.01', PERCENT, 'error 21'],
      ['99.99', PERCENT, 9_999],
      ['100', PERCENT, 'error 21'],
      ['', PRICE, 'syntax'],
      ['.', PRICE, 'syntax'],
      ['-', SIGNED_PRICE, 'syntax'],
      ['1a', PRICE, 'error 14'],
      ['1,5', PRICE, 'error 14'],
      ['1.2.3', PRICE, 'error 11'],
      ['+-1', PRICE, 'error 12'],
      ['1-', PRICE, 'error 13'],
      ['1+2', PRICE, 'error 13'],
    ]),
  )('is %s: %j', (_result, raw, form, expected) => {
    expect(orRefusal(() => readDecimal('price', raw, form))).toBe(expected)
  })

  it.each<readonly [number, DecimalForm, string]>([
    [105, PRICE, '1.05'],
    [0, PRICE, '0.00'],
    [999_999_999, PRICE, '9999999.99'],
    [1_000_000_000, PRICE, 'error 21'],
    [-1, PRICE, 'error 21'],
    [-105, SIGNED_PRICE, '-1.05'],
    [1_500, QUANTITY, '1.500'],
    [0, QUANTITY, 'error 21'],
  ])('with the value %i is written in the form %s', (value, form, expected) => {
    expect(orRefusal(() => writeDecimal('price', value, form))).toBe(expected)
  })

  it('always has its sign if that distinguishes adjustments', () => {
    expect([-1_000, 0, 1_000].map((value) => writeSigned('percent', value, PERCENT))).toEqual([
      '-10.00',
      '+0.00',
      '+10.00',
    ])
  })
})

describe('a sum of family B', () => {
  it.each<readonly [string, number | string]>([
    ['0000000150', 150],
    ['-000000150', -150],
    ['+150', 150],
    ['1.5', 150],
    ['1.50', 150],
    ['-1.05', -105],
    ['-0', 0],
    [' 150', 150],
    ['150 ', 'syntax'],
    ['1.', 'syntax'],
    ['1.505', 'syntax'],
    ['', 'syntax'],
    ['x1', 'syntax'],
    ['1x', 'syntax'],
  ])('is read in either style: %j', (raw, expected) => {
    expect(orRefusal(() => readSum('sum', raw))).toBe(expected)
  })

  it('is written with a fixed number of digits, and its sign replaces a digit', () => {
    expect([writeSum(150, 10), writeSum(0, 3), writeSum(-150, 10)]).toEqual(['0000000150', '000', '-000000150'])
    expect(writeSums({ sums: [1, -1], digits: 4 })).toEqual(['0001', '-001'])
    expect(readSums('sums', ['0001', '-001'])).toEqual({ sums: [1, -1], digits: 4 })
    expect(readSums('sums', [])).toEqual({ sums: [], digits: 0 })
  })
})

describe('a tax rate or group of family B', () => {
  it.each(
    withResult<readonly [string, number | null | string]>([
      ['20.00', 2_000],
      ['00.00', 0],
      ['99.99', 9_999],
      ['-1.00', null],
      ['-1', null],
      ['-0.50', 'error 21'],
      ['-2.00', 'error 21'],
      ['100.00', 'error 21'],
    ]),
  )('as a rate is %s: %j', (_result, raw, expected) => {
    expect(orRefusal(() => readRate(raw))).toBe(expected)
  })

  it('is written with at least five characters', () => {
    expect([2_000, 900, 0, null].map(writeRate)).toEqual(['20.00', '09.00', '00.00', '-1.00'])
  })

  it('is written as a byte: from C0h on, or a blank and then Latin letters', () => {
    expect(([1, 2, 8] as const).map((code) => taxByte('\xc0', code))).toEqual(['\xc0', '\xc1', '\xc7'])
    expect(([1, 2, 5] as const).map((code) => taxByte(' ', code))).toEqual([' ', 'A', 'D'])
    expect(['\xc0', '\xc7', '\xc8', '\xbf', 'A'].map((byte) => taxCodeOf('\xc0', 8, byte))).toEqual([
      1,
      8,
      undefined,
      undefined,
      undefined,
    ])
    expect([' ', 'A', 'D', 'E', '@'].map((byte) => taxCodeOf(' ', 5, byte))).toEqual([1, 2, 5, undefined, undefined])
  })
})

describe('a date of family B', () => {
  it.each(
    withResult<readonly [string, string]>([
      ['31-12-25 23:59:59', '2025-12-31T23:59:59'],
      ['31.12.25 23:59', '2025-12-31T23:59:00'],
      ['01-02-2026 00:00:00', '2026-02-01T00:00:00'],
      ['29-02-24 10:00', '2024-02-29T10:00:00'],
      ['29-02-25 10:00', 'error 10'],
      ['31-04-25 10:00', 'error 10'],
      ['01-13-25 10:00', 'error 10'],
      ['00-01-25 10:00', 'error 10'],
      ['01-01-25 24:00', 'error 10'],
      ['01-01-25 23:60', 'error 10'],
      ['01-01-25 23:59:60', 'error 10'],
      ['01-01-25', 'error 10'],
      ['01-01-25 10:00:0', 'error 10'],
      ['x01-01-25 10:00', 'error 10'],
      ['01-01-25 10:00x', 'error 10'],
    ]),
  )('with a time is %s: %j', (_result, raw, expected) => {
    expect(orRefusal(() => readDateTime('at', raw))).toBe(expected)
  })

  it.each(
    withResult<readonly [string, string]>([
      ['311225', '2025-12-31'],
      ['290225', 'error 10'],
      ['311325', 'error 10'],
      ['3112250', 'error 10'],
      ['x311225', 'error 10'],
      ['31122', 'error 10'],
    ]),
  )('alone is %s: %j', (_result, raw, expected) => {
    expect(orRefusal(() => readDate('date', raw))).toBe(expected)
  })

  it('is written with the day first', () => {
    expect(writeDateTime('2025-12-31T23:59:58')).toBe('31-12-25 23:59:58')
    expect(writeDateTime('2025-12-31T23:59:58', '.')).toBe('31.12.25 23:59:58')
    expect(writeDate('2025-12-31')).toBe('311225')
  })
})

describe('Georgian text of family B', () => {
  it.each([
    ['\u10d0\u10f0', '\xd0\xf0'],
    ['A\u10d1!', 'A\xd1!'],
    ['caf\u00e9', 'cafe'],
    ['\u00c9', '\xc9'],
    ['plain ~', 'plain ~'],
    ['\u10d0 and \u10f1', '\xd0 and ?'],
  ])('is written with the bytes of its code page: %j', (text, bytes) => {
    expect(georgian.encode(text)).toBe(bytes)
  })

  it('is read back letter by letter', () => {
    expect(georgian.decode('\xcf\xd0\xf0\xf1A')).toBe('\xcf\u10d0\u10f0\xf1A')
  })
})

it('an error number that is in no document is reported as unknown', () => {
  expect(errorMeaning(66).key).toBe('wrongPassword')
  expect(errorMeaning(127).key).toBe('error127')
})
