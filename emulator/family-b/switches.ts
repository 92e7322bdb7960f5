import { ERRORS } from '../../drivers/family-b/protocol/errors.ts'
import { AUTOMATIC_Z } from '../fiscal/automatic-z.ts'
import { type Chosen, readSwitches } from '../switches.ts'
import type { SwitchOptions } from '../wire.ts'

/** Named switches that imitate particular firmware or a particular trouble; each names the place it is from. */
export const CHOICES = {
  /** M3: firmware whose command list leaves the free sale out answers 49 and 52 with "invalid command". */
  freeSale: ['true', 'false'],
  /** M2: the third field of 48 must be a unique sale number. */
  strictUnp: ['false', 'true'],
  /** 5.5: half a frame is dropped in silence, or answered with NAK. */
  partialFrame: ['silence', 'nak'],
  /** 3: a register that was not put into its PC mode serves only what does not need it. */
  pcMode: ['on', 'off'],
  /** 5.2: interval of SYN on most firmware and on the newest. */
  synMs: ['60', '100'],
  /** 10.6: 62 answers with dashes, or with dots on the newest firmware. */
  clock: ['dashes', 'dots'],
  /** 8.4, doubt 4: whether a wrong password at 48 sets 1.6 as well. */
  passwordBit: ['clear', 'set'],
  /** The device makes the Z report by itself at this time of the day, when something was sold. */
  automaticZ: AUTOMATIC_Z,
} as const

export interface Switches extends Chosen<typeof CHOICES> {
  /**
   * A part of the device has failed (modem, scale, fiscal memory, journal medium, server): the error number of sheet
   * 8.1 with which fiscal receipts and daily reports are refused. 0: none.
   */
  readonly trouble: number
  /** What 192 must say on firmware that locks the reports of the fiscal memory. */
  readonly memoryPassword: string
}

/** Throws RangeError with a sentence for an unknown name or value. */
export function switchesOf(options: SwitchOptions = {}): Switches {
  const { trouble = '0', memoryPassword = '000000', ...named } = options
  const chosen = readSwitches('B', CHOICES, named, ['trouble', 'memoryPassword'])
  if (trouble !== '0' && !Object.hasOwn(ERRORS, trouble)) {
    throw new RangeError(`trouble=${trouble}: no such error number`)
  }
  return { ...chosen, trouble: Number(trouble), memoryPassword }
}
