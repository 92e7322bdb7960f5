// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source text are quoted here unchanged
/** A published frame must detect each changed constant of family A, because no round trip detects it. */
import { type MutationTable, NIBBLES } from './mutations.ts'

export const mutationsA: MutationTable = {
  'drivers/family-a/protocol/frame.ts': [
    ['another preamble', 'const START = 0x01', 'const START = 0x02'],
    ['another postamble', 'const END_OF_BODY = 0x05', 'const END_OF_BODY = 0x06'],
    ['another terminator', 'const END = 0x03', 'const END = 0x0a'],
    ['another separator before the status', 'const END_OF_DATA = 0x04', 'const END_OF_DATA = 0x06'],
    ['six status bytes, as family B has', 'const STATUS_LENGTH = 8', 'const STATUS_LENGTH = 6'],
    ['LEN written without 20h', 'nibbles(0x20 + length, 4)', 'nibbles(length, 4)'],
    ['LEN written one too large', 'nibbles(0x20 + length, 4)', 'nibbles(0x21 + length, 4)'],
    ['LEN read without 20h', 'const LEN_TO_TOTAL = 6 - 0x20', 'const LEN_TO_TOTAL = 6'],
    ['LEN read as the whole frame', 'const LEN_TO_TOTAL = 6 - 0x20', 'const LEN_TO_TOTAL = 0 - 0x20'],
    ['data one byte later', 'const DATA_AT = 10', 'const DATA_AT = 11'],
    ['the sum begins at the preamble', 'sum16(bytes, 1, length + 1)', 'sum16(bytes, 0, length + 1)'],
    ['the sum ends before the postamble', 'sum16(bytes, 1, length + 1)', 'sum16(bytes, 1, length)'],
    ['the sum is read from the preamble', 'sum16(frame, 1, length - 5)', 'sum16(frame, 0, length - 5)'],
    ['SEQ after CMD', 'String.fromCharCode(seq) + nibbles(code, 4)', 'nibbles(code, 4) + String.fromCharCode(seq)'],
    ['SEQ below 31h refused', 'export const FIRST_SEQ = 0x20', 'export const FIRST_SEQ = 0x31'],
  ],
  'drivers/wire/checksum.ts': [
    [
      'digits from 0 and A to F',
      'String.fromCharCode(0x30 + ((value >> shift) & 15))',
      '((value >> shift) & 15).toString(16).toUpperCase()',
    ],
    ...NIBBLES,
    ['nibbles on another base, read', '(bytes[at] ?? 0) - 0x30', '(bytes[at] ?? 0) - 0x40'],
    ['the sum kept to one byte', 'return sum & 0xffff', 'return sum & 0xff'],
  ],
  'drivers/family-a/protocol/fields.ts': [
    ['fields joined by commas', "export const TAB = '\\t'", "export const TAB = ','"],
    [
      'tax groups of items as digits',
      'return String.fromCharCode(64 + value)',
      'return String.fromCharCode(48 + value)',
    ],
  ],
  'drivers/family-a/protocol/layouts.ts': [
    [
      'no TAB after the last field',
      'field.write(value, page)) + TAB\n',
      "field.write(value, page)) + (at > 1 ? TAB : '')\n",
    ],
  ],
  'drivers/family-a/protocol/answer.ts': [['the code is not followed by a TAB', 'code + TAB + rest', 'code + rest']],
  'drivers/family-a/protocol/status.ts': [
    [
      'status: fiscal receipt in another bit',
      "{ byte: 2, bit: 3, name: 'fiscalReceiptOpen' }",
      "{ byte: 2, bit: 2, name: 'fiscalReceiptOpen' }",
    ],
    [
      'status: non-fiscal and fiscal changed',
      "{ byte: 2, bit: 5, name: 'nonFiscalReceiptOpen' }",
      "{ byte: 2, bit: 4, name: 'nonFiscalReceiptOpen' }",
    ],
    [
      'status: serial number in another bit',
      "{ byte: 4, bit: 2, name: 'serialNumberSet' }",
      "{ byte: 4, bit: 3, name: 'serialNumberSet' }",
    ],
    [
      'status: fiscalised in another byte',
      "{ byte: 5, bit: 3, name: 'fiscalised' }",
      "{ byte: 4, bit: 3, name: 'fiscalised' }",
    ],
    [
      'status: formatted in another bit',
      "{ byte: 5, bit: 1, name: 'memoryFormatted' }",
      "{ byte: 5, bit: 0, name: 'memoryFormatted' }",
    ],
  ],
  'drivers/family-a/protocol/commands/text.ts': [
    ['command code: open non-fiscal', "', 38, '", "', 40, '"],
    ['command code: non-fiscal text', "', 42, '", "', 41, '"],
    ['command code: close non-fiscal', "', 39, '", "', 37, '"],
  ],
  'drivers/family-a/protocol/commands/receipt.ts': [
    ['command code: open fiscal', "', 48, '", "', 52, '"],
    ['command code: payment', "', 53, '", "', 59, '"],
    ['invoice is another letter', "flag('invoice', 'I')", "flag('invoice', '1')"],
    [
      'till before the password',
      'tabs([operator, password, pointOfSale, {',
      'tabs([operator, pointOfSale, password, {',
    ],
    [
      'sale number before the password',
      'tabs([operator, password, saleNumber, pointOfSale,',
      'tabs([operator, saleNumber, password, pointOfSale,',
    ],
    [
      'amount before the mode of a payment',
      "optional(int('mode', { min: 0, max: d.currencyMode })),\n          optional(money('amount', { min: 0, max: PRICE_MAX })),\n",
      "optional(money('amount', { min: 0, max: PRICE_MAX })),\n          optional(int('mode', { min: 0, max: d.currencyMode })),\n",
    ],
  ],
  'drivers/family-a/protocol/commands/reports.ts': [
    ['command code: report', "', 69, '", "', 67, '"],
    ['command code: cash', "', 70, '", "', 73, '"],
    ['command code: sums of the day', "', 65, '", "', 75, '"],
    ['cash in and cash out changed', "in: '0', out: '1'", "in: '1', out: '0'"],
    ['paid in after paid out', "sum('cashIn'), signed('cashOut')", "signed('cashOut'), sum('cashIn')"],
    [
      'reversal sums before the sales',
      "sums('sales', d),\n            ...only(d, 'bg', sums('reversals', d)),",
      "...only(d, 'bg', sums('reversals', d)),\n            sums('sales', d),",
    ],
  ],
  'drivers/family-a/protocol/commands/queries.ts': [
    ['command code: status', "', 74, '", "', 77, '"],
    ['command code: transaction', "', 76, '", "', 77, '"],
    ['command code: diagnostic', "', 90, '", "', 93, '"],
    ['command code: clock', "', 61, '", "', 78, '"],
  ],
  'drivers/family-a/protocol/commands/articles.ts': [
    ['command code: articles', "', 107, '", "', 108, '"],
    [
      'capacity after the number of programmed articles',
      "limit('capacity'), count('programmed')",
      "count('programmed'), limit('capacity')",
    ],
    [
      'price before its type',
      "priceType,\n    money('price'),\n    flag(",
      "money('price'),\n    priceType,\n    flag(",
    ],
    [
      'department before the tax group',
      "groupLetter('taxCode', d),\n    int('department', { min: 0, max: 99 }),\n    int('group', { min: 1",
      "int('department', { min: 0, max: 99 }),\n    groupLetter('taxCode', d),\n    int('group', { min: 1",
    ],
    ['adding to the stock is another letter', "flag('addQuantity', 'A')", "flag('addQuantity', 'Q')"],
  ],
  'drivers/family-a/protocol/commands/programming.ts': [['command code: parameter', "', 255, '", "', 254, '"]],
  'drivers/family-a/protocol/time.ts': [
    [
      'day and month changed',
      'const dateOf = (local: string): string => `${local.slice(8, 10)}-${local.slice(5, 7)}',
      'const dateOf = (local: string): string => `${local.slice(5, 7)}-${local.slice(8, 10)}',
    ],
    ['a colon left out of the time', '(\\d\\d:\\d\\d:\\d\\d)(?: DST)', '(\\d\\d\\d\\d\\d\\d)(?: DST)'],
  ],
  'drivers/wire/field.ts': [
    ['amounts with three decimals', 'money: 2,', 'money: 3,'],
    ['quantities with two decimals', 'quantity: 3,', 'quantity: 2,'],
  ],
}

export const mutationsRo: MutationTable = {
  'drivers/family-a/protocol/edition.ts': [
    ['eight tax groups', 'taxGroups: 7,', 'taxGroups: 8,'],
    ['another rate switches a group off', "disabledRate: '100.02'", "disabledRate: '100.00'"],
  ],
  'drivers/family-a/protocol/fields.ts': [
    ['the place before its closure', "closure(), count('fiscalNumber')", "count('fiscalNumber'), closure()"],
  ],
  'drivers/family-a/protocol/commands/reports.ts': [
    ['the tax before the sum of invoices', "sum('invoices'), sum('invoiceTax')", "sum('invoiceTax'), sum('invoices')"],
  ],
  'drivers/family-a/protocol/commands/journal.ts': [
    [
      'the first document before its closure',
      "...only(d, 'ro', closure('firstClosure')),\n        document('first'),",
      "document('first'),\n        ...only(d, 'ro', closure('firstClosure')),",
    ],
  ],
  'drivers/family-a/protocol/commands/programming.ts': [
    ['rates entered on a day', "d.name === 'ro' ? plainTime('entered')", "d.name === 'ro' ? date('entered')"],
    ['command code: mode', "', 149, '", "', 148, '"],
  ],
}
