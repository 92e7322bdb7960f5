/**
 * A case: initial state, fault, first sale, end of the fault, retries of the first sale, second sale, final state of
 * the device.
 */
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { seededRandom } from '../../emulator/faults/seeded-random.ts'
import type { DecodedFrame } from '../../emulator/line/frame-log.ts'
import type { Wire } from '../../emulator/wire.ts'
import type { ClaimedJob, History } from './case-history.ts'
import { CaseLog, type CaseLogEntry } from './case-log.ts'
import { receiptsOnDevice, saleOf } from './device-sales.ts'
import type { Fault, FaultTrigger } from './faults.ts'
import { programArticles, STATES } from './initial-states.ts'
import { type Job, type Jobs, tillJob } from './job.ts'
import { MANUAL_ACTIONS, type ManualAction } from './manual-actions.ts'
import type { MapEntry } from './map.ts'
import { openTestBench, type TestBench, type TestBenchOptions } from './test-bench.ts'
import type { Run, Till } from './till.ts'

export interface CasePlan {
  /** Name of the case, such as `answerLost@closeFiscal#1`, `paperMiddle` or `baseline`. */
  readonly id: string
  readonly fault?: Fault
  readonly target?: MapEntry
  readonly paperLines: number
}

export interface CaseSetting {
  readonly till: Till
  readonly jobs: Jobs
  readonly testBench: TestBenchOptions
  /** Called when the case has a device. The returned function is called before the device is removed. */
  readonly opened?: (caseId: string, emulator: Emulator) => () => void
  readonly signal: AbortSignal
}

export interface ReportedRun extends Run, ClaimedJob {
  readonly tookMs: number
}

export interface CaseEnd {
  readonly history: History
  readonly runs: readonly ReportedRun[]
  readonly log: readonly CaseLogEntry[]
  readonly paper: readonly (readonly string[])[]
  readonly first: { readonly frames: readonly DecodedFrame[]; readonly paperLines: number }
  readonly commands: Wire['commands']
  readonly profile: string
  readonly device: string
}

export class ExamInterrupted extends Error {}

/** Maximum numbers of additional attempts for the first and the second sale. */
const FIRST_AGAIN = 2
const SECOND_AGAIN = 1

export async function runCase(plan: CasePlan, setting: CaseSetting): Promise<CaseEnd> {
  const { till, jobs, testBench: options, signal } = setting
  const testBench = await openTestBench(till, plan.id, { ...options, seed: seedOf(options.seed, plan.id) })
  const interrupted = whenAborted(signal)
  const forget = setting.opened?.(plan.id, testBench.emulator)
  try {
    return await Promise.race([play(plan, jobs, testBench, options, signal), interrupted.promise])
  } finally {
    interrupted.forget()
    forget?.()
    await testBench.close()
  }
}

async function play(
  plan: CasePlan,
  jobs: Jobs,
  testBench: TestBench,
  { seed }: TestBenchOptions,
  signal: AbortSignal,
): Promise<CaseEnd> {
  const { emulator, time, till } = testBench
  const runs: ReportedRun[] = []
  programArticles(emulator, [jobs.first, jobs.second])
  const otherPrograms = plan.fault?.before ? STATES[plan.fault.before].enter(emulator) : []
  const caseLog = new CaseLog(emulator)
  let paperLines = 0
  const endCounting = emulator.subscribe(({ type }) => {
    if (type === 'line') paperLines++
  })

  const request = async (job: Job, again: boolean): Promise<boolean> => {
    // The test bench of an aborted case no longer exists.
    if (signal.aborted) throw new ExamInterrupted('interrupted')
    caseLog.add('asked', `${job.id}${again ? ' again' : ''}: ${job.total}`)
    const since = emulator.clock.now()
    const run = await time.until(till.run(tillJob(job, again)))
    runs.push({ ...run, job: job.id, again, tookMs: Math.round(emulator.clock.now() - since) })
    caseLog.add('said', [run.claim, run.receipt && `receipt ${run.receipt}`, run.message].filter(Boolean).join(', '))
    if (run.output !== undefined) caseLog.add('output', run.output)
    return run.claim === 'printed'
  }
  const requestUntilPrinted = async (job: Job, times: number, wasRequested: boolean): Promise<void> => {
    for (let n = wasRequested ? 1 : 0; n <= times; n++) {
      await letDeviceFinish(testBench)
      if (await request(job, n > 0)) return
    }
  }

  const trouble = await injectFault(plan, testBench, caseLog, seed)
  const isPrinted = await request(jobs.first, false)
  endCounting()
  const first = { frames: emulator.frames(), paperLines }
  const isReached = trouble?.isReached() ?? true
  await trouble?.heal()
  if (!isPrinted) await requestUntilPrinted(jobs.first, FIRST_AGAIN, true)
  await requestUntilPrinted(jobs.second, SECOND_AGAIN, false)
  await letDeviceFinish(testBench)

  const sales = { first: saleOf(jobs.first), second: saleOf(jobs.second) }
  return {
    history: {
      ...{ ...sales, claims: runs, otherPrograms, isReached, hasFault: plan.fault !== undefined },
      ...omitUndefined({ whyNotReached: isReached ? undefined : whyNotReached(plan.fault) }),
      ...receiptsOnDevice(emulator),
    },
    runs,
    log: caseLog.end(),
    paper: emulator.device.documents().map(({ text }) => text),
    first,
    commands: emulator.wire.commands,
    profile: emulator.profile.profile,
    device: `${emulator.profile.model} ${emulator.profile.serialNumber}`,
  }
}

const STEP_MS = 1000
const STEPS_MAX = 900

/**
 * Lets the device finish its work between two runs of the till, which cannot observe the duration. Gives up after
 * `STEPS_MAX` steps.
 */
async function letDeviceFinish({ emulator, time }: TestBench): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    await time.advance(STEP_MS)
    if (!emulator.loop.busy && !emulator.device.mechanism.blocked) return
  }
}

interface ArmedTrouble {
  isReached(): boolean
  heal(): Promise<void>
}

async function injectFault(
  plan: CasePlan,
  testBench: TestBench,
  caseLog: CaseLog,
  seed: number,
): Promise<ArmedTrouble | undefined> {
  const { fault } = plan
  if (!fault) return undefined
  const { emulator, time } = testBench
  const action: ManualAction | undefined = fault.hand && MANUAL_ACTIONS[fault.hand]
  let acting: ReturnType<ManualAction['act']>
  let hasActed = false
  let undone: Promise<void> | undefined
  let cancel: () => void = () => undefined

  const undo = (): Promise<void> => {
    undone ??= (async () => {
      cancel()
      if (!action || !hasActed) return
      const state = acting instanceof Promise ? await acting : acting
      if (action.back !== undefined) caseLog.add('hand', action.back)
      await action.undo?.(testBench, state)
    })()
    return undone
  }
  const act = () => {
    if (!action || hasActed) return
    hasActed = true
    caseLog.add('hand', action.words)
    acting = action.act(testBench)
    // `undo` awaits the same promise and reports the error.
    if (acting instanceof Promise) acting.catch(() => undefined)
    if (fault.backAfterMs !== undefined)
      cancel = time.clock.after(fault.backAfterMs, () => void undo().catch(() => undefined))
  }

  const rules = emulator.faults.addAll(rulesOf(plan, seed)).map(({ id }) => id)
  const unsubscribe = emulator.subscribe((event) => {
    if (event.type === 'fault' && event.rule === rules[0]) act()
  })
  if (rules.length === 0) {
    act()
    if (acting instanceof Promise) await acting
  }
  return {
    isReached() {
      if (fault.hand === 'port') return testBench.hasRejectedClient
      if (fault.hand === 'till' && !testBench.till.kill) return false
      return rules.length === 0 || emulator.faults.list().some(({ id, hits }) => rules.includes(id) && hits > 0)
    },
    async heal() {
      unsubscribe()
      await time.until(undo())
      emulator.faults.clear()
      if (fault.before) {
        caseLog.add('hand', 'the initial fault has ended')
        STATES[fault.before].heal?.(emulator)
      }
      await letDeviceFinish(testBench)
    },
  }
}

/** Returns why a fault other than one at a command was not triggered. */
function whyNotReached(fault: Fault | undefined): string | undefined {
  if (fault?.hand === 'port') return 'This till did not connect while another client held the port.'
  if (fault?.hand === 'till') return 'The exam cannot kill this till, because it did not start it.'
  if (fault === undefined || fault.at === 'command') return undefined
  return 'The fault was never triggered: this till did not get to the point at which it occurs.'
}

function rulesOf({ id, fault, target, paperLines }: CasePlan, seed: number) {
  const { rules = [], at, lasts } = fault as Fault
  const trigger = triggerOf(id, target, seed)
  const place = placeOf(at, paperLines)
  return rules.map((rule) => ({
    at: rule.at,
    ...(target && { on: target.command, skip: target.n - 1 }),
    ...(place > 0 && { skip: place - 1 }),
    ...(!lasts && { times: 1 }),
    do: typeof rule.do === 'function' ? rule.do(trigger) : rule.do,
  }))
}

function placeOf(at: Fault['at'], lines: number): number {
  switch (at) {
    case 'firstLine':
      return 1
    case 'middleLine':
      return Math.max(1, Math.ceil(lines / 2))
    case 'lastLine':
      return Math.max(1, lines)
    case 'command':
    case 'start':
      return 0
  }
}

const GARBAGE_BYTES = 12

function triggerOf(id: string, target: MapEntry | undefined, seed: number): FaultTrigger {
  const random = seededRandom(seedOf(seed, id))
  const below = (limit: number) => Math.floor(random() * limit)
  // The first byte stays intact.
  const bitIn = (bytes: number) => 8 + below(Math.max(1, bytes - 1) * 8)
  return {
    bit: { request: bitIn(target?.requestBytes ?? 0), answer: bitIn(target?.answerBytes ?? 0) },
    // Printable characters: no family has single-byte messages among them.
    garbage: String.fromCharCode(...Array.from({ length: GARBAGE_BYTES }, () => 0x30 + below(0x40))),
  }
}

/** Derives a seed from the id of a case, so that its values do not depend on the other cases. */
function seedOf(seed: number, id: string): number {
  let mixed = seed | 0
  for (const sign of id) mixed = (Math.imul(mixed ^ sign.charCodeAt(0), 0x01000193) + 0x9e3779b9) | 0
  return mixed >>> 0
}

function whenAborted(signal: AbortSignal): { readonly promise: Promise<never>; forget(): void } {
  let forget: () => void = () => undefined
  const promise = new Promise<never>((_, reject) => {
    const abort = () => reject(new ExamInterrupted('interrupted'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    forget = () => signal.removeEventListener('abort', abort)
  })
  promise.catch(() => undefined)
  return { promise, forget }
}
