/** The table of the worlds of a step: evidence -> set of truths, and what the verdict makes of it. */
import type { TriedDevice, TriedStep } from './steps.ts'
import type { Truth, Verdict } from './verdict-under-test.ts'
import { describeWorld, keyFrameOf, type Played, plansOf, play, type WorldPlan } from './worlds.ts'

/** Worlds that give the same evidence. */
export interface Group {
  readonly seen: string
  readonly isHeld: boolean
  readonly verdict: Verdict
  /** The worlds by what is true in them. */
  readonly truths: ReadonlyMap<Truth, readonly Played[]>
}

export interface StepTable {
  readonly step: TriedStep
  readonly worlds: readonly Played[]
  readonly groups: readonly Group[]
}

/** Plays the worlds of a step; `isTried` leaves out some. Undefined: the device does not know the step. */
export async function tableOf(
  device: TriedDevice,
  step: TriedStep,
  isTried: (index: number) => boolean = () => true,
): Promise<StepTable | undefined> {
  const frame = await keyFrameOf(device, step)
  if (!frame) return undefined
  const refused = new Set<string>()
  const hasRefused = (plan: WorldPlan): boolean => refused.has(describeWorld(plan))
  const worlds: Played[] = []
  let index = 0
  for (const plan of plansOf(hasRefused)) {
    if (!isTried(index++)) continue
    const played = await play(device, step, frame, plan)
    if (played) worlds.push(played)
    else refused.add(describeWorld(plan))
  }
  return { step, worlds, groups: groupsOf(worlds) }
}

function groupsOf(worlds: readonly Played[]): readonly Group[] {
  return [...Map.groupBy(worlds, ({ seen }) => seen).values()].map((same) => {
    const [{ seen, isHeld, verdict }] = same as [Played]
    return { seen, isHeld, verdict, truths: Map.groupBy(same, ({ truth }) => truth) }
  })
}

export const isAmbiguous = ({ truths }: Group): boolean => truths.size > 1

/** The verdict claims what is false in one of the worlds of this evidence. */
export const isUnsound = ({ verdict, truths }: Group): boolean =>
  verdict !== 'undecided' && [...truths.keys()].some((truth) => truth !== verdict)

/** All worlds of this evidence agree, and the verdict does not say so. */
export const isUnsharp = ({ verdict, truths }: Group): boolean => truths.size === 1 && verdict === 'undecided'

/** Number of worlds whose evidence, with this besides, still leaves two truths. */
export function ambiguousWith(worlds: readonly Played[], besides: (world: Played) => string): number {
  const groups = Map.groupBy(worlds, (world) => `${world.seen} ${besides(world)}`)
  return [...groups.values()]
    .filter((same) => new Set(same.map(({ truth }) => truth)).size > 1)
    .reduce((sum, same) => sum + same.length, 0)
}
