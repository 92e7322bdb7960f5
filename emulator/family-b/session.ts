import type { FiscalDevice } from '../fiscal/api.ts'
import { type Numbered, numbered, text } from '../fiscal/persistent-cells.ts'

/** What the wire of family B remembers between commands. */
export interface Session extends Volatile {
  /** Texts 600 to 610 of 149 by number. */
  readonly comments: Numbered<string>
}

/** Gone with the power. */
interface Volatile {
  /** 107 F and N: the number read last, and whether only sold ones are wanted. */
  cursor: { readonly plu: number; readonly sold: boolean } | undefined
  /** 153: until when the next report is sent instead of printed, in device time. */
  textUntil: number | undefined
  /** 192 was right. */
  memoryUnlocked: boolean
}

export const powered = (): Volatile => ({ cursor: undefined, textUntil: undefined, memoryUnlocked: false })

export const newSession = ({ registers }: FiscalDevice): Session => ({
  ...powered(),
  comments: numbered(registers, 'comment', text()),
})
