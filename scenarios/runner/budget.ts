/** What one scenario may use up: a file with nested repetitions would otherwise keep the runner busy without end. */

export interface BudgetOptions {
  readonly stepLimit: number
  readonly timeLimitS: number
}

export const DEFAULT_BUDGET: BudgetOptions = { stepLimit: 100_000, timeLimitS: 1800 }

export interface Budget {
  /** Counts a step. Returns why the scenario must end; undefined: it may go on. */
  spend(): string | undefined
}

/** `now`: milliseconds from any moment on, of the runner and not of the device. */
export function createBudget({ stepLimit, timeLimitS }: BudgetOptions, now = () => performance.now()): Budget {
  const end = now() + timeLimitS * 1000
  let steps = 0
  return {
    spend() {
      if (++steps > stepLimit) return `the scenario has played ${stepLimit} steps: --step-limit allows more`
      return now() > end ? `the scenario has run for ${timeLimitS} s: --time-limit allows more` : undefined
    },
  }
}
