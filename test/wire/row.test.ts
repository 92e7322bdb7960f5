import { describe, expect, it } from 'vitest'
import { codePage } from '../../drivers/wire/charset.ts'
import { catalogue, declareCommand, question } from '../../drivers/wire/command.ts'
import {
  called,
  choice,
  FieldError,
  flag,
  int,
  money,
  optional,
  own,
  percent,
  quantity,
  raw,
  text,
} from '../../drivers/wire/field.ts'
import { nothing, ownUnit, type RowStyle, row, splitRow, tableOf } from '../../drivers/wire/row.ts'
import { orRefusal } from '../support/problems.ts'

const page = codePage('cp1251')
const TABS: RowStyle = { separator: '\t', ended: true, dropEmptyTail: false }
const COMMAS: RowStyle = { separator: ',', ended: false, dropEmptyTail: true }

const fields = [
  int('operator', { min: 1, max: 30 }),
  text('name', { min: 1, max: 6 }),
  optional(money('price')),
  optional(quantity('quantity')),
  flag('invoice', 'I'),
  optional(choice('kind', { x: 'X', z: 'Z' })),
] as const

const ended = row(TABS, fields)
const joined = row(COMMAS, fields)

const orPlace = (act: () => unknown): unknown =>
  orRefusal(act, ({ field, problem, index }) => ({ field, problem, index }))

describe('a row of fields', () => {
  it.each([
    [
      'all fields',
      { operator: 7, name: 'Кафе', price: 250, quantity: 1500, invoice: true, kind: 'x' as const },
      '7\t\xca\xe0\xf4\xe5\t2.50\t1.500\tI\tX\t',
    ],
    ['optional fields empty', { operator: 7, name: 'a', invoice: false }, '7\ta\t\t\t\t\t'],
  ])('is written and read back: %s', (_, values, raw) => {
    expect(ended.write(values, page)).toBe(raw)
    expect(ended.read(raw, page)).toEqual(values)
  })

  it('omits empty fields at the end if the wire protocol does', () => {
    expect(joined.write({ operator: 7, name: 'a', price: 5, invoice: false }, page)).toBe('7,a,0.05')
  })

  it('reads missing fields at the end as empty', () => {
    // `toStrictEqual` distinguishes missing members from members with the value `undefined`.
    expect(ended.read('7\ta\t', page)).toStrictEqual({ operator: 7, name: 'a', invoice: false })
    expect(ended.read('7\ta', page)).toStrictEqual({ operator: 7, name: 'a', invoice: false })
  })

  it.each([
    ['a letter for a number', 'x\ta\t', { field: 'operator', problem: 'syntax', index: 1 }],
    ['a number out of range', '31\ta\t', { field: 'operator', problem: 'value', index: 1 }],
    ['an operator with a plus', '+7\ta\t', { field: 'operator', problem: 'syntax', index: 1 }],
    ['an amount with an exponent', '7\ta\t1e2\t', { field: 'price', problem: 'syntax', index: 3 }],
    ['an amount with a plus', '7\ta\t+1.00\t', { field: 'price', problem: 'syntax', index: 3 }],
    ['a quantity with an exponent', '7\ta\t\t1E-1\t', { field: 'quantity', problem: 'syntax', index: 4 }],
    ['a missing field', '7\t', { field: 'name', problem: 'syntax', index: 2 }],
    ['a text too long', '7\tabcdefg\t', { field: 'name', problem: 'value', index: 2 }],
    ['an amount with three decimals', '7\ta\t1.005\t', { field: 'price', problem: 'syntax', index: 3 }],
    ['a quantity of zero', '7\ta\t\t0.000\t', { field: 'quantity', problem: 'value', index: 4 }],
    ['an unknown flag', '7\ta\t\t\tX\t', { field: 'invoice', problem: 'value', index: 5 }],
    ['an unknown choice', '7\ta\t\t\t\tQ\t', { field: 'kind', problem: 'value', index: 6 }],
    ['a field too many', '7\ta\t\t\t\t\tmore\t', { field: 'row', problem: 'syntax', index: 7 }],
  ])('refuses %s and names the field', (_, raw, problem) => {
    expect(orPlace(() => ended.read(raw, page))).toEqual(problem)
  })

  it('does not write values that it would not read', () => {
    expect(orPlace(() => ended.write({ operator: 0, name: 'a', invoice: false }, page))).toEqual({
      field: 'operator',
      problem: 'value',
      index: 1,
    })
  })

  it('accepts no data if it declares no fields', () => {
    expect(nothing.write({}, page)).toBe('')
    expect(orPlace(() => nothing.read('1', page))).toEqual({ field: 'data', problem: 'syntax', index: 1 })
  })
})

describe('a catalogue', () => {
  const command = declareCommand(nothing)
  const close = command('closeFiscal', 56, '6.5', question, {
    request: nothing,
    response: nothing,
  })

  it('finds a command by name and by code', () => {
    const commands = catalogue([close])
    expect(commands.byName.closeFiscal.code).toBe(56)
    expect(commands.find(56, '')?.name).toBe('closeFiscal')
  })

  it.each([
    ['a name', { ...close, code: 57 }, 'command closeFiscal is declared twice'],
    ['a code', { ...close, name: 'other' }, 'command code 56 is declared twice'],
  ])('refuses %s that occurs twice', (_, second, message) => {
    expect(() => catalogue([close, second])).toThrow(message)
  })
})

describe('a field', () => {
  const signed = int('change', { min: -50, max: 50, digits: 3 })
  const reads = (field: { read(raw: string, page_: typeof page): unknown }, wire: string) =>
    orMessage(() => field.read(wire, page))
  const orMessage = (act: () => unknown): unknown => orRefusal(act, ({ message }) => message)

  it.each([
    ['+7', 7],
    ['-007', -7],
    ['51', 'change: 51 is outside -50 to 50'],
    ['x7', 'change: "x7" is not a whole number'],
    ['7x', 'change: "7x" is not a whole number'],
    ['1234567890123456', 'change: "1234567890123456" is not a whole number'],
  ])('with a sign reads %j as %j', (wire, value) => {
    expect(reads(signed, wire)).toBe(value)
  })

  it('with a sign writes the sign before the leading zeros, and only whole numbers', () => {
    expect([signed.write(-7, page), signed.write(7, page)]).toEqual(['-007', '007'])
    expect(orMessage(() => signed.write(1.5, page))).toBe('change: 1.5 is not a whole number')
  })

  it.each([
    ['text', text('line', { min: 2, max: 3, pattern: /^a/ }), 'a', 'line: 1 character; expected 2 to 3'],
    ['text', text('line', { min: 2, max: 3, pattern: /^a/ }), 'ba', 'line: "ba" has the wrong form'],
    ['text', text('line', { min: 2, max: 3, pattern: /^a/ }), 'ab', 'ab'],
    ['bytes', raw('data', { min: 2, max: 3 }), 'a', 'data: 1 byte; expected 2 to 3'],
    ['bytes', raw('data', { min: 2, max: 3 }), 'abcd', 'data: 4 bytes; expected 2 to 3'],
    ['bytes', raw('data', { max: 3 }), '', ''],
    ['a percentage', percent('discount', { min: -9999, max: 9999 }), '-12.50', -1250],
    ['a choice', choice('kind', { x: 'X', z: 'Z' }), 'Q', 'kind: "Q" is not one of X Z'],
    ['a flag of two letters', flag('print', '1', '0'), '0', false],
    ['a flag of two letters', flag('print', '1', '0'), '', 'print: "" is not "1" or "0"'],
  ] as const)('of %s (%#) reads allowed values and reports others', (_unit, field, wire, value) => {
    expect(reads(field, wire)).toBe(value)
  })

  it('of a choice writes the letter of its value, and rejects other values', () => {
    const kind = choice('kind', { x: 'X', z: 'Z' })
    expect(kind.write('z', page)).toBe('Z')
    expect(orMessage(() => kind.write('q' as 'x', page))).toBe('kind: q is not one of x,z')
  })

  it('must be in its row unless the field is optional', () => {
    const pair = row(TABS, [text('name', { max: 6 }), int('operator', { min: 1, max: 30 })] as const)
    expect(orPlace(() => pair.read('a\t', page))).toEqual({ field: 'operator', problem: 'syntax', index: 2 })
    expect(orPlace(() => pair.write({ name: 'a' } as never, page))).toEqual({
      field: 'operator',
      problem: 'syntax',
      index: 2,
    })
    const spare = row(TABS, [text('name', { max: 6 }), optional(int('operator', { min: 1, max: 30 }))] as const)
    expect(spare.read('a\t', page)).toEqual({ name: 'a' })
    expect(spare.write({ name: 'a' }, page)).toBe('a\t\t')
  })

  it('is listed with its unit, its name in the drivers, and whether it is specific to a device', () => {
    const operator = int('operator', { min: 1, max: 30 })
    expect(tableOf([operator, called('cashier', operator), own(money('price'))])).toStrictEqual({
      operator: { unit: 'number', model: 'cashier' },
      price: { unit: 'money', own: true },
    })
    expect(tableOf([operator, quantity('amount')])).toEqual({ operator: 'number', amount: 'quantity' })
  })

  it('of a hand-written layout is listed as specific to a device like a field of a row', () => {
    expect(tableOf([own(money('sum'))])).toStrictEqual({ sum: ownUnit('money') })
  })
})

describe('a row', () => {
  it('is split at its separators, without the empty piece after the last separator', () => {
    expect([splitRow('', TABS), splitRow('', COMMAS)]).toEqual([[], []])
    expect(splitRow('a\tb\t', TABS)).toEqual(['a', 'b'])
    expect(splitRow('a,b,', COMMAS)).toEqual(['a', 'b', ''])
  })

  it('of empty optional fields is empty if the wire protocol omits them', () => {
    expect(row(COMMAS, [optional(money('a')), optional(money('b'))] as const).write({}, page)).toBe('')
    expect(row(TABS, [] as const).write({}, page)).toBe('')
    expect(row(COMMAS, [] as const).read('', page)).toEqual({})
  })

  it('that fails for another reason than a field passes the error on', () => {
    const broken = {
      ...money('price'),
      read: () => {
        throw new RangeError('elsewhere')
      },
    }
    expect(() => row(TABS, [broken] as const).read('1.00\t', page)).toThrow(RangeError)
  })

  it('keeps the position that the error of a field already has', () => {
    const field = {
      ...money('price'),
      read: () => {
        throw new FieldError('price', 'value', 'no', 9)
      },
    }
    expect(orPlace(() => row(TABS, [field] as const).read('1.00\t', page))).toMatchObject({ index: 9 })
  })
})
