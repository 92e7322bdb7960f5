/** The tests of one part (RIG_MUTANT_TESTS, separated by spaces), for the run of its mutants. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: (process.env['RIG_MUTANT_TESTS'] ?? '').split(' '),
    maxWorkers: 1,
    isolate: false,
    experimental: { viteModuleRunner: false },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
