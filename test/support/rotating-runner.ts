/**
 * Vitest's runner with rotation. In `npm test`, a file of a part (bin/commands/test-parts.ts) runs its first test,
 * unless the part is slow, and each other test in its turn (slice.ts). `npm run test:deep` runs all tests.
 * `--shard I/N` runs only those of one shard.
 */
import { relative } from 'node:path'
import { type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest'
import { partOf } from '../../bin/commands/test-parts.ts'
import { hasItsTurn, isDeep } from './slice.ts'

/** `test` joins the names of the file, of the suites and of the test. */
type TestFilter = (test: string) => boolean

/** Returns `undefined` if all tests of the file run, or the file chooses its tests itself. */
function ruleOf(file: string): TestFilter | undefined {
  const part = partOf(file)
  // Files outside all parts are distributed to the shards as a whole.
  if (!part) return isDeep ? () => hasItsTurn(file, { of: 1, isKept: false }) : undefined
  const { of, isSlow = false } = part
  if (of === undefined) return undefined
  let isFirst = !isSlow
  return (test) => {
    const isKept = isFirst
    isFirst = false
    return hasItsTurn(test, { of, isKept })
  }
}

function markSkipped(suite: RunnerTestSuite, runs: TestFilter, name: string): boolean {
  let isEmpty = true
  for (const task of suite.tasks) {
    if (task.mode !== 'run' && task.mode !== 'queued') continue
    const own = `${name} > ${task.name}`
    if (task.type === 'suite') {
      if (!markSkipped(task, runs, own)) isEmpty = false
    } else if (runs(own)) isEmpty = false
    else skip(task)
  }
  if (isEmpty) suite.mode = 'skip'
  return isEmpty
}

function skip(test: RunnerTestCase): void {
  test.mode = 'skip'
  test.result = { state: 'skip' }
}

export default class RotatingRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    // Tests that are requested by name always run.
    if (this.config.testNamePattern !== undefined) return
    for (const file of files) {
      const path = relative(this.config.root, file.filepath).replaceAll('\\', '/')
      const runs = ruleOf(path)
      if (runs) markSkipped(file, runs, path)
    }
  }
}
