/**
 * The two error nibbles of an ACK (sheet 2.3). They form a pair: a refusal that depends on the state is (reason, 2).
 */

export interface Nibbles {
  readonly device: number
  readonly command: number
}

export const OK: Nibbles = { device: 0, command: 0 }
export const isFailure = ({ device, command }: Nibbles): boolean => device !== 0 || command !== 0
export const UNKNOWN_COMMAND: Nibbles = { device: 0, command: 1 }
export const ILLEGAL_STATE: Nibbles = { device: 0, command: 2 }
export const SYNTAX: Nibbles = { device: 0, command: 4 }

interface NibbleMeaning {
  readonly key: string
  readonly text: string
}

export const DEVICE_NIBBLES: readonly NibbleMeaning[] = [
  { key: 'ok', text: 'the device is in order' },
  { key: 'noPaper', text: 'out of paper, cover open, or a failure of the printer' },
  { key: 'registerOverflow', text: 'a register would overflow' },
  { key: 'clock', text: 'the clock is not set or is wrong' },
  { key: 'fiscalReceiptOpen', text: 'a fiscal receipt is open' },
  { key: 'residue', text: 'the receipt is not fully paid' },
  { key: 'nonFiscalReceiptOpen', text: 'a non-fiscal receipt is open' },
  { key: 'paidNotClosed', text: 'the receipt is paid but not closed' },
  { key: 'fiscalMemory', text: 'the fiscal memory is full or has failed' },
  { key: 'wrongPassword', text: 'the password is wrong' },
  { key: 'displayMissing', text: 'the external display is missing' },
  { key: 'dayExpired', text: '24 hours have passed without a Z report' },
  { key: 'overheated', text: 'the print head is too hot' },
  { key: 'powerCut', text: 'the power was cut inside a fiscal receipt' },
  { key: 'journalFull', text: 'the electronic journal is full' },
  { key: 'insufficientConditions', text: 'the conditions for this are not met' },
]

const COMMAND_NIBBLES: readonly NibbleMeaning[] = [
  { key: 'ok', text: 'the command is in order' },
  { key: 'unknownCommand', text: 'the command is unknown' },
  { key: 'illegalState', text: 'the command is not allowed now' },
  { key: 'reportNotZeroed', text: 'a report must be zeroed first' },
  { key: 'syntax', text: 'the command has a syntax error' },
  { key: 'valueTooLarge', text: 'a value is too large' },
  { key: 'valueZero', text: 'a value is zero' },
  { key: 'nothingToCorrect', text: 'there is no transaction to correct' },
  { key: 'notEnoughMoney', text: 'there is not enough money on hand' },
  { key: 'taxConflict', text: 'the tax groups are in conflict' },
  { key: 'noAccess', text: 'there is no access' },
]

const UNNAMED_MEANING: NibbleMeaning = { key: 'unknown', text: 'an error without a published meaning' }

export const nibbleCode = ({ device, command }: Nibbles): string =>
  `${(0x30 + device).toString(16)}/${(0x30 + command).toString(16)}`.toUpperCase()

/**
 * Returns a key and a text for a pair of nibbles. Unless it is 0, the nibble of the device contains the reason; 2 in
 * the nibble of the command then adds nothing. The pair 30/32 has two meanings: no receipt is open, or the open receipt
 * does not allow the command (sheet 4.9).
 */
export function nibbleMeaning({ device, command }: Nibbles): NibbleMeaning {
  if (device === 0 && command === 2)
    return { key: 'notAllowedNow', text: 'no receipt is open, or the one that is open does not allow this' }
  const reason = (device > 0 ? DEVICE_NIBBLES[device] : COMMAND_NIBBLES[command]) ?? UNNAMED_MEANING
  if (device === 0 || command === 0 || command === 2) return reason
  const added = COMMAND_NIBBLES[command] ?? UNNAMED_MEANING
  return { key: reason.key, text: `${reason.text}; ${added.text}` }
}
