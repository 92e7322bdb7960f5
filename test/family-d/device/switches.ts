import { type ChosenSwitches, readSwitches } from '../../../emulator/switches.ts'
import type { SwitchOptions } from '../../../emulator/wire.ts'

const CHOICES = {
  /** Some firmware does not respond to a damaged frame (sheet 1). */
  damaged: ['told', 'silence'],
} as const

export type Switches = ChosenSwitches<typeof CHOICES>

export const switchesOf = (options: SwitchOptions): Switches => readSwitches('D', CHOICES, options)
