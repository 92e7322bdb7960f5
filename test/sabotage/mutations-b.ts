// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source text are quoted here unchanged
/** A published frame must detect each changed constant of family B, because no round trip detects it. */
import { type MutationTable, NIBBLES } from './mutations.ts'

export const mutationsB: MutationTable = {
  'drivers/family-b/protocol/frame.ts': [
    ['another preamble', 'const START = 0x01', 'const START = 0x02'],
    ['another terminator', 'const END = 0x03', 'const END = 0x0d'],
    ['another postamble', 'const POSTAMBLE = 0x05', 'const POSTAMBLE = 0x06'],
    ['another separator before the status', 'const SEPARATOR = 0x04', 'const SEPARATOR = 0x07'],
    ['eight status bytes, as family A has', 'const STATUS_LENGTH = 6', 'const STATUS_LENGTH = 8'],
    ['LEN written without itself', '0x20 + body.length + 2', '0x20 + body.length + 1'],
    ['LEN written without 20h', '0x20 + body.length + 2', 'body.length + 2'],
    [
      'LEN read one too small',
      'Math.min(SATURATED_BYTE, 0x20 + postamble)',
      'Math.min(SATURATED_BYTE, 0x1f + postamble)',
    ],
    ['the sum begins at SEQ', 'sum16(frame, 1, postamble + 1)', 'sum16(frame, 2, postamble + 1)'],
    ['the sum ends before the postamble', 'sum16(frame, 1, postamble + 1)', 'sum16(frame, 1, postamble)'],
    ['the sum is written as one byte', 'nibbles(sum & 0xffff, 4)', 'nibbles(sum & 0xff, 4)'],
    ['three digits of sum', 'nibbles(sum & 0xffff, 4)', 'nibbles(sum & 0xffff, 3)'],
    [
      'CMD before SEQ',
      'seq: body.charCodeAt(0), command: body.charCodeAt(1), data: body.slice(2) }',
      'seq: body.charCodeAt(1), command: body.charCodeAt(0), data: body.slice(2) }',
    ],
    [
      'data one byte later',
      'command: body.charCodeAt(1), data: body.slice(2) }',
      'command: body.charCodeAt(1), data: body.slice(3) }',
    ],
  ],
  'drivers/wire/checksum.ts': [...NIBBLES],
  'drivers/family-b/protocol/status.ts': [
    [
      'status: fiscal receipt in another bit',
      "{ byte: 2, bit: 3, name: 'fiscalReceiptOpen' }",
      "{ byte: 2, bit: 4, name: 'fiscalReceiptOpen' }",
    ],
    [
      'status: printing allowed in another bit',
      "{ byte: 2, bit: 6, name: 'printingAllowed' }",
      "{ byte: 1, bit: 6, name: 'printingAllowed' }",
    ],
    [
      'status: no display in another bit',
      "{ byte: 0, bit: 3, name: 'noDisplay' }",
      "{ byte: 0, bit: 4, name: 'noDisplay' }",
    ],
    [
      'status: general error in another bit',
      "{ byte: 0, bit: 5, name: 'generalError' }",
      "{ byte: 0, bit: 6, name: 'generalError' }",
    ],
    [
      'status: fiscalised in another bit',
      "{ byte: 5, bit: 3, name: 'fiscalised' }",
      "{ byte: 5, bit: 2, name: 'fiscalised' }",
    ],
    [
      'status: rates set in another bit',
      "{ byte: 5, bit: 4, name: 'taxRatesSet' }",
      "{ byte: 4, bit: 4, name: 'taxRatesSet' }",
    ],
    ['the error number in another byte', 'raw.charCodeAt(3) & 0x7f', 'raw.charCodeAt(4) & 0x7f'],
    ['the error number keeps bit 7', 'raw.charCodeAt(3) & 0x7f', 'raw.charCodeAt(3)'],
  ],
  'drivers/family-b/protocol/commands/rows.ts': [
    ['fields joined by semicolons', "separator: ','", "separator: ';'"],
    ['counters of four digits', 'digits: 6', 'digits: 4'],
    [
      'fiscal receipts before documents',
      "row(COMMAS, [counter('documents'), counter('receipts')])",
      "row(COMMAS, [counter('receipts'), counter('documents')])",
    ],
  ],
  'drivers/family-b/protocol/commands/opening.ts': [
    [
      'the password before the operator',
      "const [number = '', secret = '', third",
      "const [secret = '', number = '', third",
    ],
    ['command code: open fiscal', "', 48, '", "', 60, '"],
  ],
  'drivers/family-b/protocol/numbers.ts': [
    ['sums with a point', 'String(value).padStart(digits', '(value / 100).toFixed(2).padStart(digits'],
    [
      'sums read as whole units',
      'fraction === undefined ? Number(whole)',
      'fraction === undefined ? Number(whole) * 100',
    ],
  ],
  'drivers/family-b/protocol/commands/queries.ts': [
    ['command code: status', "', 74, '", "', 75, '"],
    ['command code: diagnostics', "', 90, '", "', 91, '"],
    ['command code: constants', "', 128, '", "', 129, '"],
    ['command code: operator', "', 112, '", "', 121, '"],
    ['command code: QR text', "', 116, '", "', 115, '"],
    ['command code: document', "', 119, '", "', 120, '"],
  ],
  'drivers/family-b/protocol/commands/reports.ts': [
    ['command code: daily report', "'dailyReport', 69,", "'dailyReport', 67,"],
    ['command code: brief report by date', "', 79, '", "', 80, '"],
    ['command code: parameters report', "', 166, '", "', 167, '"],
  ],
  'drivers/family-b/protocol/commands/receipt.ts': [
    ['command code: subtotal', "', 51, '", "', 59, '"],
    [
      'display before print',
      "print: match[1] === '1',\n      display: match[2] === '1'",
      "print: match[2] === '1',\n      display: match[1] === '1'",
    ],
  ],
  'drivers/family-b/protocol/commands/stream.ts': [
    ['command code: report as text', "', 153, '", "', 154, '"],
    ['command code: journal', "', 195, '", "', 196, '"],
  ],
}
