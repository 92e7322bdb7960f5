import { vi } from 'vitest'

/** Repeats `ask` until it does not throw, like `expect.poll` (vitest.config.ts), for results of another process. */
export const until = <Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> =>
  vi.waitFor(ask, { timeout: 20_000, interval: 10 })
