import { type JunitCase, junitText } from '../../report/junit.ts'
import type { Result } from '../play-scenario.ts'
import {
  failedBeforeLines,
  failureLines,
  manualCheckLines,
  type Reporter,
  type RunFacts,
  type Write,
} from './report.ts'

export function junitReporter(write: Write, { target, seed }: RunFacts): Reporter {
  return {
    ended: () => undefined,
    finished({ results, durationMs }) {
      const files = Map.groupBy(results, ({ play }) => play.loaded.file)
      const suites = [...files].map(([name, some]) => ({ name, properties: { target, seed }, cases: some.map(caseOf) }))
      write(junitText('fiscal-rig', durationMs, suites))
    },
  }
}

function caseOf(result: Result): JunitCase {
  const { play, status, durationMs, failure, reason = '', left } = result
  return {
    name: play.name,
    classname: play.loaded.file.replace(/\.ya?ml$/, '').replaceAll('/', '.'),
    tookMs: durationMs,
    skipped: status === 'notRun' ? reason : undefined,
    failure: failure && {
      message: failure.problems[0]?.what ?? '',
      type: 'expectation',
      lines: failureLines(result),
    },
    output: [
      ...failedBeforeLines(result),
      ...manualCheckLines(result),
      ...(left === undefined ? [] : [`not cleaned up: ${left}`]),
    ],
  }
}
