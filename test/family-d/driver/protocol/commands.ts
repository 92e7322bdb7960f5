/** The commands of family D, each declared once for the driver and the device (sheet 4). */
import { declareCommand, question, SHOWS_ONLY } from '../../../../drivers/wire/command.ts'
import { called, choice, flag, int, money, optional, percent, quantity, text } from '../../../../drivers/wire/field.ts'
import { nothing, row } from '../../../../drivers/wire/row.ts'

const command = declareCommand(nothing)
const FIELDS = { separator: '|', ended: false, dropEmptyTail: true } as const
export const TEXT_MAX = 40
const PERCENT_MAX = 10_000
const AMOUNT_MAX = 9_999_999

const words = <Name extends string>(name: Name, max: number) => text(name, { max, pattern: /^[^|]*$/ })
const sum = <Name extends string>(name: Name) => money(name, { min: -AMOUNT_MAX, max: AMOUNT_MAX })
const count = <Name extends string>(name: Name) => int(name, { min: 0, max: 99_999_999 })
const adjustment = [
  optional(percent('percent', { min: -PERCENT_MAX, max: PERCENT_MAX })),
  optional(sum('amount')),
] as const
const line = row(FIELDS, [words('text', TEXT_MAX)])
const document = row(FIELDS, [count('document')])
const plu = called('plu', int('article', { min: 1, max: 999 }))
const isVoid = flag('void', 'V')

const printing = { changes: 'paper', prints: true, fiscal: true, allowedIn: 'inNonFiscal' } as const
const selling = { changes: 'day', prints: true, fiscal: true, allowedIn: 'selling' } as const
const between = { changes: 'day', prints: true, fiscal: true, allowedIn: 'betweenReceipts' } as const

export const commands = [
  command('deviceInfo', 0x01, '4', question, {
    response: row(FIELDS, [
      words('model', 20),
      words('firmware', 10),
      words('serialNumber', 12),
      words('memoryNumber', 12),
    ]),
  }),
  command('transactionStatus', 0x02, '4', question, {
    response: row(FIELDS, [
      choice('open', { none: 'N', nonFiscal: 'T', fiscal: 'F' }),
      ...([count('rows'), sum('total'), sum('paid'), sum('rest')] as const),
    ]),
  }),
  command('lastDocument', 0x03, '4', question, { response: document }),
  command('readArticle', 0x04, '4', question, {
    request: row(FIELDS, [plu]),
    response: row(FIELDS, [words('name', TEXT_MAX), sum('price')]),
  }),
  command('archivedZ', 0x05, '4', question, {
    request: row(FIELDS, [int('number', { min: 1, max: 9_999 })]),
    response: row(FIELDS, [
      words('at', 19),
      optional(count('first')),
      optional(count('last')),
      count('receipts'),
      ...([sum('total'), sum('cashIn'), sum('cashOut')] as const),
    ]),
  }),
  command('day', 0x06, '4', question, {
    response: row(FIELDS, [
      ...([count('lastReceipt'), count('lastZ'), sum('turnover')] as const),
      ...([count('receipts'), sum('cashIn'), sum('cashOut')] as const),
    ]),
  }),
  command('openNonFiscal', 0x10, '4', printing, {
    allowedIn: 'betweenReceipts',
    needs: ['clock', 'journal'],
    response: document,
  }),
  command('nonFiscalText', 0x11, '4', printing, { allowedIn: 'inNonFiscal', request: line }),
  command('closeNonFiscal', 0x12, '4', printing, { allowedIn: 'inNonFiscal' }),
  command('openFiscal', 0x20, '4', selling, {
    allowedIn: 'opening',
    needs: ['clock', 'journal', 'fiscalMemory', 'day'],
    request: row(FIELDS, [
      called('operator', int('operator', { min: 1, max: 8 })),
      words('password', 8),
      int('pointOfSale', { min: 1, max: 999_999 }),
    ]),
    response: document,
  }),
  command('fiscalText', 0x21, '4', printing, { allowedIn: 'inFiscal', request: line }),
  command('sale', 0x22, '4', selling, {
    allowedIn: 'selling',
    request: row(FIELDS, [
      words('name', TEXT_MAX),
      int('taxCode', { min: 1, max: 8 }),
      money('price', { min: 0, max: AMOUNT_MAX }),
      quantity('quantity'),
      isVoid,
      ...adjustment,
    ]),
  }),
  command('saleByPlu', 0x23, '4', selling, {
    allowedIn: 'selling',
    request: row(FIELDS, [plu, quantity('quantity'), isVoid, ...adjustment]),
  }),
  command('subtotal', 0x24, '4', selling, {
    allowedIn: 'beforePayment',
    request: row(FIELDS, [flag('print', 'P'), flag('display', 'D'), ...adjustment]),
    response: row(FIELDS, [sum('subtotal')]),
  }),
  command('payment', 0x25, '4', selling, {
    allowedIn: 'untilPaid',
    request: row(FIELDS, [int('mode', { min: 0, max: 1 }), optional(money('amount', { min: 0, max: AMOUNT_MAX }))]),
    response: row(FIELDS, [sum('rest'), sum('change')]),
  }),
  command('closeFiscal', 0x26, '4', selling, { allowedIn: 'closing', response: document }),
  command('cancelFiscal', 0x27, '4', selling, { allowedIn: 'beforePayment' }),
  command('reportX', 0x30, '4', between, { changes: 'paper' }),
  command('reportZ', 0x31, '4', between, { changes: 'memory', response: row(FIELDS, [count('number')]) }),
  command('duplicate', 0x32, '4', between, { changes: 'paper', response: document }),
  command('displayText', 0x40, '4', SHOWS_ONLY, {
    request: row(FIELDS, [int('line', { min: 1, max: 2 }), words('text', 20)]),
  }),
  command('displayClear', 0x41, '4', SHOWS_ONLY),
] as const
