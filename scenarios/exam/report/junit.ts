/** JUnit XML, as build servers read it (fixtures/junit.xsd): a case is a test, a group of faults a suite. */
import { type Attributes, attributes, joined, type Markup, xml } from '../../../drivers/host/markup.ts'
import { seconds } from '../../markup.ts'
import type { CaseResult, ExamEnd } from '../exam.ts'
import { isGood } from '../judge.ts'
import { aroundFault, type ExamFacts, saidLines } from './report.ts'

export function examJunit({ family, profile, cases, tookMs }: ExamEnd, facts: ExamFacts): string {
  const groups = [...new Set(cases.map(({ group }) => group))]
  const suites = groups.map((group) => {
    const mine = cases.filter((one) => one.group === group)
    const time = mine.reduce((sum, one) => sum + one.tookMs, 0)
    const properties = [
      ...Object.entries({ family, profile, till: facts.till, depth: facts.depth, seed: String(facts.seed) }).map(
        ([name, value]) => xml`      <property name="${name}" value="${value}"/>`,
      ),
    ]
    return xml`  <testsuite name="${group}"${counts(mine)} time="${seconds(time)}">
    <properties>
${joined(properties)}
    </properties>
${joined(mine.map((one) => testcase(one, facts)))}
  </testsuite>`
  })
  const page = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="fiscal-rig exam"${counts(cases)} time="${seconds(tookMs)}">
${joined(suites)}
</testsuites>
`
  return String(page)
}

function testcase(result: CaseResult, { advice }: ExamFacts): Markup {
  const { id, group, verdict, why, repeat, story } = result
  const facts = attributes({ name: id, classname: `exam.${group}`, time: seconds(result.tookMs) })
  const output = story.filter(({ kind }) => kind === 'output').map(({ text }) => text)
  const text = [why, ...saidLines(result), ...aroundFault(result), ...(advice(result) ?? []), repeat].join('\n')
  const inner = [
    ...(verdict === 'not triggered' ? [xml`      <skipped message="${why}"/>`] : []),
    ...(isGood(verdict) ? [] : [xml`      <failure message="${why}" type="${verdict}">${text}</failure>`]),
    ...(isGood(verdict) || output.length === 0 ? [] : [xml`      <system-out>${output.join('\n')}</system-out>`]),
  ]
  if (inner.length === 0) return xml`    <testcase${facts}/>`
  return xml`    <testcase${facts}>
${joined(inner)}
    </testcase>`
}

function counts(cases: readonly CaseResult[]): Attributes {
  const failed = cases.filter(({ verdict }) => !isGood(verdict)).length
  const skipped = cases.filter(({ verdict }) => verdict === 'not triggered').length
  return attributes({ tests: cases.length, failures: failed, errors: 0, skipped })
}
