import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LegacyTax } from '../../server/legacy/job.ts'
import { parseJob } from '../../server/legacy/parse.ts'
import { CATALOGUE } from '../../server/legacy/problem.ts'
import { withWords } from '../support/verdict-rows.ts'
import { CASES, type Case } from './cases.ts'
import { shapeOf } from './shape.ts'

const H = ',1,______,_,__;'
/** Errors that only the device can determine are covered by the tests over HTTP (http.test.ts). */
const DEVICE_CODES = ['402', '403']

const taxCodeBy =
  (table: Readonly<Record<string, number>> = {}) =>
  (tax: LegacyTax): number =>
    'code' in tax ? tax.code : (table[String(tax.percent / 100)] ?? 0)

const byCode = ({ expect: expected }: Case): string => (expected.ok ? '' : expected.error.code)
const problemOf = (lines: readonly unknown[]): string => {
  const parsed = parseJob(lines)
  if (parsed.ok) return 'accepted'
  return parsed.problem.line === undefined ? parsed.problem.code : `${parsed.problem.code}@${parsed.problem.line}`
}

describe('the examples of the legacy formats', () => {
  it('are complete', () => expect(CASES.length).toBe(77))

  it.each(CASES.filter(({ expect: { ok } }) => ok).map((one) => [one.name, one] as const))(
    '%s becomes its job',
    (_name, one) => {
      const parsed = parseJob(one.lines)
      expect(parsed.ok && parsed.format).toBe(one.format)
      expect(parsed.ok && shapeOf(parsed.job, taxCodeBy(one.context?.vatTable))).toEqual(one.expect)
    },
  )

  it.each(CASES.filter((one) => !one.expect.ok && !DEVICE_CODES.includes(byCode(one))))(
    '$name is refused with its code and line',
    ({ lines, expect: expected }) => {
      const parsed = parseJob(lines)
      expect(parsed.ok).toBe(false)
      if (parsed.ok || expected.ok) return
      const { code, line } = parsed.problem
      expect({ code, name: CATALOGUE[code], ...(line !== undefined && { line }) }).toEqual(expected.error)
    },
  )
})

/** An outcome is `accepted`, or the number of the error with the number of the line. */
function outcomeWords(row: readonly unknown[]): string {
  const [code, line] = String(row.at(-1)).split('@')
  if (line === undefined && code === 'accepted') return code
  return `refused with error ${code}${line === undefined ? '' : ` in line ${line}`}`
}

describe('a line of format 1', () => {
  const PAID = ['S^Paine^350^1000^buc^2^1', 'P^1^350']
  it.each(
    withWords<[string, readonly string[], string]>(outcomeWords, [
      ['a bare command without its caret', ['S^a^1^1000^^1^1', 'ST', 'P^1^0'], '201@2'],
      ['a control character', ['S^a\tb^1^1000^^1^1', 'P^1^0'], '201@1'],
      ['a comment line', ['S^a^1^1000^^1^1', '# note^', 'P^1^0'], '202@2'],
      ['a blank before the command', [' S^a^1^1000^^1^1', 'P^1^0'], '202@1'],
      ['an empty price', ['S^a^^1000^^1^1', 'P^1^0'], '203@1'],
      ['an empty name before an empty price', ['S^^^1000^^1^1', 'P^1^0'], '210@1'],
      ['a name of 73 characters', [`S^${'n'.repeat(73)}^1^1000^^1^1`, 'P^1^0'], '210@1'],
      ['a name of 72 emoji', [`S^${'😀'.repeat(72)}^1^1000^^1^1`, 'P^1^0'], 'accepted'],
      ['a name of 73 emoji', [`S^${'😀'.repeat(73)}^1^1000^^1^1`, 'P^1^0'], '210@1'],
      ['a text of 200 emoji', [`TL^${'😀'.repeat(200)}`], 'accepted'],
      ['a text of 201 emoji', [`TL^${'😀'.repeat(201)}`], '221@1'],
      ['the largest price', ['S^a^999999999^1000^^1^1', 'P^1^0'], 'accepted'],
      ['a price above it', ['S^a^1000000000^1000^^1^1', 'P^1^0'], '211@1'],
      ['a decimal comma in a price', ['S^a^3,50^1000^^1^1', 'P^1^0'], '211@1'],
      ['a broken floating point price', ['S^a^434.99999999999994^1000^^1^1', 'P^1^0'], '211@1'],
      ['the smallest quantity', ['S^a^100^10^^1^1', 'P^1^0'], 'accepted'],
      ['a quantity below it', ['S^a^100^9^^1^1', 'P^1^0'], '212@1'],
      ['the largest quantity', ['S^a^1^999999999^^1^1', 'P^1^0'], 'accepted'],
      ['a quantity above it', ['S^a^1^1000000000^^1^1', 'P^1^0'], '212@1'],
      ['a unit of seven characters', ['S^a^1^1000^1234567^1^1', 'P^1^0'], '215@1'],
      ['VAT group 8', ['S^a^1^1000^^8^1', 'P^1^0'], 'accepted'],
      ['VAT group 0', ['S^a^1^1000^^0^1', 'P^1^0'], '213@1'],
      ['department 99', ['S^a^1^1000^^1^99', 'P^1^0'], 'accepted'],
      ['department 100', ['S^a^1^1000^^1^100', 'P^1^0'], '214@1'],
      ['a percentage of 0', [PAID[0] as string, 'DP^0', 'P^1^0'], '217@2'],
      [
        'a percentage of 100 on one of two sales',
        [PAID[0] as string, PAID[0] as string, 'DP^10000', 'P^1^0'],
        'accepted',
      ],
      ['a percentage above 100', [PAID[0] as string, 'DP^10001', 'P^1^0'], '217@2'],
      ['a value with a point', [PAID[0] as string, 'DV^1.00', 'P^1^0'], '216@2'],
      ['payment type 0', [PAID[0] as string, 'P^0^350'], '218@2'],
      ['payment type 10', [PAID[0] as string, 'P^10^350'], '218@2'],
      ['a payment without amount', [PAID[0] as string, 'P^1^'], '203@2'],
      ['a payment with a decimal amount', [PAID[0] as string, 'P^1^3.50'], '216@2'],
      ['a third field of a payment', [PAID[0] as string, 'P^1^350^x'], '204@2'],
      ['a tax number of blanks', ['CF^  ', ...PAID], '203@1'],
      ['an amount of blanks', [PAID[0] as string, 'P^1^ '], '203@2'],
      ['a name of blanks', ['S^  ^350^1000^buc^2^1', 'P^1^0'], '210@1'],
      ['a unit of blanks', ['S^a^350^1000^  ^2^1', 'P^1^0'], 'accepted'],
      ['blanks after the last field', ['S^a^350^1000^buc^2^1^ ^', 'P^1^350^  '], 'accepted'],
      ['a text of blanks', ['TL^   '], 'accepted'],
      ['carets at the end', ['S^a^350^1000^buc^2^1^^^', 'P^1^350^^'], 'accepted'],
      ['an empty tax number', ['CF^', ...PAID], '203@1'],
      ['a tax number of one digit', ['CF^RO1', ...PAID], '219@1'],
      ['a tax number of letters', ['CF^ABC', ...PAID], '219@1'],
      ['a wrong check digit', ['CB^5941234567890^2', ...PAID], '220@1'],
      ['a barcode of type 5', ['CB^123^5', ...PAID], '220@1'],
      ['a text of 200 characters', [`TL^${'x'.repeat(200)}`], 'accepted'],
      ['a text of 201 characters', [`TL^${'x'.repeat(201)}`], '221@1'],
      ['cash in of nothing', ['I^0'], '216@1'],
      ['a drawer command with a field', ['DS^1'], '204@1'],
      ['a cancel with a file name', ['VB^bon.txt^storno', ...PAID], '204@1'],
      ['a display command of one line', ['MD^one'], '203@1'],
    ]),
  )('is %s: %s', (_result, _, lines, outcome) => expect(problemOf(lines)).toBe(outcome))
})

describe('a job of format 1', () => {
  const S = 'S^Paine^350^1000^buc^2^1'
  it.each(
    withWords<[string, readonly string[], string]>(outcomeWords, [
      ['a lone subtotal', ['ST^'], '301@1'],
      ['a payment alone', ['P^1^100'], '301@1'],
      ['a tax number alone', ['CF^12345'], '301@1'],
      ['a return of voids only', ['VS^Paine^350^1000^buc^2^1', 'P^1^0'], '305@1'],
      ['an adjustment after a void', [S, S, 'VS^Paine^350^1000^buc^2^1', 'DP^100', 'P^1^0'], '302@4'],
      ['an adjustment after a text', [S, 'TL^x', 'DP^100', 'P^1^0'], '302@3'],
      ['a text between two adjustments', [S, 'DP^100', 'TL^x', 'DP^100', 'P^1^0'], '302@4'],
      ['more voided than sold', [S, 'VS^Paine^350^2000^buc^2^1', 'P^1^0'], '305@2'],
      ['an adjusted sale voided in part', ['S^a^100^2000^^1^1', 'DP^100', S, 'VS^a^100^1000^^1^1', 'P^1^0'], '305@4'],
      [
        'an adjusted sale voided whole',
        ['S^a^100^2000^^1^1', 'DP^100', S, 'VS^a^100^2000^^1^1', 'P^1^350'],
        'accepted',
      ],
      ['a subtotal discount above the total', [S, 'ST^', 'DV^351', 'P^1^0'], '304@3'],
      ['a second tax number', ['CF^12345', 'CF^12345', S, 'P^1^0'], '306@2'],
      ['a sale after part of the payment', [S, 'P^2^100', S, 'P^1^0'], '307@3'],
      ['a sale after the whole payment', [S, 'P^1^350', S, 'P^1^350'], '308@3'],
      ['a second receipt with a tax number', ['CF^12345', S, 'P^1^350', 'CF^12345', S, 'P^1^350'], '313@4'],
      ['a service command first', ['X^', S, 'P^1^0'], '312@2'],
      ['two reports', ['X^', 'Z^'], 'accepted'],
      ['a sale voided whole', [S, 'VS^Paine^350^1000^buc^2^1', 'P^1^0'], '314@3'],
      ['cash above the rest after a card', [S, 'P^2^300', 'P^1^100'], 'accepted'],
      ['a card above the rest after cash', [S, 'P^1^300', 'P^2^100'], '311@3'],
    ]),
  )('is %s: %s', (_result, _, lines, outcome) => expect(problemOf(lines)).toBe(outcome))
})

describe('a line of format 2', () => {
  const sale = (fields: string) => [`S${H}${fields}`, `T${H}`]
  it.each(
    withWords<[string, readonly string[], string]>(outcomeWords, [
      ['a header without its semicolon', ['T,1,______,_,__'], '201@1'],
      ['a logical number that is not a number', ['T,x,______,_,__;'], '201@1'],
      ['an echoed header', ['S,1,112233,1,0;a;1;1;1;;1', 'T,1,112233,1,0;'], 'accepted'],
      ['a kitchen line of one till', ['42,text^1^0^0'], '201@1'],
      ['another numeric command', [`42${H}text`], '401@1'],
      ['a letter known elsewhere', [`R${H}1`], '401@1'],
      ['a letter known nowhere', [`W${H}1`], '202@1'],
      ['too few fields', sale('a;1;1;1;'), '203@1'],
      ['an empty price', sale('a;;1;1;;1'), '203@1'],
      ['a price of blanks', sale('a;  ;1;1;;1'), '203@1'],
      ['an article group of blanks', sale('a;1;1;1; ;1'), 'accepted'],
      ['blanks after the last field', sale('a;1;1;1;;1;  ; ;'), 'accepted'],
      ['too few fields and blanks', sale('a;1;1;1;  ; '), '203@1'],
      ['a price with a plus sign', sale('a;+1;1;1;;1'), '211@1'],
      ['a price above the limit', sale('a;10000000;1;1;;1'), '211@1'],
      ['a thousands separator', sale('a;1 000;1;1;;1'), '211@1'],
      ['a quantity of four decimals', sale('a;1;1.0000;1;;1'), '212@1'],
      ['a quantity too small', sale('a;1;0.009;1;;1'), '212@1'],
      ['two minus signs', sale('a;-1;-1;1;;1'), '212@1'],
      ['department 100', sale('a;1;1;100;;1'), '214@1'],
      ['an article group of letters', sale('a;1;1;1;x;1'), '201@1'],
      ['a VAT group 9', sale('a;1;1;1;;9'), '213@1'],
      ['a VAT letter', sale('a;1;1;1;;A'), '213@1'],
      ['an invoice flag 2', sale('a;1;1;1;;1;2'), '223@1'],
      ['a PLU number of letters', sale('a;1;1;1;;1;0;x'), '201@1'],
      ['a discount in the place of the unit', sale('a;1;1;1;;1;0;0;10'), '215@1'],
      ['a zero in the place of the unit', sale('a;1;1;1;;1;0;0;0'), 'accepted'],
      ['zeros after the unit', sale('a;1;1;1;;1;0;0;buc;0;;0;'), 'accepted'],
      ['a lower case command', [`s${H}a;1;1;1;;1`, `t${H}`], 'accepted'],
      ['operator 31', [`48${H}31;1;1`, ...sale('a;1;1;1;;1')], '222@1'],
      ['till 0', [`48${H}1;1;0`, ...sale('a;1;1;1;;1')], '222@1'],
      ['an empty password', [`48${H}1;;1`, ...sale('a;1;1;1;;1')], '203@1'],
      ['an invoice flag 2 in 48', [`48${H}1;1;1;2`, ...sale('a;1;1;1;;1')], '222@1'],
      ['a percentage above 100', [`S${H}a;1;1;1;;1`, `C${H}1;100.01`, `T${H}`], '217@2'],
      ['a discount with three decimals', [`S${H}a;1;1;1;;1`, `C${H}3;0.005`, `T${H}`], '216@2'],
      ['a payment mode of two digits', [`S${H}a;1;1;1;;1`, `T${H}10;1`], '218@2'],
      ['a subtotal with an amount', [`S${H}a;1;1;1;;1`, `T${H}4;1`], '204@2'],
      ['a negative payment', [`S${H}a;1;1;1;;1`, `T${H}0;-1`], '216@2'],
      ['zero as amount', [`S${H}a;1;1;1;;1`, `T${H}0;0`], 'accepted'],
      ['six texts', [`P${H}1;2;3;4;5;6`], '204@1'],
      ['a barcode of type 6', [`A${H}6;123`], '220@1'],
      ['interleaved digits', [`S${H}a;1;1;1;;1`, `A${H}5;123456;;`, `T${H}`], 'accepted'],
      ['a report of kind 9', [`Z${H}9`], '223@1'],
      ['a report without kind', [`Z${H}`], 'accepted'],
      ['cash of kind 2', [`I${H}2;1.00`], '223@1'],
      ['a clock on the display', [`L${H}6;;`], '401@1'],
      ['a display command 7', [`L${H}7;;`], '223@1'],
      ['both lines of the display', [`L${H}5;0;one and two`], 'accepted'],
    ]),
  )('is %s: %s', (_result, _, lines, outcome) => expect(problemOf(lines)).toBe(outcome))
})

describe('a job of format 2', () => {
  const S = `S${H}Ceai;6.50;1.000;1;1;2;0;0;buc`
  const T = `T${H}`
  it.each(
    withWords<[string, readonly string[], string]>(outcomeWords, [
      ['48 after a text', [`P${H}x`, `48${H}1;1;1`, S, T], '306@2'],
      ['48 after a tax number', [`K${H}12345`, `48${H}1;1;1`, S, T], 'accepted'],
      ['H twice', [`H${H}`, `H${H}`, S, T], '306@2'],
      ['H after a sale', [S, `H${H}`, T], '306@2'],
      ['a tax number without a sale', [`K${H}12345`], '301@1'],
      ['a payment first', [T], '301@1'],
      ['a void by its price', [S, S, `S${H}Ceai;-6.50;1.000;1;1;2`, T], 'accepted'],
      ['a void first', [`S${H}Ceai;-6.50;1.000;1;1;2`, T], '305@1'],
      ['cancelled after part of the payment', [S, `T${H}0;1.00`, `X${H}`], '307@3'],
      ['a foot before the payment', [S, `F${H}`, T], '306@2'],
      ['a foot and no payment', [S, `F${H}`], '309@2'],
      ['a foot after part of the payment', [S, `T${H}0;1.00`, `F${H}`], '310@3'],
      ['a foot after part of the payment, and the rest', [S, `T${H}0;1.00`, `F${H}`, T], '306@3'],
      ['a foot before the cancel', [S, `F${H}`, `X${H}`], '306@2'],
      ['a copy after a cancelled receipt', [S, `X${H}`, `D${H}`], '308@3'],
      ['a drawer after a cancelled receipt', [S, `X${H}`, `O${H}`], '308@3'],
      ['a foot after a cancelled receipt', [S, `X${H}`, `F${H}`], '308@3'],
      ['a sale after a cancelled receipt', [S, `X${H}`, S], '308@3'],
      ['a report after a cancelled receipt', [S, `X${H}`, `Z${H}0`], '312@3'],
      ['a foot after the drawer', [S, T, `O${H}`, `F${H}`], '308@4'],
      ['a report after the receipt', [S, T, `Z${H}1`], '312@3'],
      ['a drawer inside the receipt', [S, `O${H}`, T], '312@2'],
      ['cash among the lines of a till', [`I${H}0;10`, `P${H}x`, T], '312@2'],
      ['a drawer alone', [`O${H}`], 'accepted'],
      ['a lone cancel', [`X${H}`], 'accepted'],
      ['a second receipt', [S, T, `48${H}1;1;1`, S, T], '313@3'],
      ['a non-fiscal document that stays open', [`Y${H}`, `P${H}x`], '309@2'],
      ['a payment in a non-fiscal document', [`Y${H}`, `T${H}1;5`], '301@2'],
      ['a rest of 0 in a non-fiscal document', [`Y${H}`, `T${H}0`], 'accepted'],
      ['an amount of 0 in a non-fiscal document', [`Y${H}`, `T${H}0;0`], '204@2'],
      ['a sale in a non-fiscal document', [`Y${H}`, S], '313@2'],
      ['a cancelled non-fiscal document with a drawer', [`Y${H}`, `P${H}x`, `X${H}`, `O${H}`], 'accepted'],
      ['a barcode between payments', [S, `T${H}0;1.00`, `A${H}1;5941234`, T], '307@3'],
      ['a lone subtotal line in a receipt', [S, `T${H}4`, T], 'accepted'],
    ]),
  )('is %s: %s', (_result, _, lines, outcome) => expect(problemOf(lines)).toBe(outcome))
})

describe('the body of a legacy request', () => {
  it.each(
    withWords<[string, unknown, string]>(outcomeWords, [
      ['an object', { lines: [] }, '101'],
      ['nothing', undefined, '101'],
      ['a number among the lines', ['X^', 5], '101'],
      ['1000 lines', ['TL^x', ...Array(999).fill('TL^')], 'accepted'],
      ['1001 lines', Array(1001).fill('TL^x'), '105'],
      ['a line of 1001 characters', ['TL^x', `TL^${'x'.repeat(998)}`], '105@2'],
      ['a byte order mark before the first line', ['\uFEFFX^'], 'accepted'],
      ['a byte order mark before the second', ['X^', '\uFEFFZ^'], '202@2'],
      ['blank lines keep their number', ['', 'X^', ' ', 'Q^'], '202@4'],
    ]),
  )('is %s: %s', (_result, _, body, outcome) => expect(problemOf(body as readonly unknown[])).toBe(outcome))
})

describe('the parser of the legacy formats', () => {
  const words = [
    'S',
    'VS',
    'DP',
    'DV',
    'ST',
    'TL',
    'CB',
    'CF',
    'P',
    'X',
    'Z',
    'I',
    'MD',
    'T',
    'C',
    'L',
    'Y',
    'K',
    '48',
    'H',
  ]
  const piece = fc.oneof(
    fc.constantFrom(...words, '1', '0', '350', '1000', '6.50', 'a', '', '-1', '5%'),
    fc.string({ maxLength: 8 }),
  )
  const line1 = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join('^'))
  const line2 = fc
    .tuple(fc.constantFrom(...words), fc.array(piece, { maxLength: 10 }))
    .map(([word, fields]) => `${word}${H}${fields.join(';')}`)
  const lines = fc.oneof(
    fc.array(line1, { maxLength: 12 }),
    fc.array(line2, { maxLength: 12 }),
    fc.array(fc.string({ unit: 'binary', maxLength: 30 })),
    fc.array(fc.anything(), { maxLength: 5 }),
  )

  it('returns a job or a problem of the catalogue for any text, and never throws', () => {
    fc.assert(
      fc.property(lines, (body) => {
        const parsed = parseJob(body)
        if (parsed.ok) return
        expect(Object.keys(CATALOGUE)).toContain(parsed.problem.code)
        expect(parsed.problem.message.startsWith(`${CATALOGUE[parsed.problem.code]}: `)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  it('accepts only receipts that are paid to the last hundredth', () => {
    const sale = fc
      .tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 10, max: 20_000 }), fc.integer({ min: 1, max: 8 }))
      .map(([price, quantity, vat]) => `S^Item ${price}^${price}^${quantity}^buc^${vat}^1`)
    const other = fc.constantFrom('ST^', 'DP^1000', 'MP^500', 'DV^10', 'MV^10', 'TL^text')
    fc.assert(
      fc.property(fc.array(fc.oneof(sale, other), { minLength: 1, maxLength: 15 }), (body) => {
        const parsed = parseJob([...body, 'P^1^0'])
        if (!parsed.ok || parsed.job.kind !== 'fiscal') return
        const paid = parsed.job.steps.reduce((sum, step) => sum + (step.do === 'payment' ? step.amount : 0), 0)
        expect(paid).toBe(parsed.job.total)
      }),
    )
  })

  it('has a catalogue of 51 entries', () => expect(Object.keys(CATALOGUE).length).toBe(51))
})

describe('the message for a wrong number names the notation of its format', () => {
  const infoOf = (line: string) => {
    const parsed = parseJob([line])
    return parsed.ok ? 'accepted' : parsed.problem.text
  }

  it.each([
    ['S^Bread^3.50^1000^pcs^1^1^', 'price: expected whole hundredths (350 for 3.50), 0 to 999999999'],
    ['S^Bread^350^1.5^pcs^1^1^', 'quantity: expected whole thousandths (1500 for 1.5), 10 to 999999999'],
    ['I^1.00^', 'amount: expected whole hundredths (350 for 3.50), 1 to 999999999'],
    [`S${H}Bread;3,50;1;1;1;1;0;0;pcs`, 'price: expected a number with at most 2 decimals, 0.00 to 9999999.99'],
    [`S${H}Bread;3.50;1;1;1;9;0;0;pcs`, 'VAT: expected a group 1 to 8, or a percentage such as 19%'],
  ])('%s', (line, message) => {
    expect(infoOf(line)).toBe(message)
  })
})
