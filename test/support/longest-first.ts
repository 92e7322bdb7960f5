import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { TestSequencer, TestSpecification } from 'vitest/node'

/** Files that take longest, the longest first: `npm test` lists them at its end. */
const LONGEST = [
  'scenarios/bare.test.ts',
  'simulation/sweep-c.test.ts',
  'simulation/sweep-a.test.ts',
  'simulation/sweep-b.test.ts',
  'page/page.test.ts',
  'docs/browser.test.ts',
  'api/never-twice.test.ts',
  'simulation/check-c.test.ts',
  'exam/cli.test.ts',
  'simulation/check-b.test.ts',
  'simulation/check-a.test.ts',
  'scenarios/collection.test.ts',
  'simulation/sweep-ro.test.ts',
  'security/patterns.test.ts',
  'model.test.ts',
  'cli/cli.test.ts',
  'cli/kill.test.ts',
  'security/files.test.ts',
  'line-tools/doctor.test.ts',
  'security/device.test.ts',
  'exam/service.test.ts',
  'simulation/check.test.ts',
]

const tests = join(import.meta.dirname, '..')

/** No long file is left over for the end, when the other cores have nothing to do any more. */
export class LongestFirst implements TestSequencer {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files
  }

  sort(files: TestSpecification[]): TestSpecification[] {
    const gone = LONGEST.find((name) => !existsSync(join(tests, name)))
    if (gone !== undefined) throw new Error(`${import.meta.filename} names ${gone}, which is not there`)
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.indexOf(relative(tests, moduleId).replaceAll('\\', '/'))
      return index < 0 ? LONGEST.length : index
    }
    return files.toSorted((one, other) => place(one) - place(other))
  }
}
