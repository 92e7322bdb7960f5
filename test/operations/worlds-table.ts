/** The table of the worlds of a step: for each evidence, the truths of its worlds, and the verdict. */
import { OUTSIDE_ACTIONS, UNNOTICED } from './events.ts'
import type { KeyFrame } from './small-world.ts'
import type { TriedDevice, TriedStep } from './steps.ts'
import type { Truth, Verdict, verdictOf } from './verdict-under-test.ts'
import { describeWorld, imitated, keyFrameOf, type PlayedWorld, plansOf, play, type WorldPlan } from './worlds.ts'

/** Worlds with the same evidence, in which the device keeps its fiscal memory. */
export interface Group {
  readonly seen: string
  readonly isHeld: boolean
  readonly verdict: Verdict
  readonly truths: ReadonlyMap<Truth, readonly PlayedWorld[]>
  /** True if another action of another program gives the same evidence with another truth. */
  readonly isImitable: boolean
}

export interface StepTable {
  readonly step: TriedStep
  readonly worlds: readonly PlayedWorld[]
  readonly groups: readonly Group[]
}

export interface TableOptions {
  readonly isTried?: (place: number) => boolean
  readonly verdict?: typeof verdictOf
}

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
    // If only some worlds are played, worlds with other truths may be missing.
    groups.push(!isTried && isUnsharp(group) ? { ...group, isImitable: await isImitable(same) } : group)
  }
  return { step, worlds, groups }

  async function isImitable([world]: readonly PlayedWorld[]): Promise<boolean> {
    const plan = world && imitated(world, step)
    const other = plan && (await play(device, step, frame as KeyFrame, plan))
    return other !== undefined && other.seen === world?.seen && other.truth !== world.truth
  }
}

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

export const isFalse = ({ verdict, truth }: PlayedWorld): boolean => verdict !== 'undecided' && verdict !== truth

/** The verdict is undecided although all worlds of this evidence have the same truth. */
export const isUnsharp = ({ verdict, truths, isImitable }: Group): boolean =>
  truths.size === 1 && verdict === 'undecided' && !isImitable

export function ambiguousWith(worlds: readonly PlayedWorld[], besides: (world: PlayedWorld) => string): number {
  const groups = Map.groupBy(worlds, (world) => `${world.seen} ${besides(world)}`)
  return [...groups.values()]
    .filter((same) => new Set(same.map(({ truth }) => truth)).size > 1)
    .reduce((sum, same) => sum + same.length, 0)
}
