/** Responses of family C about a device and its settings, and responses that cannot be read: sheet C 3 and 4.1. */
import { describe, expect, it } from 'vitest'
import type { EditionName } from '../../drivers/family-c/protocol/edition.ts'
import { orRefusal } from '../support/problems.ts'
import { withResult } from '../support/verdict-rows.ts'
import { declared, page, unitsOf } from './layouts.ts'
import { talk } from './talk.ts'

const answer = (edition: EditionName, code: number) => declared(edition, code).response
const answered = (edition: EditionName, code: number, data: string) =>
  orRefusal(() => answer(edition, code).read(data, page))

const IN_TEN = ['In cash   ', 'Card      ', 'Check     ', 'Voucher   ', 'Currency  '].join(';')
const NAMES = ['In cash', 'Card', 'Check', 'Voucher', 'Currency']
const TWELVE = Array.from({ length: 12 }, (_, index) => `P${index}`)
const TWELVE_IN_TEN = TWELVE.map((name) => name.padEnd(10)).join(';')
const NONE = {
  ...{ logo: false, drawer: false, cutter: false, display: false, articleReport: false },
  ...{ currency: false, ejFont: false, oneOperator: false },
}
const RATES = [2_000, 900, 0, 9_999, null, null, null, null]
const CUSTOMER =
  'Shop                      ;Ana             ;BG123456789  ;123456789    ;Street 1                      '
const SHOP = ['Shop', 'Ana', 'BG123456789', '123456789', 'Street 1']
const REGISTRATION = { taxId: 'BG123456789', idType: 2, number: '1234567', at: '2025-07-14T09:00:00' }
const VERSION = {
  ...{ type: 2, certificate: '123-07', certifiedAt: '2025-07-14T09:00:00' },
  ...{ model: 'FP-1000', firmware: '1.00' },
}

describe('an answer about the device', () => {
  it.each<readonly [EditionName, number, object, string]>([
    ['c4', 0x20, { flags: new Set(['fiscalOpen']) }, '\x80\x80\x82\x80\x80\x80\x80'],
    ['c4', 0x20, { flags: new Set() }, '\x80\x80\x80\x80\x80\x80\x80'],
    ['c4', 0x21, VERSION, '2;123-07;14-07-2025 09:00;FP-1000;1.00;'],
    ['c4', 0x60, { serial: 'ZK123456', memory: '50123456' }, 'ZK123456;50123456'],
    ['c4', 0x61, REGISTRATION, 'BG123456789  ;2;1234567;14-07-2025 09:00;'],
    ['c6', 0x61, REGISTRATION, 'BG123456789  ;2;1234567;14-07-2025 09:00;'],
    ['cr', 0x61, { taxId: 'RO12345', idType: 1, number: '50123456', at: '' }, 'RO12345        ;50123456  ;1;'],
    ['c4', 0x62, { rates: RATES }, '20.00%;09.00%;00.00%;99.99%;-1.00%;-1.00%;-1.00%;-1.00%;'],
    ['cr', 0x62, { rates: RATES.slice(0, 6) }, '20.00%;09.00%;00.00%;99.99%;-1.00%;-1.00%;'],
    ['c4', 0x63, { decimals: 2 }, '2'],
    ['c4', 0x63, { decimals: 0 }, '0'],
    ['c4', 0x64, { names: NAMES, exchangeRate: 195_583 }, `${IN_TEN};0001.95583`],
    [
      'c4',
      0x64,
      { names: NAMES, exchangeRate: 42_000_000, codes: [null, 7, 1, 10, null] },
      `${IN_TEN};0420.00000;\xff;7;1;:;\xff`,
    ],
    ['c6', 0x64, { names: TWELVE, exchangeRate: 195_583 }, `${TWELVE_IN_TEN};0001.95583`],
    ['c4', 0x65, { pos: 7, ...NONE }, '0007;0;0;0;0;0;0;0;0;0'],
    [
      'c4',
      0x65,
      { pos: 7, ...NONE, logo: true, cutter: true, articleReport: true, ejFont: true },
      '0007;1;0;1;0;1;0;1;0;0',
    ],
    ['c4', 0x65, { pos: 7, ...NONE, drawer: true, display: true, currency: true }, '0007;0;1;0;1;0;1;0;0;0'],
    ['c4', 0x65, { pos: 9_999, ...NONE, oneOperator: true }, '9999;0;0;0;0;0;0;0;0;1'],
    ['cr', 0x65, { pos: 7, ...NONE, usbHost: false }, '0007;0;0;0;0;0;0'],
    ['cr', 0x65, { pos: 7, ...NONE, logo: true, cutter: true, currency: true, usbHost: false }, '0007;1;0;1;0;1;0'],
    ['cr', 0x65, { pos: 7, ...NONE, drawer: true, display: true, usbHost: true }, '0007;0;1;0;1;0;1'],
    ['c4', 0x66, { display: true, flags: new Set(['paperEnd']), jumper: false }, 'Y;\x80\x80\x88\x80; '],
    ['c4', 0x66, { display: false, flags: new Set(['feeding']), jumper: true }, 'N;\xc0\x80\x80\x80;J'],
    ['c4', 0x68, { at: '2025-07-14T09:00:00' }, '14-07-2025 09:00'],
    ['c4', 0x69, { line: 3, text: 'Shop' }, '3;Shop'],
    ['c4', 0x6a, { operator: 1, digits: 1, name: 'Ana', password: '0000' }, '1;Ana                 ;0000'],
    ['c4', 0x6a, { operator: 1, name: 'Ana', password: '12' }, '01;Ana                 ;12  '],
    ['c6', 0x6a, { operator: 12, name: 'Ana', password: '123456' }, '12;Ana                 ;123456'],
    ['c6', 0x4f, { automatic: true }, 'H;R;1'],
    ['c6', 0x4f, { automatic: false }, 'H;R;0'],
    ['c4', 0x70, { next: 7, last: 9_999_999_999 }, '0000000007;9999999999'],
    ['c4', 0x70, { next: 0, last: 0 }, '0000000000;0000000000'],
    ['c4', 0x52, { number: 7, fields: SHOP }, `0007;${CUSTOMER}`],
    ['c6', 0x52, { number: 1_000, fields: SHOP, idType: 2 }, `1000;${CUSTOMER};2`],
    ['c4', 0x74, { left: 1_354 }, '1354;'],
    ['c6', 0x74, { left: 7 }, '0007'],
  ])('of %s to %i with %j is %j when written, and is read back', (edition, code, values, data) => {
    expect(answer(edition, code).write(values, page)).toBe(data)
    expect(answered(edition, code, data)).toStrictEqual(values)
  })

  it.each(
    withResult<readonly [EditionName, number, string, unknown]>([
      ['c4', 0x20, '\x80\x80\x82\x80\x80', { flags: new Set(['fiscalOpen']) }],
      ['c4', 0x20, '\x80\x80\x82\x80\x80\x80', { flags: new Set(['fiscalOpen']) }],
      ['c4', 0x20, '\x80\x80\x82\x80', 'syntax'],
      ['c4', 0x20, '\x80\x80\x82\x80\x80\x80\x80\x80', 'syntax'],
      // Rates may have blanks, and the last separator may be missing. A rate of 100 % or more means a disabled class.
      [
        'c4',
        0x62,
        ' 20.00%;  9.00%; 0.00%;100.00%;99.99%; -1.00%;-0.01%;0%',
        { rates: [2_000, 900, 0, null, 9_999, null, null, 0] },
      ],
      ['c4', 0x62, '20.00%;9.00%;', 'syntax'],
      ['c4', 0x63, '1', 'syntax'],
      // An exchange rate may have fewer digits.
      ['c4', 0x64, `${IN_TEN};1.95583`, { names: NAMES, exchangeRate: 195_583 }],
      ['c4', 0x64, `${IN_TEN};  1.95 `, { names: NAMES, exchangeRate: 195_000 }],
      ['c4', 0x64, `${IN_TEN};1.`, { names: NAMES, exchangeRate: 100_000 }],
      ['c4', 0x64, `${IN_TEN};1`, { names: NAMES, exchangeRate: 100_000 }],
      ['c4', 0x64, `${IN_TEN};x1.95583`, 'syntax'],
      ['c4', 0x64, `${IN_TEN};1.95583x`, 'syntax'],
      ['c4', 0x64, `${IN_TEN};1.955831`, 'syntax'],
      ['c4', 0x64, `${IN_TEN};12345.00000`, 'syntax'],
      ['c4', 0x64, `${IN_TEN};.95583`, 'syntax'],
      ['c4', 0x64, `${IN_TEN};`, 'syntax'],
      ['c4', 0x64, `${IN_TEN.replace('Card ', 'A card')};1.95583`, 'syntax'],
      ['c4', 0x64, `${IN_TEN};1.95583;\xff;7`, 'syntax'],
      // Only c4 has codes of payment types.
      ['c6', 0x64, `${TWELVE_IN_TEN};1.95583;${Array(12).fill('7').join(';')}`, 'syntax'],
      ['c4', 0x65, '7;0;0;0;0;1;0;1', { pos: 7, ...NONE, articleReport: true, ejFont: true }],
      ['c4', 0x65, '7;0;0;0;0;0;1;0;1', { pos: 7, ...NONE, currency: true }],
      ['c4', 0x65, '7;0;0;0;0;0', 'syntax'],
      ['c4', 0x65, '7;0;0;0;0;0;0;0;0;0;0', 'syntax'],
      ['c4', 0x65, '10000;0;0;0;0;0;0;0;0;0', 'syntax'],
      ['c4', 0x65, '7;0;2;0;0;0;0;0;0;0', 'syntax'],
      ['c4', 0x66, 'J;\x80\x80\x88\x80; ', 'syntax'],
      ['c4', 0x68, '14-07-2025', 'syntax'],
      ['c4', 0x70, '7', 'syntax'],
      ['c4', 0x52, `7;${CUSTOMER};x`, 'syntax'],
      ['c4', 0x52, '7;Shop;Ana', 'syntax'],
    ]),
  )('is %s on %s from command %i: %j', (_result, edition, code, data, expected) => {
    expect(answered(edition, code, data)).toStrictEqual(expected)
  })

  it('has the codes of payments in c4 only', () => {
    const values = { names: TWELVE, exchangeRate: 195_583, codes: [7] }
    expect(answer('c6', 0x64).write(values, page)).toBe(`${TWELVE_IN_TEN};0001.95583`)
  })

  it.each<readonly [number, object]>([
    [0x20, { flags: 'own choice' }],
    [0x61, { taxId: 'own text', idType: 'own number', number: 'own text', at: 'own time' }],
    [0x62, { rates: 'percent' }],
    [0x63, { decimals: 'number' }],
    [0x64, { names: 'text', exchangeRate: 'own number', codes: 'number' }],
    [0x65, { pos: 'number' }],
    [0x6a, { operator: 'number', digits: 'number', name: 'own text', password: 'own text' }],
    [0x70, { next: 'own number', last: 'own number' }],
    [0x52, { number: 'number', fields: 'own text', idType: 'own number' }],
    [0x74, { left: 'own number' }],
  ])('to command %i has the documented members: %j', (code, units) => {
    expect(unitsOf(answer('c4', code).fields)).toEqual(units)
  })
})

describe('24 hours after the first sale', () => {
  it.each([
    ['c4', [0x00, 0x40]],
    ['c6', [0x00, 0x40]],
    ['cr', [0x04, 0x00]],
  ])('the status of %s contains the bit of its edition for the block', (profile, bits) => {
    const device = talk({ profile })
    const password = profile === 'c6' ? '000000' : '0000'
    const tax = profile === 'cr' ? 'A' : '\xc0'
    const name = profile === 'cr' ? `${'Bread'.padEnd(30)}\x60kg   ` : 'Bread'.padEnd(36)
    device.prepare([0x30, `1;${password};0;0;0`], [0x31, `${name};${tax};2.50`], [0x36, ''])
    device.clock.advance(24 * 3_600_000)
    const status = device.say(0x20)
    expect([status.charCodeAt(1) & 0x04, status.charCodeAt(4) & 0x40]).toEqual(bits)
  })
})
