/** Payments, and cash into and out of the drawer: sheet C 4.11 and 4.12. */
import { describe, expect, it } from 'vitest'
import { changeType } from '../../drivers/family-c/protocol/commands/payment.ts'
import { badValueOf } from '../../drivers/wire/bad-value.ts'
import { factsOf } from '../../drivers/wire/command.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import { withResult } from '../support/verdict-rows.ts'
import { declared, readRequest, withoutUnit, written } from './layouts.ts'

const PAYMENT = 0x35
const CASH = 0x3b
const CARD = { type: 1, change: false, amount: 250 }
const IN = { operator: 1, password: '000000', type: 0, amount: 500 }

describe('a payment of family C', () => {
  it.each<readonly [object, string]>([
    [CARD, '1;1;2.50'],
    [{ type: 0, change: true, amount: 'exact' }, '0;0;"'],
    [{ type: 0, change: true, amount: 'void' }, '0;0;-'],
    [{ type: 11, change: true, amount: 0 }, '11;0;0.00'],
    [{ ...CARD, tail: ';2' }, '1;1;2.50;2'],
    [{ ...CARD, tail: '*1' }, '1;1;2.50*1'],
    [{ ...CARD, tail: '*' }, '1;1;2.50*'],
  ])('%j is %j when written, and is read back', (values, data) => {
    expect(written('c6', PAYMENT, values)).toBe(data)
    expect(readRequest('c6', PAYMENT, data)).toStrictEqual(values)
    expect(withoutUnit(values, declared('c6', PAYMENT).request.fields)).toEqual([])
  })

  it.each(
    withResult<readonly [string, unknown]>([
      [' 1;1;2.5', CARD],
      ['01;1;+2.50', CARD],
      ['', 'syntax'],
      ['x1;1;2.50', 'syntax'],
      [' x;1;2.50', 'syntax'],
      ['111;1;2.50', 'syntax'],
      ['1;2;2.50', 'syntax'],
      ['1;1;', 'syntax'],
      ['1;1;x', 'syntax'],
      ['1;1;-2.50', 'syntax'],
      ['1;1;2.50;3', 'syntax'],
      ['1;1;2.50;1;1', 'syntax'],
      ['1;1;100000000.00', 'value'],
    ]),
  )('is %s: %j', (_result, data, expected) => {
    expect(readRequest('c6', PAYMENT, data)).toStrictEqual(expected)
  })

  it('contains the form of the change: in cash, in the means of payment, or in currency', () => {
    expect([undefined, '*', ';0', ';1', '*2'].map(changeType)).toEqual([0, 0, 0, 1, 2])
  })

  it('is accepted until the sum is paid, and can be reversed even then', () => {
    const allowed = (amount: unknown) => factsOf(declared('c6', PAYMENT), { ...CARD, amount }).allowedIn
    expect([250, 'exact', 'void'].map(allowed)).toEqual(['untilPaid', 'untilPaid', 'inFiscal'])
  })
})

describe('cash into the drawer of family C and out of it', () => {
  it.each<readonly ['c4' | 'c6', object, string]>([
    ['c6', IN, '1;000000;0;5.00'],
    ['c6', { ...IN, operator: 12, type: 10, amount: -500 }, '12;000000;10;-5.00'],
    ['c6', { ...IN, text: 'Coins of\nbrass' }, '1;000000;0;5.00;Coins of\nbrass'],
    ['c6', { ...IN, text: '' }, '1;000000;0;5.00;'],
    ['c6', { ...IN, available: '1' }, '1;000000;0;5.00$1'],
    ['c6', { ...IN, available: '' }, '1;000000;0;5.00$'],
    ['c6', { ...IN, available: '1', text: 'Coins' }, '1;000000;0;5.00$1;Coins'],
    ['c4', { ...IN, password: '0000', text: 'Coins' }, '1;0000;0;5.00@Coins'],
  ])('on %s: %j is %j when written, and is read back', (edition, values, data) => {
    expect(written(edition, CASH, values)).toBe(data)
    expect(readRequest(edition, CASH, data)).toStrictEqual(values)
    expect(withoutUnit(values, declared(edition, CASH).request.fields)).toEqual([])
  })

  it('is written with at most 34 characters of its text, and with a password padded to the width of the edition', () => {
    expect(written('c6', CASH, { ...IN, text: `${'x'.repeat(34)}y` })).toBe(`1;000000;0;5.00;${'x'.repeat(34)}`)
    expect(written('c4', CASH, { ...IN, password: '12' })).toBe('1;12  ;0;5.00')
  })

  it.each(
    withResult<readonly [string, unknown]>([
      ['01;12    ;00;+5', { ...IN, password: '12' }],
      ['1;000000;0;5.00;Coins  ', { ...IN, text: 'Coins' }],
      ['', 'syntax'],
      [';000000;0;5.00', 'syntax'],
      ['21;000000;0;5.00', 'syntax'],
      ['a;1;0000;0;5.00', 'syntax'],
      ['1;0000000;0;5.00', 'syntax'],
      ['1;;0;5.00', 'syntax'],
      ['1;000000;x;5.00', 'syntax'],
      ['1;000000;100;5.00', 'syntax'],
      ['1;000000;0;', 'syntax'],
      ['1;000000;0;5.00$12', 'syntax'],
    ]),
  )('is %s: %j', (_result, data, expected) => {
    expect(readRequest('c6', CASH, data)).toStrictEqual(expected)
  })
})

describe('the text of an error in a payment or in cash', () => {
  it.each([PAYMENT, CASH])('of command %i calls the type of the payment a mode, as the REST interface does', (code) => {
    const { fields } = declared('c6', code).request
    expect(badValueOf(new FieldError('type', 'value', 'no such mode'), fields).problem).toMatchObject({ field: 'mode' })
  })
})
