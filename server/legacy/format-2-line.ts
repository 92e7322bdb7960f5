/**
 * Legacy format 2: a header of five parts joined by commas, then fields after semicolons (legacy formats 3).
 * This file reads one line; format-2-job.ts reads the lines as a job.
 *
 *   hdr     = "," logical "," serial "," sequence "," result ";"       (0..99, then anything: content is ignored)
 *   open    = "48" hdr oper ";" password ";" till [ ";" ( "0" | "1" ) ]
 *   head    = "H" hdr     foot = "F" hdr     taxid = "K" hdr tax-number     cancel = "X" hdr
 *   sale    = "S" hdr name ";" price ";" quantity ";" dep ";" [ group ] ";" vat
 *             [ ";" [ flag ] [ ";" [ plu ] [ ";" [ unit ] ] ] ] { ";" zero }
 *   adjust  = "C" hdr ( "0" | "1" | "2" | "3" ) ";" value              (surcharge %, discount %, surcharge, discount)
 *   subtotal= "T" hdr "4" | "L" hdr
 *   pay     = "T" hdr [ mode [ ";" amount ] ]                          (nothing, or amount 0: all that is left)
 *   text    = "P" hdr freetext { ";" freetext }                        (up to five)
 *   barcode = "A" hdr ( "1" .. "5" ) ";" code [ ";" any [ ";" any ] ]
 *   nonfisc = "Y" hdr     report = "Z" hdr [ "0" | "1" ]     cash = "I" hdr ( "0" | "1" ) ";" amount
 *   trailer = "D" hdr | "O" hdr
 *   display = "L" hdr dcmd ";" [ dtype ] ";" freetext                  (0 clear, 1 2 clear a line, 3 4 write, 5 both)
 *
 *   price = [ "-" ] digits [ "." 1*2 digit ]     quantity = [ "-" ] digits [ "." 1*3 digit ]     vat = 1..8 | rate "%"
 *
 * A decimal point only. All empty fields at the end of a line are dropped before counting. One minus sign, on price or
 * quantity, makes a sale the void of an earlier one. Command letters are read in any case.
 */
import { countText } from '../../drivers/model/count-text.ts'
import { type Money, parseDecimal } from '../../drivers/model/money.ts'
import type { NumberedLine } from './detect-format.ts'
import type { Command, CommandWord, LegacyItem, LegacyTax, ServiceCall } from './job.ts'
import {
  checkAmount,
  checkBarcode,
  checkPercent,
  checkPrice,
  checkQuantity,
  isBlank,
  readDepartment,
  readFreeText,
  readName,
  readTaxGroup,
  readTaxNumber,
  readUnit,
} from './line-fields.ts'
import { fail } from './problem.ts'

/** Number of columns of the customer display, after which a text for both rows is divided. */
const DISPLAY_COLUMNS = 20
const MAX_TEXTS = 5

interface Rule {
  readonly min: number
  /** Maximum number of fields; more are error 204. Absent if the command counts its fields itself. */
  readonly max?: number
  readonly isText?: true
  read(line: number, fields: readonly string[]): CommandWord
}

const RULES: Readonly<Record<string, Rule>> = {
  '48': { min: 3, max: 4, read: readOpen },
  H: { min: 0, max: 0, read: () => ({ word: 'head' }) },
  F: { min: 0, max: 0, read: () => ({ word: 'foot' }) },
  K: { min: 1, max: 1, read: (line, [number = '']) => ({ word: 'taxNumber', number: readTaxNumber(line, number) }) },
  S: { min: 6, read: readSale },
  C: { min: 2, max: 2, read: readAdjustment },
  T: { min: 0, max: 2, read: readTotal },
  L: { min: 0, max: 3, isText: true, read: readDisplay },
  P: { min: 0, max: MAX_TEXTS, isText: true, read: readTexts },
  A: { min: 2, max: 4, read: readBarcode },
  X: { min: 0, max: 0, read: () => ({ word: 'cancel' }) },
  Y: { min: 0, max: 0, read: () => ({ word: 'nonFiscal' }) },
  Z: { min: 0, max: 1, read: readReport },
  I: { min: 2, max: 2, read: readCash },
  D: { min: 0, max: 0, read: () => ({ word: 'service', calls: [{ call: 'copy' }], trailer: true }) },
  O: { min: 0, max: 0, read: () => ({ word: 'service', calls: [{ call: 'drawer' }], trailer: true }) },
}

/** Commands of public sources that this service does not support: these letters, and all numbers except 48. */
const UNSUPPORTED_COMMANDS = /^([EGNQRUV]|\d+)$/
/** Selectors that this service does not support: period reports, date and time on the display. */
const UNSUPPORTED_SELECTORS: Readonly<Record<string, readonly string[]>> = { Z: ['2', '3'], L: ['6'] }

export function readLine2({ line, text }: NumberedLine): Command {
  const end = text.indexOf(';')
  const parts = (end < 0 ? text : text.slice(0, end)).split(',')
  if (end < 0) return fail('201', line, 'the semicolon after the header is missing')
  if (parts.length !== 5) return fail('201', line, `the header has ${parts.length} parts, expected 5`)
  const [command = '', logical = ''] = parts
  if (!/^\d{1,2}$/.test(logical)) return fail('201', line, 'logical number: expected 0 to 99')
  const letters = command.toUpperCase()
  const rule = Object.hasOwn(RULES, letters) ? RULES[letters] : undefined
  if (rule === undefined) {
    if (UNSUPPORTED_COMMANDS.test(letters)) return fail('401', line, `the command ${letters} is not offered`)
    return fail('202', line, `unknown command "${command.slice(0, 20)}"`)
  }
  const fields = text.slice(end + 1).split(';')
  while (fields.length > 0 && isBlank(fields.at(-1))) fields.pop()
  if (UNSUPPORTED_SELECTORS[letters]?.includes(fields[0] ?? '')) {
    return fail('401', line, `${letters} with ${fields[0]} is not offered`)
  }
  if (fields.length < rule.min) {
    return fail('203', line, `${letters} has at least ${countText(rule.min, 'field')}, the line has ${fields.length}`)
  }
  if (rule.max !== undefined && fields.length > rule.max) {
    return fail('204', line, `${letters} has at most ${countText(rule.max, 'field')}, the line has ${fields.length}`)
  }
  const values = rule.isText ? fields : fields.map((field) => (isBlank(field) ? '' : field))
  return { line, ...rule.read(line, values) }
}

function required(line: number, text: string, field: string): string {
  return text === '' ? fail('203', line, `${field}: empty`) : text
}

function readSale(line: number, fields: readonly string[]): CommandWord {
  const UNIT = 9
  const extra = fields.slice(UNIT).findIndex((field) => !/^0*$/.test(field))
  if (extra >= 0) return fail('204', line, `S has ${UNIT} fields, the line has ${fields.length}`)
  const [name = '', priceText = '', quantityText = '', dep = '', group = '', vat = '', flag = '', plu = '', unit = ''] =
    fields
  const cleanName = readName(line, name)
  const price = signed(required(line, priceText, 'price'), 2)
  const cleanPrice = checkPrice(line, price?.size, 'decimal')
  const quantity = signed(required(line, quantityText, 'quantity'), 3)
  const cleanQuantity = checkQuantity(line, quantity?.size, 'decimal')
  if (price?.minus && quantity?.minus) return fail('212', line, 'quantity: price and quantity both carry a minus sign')
  const department = readDepartment(line, required(line, dep, 'department'))
  if (!/^\d{0,2}$/.test(group)) return fail('201', line, 'article group: expected at most two digits')
  const tax = readVat(line, required(line, vat, 'VAT'))
  if (!/^[01]?$/.test(flag)) return fail('223', line, 'invoice flag: expected 0 or 1')
  if (!/^\d*$/.test(plu)) return fail('201', line, 'PLU number: expected digits')
  const item: LegacyItem = {
    name: cleanName,
    price: cleanPrice,
    quantity: cleanQuantity,
    unit: readUnit(line, unitText(line, unit)),
    tax,
    department,
  }
  return { word: price?.minus || quantity?.minus ? 'void' : 'sale', item }
}

/** Returns the unit. Another dialect has a discount in this position, so a number other than zero is refused. */
function unitText(line: number, text: string): string {
  if (!/^[+-]?\d+(?:[.,]\d*)?(?:\s*%)?$/.test(text.trim())) return text
  if (/[1-9]/.test(text)) return fail('215', line, 'unit: expected a name, found a number')
  return ''
}

function readVat(line: number, text: string): LegacyTax {
  const rate = /^(\d{1,2})%$/.exec(text)
  return rate ? { percent: Number(rate[1]) * 100 } : { code: readTaxGroup(line, text, ', or a percentage such as 19%') }
}

function signed(text: string, decimals: 2 | 3): { readonly size: number; readonly minus: boolean } | undefined {
  const minus = text.startsWith('-')
  const size = decimal(minus ? text.slice(1) : text, decimals)
  return size === undefined ? undefined : { size, minus }
}

function decimal(text: string, decimals: 2 | 3): number | undefined {
  if (!(decimals === 2 ? /^\d{1,9}(\.\d{1,2})?$/ : /^\d{1,9}(\.\d{1,3})?$/).test(text)) return undefined
  const value = parseDecimal(text, decimals)
  return typeof value === 'number' ? value : undefined
}

const amountOf = (text: string): Money | undefined => decimal(text, 2)

function readOpen(line: number, fields: readonly string[]): CommandWord {
  const [operator = '', password = '', till = '', invoice = ''] = fields
  for (const [text, field] of [
    [operator, 'operator'],
    [password, 'password'],
    [till, 'till'],
  ] as const) {
    required(line, text, field)
  }
  if (!/^\d{1,2}$/.test(operator) || Number(operator) < 1 || Number(operator) > 30) {
    return fail('222', line, 'operator: expected 1 to 30')
  }
  if (!/^\d{1,5}$/.test(till) || Number(till) < 1) return fail('222', line, 'till: expected 1 to 99999')
  if (!/^[01]?$/.test(invoice)) return fail('222', line, 'invoice flag: expected 0 or 1')
  return {
    word: 'open',
    opening: { line, operator: Number(operator), password, pointOfSale: Number(till), invoice: invoice === '1' },
  }
}

function readAdjustment(line: number, [type = '', value = '']: readonly string[]): CommandWord {
  if (!/^[0-3]$/.test(required(line, type, 'type'))) return fail('223', line, 'type: expected 0 to 3')
  const kind = type === '0' || type === '2' ? 'surcharge' : 'discount'
  if (type === '0' || type === '1') {
    return { word: 'adjustment', adjustment: { kind, percent: checkPercent(line, amountOf(value), 'decimal') } }
  }
  return {
    word: 'adjustment',
    adjustment: { kind, amount: checkAmount(line, amountOf(value), 'decimal', { field: 'value' }) },
  }
}

function readTotal(line: number, fields: readonly string[]): CommandWord {
  const [mode, amountText] = fields
  if (mode === undefined) return { word: 'payment', mode: 0 }
  if (!/^\d$/.test(required(line, mode, 'payment mode'))) return fail('218', line, 'payment mode: expected one digit')
  if (mode === '4') {
    if (amountText !== undefined) return fail('204', line, 'T with 4 is a subtotal and has no amount')
    return { word: 'subtotal' }
  }
  if (amountText === undefined) return { word: 'payment', mode: Number(mode) }
  const amount = checkAmount(line, amountOf(amountText), 'decimal', { field: 'amount' })
  return amount === 0
    ? { word: 'payment', mode: Number(mode), zero: true }
    : { word: 'payment', mode: Number(mode), amount }
}

function readTexts(line: number, fields: readonly string[]): CommandWord {
  const texts = fields.filter((field) => field !== '').map((field) => readFreeText(line, field))
  return { word: 'text', texts: texts.length === 0 ? [' '] : texts }
}

function readBarcode(line: number, [type = '', data = '']: readonly string[]): CommandWord {
  if (!/^[1-5]$/.test(required(line, type, 'barcode type'))) return fail('220', line, 'barcode: expected a type 1 to 5')
  const service = Number(type) >= 4 ? 6 : Number(type)
  checkBarcode(line, service, required(line, data, 'barcode'))
  return { word: 'barcode', type: service, data }
}

function readReport(line: number, [which = '1']: readonly string[]): CommandWord {
  if (which !== '0' && which !== '1') return fail('223', line, 'report: expected 0 or 1')
  return { word: 'service', calls: [{ call: which === '0' ? 'reportX' : 'reportZ' }] }
}

function readCash(line: number, [which = '', amount = '']: readonly string[]): CommandWord {
  if (!/^[01]$/.test(required(line, which, 'direction'))) return fail('223', line, 'direction: expected 0 or 1')
  const call = which === '0' ? 'cashIn' : 'cashOut'
  return {
    word: 'service',
    calls: [{ call, amount: checkAmount(line, amountOf(amount), 'decimal', { field: 'amount', min: 1 }) }],
  }
}

function readDisplay(line: number, fields: readonly string[]): CommandWord {
  const [command, type = '', text = ''] = fields
  if (command === undefined) return { word: 'subtotal' }
  if (!/^[0-5]$/.test(command)) return fail('223', line, 'display: expected 0 to 5')
  if (!/^\d?$/.test(type)) return fail('223', line, 'display type: expected one digit')
  readFreeText(line, text)
  return { word: 'service', calls: displayCalls(command, text) }
}

function displayCalls(command: string, text: string): readonly ServiceCall[] {
  const row = (number: 1 | 2, content: string): ServiceCall => ({ call: 'display', row: number, text: content })
  switch (command) {
    case '0':
      return [{ call: 'clearDisplay' }]
    case '1':
      return [row(1, '')]
    case '2':
      return [row(2, '')]
    case '3':
      return [row(1, text)]
    case '4':
      return [row(2, text)]
    default:
      return [row(1, text.slice(0, DISPLAY_COLUMNS)), row(2, text.slice(DISPLAY_COLUMNS))]
  }
}
