// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source text stand here as they are
/**
 * Changed constants of family C's protocol. Of this family nearly no bytes of a real conversation are published, only
 * layouts; the frames here are those whose layout stands in a source and whose bytes were written and summed by a
 * program that is not ours (fixtures/sabotage says so of each).
 */
import type { Mutation } from './bench.ts'

const frame = 'drivers/family-c/protocol/frame.ts'
const status = 'drivers/family-c/protocol/status.ts'
const dialect = 'drivers/family-c/protocol/dialect.ts'
const cells = 'drivers/family-c/protocol/cells.ts'
const folder = 'drivers/family-c/protocol/commands'
const actions = `${folder}/actions.ts`
const sales = `${folder}/sales.ts`
const payment = `${folder}/payment.ts`
const registers = `${folder}/registers.ts`
const identity = `${folder}/identity.ts`
const checksum = 'drivers/wire/checksum.ts'

export const mutationsC: readonly Mutation[] = [
  { name: 'another start', file: frame, from: 'const STX = 0x02', to: 'const STX = 0x01' },
  { name: 'another end', file: frame, from: 'const ETX = 0x0a', to: 'const ETX = 0x0d' },
  { name: 'another first byte of an ACK', file: frame, from: 'const ACK = 0x06', to: 'const ACK = 0x07' },
  {
    name: 'LEN without itself, written',
    file: frame,
    from: '\\x02${String.fromCharCode(LEN_MIN + data.length',
    to: '\\x02${String.fromCharCode(LEN_MIN - 1 + data.length',
  },
  { name: 'LEN one larger, read', file: frame, from: 'len - 0x20 + 4', to: 'len - 0x20 + 5' },
  {
    name: 'the checksum begins at the start byte',
    file: frame,
    from: 'xor8(frame, 1, frame.length - 3)',
    to: 'xor8(frame, 0, frame.length - 3)',
  },
  {
    name: 'the checksum leaves LEN out',
    file: frame,
    from: 'xor8(frame, 1, frame.length - 3)',
    to: 'xor8(frame, 2, frame.length - 3)',
  },
  {
    name: 'the checksum is a sum',
    file: checksum,
    from: 'value ^= bytes[at] ?? 0',
    to: 'value = (value + (bytes[at] ?? 0)) & 0xff',
  },
  {
    name: 'nibbles on another base',
    file: checksum,
    from: 'String.fromCharCode(0x30 + ((value',
    to: 'String.fromCharCode(0x40 + ((value',
  },
  {
    name: 'nibbles low first',
    file: checksum,
    from: 'value = value * 16 + nibble',
    to: 'value = value + nibble * 16 ** (at - from)',
  },
  {
    name: 'CMD before NBL',
    file: frame,
    from: "return { kind: 'command', number, code, data",
    to: "return { kind: 'command', number: code, code: number, data",
  },
  {
    name: 'status: fiscal receipt in another bit',
    file: status,
    from: "bit(2, 1, 'fiscalOpen')",
    to: "bit(2, 4, 'fiscalOpen')",
  },
  { name: 'status: no paper in another byte', file: status, from: "bit(1, 0, 'noPaper')", to: "bit(0, 0, 'noPaper')" },
  {
    name: 'status: fiscalised in another bit',
    file: status,
    from: "bit(3, 5, 'fiscalised')",
    to: "bit(3, 3, 'fiscalised')",
  },
  {
    name: 'status: fractions in another bit',
    file: status,
    from: "bit(3, 4, 'fractions')",
    to: "bit(3, 2, 'fractions')",
  },
  {
    name: 'status: daily report in another bit',
    file: status,
    from: "bit(1, 3, 'dailyReportNotZeroed')",
    to: "bit(1, 2, 'dailyReportNotZeroed')",
  },
  { name: 'six status bytes', file: status, from: 'statusCodec(7, STATUS_BITS)', to: 'statusCodec(6, STATUS_BITS)' },
  { name: 'names of 32 symbols in a sale', file: sales, from: 'const NAME_WIDTH = 36', to: 'const NAME_WIDTH = 32' },
  {
    name: 'the quantity behind another mark',
    file: sales,
    from: 'return `*${short ? shortQuantity(quantity)',
    to: 'return `x${short ? shortQuantity(quantity)',
  },
  {
    name: 'percent and value change their marks',
    file: sales,
    from: "(percent === undefined ? '' : `,$",
    to: "(percent === undefined ? '' : `:$",
  },
  {
    name: 'the exact sum is another sign',
    file: payment,
    from: `text === '"' ? 'exact'`,
    to: `text === '!' ? 'exact'`,
  },
  {
    name: 'change asked for by 1',
    file: payment,
    from: "change: change === '0', amount",
    to: "change: change === '1', amount",
  },
  {
    name: 'amount before the payment type in cash in',
    file: payment,
    from: "const [, operator = '', password = '', type = '', amount = ''",
    to: "const [, operator = '', password = '', amount = '', type = ''",
  },
  {
    name: 'cells joined by commas',
    file: cells,
    from: "layout.write(values, cellWriter(dialect, page)).join(';')",
    to: "layout.write(values, cellWriter(dialect, page)).join(',')",
  },
  {
    name: 'cells taken apart at commas',
    file: cells,
    from: "const pieces = raw.split(';')",
    to: "const pieces = raw.split(',')",
  },
  { name: 'amounts of ten symbols', file: dialect, from: 'amountWidth: 11,', to: 'amountWidth: 10,' },
  { name: 'command code: display line', file: actions, from: 'code: 0x25,', to: 'code: 0x2d,' },
  {
    name: 'command code: clear display',
    file: actions,
    from: "name: 'displayClear', code: 0x24",
    to: "name: 'displayClear', code: 0x2c",
  },
  { name: 'command code: open non-fiscal', file: actions, from: 'code: 0x2e,', to: 'code: 0x2d,' },
  { name: 'command code: drawer', file: actions, from: "name: 'drawer', code: 0x2a", to: "name: 'drawer', code: 0x2c" },
  { name: 'command code: sale', file: sales, from: "name: 'sale', code: 0x31", to: "name: 'sale', code: 0x3f" },
  {
    name: 'command code: article sale',
    file: sales,
    from: "name: 'saleByPlu', code: 0x32",
    to: "name: 'saleByPlu', code: 0x3f",
  },
  {
    name: 'command code: payment',
    file: payment,
    from: "name: 'payment', code: 0x35",
    to: "name: 'payment', code: 0x3f",
  },
  { name: 'command code: pay and close', file: payment, from: 'code: 0x36,', to: 'code: 0x3c,' },
  { name: 'command code: close', file: payment, from: 'code: 0x38,', to: 'code: 0x3c,' },
  { name: 'command code: cancel', file: payment, from: 'code: 0x39,', to: 'code: 0x3c,' },
  { name: 'command code: copy', file: payment, from: 'code: 0x3a,', to: 'code: 0x3c,' },
  { name: 'command code: cash', file: payment, from: 'code: 0x3b,', to: 'code: 0x3c,' },
  {
    name: 'command code: status',
    file: identity,
    from: "name: 'status', code: 0x20",
    to: "name: 'status', code: 0x5f",
  },
  {
    name: 'command code: rates',
    file: identity,
    from: "name: 'readTaxRates', code: 0x62",
    to: "name: 'readTaxRates', code: 0x5f",
  },
  {
    name: 'command code: last document',
    file: registers,
    from: "name: 'lastDocument', code: 0x71",
    to: "name: 'lastDocument', code: 0x57",
  },
  { name: 'command code: sums of the day', file: registers, from: 'code: 0x6d,', to: 'code: 0x57,' },
]
