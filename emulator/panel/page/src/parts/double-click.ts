import { startAction } from '../store.ts'

/** Longest time between the two clicks of a double click, in ms. */
const DOUBLE_CLICK_MS = 500

/** Recognizes the second start of an action by a double click, or while the first is running. */
export class DoubleClickGuard {
  #isRunning = false
  #startedAt = Number.NEGATIVE_INFINITY

  /** Resolves to `undefined` without running the work if it is started a second time. */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    const now = performance.now()
    if (this.#isRunning || now - this.#startedAt < DOUBLE_CLICK_MS) return undefined
    this.#startedAt = now
    this.#isRunning = true
    try {
      return await work()
    } catch (error) {
      this.reset()
      throw error
    } finally {
      this.#isRunning = false
    }
  }

  /** Lets the next start run: the action failed, or the user has changed its subject. */
  reset(): void {
    this.#startedAt = Number.NEGATIVE_INFINITY
  }
}

const guards = new Map<string, DoubleClickGuard>()

/** Starts an action that prints or adds something. A double click on its button starts it once. `name` includes the subject. */
export function startOnce(name: string, work: () => Promise<string | undefined>): void {
  const guard = guards.get(name) ?? new DoubleClickGuard()
  guards.set(name, guard)
  startAction(() => guard.run(work))
}
