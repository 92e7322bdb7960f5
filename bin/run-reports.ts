/** The reports of `fiscal-rig run`: the text output during the run, and the files at its end. */
import { escapeControlInLines } from '../drivers/model/escape-control.ts'
import type { Result } from '../scenarios/runner/play-scenario.ts'
import { githubReporter, gitlabReporter } from '../scenarios/runner/report/annotations.ts'
import { htmlReporter } from '../scenarios/runner/report/html.ts'
import { jsonReporter } from '../scenarios/runner/report/json.ts'
import { junitReporter } from '../scenarios/runner/report/junit.ts'
import { prettyReporter } from '../scenarios/runner/report/pretty.ts'
import type { Reporter, RunFacts, Write } from '../scenarios/runner/report/report.ts'
import { resultWithoutSecrets } from '../scenarios/runner/report/secrets.ts'
import { traceReporter } from '../scenarios/runner/report/trace.ts'
import { assertWritable, EXIT_USAGE, Exit, writeOutput } from './exit.ts'
import { type PlacedReport, placedReports, type ReporterChoice, type RunReporter } from './reporters.ts'

export interface ReportOptions {
  readonly reporter?: readonly ReporterChoice<RunReporter>[]
  readonly output?: string
  readonly trace?: string
}

export interface Stream {
  write(text: string): unknown
  readonly isTTY?: boolean
}

export interface ReportPlace {
  readonly out: Stream
  readonly err: Stream
  readonly now: Date
}

const SHARED_OUTPUT: readonly RunReporter[] = ['pretty', 'github']

/** Throws Exit for reports that cannot be written. Reporters receive results without the secrets of scenarios. */
export function openReports(options: ReportOptions, facts: RunFacts, { out, err, now }: ReportPlace): Reporter {
  const placed = placedReports(options.reporter ?? [{ name: 'pretty' }], options.output)
  const alone = placed.filter(({ name, file }) => file === undefined && !SHARED_OUTPUT.includes(name))
  if (alone.length > 1) {
    const names = alone.map(({ name }) => name).join(' and ')
    throw new Exit(
      EXIT_USAGE,
      `${names} cannot share standard output: name a file for each, such as --reporter junit=FILE`,
    )
  }
  for (const { file } of [...placed, { file: options.trace }]) if (file !== undefined) assertWritable(file)
  const isAsked = placed.some(({ name, file }) => name === 'pretty' && file === undefined)
  const people = isAsked && alone.length === 0 ? out : err
  const isForProgramAlone = placed.length === 1 && alone[0]?.name === 'json'
  return combinedReporter([
    ...(isForProgramAlone ? [] : [prettyReporter((text) => people.write(text), facts, people.isTTY === true)]),
    ...placed
      .filter(({ name, file }) => name !== 'pretty' || file !== undefined)
      .map((report) => placedReporter(report, facts, now, out)),
    ...(options.trace === undefined
      ? []
      : [intoFile(options.trace, (write) => traceReporter(write, facts, now), 'data')]),
  ])
}

function placedReporter({ name, file }: PlacedReport<RunReporter>, facts: RunFacts, now: Date, out: Stream): Reporter {
  const make = (write: Write) => reporterOf(name, write, facts, now)
  return file === undefined ? make((text) => out.write(escapeControlInLines(text))) : intoFile(file, make)
}

function reporterOf(name: RunReporter, write: Write, facts: RunFacts, now: Date): Reporter {
  switch (name) {
    case 'pretty':
      return prettyReporter(write, facts, false)
    case 'json':
      return jsonReporter(write, facts, now)
    case 'junit':
      return junitReporter(write, facts)
    case 'html':
      return htmlReporter(write, facts, now)
    case 'github':
      return githubReporter(write)
    case 'gitlab':
      return gitlabReporter(write)
  }
}

function intoFile(file: string, make: (write: Write) => Reporter, what?: 'data'): Reporter {
  const parts: string[] = []
  const reporter = make((text) => void parts.push(text))
  return {
    ...reporter,
    finished(summary) {
      reporter.finished(summary)
      writeOutput(file, parts.join(''), what)
    },
  }
}

function combinedReporter(reporters: readonly Reporter[]): Reporter {
  const masked = new WeakMap<Result, Result>()
  const withoutSecretsOf = (result: Result): Result => {
    const clean = masked.get(result) ?? resultWithoutSecrets(result)
    masked.set(result, clean)
    return clean
  }
  return {
    began: (play) => {
      for (const one of reporters) one.began?.(play)
    },
    ended: (result) => {
      const clean = withoutSecretsOf(result)
      for (const one of reporters) one.ended(clean)
    },
    updated: (path) => {
      for (const one of reporters) one.updated?.(path)
    },
    finished: (summary) => {
      const clean = { ...summary, results: summary.results.map(withoutSecretsOf) }
      for (const one of reporters) one.finished(clean)
    },
  }
}
