import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Two cores: one for the tests, one for the socat children and processes that they start.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // How long a test waits for what another process, a terminal or a page tells: limits for a busy machine.
    expect: { poll: { timeout: 20_000, interval: 10 } },
  },
})
