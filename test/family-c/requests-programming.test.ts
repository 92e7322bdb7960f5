import { describe, expect, it } from 'vitest'
import type { EditionName } from '../../drivers/family-c/protocol/edition.ts'
import { withResult } from '../support/verdict-rows.ts'
import { declared, page, readRequest, unitsOf } from './layouts.ts'

const request = (edition: EditionName, code: number, data = '') => declared(edition, code, data).request

const SERVICE = 0x40
const RATES = 0x42
const POINT = 0x43
const PAYMENT = 0x44
const DISPLAY = 0x46
const DEPARTMENT = 0x47
const CLOCK = 0x48
const HEADER = 0x49
const OPERATOR = 0x4a
const ARTICLE = 0x4b
const LOGO = 0x4c
const AUTOMATIC_Z = 0x4f
const INVOICES = 0x50
const CUSTOMER = 0x52
const SERVICE_PASSWORD = 0x56
const READ_DEPARTMENT = 0x67
const READ_OPERATOR = 0x6a
const READ_ARTICLE = 0x6b

const IN_20 = 'Bread'.padEnd(20)
const IN_34 = 'Bread'.padEnd(34)
const BREAD = { part: 'short', plu: 11, name: 'Bread', price: 130, tax: 'А', department: 0 }
const GENERAL = {
  ...{ part: 'general', plu: 77, name: 'Bread', price: 350, priceFlag: 1, tax: 'A', department: 0, single: false },
}
const EURO = { type: 4, name: 'Euro', exchangeRate: 195_583 }
const FOOD = { department: 7, name: 'Bread', tax: 'Б' }
const SHOP = ['Shop', 'Ana', 'BG123456789', '123456789', 'Street 1']
const SHOP_WIDE = [26, 16, 13, 13, 30].map((width, index) => (SHOP[index] ?? '').padEnd(width)).join(';')
const ANA = { option: 'P', number: 7, fields: SHOP }
const BITMAP = `BM${'A'.repeat(60)}`

describe('a request that programs', () => {
  it.each<readonly [EditionName, number, object, string]>([
    ['c4', SERVICE, { password: '0', fields: [] }, '0     '],
    ['c4', 0x41, { password: '123456', fields: ['ZK123456', '50123456'] }, '123456;ZK123456;50123456'],
    [
      'c4',
      RATES,
      { password: '123456', rates: [2_000, 900, 0, 9_999, null, null, null, null] },
      '123456;20.00%;9.00%;0.00%;99.99%;-1.00%;-1.00%;-1.00%;-1.00%',
    ],
    ['c4', POINT, { password: '123456', decimals: 0 }, '123456;0'],
    ['c4', PAYMENT, { type: 1, name: 'Card' }, '1;Card      '],
    ['c4', PAYMENT, { type: 1, name: 'Card', code: 7 }, '1;Card      ;7'],
    ['c4', PAYMENT, EURO, '4;Euro      ;0001.95583'],
    ['c4', PAYMENT, { ...EURO, exchangeRate: 42_000_000, code: 10 }, '4;Euro      ;0420.00000;:'],
    ['c6', PAYMENT, { type: 11, name: 'Euro' }, '11;Euro      '],
    ['c4', DISPLAY, { password: '123456', control: '1,2' }, '123456;1,2'],
    ['c4', DEPARTMENT, FOOD, `07;${IN_20};\xc1`],
    ['c6', DEPARTMENT, { ...FOOD, price: 250, priceFlag: 2 }, `07;${IN_20};\xc1;2.50;2`],
    [
      'c6',
      DEPARTMENT,
      { ...FOOD, price: 250, priceFlag: 0, name2: 'white' },
      `07;${IN_20};\xc1;2.50;0;${'white'.padEnd(14)}`,
    ],
    ['c4', CLOCK, { at: '2025-07-14T09:08:07' }, '14-07-25 09:08:07'],
    ['c4', HEADER, { line: 3, text: 'Shop' }, '3;Shop'],
    ['c4', OPERATOR, { operator: 2, name: 'Ana', password: '12' }, `02;${'Ana'.padEnd(20)};12  `],
    ['c6', OPERATOR, { operator: 20, name: 'Ana', password: '123456' }, `20;${'Ana'.padEnd(20)};123456`],
    ['c4', ARTICLE, BREAD, `00011;${IN_20};1.30;\xc0`],
    ['c4', ARTICLE, { ...BREAD, department: 5 }, `00011;${IN_20};1.30;\xc0;\x85`],
    ['c6', ARTICLE, GENERAL, `00077;#@1+$;${IN_34};3.50;1;A;\x80;0`],
    ['c6', ARTICLE, { ...GENERAL, department: 5, single: true }, `00077;#@1+$;${IN_34};3.50;1;A;\x85;1`],
    ['c6', ARTICLE, { part: 'stock', plu: 77, quantity: 5_000, flag: 2 }, '00077;#@2+$;5.000;2'],
    ['c6', ARTICLE, { part: 'barcode', plu: 77, barcode: '594123456789' }, '00077;#@3+$;594123456789 '],
    ['c6', ARTICLE, { part: 'price', plu: 77, price: 250, priceFlag: 0 }, '00077;#@4+$;2.50;0'],
    ['c6', ARTICLE, { part: 'eraseAll', password: '123456' }, '00000;#@$+$;123456'],
    ['c4', LOGO, { bitmap: BITMAP }, BITMAP],
    ['c6', AUTOMATIC_Z, { option: 'R' }, 'H;R'],
    ['c6', AUTOMATIC_Z, { option: 'W', automatic: true }, 'H;W;1'],
    ['c6', AUTOMATIC_Z, { option: 'W', automatic: false }, 'H;W;0'],
    ['c4', INVOICES, { start: 1, end: 9_999_999_999 }, '0000000001;9999999999'],
    ['c4', CUSTOMER, { option: 'R', number: 7 }, 'R;0007'],
    ['c4', CUSTOMER, { option: 'X' }, 'X'],
    ['c4', CUSTOMER, { option: 'Z' }, 'Z'],
    ['c4', CUSTOMER, ANA, `P;0007;${SHOP_WIDE}`],
    ['c4', CUSTOMER, { ...ANA, number: 1_000, idType: 9 }, `P;1000;${SHOP_WIDE};9`],
    ['c4', SERVICE_PASSWORD, { password: '123456', changed: '654321' }, '123456;654321'],
    ['c4', READ_DEPARTMENT, { department: 7 }, '07'],
    ['c6', READ_DEPARTMENT, { department: 7, all: true }, '07;"'],
    ['c4', READ_OPERATOR, { operator: 7 }, '07'],
    ['c4', READ_OPERATOR, { operator: 7, digits: 1 }, '7'],
    ['c4', READ_ARTICLE, { plu: 7 }, '00007'],
    ['c6', READ_ARTICLE, { plu: 7, option: '"' }, '00007;"'],
  ])('of %s by %i with %j is %j when written, and is read back', (edition, code, values, data) => {
    expect(request(edition, code, data).write(values, page)).toBe(data)
    expect(readRequest(edition, code, data)).toStrictEqual(values)
  })

  it.each(
    withResult<readonly [EditionName, number, string, unknown]>([
      ['c4', SERVICE, '1234567', 'syntax'],
      ['c4', SERVICE, `1;${'x'.repeat(26)}`, { password: '1', fields: ['x'.repeat(26)] }],
      ['c4', SERVICE, `1;${'x'.repeat(27)}`, 'syntax'],
      ['c4', RATES, '1;20%;9%;0%;0%;0%;0%;0%', 'syntax'],
      ['c4', RATES, '1;20%;9%;0%;0%;0%;0%;0%;100%', 'syntax'],
      ['c4', RATES, '1234567;20%;9%;0%;0%;0%;0%;0%;0%', 'syntax'],
      ['cr', RATES, '1;20;9;0;0;0;-1', { password: '1', rates: [2_000, 900, 0, 0, 0, null] }],
      ['c4', POINT, '1;1', 'syntax'],
      ['c4', POINT, '1234567;0', 'syntax'],
      // A name, then a rate, a code or both. With both, the rate has all its digits, and the separator between rate and
      // code is optional.
      ['c4', PAYMENT, '4;Euro;1.95583', EURO],
      ['c4', PAYMENT, '4;Euro;12.5', { ...EURO, exchangeRate: 1_250_000 }],
      ['c4', PAYMENT, '4;Euro;1.95', { ...EURO, exchangeRate: 195_000 }],
      ['c4', PAYMENT, '4;Euro;1.95583;7', { ...EURO, code: 7 }],
      ['c4', PAYMENT, '4;Euro;0001.955837', { ...EURO, code: 7 }],
      ['c4', PAYMENT, '4;Euro;;7', { type: 4, name: 'Euro', code: 7 }],
      ['c4', PAYMENT, '4;Euro;', { type: 4, name: 'Euro' }],
      ['c4', PAYMENT, '4;Euro;1.95:', 'syntax'],
      ['c4', PAYMENT, '4;Euro;0420.00001', 'syntax'],
      ['c4', PAYMENT, '4;Euro;x', 'syntax'],
      ['c4', PAYMENT, '4;Euro;x7', 'syntax'],
      ['c4', PAYMENT, '4;Euro;1.95583;7x', 'syntax'],
      ['c4', PAYMENT, '4;Euro;77', 'syntax'],
      ['c4', PAYMENT, '5;Euro', 'syntax'],
      ['c4', PAYMENT, '4;Elevenchars', 'syntax'],
      ['c4', DISPLAY, '123456;1;2;', { password: '123456', control: '1;2;' }],
      ['c4', DISPLAY, '1234567;1', 'syntax'],
      ['c4', DEPARTMENT, `7;${IN_20};B;`, { ...FOOD, tax: 'B' }],
      ['c4', DEPARTMENT, `7;${IN_20};B;2.50`, 'syntax'],
      ['c4', DEPARTMENT, `7;${IN_20};B;2.50;0;fifteen symbols`, 'syntax'],
      ['c4', DEPARTMENT, '7;Bread;B', 'syntax'],
      ['c4', DEPARTMENT, `100;${IN_20};B`, 'syntax'],
      ['c4', CLOCK, '14-07-25 09:08', { at: '2025-07-14T09:08:00' }],
      ['c4', CLOCK, '14-07-25', 'syntax'],
      // Maximum lengths of the greeting, a header line, and the text before the tax number.
      ['c4', HEADER, `0;${'x'.repeat(20)}`, { line: 0, text: 'x'.repeat(20) }],
      ['c4', HEADER, `0;${'x'.repeat(21)}`, 'syntax'],
      ['c4', HEADER, `1;${'x'.repeat(38)}`, { line: 1, text: 'x'.repeat(38) }],
      ['c4', HEADER, `1;${'x'.repeat(39)}`, 'syntax'],
      ['c6', HEADER, `1;${'x'.repeat(48)}`, { line: 1, text: 'x'.repeat(48) }],
      ['c6', HEADER, `1;${'x'.repeat(49)}`, 'syntax'],
      ['c6', HEADER, `9;${'x'.repeat(12)}`, { line: 9, text: 'x'.repeat(12) }],
      ['c6', HEADER, `9;${'x'.repeat(13)}`, 'syntax'],
      ['cr', HEADER, `9;${'x'.repeat(48)}`, { line: 9, text: 'x'.repeat(48) }],
      ['c4', HEADER, '10;x', 'syntax'],
      ['c4', OPERATOR, '2;Ana;1234', { operator: 2, name: 'Ana', password: '1234' }],
      ['c4', OPERATOR, '2;Ana;1234  ', { operator: 2, name: 'Ana', password: '1234' }],
      ['c4', OPERATOR, '2;Ana;1234   ', 'syntax'],
      ['c4', OPERATOR, '2;Ana;12345', 'syntax'],
      ['c4', OPERATOR, '21;Ana;1234', 'syntax'],
      ['c4', OPERATOR, '0;Ana;1234', 'syntax'],
      ['c4', OPERATOR, `2;${'x'.repeat(21)};1234`, 'syntax'],
      // The name of an article may have either width, and the marks may be digits.
      ['c4', ARTICLE, `11;${IN_34};1.30;\xc0`, BREAD],
      ['c4', ARTICLE, `11;${IN_34} ;1.30;\xc0`, 'syntax'],
      ['c4', ARTICLE, '11;Bread;1.30;\xc0', 'syntax'],
      ['c4', ARTICLE, `100000;${IN_20};1.30;\xc0`, 'syntax'],
      ['c6', ARTICLE, `77;#@1+$;${IN_34};3.50;1;A;\x80`, GENERAL],
      ['c6', ARTICLE, `77;1;${IN_34};3.50;1;A;\x80;1`, { ...GENERAL, single: true }],
      ['c6', ARTICLE, `77;1;${IN_34};3.50;3;A;\x80;1`, 'syntax'],
      ['c6', ARTICLE, '77;2;5;2', { part: 'stock', plu: 77, quantity: 5_000, flag: 2 }],
      ['c6', ARTICLE, '77;3;594123456789', { part: 'barcode', plu: 77, barcode: '594123456789' }],
      ['c6', ARTICLE, '77;3;59412345678901', 'syntax'],
      ['c6', ARTICLE, '77;4;2.50;0', { part: 'price', plu: 77, price: 250, priceFlag: 0 }],
      ['c6', ARTICLE, '0;$;123456', 'syntax'],
      ['c6', ARTICLE, '1;#@$+$;123456', 'syntax'],
      ['c6', ARTICLE, '0;#@$+$;1234567', 'syntax'],
      ['c6', ARTICLE, '', 'syntax'],
      ['c6', ARTICLE, '77', 'syntax'],
      ['c4', LOGO, BITMAP.slice(1), 'syntax'],
      ['c4', LOGO, BITMAP.slice(0, 61), 'syntax'],
      ['c4', LOGO, `X${BITMAP}`, 'syntax'],
      ['c6', AUTOMATIC_Z, 'R', 'syntax'],
      ['c6', AUTOMATIC_Z, 'H;W', 'syntax'],
      ['c6', AUTOMATIC_Z, 'H;R;1', 'syntax'],
      ['c4', INVOICES, '0;1', 'syntax'],
      ['c4', CUSTOMER, 'P;7;Shop;Ana;BG123456789;123456789;Street 1', ANA],
      ['c4', CUSTOMER, 'P;7;Shop;Ana;BG123456789;123456789;Street 1;', ANA],
      ['c4', CUSTOMER, 'P;7;Shop;Ana;BG123456789;123456789;Street 1;1', { ...ANA, idType: 1 }],
      ['c4', CUSTOMER, 'P;7;Shop;Ana;BG123456789;123456789;Street 1;10', 'syntax'],
      ['c4', CUSTOMER, `P;7;${'x'.repeat(27)};Ana;BG123456789;123456789;Street 1`, 'syntax'],
      ['c4', CUSTOMER, 'P;7;Shop;Ana', 'syntax'],
      ['c4', CUSTOMER, 'R;0', 'syntax'],
      ['c4', CUSTOMER, 'R;1001', 'syntax'],
      ['c4', CUSTOMER, 'R', 'syntax'],
      ['c4', CUSTOMER, 'X;1', 'syntax'],
      ['c4', CUSTOMER, 'D;1', 'syntax'],
      ['c4', SERVICE_PASSWORD, '123456', 'syntax'],
      ['c4', SERVICE_PASSWORD, '1234567;1', 'syntax'],
      ['c4', SERVICE_PASSWORD, '1;1234567', 'syntax'],
      ['c6', READ_DEPARTMENT, '7;x', 'syntax'],
      // The number of digits in the query selects the form of the response.
      ['c4', READ_OPERATOR, ' 7', { operator: 7, digits: 1 }],
      ['c4', READ_OPERATOR, '20', { operator: 20 }],
      ['c4', READ_OPERATOR, '0', 'syntax'],
      ['c4', READ_OPERATOR, '21', 'syntax'],
      ['c4', READ_OPERATOR, '', 'syntax'],
      ['c6', READ_ARTICLE, '7;5', 'syntax'],
    ]),
  )('is %s on %s by command %i: %j', (_result, edition, code, data, expected) => {
    expect(readRequest(edition, code, data)).toStrictEqual(expected)
  })

  it('has blanks for unknown fields of a customer', () => {
    const values = { option: 'P', number: 7, fields: ['Shop'] }
    const blanks = [16, 13, 13, 30].map((width) => ' '.repeat(width)).join(';')
    expect(request('c4', CUSTOMER).write(values, page)).toBe(`P;0007;${'Shop'.padEnd(26)};${blanks}`)
  })

  it.each<readonly [number, object]>([
    [SERVICE, { password: 'text', fields: 'text' }],
    [RATES, { password: 'text', rates: 'percent' }],
    [POINT, { password: 'text', decimals: 'number' }],
    [PAYMENT, { type: 'number', name: 'text', exchangeRate: 'number', code: 'number' }],
    [DISPLAY, { password: 'text', control: 'text' }],
    [
      DEPARTMENT,
      {
        ...{ department: 'number', name: 'text', tax: 'text as taxCode', price: 'money' },
        ...{ priceFlag: 'number', name2: 'text' },
      },
    ],
    [CLOCK, { at: 'time' }],
    [HEADER, { line: 'number', text: 'text' }],
    [OPERATOR, { operator: 'number', name: 'text', password: 'text' }],
    [
      ARTICLE,
      {
        ...{ plu: 'number', name: 'text', price: 'money', priceFlag: 'number', tax: 'text as taxCode' },
        ...{ department: 'number', single: 'choice', quantity: 'own quantity', flag: 'number' },
        ...{ barcode: 'text', password: 'text' },
      },
    ],
    [LOGO, { bitmap: 'bytes' }],
    [CUSTOMER, { number: 'number', fields: 'own text', idType: 'own number' }],
    [READ_OPERATOR, { operator: 'number', digits: 'number' }],
  ])('by command %i has the documented members: %j', (code, units) => {
    expect(unitsOf(request('c4', code).fields)).toEqual(units)
  })
})
