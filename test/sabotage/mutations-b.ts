// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source text stand here as they are
/** Changed constants of family B's protocol: each must be noticed by a published frame, since no round trip would. */
import type { Mutation } from './bench.ts'

const frame = 'drivers/family-b/protocol/frame.ts'
const status = 'drivers/family-b/protocol/status.ts'
const numbers = 'drivers/family-b/protocol/numbers.ts'
const folder = 'drivers/family-b/protocol/commands'
const rows = `${folder}/rows.ts`
const opening = `${folder}/opening.ts`
const queries = `${folder}/queries.ts`
const reports = `${folder}/reports.ts`
const receipt = `${folder}/receipt.ts`
const stream = `${folder}/stream.ts`
const checksum = 'drivers/wire/checksum.ts'

export const mutationsB: readonly Mutation[] = [
  { name: 'another preamble', file: frame, from: 'const START = 0x01', to: 'const START = 0x02' },
  { name: 'another terminator', file: frame, from: 'const END = 0x03', to: 'const END = 0x0d' },
  { name: 'another postamble', file: frame, from: 'const POSTAMBLE = 0x05', to: 'const POSTAMBLE = 0x06' },
  {
    name: 'another separator before the status',
    file: frame,
    from: 'const SEPARATOR = 0x04',
    to: 'const SEPARATOR = 0x07',
  },
  {
    name: 'eight status bytes, as family A has',
    file: frame,
    from: 'const STATUS_LENGTH = 6',
    to: 'const STATUS_LENGTH = 8',
  },
  { name: 'LEN written without itself', file: frame, from: '0x20 + body.length + 2', to: '0x20 + body.length + 1' },
  { name: 'LEN written without 20h', file: frame, from: '0x20 + body.length + 2', to: 'body.length + 2' },
  {
    name: 'LEN read one too small',
    file: frame,
    from: 'Math.min(SATURATED, 0x20 + postamble)',
    to: 'Math.min(SATURATED, 0x1f + postamble)',
  },
  {
    name: 'the sum begins at SEQ',
    file: frame,
    from: 'sum16(frame, 1, postamble + 1)',
    to: 'sum16(frame, 2, postamble + 1)',
  },
  {
    name: 'the sum ends before the postamble',
    file: frame,
    from: 'sum16(frame, 1, postamble + 1)',
    to: 'sum16(frame, 1, postamble)',
  },
  {
    name: 'the sum is written as one byte',
    file: frame,
    from: 'nibbles(sum & 0xffff, 4)',
    to: 'nibbles(sum & 0xff, 4)',
  },
  { name: 'three digits of sum', file: frame, from: 'nibbles(sum & 0xffff, 4)', to: 'nibbles(sum & 0xffff, 3)' },
  {
    name: 'CMD before SEQ',
    file: frame,
    from: 'seq: body.charCodeAt(0), command: body.charCodeAt(1), data: body.slice(2) }',
    to: 'seq: body.charCodeAt(1), command: body.charCodeAt(0), data: body.slice(2) }',
  },
  {
    name: 'data one byte later',
    file: frame,
    from: 'command: body.charCodeAt(1), data: body.slice(2) }',
    to: 'command: body.charCodeAt(1), data: body.slice(3) }',
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
    name: 'status: fiscal receipt in another bit',
    file: status,
    from: "{ byte: 2, bit: 3, name: 'fiscalReceiptOpen' }",
    to: "{ byte: 2, bit: 4, name: 'fiscalReceiptOpen' }",
  },
  {
    name: 'status: printing allowed in another bit',
    file: status,
    from: "{ byte: 2, bit: 6, name: 'printingAllowed' }",
    to: "{ byte: 1, bit: 6, name: 'printingAllowed' }",
  },
  {
    name: 'status: no display in another bit',
    file: status,
    from: "{ byte: 0, bit: 3, name: 'noDisplay' }",
    to: "{ byte: 0, bit: 4, name: 'noDisplay' }",
  },
  {
    name: 'status: general error in another bit',
    file: status,
    from: "{ byte: 0, bit: 5, name: 'generalError' }",
    to: "{ byte: 0, bit: 6, name: 'generalError' }",
  },
  {
    name: 'status: fiscalised in another bit',
    file: status,
    from: "{ byte: 5, bit: 3, name: 'fiscalised' }",
    to: "{ byte: 5, bit: 2, name: 'fiscalised' }",
  },
  {
    name: 'status: rates set in another bit',
    file: status,
    from: "{ byte: 5, bit: 4, name: 'taxRatesSet' }",
    to: "{ byte: 4, bit: 4, name: 'taxRatesSet' }",
  },
  {
    name: 'the error number in another byte',
    file: status,
    from: 'raw.charCodeAt(3) & 0x7f',
    to: 'raw.charCodeAt(4) & 0x7f',
  },
  { name: 'the error number keeps bit 7', file: status, from: 'raw.charCodeAt(3) & 0x7f', to: 'raw.charCodeAt(3)' },
  { name: 'fields joined by semicolons', file: rows, from: "separator: ','", to: "separator: ';'" },
  { name: 'counters of four digits', file: rows, from: 'digits: 6', to: 'digits: 4' },
  {
    name: 'fiscal receipts before documents',
    file: rows,
    from: "row(COMMAS, [counter('documents'), counter('receipts')])",
    to: "row(COMMAS, [counter('receipts'), counter('documents')])",
  },
  {
    name: 'the password before the operator',
    file: opening,
    from: "const [number = '', secret = '', third",
    to: "const [secret = '', number = '', third",
  },
  {
    name: 'sums with a point',
    file: numbers,
    from: 'String(value).padStart(digits',
    to: '(value / 100).toFixed(2).padStart(digits',
  },
  {
    name: 'sums read as whole units',
    file: numbers,
    from: 'fraction === undefined ? Number(whole)',
    to: 'fraction === undefined ? Number(whole) * 100',
  },
  { name: 'command code: open fiscal', file: opening, from: 'code: 48,', to: 'code: 60,' },
  { name: 'command code: status', file: queries, from: 'code: 74,', to: 'code: 75,' },
  { name: 'command code: diagnostics', file: queries, from: 'code: 90,', to: 'code: 91,' },
  { name: 'command code: constants', file: queries, from: 'code: 128,', to: 'code: 129,' },
  { name: 'command code: operator', file: queries, from: 'code: 112,', to: 'code: 121,' },
  { name: 'command code: QR text', file: queries, from: 'code: 116,', to: 'code: 115,' },
  { name: 'command code: document', file: queries, from: 'code: 119,', to: 'code: 120,' },
  { name: 'command code: daily report', file: reports, from: 'code: 69,', to: 'code: 67,' },
  { name: 'command code: brief report by date', file: reports, from: 'code: 79,', to: 'code: 80,' },
  { name: 'command code: parameters report', file: reports, from: 'code: 166,', to: 'code: 167,' },
  { name: 'command code: subtotal', file: receipt, from: 'code: 51,', to: 'code: 59,' },
  { name: 'command code: report as text', file: stream, from: 'code: 153,', to: 'code: 154,' },
  { name: 'command code: journal', file: stream, from: 'code: 195,', to: 'code: 196,' },
  {
    name: 'display before print',
    file: receipt,
    from: "print: match[1] === '1',\n      display: match[2] === '1'",
    to: "print: match[2] === '1',\n      display: match[1] === '1'",
  },
]
