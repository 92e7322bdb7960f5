/** Receipts read from the text that devices of families B and C print (drivers/model/journal-text.ts). */
import { describe, expect, it } from 'vitest'
import { documentIn, documentTotal } from '../drivers/model/journal-text.ts'

const WIDTH = 38
const [DASHES, DOUBLE] = ['-'.repeat(WIDTH), '='.repeat(WIDTH)]
const columns = (left: string, right: string): string => left + right.padStart(WIDTH - left.length)
const centered = (line: string): string => ' '.repeat((WIDTH - line.length) >> 1) + line
const SHOP = [centered('CORNER SHOP'), centered('TAX No 123456789')]

interface Paper {
  readonly header?: readonly string[]
  readonly body?: readonly string[]
  readonly footer?: readonly string[]
  readonly mark?: string
}
const opened = (number: string): readonly string[] => [columns('OPERATOR 1 Operator 1', `No ${number}`), DASHES]
const ending = (mark = 'SERVICE RECEIPT', footer: readonly string[] = []): readonly string[] => [
  DASHES,
  ...footer,
  columns('2026-07-15 09:00:00', 'No 0000017'),
  columns('SN ZK123456', 'FM 50123456'),
  centered(mark),
]
const total = (amount: string): readonly string[] => [DOUBLE, columns('TOTAL', amount), DOUBLE]
const FISCAL = '[*] FISCAL RECEIPT [*]'

const receipt = ({ header = SHOP, body = [], footer = ['THANK YOU'], mark = FISCAL }: Paper = {}) => [
  ...[...header, ...opened('0000017'), ...body, ...total('0.00')],
  ...ending(mark, footer),
]
const cancelled = ({ header = SHOP, footer = [] }: Paper = {}, word = 'RECEIPT VOIDED') => [
  ...[...header, ...opened('0000017'), columns('Bread', '1.20 A')],
  ...[DASHES, centered(word), columns('TOTAL', '0.00')],
  ...ending('SERVICE RECEIPT', footer),
]
const slip = ({ header = SHOP, body = ['#ours#'], footer = [] }: Paper = {}) => [
  ...[...header, ...opened('0000017'), ...body],
  ...ending('SERVICE RECEIPT', footer),
]
const report = (title: string, { header = SHOP, mark = 'SERVICE RECEIPT' }: Paper = {}) => [
  ...[...header, centered(title), DASHES, columns('RECEIPTS', '1'), DASHES, columns('TOTAL', '1.20')],
  ...ending(mark),
]
const copy = ({ header = SHOP, body = [columns('Bread', '1.20 A')] }: Paper = {}) => [
  ...[centered('DUPLICATE No 0000016'), ...header, ...opened('0000016'), ...body, ...total('1.20'), DASHES],
  ...[columns('ITEMS 1', 'No 0000016'), centered('DUPLICATE')],
  ...ending(),
]
const cash = ({ header = SHOP }: Paper = {}) => [...header, columns('CASH IN', '5.00'), ...ending()]

const HEADERS: readonly (readonly string[])[] = [
  SHOP,
  [DOUBLE, 'CORNER SHOP', DASHES],
  ['CORNER SHOP', DOUBLE, ...SHOP],
  ['DUPLICATE No 0000016', ...SHOP],
  ['X REPORT 0001', DASHES, ...SHOP],
  ['Z REPORT 0001', DASHES, ...SHOP],
  [DASHES, 'TOTAL 1.00', DASHES],
  [DASHES, 'CANCELLED', 'TOTAL 0.00', DASHES],
  ['MARKET STREET No 12', DOUBLE],
]

describe.each(HEADERS.map((header) => [header] as const))('below the header %j', (header) => {
  it.each([
    ['a receipt', receipt({ header }), { kind: 'fiscal', total: 0 }],
    ['a cancelled receipt', cancelled({ header }), { kind: 'cancelled', total: null }],
    ['a slip', slip({ header }), { kind: 'nonFiscal', total: null }],
    ['a slip without a text', slip({ header, body: [] }), { kind: 'nonFiscal', total: null }],
    ['a copy', copy({ header }), { kind: 'copy', total: null }],
    ['a movement of cash', cash({ header }), { kind: 'cash', total: null }],
    ['an X report', report('X REPORT 0001', { header }), { kind: 'x', total: null }],
    ['a Z report', report('Z REPORT 0001', { header, mark: FISCAL }), { kind: 'z', total: null }],
    ['a Z report of a device that is not fiscalised', report('Z REPORT 0001', { header }), { kind: 'z', total: null }],
  ])('%s is recognized', (_, lines, facts) => {
    expect(documentIn(lines)).toEqual(facts)
  })
})

it.each([
  ['CANCELLED', '  2 x 1.50'],
  ['RECEIPT VOIDED', '  2 x 1.50'],
  ['CANCELLED', 'TOTAL'],
])(
  'a receipt whose first article is named %s, and then %s, is not taken for cancelled, nor is its copy',
  (name, then) => {
    const body = [name, columns(then, '0.00 A'), DASHES]
    expect(documentIn(receipt({ body }))).toEqual({ kind: 'fiscal', total: 0 })
    expect(documentIn(copy({ body })).kind).toBe('copy')
    expect(documentIn(receipt({ body, mark: 'NON-FISCAL RECEIPT' })).kind).toBe('nonFiscal')
  },
)

it.each(['CANCELLED', 'RECEIPT VOIDED'])('a receipt that ends with %s is cancelled', (word) => {
  expect(documentIn(cancelled({ footer: ['THANK YOU'] }, word)).kind).toBe('cancelled')
})

it('the mark at the end must be that of the device, and unreadable text proves nothing', () => {
  expect(documentIn(slip({ body: ['#FISCAL RECEIPT   #', '#DUPLICATE   #', '#X REPORT 0001  #'] })).kind).toBe(
    'nonFiscal',
  )
  expect(documentIn(slip({ footer: ['DUPLICATE', DASHES] })).kind).toBe('nonFiscal')
  expect(documentIn(['CORNER SHOP', DASHES, 'BON NEFISCAL'])).toEqual({ kind: null, total: null })
  expect(documentIn(['CORNER SHOP', DASHES, 'SERVICE RECEIPT'])).toEqual({ kind: 'other', total: null })
  expect(documentIn([])).toEqual({ kind: null, total: null })
})

describe('the total of a document', () => {
  it.each(['TOTAL 9.99', 'TOTAL LEI 9.99'])('is not %s, a text between two lines above it', (text) => {
    expect(documentTotal(receipt({ body: [DASHES, text, DASHES] }))).toBe(0)
    expect(documentTotal([...SHOP, DASHES, text, DASHES, ...total('1.20')])).toBe(120)
  })

  it('is unknown without a line for the total', () => {
    expect(documentTotal(slip())).toBeNull()
    expect(documentTotal(['TOTAL 1.20'])).toBeNull()
  })
})
