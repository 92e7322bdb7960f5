import { ERRORS } from '../../drivers/family-b/protocol/errors.ts'
import { AUTOMATIC_Z } from '../fiscal/automatic-z.ts'
import { type ChosenSwitches, readSwitches } from '../switches.ts'
import type { SwitchOptions } from '../wire.ts'

/**
 * Deviations from the default behaviour of the sheet that imitate particular firmware or a particular failure. Each
 * switch cites its source, or `[house]` for the project's own choice.
 */
export const CHOICES = {
  /** Source M3: firmware without free sales answers 49 and 52 with "invalid command". */
  freeSale: ['true', 'false'],
  /** Source M2: the third field of 48 must be a unique sale number. */
  strictUnp: ['false', 'true'],
  /** Sheet 5.5: a partial frame is dropped silently, or answered with NAK. */
  partialFrame: ['silence', 'nak'],
  /** Sheet 3: a register outside its PC mode executes only commands that do not require this mode. */
  pcMode: ['on', 'off'],
  /** Sheet 5.2: interval of SYN in ms: 60 on most firmware, 100 on the newest. */
  synMs: ['60', '100'],
  /** Sheet 10.6: 62 answers with dashes, but on the newest firmware with dots. */
  clock: ['dashes', 'dots'],
  /** Sheet 8.4, doubt 4: a wrong password in 48 may also set bit 1.6. */
  passwordBit: ['clear', 'set'],
  /** [house]: time of day at which the device makes the Z report automatically if something was sold. */
  automaticZ: AUTOMATIC_Z,
} as const

export interface Switches extends ChosenSwitches<typeof CHOICES> {
  /**
   * Error number (sheet 8.1) of a failed part, such as modem, fiscal memory or server; 0 if no part has failed. The
   * device refuses fiscal receipts and daily reports with this error.
   */
  readonly trouble: number
  /** Password of 192, on firmware that locks the reports on the fiscal memory. */
  readonly memoryPassword: string
}

export function switchesOf(options: SwitchOptions = {}): Switches {
  const { trouble = '0', memoryPassword = '000000', ...named } = options
  const chosen = readSwitches('B', CHOICES, named, ['trouble', 'memoryPassword'])
  if (trouble !== '0' && !Object.hasOwn(ERRORS, trouble)) {
    throw new RangeError(`trouble=${trouble}: no such error number`)
  }
  return { ...chosen, trouble: Number(trouble), memoryPassword }
}
