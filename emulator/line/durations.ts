import type { PassportLine } from '../passport/passport.ts'
import type { Answer } from '../wire.ts'

export interface RealisticTimes {
  /** Time to print or feed one line, in ms. */
  readonly lineMs: number
  /** Time of a Z report in ms, in addition to its lines. */
  readonly reportZMs: number
  /** Time before any answer, in ms. Absent: 0. */
  readonly answerMs?: number
  /** Total times of single commands in ms, by their names in fault rules. */
  readonly slow?: Readonly<Record<string, number>>
}

/**
 * A thermal mechanism of this class prints about fourteen lines a second, so that closing a receipt with header and
 * footer takes one to two seconds, as on a real device (sheet A 2.5). A Z report with its lines takes less than ten
 * seconds, after which one client stops waiting (sheet A 2.5).
 */
export const USUAL_TIMES: RealisticTimes = { lineMs: 70, reportZMs: 3000 }

/** Returns the measured times of a passport, and the usual time for each value that was not measured. */
export const measuredTimes = ({ firstByteMs, perPrintedLineMs, slow }: PassportLine = {}): RealisticTimes => ({
  ...USUAL_TIMES,
  ...(perPrintedLineMs !== undefined && { lineMs: perPrintedLineMs }),
  ...(firstByteMs && { answerMs: firstByteMs.median }),
  ...(slow && { slow }),
})

export const realisticDuration =
  ({ lineMs, reportZMs, answerMs = 0, slow = {} }: RealisticTimes) =>
  (command: string, { printedLines = 0 }: Answer): number => {
    const own = answerMs + printedLines * lineMs + (command === 'reportZ' && printedLines > 0 ? reportZMs : 0)
    return slow[command] ?? own
  }
