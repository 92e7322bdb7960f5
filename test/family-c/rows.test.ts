/** Rows of cells of family C: one declaration of each field reads and writes it (sheet C 1 and 4). */
import { describe, expect, it } from 'vitest'
import { C4, C6 } from '../../drivers/family-c/protocol/edition.ts'
import {
  amount, amounts, bit, department, letter, number, ownField, quantity, row, short, tax, text, time, timeIfAny,
} from '../../drivers/family-c/protocol/rows.ts' // biome-ignore format: one list
import { codePage } from '../../drivers/wire/charset.ts'
import { orRefusal } from '../support/problems.ts'

const page = codePage('cp1251')

const everything = () =>
  row(C4, [
    text('name', 5),
    short('note', 5),
    number('plu', { digits: 5, min: 1, max: 500 }),
    amount('sum'),
    amounts('payments', 2),
    quantity('stock'),
    time('at'),
    timeIfAny('last'),
    letter('kind', ['X', 'Z']),
    bit('open'),
    tax,
    department,
  ])
const VALUES = {
  ...{ name: 'Ana', note: 'Bob', plu: 12, sum: -250, payments: [100, 0], stock: 1_500, at: '2025-12-31T23:59:00' },
  ...{ last: '2026-01-01T00:00:00', kind: 'X' as const, open: true, tax: 'А', department: 7 },
}
const CELLS = [
  'Ana  ',
  'Bob',
  '00012',
  '      -2.50',
  '       1.00',
  '       0.00',
  '      1.500',
  '31-12-2025 23:59',
  '01-01-2026 00:00',
  'X',
  '1',
  '\xc0',
  '\x87',
]

describe('a row of cells', () => {
  it('is written and read with one cell for each field, and one for each payment', () => {
    expect(everything().write(VALUES, page)).toBe(CELLS.join(';'))
    expect(everything().read(CELLS.join(';'), page)).toStrictEqual(VALUES)
  })

  it('declares the units of its fields, and the values that only a device sends', () => {
    const own = (unit: string) => ({ unit, own: true })
    expect(everything().fields).toStrictEqual({
      ...{
        name: 'text',
        note: 'text',
        plu: 'number',
        sum: own('money'),
        payments: own('money'),
        stock: own('quantity'),
      },
      ...{ at: own('time'), last: own('time'), kind: 'choice', open: 'choice' },
      ...{ tax: { unit: 'text', model: 'taxCode' }, department: 'number' },
    })
    expect(row(C4, [ownField(number('count')), ownField(tax)], { tail: [amount('rest')] }).fields).toStrictEqual({
      ...{ count: own('number'), tax: { unit: 'text', model: 'taxCode', own: true }, rest: own('money') },
    })
  })

  it('has zeros for registers without an entry', () => {
    const { last: _, ...before } = VALUES
    const cells = CELLS.with(8, '00-00-0000 00:00').join(';')
    expect(everything().write(before, page)).toBe(cells)
    expect(everything().read(cells, page)).toStrictEqual(before)
  })

  it.each<readonly [number, string]>([
    [2, '0'],
    [2, '501'],
    [2, 'x'],
    [3, 'x'],
    [5, ''],
    [6, '0.0001'],
    [7, '00-00-0000 00:00'],
    [8, 'x'],
    [9, 'Y'],
    [10, '2'],
    [11, 'I'],
    [12, '7'],
  ])('refuses cell %i with %j', (at, cell) => {
    expect(orRefusal(() => everything().read(CELLS.with(at, cell).join(';'), page))).toBe('syntax')
  })

  it('cuts a text at its width, and reads only the given widths', () => {
    const names = () => row(C6, [text('name', 5, { width: 5 }), short('note', 3)])
    expect(names().write({ name: 'Anastasia', note: 'Boris' }, page)).toBe('Anast;Bor')
    expect(names().read('Ana  ;Boris', page)).toStrictEqual({ name: 'Ana', note: 'Boris' })
    expect(orRefusal(() => names().read('Ana;Bob', page))).toBe('syntax')
  })

  it('may have further fields at its end: either all or none', () => {
    const rest = () => row(C6, [number('a')], { tail: [number('b'), number('c')] })
    expect(rest().write({ a: 1 }, page)).toBe('1')
    expect(rest().write({ a: 1, b: 2, c: 3 }, page)).toBe('1;2;3')
    const read = ['1', '1;', '1;2;3', '1;2', '1;2;3;4'].map((raw) => orRefusal(() => rest().read(raw, page)))
    expect(read).toStrictEqual([{ a: 1 }, { a: 1 }, { a: 1, b: 2, c: 3 }, 'syntax', 'syntax'])
    const one = () => row(C6, [number('a')], { tail: [number('b')] })
    expect(['1;', '1;2'].map((raw) => one().read(raw, page))).toStrictEqual([{ a: 1 }, { a: 1, b: 2 }])
  })

  it('has a separator after its last field only if configured so', () => {
    const closed = (is: boolean) => row(C6, [number('a')], { closed: is })
    expect([closed(true).write({ a: 1 }, page), closed(false).write({ a: 1 }, page)]).toEqual(['1;', '1'])
    expect(row(C6, [number('a')]).write({ a: 1 }, page)).toBe('1')
    expect(row(C6, [number('a')], { tail: [number('b')] }).write({ a: 1, b: 2 }, page)).toBe('1;2')
  })
})
