/**
 * Legacy format 1: lines of fields after carets (legacy formats 2). This file reads one line; format-1-job.ts reads the
 * lines as a job.
 *
 *   sale     = "S" item                     void     = "VS" item
 *   item     = "^" name "^" bani "^" milli "^" [ unit ] "^" vat "^" dep [ "^" ]
 *   adjust   = ( "DP" | "MP" ) "^" hundredths [ "^" ] | ( "DV" | "MV" ) "^" bani [ "^" ]
 *   subtotal = "ST^" [ ignored ]            text     = "TL^" freetext
 *   barcode  = "CB^" code "^" ( "1" | "2" | "3" | "4" ) [ "^" ]
 *   taxid    = "CF^" tax-number [ "^" ]     payment  = "P^" ptype "^" bani [ "^" ]
 *   service  = "X^" [ ignored ] | "Z^" [ ignored ] | "I^" bani1 [ "^" ] | "O^" bani1 [ "^" ]
 *            | "DS^" | "VB^" | "COPIEBON^" | "MD^" freetext "^" freetext
 *
 *   bani, hundredths = digits, in hundredths     milli = digits, in thousandths     vat = 1..8     dep = 0..99
 *   ptype = 1..9, PaymentMode + 1                name = 1..72 characters            unit = 1..6, empty = "buc"
 *
 * Integers only: a point or a comma in a value is refused, because readers may differ by a factor of a hundred. The
 * caret after the command is required. Command letters are read in any case. "POS" is known and not supported.
 */
import { countText } from '../../drivers/model/count-text.ts'
import { MONEY_MAX, type Money, QUANTITY_MAX } from '../../drivers/model/money.ts'
import type { NumberedLine } from './detect-format.ts'
import type { Command, CommandWord, LegacyItem } from './job.ts'
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

interface Rule {
  /**
   * Number of fields after the command. Fewer fields are error 203; more, apart from empty ones at the end, are error
   * 204.
   */
  readonly fields: number
  readonly optional?: boolean
  readonly mayBeEmpty?: readonly number[]
  read(line: number, fields: readonly string[]): CommandWord
}

const NAME = 0
const UNIT = 3
const ITEM = { fields: 6, mayBeEmpty: [NAME, UNIT] }

const RULES: Readonly<Record<string, Rule>> = {
  S: { ...ITEM, read: (line, fields) => ({ word: 'sale', item: readItem(line, fields) }) },
  VS: { ...ITEM, read: (line, fields) => ({ word: 'void', item: readItem(line, fields) }) },
  DP: { fields: 1, read: (line, fields) => percentage('discount', line, fields) },
  MP: { fields: 1, read: (line, fields) => percentage('surcharge', line, fields) },
  DV: { fields: 1, read: (line, fields) => amountOff('discount', line, fields) },
  MV: { fields: 1, read: (line, fields) => amountOff('surcharge', line, fields) },
  ST: { fields: 1, optional: true, read: () => ({ word: 'subtotal' }) },
  TL: {
    fields: 1,
    mayBeEmpty: [0],
    read: (line, [text = '']) => ({ word: 'text', texts: [readFreeText(line, text)] }),
  },
  CB: { fields: 2, read: readBarcode },
  CF: { fields: 1, read: (line, [number = '']) => ({ word: 'taxNumber', number: readTaxNumber(line, number) }) },
  P: { fields: 2, read: readPayment },
  X: { fields: 1, optional: true, read: () => ({ word: 'service', calls: [{ call: 'reportX' }] }) },
  Z: { fields: 1, optional: true, read: () => ({ word: 'service', calls: [{ call: 'reportZ' }] }) },
  I: { fields: 1, read: (line, fields) => cash('cashIn', line, fields) },
  O: { fields: 1, read: (line, fields) => cash('cashOut', line, fields) },
  DS: { fields: 0, read: () => ({ word: 'service', calls: [{ call: 'drawer' }] }) },
  VB: { fields: 0, read: () => ({ word: 'service', calls: [{ call: 'cancel' }] }) },
  COPIEBON: { fields: 0, read: () => ({ word: 'service', calls: [{ call: 'copy' }] }) },
  MD: { fields: 2, mayBeEmpty: [0, 1], read: readDisplay },
}

/** Commands of public sources that this service does not support. */
const UNSUPPORTED_COMMANDS = new Set(['POS'])

export function readLine1({ line, text }: NumberedLine): Command {
  const [command = '', ...fields] = text.split('^')
  const letters = command.toUpperCase()
  if (fields.length === 0) return fail('201', line, 'the caret after the command is missing')
  if (UNSUPPORTED_COMMANDS.has(letters)) return fail('401', line, `the command ${letters} is not offered`)
  const rule = Object.hasOwn(RULES, letters) ? RULES[letters] : undefined
  if (rule === undefined) return fail('202', line, `unknown command "${command.slice(0, 20)}"`)
  return { line, ...rule.read(line, countFields(line, letters, fields, rule)) }
}

function countFields(line: number, letters: string, fields: readonly string[], rule: Rule): readonly string[] {
  let count = fields.length
  while (count > rule.fields && isBlank(fields[count - 1])) count--
  if (count > rule.fields) {
    return fail('204', line, `${letters} has ${countText(rule.fields, 'field')}, the line has ${count}`)
  }
  if (rule.optional) return fields.slice(0, count)
  if (count < rule.fields)
    return fail('203', line, `${letters} has ${countText(rule.fields, 'field')}, the line has ${count}`)
  const empty = fields.findIndex((field, index) => index < count && isBlank(field) && !rule.mayBeEmpty?.includes(index))
  // A mistake in an earlier field is reported first. An empty name has a separate error code.
  if (empty >= 0) {
    if (rule.fields === ITEM.fields) readItemUpTo(line, fields, empty)
    return fail('203', line, `field ${empty + 1} of ${letters} is empty`)
  }
  return fields.slice(0, count)
}

const ITEM_READERS: readonly ((line: number, text: string) => unknown)[] = [
  readName,
  readPrice,
  readQuantity,
  readUnit,
  readTaxGroup,
  readDepartment,
]

function readItemUpTo(line: number, fields: readonly string[], end: number): void {
  for (const [index, read] of ITEM_READERS.slice(0, end).entries()) read(line, fields[index] ?? '')
}

function readItem(line: number, fields: readonly string[]): LegacyItem {
  const [name = '', price = '', quantity = '', unit = '', vat = '', department = ''] = fields
  return {
    name: readName(line, name),
    price: readPrice(line, price),
    quantity: readQuantity(line, quantity),
    unit: readUnit(line, unit),
    tax: { code: readTaxGroup(line, vat) },
    department: readDepartment(line, department),
  }
}

function readPrice(line: number, text: string): Money {
  return checkPrice(line, integer(text, MONEY_MAX), 'whole')
}

function readQuantity(line: number, text: string): number {
  return checkQuantity(line, integer(text, QUANTITY_MAX), 'whole')
}

function integer(text: string, max: number): number | undefined {
  if (!/^\d+$/.test(text)) return undefined
  const digits = text.replace(/^0+(?=\d)/, '')
  if (digits.length > String(max).length) return undefined
  const value = Number(digits)
  return value <= max ? value : undefined
}

function percentage(kind: 'discount' | 'surcharge', line: number, [text = '']: readonly string[]): CommandWord {
  return { word: 'adjustment', adjustment: { kind, percent: checkPercent(line, integer(text, MONEY_MAX), 'whole') } }
}

function amountOff(kind: 'discount' | 'surcharge', line: number, [text = '']: readonly string[]): CommandWord {
  return {
    word: 'adjustment',
    adjustment: { kind, amount: checkAmount(line, integer(text, MONEY_MAX), 'whole', { field: 'value' }) },
  }
}

function cash(call: 'cashIn' | 'cashOut', line: number, [text = '']: readonly string[]): CommandWord {
  return {
    word: 'service',
    calls: [{ call, amount: checkAmount(line, integer(text, MONEY_MAX), 'whole', { field: 'amount', min: 1 }) }],
  }
}

function readPayment(line: number, [type = '', text = '']: readonly string[]): CommandWord {
  if (!/^[1-9]$/.test(type)) return fail('218', line, 'payment type: expected 1 to 9')
  const mode = Number(type) - 1
  const amount = checkAmount(line, integer(text, MONEY_MAX), 'whole', { field: 'amount' })
  return amount === 0 ? { word: 'payment', mode } : { word: 'payment', mode, amount }
}

function readBarcode(line: number, [data = '', type = '']: readonly string[]): CommandWord {
  if (!/^[1-4]$/.test(type)) return fail('220', line, 'barcode: expected a type 1 to 4')
  checkBarcode(line, Number(type), data)
  return { word: 'barcode', type: Number(type), data }
}

function readDisplay(line: number, [first = '', second = '']: readonly string[]): CommandWord {
  for (const text of [first, second]) readFreeText(line, text)
  return {
    word: 'service',
    calls: [
      { call: 'display', row: 1, text: first },
      { call: 'display', row: 2, text: second },
    ],
  }
}
