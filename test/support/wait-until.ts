import { vi } from 'vitest'

/** Repeats `ask` until it does not throw, as `expect.poll` does, for results of another process. */
export const until = <Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> =>
  vi.waitFor(ask, { timeout: 20_000, interval: 10 })
