import { ERRORS } from '../../drivers/family-b/protocol/errors.ts'
import { AUTOMATIC_Z } from '../fiscal/automatic-z.ts'
import { type ChosenSwitches, readSwitches } from '../switches.ts'
import type { SwitchOptions } from '../wire.ts'

/** Named switches that imitate particular firmware or a particular failure; each names its source. */
export const CHOICES = {
  /** M3: firmware whose command list omits the free sale answers 49 and 52 with "invalid command". */
  freeSale: ['true', 'false'],
  /** M2: the third field of 48 must be a unique sale number. */
  strictUnp: ['false', 'true'],
  /** 5.5: a partial frame is dropped silently, or answered with NAK. */
  partialFrame: ['silence', 'nak'],
  /** 3: a register that is not in its PC mode executes only commands that do not require it. */
  pcMode: ['on', 'off'],
  /** 5.2: interval of SYN in ms, on most firmware and on the newest. */
  synMs: ['60', '100'],
  /** 10.6: 62 answers with dashes, or with dots on the newest firmware. */
  clock: ['dashes', 'dots'],
  /** 8.4, doubt 4: whether a wrong password in 48 also sets bit 1.6. */
  passwordBit: ['clear', 'set'],
  /** Time of day at which the device makes the Z report by itself, if something was sold. */
  automaticZ: AUTOMATIC_Z,
} as const

export interface Switches extends ChosenSwitches<typeof CHOICES> {
  /**
   * Error number (sheet 8.1) of a failed part: modem, scale, fiscal memory, journal medium or server. The device
   * refuses fiscal receipts and daily reports with it. 0: no failure.
   */
  readonly trouble: number
  /** Password of 192 on firmware that locks the reports of the fiscal memory. */
  readonly memoryPassword: string
}

/** Throws RangeError with a readable message for an unknown name or value. */
export function switchesOf(options: SwitchOptions = {}): Switches {
  const { trouble = '0', memoryPassword = '000000', ...named } = options
  const chosen = readSwitches('B', CHOICES, named, ['trouble', 'memoryPassword'])
  if (trouble !== '0' && !Object.hasOwn(ERRORS, trouble)) {
    throw new RangeError(`trouble=${trouble}: no such error number`)
  }
  return { ...chosen, trouble: Number(trouble), memoryPassword }
}
