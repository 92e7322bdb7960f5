/** JUnit XML, as build servers read it (fixtures/junit.xsd): a suite for each file, not run as `skipped`. */
import { xmlAttribute as attribute, seconds, xmlText as text } from '../../markup.ts'
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
      write(
        [
          '<?xml version="1.0" encoding="UTF-8"?>',
          `<testsuites name="fiscal-rig" ${counts(results)} time="${seconds(durationMs)}">`,
          ...suites,
          '</testsuites>',
          '',
        ].join('\n'),
      )
    },
  }
}

function suite(file: string, results: readonly Result[], { target, seed }: RunFacts): string {
  const time = results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return [
    `  <testsuite name="${attribute(file)}" ${counts(results)} time="${seconds(time)}">`,
    '    <properties>',
    `      <property name="target" value="${attribute(target)}"/>`,
    `      <property name="seed" value="${seed}"/>`,
    '    </properties>',
    ...results.map(testcase),
    '  </testsuite>',
  ].join('\n')
}

function testcase(result: Result): string {
  const { play, status, durationMs, failure, reason, left } = result
  const classname = play.loaded.file.replace(/\.ya?ml$/, '').replaceAll('/', '.')
  const open = `    <testcase name="${attribute(play.name)}" classname="${attribute(classname)}" time="${seconds(durationMs)}"`
  const output = [
    ...failedBeforeLines(result),
    ...lookLines(result),
    ...(left === undefined ? [] : [`left behind: ${left}`]),
  ]
  const inner = [
    ...(status === 'notRun' ? [`      <skipped message="${attribute(reason ?? '')}"/>`] : []),
    ...(failure
      ? [
          `      <failure message="${attribute(failure.problems[0]?.what ?? '')}" type="expectation">${text(failureLines(result).join('\n'))}</failure>`,
        ]
      : []),
    ...(output.length === 0 ? [] : [`      <system-out>${text(output.join('\n'))}</system-out>`]),
  ]
  return inner.length === 0 ? `${open}/>` : [`${open}>`, ...inner, '    </testcase>'].join('\n')
}

function counts(results: readonly Result[]): string {
  const of = (status: Result['status']) => results.filter((result) => result.status === status).length
  return `tests="${results.length}" failures="${of('failed')}" errors="0" skipped="${of('notRun')}"`
}
