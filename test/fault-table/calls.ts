/**
 * Complete requests with every kind of content: frequent content, and rare content at the limits. A family that lacks a
 * feature refuses the request without a fault, too.
 */
import type { Call } from '../../scenarios/simulation/client.ts'
import { LEGACY, ORDER } from '../../scenarios/simulation/orders.ts'
import { CASES } from '../legacy/cases.ts'

const FISCAL = '/print-fiscal-receipt'
const NON_FISCAL = '/print-non-fiscal-receipt'
const plu = (more: object = {}) => ({ Type: 1, PluSale: { PluNumber: 1, Quantity: 2, ...more } })
const text = (message: string, more: object = {}) => ({ Type: 2, Text: { Message: message, ...more } })
const line = (message: string, more: object = {}) => ({ Type: 0, Text: { Message: message, ...more } })
const rule = (style: number) => ({ Type: 4, SeparatingLineType: style })
const RULE = rule(1)
const BARCODE = { Type: 3, BarCode: { Type: 1, Data: '12345670' } }
const QR = { Type: 3, BarCode: { Type: 4, Data: 'https://example.test/receipt/4711' } }
const FREE = {
  Type: 0,
  FreeSale: { ProductName: 'Tea', TaxCode: 1, Price: 1.5, Department: 1, Unit: 'pcs', Quantity: 2 },
}
const cash = { PaymentMode: 0, Amount: 50 }
const card = (amount: number) => ({ PaymentMode: 1, Amount: amount })
const adjusted = (kind: number, value: number) => ({ DiscountType: kind, DiscountValue: value })

export interface Request {
  readonly before?: readonly Call[]
  readonly call: Call
  readonly after?: readonly Call[]
}

const whole = (body: object): Request => ({ call: { path: FISCAL, body } })
const slip = (...items: readonly object[]): Request => ({ call: { path: NON_FISCAL, body: { ReceiptItems: items } } })

const legacy = (...lines: readonly string[]): Request => ({ call: { path: LEGACY, body: lines } })

const LONG = 'A line of text that is much longer than the paper is wide, so that it has to be cut somewhere'

const TEXTS: Readonly<Record<string, readonly [string, object?]>> = {
  'Romanian letters': ['Mulțumim, șef! Ăîâ'],
  'Czech letters': ['Dvořák čeká'],
  'decomposed letters': ['Cafe\u0301'],
  'an emoji': ['Thanks \u{1f642}'],
  'quotation marks': ['“Hello” – it’s… €5'],
  'number signs': ['#5#'],
  'spaces alone': ['   '],
  'spaces inside': ['a    b     c'],
  'a space that does not break': ['10\u00a0000 x'],
  'one letter': ['x'],
  'more than fits': [LONG],
  'double height': ['Thank you very much', { Height: 1 }],
  'double height, more than fits': [LONG, { Height: 1, Bold: true }],
  'bold letters in the middle': ['Hello there', { Bold: true, Alignment: 1, Underline: true, Italic: true }],
  'half height at the right': ['Hello there', { Height: 2, Alignment: 2 }],
}

const HEADER = ',1,______,_,__;'
const PRINT = `S${HEADER}Goods;1.20;2.000;1;1;1`

/** Amounts, texts and lines at their limits, which tills rarely send. */
const SELDOM_WHOLE: Readonly<Record<string, Request>> = {
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([what, [message, more]]) => [
      `a text of ${what}`,
      whole({ ReceiptItems: [plu(), text(message, more), plu()] }),
    ]),
  ),
  ...Object.fromEntries(
    [-75, -60, 60, -0.3].map((percent) => [
      `${percent} % on the subtotal`,
      whole({ ReceiptItems: [plu()], Subtotal: adjusted(percent < 0 ? 2 : 1, Math.abs(percent)) }),
    ]),
  ),
  'a printed subtotal with 75 % off, paid in cash': whole({
    ReceiptItems: [plu({ Quantity: 10 })],
    Subtotal: { Print: true, ...adjusted(2, 75) },
    Payments: [cash],
  }),
  'all taken off': whole({ ReceiptItems: [plu()], Subtotal: adjusted(2, 100) }),
  'all rows voided': whole({ ReceiptItems: [plu(), plu({ Void: true })] }),
  'rows with most of their price': whole({
    ReceiptItems: [plu(adjusted(1, 99)), plu(adjusted(2, 99)), plu(adjusted(3, 1)), plu(adjusted(4, 1))],
  }),
  'quantities of three decimals': whole({
    ReceiptItems: [plu({ Quantity: 0.333 }), plu({ Quantity: 1.005, ...adjusted(4, 0.11) })],
    Payments: [cash],
  }),
  'articles of all groups with 60 % off': whole({
    ReceiptItems: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((PluNumber) => plu({ PluNumber, Quantity: 1.5 })),
    Subtotal: adjusted(2, 60),
  }),
  'payments of several modes': whole({
    ReceiptItems: [plu({ Quantity: 10 })],
    Payments: [card(1), { PaymentMode: 2, Amount: 1 }, { PaymentMode: 3, Amount: 1 }, { ...cash, Amount: 1 }, cash],
  }),
  'equal payments': whole({
    ReceiptItems: [plu({ Quantity: 10 })],
    Payments: [card(2), card(2), { ...cash, Amount: 2 }, { ...cash, Amount: 2 }, cash],
  }),
  'separating lines of all styles': whole({
    ReceiptItems: [plu(), rule(1), plu(), rule(2), plu(), rule(3), plu(), rule(4), plu()],
  }),
  'a separating line of style 3': whole({ ReceiptItems: [plu(), rule(3), plu()] }),
  'a separating line of style 4': whole({ ReceiptItems: [plu(), rule(4), plu()] }),
  'a non-fiscal receipt with separating lines': slip(
    ...[line('A'), { ...rule(4), Type: 2 }, line('B'), { ...rule(3), Type: 2 }, line('C')],
  ),
  'a non-fiscal receipt with letters of other languages': slip(line('Mulțumim, șef!'), line('Zażółć gęślą')),
  'a non-fiscal receipt with more than fits': slip(line(LONG, { Height: 1 }), line('x')),
  'a barcode with its text': whole({
    ReceiptItems: [plu(), { Type: 3, BarCode: { Type: 2, Data: '5941234567899', PrintText: true } }, plu()],
  }),
  'a barcode of letters': whole({
    ReceiptItems: [plu(), { Type: 3, BarCode: { Type: 3, Data: 'ABC-1234567890-XYZ' } }, plu()],
  }),
  'a code of two dimensions that is short': whole({
    ReceiptItems: [plu(), { Type: 3, BarCode: { Type: 4, Data: '5' } }],
  }),
  'legacy lines, a receipt and its copy': legacy(PRINT, `T${HEADER}`, `D${HEADER}`),
  'legacy lines, a receipt and two copies': legacy(PRINT, `T${HEADER}`, `D${HEADER}`, `D${HEADER}`),
  'legacy lines, cash out': legacy('I^50000', 'O^1000'),
  'legacy lines, cash in and out, equal ones': legacy('I^1000', 'I^1000', 'O^1000', 'O^1000'),
  'legacy lines, an X and a Z': legacy(`Z${HEADER}0`, `Z${HEADER}1`),
  'legacy lines, two of each report': legacy('X^', 'X^', 'Z^', 'Z^'),
  'legacy lines, 60 % off': legacy('S^Goods^120^2000^^1^1', 'ST^', 'DP^6000', 'P^1^0'),
  'legacy lines, 60 % off, paid exactly': legacy('S^Goods^120^2000^^1^1', 'ST^', 'DP^6000', 'P^1^96'),
  'legacy lines, a part voided': legacy(
    ...['S^Goods^120^2000^^1^1', 'S^Goods^120^3000^^1^1', 'VS^Goods^120^1000^^1^1', 'P^2^100', 'P^1^0'],
  ),
  'legacy lines, texts': legacy('TL^Mulțumim', 'S^Goods^120^2000^^1^1', 'TL^', 'TL^ ', 'P^1^0'),
}

const seldomSingle = (inside: (path: string, body: object, ...more: Call[]) => Request, sale: Call) => ({
  'one discount of 60 %': inside('/subtotal', adjusted(2, 60)),
  'one discount of 75 %, printed': inside('/subtotal', { Print: true, ...adjusted(2, 75) }),
  'one discount of the least amount': inside('/subtotal', adjusted(4, 0.01)),
  'one part of a row voided': inside(sale.path, plu({ Quantity: 1, Void: true }).PluSale, sale, sale),
  'one row of three voided': inside(sale.path, plu({ Void: true }).PluSale, sale, sale),
  'one sale with 60 % off': inside(sale.path, plu(adjusted(2, 60)).PluSale),
  'one payment in cash, of a part': inside('/payment', { ...cash, Amount: 1.2 }),
  'one payment in cash, of more': inside('/payment', cash),
  'one payment in cash, of all': inside('/payment', { ...cash, Amount: 2.4 }),
  'one payment by card, of all': inside('/payment', card(2.4)),
})
const ALL_OF_SELDOM_SINGLE = new Set(Object.keys(seldomSingle(() => whole({}), { path: '' })))
export const isSeldom = (name: string): boolean => name in SELDOM_WHOLE || ALL_OF_SELDOM_SINGLE.has(name)

export function requestsOf(password: string): Readonly<Record<string, Request>> {
  const operator = { OperatorCode: 1, OperatorPassword: password }
  const opening = (Invoice: boolean) => ({ OpenFiscalReceipt: { ...operator, PointOfSaleNumber: 1, Invoice } })
  const open: Call = { path: '/open-fiscal-receipt', body: opening(false).OpenFiscalReceipt }
  const sale: Call = { path: '/register-plu-sale', body: plu().PluSale }
  const pay: Call = { path: '/payment', body: cash }
  const close: Call = { path: '/close-fiscal-receipt' }
  const inside = (path: string, body: object, ...more: readonly Call[]): Request => ({
    before: [open, sale, ...more],
    call: { path, body },
    after: [pay, close],
  })
  const openSlip: Call = { path: '/open-non-fiscal-receipt', body: operator }
  const slipText: Call = { path: '/print-non-fiscal-text', body: { Message: 'Hello' } }
  const closeSlip: Call = { path: '/close-non-fiscal-receipt' }
  return {
    ...Object.fromEntries(
      [1, 2, 3, 4].flatMap((kind) => [
        [`adjustment ${kind} of the subtotal`, whole({ ReceiptItems: [plu()], Subtotal: adjusted(kind, 0.5) })],
        [`adjustment ${kind} of a row`, whole({ ReceiptItems: [plu(adjusted(kind, 0.5)), plu()] })],
      ]),
    ),
    'a printed subtotal with a discount, two payments': whole({
      ReceiptItems: [plu(), plu()],
      Subtotal: { Print: true, Display: true, ...adjusted(2, 10) },
      Payments: [card(1), cash],
    }),
    'a subtotal that is printed': whole({ ReceiptItems: [plu()], Subtotal: { Print: true } }),
    'a subtotal that is shown': whole({ ReceiptItems: [plu()], Subtotal: { Display: true } }),
    'equal rows': whole({ ReceiptItems: [plu(), plu(), plu()], Payments: [cash] }),
    'free sales': whole({ ReceiptItems: [FREE, FREE], Payments: [card(1), cash] }),
    'a row that is voided': whole({ ReceiptItems: [plu(), plu(), plu({ Void: true })] }),
    'equal texts': whole({ ReceiptItems: [text('Hello'), plu(), plu(), text('Hello'), text('Hello')] }),
    'equal lines': whole({ ReceiptItems: [text('Hello'), RULE, plu(), RULE, RULE, text('Bye')] }),
    'a barcode': whole({ ReceiptItems: [BARCODE, plu(), BARCODE] }),
    'a code of two dimensions': whole({ ReceiptItems: [plu(), QR] }),
    'an opening of its own': whole({ ...opening(false), ReceiptItems: [plu()], Payments: [card(2.4)] }),
    'an invoice': whole({ ...opening(true), ReceiptItems: [plu()] }),
    'a non-fiscal receipt': slip(line('Hello'), { ...RULE, Type: 2 }, line('Hello')),
    'a non-fiscal receipt with codes': slip({ ...BARCODE, Type: 1 }, { ...QR, Type: 1 }, line('Hello')),
    'an order': { call: { path: ORDER, body: { order: 1, token: 'token', again: false } } },
    'an order with a discount, shipping and two payments': {
      call: { path: ORDER, body: { order: 2, token: 'token', again: false } },
    },
    opening: { call: open, after: [sale, pay, close] },
    'one sale': inside(sale.path, plu(adjusted(2, 10)).PluSale),
    'one free sale': inside('/register-free-sale', FREE.FreeSale),
    'one row voided': inside(sale.path, plu({ Void: true }).PluSale),
    'one text': inside('/print-fiscal-text', { Message: 'Hello' }),
    'one barcode': inside('/print-bar-code', BARCODE.BarCode),
    'one subtotal': inside('/subtotal', { Print: true }),
    'one discount': inside('/subtotal', { Print: true, ...adjusted(2, 10) }),
    'one payment': inside('/payment', card(1)),
    'one close': { before: [open, sale, pay], call: close },
    'one cancel': { before: [open, sale], call: { path: '/cancel-fiscal-receipt' } },
    'one opening, not fiscal': { call: openSlip, after: [slipText, closeSlip] },
    'one text, not fiscal': { before: [openSlip], call: slipText, after: [closeSlip] },
    'one close, not fiscal': { before: [openSlip, slipText], call: closeSlip },
    'one cancel, not fiscal': { before: [openSlip, slipText], call: { path: '/cancel-non-fiscal-receipt' } },
    'a copy': { call: { path: '/copy-of-last-fiscal-receipt' } },
    'an X': { call: { path: '/report-x' } },
    'a Z': { call: { path: '/report-z' } },
    ...Object.fromEntries(
      CASES.filter(({ expect: { ok } }) => ok).map(({ name, lines }) => [
        `legacy lines, ${name}`,
        { call: { path: LEGACY, body: lines } },
      ]),
    ),
    ...SELDOM_WHOLE,
    ...seldomSingle(inside, sale),
  }
}
