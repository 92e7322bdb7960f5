import { type ChosenSwitches, readSwitches } from '../../../emulator/switches.ts'
import type { SwitchOptions } from '../../../emulator/wire.ts'

const CHOICES = {
  /** Sheet 1: some firmware does not answer a damaged frame. */
  damaged: ['told', 'silence'],
} as const

export type Switches = ChosenSwitches<typeof CHOICES>

export const switchesOf = (options: SwitchOptions): Switches => readSwitches('D', CHOICES, options)
