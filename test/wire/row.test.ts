import { describe, expect, it } from 'vitest'
import { codePage } from '../../drivers/wire/charset.ts'
import { catalogue, declaring, question } from '../../drivers/wire/command.ts'
import { choice, FieldError, flag, int, money, optional, quantity, text } from '../../drivers/wire/field.ts'
import { nothing, type RowStyle, row } from '../../drivers/wire/row.ts'

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

function problemOf(act: () => unknown): Pick<FieldError, 'field' | 'problem' | 'index'> {
  try {
    act()
  } catch (error) {
    if (error instanceof FieldError) return { field: error.field, problem: error.problem, index: error.index }
    throw error
  }
  throw new Error('nothing was refused')
}

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

  it('leaves an empty tail out where the wire does', () => {
    expect(joined.write({ operator: 7, name: 'a', price: 5, invoice: false }, page)).toBe('7,a,0.05')
  })

  it('reads missing fields at the end as empty', () => {
    expect(ended.read('7\ta\t', page)).toEqual({ operator: 7, name: 'a', invoice: false })
    expect(ended.read('7\ta', page)).toEqual({ operator: 7, name: 'a', invoice: false })
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
  ])('refuses %s and says which field', (_, raw, problem) => {
    expect(problemOf(() => ended.read(raw, page))).toEqual(problem)
  })

  it('does not write what it would not read', () => {
    expect(problemOf(() => ended.write({ operator: 0, name: 'a', invoice: false }, page))).toEqual({
      field: 'operator',
      problem: 'value',
      index: 1,
    })
  })

  it('takes no data where none is declared', () => {
    expect(nothing.write({}, page)).toBe('')
    expect(problemOf(() => nothing.read('1', page))).toEqual({ field: 'data', problem: 'syntax', index: 1 })
  })
})

describe('a catalogue', () => {
  const command = declaring(nothing)
  const close = command({
    name: 'closeFiscal',
    code: 56,
    source: '6.5',
    ...question,
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
  ])('refuses %s that stands twice', (_, second, message) => {
    expect(() => catalogue([close, second])).toThrow(message)
  })
})
