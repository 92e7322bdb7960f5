import { ForeignFileError } from '../../drivers/host/foreign-file.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { DocumentView } from '../../emulator/panel/contract.ts'
import { type Budget, type BudgetOptions, createBudget, DEFAULT_BUDGET } from './budget.ts'
import { type Check, checkAll } from './checks/index.ts'
import { type Failure, failureBefore, failureOf, type Stop } from './failure.ts'
import { familyFacts, Z_NAMES } from './family-facts.ts'
import type { Given } from './given.ts'
import type { ScenarioFiles } from './given-files.ts'
import type { LoadedScenario, Play } from './loaded-scenario.ts'
import { formatValue } from './match.ts'
import { type PersistentDevice, persistentDevice } from './persistent-device.ts'
import type { EarlierRuns, ResultStatus } from './report/earlier-runs.ts'
import { type Detail, detailOf } from './scenario-details.ts'
import { fill } from './scenario-names.ts'
import { emptyLog, printedBy, readRunStart, type ScenarioRun, sumsBeforeRun } from './scenario-run.ts'
import { logPart, logSkippedSteps } from './step-log.ts'
import type { ManualCheck, Problem, StepLogEntry } from './step-results.ts'
import { actionsOfGiven, callControl } from './steps/device-actions.ts'
import { unusedFaults } from './steps/faults.ts'
import { playSteps, StepFailed } from './steps/play-steps.ts'
import { postTo } from './steps/requests.ts'
import { TimeOver } from './target/http.ts'
import { type Rig, type Target, TargetUnreachable } from './target/target.ts'

export interface Result {
  readonly play: Play
  readonly status: ResultStatus
  readonly reason?: string
  readonly durationMs: number
  readonly failedBefore?: readonly string[]
  readonly failure?: Failure
  readonly paper: readonly DocumentView[]
  readonly manualChecks: readonly ManualCheck[]
  readonly story: readonly StepLogEntry[]
  readonly earlier?: EarlierRuns
  readonly detail?: Detail
  readonly left?: string
}

export interface PlayOptions {
  readonly target: Target
  readonly everything?: boolean
  readonly beforeStep?: ScenarioRun['beforeStep']
  readonly budget?: BudgetOptions
  readonly update: boolean
  readonly updated: (path: string) => void
  readonly repeatOptions: (seed: number) => readonly string[]
}

/** Rejects with TargetUnreachable if the target cannot be reached. */
export async function playOne(play: Play, options: PlayOptions): Promise<Result> {
  const began = performance.now()
  const { loaded, family, profile } = play
  const scope = scopeOf(play)
  const given = fill(loaded.scenario.given ?? {}, scope) as Given
  const { files, file, line } = loaded
  const repeatOptions = options.repeatOptions(play.seed)
  const budget = createBudget(options.budget ?? DEFAULT_BUDGET)
  let rig: Rig
  try {
    rig = await options.target.open({ family, profile, given, files, seed: play.seed, callTime: budget.request })
  } catch (error) {
    if (!(error instanceof ForeignFileError || error instanceof TimeOver)) throw error
    const stop = { file, line, step: undefined, problems: [problemFrom(error, 'given')] }
    const failure = failureBefore(stop, play, repeatOptions)
    return {
      play,
      status: 'failed',
      durationMs: performance.now() - began,
      failure,
      paper: [],
      manualChecks: [],
      story: [],
    }
  }
  const run = newRun(play, options, rig, budget, given, scope)
  const persistent = options.target.device === 'persistent' ? persistentDevice(run) : undefined
  try {
    const stop = await playAndCheck(loaded, run, persistent)
    const failed = stop && (await failureOf(stop, play, run, repeatOptions))
    const { left, stop: late } = persistent ? await leave(persistent, loaded) : {}
    const failure = failed ?? (late && (await failureOf(late, play, run, repeatOptions)))
    const paper = rig.panel ? await printedBy(rig.panel, run) : []
    const detail = failure || options.everything ? await detailOf(run, paper) : undefined
    return {
      play,
      status: failure ? 'failed' : 'passed',
      durationMs: performance.now() - began,
      ...(failure && { failure }),
      paper,
      manualChecks: run.log.manualChecks,
      story: run.log.story,
      ...(detail && { detail }),
      ...(left !== undefined && { left }),
    }
  } finally {
    await rig.close()
  }
}

function scopeOf({ loaded, family, profile, row }: Play): Map<string, unknown> {
  const scope = new Map<string, unknown>(Object.entries(familyFacts(family, profile)))
  for (const [name, value] of Object.entries(row)) scope.set(name, fill(value, scope))
  for (const [name, value] of Object.entries(loaded.scenario.let ?? {})) scope.set(name, fill(value, scope))
  return scope
}

const newRun = (
  { loaded, papers }: Play,
  { update, updated, beforeStep }: PlayOptions,
  rig: Rig,
  budget: Budget,
  given: Given,
  scope: Map<string, unknown>,
): ScenarioRun => ({
  rig,
  budget,
  given,
  locale: loaded.scenario.locale,
  scope,
  golden: { folder: loaded.paper, papers, update, updated },
  isLenient: loaded.scenario.check?.faults === 'any',
  beforeStep,
  log: emptyLog(),
})

async function playAndCheck(
  { file, line, checkLine, files, steps, scenario }: LoadedScenario,
  run: ScenarioRun,
  persistent: PersistentDevice | undefined,
): Promise<Stop | undefined> {
  const unready = await begin(run, files, persistent)
  if (unready !== undefined) {
    logPart(run, { file, line, title: 'given', status: 'failed' })
    logSkippedSteps(steps, 'notReached', run)
    return { file, line, step: undefined, problems: [unready] }
  }
  try {
    await playSteps(steps, run)
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    const { step, problems } = error
    return { file: step.file, line: step.line, step: step.text, problems: [...problems, ...troublesOf(run)] }
  }
  const { check } = scenario
  const problems = [...(await unusedFaults(run)), ...troublesOf(run), ...(check ? await checkProblems(check, run) : [])]
  const isRight = problems.length === 0
  const at = check ? checkLine : line
  if (check || !isRight)
    logPart(run, { file, line: at, title: check ? 'check' : 'end', status: isRight ? 'passed' : 'failed' })
  return isRight ? undefined : { file, line: at, step: undefined, problems }
}

async function checkProblems(check: unknown, run: ScenarioRun): Promise<readonly Problem[]> {
  try {
    return await checkAll(fill(check, run.scope) as Check, run)
  } catch (error) {
    return [problemFrom(error, 'check')]
  }
}

async function begin(
  run: ScenarioRun,
  files: ScenarioFiles,
  persistent: PersistentDevice | undefined,
): Promise<Problem | undefined> {
  try {
    await persistent?.begin()
    run.log.before = await sumsBeforeRun(run.rig)
    for (const [index, name] of Z_NAMES.entries()) run.scope.set(name, (run.log.before.lastZ ?? 0) + index + 1)
    await setUp(run, files)
    await printGivenReceipts(run)
    run.log.beginning = await readRunStart(run.rig)
    run.log.beganAt = run.rig.time.clock.now()
    return undefined
  } catch (error) {
    return problemFrom(error, 'given')
  }
}

async function setUp(run: ScenarioRun, files: ScenarioFiles): Promise<void> {
  const { snapshot } = run.given
  if (snapshot !== undefined)
    await run.rig.panel?.('PUT /emulator/snapshot', {
      body: (typeof snapshot === 'string' ? files.json(snapshot) : snapshot) as never,
    })
  for (const { name, body } of actionsOfGiven(run.given)) await callControl(run, name, body as never)
}

const RECEIPTS_MAX = 10_000

async function printGivenReceipts(run: ScenarioRun): Promise<void> {
  const { receipts = 0 } = run.given
  if (typeof receipts !== 'number' ? !Array.isArray(receipts) : !(receipts <= RECEIPTS_MAX))
    throw new RangeError(`expected at most ${RECEIPTS_MAX} receipts before the first step`)
  const bodies =
    typeof receipts === 'number'
      ? Array.from({ length: receipts }, () => ({ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }))
      : receipts
  for (const body of bodies) {
    const overdue = run.budget.overdue()
    if (overdue !== undefined) throw new Error(overdue)
    const answer = await postTo(run, '/print-fiscal-receipt', body)
    if (answer['StatusCode'] !== 200)
      throw new Error(`a receipt of given was not printed before the first step: ${formatValue(answer)}`)
  }
}

async function leave(
  persistent: PersistentDevice,
  { file, line }: LoadedScenario,
): Promise<{ readonly left?: string; readonly stop?: Stop }> {
  try {
    const left = await persistent.leave()
    return left === undefined ? {} : { left }
  } catch (error) {
    return { stop: { file, line, step: undefined, problems: [problemFrom(error, 'at the end')] } }
  }
}

/** Rethrows TargetUnreachable. */
function problemFrom(error: unknown, when: string): Problem {
  if (error instanceof TargetUnreachable) throw error
  return { what: `${when}: ${messageOf(error)}` }
}

/** Only unexpected errors have a stack. */
const troublesOf = ({ rig }: ScenarioRun): Problem[] =>
  rig.troubles.filter((line) => /\n {1,8}at /.test(line)).map((what) => ({ what }))
