/**
 * Advice for developers of tills that use a family's wire protocol: what the till must do after a fault. The exam
 * report prints it with each failed case for which there is advice.
 */

export type Step = 'opening' | 'sale' | 'payment' | 'closing' | 'question' | 'other'

export interface Advice {
  /** Fault names from scenarios/exam/faults.ts. */
  readonly faults: readonly string[]
  /** Absent: the advice applies at every step, and also to faults that belong to no step. */
  readonly steps?: readonly Step[]
  readonly does: string
  readonly section: string
}

/** Faults after which the device still stores its last answer, so that a retransmission is answered with it. */
export const SHORT_FAULTS = ['answerLost', 'answerDamaged', 'requestLost', 'requestDamaged', 'answerLate', 'answerSlow']
/** Faults after which the device may have executed the command and may no longer store its answer. */
export const LONG_FAULTS = ['answerLostLong', 'requestLostLong', 'unplugged', 'powerBefore', 'powerAfter']
export const NO_PAPER = ['paperFirst', 'paperMiddle', 'paperLast', 'coverMiddle', 'paperOutBefore']
export const NO_LINE = ['offBefore', 'unpluggedBefore']
/** Steps whose repetition would change the receipt or print a second one. */
export const NOT_TWICE: readonly Step[] = ['opening', 'sale', 'payment', 'closing', 'other']
