import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ForeignFileTooLarge, readForeignLines } from '../../drivers/host/foreign-file.ts'
import { formatOptions, rigCommand } from '../../drivers/host/shell-command.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { escapeControl } from '../../drivers/model/escape-control.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { DEFAULT_BUDGET } from '../../scenarios/runner/budget.ts'
import { NoFiles, scenarioFiles } from '../../scenarios/runner/find-scenarios.ts'
import { goldenFolder } from '../../scenarios/runner/golden.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import type { Play } from '../../scenarios/runner/loaded-scenario.ts'
import { ScenarioMistakes } from '../../scenarios/runner/mistake.ts'
import { type EarlierRun, earlierOf, readEarlierRun } from '../../scenarios/runner/report/earlier-runs.ts'
import { choosePlays, runPlays, type Summary } from '../../scenarios/runner/run.ts'
import { ScenarioStopped } from '../../scenarios/runner/steps/play-steps.ts'
import { TargetUnreachable } from '../../scenarios/runner/target/target.ts'
import { EXIT_ENVIRONMENT, EXIT_FAILED, EXIT_USAGE, Exit } from '../exit.ts'
import { io } from '../io.ts'
import { lastFailedFile, readLastFailed, saveLastFailed } from '../last-failed.ts'
import { openReports, type ReportOptions, type ReportPlace } from '../run-reports.ts'
import { type TargetOptions, targetOf } from '../run-target.ts'
import { stepByStep } from '../step-by-step.ts'
import { writeLine } from '../terminal-output.ts'
import { watchInputs } from '../watch-inputs.ts'

export interface RunCommandOptions extends TargetOptions, ReportOptions {
  readonly seed: number
  readonly only?: string
  readonly grep?: RegExp
  readonly tag: readonly string[]
  readonly lastFailed?: boolean
  readonly repeatEach?: number
  readonly retries?: number
  readonly parallel: number
  readonly shard?: { readonly index: number; readonly of: number }
  readonly bail?: boolean
  readonly watch?: boolean
  readonly list?: boolean
  readonly debug?: boolean
  readonly update?: boolean
  readonly stepLimit?: number
  /** Seconds. */
  readonly timeLimit?: number
  /** Allows steps such as `include` to leave the folder of their file. */
  readonly allowOutside?: boolean
  readonly history?: readonly string[]
  readonly allowNone?: boolean
  readonly wire?: boolean
}

interface RunPlace extends ReportPlace {
  readonly input: NodeJS.ReadableStream
  readonly lastFailed: string
}

const here = (): RunPlace => ({
  out: io().out,
  err: io().err,
  input: io().input,
  now: new Date(),
  lastFailed: lastFailedFile(),
})

export async function run(
  named: readonly string[],
  options: RunCommandOptions,
  place: RunPlace = here(),
): Promise<void> {
  if (options.list) return list(named, options, place)
  if (options.watch) return runUntilSignal(named, options)
  const { failed, passed, results } = await runOnce(named, options, place)
  if (failed > 0) throw new Exit(EXIT_FAILED, '')
  if (results.length === 0) throw nothingChosen(options)
  if (passed === 0 && !options.allowNone) {
    throw new Exit(
      EXIT_FAILED,
      `0 of ${countText(results.length, 'scenario')} ran; see the reasons above. Use --allow-none to exit with status 0.`,
    )
  }
}

function nothingChosen({ lastFailed, allowNone }: RunCommandOptions): Exit {
  if (!lastFailed)
    return new Exit(
      EXIT_USAGE,
      'No scenario matches: check --only, --grep, --tag, --family, --profile, --shard and the family of the target.',
    )
  const what =
    'None of the selected scenarios is in the list of failed ones; check the files and filters, or omit --last-failed.'
  return new Exit(allowNone ? 0 : EXIT_FAILED, what)
}

type OnRead = (path: string) => void

async function chosenPlays(named: readonly string[], options: RunCommandOptions, place: RunPlace, onRead?: OnRead) {
  const loaded = load(named, options, onRead)
  const target = await targetOf(options)
  const plays = choosePlays(loaded, {
    families: target.families,
    profile: options.profile ?? target.profile,
    only: options.only,
    grep: options.grep,
    tags: options.tag,
    among: options.lastFailed ? readLastFailed(place.lastFailed) : undefined,
    repeatEach: options.repeatEach,
    seed: options.seed,
    shard: options.shard,
  })
  return { plays, target }
}

async function runOnce(
  named: readonly string[],
  options: RunCommandOptions,
  place: RunPlace,
  onRead?: OnRead,
): Promise<Summary> {
  const earlier = earlierRuns(options.history ?? [])
  const { plays, target } = await chosenPlays(named, options, place, onRead)
  const facts = {
    target: target.name,
    seed: options.seed,
    plays: plays.length,
    command: commandLine(named, options),
    ...(options.wire && { wire: true }),
  }
  const stops = options.debug ? stepByStep(place.input, place.err) : undefined
  try {
    const reporter = openReports(options, facts, place)
    await target.reach?.()
    const summary = await runPlays(plays, {
      target,
      parallel: stops ? 1 : options.parallel,
      bail: options.bail === true,
      retries: options.retries ?? 0,
      update: options.update === true,
      budget: {
        stepLimit: options.stepLimit ?? DEFAULT_BUDGET.stepLimit,
        timeLimitS: options.timeLimit ?? DEFAULT_BUDGET.timeLimitS,
      },
      everything: options.trace !== undefined,
      beforeStep: stops?.beforeStep,
      repeatOptions: (seed) => targetOptions({ ...options, seed }),
      earlier: ({ loaded, id }) => earlierOf(loaded.file, id, earlier),
      began: (play) => reporter.began?.(play),
      ended: (result) => reporter.ended(result),
      updated: (path) => reporter.updated?.(path),
    })
    reporter.finished(summary)
    saveLastFailed(place.lastFailed, summary.results)
    return summary
  } catch (error) {
    if (error instanceof ScenarioStopped) throw new Exit(EXIT_FAILED, error.message)
    if (error instanceof TargetUnreachable) throw new Exit(EXIT_ENVIRONMENT, error.message)
    throw error
  } finally {
    await stops?.close()
    await target.close()
  }
}

function load(named: readonly string[], { update, allowOutside }: RunCommandOptions, onRead?: OnRead) {
  try {
    return loadScenarios(scenarioFiles(named), {
      update: update === true,
      allowOutside: allowOutside === true,
      ...omitUndefined({ onRead }),
    })
  } catch (error) {
    if (error instanceof ScenarioMistakes || error instanceof NoFiles) throw new Exit(EXIT_USAGE, error.message)
    throw error
  }
}

async function list(named: readonly string[], options: RunCommandOptions, place: RunPlace): Promise<void> {
  const { plays, target } = await chosenPlays(named, options, place)
  await target.close()
  if (plays.length === 0) throw nothingChosen(options)
  for (const play of plays) place.out.write(`${listLine(play)}\n`)
}

function listLine({ loaded, name }: Play): string {
  const { tags = [] } = loaded.scenario
  return escapeControl(`${loaded.file}:${loaded.line}  ${name}${tags.length === 0 ? '' : `  (${tags.join(', ')})`}`)
}

function earlierRuns(named: readonly string[]): readonly EarlierRun[] {
  try {
    const files = named.flatMap((name) =>
      statSync(name, { throwIfNoEntry: false })?.isDirectory()
        ? readdirSync(name)
            .filter((one) => /\.jsonl?$/.test(one))
            .sort()
            .map((one) => join(name, one))
        : [name],
    )
    return reportsIn(files).toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? ''))
  } catch (error) {
    throw new Exit(EXIT_USAGE, `--history: ${messageOf(error)}`)
  }
}

const HISTORY_MAX_BYTES = 32 * 1024 * 1024

/** The size limit applies to the sum of the reports, because all of them are held in memory. */
function reportsIn(files: readonly string[]): readonly EarlierRun[] {
  let remaining = HISTORY_MAX_BYTES
  return files.map((file) => {
    try {
      const run = readEarlierRun(file, readForeignLines(file, { maxBytes: remaining }))
      remaining -= statSync(file).size
      return run
    } catch (error) {
      if (error instanceof ForeignFileTooLarge)
        throw new RangeError(
          `${file}: all reports together are larger than ${HISTORY_MAX_BYTES / 1024 / 1024} MiB: name fewer reports`,
        )
      throw error
    }
  })
}

const targetOptions = (options: RunCommandOptions): readonly string[] => formatOptions(resultOptions(options))

function resultOptions({ target, family, seed, panel, profile, reset, byHand, ...rest }: RunCommandOptions) {
  const { passport, baud, ca, allowOutside, stepLimit, timeLimit } = rest
  return {
    ...{ target, family: family?.join(','), seed, profile, passport, baud, panel, ca, reset, 'by-hand': byHand },
    'allow-outside': allowOutside,
    'step-limit': stepLimit === DEFAULT_BUDGET.stepLimit ? undefined : stepLimit,
    'time-limit': timeLimit === DEFAULT_BUDGET.timeLimitS ? undefined : timeLimit,
  }
}

const commandLine = (named: readonly string[], options: RunCommandOptions): string =>
  rigCommand(['run', ...named, ...targetOptions(options)])

/** Runs again whenever a file changes that the run has read, until a signal arrives. */
async function runUntilSignal(named: readonly string[], options: RunCommandOptions): Promise<void> {
  const ended = new Promise<'ended'>((resolve) => {
    io().onSignal(() => resolve('ended'))
  })
  const list = (): readonly string[] => {
    try {
      return scenarioFiles(named)
    } catch (error) {
      if (error instanceof NoFiles) return []
      throw error
    }
  }
  // The run itself writes the golden files if --update is set.
  const goldens = () => (options.update ? [] : [...new Set(list().map((file) => goldenFolder(dirname(resolve(file)))))])
  for (;;) {
    const inputs = watchInputs(list, goldens)
    for (const file of [options.passport, options.ca]) if (file !== undefined) inputs.note(file)
    await runOnce(named, options, here(), inputs.note).catch((error: unknown) => {
      if (!(error instanceof Exit)) throw error
      writeLine(error.message)
    })
    writeLine('Waiting for a change. End with Ctrl+C.')
    const next = await Promise.race([inputs.changed(), ended])
    inputs.close()
    if (next === 'ended') return
  }
}
