/**
 * `fiscal-rig exam`: runs a till against emulated devices with faults, and judges the till by what the devices have
 * booked.
 */

import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { HAND_WRITTEN_MAX_BYTES, HAND_WRITTEN_MAX_VALUES } from '../../drivers/host/foreign-file.ts'
import { tcpPortTrouble } from '../../drivers/host/server-access.ts'
import { formatOptions, rigCommand } from '../../drivers/host/shell-command.ts'
import type { Waits } from '../../drivers/index.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import { measuredTimes } from '../../emulator/line/durations.ts'
import { PtyError } from '../../emulator/line/pty.ts'
import { adviceFor } from '../../scenarios/exam/advice.ts'
import { ExamInterrupted } from '../../scenarios/exam/case.ts'
import { commandTill } from '../../scenarios/exam/command-till.ts'
import { BASELINE, type ExamEnd, NothingMatches, runExam, standardIds } from '../../scenarios/exam/exam.ts'
import { type Jobs, readJobs, USUAL_JOBS } from '../../scenarios/exam/job.ts'
import { isPassing } from '../../scenarios/exam/judge.ts'
import { examHtml, examPage } from '../../scenarios/exam/report/html.ts'
import { examJson } from '../../scenarios/exam/report/json.ts'
import { examJunit } from '../../scenarios/exam/report/junit.ts'
import { examPretty } from '../../scenarios/exam/report/pretty.ts'
import { type ExamFacts, sentences } from '../../scenarios/exam/report/report.ts'
import type { Till } from '../../scenarios/exam/till.ts'
import { urlTill } from '../../scenarios/exam/url-till.ts'
import type { ExamPage } from '../exam/exam-page.ts'
import { assertWritable, EXIT_ENVIRONMENT, EXIT_FAILED, EXIT_USAGE, Exit, readJsonInput, writeOutput } from '../exit.ts'
import { abortedOnSignal, io, type Output } from '../io.ts'
import { chosenFamily, chosenPassport } from '../passport-file.ts'
import { type ExamReporter, type PlacedReport, placedReports, type ReporterChoice } from '../reporters.ts'
import { panelPortTrouble } from '../start-device.ts'
import { say, writeLine } from '../terminal-output.ts'

interface ExamCommandOptions {
  readonly family: Family
  readonly profile?: string
  readonly passport?: string
  readonly till?: string
  readonly tillUrl?: string
  readonly depth: 'quick' | 'full'
  readonly only?: readonly string[]
  readonly list?: boolean
  readonly job?: string
  readonly seed: number
  /** Time until a running till counts as hung, in s. */
  readonly timeout: number
  readonly workers?: number
  readonly link?: string
  readonly tcp?: number
  readonly baud?: number
  readonly realistic?: boolean
  readonly switch?: Readonly<Record<string, string>>
  readonly wait?: Waits
  readonly reporter?: readonly ReporterChoice<ExamReporter>[]
  readonly output?: string
  readonly panelPort?: number
  readonly bail?: boolean
}

/** Several cases run per core, because cases mostly wait. */
const WORKERS_PER_CORE = 4

export async function exam(chosen: Omit<ExamCommandOptions, 'family'> & { readonly family?: Family }): Promise<void> {
  if (chosen.list) return list(chosen)
  const passport = chosenPassport(chosen)
  const options: ExamCommandOptions = { ...chosen, family: chosenFamily(chosen.family, passport) }
  checkProfile(options)
  const jobs = jobsOf(options.job)
  for (const { file } of reportersOf(options)) if (file !== undefined) assertWritable(file)
  const till = await tillOf(options)
  const facts: ExamFacts = {
    till: till.name,
    seed: options.seed,
    depth: options.depth,
    command: commandLine(
      options,
      (options.only ?? []).flatMap((part) => ['--only', part]),
    ),
    advice: (result) => adviceFor(options.family, result),
  }
  const progress = examPretty(
    (text) => progressStream(options).write(text),
    facts,
    progressStream(options).isTTY === true,
  )
  const watch = await watchOf(options, till)
  const signal = abortedOnSignal()
  const isFixed = options.link !== undefined || options.tcp !== undefined
  try {
    const end = await runExam({
      till,
      jobs,
      signal,
      depth: options.depth,
      only: options.only ?? [],
      workers: isFixed ? 1 : (options.workers ?? WORKERS_PER_CORE * availableParallelism()),
      bail: options.bail === true,
      repeat: (id) => commandLine(options, id === BASELINE ? [] : ['--only', id]),
      baselineEnded(baseline, map, planned) {
        watch?.planned(planned + 1)
        watch?.ended(baseline)
        progress.baselineEnded(baseline, map, planned)
      },
      ended(result) {
        watch?.ended(result)
        progress.ended(result)
      },
      ...(watch && { opened: watch.opened }),
      testBench: {
        family: options.family,
        seed: options.seed,
        hasPty: hasPty(options),
        timeoutMs: options.timeout * 1000,
        ...omitUndefined({ profile: options.profile, baud: options.baud, link: options.link, tcp: options.tcp }),
        ...omitUndefined({ switches: options.switch, passport }),
        ...(options.realistic && { realistic: measuredTimes(passport?.line) }),
      },
    })
    progress.finished(end)
    for (const report of reportersOf(options)) {
      if (report.name !== 'pretty' || report.file !== undefined) store(report, textOf(report.name, end, facts))
    }
    io().status = statusOf(end)
    if (watch) await showEnd(watch, end, facts, signal)
  } catch (problem) {
    throw asExit(problem)
  } finally {
    await watch?.close()
  }
}

/**
 * Shows the result on the page until the page is closed or a signal arrives. If no page is open, returns immediately.
 */
async function showEnd(watch: ExamPage, end: ExamEnd, facts: ExamFacts, signal: AbortSignal): Promise<void> {
  watch.finished(sentences(end), examPage(end, facts, new Date()))
  const unwatched = watch.whenUnwatched(signal)
  const isShown = await Promise.race([unwatched.then(() => false), new Promise((now) => setImmediate(now, true))])
  if (!isShown) return
  writeLine(`${watch.url}/#exam shows the result until you close the page or press Ctrl+C.`)
  await unwatched
}

function statusOf({ cases, isInterrupted }: ExamEnd): number {
  const [baseline] = cases
  if (baseline && !isPassing(baseline.verdict)) return EXIT_ENVIRONMENT
  return isInterrupted || cases.some(({ verdict }) => !isPassing(verdict)) ? EXIT_FAILED : 0
}

function asExit(problem: unknown): unknown {
  if (problem instanceof NothingMatches) return new Exit(EXIT_USAGE, problem.message)
  if (problem instanceof ExamInterrupted)
    return new Exit(
      EXIT_FAILED,
      'The exam was interrupted before its baseline case had finished, so there is no report. Run it again.',
    )
  if (problem instanceof RangeError) return new Exit(EXIT_USAGE, problem.message)
  if (problem instanceof Error && ('code' in problem || problem instanceof PtyError)) {
    const { port } = problem as { readonly port?: unknown }
    const why = typeof port === 'number' ? tcpPortTrouble(problem, { port, option: '--tcp' }) : undefined
    return new Exit(EXIT_ENVIRONMENT, why ?? problem.message)
  }
  return problem
}

function list({ only = [] }: Pick<ExamCommandOptions, 'only'>): void {
  const ids = standardIds(only)
  if (ids.length === 0)
    throw new Exit(EXIT_USAGE, `--only ${only.join(' ')}: there is no such case; --list without --only lists all cases`)
  say(ids.map((id) => `${id}\n`).join(''))
}

function checkProfile({ family, profile }: ExamCommandOptions): void {
  const profiles = profilesOf(family)
  if (profile !== undefined && !profiles.includes(profile))
    throw new Exit(EXIT_USAGE, `--profile ${profile}: expected a profile of family ${family}: ${profiles.join(', ')}`)
}

function jobsOf(file: string | undefined): Jobs {
  if (file === undefined) return USUAL_JOBS
  const jobs = readJsonInput(file, { maxBytes: HAND_WRITTEN_MAX_BYTES, maxValues: HAND_WRITTEN_MAX_VALUES })
  try {
    return readJobs(jobs)
  } catch (problem) {
    throw new Exit(EXIT_USAGE, `--job ${file}: ${messageOf(problem)}`)
  }
}

async function tillOf({ till, tillUrl, wait = {} }: ExamCommandOptions): Promise<Till> {
  if ((till === undefined) === (tillUrl === undefined))
    throw new Exit(EXIT_USAGE, 'error: give exactly one of --till COMMAND, --till service and --till-url URL')
  if (tillUrl !== undefined) {
    if (Object.keys(wait).length > 0) throw new Exit(EXIT_USAGE, 'error: --wait requires --till service')
    if (!/^https?:\/\//.test(tillUrl) || !URL.canParse(tillUrl))
      throw new Exit(EXIT_USAGE, `--till-url: expected an address that begins with http:// or https://, not ${tillUrl}`)
    return urlTill(tillUrl)
  }
  const { SERVICE, serviceTillWith } = await import('../exam/service-till.ts')
  if (till === SERVICE) return serviceTillWith(wait)
  if (Object.keys(wait).length > 0) throw new Exit(EXIT_USAGE, 'error: --wait requires --till service')
  return commandTill(till ?? '')
}

async function watchOf({ panelPort, family, depth }: ExamCommandOptions, till: Till): Promise<ExamPage | undefined> {
  if (panelPort === undefined) return undefined
  const [{ watchExam }, { ensurePageIfPossible }] = await Promise.all([
    import('../exam/exam-page.ts'),
    import('./build-panel-page.ts'),
  ])
  await ensurePageIfPossible()
  try {
    const watch = await watchExam(panelPort, { till: till.name, family, depth })
    writeLine(`Watch the exam on ${watch.url}/#exam`)
    return watch
  } catch (problem) {
    throw new Exit(EXIT_ENVIRONMENT, panelPortTrouble(panelPort, problem))
  }
}

function hasPty({ link, till = '' }: ExamCommandOptions): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  if (link !== undefined || till.includes('{link}') || folders.some((one) => existsSync(join(one, 'socat'))))
    return true
  writeLine('socat is not in PATH: the device has no pty and is reachable over TCP only; install socat to have both')
  return false
}

function commandLine(options: ExamCommandOptions, extraOptions: readonly string[]): string {
  const { family, profile, till, tillUrl, depth, job, seed, timeout, link, tcp, baud, realistic } = options
  const args = [
    ...formatOptions({ family, profile, passport: options.passport, till, 'till-url': tillUrl, depth, seed }),
    ...formatOptions({ timeout: timeout === DEFAULT_TIMEOUT_S ? undefined : timeout, job, link, tcp, baud, realistic }),
    ...Object.entries(options.switch ?? {}).flatMap(([name, value]) => ['--switch', `${name}=${value}`]),
    ...Object.entries(options.wait ?? {}).flatMap(([name, value]) => ['--wait', `${name}=${value}`]),
    ...extraOptions,
  ]
  return rigCommand(['exam', ...args])
}

const DEFAULT_TIMEOUT_S = 60

const reportersOf = ({ reporter = [{ name: 'pretty' }], output }: ExamCommandOptions) => placedReports(reporter, output)

/** Progress goes to standard error if another report uses standard output. */
const progressStream = (options: ExamCommandOptions): Output =>
  reportersOf(options).some(({ name, file }) => name !== 'pretty' && file === undefined) ? io().err : io().out

function textOf(name: ExamReporter, end: ExamEnd, facts: ExamFacts): string {
  switch (name) {
    case 'pretty':
      return prettyText(end, facts)
    case 'json':
      return examJson(end, facts)
    case 'junit':
      return examJunit(end, facts)
    case 'html':
      return examHtml(end, facts, new Date())
  }
}

function prettyText(end: ExamEnd, facts: ExamFacts): string {
  const parts: string[] = []
  const pretty = examPretty((text) => parts.push(text), facts, false)
  const [baseline, ...otherCases] = end.cases
  if (baseline) pretty.baselineEnded(baseline, end.map, end.planned - 1)
  for (const one of otherCases) pretty.ended(one)
  pretty.finished(end)
  return parts.join('')
}

function store({ file }: PlacedReport<ExamReporter>, text: string): void {
  if (file === undefined) say(text)
  else writeOutput(file, text)
}
