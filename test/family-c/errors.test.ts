/** The two error nibbles of an acknowledgement, combined: sheet C 2.3. */
import { describe, expect, it } from 'vitest'
import { isFailure, nibbleCode, nibbleMeaning } from '../../drivers/family-c/protocol/errors.ts'

describe('the error bytes of family C', () => {
  it.each<readonly [number, number, string, string, string]>([
    // The device's nibble is the reason if it is not 0.
    [4, 2, '34/32', 'fiscalReceiptOpen', 'a fiscal receipt is open'],
    [3, 2, '33/32', 'clock', 'the clock is not set or is wrong'],
    [9, 0, '39/30', 'wrongPassword', 'the password is wrong'],
    [15, 2, '3F/32', 'insufficientConditions', 'the conditions for this are not met'],
    [2, 5, '32/35', 'registerOverflow', 'a register would overflow; a value is too large'],
    [10, 10, '3A/3A', 'displayMissing', 'the external display is missing; there is no access'],
    [2, 11, '32/3B', 'registerOverflow', 'a register would overflow; an error without a published meaning'],
    // Otherwise the command's nibble is the reason.
    [0, 1, '30/31', 'unknownCommand', 'the command is unknown'],
    [0, 4, '30/34', 'syntax', 'the command has a syntax error'],
    [0, 11, '30/3B', 'unknown', 'an error without a published meaning'],
    // If the command's nibble is 2 and the device's is 0, no receipt is open, or the open receipt does not allow the
    // command.
    [0, 2, '30/32', 'notAllowedNow', 'no receipt is open, or the one that is open does not allow this'],
  ])('encode the main error %i and the detail %i as %s', (device, command, code, key, text) => {
    expect(nibbleCode({ device, command })).toBe(code)
    expect(nibbleMeaning({ device, command })).toEqual({ key, text })
    expect(isFailure({ device, command })).toBe(true)
  })

  it('are 30/30 without an error', () => {
    expect(nibbleCode({ device: 0, command: 0 })).toBe('30/30')
    expect(isFailure({ device: 0, command: 0 })).toBe(false)
  })
})
