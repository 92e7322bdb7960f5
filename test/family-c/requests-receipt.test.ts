/** Requests of family C inside a fiscal receipt, and openings of one, with data that are refused: sheet C 4.7 to 4.9. */
import { describe, expect, it } from 'vitest'
import { factsOf } from '../../drivers/wire/command.ts'
import { withResult } from '../support/verdict-rows.ts'
import {
  ARTICLE,
  BREAD,
  CHANGE,
  DEPARTMENT,
  declared,
  FOOD,
  FRACTION,
  readRequest,
  SALE,
  SOLD,
  SUBTOTAL,
  written,
} from './layouts.ts'

const OPEN = 0x30
const OPENED = { operator: 1, password: '0000', detailed: true, vat: true }

describe('requests of family C', () => {
  it.each(
    withResult<readonly [number, string, unknown]>([
      [SALE, `${BREAD};\xc0;2.50`, SOLD],
      [SALE, `${BREAD};\xc0;-2.50`, { ...SOLD, void: true }],
      [SALE, `${BREAD};\xc0; -2.50`, { ...SOLD, void: true }],
      [SALE, `${BREAD};\xc0;+2.50`, SOLD],
      [SALE, `${BREAD};\xc0;2.50*3.000`, { ...SOLD, quantity: 3_000 }],
      [SALE, `${BREAD};\xc0;2.50*3`, { ...SOLD, quantity: 3_000, shortQuantity: true }],
      [SALE, `${BREAD};\xc0;2.50*0.000`, { ...SOLD, quantity: 0 }],
      [SALE, `${BREAD};\xc0;2.50*-1`, 'syntax'],
      [SALE, `${BREAD};\xc0;2.50,-10.00%`, { ...SOLD, percent: -1_000 }],
      [SALE, `${BREAD};\xc0;2.50:-0.50`, { ...SOLD, value: -50 }],
      [SALE, `${BREAD};\xc0;2.50,0.0:0.0`, SOLD],
      [SALE, `${BREAD};\xc0;2.50,0.0:1.00`, { ...SOLD, value: 100 }],
      [SALE, `${BREAD};\xc0;2.50,5.0:0.0`, { ...SOLD, percent: 500 }],
      [SALE, `${BREAD};\xc0;2.50,5.0:1.00`, 'syntax'],
      [SALE, `${BREAD};\xc0;2.50:1.00,-10%*2.000`, 'syntax'],
      [SALE, `${BREAD};\xc0;2.50:1.00*2.000`, { ...SOLD, quantity: 2_000, value: 100 }],
      [SALE, `${BREAD};\xc0;2.50*1*2`, 'syntax'],
      [SALE, `${BREAD};\xc0;2.50!\x81`, { ...SOLD, department: 1 }],
      [SALE, `${BREAD};\xc0;2.50!\x81*2.000`, { ...SOLD, department: 1, quantity: 2_000 }],
      [SALE, `${BREAD};\xc0;2.50!,`, 'syntax'],
      [SALE, `${BREAD};\xc0;2.50:100000000`, 'value'],
      [SALE, `${BREAD};I;2.50`, 'syntax'],
      [SALE, `${BREAD};\xc0;`, 'syntax'],
      [SALE, `${BREAD};\xc0`, 'syntax'],
      [SALE, `${BREAD};\xc0:2.50`, 'syntax'],
      [SALE, `${BREAD}:\xc0;2.50`, 'syntax'],
      [SALE, `${BREAD.replace('B', ';')};\xc0;2.50`, 'syntax'],
      [SALE, `${BREAD.slice(1)};\xc0;2.50`, 'syntax'],
      [DEPARTMENT, `${BREAD};\x81;2.50`, FOOD],
      [DEPARTMENT, `${BREAD};\x81;2.50*2.000!\xc1`, { ...FOOD, quantity: 2_000, tax: 'Б' }],
      [DEPARTMENT, `${BREAD};1;2.50`, 'syntax'],
      [DEPARTMENT, `${BREAD};\x81;2.50!I`, 'syntax'],
      // 3Dh: a quantity may be a fraction, in thousandths rounded half away from zero.
      [FRACTION, `${BREAD};\xc0;2.50*1/3`, { ...SOLD, quantity: 333, fraction: '1/3' }],
      [FRACTION, `${BREAD};\xc0;2.50*1/16`, { ...SOLD, quantity: 63, fraction: '1/16' }],
      [FRACTION, `${BREAD};\xc0;2.50*9999/1`, { ...SOLD, quantity: 9_999_000, fraction: '9999/1' }],
      [FRACTION, `${BREAD};\xc0;2.50*3.000`, { ...SOLD, quantity: 3_000 }],
      [FRACTION, `${BREAD};\xc0;2.50*1/0`, 'syntax'],
      [FRACTION, `${BREAD};\xc0;2.50*10000/1`, 'syntax'],
      [FRACTION, `${BREAD};\xc0;2.50*1/10000`, 'syntax'],
      [SALE, `${BREAD};\xc0;2.50*1/3`, 'syntax'],
      // 32h: the sign precedes the number, with or without a separator after it.
      [ARTICLE, '+00012', { plu: 12, void: false }],
      [ARTICLE, ' 12', { plu: 12, void: false }],
      [ARTICLE, '-;00012', { plu: 12, void: true }],
      [ARTICLE, '+12$1.50*2.000', { plu: 12, void: false, price: 150, quantity: 2_000 }],
      [ARTICLE, '+12,-5%', { plu: 12, void: false, percent: -500 }],
      [ARTICLE, '12', 'syntax'],
      [ARTICLE, '+', 'syntax'],
      [ARTICLE, '+123456', 'syntax'],
      [ARTICLE, '+12a', 'syntax'],
      [ARTICLE, '+a12', 'syntax'],
      [ARTICLE, '', 'syntax'],
      [SUBTOTAL, '1;0', { print: true, display: false }],
      [SUBTOTAL, '0;1;', { print: false, display: true }],
      [SUBTOTAL, '0;0:1.00', { print: false, display: false, value: 100 }],
      [SUBTOTAL, '1;1,-10%', { print: true, display: true, percent: -1_000 }],
      [SUBTOTAL, '2;0', 'syntax'],
      [SUBTOTAL, '0;2', 'syntax'],
      [SUBTOTAL, 'x1;0', 'syntax'],
      [SUBTOTAL, '1;0x', 'syntax'],
      [SUBTOTAL, '', 'syntax'],
      [CHANGE, '2;1:1.00', { type: 2, display: true, value: 100 }],
      [CHANGE, '0;0,5%', { type: 0, display: false, percent: 500 }],
      [CHANGE, '3;0:1.00', 'syntax'],
      [CHANGE, '1;0', 'syntax'],
      [CHANGE, 'x1;0:1.00', 'syntax'],
      // Openings: the number of fields selects the form.
      [OPEN, '1;0000', { operator: 1, password: '0000' }],
      [OPEN, '1;0000;1', 'syntax'],
      [OPEN, '1;0000;1;1', OPENED],
      [OPEN, '1;0000;2;1', 'syntax'],
      [OPEN, '1;0000;1;1;0', { ...OPENED, print: '0' }],
      [OPEN, '1;0000;0;0;0', { ...OPENED, detailed: false, vat: false, print: '0' }],
      [OPEN, '1;0000;1;1;\x09', { ...OPENED, print: '9' }],
      [OPEN, '1;0000;1;1;6', 'syntax'],
      [OPEN, '1;0000;1;1;00', 'syntax'],
      [OPEN, '1;0000;1;1;F', 'syntax'],
      [OPEN, '1;0000;1;1;2$ZK123456-0001-0000001', { ...OPENED, print: '2', urn: 'ZK123456-0001-0000001' }],
      [OPEN, '1;0000;1;1;2$', 'syntax'],
      [OPEN, `1;0000;1;1;2$${'1'.repeat(25)}`, 'syntax'],
      [OPEN, '1;0000000', 'syntax'],
    ]),
  )('are %s: command %i with %j', (_result, code, data, expected) => {
    expect(readRequest('c4', code, data)).toStrictEqual(expected)
  })

  it.each<readonly [number, object, string]>([
    [SALE, { ...SOLD, quantity: 3_000, percent: -1_000 }, `${BREAD};\xc0;2.50*3.000,-10.00%`],
    [SALE, { ...SOLD, void: true, quantity: 3_000, shortQuantity: true, value: 50 }, `${BREAD};\xc0;-2.50*3:0.50`],
    [SALE, { ...SOLD, name: 'Bre;ad', department: 1 }, `Bre,ad${' '.repeat(30)};\xc0;2.50!\x81`],
    [DEPARTMENT, { ...FOOD, tax: 'Б' }, `${BREAD};\x81;2.50!\xc1`],
    [FRACTION, { ...SOLD, quantity: 333, fraction: '1/3' }, `${BREAD};\xc0;2.50*1/3`],
    [ARTICLE, { plu: 12, void: true, price: 150, quantity: 2_000 }, '-00012$1.50*2.000'],
    [ARTICLE, { plu: 12, void: false }, '+00012'],
    [SUBTOTAL, { print: true, display: false, value: 100 }, '1;0:1.00'],
    [SUBTOTAL, { print: false, display: true }, '0;1'],
    [CHANGE, { type: 2, display: true, percent: -500 }, '2;1,-5.00%'],
    [OPEN, { ...OPENED, print: '2', urn: 'ZK123456-0001-0000001' }, '1;0000;1;1;2$ZK123456-0001-0000001'],
    [OPEN, { operator: 1, password: '0' }, '1;0   '],
  ])('are written by the driver: command %i with %j as %j', (code, values, data) => {
    expect(written('c4', code, values)).toBe(data)
  })

  it.each<readonly [object, string, boolean]>([
    [{ print: false, display: false }, 'nothing', false],
    [{ print: false, display: true }, 'paper', false],
    [{ print: true, display: false }, 'paper', true],
    [{ print: false, display: false, percent: 0, value: 0 }, 'nothing', false],
    [{ print: false, display: false, percent: 500 }, 'day', true],
    [{ print: false, display: false, value: 500 }, 'day', true],
  ])('declare the effect of a subtotal: %j changes %s (printed: %s)', (ask, changes, prints) => {
    expect(factsOf(declared('c4', SUBTOTAL), ask)).toMatchObject({ changes, prints })
  })
})
