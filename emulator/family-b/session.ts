import type { FiscalDevice } from '../fiscal/api.ts'
import { type NumberedCells, numberedCells, text } from '../fiscal/persistent-cells.ts'

export interface Session extends VolatileState {
  /** Texts 600 to 610 of 149, by number. */
  readonly comments: NumberedCells<string>
}

interface VolatileState {
  /** Number that `F` or `N` of 107 read last, and whether only sold articles are requested. */
  cursor: { readonly plu: number; readonly sold: boolean } | undefined
  /** Device time in ms until which a report is sent instead of printed (command 153). */
  textUntil: number | undefined
  memoryUnlocked: boolean
}

export const stateAfterPowerOn = (): VolatileState => ({
  cursor: undefined,
  textUntil: undefined,
  memoryUnlocked: false,
})

export const newSession = ({ registers }: FiscalDevice): Session => ({
  ...stateAfterPowerOn(),
  comments: numberedCells(registers, 'comment', text()),
})
