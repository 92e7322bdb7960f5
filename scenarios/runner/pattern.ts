/** Regular expressions from scenario files: the only place that evaluates them, within a time limit. */
import { createContext, Script } from 'node:vm'

/** More than any pattern needs for a device's text; one with super-linear time would never end. */
const PATTERN_MAX_MS = 1000

const context = createContext(Object.assign(Object.create(null), { source: '', flags: '', text: '' }))
const test = new Script('new RegExp(source, flags).test(text)')

/** A pattern without repetition takes linear time, and a time limit costs a thread. */
const REPEATS = /[*+{]/

/** Throws for an invalid pattern and for one that takes too long. The engine is interrupted while it backtracks. */
export function matchesPattern(source: string, flags: string, text: string): boolean {
  if (!REPEATS.test(source)) return new RegExp(source, flags).test(text)
  Object.assign(context, { source, flags, text })
  try {
    return test.runInContext(context, { timeout: PATTERN_MAX_MS }) as boolean
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new SyntaxError(message)
    const excerpt = source.length > 100 ? `${source.slice(0, 100)}...` : source
    throw new Error(
      `the pattern /${excerpt}/ takes more than ${PATTERN_MAX_MS} ms; write one without nested repetitions`,
    )
  }
}
