/** `UnsettledRequests` over a scripted printer, with operations that an earlier service left open in the log. */
import { SimulatedClock } from '../../drivers/model/clock.ts'
import type { Answers } from '../../server/operations/log/answers.ts'
import type { Entry } from '../../server/operations/operation.ts'
import { UnsettledRequests } from '../../server/operations/unsettled-requests.ts'
import { receipt, type Stage } from './entries.ts'
import { journal } from './log/answers-rig.ts'
import { type Script, scriptedPrinter } from './scripted-printer.ts'

export const NAME = '/print-fiscal-receipt'

export interface LeftOpen {
  readonly key?: string
  readonly entry: Entry
}

export const left = (entry: Entry, key?: string): LeftOpen => ({ entry, ...(key !== undefined && { key }) })

/** Document number 17 is the default. */
export const leftOpen = (
  stage: Stage,
  { key, ...more }: NonNullable<Parameters<typeof receipt>[1]> & { readonly key?: string } = {},
): LeftOpen => left(receipt(stage, { document: 17, ...more }), key)

export function unsettledOver(script: Script, open: readonly LeftOpen[] = []) {
  const { answers, prints, tables, disk, flushed, again } = journal()
  for (const { key, entry } of open) {
    answers.begin({ name: NAME, fingerprint: 'f', ...(key !== undefined && { key }) }, entry)
  }
  const notes: string[] = []
  const printer = scriptedPrinter(script)
  const clock = new SimulatedClock(0)
  const over = (of: Answers) =>
    new UnsettledRequests({ printer, answers: of, clock, note: (line) => void notes.push(line) })
  return {
    ...{ answers, prints, tables, disk, flushed, notes, printer, clock, unsettled: over(answers) },
    restarted: () => over(again().answers),
    rows: () => tables.requests.open().map(({ record }) => JSON.parse(record) as Entry),
  }
}
