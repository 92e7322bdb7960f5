/** The six status bytes of family B (sheet 7). Byte 3 is the error number of the last command, not flags. */
import type { ByteText } from '../../wire/charset.ts'
import { type StatusBit, statusCodec } from '../../wire/status.ts'
import { STATUS_LENGTH } from './frame.ts'

const BITS = [
  { byte: 0, bit: 5, name: 'generalError' },
  { byte: 0, bit: 4, name: 'mechanismError' },
  { byte: 0, bit: 3, name: 'noDisplay' },
  { byte: 0, bit: 2, name: 'clockNotSet' },
  { byte: 0, bit: 1, name: 'invalidCommand' },
  { byte: 0, bit: 0, name: 'syntaxError' },
  { byte: 1, bit: 6, name: 'wrongPassword' },
  { byte: 1, bit: 5, name: 'cutterError' },
  { byte: 1, bit: 2, name: 'ramCleared' },
  { byte: 1, bit: 1, name: 'notAllowedNow' },
  { byte: 1, bit: 0, name: 'overflow' },
  { byte: 2, bit: 6, name: 'printingAllowed' },
  { byte: 2, bit: 5, name: 'nonFiscalReceiptOpen' },
  { byte: 2, bit: 4, name: 'journalNearlyFull' },
  { byte: 2, bit: 3, name: 'fiscalReceiptOpen' },
  { byte: 2, bit: 2, name: 'journalMissing' },
  { byte: 2, bit: 1, name: 'paperLow' },
  { byte: 2, bit: 0, name: 'paperOut' },
  { byte: 4, bit: 6, name: 'deregistered' },
  { byte: 4, bit: 5, name: 'fiscalMemoryError' },
  { byte: 4, bit: 4, name: 'fiscalMemoryFull' },
  { byte: 4, bit: 3, name: 'fiscalMemoryNearlyFull' },
  { byte: 4, bit: 2, name: 'fiscalMemoryInvalidRecord' },
  { byte: 4, bit: 1, name: 'taxTerminalTrouble' },
  { byte: 4, bit: 0, name: 'fiscalMemoryWriteError' },
  { byte: 5, bit: 6, name: 'fiscalMemoryReady' },
  { byte: 5, bit: 5, name: 'numbersProgrammed' },
  { byte: 5, bit: 4, name: 'taxRatesSet' },
  { byte: 5, bit: 3, name: 'fiscalised' },
  { byte: 5, bit: 0, name: 'fiscalMemoryOverflow' },
] as const satisfies readonly StatusBit<string>[]

export type StatusName = (typeof BITS)[number]['name']

/** Flags of bytes 0 to 2 that also set bit 5 of byte 0. */
export const GENERAL_ERRORS: readonly StatusName[] = [
  'mechanismError',
  'invalidCommand',
  'syntaxError',
  'ramCleared',
  'notAllowedNow',
  'paperOut',
]

/** Flags of bytes 4 and 5 that also set bit 5 of byte 4. */
export const FISCAL_MEMORY_ERRORS: readonly StatusName[] = [
  'fiscalMemoryFull',
  'fiscalMemoryWriteError',
  'fiscalMemoryOverflow',
]

const codec = statusCodec(STATUS_LENGTH, BITS)

export interface Status {
  readonly flags: ReadonlySet<StatusName>
  readonly error: number
}

export function writeStatus({ flags, error }: Status): ByteText {
  const raw = codec.write(flags)
  return raw.slice(0, 3) + String.fromCharCode(0x80 | error) + raw.slice(4)
}

export const readStatus = (raw: ByteText): Status => ({ flags: codec.read(raw), error: raw.charCodeAt(3) & 0x7f })
