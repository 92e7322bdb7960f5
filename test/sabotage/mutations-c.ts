// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source text are quoted here unchanged
/**
 * A published frame must detect each changed constant of family C. Almost no bytes of real conversations are published.
 * The layout of each frame comes from a source, and an independent program computed its bytes and checksums
 * (fixtures/sabotage names both).
 */
import { type MutationTable, NIBBLES } from './mutations.ts'

export const mutationsC: MutationTable = {
  'drivers/family-c/protocol/frame.ts': [
    ['another start', 'const STX = 0x02', 'const STX = 0x01'],
    ['another end', 'const ETX = 0x0a', 'const ETX = 0x0d'],
    ['another first byte of an ACK', 'const ACK = 0x06', 'const ACK = 0x07'],
    [
      'LEN without itself, written',
      '\\x02${String.fromCharCode(LEN_MIN + data.length',
      '\\x02${String.fromCharCode(LEN_MIN - 1 + data.length',
    ],
    ['LEN one larger, read', 'len - 0x20 + 4', 'len - 0x20 + 5'],
    ['the checksum begins at the start byte', 'xor8(frame, 1, frame.length - 3)', 'xor8(frame, 0, frame.length - 3)'],
    ['the checksum leaves LEN out', 'xor8(frame, 1, frame.length - 3)', 'xor8(frame, 2, frame.length - 3)'],
    [
      'CMD before NBL',
      "return { kind: 'command', number, code, data",
      "return { kind: 'command', number: code, code: number, data",
    ],
  ],
  'drivers/wire/checksum.ts': [
    ['the checksum is a sum', 'value ^= bytes[at] ?? 0', 'value = (value + (bytes[at] ?? 0)) & 0xff'],
    ...NIBBLES,
  ],
  'drivers/family-c/protocol/status.ts': [
    ['status: fiscal receipt in another bit', "bit(2, 1, 'fiscalOpen')", "bit(2, 4, 'fiscalOpen')"],
    ['status: no paper in another byte', "bit(1, 0, 'noPaper')", "bit(0, 0, 'noPaper')"],
    ['status: fiscalised in another bit', "bit(3, 5, 'fiscalised')", "bit(3, 3, 'fiscalised')"],
    ['status: fractions in another bit', "bit(3, 4, 'fractions')", "bit(3, 2, 'fractions')"],
    ['status: daily report in another bit', "bit(1, 3, 'dailyReportNotZeroed')", "bit(1, 2, 'dailyReportNotZeroed')"],
    ['six status bytes', 'statusCodec(7, STATUS_BITS)', 'statusCodec(6, STATUS_BITS)'],
  ],
  'drivers/family-c/protocol/commands/sales.ts': [
    ['names of 32 symbols in a sale', 'const NAME_WIDTH = 36', 'const NAME_WIDTH = 32'],
    [
      'the quantity after another mark',
      'return `*${short ? shortQuantity(quantity)',
      'return `x${short ? shortQuantity(quantity)',
    ],
    ['percent and value change their marks', "(percent === undefined ? '' : `,$", "(percent === undefined ? '' : `:$"],
    ['command code: sale', "', 0x31, '", "', 0x3f, '"],
    ['command code: article sale', "', 0x32, '", "', 0x3f, '"],
  ],
  'drivers/family-c/protocol/commands/payment.ts': [
    ['the exact sum is another sign', "text === '\"' ? 'exact'", "text === '!' ? 'exact'"],
    ['change requested by 1', "change: change === '0', amount", "change: change === '1', amount"],
    [
      'amount before the payment type in cash in',
      "const [, operator = '', password = '', type = '', amount = ''",
      "const [, operator = '', password = '', amount = '', type = ''",
    ],
    ['command code: payment', "', 0x35, '", "', 0x3f, '"],
    ['command code: pay and close', "', 0x36, '", "', 0x3c, '"],
    ['command code: close', "', 0x38, '", "', 0x3c, '"],
    ['command code: cancel', "', 0x39, '", "', 0x3c, '"],
    ['command code: copy', "', 0x3a, '", "', 0x3c, '"],
    ['command code: cash', "', 0x3b, '", "', 0x3c, '"],
  ],
  'drivers/family-c/protocol/cells.ts': [
    [
      'cells joined by commas',
      "layout.write(values, cellWriter(edition, page)).join(';')",
      "layout.write(values, cellWriter(edition, page)).join(',')",
    ],
    ['cells split at commas', "const pieces = raw.split(';')", "const pieces = raw.split(',')"],
  ],
  'drivers/family-c/protocol/edition.ts': [['amounts of ten symbols', 'amountWidth: 11,', 'amountWidth: 10,']],
  'drivers/family-c/protocol/commands/actions.ts': [
    ['command code: display line', "', 0x25, '", "', 0x2d, '"],
    ['command code: clear display', "', 0x24, '", "', 0x2c, '"],
    ['command code: open non-fiscal', "', 0x2e, '", "', 0x2d, '"],
    ['command code: drawer', "', 0x2a, '", "', 0x2c, '"],
  ],
  'drivers/family-c/protocol/commands/identity.ts': [
    ['command code: status', "', 0x20, '", "', 0x5f, '"],
    ['command code: rates', "', 0x62, '", "', 0x5f, '"],
  ],
  'drivers/family-c/protocol/commands/registers.ts': [
    ['command code: last document', "', 0x71, '", "', 0x57, '"],
    ['command code: sums of the day', "', 0x6d, '", "', 0x57, '"],
  ],
}

export const mutationsC6: MutationTable = {
  'drivers/family-c/protocol/edition.ts': [
    ['passwords of four symbols', 'passwordWidth: 6,', 'passwordWidth: 4,'],
    ['four digits of the last document', "lastDocument: 'six'", "lastDocument: 'four'"],
  ],
  'drivers/family-c/protocol/commands/identity.ts': [
    [
      'the kind after the number of a registration',
      'String(v.idType), w.short(v.number, 12)',
      'w.short(v.number, 12), String(v.idType)',
    ],
    ['command code: registration', "', 0x61, '", "', 0x5e, '"],
  ],
}
