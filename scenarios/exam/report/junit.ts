/** JUnit XML, as build servers read it (fixtures/junit.xsd): a case is a test, a group of faults a suite. */
import { seconds, xmlAttribute, xmlText } from '../../markup.ts'
import type { CaseResult, ExamEnd } from '../exam.ts'
import { isGood } from '../judge.ts'
import { aroundFault, type ExamFacts, saidLines } from './report.ts'

export function examJunit({ family, profile, cases, tookMs }: ExamEnd, facts: ExamFacts): string {
  const groups = [...new Set(cases.map(({ group }) => group))]
  const suites = groups.map((group) => {
    const mine = cases.filter((one) => one.group === group)
    const time = mine.reduce((sum, one) => sum + one.tookMs, 0)
    return [
      `  <testsuite name="${xmlAttribute(group)}" ${counts(mine)} time="${seconds(time)}">`,
      '    <properties>',
      ...Object.entries({ family, profile, till: facts.till, depth: facts.depth, seed: String(facts.seed) }).map(
        ([name, value]) => `      <property name="${name}" value="${xmlAttribute(value)}"/>`,
      ),
      '    </properties>',
      ...mine.map((one) => testcase(one, facts)),
      '  </testsuite>',
    ].join('\n')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="fiscal-rig exam" ${counts(cases)} time="${seconds(tookMs)}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function testcase(result: CaseResult, { advice }: ExamFacts): string {
  const { id, group, verdict, why, repeat, story } = result
  const open = `    <testcase name="${xmlAttribute(id)}" classname="exam.${xmlAttribute(group)}" time="${seconds(result.tookMs)}"`
  const output = story.filter(({ kind }) => kind === 'output').map(({ text }) => text)
  const text = [why, ...saidLines(result), ...aroundFault(result), ...(advice(result) ?? []), repeat].join('\n')
  const inner = [
    ...(verdict === 'not reached' ? [`      <skipped message="${xmlAttribute(why)}"/>`] : []),
    ...(isGood(verdict)
      ? []
      : [`      <failure message="${xmlAttribute(why)}" type="${verdict}">${xmlText(text)}</failure>`]),
    ...(isGood(verdict) || output.length === 0 ? [] : [`      <system-out>${xmlText(output.join('\n'))}</system-out>`]),
  ]
  return inner.length === 0 ? `${open}/>` : [`${open}>`, ...inner, '    </testcase>'].join('\n')
}

function counts(cases: readonly CaseResult[]): string {
  const failed = cases.filter(({ verdict }) => !isGood(verdict)).length
  const skipped = cases.filter(({ verdict }) => verdict === 'not reached').length
  return `tests="${cases.length}" failures="${failed}" errors="0" skipped="${skipped}"`
}
