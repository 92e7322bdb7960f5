import { type Choices, readSwitches } from '../switches.ts'
import type { SwitchOptions } from '../wire.ts'

/** Departures from the sheet's default behaviour, switched on one by one by name; each names its place. */
export interface Switches {
  /** 2.3: older firmware sends codes 10 to 15 as `A` to `F`. */
  readonly errorDigits: 'nibbles' | 'letters'
  /** 4.10: one description allows text outside of a receipt. */
  readonly idleText: 'refused' | 'allowed'
  /** 4.2 and 4.4: cash registers have no cutter and no barcodes. */
  readonly deviceType: 'printer' | 'register'
  /** 3: older firmware sends five or six status bytes. */
  readonly statusBytes: '7' | '6' | '5'
  /** 2.5: on old firmware a printing device does not answer 04h, and 05h is its only ping for state. */
  readonly busyPing: 'answered' | 'silent'
  /** 4.12: the duplicates parameter of a new device; the factory's own default is off (30 of the system parameters). */
  readonly duplicates: 'on' | 'off'
}

const CHOICES: Choices<Switches> = {
  errorDigits: ['nibbles', 'letters'],
  idleText: ['refused', 'allowed'],
  deviceType: ['printer', 'register'],
  statusBytes: ['7', '6', '5'],
  busyPing: ['answered', 'silent'],
  duplicates: ['on', 'off'],
}

/** Throws RangeError with a sentence for an unknown name or value. */
export const switchesOf = (options: SwitchOptions = {}): Switches => readSwitches('C', CHOICES, options)
