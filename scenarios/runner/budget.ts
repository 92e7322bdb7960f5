/** Limits of one scenario. Nested repetitions could otherwise occupy the runner forever. */
import type { CallTime } from './inject.ts'

export interface BudgetOptions {
  readonly stepLimit: number
  readonly timeLimitS: number
}

export const DEFAULT_BUDGET: BudgetOptions = { stepLimit: 100_000, timeLimitS: 1800 }

export interface Budget {
  /** Counts a step. Returns the reason why the scenario must end, or `undefined`. */
  spend(): string | undefined
  /** Returns the same reason without counting a step, for long work within a step. */
  overdue(): string | undefined
  allows(ms: number): boolean
  request(): CallTime
}

/** Additional time after a scenario, in which its receipt is closed and its documents are read, in ms. */
const GRACE_MS = 30_000

/** `now` returns ms by the clock of the runner, not of the device. */
export function createBudget({ stepLimit, timeLimitS }: BudgetOptions, now = () => performance.now()): Budget {
  const end = now() + timeLimitS * 1000
  let steps = 0
  const over = `the scenario has run for ${timeLimitS} s; raise --time-limit to allow more`
  const overdue = (): string | undefined => (now() > end ? over : undefined)
  return {
    spend() {
      if (++steps > stepLimit) return `the scenario has run ${stepLimit} steps; raise --step-limit to allow more`
      return overdue()
    },
    overdue,
    allows: (ms) => now() + ms <= end,
    request() {
      const isGrace = now() > end
      return { ms: Math.max(0, end + (isGrace ? GRACE_MS : 0) - now()), why: over, isGrace }
    },
  }
}
