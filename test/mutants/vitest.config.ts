/**
 * Configuration for the run of a part's mutants. RIG_MUTANT_TESTS contains the tests of the part, separated by spaces.
 * RIG_MUTANT_LIMIT is the maximum duration of one test, in ms.
 */
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import type { TestSequencer, TestSpecification } from 'vitest/node'

const tests = (process.env['RIG_MUTANT_TESTS'] ?? '').split(' ')
/** Returns each pattern up to its first wildcard. */
const folders = tests.map((pattern) => pattern.split(/[*{]/, 1).join(''))

/**
 * Runs the files in the order of the part, the fastest first, because the first failing test ends the run of a mutant.
 */
class InPartOrder implements TestSequencer {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files
  }

  sort(files: TestSpecification[]): TestSpecification[] {
    const place = ({ moduleId }: TestSpecification): number =>
      folders.findIndex((folder) => relative(process.cwd(), moduleId).startsWith(folder))
    return files.toSorted((one, other) => place(one) - place(other))
  }
}

const limitMs = Number(process.env['RIG_MUTANT_LIMIT'])

export default defineConfig({
  test: {
    include: tests,
    setupFiles: ['test/mutants/setup.ts'],
    sequence: { sequencer: InPartOrder },
    maxWorkers: 1,
    isolate: false,
    experimental: { viteModuleRunner: false },
    testTimeout: limitMs,
    hookTimeout: limitMs,
  },
})
