/** Requests of family C for reports (sheet C 4.12) and for the journal (4.15). */
import { describe, expect, it } from 'vitest'
import type { EditionName } from '../../drivers/family-c/protocol/edition.ts'
import { factsOf } from '../../drivers/wire/command.ts'
import { withResult } from '../support/verdict-rows.ts'
import { declared, readRequest, withoutUnit, written } from './layouts.ts'

const DAILY = 0x7c
const EVENTS = 0x77
const OPERATORS = 0x7d
const BLOCKS = 0x78
const DATES = 0x7a
const RANGE = { from: '0001', to: '0012' }
const DAYS = { from: '010126', to: '311226' }
const ALL = { target: '0', by: '*' }
const CUSTOM = { form: 'C', fiscal: 63, other: 31 }
/** Fields with few possible characters need no unit. */
const CHOICES: readonly string[] = ['target', 'by', 'form', 'storage']

const unitless = (code: number, data: string, values: object): readonly string[] =>
  withoutUnit(values, declared('c6', code, data).request.fields).filter((name) => !CHOICES.includes(name))

describe('a report of family C', () => {
  it.each<readonly [number, object, string]>([
    [DAILY, {}, 'X'],
    [DAILY, {}, 'Z'],
    [DAILY, {}, 'E'],
    [DAILY, ALL, 'J0;*'],
    [DAILY, { ...ALL, target: '8', by: 'D', ...DAYS }, 'J8;D;010126;311226'],
    [DAILY, { ...ALL, target: '1', by: 'N', from: '000001', to: '000012' }, 'J1;N;000001;000012'],
    [DAILY, { ...ALL, target: '4', by: 'Z', ...RANGE }, 'J4;Z;0001;0012'],
    [DAILY, { ...ALL, custom: CUSTOM }, 'j0;C;\x7f;_;*'],
    [
      DAILY,
      { ...ALL, target: '2', by: 'Z', ...RANGE, custom: { form: 'X', fiscal: 0, other: 1 } },
      'j2;X;@;A;Z;0001;0012',
    ],
    [EVENTS, { payments: true }, 'P'],
    [EVENTS, { payments: false }, ''],
    [OPERATORS, { kind: 'X', operator: 0 }, 'X;0'],
    [OPERATORS, { kind: 'Z', operator: 20 }, 'Z;20'],
    [0x7e, { kind: 'X' }, 'X'],
    [BLOCKS, RANGE, '0001;0012'],
    [BLOCKS, { ...RANGE, payments: true }, '0001;0012;P'],
    [BLOCKS, { ...RANGE, storage: '8' }, '0001;0012;8'],
    [BLOCKS, { ...RANGE, payments: true, storage: '2' }, '0001;0012;P;2'],
    [DATES, DAYS, '010126;311226'],
    [DATES, { ...DAYS, payments: true, storage: '4' }, '010126;311226;P;4'],
  ])('%i with %j is %j when written, and is read back', (code, values, data) => {
    expect(written('c6', code, values, data)).toBe(data)
    expect(readRequest('c6', code, data)).toStrictEqual(values)
    expect(unitless(code, data, values)).toEqual([])
  })

  it.each(
    withResult<readonly [number, string, unknown]>([
      [DAILY, 'X1', 'syntax'],
      [DAILY, 'Zx', 'syntax'],
      [DAILY, '', 'syntax'],
      // The journal: numbers with fewer digits, an extra separator, a small letter for the plain form.
      [DAILY, 'j0;*;', ALL],
      [DAILY, 'J0;N;1;12', { ...ALL, by: 'N', from: '000001', to: '000012' }],
      [DAILY, 'J0;Z;1;12', { ...ALL, by: 'Z', ...RANGE }],
      [DAILY, 'J0;D;10126;311226', 'syntax'],
      [DAILY, 'J0;D;010126;31126', 'syntax'],
      [DAILY, 'J0;N;1;1234567', 'syntax'],
      [DAILY, 'J0;N;1', 'syntax'],
      [DAILY, 'J0;X;1;12', 'syntax'],
      [DAILY, 'J3;*', 'syntax'],
      [DAILY, 'JJ0;*', 'syntax'],
      [DAILY, 'J0;*x', 'syntax'],
      [DAILY, 'j0;Y;A;A;*', 'syntax'],
      [DAILY, 'j0;C;A;*', 'syntax'],
      [EVENTS, 'X', 'syntax'],
      [OPERATORS, 'X;21', 'syntax'],
      [OPERATORS, 'Y;1', 'syntax'],
      // A range: block numbers with fewer digits, an extra separator.
      [BLOCKS, '1;12', RANGE],
      [BLOCKS, '0001;0012;', RANGE],
      [BLOCKS, '00001;0012', 'syntax'],
      [BLOCKS, '0001;x', 'syntax'],
      [BLOCKS, '0001', 'syntax'],
      [BLOCKS, '0001;0012;X', 'syntax'],
      [BLOCKS, '0001;0012;1', 'syntax'],
      [BLOCKS, '0001;0012;8;P', 'syntax'],
      [DATES, '10126;311226', 'syntax'],
      [DATES, '010126;3112026', 'syntax'],
    ]),
  )('is %s by command %i: %j', (_result, code, data, expected) => {
    expect(readRequest('c6', code, data)).toStrictEqual(expected)
  })

  it.each<readonly [string, string, boolean]>([
    ['0001;0012;8', 'archivedZ', true],
    ['0001;0012;8;', 'archivedZ', true],
    ['0001;0012;2', 'memoryReport', false],
    ['0001;8000', 'memoryReport', false],
    ['0001;0012', 'memoryReport', false],
  ])('of the memory %j belongs to %s (sent to the host: %s)', (data, name, streams) => {
    const command = declared('c6', BLOCKS, data)
    expect([command.name, command.streams?.(data)]).toEqual([name, streams])
  })

  it.each<readonly [number, object, string, boolean]>([
    [BLOCKS, RANGE, 'paper', true],
    [BLOCKS, { ...RANGE, storage: '2' }, 'nothing', false],
    [0x7f, { kind: 'X' }, 'paper', true],
    [0x7f, { kind: 'Z' }, 'memory', true],
    [0x76, { kind: 'X' }, 'paper', true],
    [0x76, { kind: 'Z' }, 'day', true],
    [0x7e, { kind: 'Z' }, 'day', true],
    [OPERATORS, { kind: 'X', operator: 0 }, 'paper', true],
    [OPERATORS, { kind: 'Z', operator: 0 }, 'day', true],
  ])('by command %i with %j changes %s (printed: %s)', (code, values, changes, prints) => {
    expect(factsOf(declared('c6', code), values)).toMatchObject({ changes, prints })
  })

  it.each<readonly [EditionName, string, string, boolean]>([
    ['c4', 'J0;*', 'nothing', true],
    ['c4', 'J8;*', 'nothing', true],
    ['c6', 'j0;*', 'nothing', true],
    ['c6', 'J2;*', 'nothing', false],
    ['c6', 'J1;*', 'paper', false],
  ])('on %s with the data %j changes %s (sent to the host: %s)', (edition, data, changes, streams) => {
    const command = declared(edition, DAILY, data)
    expect(factsOf(command, readRequest(edition, DAILY, data))).toMatchObject({ changes })
    expect(command.streams?.(data)).toBe(streams)
  })
})
