/** One scenario, once: on one family, with one row of its table. */
import { messageOf } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { ForeignFileError } from '../../drivers/model/foreign-file.ts'
import type { DocumentView } from '../../emulator/panel/contract.ts'
import { type Budget, type BudgetOptions, createBudget, DEFAULT_BUDGET } from './budget.ts'
import type { Look } from './by-eye.ts'
import { type Check, checkAll } from './checks/index.ts'
import { AT_THE_BEGINNING, beforeOf, beginningOf, type Course, type Problem, printedBy } from './course.ts'
import { type Detail, detailOf } from './detail.ts'
import { NEW_DEVICE } from './device-sums.ts'
import { type Failure, failureBefore, failureOf, type Stop } from './failure.ts'
import { familyFacts, Z_NAMES } from './family-facts.ts'
import { type LastingDevice, lastingDevice } from './lasting-device.ts'
import type { LoadedScenario } from './load.ts'
import { shown } from './match.ts'
import type { Earlier } from './report/history.ts'
import type { ScenarioFiles } from './scenario-files.ts'
import type { Given } from './schema.ts'
import { unusedFaults } from './steps/faults.ts'
import { hand, handsOfGiven } from './steps/hands.ts'
import { postTo } from './steps/requests.ts'
import { playSteps, StepFailed } from './steps/step.ts'
import { leaveOutSteps, type StoryStep, tellPart } from './story.ts'
import { TimeOver } from './target/http.ts'
import { type Rig, type Target, Unreachable } from './target/target.ts'
import { fill } from './values.ts'

export interface Play {
  readonly loaded: LoadedScenario
  readonly family: Family
  readonly profile: string | undefined
  /** Where its golden papers stand: see Course. */
  readonly papers: string
  readonly row: Readonly<Record<string, unknown>>
  /** With family and row. */
  readonly id: string
  /** The same, with its turn where it is played several times: unique within a run. */
  readonly name: string
  /** Seed of everything random in it. */
  readonly seed: number
}

export interface Result {
  readonly play: Play
  readonly status: 'passed' | 'failed' | 'notRun'
  /** `clock (a real device's clock cannot be moved)` */
  readonly reason?: string
  readonly durationMs: number
  /** What was wrong when it was played before, turn by turn: `--retries`. */
  readonly failedBefore?: readonly string[]
  readonly failure?: Failure
  readonly paper: readonly DocumentView[]
  /** What only a person can see. */
  readonly looks: readonly Look[]
  readonly story: readonly StoryStep[]
  /** What became of it in earlier runs. */
  readonly earlier?: Earlier
  /** Of a failure, and where everything is kept. */
  readonly detail?: Detail
  /** What a lasting device was left with. */
  readonly left?: string
}

export interface PlayOptions {
  readonly target: Target
  /** Details of what passed are kept, too. */
  readonly everything?: boolean
  readonly beforeStep?: Course['beforeStep']
  /** Default: DEFAULT_BUDGET. */
  readonly budget?: BudgetOptions
  readonly update: boolean
  readonly updated: (path: string) => void
  /** The options of the command that repeats it. */
  readonly repeatOptions: (seed: number) => readonly string[]
}

/** Throws Unreachable when the target is not there at all. */
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
    return { play, status: 'failed', durationMs: performance.now() - began, failure, paper: [], looks: [], story: [] }
  }
  const course = courseOf(play, options, rig, budget, given, scope)
  const lasting = options.target.device === 'lasting' ? lastingDevice(course) : undefined
  try {
    const stop = await stopOf(loaded, course, lasting)
    const failed = stop && (await failureOf(stop, play, course, repeatOptions))
    const { left, stop: late } = lasting ? await leave(lasting, loaded) : {}
    const failure = failed ?? (late && (await failureOf(late, play, course, repeatOptions)))
    const paper = rig.panel ? await printedBy(rig.panel, course) : []
    const detail = failure || options.everything ? await detailOf(course, paper) : undefined
    return {
      play,
      status: failure ? 'failed' : 'passed',
      durationMs: performance.now() - began,
      ...(failure && { failure }),
      paper,
      looks: course.looks,
      story: course.story,
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

const courseOf = (
  { loaded, papers }: Play,
  { update, updated, beforeStep }: PlayOptions,
  rig: Rig,
  budget: Budget,
  given: Given,
  scope: Map<string, unknown>,
): Course => ({
  rig,
  budget,
  given,
  locale: loaded.scenario.locale,
  scope,
  golden: { folder: loaded.paper, papers, update, updated },
  isLenient: loaded.scenario.check?.faults === 'any',
  beginning: AT_THE_BEGINNING,
  before: NEW_DEVICE,
  looks: [],
  story: [],
  beforeStep,
  depth: 0,
  beganAt: undefined,
  request: undefined,
  answer: undefined,
  heardBefore: 0,
  hasFaults: false,
  isUnheard: false,
})

/** Plays it; undefined when it has passed. */
async function stopOf(
  { file, line, checkLine, files, steps, scenario }: LoadedScenario,
  course: Course,
  lasting: LastingDevice | undefined,
): Promise<Stop | undefined> {
  const unready = await begin(course, files, lasting)
  if (unready !== undefined) {
    tellPart(course, { file, line, title: 'given', status: 'failed' })
    leaveOutSteps(steps, 'notReached', course)
    return { file, line, step: undefined, problems: [unready] }
  }
  try {
    await playSteps(steps, course)
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    const { step, problems } = error
    return { file: step.file, line: step.line, step: step.text, problems: [...problems, ...troublesOf(course)] }
  }
  const { check } = scenario
  const problems = [
    ...(await unusedFaults(course)),
    ...troublesOf(course),
    ...(check ? await checkProblems(check, course) : []),
  ]
  const isRight = problems.length === 0
  const at = check ? checkLine : line
  if (check || !isRight)
    tellPart(course, { file, line: at, title: check ? 'check' : 'end', status: isRight ? 'passed' : 'failed' })
  return isRight ? undefined : { file, line: at, step: undefined, problems }
}

async function checkProblems(check: unknown, course: Course): Promise<readonly Problem[]> {
  try {
    return await checkAll(fill(check, course.scope) as Check, course)
  } catch (error) {
    return [problemFrom(error, 'check')]
  }
}

/** Puts the device into the state that the scenario begins with. */
async function begin(
  course: Course,
  files: ScenarioFiles,
  lasting: LastingDevice | undefined,
): Promise<Problem | undefined> {
  try {
    await lasting?.begin()
    course.before = await beforeOf(course.rig)
    for (const [index, name] of Z_NAMES.entries()) course.scope.set(name, (course.before.lastZ ?? 0) + index + 1)
    await setUp(course, files)
    await printBefore(course)
    course.beginning = await beginningOf(course.rig)
    course.beganAt = course.rig.time.clock.now()
    return undefined
  } catch (error) {
    return problemFrom(error, 'given')
  }
}

async function setUp(course: Course, files: ScenarioFiles): Promise<void> {
  const { snapshot } = course.given
  if (snapshot !== undefined)
    await course.rig.panel?.('PUT /emulator/snapshot', {
      body: (typeof snapshot === 'string' ? files.json(snapshot) : snapshot) as never,
    })
  for (const { name, body } of handsOfGiven(course.given)) await hand(course, name, body as never)
}

const RECEIPTS_MAX = 10_000

/** So many receipts of article 1, or the given ones. */
async function printBefore(course: Course): Promise<void> {
  const { receipts = 0 } = course.given
  if (typeof receipts !== 'number' ? !Array.isArray(receipts) : !(receipts <= RECEIPTS_MAX))
    throw new RangeError(`expected at most ${RECEIPTS_MAX} receipts printed before`)
  const bodies =
    typeof receipts === 'number'
      ? Array.from({ length: receipts }, () => ({ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }))
      : receipts
  for (const body of bodies) {
    const overdue = course.budget.overdue()
    if (overdue !== undefined) throw new Error(overdue)
    const answer = await postTo(course, '/print-fiscal-receipt', body)
    if (answer['StatusCode'] !== 200) throw new Error(`a receipt printed before was refused: ${shown(answer)}`)
  }
}

async function leave(
  lasting: LastingDevice,
  { file, line }: LoadedScenario,
): Promise<{ readonly left?: string; readonly stop?: Stop }> {
  try {
    const left = await lasting.leave()
    return left === undefined ? {} : { left }
  } catch (error) {
    return { stop: { file, line, step: undefined, problems: [problemFrom(error, 'at the end')] } }
  }
}

/** Throws it again when the target has gone. */
function problemFrom(error: unknown, when: string): Problem {
  if (error instanceof Unreachable) throw error
  return { what: `${when}: ${messageOf(error)}` }
}

/** What nobody foresaw, with its stack. */
const troublesOf = ({ rig }: Course): Problem[] =>
  rig.troubles.filter((line) => /\n {1,8}at /.test(line)).map((what) => ({ what }))
