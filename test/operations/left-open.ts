/** Recovery over a scripted printer, with what an earlier service has left open in the journal. */
import { SimulatedClock } from '../../drivers/model/clock.ts'
import type { Answers } from '../../server/operations/log/answers.ts'
import type { ProgressRecord } from '../../server/operations/operation.ts'
import { Recovery } from '../../server/operations/unsettled.ts'
import { journal } from './answers-rig.ts'
import { receipt, type Script, scriptedPrinter } from './scripted-printer.ts'

export const NAME = '/print-fiscal-receipt'

export interface LeftOpen {
  readonly key?: string
  readonly record: ProgressRecord
}

/** A complete receipt that was given the number 17, unless `more` says otherwise. */
export const leftOpen = (
  stage: ProgressRecord['stage'],
  { key, ...more }: Partial<ProgressRecord> & { readonly key?: string } = {},
): LeftOpen => ({
  record: receipt(stage, { document: 17, ...more }),
  ...(key !== undefined && { key }),
})

export function recovering(script: Script, left: readonly LeftOpen[] = []) {
  const { answers, prints, tables, disk, flushed, again } = journal()
  for (const { key, record } of left) {
    answers.begin({ name: NAME, fingerprint: 'f', ...(key !== undefined && { key }) }, record)
  }
  const notes: string[] = []
  const printer = scriptedPrinter(script)
  const clock = new SimulatedClock(0)
  const over = (kept: Answers) => new Recovery({ printer, answers: kept, clock, note: (line) => void notes.push(line) })
  return {
    ...{ answers, prints, tables, disk, flushed, notes, printer, recovery: over(answers) },
    /** The next service over the same journal. */
    restarted: () => over(again().answers),
    /** How far the rows of the journal have come that are still open. */
    rows: () => tables.requests.open().map(({ record }) => JSON.parse(record) as ProgressRecord),
  }
}
