/** One file with everything of a run: every step with question, answer and frames, the paper as text and as a drawing. */
import type { Account, Counts } from './account.ts'
import { accountOf } from './account.ts'
import type { Reporter, RunFacts, Write } from './report.ts'

const FORM = 'fiscal-rig trace'
const VERSION = 1

export interface Trace {
  readonly form: typeof FORM
  readonly version: typeof VERSION
  /** ISO 8601. */
  readonly at: string
  readonly facts: RunFacts
  readonly counts: Counts
  readonly accounts: readonly Account[]
}

export function traceReporter(write: Write, facts: RunFacts, at: Date): Reporter {
  return {
    ended: () => undefined,
    finished({ results, ...counts }) {
      const trace: Trace = {
        form: FORM,
        version: VERSION,
        at: at.toISOString(),
        facts,
        counts,
        accounts: results.map(accountOf),
      }
      write(`${JSON.stringify(trace)}\n`)
    },
  }
}

/** Throws RangeError with a sentence. */
export function readTrace(file: string, text: string): Trace {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new RangeError(`${file} is no trace: expected a file made by run --trace`)
  }
  const { form, version } = (value ?? {}) as Partial<Trace>
  if (form !== FORM) throw new RangeError(`${file} is no trace: expected a file made by run --trace`)
  if (version !== VERSION)
    throw new RangeError(`${file} is a trace of version ${version}; this program reads ${VERSION}`)
  return value as Trace
}
