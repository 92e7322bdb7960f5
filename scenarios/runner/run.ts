/** Many scenarios: which ones, in what order, how many at a time; tells reporters as it goes. */
import type { Family } from '../../drivers/model/families.ts'
import { familiesOf } from './content.ts'
import { isProfile } from './family-facts.ts'
import type { LoadedScenario } from './load.ts'
import { handFor, needsOf } from './needs.ts'
import { type Play, playOne, type Result } from './play.ts'
import type { Target } from './target/target.ts'

export interface Selection {
  readonly families: readonly Family[]
  /** Of scenarios that name none; only families that have it are played. Absent: each family's own. */
  readonly profile?: string | undefined
  /** Part of a name. */
  readonly only: string | undefined
  /** One of these tags. */
  readonly tags: readonly string[]
  readonly shard: { readonly index: number; readonly of: number } | undefined
}

export interface RunOptions {
  readonly target: Target
  readonly seed: number
  readonly parallel: number
  readonly bail: boolean
  readonly update: boolean
  readonly repeatOptions: string
  readonly began?: (play: Play) => void
  readonly ended: (result: Result) => void
  readonly updated: (path: string) => void
}

export interface Summary {
  readonly results: readonly Result[]
  readonly passed: number
  readonly failed: number
  readonly notRun: number
  /** By --bail. */
  readonly leftOut: number
  readonly durationMs: number
}

/** Every scenario for every family and row that it is meant for. */
export function choosePlays(loaded: readonly LoadedScenario[], selection: Selection): readonly Play[] {
  const { families: some, profile, only, tags, shard } = selection
  const families = profile === undefined ? some : some.filter((family) => isProfile(family, profile))
  const all = loaded.flatMap((one) => playsOf(one, families, profile))
  const chosen = all.filter(({ name, loaded: { scenario } }) => {
    const isNamed = only === undefined || name.toLowerCase().includes(only.toLowerCase())
    return isNamed && (tags.length === 0 || tags.some((tag) => scenario.tags?.includes(tag)))
  })
  return shard ? chosen.filter((_, index) => index % shard.of === shard.index - 1) : chosen
}

function playsOf(loaded: LoadedScenario, families: readonly Family[], usual: string | undefined): Play[] {
  const { scenario } = loaded
  const rows: readonly Readonly<Record<string, unknown>>[] = scenario.examples ?? [{}]
  return rows.flatMap((row, index) => {
    const { families: limited, ...values } = row
    return familiesOf(scenario)
      .filter((family) => families.includes(family) && (!Array.isArray(limited) || limited.includes(family)))
      .map((family) => {
        const { profile } = scenario
        const own = typeof profile === 'object' ? (profile as Partial<Record<Family, string>>)[family] : profile
        return {
          loaded,
          family,
          profile: own ?? usual,
          papers: own === undefined && usual !== undefined ? `${family}-${usual}` : family,
          row: values,
          name: `${scenario.name} [${[family, ...(scenario.examples ? [rowName(values, index)] : [])].join(', ')}]`,
        }
      })
  })
}

const ROW_NAME_MAX = 40

/** Its `name`, or its first plain value. */
function rowName(row: Readonly<Record<string, unknown>>, index: number): string {
  const plain = row['name'] ?? Object.values(row).find((value) => typeof value !== 'object')
  return plain === undefined ? `row ${index + 1}` : String(plain).slice(0, ROW_NAME_MAX)
}

/** Plays them; what the target cannot do is told as not run. Throws Unreachable when the target is not there. */
export async function runPlays(plays: readonly Play[], options: RunOptions): Promise<Summary> {
  const began = performance.now()
  const results: Result[] = new Array<Result>(plays.length)
  let next = 0
  let stopped = false
  const worker = async () => {
    while (next < plays.length && !stopped) {
      const index = next++
      const play = plays[index] as Play
      options.began?.(play)
      const result = await playOrTell(play, options)
      results[index] = result
      options.ended(result)
      if (options.bail && result.status === 'failed') stopped = true
    }
  }
  // A lasting device is one device: its scenarios take turns.
  const workers = options.target.device === 'lasting' ? 1 : Math.max(1, options.parallel)
  await Promise.all(Array.from({ length: workers }, worker))
  const done = results.filter((result) => result !== undefined)
  const count = (status: Result['status']) => done.filter((result) => result.status === status).length
  return {
    results: done,
    passed: count('passed'),
    failed: count('failed'),
    notRun: count('notRun'),
    leftOut: plays.length - done.length,
    durationMs: performance.now() - began,
  }
}

async function playOrTell(play: Play, options: RunOptions): Promise<Result> {
  const { loaded, family, profile } = play
  const setup = { given: loaded.scenario.given ?? {}, profile, family }
  for (const need of needsOf(loaded, play.row)) {
    const why = options.target.lacks(need, { ...setup, hand: handFor(need, loaded, play.row) })
    if (why !== undefined)
      return { play, status: 'notRun', reason: `${need} (${why})`, durationMs: 0, paper: [], looks: [] }
  }
  return playOne(play, options)
}
