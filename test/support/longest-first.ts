import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { TestSequencer, TestSpecification } from 'vitest/node'

/**
 * The slowest test files of both suites. `npm test` lists the slowest files at its end. Files that mostly wait (for
 * browsers, terminals, other processes) alternate with those that compute, so that not all workers wait at once.
 */
const LONGEST = [
  'fault-table/fault-table-c.test.ts',
  'package/package.test.ts',
  'docs/browser.test.ts',
  'page/page.test.ts',
  'cli/fleet.test.ts',
  'orders/http.test.ts',
  'fault-table/fault-table-b.test.ts',
  'fault-table/fault-table-a.test.ts',
  'passport/round-trip.test.ts',
  'page/steady-use.test.ts',
  'passport/cli.test.ts',
  'page/printer.test.ts',
  'scenarios/runner.test.ts',
  'simulation/recovery-failures.test.ts',
  'sabotage/sabotage.test.ts',
  'page/service.test.ts',
  'exam/cli.test.ts',
  'scenarios/bare-pty.test.ts',
  'page/fleet-overview.test.ts',
  'page/document-tools.test.ts',
  'docs/examples.test.ts',
  'campaign/queue.test.ts',
  'campaign/defects.test.ts',
  'simulation/model-calls.test.ts',
  'simulation/check-c.test.ts',
  'fault-table/fault-table-ro.test.ts',
  'fault-table/deliberate-errors.test.ts',
  'simulation/check-b.test.ts',
  'simulation/check-a.test.ts',
  'simulation/check-ro.test.ts',
  'security/fuzz.test.ts',
  'security/patterns.test.ts',
  'security/malicious-device.test.ts',
  'security/invalid-files.test.ts',
  'cli/kill.test.ts',
  'cli/check.test.ts',
  'cli/cli.test.ts',
  'simulation/check.test.ts',
  'passport/device-failures.test.ts',
  'passport/firmware.test.ts',
  'scenarios/collection.test.ts',
  'exam/service.test.ts',
  'exam/report.test.ts',
  'panel/document-export.test.ts',
  'line-tools/doctor.test.ts',
]

const tests = join(import.meta.dirname, '..')

/** Starts long files first, so that no long file runs alone at the end, when the other cores are idle. */
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
