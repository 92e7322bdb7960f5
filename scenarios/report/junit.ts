/** The format is that of fixtures/junit.xsd. */
import { type Attributes, attributes, joinMarkup, type Markup, xml } from '../../drivers/host/markup.ts'

export interface JunitCase {
  readonly name: string
  readonly classname: string
  readonly tookMs: number
  readonly skipped?: string | undefined
  readonly failure?: { readonly message: string; readonly type: string; readonly lines: readonly string[] } | undefined
  readonly output: readonly string[]
}

interface JunitSuite {
  readonly name: string
  readonly properties: Readonly<Record<string, string | number>>
  readonly cases: readonly JunitCase[]
}

export function junitText(name: string, tookMs: number, suites: readonly JunitSuite[]): string {
  const page = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${name}"${counts(suites.flatMap(({ cases }) => cases))} time="${seconds(tookMs)}">
${joinMarkup(suites.map(suite))}
</testsuites>
`
  return String(page)
}

function suite({ name, properties, cases }: JunitSuite): Markup {
  const tookMs = cases.reduce((sum, one) => sum + one.tookMs, 0)
  const facts = Object.entries(properties).map(([key, value]) => xml`      <property name="${key}" value="${value}"/>`)
  return xml`  <testsuite name="${name}"${counts(cases)} time="${seconds(tookMs)}">
    <properties>
${joinMarkup(facts)}
    </properties>
${joinMarkup(cases.map(testcase))}
  </testsuite>`
}

function testcase({ name, classname, tookMs, skipped, failure, output }: JunitCase): Markup {
  const facts = attributes({ name, classname, time: seconds(tookMs) })
  const inner = [
    ...(skipped === undefined ? [] : [xml`      <skipped message="${skipped}"/>`]),
    ...(failure
      ? [xml`      <failure message="${failure.message}" type="${failure.type}">${failure.lines.join('\n')}</failure>`]
      : []),
    ...(output.length === 0 ? [] : [xml`      <system-out>${output.join('\n')}</system-out>`]),
  ]
  return inner.length === 0
    ? xml`    <testcase${facts}/>`
    : xml`    <testcase${facts}>
${joinMarkup(inner)}
    </testcase>`
}

const counts = (cases: readonly JunitCase[]): Attributes =>
  attributes({
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure).length,
    errors: 0,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
  })

const seconds = (ms: number): string => (ms / 1000).toFixed(3)
