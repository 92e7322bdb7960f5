// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source text stand here as they are
/** Changed constants of family A's protocol: each must be noticed by a published frame, since no round trip would. */
import type { Mutation } from './bench.ts'

const frame = 'drivers/family-a/protocol/frame.ts'
const status = 'drivers/family-a/protocol/status.ts'
const fields = 'drivers/family-a/protocol/fields.ts'
const answer = 'drivers/family-a/protocol/answer.ts'
const receipt = 'drivers/family-a/protocol/commands/receipt.ts'
const reports = 'drivers/family-a/protocol/commands/reports.ts'
const text = 'drivers/family-a/protocol/commands/text.ts'
const queries = 'drivers/family-a/protocol/commands/queries.ts'
const articles = 'drivers/family-a/protocol/commands/articles.ts'
const programming = 'drivers/family-a/protocol/commands/programming.ts'
const time = 'drivers/family-a/protocol/time.ts'
const checksum = 'drivers/wire/checksum.ts'
const money = 'drivers/wire/field.ts'

/** Two lines of a row of fields change places: the only way in which both sides can agree on a wrong order. */
const swap = (name: string, file: string, one: string, other: string): Mutation => ({
  name,
  file,
  from: one + other,
  to: other + one,
})

export const mutationsA: readonly Mutation[] = [
  { name: 'another preamble', file: frame, from: 'const START = 0x01', to: 'const START = 0x02' },
  { name: 'another postamble', file: frame, from: 'const END_OF_BODY = 0x05', to: 'const END_OF_BODY = 0x06' },
  { name: 'another terminator', file: frame, from: 'const END = 0x03', to: 'const END = 0x0a' },
  {
    name: 'another separator before the status',
    file: frame,
    from: 'const END_OF_DATA = 0x04',
    to: 'const END_OF_DATA = 0x06',
  },
  {
    name: 'six status bytes, as family B has',
    file: frame,
    from: 'const STATUS_LENGTH = 8',
    to: 'const STATUS_LENGTH = 6',
  },
  { name: 'LEN written without 20h', file: frame, from: 'nibbles(0x20 + length, 4)', to: 'nibbles(length, 4)' },
  {
    name: 'LEN written one too large',
    file: frame,
    from: 'nibbles(0x20 + length, 4)',
    to: 'nibbles(0x21 + length, 4)',
  },
  { name: 'LEN read without 20h', file: frame, from: 'const LEN_TO_TOTAL = 6 - 0x20', to: 'const LEN_TO_TOTAL = 6' },
  {
    name: 'LEN read as the whole frame',
    file: frame,
    from: 'const LEN_TO_TOTAL = 6 - 0x20',
    to: 'const LEN_TO_TOTAL = 0 - 0x20',
  },
  { name: 'data one byte later', file: frame, from: 'const DATA_AT = 10', to: 'const DATA_AT = 11' },
  {
    name: 'the sum begins at the preamble',
    file: frame,
    from: 'sum16(bytes, 1, length + 1)',
    to: 'sum16(bytes, 0, length + 1)',
  },
  {
    name: 'the sum ends before the postamble',
    file: frame,
    from: 'sum16(bytes, 1, length + 1)',
    to: 'sum16(bytes, 1, length)',
  },
  {
    name: 'the sum is read from the preamble',
    file: frame,
    from: 'sum16(frame, 1, length - 5)',
    to: 'sum16(frame, 0, length - 5)',
  },
  {
    name: 'SEQ behind CMD',
    file: frame,
    from: "bytes[5] = seq\n  bytes.write(nibbles(code, 4), 6, 'latin1')",
    to: "bytes[9] = seq\n  bytes.write(nibbles(code, 4), 5, 'latin1')",
  },
  {
    name: 'SEQ below 31h refused',
    file: frame,
    from: 'export const FIRST_SEQ = 0x20',
    to: 'export const FIRST_SEQ = 0x31',
  },
  {
    name: 'digits from 0 and A to F',
    file: checksum,
    from: 'String.fromCharCode(0x30 + ((value >> shift) & 15))',
    to: '((value >> shift) & 15).toString(16).toUpperCase()',
  },
  {
    name: 'nibbles on another base, written',
    file: checksum,
    from: 'String.fromCharCode(0x30 + ((value',
    to: 'String.fromCharCode(0x40 + ((value',
  },
  {
    name: 'nibbles on another base, read',
    file: checksum,
    from: '(bytes[at] ?? 0) - 0x30',
    to: '(bytes[at] ?? 0) - 0x40',
  },
  {
    name: 'nibbles low first',
    file: checksum,
    from: 'value = value * 16 + nibble',
    to: 'value = value + nibble * 16 ** (at - from)',
  },
  { name: 'the sum kept to one byte', file: checksum, from: 'return sum & 0xffff', to: 'return sum & 0xff' },
  { name: 'fields joined by commas', file: fields, from: "export const TAB = '\\t'", to: "export const TAB = ','" },
  {
    name: 'no TAB behind the last field',
    file: fields,
    from: 'field.write(value, page)) + TAB\n',
    to: "field.write(value, page)) + (at > 1 ? TAB : '')\n",
  },
  { name: 'the code is not followed by a TAB', file: answer, from: 'code + TAB + rest', to: 'code + rest' },
  {
    name: 'status: fiscal receipt in another bit',
    file: status,
    from: "{ byte: 2, bit: 3, name: 'fiscalReceiptOpen' }",
    to: "{ byte: 2, bit: 2, name: 'fiscalReceiptOpen' }",
  },
  {
    name: 'status: non-fiscal and fiscal changed',
    file: status,
    from: "{ byte: 2, bit: 5, name: 'nonFiscalReceiptOpen' }",
    to: "{ byte: 2, bit: 4, name: 'nonFiscalReceiptOpen' }",
  },
  {
    name: 'status: serial number in another bit',
    file: status,
    from: "{ byte: 4, bit: 2, name: 'serialNumberSet' }",
    to: "{ byte: 4, bit: 3, name: 'serialNumberSet' }",
  },
  {
    name: 'status: fiscalised in another byte',
    file: status,
    from: "{ byte: 5, bit: 3, name: 'fiscalised' }",
    to: "{ byte: 4, bit: 3, name: 'fiscalised' }",
  },
  {
    name: 'status: formatted in another bit',
    file: status,
    from: "{ byte: 5, bit: 1, name: 'memoryFormatted' }",
    to: "{ byte: 5, bit: 0, name: 'memoryFormatted' }",
  },
  { name: 'command code: open non-fiscal', file: text, from: 'code: 38,', to: 'code: 40,' },
  { name: 'command code: non-fiscal text', file: text, from: 'code: 42,', to: 'code: 41,' },
  { name: 'command code: close non-fiscal', file: text, from: 'code: 39,', to: 'code: 37,' },
  { name: 'command code: open fiscal', file: receipt, from: 'code: 48,', to: 'code: 52,' },
  { name: 'command code: payment', file: receipt, from: 'code: 53,', to: 'code: 59,' },
  { name: 'command code: report', file: reports, from: 'code: 69,', to: 'code: 67,' },
  { name: 'command code: cash', file: reports, from: 'code: 70,', to: 'code: 73,' },
  { name: 'command code: sums of the day', file: reports, from: 'code: 65,', to: 'code: 75,' },
  { name: 'command code: status', file: queries, from: 'code: 74,', to: 'code: 77,' },
  { name: 'command code: transaction', file: queries, from: 'code: 76,', to: 'code: 77,' },
  { name: 'command code: diagnostic', file: queries, from: 'code: 90,', to: 'code: 93,' },
  { name: 'command code: clock', file: queries, from: 'code: 61,', to: 'code: 78,' },
  { name: 'command code: articles', file: articles, from: 'code: 107,', to: 'code: 108,' },
  { name: 'command code: parameter', file: programming, from: 'code: 255,', to: 'code: 254,' },
  { name: 'invoice is another letter', file: receipt, from: "flag('invoice', 'I')", to: "flag('invoice', '1')" },
  {
    name: 'till before the password',
    file: receipt,
    from: 'tabs([operator, password, pointOfSale, {',
    to: 'tabs([operator, pointOfSale, password, {',
  },
  {
    name: 'sale number before the password',
    file: receipt,
    from: 'tabs([operator, password, saleNumber, pointOfSale,',
    to: 'tabs([operator, saleNumber, password, pointOfSale,',
  },
  swap(
    'amount before the mode of a payment',
    receipt,
    "      optional(int('mode', { min: 0, max: 6 })),\n",
    "      optional(money('amount', { min: 0, max: PRICE_MAX })),\n",
  ),
  { name: 'cash in and cash out changed', file: reports, from: "in: '0', out: '1'", to: "in: '1', out: '0'" },
  {
    name: 'paid in behind paid out',
    file: reports,
    from: "sum('cashIn'), signed('cashOut')",
    to: "signed('cashOut'), sum('cashIn')",
  },
  {
    name: 'reversal sums before the sales',
    file: reports,
    from: "sums('sales'), sums('reversals')",
    to: "sums('reversals'), sums('sales')",
  },
  {
    name: 'capacity behind what is programmed',
    file: articles,
    from: "count('capacity'), count('programmed')",
    to: "count('programmed'), count('capacity')",
  },
  {
    name: 'price before its type',
    file: articles,
    from: "        priceType,\n        money('price'),\n        flag(",
    to: "        money('price'),\n        priceType,\n        flag(",
  },
  {
    name: 'department before the tax group',
    file: articles,
    from: "        groupLetter('taxCode'),\n        int('department', { min: 0, max: 99 }),\n        int('group', { min: 1",
    to: "        int('department', { min: 0, max: 99 }),\n        groupLetter('taxCode'),\n        int('group', { min: 1",
  },
  {
    name: 'tax groups of items as digits',
    file: fields,
    from: 'return String.fromCharCode(64 + value)',
    to: 'return String.fromCharCode(48 + value)',
  },
  {
    name: 'adding to the stock is another letter',
    file: articles,
    from: "flag('addQuantity', 'A')",
    to: "flag('addQuantity', 'Q')",
  },
  {
    name: 'day and month changed',
    file: time,
    from: 'const dateOf = (local: string): string => `${local.slice(8, 10)}-${local.slice(5, 7)}',
    to: 'const dateOf = (local: string): string => `${local.slice(5, 7)}-${local.slice(8, 10)}',
  },
  {
    name: 'a colon left out of the time',
    file: time,
    from: '(\\d\\d:\\d\\d:\\d\\d)(?: DST)',
    to: '(\\d\\d\\d\\d\\d\\d)(?: DST)',
  },
  {
    name: 'amounts with three decimals',
    file: money,
    from: '): Field<Name, number> => decimal(name, 2, range)\n\n/** A quantity',
    to: '): Field<Name, number> => decimal(name, 3, range)\n\n/** A quantity',
  },
  { name: 'quantities with two decimals', file: money, from: 'decimal(name, 3, range)', to: 'decimal(name, 2, range)' },
]
