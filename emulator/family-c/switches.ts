import { AUTOMATIC_Z } from '../fiscal/automatic-z.ts'
import { type ChosenSwitches, readSwitches } from '../switches.ts'
import type { SwitchOptions } from '../wire.ts'

/**
 * Deviations from the default behaviour of the sheet that imitate particular firmware. Each switch cites its source, or
 * `[choice]` for the project's own choice.
 */
export const CHOICES = {
  /** Sheet 2.1: check symbols are compared by their low four bits, or completely. */
  checkSymbols: ['lowNibble', 'strict'],
  /** Sheet 2.3: older firmware sends codes 10 to 15 as `A` to `F`. */
  errorDigits: ['nibbles', 'letters'],
  /** Sheet 4.10: one description of the protocol allows text outside a receipt. */
  idleText: ['refused', 'allowed'],
  /** Sheet 4.2 and 4.4: cash registers have no cutter and no barcodes. */
  deviceType: ['printer', 'register'],
  /** Sheet 3: older firmware sends five or six status bytes. */
  statusBytes: ['7', '6', '5'],
  /** Sheet 2.5: on old firmware, a printing device does not answer 04h; only 05h returns its state. */
  busyPing: ['answered', 'silent'],
  /** Sheet 4.12: the duplicates parameter of a new device. The factory default is off (30 of the system parameters). */
  duplicates: ['on', 'off'],
  /** [choice]: time of day at which the device makes the Z report automatically if something was sold. */
  automaticZ: AUTOMATIC_Z,
  /** Sheet 5.1: with an open cover, a real device refuses every command except the status. */
  coverOpen: ['reads', 'refusesAll'],
  /** Sheet 4.14: on a real device, a reversal does not reduce the amounts on hand in 6Eh. */
  stornoOnHand: ['reduces', 'keeps'],
} as const

export type Switches = ChosenSwitches<typeof CHOICES>

export const switchesOf = (options: SwitchOptions = {}): Switches => readSwitches('C', CHOICES, options)
