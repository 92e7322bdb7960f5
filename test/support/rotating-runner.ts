/**
 * Vitest's runner, which leaves out of `npm test` what its parts (bin/commands/test-parts.ts) run less often: of each file
 * the first test, unless they are slow, and each other one when its turn comes (slice.ts). `npm run test:deep` runs all of them;
 * `--shard I/N` those of one shard.
 */
import { relative } from 'node:path'
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest'
import { type Part, partOf } from '../../bin/commands/test-parts.ts'
import { hasItsTurn } from './slice.ts'

const isTest = (task: RunnerTask): task is RunnerTestCase => task.type === 'test'

/** The same on every machine, and for every file with tests of equal names. */
const nameOf = (file: RunnerTestFile, names: readonly string[]): string =>
  [relative(import.meta.dirname, file.filepath).replaceAll('\\', '/'), ...names].join(' > ')

/** Of the tests of a file the first, and those whose turn it is. */
class Rotation {
  readonly #file: RunnerTestFile
  readonly #of: number
  #isFirst: boolean

  constructor(file: RunnerTestFile, { of = 1, isSlow = false }: Part) {
    this.#file = file
    this.#of = of
    this.#isFirst = !isSlow
  }

  /** Returns true where nothing is left to run. */
  leaveOut(suite: RunnerTestSuite = this.#file, names: readonly string[] = []): boolean {
    let isEmpty = true
    for (const task of suite.tasks) {
      if (task.mode !== 'run' && task.mode !== 'queued') continue
      const own = [...names, task.name]
      const isLeftOut = isTest(task) ? this.#leaveOutTest(task, own) : this.leaveOut(task, own)
      if (!isLeftOut) isEmpty = false
    }
    if (isEmpty) suite.mode = 'skip'
    return isEmpty
  }

  #leaveOutTest(test: RunnerTestCase, names: readonly string[]): boolean {
    const isKept = this.#isFirst
    this.#isFirst = false
    if (hasItsTurn(nameOf(this.#file, names), { of: this.#of, isKept })) return false
    test.mode = 'skip'
    test.result = { state: 'skip' }
    return true
  }
}

export default class RotatingRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) {
      const path = relative(this.config.root, file.filepath).replaceAll('\\', '/')
      const part = partOf(path)
      if (part?.of !== undefined && this.config.testNamePattern === undefined) new Rotation(file, part).leaveOut()
    }
  }
}
