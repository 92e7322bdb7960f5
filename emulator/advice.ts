/**
 * Advice for tills that use a family's wire protocol: what to do after a fault. The exam report prints it under each
 * failed case.
 */

/** The role of a command within a receipt. */
export type Step = 'opening' | 'sale' | 'payment' | 'closing' | 'question' | 'other'

export interface Advice {
  /** Names of the exam's faults (scenarios/exam/faults.ts). */
  readonly faults: readonly string[]
  /** Limits the advice to these steps; absent: it applies at every step, and without one. */
  readonly steps?: readonly Step[]
  /** Two or three sentences. */
  readonly does: string
  /** Section of the family's sheet. */
  readonly section: string
}

/** Short faults: the device still stores its last answer. */
export const SHORT_FAULTS = ['answerLost', 'answerDamaged', 'requestLost', 'requestDamaged', 'answerLate', 'answerSlow']
/** Long faults: the command may have been executed or not, and the device may have lost its last answer. */
export const LONG_FAULTS = ['answerLostLong', 'requestLostLong', 'unplugged', 'powerBefore', 'powerAfter']
export const NO_PAPER = ['paperFirst', 'paperMiddle', 'paperLast', 'coverMiddle', 'paperOutBefore']
export const NO_LINE = ['offBefore', 'unpluggedBefore']
/** Steps of the receipt that must not be executed twice. */
export const NOT_TWICE: readonly Step[] = ['opening', 'sale', 'payment', 'closing', 'other']
