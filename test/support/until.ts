import { vi } from 'vitest'

/** Asks until it does not throw, as `expect.poll` asks (vitest.config.ts): what another process does takes its time. */
export const until = <Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> =>
  vi.waitFor(ask, { timeout: 20_000, interval: 10 })
