import { describe, expect, it } from 'vitest'
import { codePage } from '../../drivers/wire/charset.ts'
import { choice, int, money, percent, quantity, raw, text } from '../../drivers/wire/field.ts'
import { type RowStyle, row } from '../../drivers/wire/row.ts'
import { orRefusal } from '../support/problems.ts'

const page = codePage('cp1251')
const TABS: RowStyle = { separator: '\t', ended: true, dropEmptyTail: false }

const orMessage = (act: () => unknown): unknown => orRefusal(act, ({ message }) => message)

// Fields are created in the test bodies, because mutants of their creation are detected only there.

describe('a field without limits of its own', () => {
  it.each([
    ['an amount', () => money('x'), '0.00', 0, '9999999.99', 999_999_999],
    ['a quantity', () => quantity('x'), '0.001', 1, '999999.999', 999_999_999],
    ['a percentage', () => percent('x'), '0.01', 1, '99.99', 9_999],
  ])('as %s accepts the whole range of a wire protocol', (_what, make, least, min, most, max) => {
    const field = make()
    expect([field.read(least, page), field.write(min, page)]).toEqual([min, least])
    expect([field.read(most, page), field.write(max, page)]).toEqual([max, most])
  })

  it.each([
    ['an amount', '-0.01', () => money('x'), -1, '0.00 to 9999999.99'],
    ['an amount', '10000000.00', () => money('x'), 1_000_000_000, '0.00 to 9999999.99'],
    ['a quantity', '0.000', () => quantity('x'), 0, '0.001 to 999999.999'],
    ['a quantity', '1000000.000', () => quantity('x'), 1_000_000_000, '0.001 to 999999.999'],
    ['a percentage', '0.00', () => percent('x'), 0, '0.01 to 99.99'],
    ['a percentage', '100.00', () => percent('x'), 10_000, '0.01 to 99.99'],
  ])('as %s refuses %s', (_what, wire, make, value, limits) => {
    const refused = `x: ${wire} is outside ${limits}`
    expect(orMessage(() => make().read(wire, page))).toBe(refused)
    expect(orMessage(() => make().write(value, page))).toBe(refused)
  })
})

describe('a required field', () => {
  it.each([
    ['an amount', () => money('x')],
    ['a whole number', () => int('x', { min: 0, max: 9 })],
    ['text', () => text('x', { max: 3 })],
    ['bytes', () => raw('x', { max: 3 })],
    ['a choice', () => choice('x', { none: '', some: 'S' })],
  ] as const)('is reported as missing if it is %s', (_what, make) => {
    const pair = row(TABS, [text('name', { max: 6 }), make()])
    expect(orMessage(() => pair.read('a\t', page))).toBe('x: is missing')
    expect(orMessage(() => pair.write({ name: 'a' } as never, page))).toBe('x: is missing')
  })
})

describe('a field of the kind choice', () => {
  it('is read by its letters as they are written', () => {
    const kind = choice('kind', { x: 'X', z: 'Z' })
    expect([kind.read('X', page), kind.read('Z', page)]).toEqual(['x', 'z'])
    expect([kind.write('x', page), kind.write('z', page)]).toEqual(['X', 'Z'])
  })
})

describe('a field of bytes', () => {
  it('is written and read without a code page, within its limits', () => {
    const status = raw('status', { min: 1, max: 3 })
    expect([status.write('\x80ÿ', page), status.read('\x80ÿ', page)]).toEqual(['\x80ÿ', '\x80ÿ'])
    expect(orMessage(() => status.read('', page))).toBe('status: 0 bytes; expected 1 to 3')
    expect(orMessage(() => status.read('1234', page))).toBe('status: 4 bytes; expected 1 to 3')
  })
})
