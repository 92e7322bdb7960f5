/**
 * Advice for tills that use the wire protocol of a family: what to do after a fault. The report of an exam prints the
 * advice for each failed case.
 */

export type Step = 'opening' | 'sale' | 'payment' | 'closing' | 'question' | 'other'

export interface Advice {
  /** Names of faults of the exam (scenarios/exam/faults.ts). */
  readonly faults: readonly string[]
  /** The steps to which the advice applies. Absent: it applies at every step, and without one. */
  readonly steps?: readonly Step[]
  readonly does: string
  readonly section: string
}

/** Short faults: the device still has its last answer stored. */
export const SHORT_FAULTS = ['answerLost', 'answerDamaged', 'requestLost', 'requestDamaged', 'answerLate', 'answerSlow']
/** Long faults: the command may have been executed or not, and the device may no longer have its last answer. */
export const LONG_FAULTS = ['answerLostLong', 'requestLostLong', 'unplugged', 'powerBefore', 'powerAfter']
export const NO_PAPER = ['paperFirst', 'paperMiddle', 'paperLast', 'coverMiddle', 'paperOutBefore']
export const NO_LINE = ['offBefore', 'unpluggedBefore']
/** Steps of a receipt that must not be executed twice. */
export const NOT_TWICE: readonly Step[] = ['opening', 'sale', 'payment', 'closing', 'other']
