import { createContext, Script } from 'node:vm'

/** Time limit in ms: a pattern with super-linear time might never end. */
const PATTERN_MAX_MS = 1000

const context = createContext(Object.assign(Object.create(null), { source: '', flags: '', text: '' }))
const test = new Script('new RegExp(source, flags).test(text)')

/**
 * Matches patterns with repetition. Other patterns take linear time and run without the time limit, which costs a
 * thread.
 */
const REPEATS = /[*+{]/

/** Throws SyntaxError for an invalid pattern, and Error for a pattern that exceeds the time limit. */
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
