import { type Choices, readSwitches } from '../../../emulator/switches.ts'
import type { SwitchOptions } from '../../../emulator/wire.ts'

export interface Switches {
  /** Sheet 1: firmware is known that says nothing to a damaged frame. */
  readonly damaged: 'told' | 'silence'
}

const CHOICES: Choices<Switches> = { damaged: ['told', 'silence'] }

export const switchesOf = (options: SwitchOptions): Switches => readSwitches('D', CHOICES, options)
