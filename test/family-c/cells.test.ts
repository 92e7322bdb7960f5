/** The data cells of family C: sheet C 1, 4 and 4.8. A refusal `syntax` is the code 30/34, and `value` 30/35. */
import { describe, expect, it } from 'vitest'
import {
  cells,
  departmentByte,
  digits,
  noData,
  pad,
  readAmount,
  readDepartment,
  readPercent,
  readQuantity,
  readTax,
  readTime,
  readWhole,
  shortQuantity,
  taxCodeOf,
  taxLetterOf,
  wholeText,
  withoutSeparator,
  writePercent,
  writeTax,
  writeTime,
} from '../../drivers/family-c/protocol/cells.ts'
import { C4, C6, CR } from '../../drivers/family-c/protocol/edition.ts'
import { codePage } from '../../drivers/wire/charset.ts'
import { orRefusal } from '../support/problems.ts'
import { withResult } from '../support/verdict-rows.ts'

const page = codePage('cp1251')

describe('a number in a cell of family C', () => {
  it.each(
    withResult<readonly [string, number | string]>([
      ['1', 1],
      [' 1 ', 1],
      ['+1', 1],
      ['0', 0],
      ['0000000001', 1],
      ['999999999', 999_999_999],
      ['1000000000', 'syntax'],
      ['-1', 'syntax'],
      ['', 'syntax'],
      ['1.0', 'syntax'],
      ['x1', 'syntax'],
      ['1x', 'syntax'],
      ['00000000001', 'syntax'],
    ]),
  )('that is whole is %s: %j', (_result, raw, expected) => {
    expect(orRefusal(() => readWhole('n', raw))).toBe(expected)
  })

  it('has limits if configured so', () => {
    const of = (raw: string) => orRefusal(() => readWhole('n', raw, { min: 1, max: 20 }))
    expect(['0', '1', '20', '21'].map(of)).toEqual(['syntax', 1, 20, 'syntax'])
  })

  it.each(
    withResult<readonly [string, number | string]>([
      ['2.50', 250],
      [' 2.5', 250],
      ['+2.5', 250],
      ['-2.5', -250],
      ['9999999.99', 999_999_999],
      ['-9999999.99', -999_999_999],
      ['10000000.00', 'value'],
      ['-10000000.00', 'value'],
      ['0000002.50', 250],
      ['00000002.50', 'value'],
      ['99999999999999999999', 'value'],
      ['2.505', 'syntax'],
      ['1e2', 'syntax'],
      ['1E2', 'syntax'],
      ['', 'syntax'],
      ['x', 'syntax'],
    ]),
  )('of money is %s: %j', (_result, raw, expected) => {
    expect(orRefusal(() => readAmount('price', raw))).toBe(expected)
  })

  it.each(
    withResult<readonly [string, number | string]>([
      ['1', 1_000],
      ['0.001', 1],
      ['0.0001', 'syntax'],
      ['999999.999', 999_999_999],
      ['1000000.000', 'value'],
    ]),
  )('of pieces is %s: %j', (_result, raw, expected) => {
    expect(orRefusal(() => readQuantity('quantity', raw))).toBe(expected)
  })

  it.each(
    withResult<readonly [string, number | string]>([
      ['10.00%', 1_000],
      ['10', 1_000],
      ['-10%', -1_000],
      [' +5.5% ', 550],
      ['999.99', 99_999],
      ['9999.99', 'value'],
      ['10%%', 'syntax'],
      ['%10', 'syntax'],
    ]),
  )('of percent is %s: %j', (_result, raw, expected) => {
    expect(orRefusal(() => readPercent('percent', raw))).toBe(expected)
  })

  it('is written as the protocol specification shows it', () => {
    expect([1_000, -550].map(writePercent)).toEqual(['10.00%', '-5.50%'])
    expect([3_000, 250, 1_500].map(shortQuantity)).toEqual(['3', '0.25', '1.5'])
    expect([digits(7, 4), digits(12_345, 4)]).toEqual(['0007', '12345'])
  })
})

describe('a department or a tax class in a cell of family C', () => {
  it.each(
    withResult<readonly [string, number | string]>([
      ['\x80', 0],
      ['\x81', 1],
      ['\xe3', 99],
      ['\xe4', 'syntax'],
      ['\x7f', 'syntax'],
      ['1', 'syntax'],
      ['', 'syntax'],
      ['\x81\x81', 'syntax'],
    ]),
  )('as a department is %s: %j', (_result, raw, expected) => {
    expect(orRefusal(() => readDepartment('department', raw))).toBe(expected)
    if (typeof expected === 'number') expect(departmentByte(expected)).toBe(raw)
  })

  it.each<readonly [string, string, number | undefined]>([
    ['\xc0', 'А', 1],
    ['\xc7', 'З', 8],
    ['A', 'A', 1],
    ['H', 'H', 8],
    ['0', '0', 1],
    ['7', '7', 8],
    ['*', '*', undefined],
    [' ', ' ', undefined],
  ])('is read as a tax class: %j', (raw, letter, code) => {
    expect(readTax('tax', raw)).toBe(letter)
    expect(writeTax(letter)).toBe(raw)
    expect(taxCodeOf(letter)).toBe(code)
  })

  it.each(['\xbf', '\xc8', 'I', '8', '', 'AA', 'xA', '\xc0\xc0', '@', '/'])('is refused as a tax class: %j', (raw) => {
    expect(orRefusal(() => readTax('tax', raw))).toBe('syntax')
  })

  it('is written with the letter of the edition', () => {
    expect([taxLetterOf(1, 'cyrillic'), taxLetterOf(8, 'cyrillic')]).toEqual(['А', 'З'])
    expect([taxLetterOf(1, 'latin'), taxLetterOf(6, 'latin')]).toEqual(['A', 'F'])
    expect([taxCodeOf(''), writeTax('')]).toEqual([undefined, ''])
  })
})

describe('a time in a cell of family C', () => {
  it.each(
    withResult<readonly [string, string]>([
      ['31-12-2025 23:59', '2025-12-31T23:59:00'],
      ['31-12-25 23:59:58', '2025-12-31T23:59:58'],
      [' 29-02-2024 00:00 ', '2024-02-29T00:00:00'],
      ['29-02-2025 00:00', 'syntax'],
      ['31-04-2025 00:00', 'syntax'],
      ['01-13-2025 00:00', 'syntax'],
      ['01-01-2025 24:00', 'syntax'],
      ['01-01-2025 23:60', 'syntax'],
      ['01-01-2025', 'syntax'],
      ['1-01-2025 00:00', 'syntax'],
      ['x01-01-2025 00:00', 'syntax'],
      ['01-01-2025 00:00x', 'syntax'],
      ['01-01-2025 00:00:0', 'syntax'],
    ]),
  )('is %s: %j', (_result, raw, expected) => {
    expect(orRefusal(() => readTime('at', raw))).toBe(expected)
  })

  it('is written to the minute', () => {
    expect(writeTime('2025-12-31T23:59:58')).toBe('31-12-2025 23:59')
  })
})

describe('the cells of family C', () => {
  interface Two {
    readonly first: string
    readonly second: string
  }
  const two = (closed: boolean) =>
    cells<Two>(C4, {
      closed,
      fields: { first: 'text', second: 'text' },
      write: ({ first, second }, w) => [w.text(first, 4), w.short(second, 3)],
      read: (r) => ({ first: r.text('first', { width: 4 }), second: r.text('second', { max: 3 }) }),
    })

  it('are padded and cut, and a separator in a text becomes a comma', () => {
    expect(two(false).write({ first: 'ab', second: 'abcd' }, page)).toBe('ab  ;abc')
    expect(two(true).write({ first: 'abcde', second: 'a;' }, page)).toBe('abcd;a,;')
    expect([pad('ab', 4), pad('abcde', 4), withoutSeparator('a;b;c')]).toEqual(['ab  ', 'abcd', 'a,b,c'])
  })

  it.each<readonly [boolean, string, object | string]>([
    [false, 'ab  ;abc', { first: 'ab', second: 'abc' }],
    [false, 'ab  ;', { first: 'ab', second: '' }],
    [false, 'ab  ;abc;', { first: 'ab', second: 'abc' }],
    [false, 'ab  ;abc;;', 'syntax'],
    [false, 'ab  ;abc;d', 'syntax'],
    [false, 'ab;abc', 'syntax'],
    [false, 'ab  ;abcd', 'syntax'],
    [false, 'ab  ', 'syntax'],
    [false, '', 'syntax'],
    [true, 'ab  ;abc;', { first: 'ab', second: 'abc' }],
    [true, 'ab  ;abc', { first: 'ab', second: 'abc' }],
    [true, 'ab  ;abc;;', { first: 'ab', second: 'abc' }],
    [true, 'ab  ;abc;d;', 'syntax'],
    [true, 'ab  ;', 'syntax'],
  ])('are read with and without a separator at the end (closed: %s): %j', (closed, raw, expected) => {
    expect(orRefusal(() => two(closed).read(raw, page))).toEqual(expected)
  })

  it('contain amounts at the right end, in the width of the edition', () => {
    const amounts = (edition: typeof C4) =>
      cells<{ readonly sum: number; readonly quantity: number }>(edition, {
        fields: { sum: 'money', quantity: 'quantity' },
        write: ({ sum, quantity }, w) => [...w.amounts([sum]), w.quantity(quantity)],
        read: (r) => ({ sum: r.amounts('sum', 1)[0] ?? 0, quantity: r.quantity('quantity') }),
      })
    expect(amounts(C4).write({ sum: 250, quantity: 1_500 }, page)).toBe('       2.50;      1.500')
    expect(amounts(C6 as typeof C4).write({ sum: 250, quantity: 1_500 }, page)).toBe('2.50;1.500')
    expect(amounts(CR as typeof C4).read('-12345678901.00;1', page)).toEqual({
      sum: -1_234_567_890_100,
      quantity: 1_000,
    })
    expect(orRefusal(() => amounts(C4).read('123456789012.00;1', page))).toBe('value')
  })

  it('may contain a letter of a list, or a bit', () => {
    const chosen = cells<{ readonly kind: string; readonly on: boolean }>(C4, {
      fields: { kind: 'text' },
      write: () => [],
      read: (r) => ({ kind: r.letter('kind', ['X', 'Z']), on: r.bit('on') }),
    })
    expect(['X;0', 'Z;1', 'Y;0', 'X;2', 'X;'].map((raw) => orRefusal(() => chosen.read(raw, page)))).toEqual([
      { kind: 'X', on: false },
      { kind: 'Z', on: true },
      'syntax',
      'syntax',
      'syntax',
    ])
  })
})

describe('the data of a command with one text, or without data', () => {
  it('have a fixed width, a maximum width, or neither', () => {
    const [exact, most, any] = [wholeText('text', { width: 4 }), wholeText('text', { max: 3 }), wholeText('text')]
    expect([exact, most, any].map((layout) => layout.write({ text: 'abcde' }, page))).toEqual(['abcd', 'abc', 'abcde'])
    expect([exact, most, any].map((layout) => layout.write({ text: 'a' }, page))).toEqual(['a   ', 'a', 'a'])
    expect(exact.read('ab  ', page)).toEqual({ text: 'ab' })
    expect(any.read('ab  ', page)).toEqual({ text: 'ab  ' })
    expect(orRefusal(() => exact.read('ab', page))).toBe('syntax')
  })

  it('must be empty if the command has no data', () => {
    expect([noData.write({}, page), noData.read('', page), orRefusal(() => noData.read(' ', page))]).toEqual([
      '',
      {},
      'syntax',
    ])
  })
})
