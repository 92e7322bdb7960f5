/** How long a device works at a command: its mechanism prints line after line, and a closure writes the fiscal memory. */
import type { PassportLine } from '../passport/form.ts'
import type { Answer } from '../wire.ts'

export interface RealisticTimes {
  /** Printing and feeding of one line. */
  readonly lineMs: number
  /** What a Z report takes besides its lines. */
  readonly reportZMs: number
  /** Before anything is answered. Absent: at once. */
  readonly answerMs?: number
  /** Commands that take so long altogether, by their names in fault rules. */
  readonly slow?: Readonly<Record<string, number>>
}

/**
 * A thermal mechanism of this class prints about fourteen lines a second, so that closing a receipt with its header and
 * footer takes one to two seconds, as is known of a real one (sheet A 2.5). A closure with its lines stays below the
 * ten seconds after which one client stops listening (ibid.).
 */
export const USUAL_TIMES: RealisticTimes = { lineMs: 70, reportZMs: 3000 }

/** Those that were measured on somebody's device, and the usual ones where nothing was. */
export const measuredTimes = ({ firstByteMs, perPrintedLineMs, slow }: PassportLine = {}): RealisticTimes => ({
  ...USUAL_TIMES,
  ...(perPrintedLineMs !== undefined && { lineMs: perPrintedLineMs }),
  ...(firstByteMs && { answerMs: firstByteMs.median }),
  ...(slow && { slow }),
})

/** For the device loop, which answers busy meanwhile as the wire does. */
export const realisticDuration =
  ({ lineMs, reportZMs, answerMs = 0, slow = {} }: RealisticTimes) =>
  (command: string, { printedLines = 0 }: Answer): number => {
    const own = answerMs + printedLines * lineMs + (command === 'reportZ' && printedLines > 0 ? reportZMs : 0)
    return slow[command] ?? own
  }
