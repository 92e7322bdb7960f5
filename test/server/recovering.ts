/** Recovery over a scripted printer, with what an earlier service has left open in the journal. */
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { openAnswers } from '../../server/recovery/answers.ts'
import { openPrints } from '../../server/recovery/prints.ts'
import type { ProgressRecord } from '../../server/recovery/progress.ts'
import { Recovery } from '../../server/recovery/recovery.ts'
import { openAges } from '../../server/recovery/row-ages.ts'
import { journalOnDisk } from './full-disk.ts'
import { BEFORE, type Script, scriptedPrinter } from './scripted-printer.ts'

export const NAME = '/print-fiscal-receipt'

export interface LeftOpen {
  readonly key?: string
  readonly record: ProgressRecord
}

/** A complete receipt that was given the number 17. */
export const receipt = (
  stage: ProgressRecord['stage'],
  { key, ...more }: Partial<ProgressRecord> & { readonly key?: string } = {},
): LeftOpen => ({
  record: { undertaking: 'fiscalReceipt', stage, before: BEFORE, document: 17, ...more },
  ...(key !== undefined && { key }),
})

export function recovering(script: Script, left: readonly LeftOpen[] = []) {
  const file = journalOnDisk()
  const ages = openAges(file.tables, new SimulatedClock(0))
  const prints = openPrints(file, ages)
  const answers = openAnswers(file, ages, prints)
  for (const { key, record } of left)
    answers.begin({ name: NAME, fingerprint: 'f', ...(key !== undefined && { key }) }, record)
  const notes: string[] = []
  const printer = scriptedPrinter(script)
  const recoveryOf = (kept = answers) => new Recovery({ printer, answers: kept, note: (line) => void notes.push(line) })
  return {
    ...{ file, answers, notes, prints, printer, recovery: recoveryOf() },
    /** The next service over the same journal. */
    restarted: () => recoveryOf(openAnswers(file, ages, prints)),
    /** How far the rows of the journal have come that are still open. */
    rows: () => file.tables.requests.open().map(({ record }) => JSON.parse(record) as ProgressRecord),
  }
}
