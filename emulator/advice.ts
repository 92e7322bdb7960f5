/** What a program has to do on a family's wire when something goes wrong, in the words that an exam of it ends with. */

/** What a command is in the course of a receipt. */
export type Step = 'opening' | 'sale' | 'payment' | 'closing' | 'question' | 'other'

export interface Advice {
  /** Names of the exam's faults (scenarios/exam/faults.ts). */
  readonly faults: readonly string[]
  /** At these steps only; absent: at every one, or at none. */
  readonly steps?: readonly Step[]
  /** Two or three sentences. */
  readonly does: string
  /** Section of the family's sheet. */
  readonly section: string
}

/** Over in a moment: the device still knows its last answer. */
export const SHORT = ['answerLost', 'answerDamaged', 'requestLost', 'requestDamaged', 'answerLate', 'answerSlow']
/** Nobody knows whether the command was carried out, nor whether the device still knows of it. */
export const LONG = ['answerLostLong', 'requestLostLong', 'unplugged', 'powerBefore', 'powerAfter']
export const NO_PAPER = ['paperFirst', 'paperMiddle', 'paperLast', 'coverMiddle', 'paperOutBefore']
export const NO_LINE = ['offBefore', 'unpluggedBefore']
/** Of a step of the receipt, which must not be done twice. */
export const NOT_TWICE: readonly Step[] = ['opening', 'sale', 'payment', 'closing', 'other']
