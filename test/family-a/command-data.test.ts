import { describe, expect, it } from 'vitest'
import { readCoded } from '../../drivers/family-a/protocol/answer.ts'
import { withQuantity } from '../../drivers/family-a/protocol/commands/articles.ts'
import { EDITION } from '../../drivers/family-a/protocol/edition.ts'
import { fieldErrorKey } from '../../drivers/family-a/protocol/errors.ts'
import { catalogueOf, type EditionName } from '../../drivers/family-a/protocol/index.ts'
import { codePage } from '../../drivers/wire/charset.ts'
import { type AnyCommand, factsOf } from '../../drivers/wire/command.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import { orRefusal } from '../support/problems.ts'
import { withResult, withWords } from '../support/verdict-rows.ts'

const page = codePage('cp1251')
const commandOf = (edition: EditionName, code: number): AnyCommand => {
  const found = catalogueOf(edition).find(code, '')
  if (!found) throw new Error(`no command ${code}`)
  return found
}
const place = ({ problem, index }: FieldError): string => `${problem} ${index}`
const readRequest = (edition: EditionName, code: number, data: string): unknown =>
  orRefusal(() => commandOf(edition, code).request.read(data, page), place)
const answered = (edition: EditionName, code: number, data: string): unknown =>
  commandOf(edition, code).response.read(data, page)
const written = (edition: EditionName, code: number, values: object): unknown =>
  orRefusal(() => commandOf(edition, code).request.write(values, page), place)
const article = (group: string): string => `P\t40\t${group}\t0\t1\t0\t1.00\t\t0.000\t\t\t\t\tNew\t0\t`
const PROGRAMMED = {
  ...{ option: 'P', item: 40, taxCode: 1, department: 0, group: 1, priceType: 'fixed', price: 100, addQuantity: false },
  ...{ quantity: 0, barcodes: ['', '', '', ''], name: 'New', unit: 0 },
}

describe('requests of family A', () => {
  it.each(
    withResult<readonly [EditionName, number, string, unknown]>([
      ['bg', 107, 'D\tA', { option: 'D', first: 'all' }],
      ['bg', 107, 'D\tA\t', { option: 'D', first: 'all' }],
      ['bg', 107, 'D\tA\t\t', { option: 'D', first: 'all' }],
      ['bg', 107, 'D\t5\t', { option: 'D', first: 5 }],
      ['bg', 107, 'D\t5\t\t', { option: 'D', first: 5 }],
      ['bg', 107, 'D\t5\t9\t', { option: 'D', first: 5, last: 9 }],
      ['bg', 107, 'D\t5\t5\t', { option: 'D', first: 5, last: 5 }],
      ['bg', 107, 'D\t5\t4\t', 'value 3'],
      ['bg', 107, 'D\t1\t1000000\t', 'value 3'],
      ['bg', 107, 'D\tAx\t', 'syntax 2'],
      ['bg', 107, 'D\t1A\t', 'syntax 2'],
      ['bg', 107, 'A\t5\t0.000\t', { option: 'A', item: 5, quantity: 0 }],
      ['bg', 107, 'A\t5\t999999.999\t', { option: 'A', item: 5, quantity: 999_999_999 }],
      ['bg', 107, 'A\t5\t1000000.000\t', 'value 3'],
      ['bg', 107, 'A\t5\t-0.001\t', 'value 3'],
      ['bg', 107, 'R\t1\t2\t3\t', 'syntax 0'],
      ['bg', 107, 'P\t40\t', 'syntax 0'],
      ['bg', 107, 'Z\t', 'value 1'],
      ['bg', 107, '\t', 'syntax 1'],
      ['bg', 107, '', 'syntax 0'],
      // Tax groups are letters, Latin or Cyrillic.
      ['bg', 107, article('A'), { ...PROGRAMMED }],
      ['bg', 107, article('H'), { ...PROGRAMMED, taxCode: 8 }],
      ['bg', 107, article('\xc0'), { ...PROGRAMMED }],
      ['bg', 107, article('\xc7'), { ...PROGRAMMED, taxCode: 8 }],
      ['bg', 107, article('I'), 'value 3'],
      ['bg', 107, article('\xc8'), 'value 3'],
      ['bg', 107, article('0'), 'value 3'],
      ['bg', 107, article('AA'), 'value 3'],
      ['bg', 107, article('xA'), 'value 3'],
      ['bg', 107, article(''), 'syntax 3'],
      ['ro', 107, article('G'), { ...PROGRAMMED, taxCode: 7 }],
      ['ro', 107, article('\xc6'), { ...PROGRAMMED, taxCode: 7 }],
      ['ro', 107, article('H'), 'value 3'],
      ['ro', 107, article('\xc7'), 'value 3'],
      ['bg', 140, 'D\tA', { option: 'D', first: 'all' }],
      ['bg', 140, 'D\tA\t', { option: 'D', first: 'all' }],
      ['bg', 140, 'D\tA\t\t', { option: 'D', first: 'all' }],
      ['bg', 140, 'D\t5\t', { option: 'D', first: 5 }],
      ['bg', 140, 'D\t5\t9\t', { option: 'D', first: 5, last: 9 }],
      ['bg', 140, 'D\t5\t1001\t', 'value 3'],
      ['bg', 140, 'D\tAx\t', 'syntax 2'],
      ['bg', 140, 'D\t1A\t', 'syntax 2'],
      // A picture is transferred as pieces of base64 between START and STOP.
      ['bg', 202, 'START\t', { word: 'START' }],
      ['bg', 202, 'STOP\t', { word: 'STOP' }],
      ['bg', 202, 'STOPP\t', { word: 'STOPP' }],
      ['bg', 202, 'RESTART\t', { word: 'RESTART' }],
      ['bg', 202, 'POWEROFF\t', { word: 'POWEROFF' }],
      ['bg', 202, 'XSTART\t', { piece: 'XSTART' }],
      ['bg', 202, 'STARTX\t', { piece: 'STARTX' }],
      ['bg', 202, 'QQ==\t', { piece: 'QQ==' }],
      ['bg', 202, `${'A'.repeat(72)}\t`, { piece: 'A'.repeat(72) }],
      ['bg', 202, `${'A'.repeat(73)}\t`, 'value 1'],
      ['bg', 202, 'QQ===\t', 'value 1'],
      ['bg', 202, '-QQ\t', 'value 1'],
      ['bg', 202, 'QQ-\t', 'value 1'],
      ['bg', 202, '\t', 'syntax 0'],
      ['bg', 202, 'A\tB\t', 'syntax 0'],
      // Rates: all of them, or one to five in edition ro.
      ['ro', 83, '20.00\t', { rates: [2_000] }],
      ['ro', 83, '20.00\t9.00\t', { rates: [2_000, 900] }],
      ['ro', 83, '20.00\t\t5.00\t0.00\t100.02\t', { rates: [2_000, undefined, 500, 0, null] }],
      ['ro', 83, '20.00\t100.01\t', 'value 2'],
      ['ro', 83, '1.00\t1.00\t1.00\t1.00\t1.00\t1.00\t', 'syntax 0'],
      ['ro', 83, '', 'syntax 1'],
      // The TAB selects the form of the response to 90.
      ['bg', 90, '', { form: 'commas', checksum: false }],
      ['bg', 90, '1', { form: 'commas', checksum: true }],
      ['bg', 90, '\t', { form: 'tabs', checksum: false }],
      ['bg', 90, '1\t', { form: 'tabs', checksum: true }],
      ['bg', 90, '2', 'value 1'],
      ['bg', 90, '11', 'value 1'],
      ['bg', 90, 'x1', 'value 1'],
      ['bg', 90, '1\t\t', 'value 1'],
      // Text that is not a number is a syntax error, and a number out of range is a wrong value.
      ['bg', 92, '1\t', { style: 'dashes' }],
      ['bg', 92, '9\t', 'value 1'],
      ['bg', 92, '-1\t', 'value 1'],
      ['bg', 92, '1x\t', 'syntax 1'],
      ['bg', 92, 'x1\t', 'syntax 1'],
      ['bg', 92, '\t', 'syntax 1'],
      ['bg', 38, '2\t', 'value 1'],
      ['bg', 38, '12\t', 'value 1'],
      ['bg', 38, '-1\t', 'value 1'],
      ['bg', 38, 'x1\t', 'syntax 1'],
      ['bg', 38, '1x\t', 'syntax 1'],
      // Styles of a line may be empty or missing. Control characters in the line follow 10h.
      ['bg', 42, 'Test\t', { text: 'Test' }],
      ['bg', 42, 'Test\t\t1\t', { text: 'Test', bold: null, italic: true }],
      ['bg', 42, 'a\x10Jb\t', { text: 'a\nb' }],
      ['bg', 42, `${'\x10J'.repeat(62)}\t`, { text: '\n'.repeat(62) }],
      ['bg', 42, `${'x'.repeat(63)}\t`, 'value 1'],
      ['bg', 122, `${'x'.repeat(128)}\t`, { text: 'x'.repeat(128) }],
      ['bg', 122, `${'x'.repeat(129)}\t`, 'value 1'],
      ['bg', 94, '0\t31-02-26\t', 'value 2'],
      ['bg', 94, '0\t28-02-26\t', { detail: 'short', from: '2026-02-28' }],
    ]),
  )('are %s: %s %i %j', (_result, edition, code, data, expected) => {
    expect(readRequest(edition, code, data)).toStrictEqual(expected)
  })

  const opening = { form: 'client', operator: 1, password: '0000', pointOfSale: 1, invoice: true, taxNumber: 'RO123' }
  it.each([
    ['1\t0000\t1\tI\tRO123\t', opening],
    ['1\t0000\t1\tI\tRO123\tOTP\t', { ...opening, airport: 'OTP' }],
  ])('are accepted with and without an airport: ro 48 %j', (data, expected) => {
    expect(readRequest('ro', 48, data)).toStrictEqual(expected)
  })

  it.each(
    withWords(
      ([, result]) => (result === 'sold' ? 'are accepted' : `are refused (${result})`),
      [
        ['1\t99.99', 'sold'],
        ['1\t100.00', 'value 6'],
        ['2\t99.99', 'sold'],
        ['2\t100.00', 'value 6'],
        ['3\t100.00', 'sold'],
        ['4\t100.00', 'sold'],
        ['0\t1.00', 'value 6'],
        ['0\t0.00', 'sold'],
        ['4\t0.00', 'value 6'],
      ],
    ),
  )('%s in command 49: discount or surcharge %j', (_result, change, expected) => {
    const said = readRequest('bg', 49, `Item\t1\t1.00\t\t${change}\t\t`)
    expect(typeof said === 'string' ? said : 'sold').toBe(expected)
  })
})

describe('a driver of family A', () => {
  it.each<readonly [EditionName, number, object, string]>([
    ['bg', 107, { option: 'D', first: 'all' }, 'D\tA\t'],
    ['bg', 107, { option: 'D', first: 5 }, 'D\t5\t'],
    ['bg', 107, { option: 'D', first: 5, last: 9 }, 'D\t5\t9\t'],
    ['bg', 140, { option: 'D', first: 'all' }, 'D\tA\t'],
    ['bg', 140, { option: 'D', first: 5, last: 9 }, 'D\t5\t9\t'],
    ['bg', 202, { word: 'POWEROFF' }, 'POWEROFF\t'],
    ['bg', 202, { piece: 'QUJD' }, 'QUJD\t'],
    ['bg', 42, { text: 'a\nb', bold: null, italic: true }, 'a\x10Jb\t\t1\t'],
    ['bg', 107, { ...PROGRAMMED, taxCode: 8 }, article('H')],
    ['ro', 83, { rates: [2_000, undefined, null] }, '20.00\t\t100.02\t\t\t'],
  ])('writes %s %i %j', (edition, code, values, data) => {
    expect(commandOf(edition, code).request.write(values, page)).toBe(data)
  })

  it.each<readonly [string, EditionName, number, object, string]>([
    ['an item without its number', 'bg', 107, { option: 'A', quantity: 0 }, 'syntax 1'],
    ['a name after four bar codes', 'bg', 107, { ...PROGRAMMED, name: '' }, 'value 13'],
    ['the third bar code', 'bg', 107, { ...PROGRAMMED, barcodes: ['', '', 'x', ''] }, 'value 11'],
    ['three bar codes', 'bg', 107, { ...PROGRAMMED, barcodes: ['', '', ''] }, 'syntax 9'],
    ['no tax group', 'bg', 107, { ...PROGRAMMED, taxCode: 0 }, 'value 2'],
    ['a ninth tax group', 'bg', 107, { ...PROGRAMMED, taxCode: 9 }, 'value 2'],
    ['an eighth one in the edition ro', 'ro', 107, { ...PROGRAMMED, taxCode: 8 }, 'value 2'],
    ['another option', 'bg', 107, { option: 'Z' }, 'value 1'],
    ['a rule over two fields', 'bg', 58, { plu: 1, modifier: 'discountPercent', modifierValue: 10_001 }, 'value 5'],
  ])('refuses to write an item: %s', (_what, edition, code, values, problem) => {
    expect(written(edition, code, values)).toBe(problem)
  })

  it('refuses to write an answer in an unknown form', () => {
    expect(() => commandOf('bg', 74).response.write({ form: 'other' }, page)).toThrow(FieldError)
  })

  const diagnostics = {
    ...{ model: 'M', firmware: '1', date: '2', time: '3', checksum: 'AAAA', switches: '0' },
    ...{ serialNumber: 'DT000001', fiscalMemoryNumber: '02000001' },
  }
  it.each<readonly [EditionName, number, string, object]>([
    ['bg', 74, '\x80\x80\x80\x80\x86\x9a\x80\x80\t', { form: 'bytes', status: '\x80\x80\x80\x80\x86\x9a\x80\x80' }],
    ['bg', 74, '\x80\x80\x80\x80\x86\x9a\x80\t', { form: 'qr' }],
    ['bg', 74, '\x80\x80\x80\x80\x86\x9a\x80\x80\x80\t', { form: 'qr' }],
    ['bg', 74, 'A\x80\x80\x80\x80\x86\x9a\x80\x80\t', { form: 'qr' }],
    ['bg', 74, 'QR\t', { form: 'qr', qr: 'QR' }],
    ['bg', 90, 'M,1 2 3,AAAA,0,DT000001,02000001', { form: 'commas', ...diagnostics }],
    ['bg', 90, 'M\t1\t2\t3\tAAAA\t0\tDT000001\t02000001\t', { form: 'tabs', ...diagnostics }],
    ['bg', 202, '', { form: 'none' }],
    ['bg', 202, 'ABCD\t', { form: 'checksum', checksum: 'ABCD' }],
    ['bg', 94, '', { form: 'printed' }],
    ['ro', 94, 'A line\t', { form: 'text', text: 'A line' }],
    [
      'bg',
      50,
      '0\t20.00\t100.00\t100.01\t9.00\t0.00\t0.00\t0.00\t0.00\t01-01-26\t',
      {
        fromClosure: 0,
        rates: [2_000, null, null, 900, 0, 0, 0, 0],
      },
    ],
    [
      'bg',
      110,
      '1.00\t2.00\t0.00\t0.00\t0.00\t0.00\t-3.00\t',
      { form: 'payments', amounts: [100, 200, 0, 0, 0, 0, -300] },
    ],
    [
      'ro',
      110,
      '1.00\t0.00\t0.00\t0.00\t0.00\t0.00\t0.00\t2.00\t',
      { form: 'payments', amounts: [100, 0, 0, 0, 0, 0, 0, 200] },
    ],
    ['ro', 110, '1\t1.00\t0\t0.00\t0\t0.00\t0\t0.00\t', { form: 'pairs', firstCount: 1, firstSum: 100 }],
    ['bg', 110, '1\t1.00\t', { form: 'sales', clients: 1, total: 100 }],
    ['bg', 110, '1\t1.00\t2\t2.00\t', { form: 'pair', secondCount: 2, secondSum: 200 }],
  ])('reads the answer of %s %i %j', (edition, code, data, expected) => {
    expect(answered(edition, code, data)).toMatchObject(expected)
  })

  it.each<readonly [EditionName, number, string]>([
    ['bg', 90, 'M,1 2 3,AAAA,0'],
    ['bg', 110, '1\t1.00\t2\t'],
    ['bg', 110, '1.00\t2.00\t0.00\t0.00\t0.00\t0.00\t0.00\t0.00\t'],
    ['ro', 50, '0\t20.00\t100.01\t0.00\t0.00\t0.00\t0.00\t0.00\t01-01-26 10:00:00\t'],
  ])('refuses to read the answer of %s %i %j', (edition, code, data) => {
    expect(() => answered(edition, code, data)).toThrow(FieldError)
  })

  it.each([
    ['0', { code: 0, rest: '' }],
    ['0\t', { code: 0, rest: '' }],
    ['0\t1\t', { code: 0, rest: '1\t' }],
    ['-111024\t', { code: -111_024, rest: '' }],
    ['', undefined],
    ['x\t', undefined],
    ['0x\t', undefined],
    ['1234567890\t', undefined],
  ])('finds the code at the beginning of an answer: %j', (data, expected) => {
    expect(readCoded(data)).toEqual(expected)
  })
})

describe('the data of a command decide:', () => {
  it.each([
    ['P', 'programArticle'],
    ['A', 'programArticle'],
    ['D', 'programArticle'],
    ['R', 'readArticle'],
    ['I', 'readArticle'],
  ])('command 107 with the option %s runs as %s', (option, runsAs) => {
    expect(factsOf(commandOf('bg', 107), { option }).runsAs).toBe(runsAs)
  })

  it.each([
    ['short', true],
    ['detailed', true],
    ['begin', false],
    ['next', false],
  ])('a report of the fiscal memory (%s) is printed: %s', (detail, prints) => {
    expect(factsOf(commandOf('ro', 95), { detail }).prints).toBe(prints)
  })

  it('an empty quantity of an item is written as 0.000, and other commands are unchanged', () => {
    const item = 'P\t40\tA\t0\t1\t0\t1.00\t'
    expect(withQuantity(`${item}\t\t`, EDITION.bg)).toBe(`${item}\t0.000\t`)
    expect(withQuantity(`${item}\t2.000\t`, EDITION.bg)).toBe(`${item}\t2.000\t`)
    expect(withQuantity('R\t1\t2\t3\t4\t5\t6\t7\t\t', EDITION.bg)).toBe('R\t1\t2\t3\t4\t5\t6\t7\t\t')
  })

  it.each<readonly [EditionName, string, string, number, string | undefined]>([
    ['bg', 'saleByPlu', '7\t1.000\t', 1, 'plu'],
    ['bg', 'payment', '0\t1.00\t', 2, 'amount'],
    ['bg', 'openFiscal', '1\t0000\t1\tI\t', 3, 'pointOfSale'],
    ['bg', 'openFiscal', '1\t0000\tDT000600-0001-0001000\t1\tI\t', 3, 'saleNumber'],
    ['ro', 'openFiscal', '1\t0000\t1\tI\t12345678\t', 5, 'taxNumber'],
    ['bg', 'articles', article('99'), 1, 'option'],
    ['bg', 'articles', article('99'), 5, 'group'],
    ['bg', 'payment', '0\t1.00\t', 16, undefined],
  ])('%s: field of %s with %j and the number %i: %s', (edition, name, data, number, field) => {
    const byName: Readonly<Record<string, AnyCommand>> = catalogueOf(edition).byName
    expect(byName[name]?.request.nameOfField?.(data, number)).toBe(field)
  })

  it.each([
    ['syntax', 1, 'syntaxField1'],
    ['value', 1, 'valueField1'],
    ['syntax', 16, 'syntaxField16'],
    ['value', 16, 'valueField16'],
    ['syntax', 0, 'invalidSyntax'],
    ['value', 0, 'regSyntax'],
    ['syntax', 17, 'invalidSyntax'],
    ['value', 17, 'regSyntax'],
  ] as const)('the error of a field contains the number of the field up to 16: %s %i', (problem, index, key) => {
    expect(fieldErrorKey(problem, index)).toBe(key)
  })
})
