import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  test: {
    // `npm run test:deep` names its files itself (bin/commands/test-parts.ts).
    include: [process.env['RIG_SUITE'] === 'deep' ? 'test/**/*.{test,deep}.ts' : 'test/**/*.test.ts'],
    globalSetup: ['test/support/temporary-folder.ts', 'test/support/slice-setup.ts'],
    // One more takes as long, and a twelfth more processor time: each compiles everything for itself.
    maxWorkers: 2,
    runner: './test/support/rotating-runner.ts',
    sequence: { sequencer: LongestFirst },
    // Modules are loaded once for all files of a worker: they keep nothing but constants and what is worked out from them.
    isolate: false,
    // Node runs the sources as they are, as everywhere else: what Vite makes of them is slower.
    experimental: { viteModuleRunner: false },
    // Limits for a busy machine; the last is for what another process, a terminal or a page tells.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000, interval: 10 } },
    // Values in titles and messages are shown up to this length.
    chaiConfig: { truncateThreshold: 120 },
  },
})
