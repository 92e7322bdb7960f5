/** JUnit XML, as build servers read it (fixtures/junit.xsd): a suite for each file, not run as `skipped`. */
import { type Attributes, attributes, joined, type Markup, xml } from '../../../drivers/host/markup.ts'
import { seconds } from '../../markup.ts'
import type { Result } from '../play.ts'
import { failedBeforeLines, failureLines, lookLines, type Reporter, type RunFacts, type Write } from './report.ts'

export function junitReporter(write: Write, facts: RunFacts): Reporter {
  return {
    ended: () => undefined,
    finished({ results, durationMs }) {
      const files = [...new Set(results.map(({ play }) => play.loaded.file))]
      const suites = files.map((file) =>
        suite(
          file,
          results.filter(({ play }) => play.loaded.file === file),
          facts,
        ),
      )
      const page = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="fiscal-rig"${counts(results)} time="${seconds(durationMs)}">
${joined(suites)}
</testsuites>
`
      write(String(page))
    },
  }
}

function suite(file: string, results: readonly Result[], { target, seed }: RunFacts): Markup {
  const time = results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return xml`  <testsuite name="${file}"${counts(results)} time="${seconds(time)}">
    <properties>
      <property name="target" value="${target}"/>
      <property name="seed" value="${seed}"/>
    </properties>
${joined(results.map(testcase))}
  </testsuite>`
}

function testcase(result: Result): Markup {
  const { play, status, durationMs, failure, reason, left } = result
  const classname = play.loaded.file.replace(/\.ya?ml$/, '').replaceAll('/', '.')
  const facts = attributes({ name: play.name, classname, time: seconds(durationMs) })
  const output = [
    ...failedBeforeLines(result),
    ...lookLines(result),
    ...(left === undefined ? [] : [`not cleaned up: ${left}`]),
  ]
  const inner = [
    ...(status === 'notRun' ? [xml`      <skipped message="${reason ?? ''}"/>`] : []),
    ...(failure
      ? [
          xml`      <failure message="${failure.problems[0]?.what ?? ''}" type="expectation">${failureLines(result).join('\n')}</failure>`,
        ]
      : []),
    ...(output.length === 0 ? [] : [xml`      <system-out>${output.join('\n')}</system-out>`]),
  ]
  if (inner.length === 0) return xml`    <testcase${facts}/>`
  return xml`    <testcase${facts}>
${joined(inner)}
    </testcase>`
}

function counts(results: readonly Result[]): Attributes {
  const of = (status: Result['status']) => results.filter((result) => result.status === status).length
  return attributes({ tests: results.length, failures: of('failed'), errors: 0, skipped: of('notRun') })
}
