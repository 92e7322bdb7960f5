/** What one scenario may use up: a file with nested repetitions would otherwise keep the runner busy without end. */
import type { CallTime } from './inject.ts'

export interface BudgetOptions {
  readonly stepLimit: number
  readonly timeLimitS: number
}

export const DEFAULT_BUDGET: BudgetOptions = { stepLimit: 100_000, timeLimitS: 1800 }

export interface Budget {
  /** Counts a step. Returns why the scenario must end; undefined: it may go on. */
  spend(): string | undefined
  /** The same without a step, for what takes long inside one. */
  overdue(): string | undefined
  /** Whether the scenario has this much time left. */
  allows(ms: number): boolean
  /** Maximum time of a request to another process that begins now. */
  request(): CallTime
}

/** After the end of a scenario, for what ends a receipt and asks what was printed. */
const GRACE_MS = 30_000

/** `now`: milliseconds from any moment on, of the runner and not of the device. */
export function createBudget({ stepLimit, timeLimitS }: BudgetOptions, now = () => performance.now()): Budget {
  const end = now() + timeLimitS * 1000
  let steps = 0
  const over = `the scenario has run for ${timeLimitS} s: --time-limit allows more`
  const overdue = (): string | undefined => (now() > end ? over : undefined)
  return {
    spend() {
      if (++steps > stepLimit) return `the scenario has played ${stepLimit} steps: --step-limit allows more`
      return overdue()
    },
    overdue,
    allows: (ms) => now() + ms <= end,
    request() {
      const isGrace = now() > end
      const why = isGrace ? `it sends no whole answer; ${over}` : over
      return { ms: Math.max(0, end + (isGrace ? GRACE_MS : 0) - now()), why, isGrace }
    },
  }
}
