/**
 * All worlds of a step on a device: an outcome of its frame, with up to two actions of other programs or persons. Each
 * world is played, and yields the truth and the evidence that the service sees.
 */
import type { Evidence } from '../../drivers/model/printer.ts'
import {
  byOtherProgram,
  FRAME_OUTCOMES,
  type FrameOutcome,
  LOST_WITH_THE_LINE,
  OUTSIDE_ACTIONS,
  type OutsideAction,
} from './events.ts'
import { type Done, type KeyFrame, SmallWorld } from './small-world.ts'
import type { TriedDevice, TriedStep } from './steps.ts'
import { type Facts, type Truth, type Verdict, verdictOf, type What } from './verdict-under-test.ts'

export interface Act {
  readonly deed: OutsideAction
  /** True if the action occurs between the evidence and the frame. */
  readonly isEarlier?: true
}

export interface WorldPlan {
  readonly fate: FrameOutcome
  readonly acts: readonly Act[]
}

export interface PlayedWorld {
  readonly name: string
  readonly plan: WorldPlan
  /** The service's view as text. The service cannot distinguish worlds with the same text. */
  readonly seen: string
  readonly isHeld: boolean
  /** True if the fiscal memory was replaced under the same numbers. */
  readonly hasOtherMemory: boolean
  readonly wentBack: boolean
  readonly truth: Truth
  readonly verdict: Verdict
  /** Facts that the device could report, but that the service does not query. */
  readonly clock: string
  readonly operator: string
}

export const describeWorld = ({ fate, acts }: WorldPlan): string =>
  [
    `the frame ${fate.name}`,
    ...acts.map(({ deed, isEarlier }) => `${deed.name}${isEarlier ? ' before the frame' : ''}`),
  ].join('; ')

export async function keyFrameOf(device: TriedDevice, step: TriedStep): Promise<KeyFrame | undefined> {
  const world = new SmallWorld(device, 0)
  try {
    if (!step.what(world.printer) || !(await prepared(world, step))) return undefined
    const wrote = world.writes
    let [commandsBefore, answersBefore] = [0, 0]
    let key: KeyFrame | undefined
    let present: KeyFrame | undefined
    world.onFrame = (direction, isCommand) => {
      if (direction === 'toHost') answersBefore++
      else if (isCommand) present = { write: world.writes - wrote, commandsBefore: commandsBefore++, answersBefore }
    }
    world.onDone = ({ work }) => {
      if (step.work.includes(work)) key ??= present
    }
    const acted = await world.tried(() => step.act(world.printer))
    return acted && key
  } finally {
    await world.close()
  }
}

async function prepared(
  world: SmallWorld,
  { before }: TriedStep,
  part: readonly [number, number?] = [0],
): Promise<boolean> {
  for (const act of before.slice(...part)) if (!(await world.tried(() => act(world.printer)))) return false
  return true
}

/** `hasRefused` returns true if the device has refused the action, which is then not combined with a second one. */
export function* plansOf(hasRefused: (plan: WorldPlan) => boolean): Generator<WorldPlan> {
  for (const fate of FRAME_OUTCOMES) {
    yield { fate, acts: [] }
    const deeds = fate.isBroken ? OUTSIDE_ACTIONS : OUTSIDE_ACTIONS.filter(({ byHand }) => byHand)
    const acts = deeds.flatMap((deed): Act[] =>
      deed.alsoEarlier && !fate.isBroken ? [{ deed }, { deed, isEarlier: true }] : [{ deed }],
    )
    for (const first of acts) {
      const plan = { fate, acts: [first] }
      yield plan
      if (fate.isLikeAnother || first.deed.isAlone || first.deed.isLast || hasRefused(plan)) continue
      for (const second of acts) if (!second.isEarlier && !second.deed.isAlone) yield { fate, acts: [first, second] }
    }
  }
}

/**
 * Returns the world in which another program does what the service has done, in addition to the actions of `plan`.
 * Returns `undefined` if the service has done nothing, or held the line.
 */
export function imitated({ plan, truth, isHeld }: PlayedWorld, { act }: TriedStep): WorldPlan | undefined {
  const times = truth === 'twice' ? 2 : 1
  if (isHeld || truth === 'not' || plan.fate.loses !== 'answer') return undefined
  const same: Act = { deed: byOtherProgram('does the same', act) }
  return { fate: LOST_WITH_THE_LINE, acts: [...Array.from({ length: times }, () => same), ...plan.acts] }
}

/**
 * Resolves to `undefined` if the device refuses an action, because a world without that action exists. Also resolves to
 * `undefined` if the device does not respond afterwards.
 */
export async function play(
  device: TriedDevice,
  step: TriedStep,
  frame: KeyFrame,
  plan: WorldPlan,
  verdict: typeof verdictOf = verdictOf,
): Promise<PlayedWorld | undefined> {
  const { fate, acts } = plan
  const world = new SmallWorld(device, fate.powerBackMs ?? 300)
  try {
    const what = step.what(world.printer)
    const evidenceAt = step.before.length - (step.sinceEvidence ?? 0)
    if (!what || !(await prepared(world, step, [0, evidenceAt]))) return undefined
    const isThorough = what.is === 'document'
    const before = await world.evidence(isThorough)
    if (!before) throw new Error(`${step.name}: no evidence before it`)
    const memory = world.done.at(-1)?.memory ?? ''
    world.done.length = 0
    if (!(await prepared(world, step, [evidenceAt]))) return undefined
    if (what.is !== 'receipt') world.done.length = 0
    const from = world.clock.now()
    if (
      !(await performed(
        world,
        acts.filter(({ isEarlier }) => isEarlier),
      ))
    )
      return undefined
    fate.arm(world, frame)
    await world.tried(() => step.act(world.printer))
    const until = world.clock.now()
    world.emulator.faults.clear()
    await fate.after?.(world)
    if (
      !(await performed(
        world,
        acts.filter(({ isEarlier }) => !isEarlier),
      ))
    )
      return undefined
    await world.otherLeaves()
    const now = await world.evidence(isThorough)
    if (!now) return undefined
    const facts = await world.facts(before, now, pluOf(what))
    const truth = truthOf(what, step, before, memory, world.done)
    return {
      ...{ name: describeWorld(plan), plan, seen: seenAs(before, now, facts), isHeld: before.hold === now.hold, truth },
      ...{ hasOtherMemory: acts.some(({ deed }) => deed.isOtherMemory), wentBack: hasGoneBack(before, now) },
      verdict: verdict(what, before, now, facts),
      ...furtherFacts(world, before, [from, until]),
    }
  } finally {
    await world.close()
  }
}

async function performed(world: SmallWorld, acts: readonly Act[]): Promise<boolean> {
  for (const { deed } of acts) if (!(await deed.act(world))) return false
  return true
}

function pluOf(what: What): number | undefined {
  const sale =
    what.is === 'receipt' ? what.rows[0] : what.is === 'step' && what.step.does === 'sell' ? what.step.sale : undefined
  return sale && 'plu' in sale && sale.price === undefined ? sale.plu : undefined
}

const NUMBERS = ['lastDocument', 'lastReceipt', 'lastZ'] as const

const hasGoneBack = (before: Evidence, now: Evidence): boolean =>
  NUMBERS.some((name) => (now[name] ?? Number.POSITIVE_INFINITY) < (before[name] ?? 0))

/**
 * Returns the service's view as text. The state before is the same in all worlds of a step. Only the continuity of the
 * hold counts, because its number depends on the opening of the port.
 */
function seenAs(before: Evidence, now: Evidence, facts: Facts): string {
  const { hold, ...rest } = now
  return JSON.stringify({
    isHeld: before.hold === hold,
    ...rest,
    facts: { ...facts, documents: Object.entries(facts.documents).map(([number, one]) => [number, one ?? null]) },
  })
}

/**
 * Returns the number of times that the device has executed the frame of the service. A close or cancel counts as
 * executed if its receipt is no longer open: by decisions 3, a close that was sent while the receipt was open is
 * answered with its number, whichever program has closed it.
 */
function truthOf(what: What, { work }: TriedStep, before: Evidence, memory: string, done: readonly Done[]): Truth {
  if (what.is === 'receipt') return receiptTruth(memory, done)
  const isEnd = what.is === 'close' || (what.is === 'step' && what.step.does === 'cancel')
  const open = before.open?.number ?? before.lastDocument
  const counted = done.filter(
    (one) =>
      work.includes(one.work) && one.memory === memory && (isEnd ? one.document === open : one.sender === 'service'),
  )
  return counted.length === 0 ? 'not' : counted.length === 1 ? 'once' : 'twice'
}

/** Returns the final state of the receipt that the service has opened, whichever program has closed or cancelled it. */
function receiptTruth(memory: string, done: readonly Done[]): Truth {
  const ours = done.find((one) => one.sender === 'service' && one.work === 'openFiscal')
  if (!ours) return 'not'
  const ended = (work: Done['work']): boolean =>
    done.some((one) => one.work === work && one.memory === memory && one.document === ours.document)
  return ended('closeFiscal') ? 'closed' : ended('cancelFiscal') ? 'cancelled' : 'open'
}

function furtherFacts(
  { emulator: { device } }: SmallWorld,
  { lastDocument }: Evidence,
  [from, until]: readonly [number, number],
) {
  const start = Date.UTC(2026, 6, 15, 9, 0, 0)
  const isOurs = (at: number): boolean => at >= from + start && at <= until + start + 1000
  const heads = device.documentHeads().filter(({ number }) => number > (lastDocument ?? 0))
  const times = heads.map(({ number, at }) => `${number} ${isOurs(Date.parse(`${at}Z`))}`)
  const { receipt } = device
  const open = receipt === null ? undefined : receipt.kind === 'fiscal' ? receipt.fiscal : receipt
  return {
    clock: [...times, open ? isOurs(open.openedAt) : ''].join(' '),
    operator: String(open?.operator ?? ''),
  }
}
