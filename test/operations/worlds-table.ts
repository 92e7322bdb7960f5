/** The table of the worlds of a step: evidence -> set of truths, with the verdict for it. */
import { OUTSIDE_ACTIONS, UNNOTICED } from './events.ts'
import type { KeyFrame } from './small-world.ts'
import type { TriedDevice, TriedStep } from './steps.ts'
import type { Truth, Verdict, verdictOf } from './verdict-under-test.ts'
import { describeWorld, imitated, keyFrameOf, type PlayedWorld, plansOf, play, type WorldPlan } from './worlds.ts'

/** Worlds that give the same evidence, and in which the device keeps its memory. */
export interface Group {
  readonly seen: string
  readonly isHeld: boolean
  readonly verdict: Verdict
  /** The worlds by their truth. */
  readonly truths: ReadonlyMap<Truth, readonly PlayedWorld[]>
  /** One more act of another program gives the same evidence with another truth. */
  readonly isImitable: boolean
}

export interface StepTable {
  readonly step: TriedStep
  readonly worlds: readonly PlayedWorld[]
  readonly groups: readonly Group[]
}

export interface TableOptions {
  /** Selects the worlds to play by their place; default: all. */
  readonly isTried?: (place: number) => boolean
  /** Replaces the verdict of the service. */
  readonly verdict?: typeof verdictOf
}

/** Plays the worlds of a step. Resolves with undefined if the device does not know the step. */
export async function tableOf(
  device: TriedDevice,
  step: TriedStep,
  { isTried, verdict }: TableOptions = {},
): Promise<StepTable | undefined> {
  const frame = await keyFrameOf(device, step)
  if (!frame) return undefined
  const refused = new Set<string>()
  const hasRefused = (plan: WorldPlan): boolean => refused.has(describeWorld(plan))
  const worlds: PlayedWorld[] = []
  let index = 0
  for (const plan of plansOf(hasRefused)) {
    if (isTried?.(index++) === false) continue
    const played = await play(device, step, frame, plan, verdict)
    if (played) worlds.push(played)
    else refused.add(describeWorld(plan))
  }
  const groups: Group[] = []
  for (const same of Map.groupBy(
    worlds.filter(({ hasOtherMemory }) => !hasOtherMemory),
    ({ seen }) => seen,
  ).values()) {
    const [{ seen, isHeld, verdict }] = same as [PlayedWorld]
    const group = { seen, isHeld, verdict, truths: Map.groupBy(same, ({ truth }) => truth), isImitable: false }
    // If only a part of the worlds is played, other truths may be missing.
    groups.push(!isTried && isUnsharp(group) ? { ...group, isImitable: await isImitable(same) } : group)
  }
  return { step, worlds, groups }

  async function isImitable([world]: readonly PlayedWorld[]): Promise<boolean> {
    const plan = world && imitated(world, step)
    const other = plan && (await play(device, step, frame as KeyFrame, plan))
    return other !== undefined && other.seen === world?.seen && other.truth !== world.truth
  }
}

/** Plays the worlds of a step in which others use the line unnoticed, with one act each. */
export async function unnoticedOf(device: TriedDevice, step: TriedStep): Promise<readonly PlayedWorld[]> {
  const frame = await keyFrameOf(device, step)
  if (!frame) return []
  const plans = UNNOTICED.flatMap((fate) =>
    OUTSIDE_ACTIONS.filter(({ byHand }) => !byHand).map((deed) => ({ fate, acts: [{ deed }] })),
  )
  const worlds: (PlayedWorld | undefined)[] = []
  for (const plan of plans) worlds.push(await play(device, step, frame, plan))
  return worlds.filter((world) => world !== undefined)
}

/** Returns whether the verdict claims something untrue. */
export const isFalse = ({ verdict, truth }: PlayedWorld): boolean => verdict !== 'undecided' && verdict !== truth

/** Returns whether all worlds of this evidence agree, but the verdict is undecided. */
export const isUnsharp = ({ verdict, truths, isImitable }: Group): boolean =>
  truths.size === 1 && verdict === 'undecided' && !isImitable

/** Returns the number of worlds that keep two truths for their evidence, even with this additional evidence. */
export function ambiguousWith(worlds: readonly PlayedWorld[], besides: (world: PlayedWorld) => string): number {
  const groups = Map.groupBy(worlds, (world) => `${world.seen} ${besides(world)}`)
  return [...groups.values()]
    .filter((same) => new Set(same.map(({ truth }) => truth)).size > 1)
    .reduce((sum, same) => sum + same.length, 0)
}
