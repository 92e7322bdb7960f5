/** The progress of a long check on stderr: one updated line on a terminal, otherwise a line at intervals. */
import { type Progress, progressLine } from '../../scenarios/campaign/progress.ts'
import { CLEAR_LINE } from '../../scenarios/terminal.ts'
import { writeLine } from '../terminal-output.ts'

const ON_A_TERMINAL_MS = 1000
const ELSEWHERE_MS = 10_000
/** Time until the first line, so that the user soon sees that the check runs. */
const FIRST_MS = 1000

interface ProgressReporter {
  /** Writes a permanent line. */
  line(text: string): void
  end(): void
}

export function reportProgress(progress: () => Progress): ProgressReporter {
  const { stderr } = process
  const clear = (): void => void (stderr.isTTY && stderr.write(CLEAR_LINE))
  const show = (): void => {
    clear()
    if (stderr.isTTY) stderr.write(progressLine(progress()))
    else writeLine(progressLine(progress()))
  }
  const first = setTimeout(show, FIRST_MS).unref()
  const timer = setInterval(show, stderr.isTTY ? ON_A_TERMINAL_MS : ELSEWHERE_MS).unref()
  return {
    line(text) {
      clear()
      writeLine(text)
    },
    end() {
      clearTimeout(first)
      clearInterval(timer)
      clear()
    },
  }
}
