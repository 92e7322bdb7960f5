import { type StatusFlags, statusCodec } from '../../wire/status.ts'

/**
 * The eight status bytes of every answer (sheet 3). Bytes 3, 6 and 7 contain no flags. `generalError` is the OR of the
 * flags marked `#` in the sheet, `memoryError` of those marked `*`.
 */
export const status = statusCodec(8, [
  { byte: 0, bit: 6, name: 'coverOpen' },
  { byte: 0, bit: 5, name: 'generalError' },
  { byte: 0, bit: 4, name: 'mechanismFailure' },
  { byte: 0, bit: 2, name: 'clockNotSet' },
  { byte: 0, bit: 1, name: 'unknownCommand' },
  { byte: 0, bit: 0, name: 'syntaxError' },
  /** Only in the edition ro. */
  { byte: 1, bit: 2, name: 'dayTooLong' },
  { byte: 1, bit: 1, name: 'notPermitted' },
  { byte: 1, bit: 0, name: 'overflow' },
  { byte: 2, bit: 5, name: 'nonFiscalReceiptOpen' },
  { byte: 2, bit: 4, name: 'journalNearlyFull' },
  { byte: 2, bit: 3, name: 'fiscalReceiptOpen' },
  { byte: 2, bit: 2, name: 'journalFull' },
  { byte: 2, bit: 1, name: 'paperLow' },
  { byte: 2, bit: 0, name: 'noPaper' },
  { byte: 4, bit: 6, name: 'memoryDamaged' },
  { byte: 4, bit: 5, name: 'memoryError' },
  { byte: 4, bit: 4, name: 'memoryFull' },
  { byte: 4, bit: 3, name: 'memoryNearlyFull' },
  { byte: 4, bit: 2, name: 'serialNumberSet' },
  { byte: 4, bit: 1, name: 'taxNumberSet' },
  { byte: 4, bit: 0, name: 'memoryAccessError' },
  { byte: 5, bit: 4, name: 'vatSet' },
  { byte: 5, bit: 3, name: 'fiscalised' },
  { byte: 5, bit: 1, name: 'memoryFormatted' },
])

export type StatusFlag = (typeof status.bits)[number]['name']
export type Flags = StatusFlags<StatusFlag>

const GENERAL: readonly StatusFlag[] = [
  'coverOpen',
  'mechanismFailure',
  'unknownCommand',
  'syntaxError',
  'notPermitted',
  'overflow',
  'noPaper',
]
const MEMORY: readonly StatusFlag[] = ['memoryFull', 'memoryAccessError']

export function withSums(flags: Set<StatusFlag>): Set<StatusFlag> {
  if (GENERAL.some((flag) => flags.has(flag))) flags.add('generalError')
  if (MEMORY.some((flag) => flags.has(flag))) flags.add('memoryError')
  return flags
}
