import type { Family } from '../../drivers/model/families.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import { familiesOf } from './content-mistakes.ts'
import type { Row } from './csv-table.ts'
import { isProfile } from './family-facts.ts'
import type { LoadedScenario, Play } from './loaded-scenario.ts'
import { actionFor, needsOf } from './needs.ts'
import { type PlayOptions, playOne, type Result } from './play-scenario.ts'
import type { EarlierRuns } from './report/earlier-runs.ts'

interface Selection {
  readonly families: readonly Family[]
  /**
   * Profile for scenarios that name none. Families without this profile are not run. The default is the first profile
   * of each family.
   */
  readonly profile?: string | undefined
  readonly only: string | undefined
  readonly grep?: RegExp | undefined
  readonly tags: readonly string[]
  readonly among?: ((play: Play) => boolean) | undefined
  /** Number of plays of each scenario, each with its own seed from `seed` on. */
  readonly repeatEach?: number | undefined
  readonly seed: number
  readonly shard: { readonly index: number; readonly of: number } | undefined
}

interface RunOptions extends PlayOptions {
  readonly parallel: number
  readonly earlier?: (play: Play) => EarlierRuns | undefined
  readonly retries?: number
  readonly bail: boolean
  readonly began?: (play: Play) => void
  readonly ended: (result: Result) => void
}

export interface Summary {
  readonly results: readonly Result[]
  readonly passed: number
  readonly flaky: number
  readonly failed: number
  readonly notRun: number
  readonly leftOut: number
  readonly durationMs: number
}

/** Returns the selected plays of this shard: `repeatEach` plays for each scenario, family and row of its data table. */
export function choosePlays(loaded: readonly LoadedScenario[], selection: Selection): readonly Play[] {
  const { families: some, profile, only, grep, tags, among, repeatEach = 1, seed, shard } = selection
  const families = profile === undefined ? some : some.filter((family) => isProfile(family, profile))
  const all = loaded.flatMap((one) => playsOf(one, families, profile, seed))
  const firstPlays = all.filter((play) => {
    const {
      id,
      loaded: { scenario },
    } = play
    const isNamed = only === undefined || id.toLowerCase().includes(only.toLowerCase())
    const isTagged = tags.length === 0 || tags.some((tag) => scenario.tags?.includes(tag))
    return isNamed && isTagged && (grep?.test(id) ?? true) && (among?.(play) ?? true)
  })
  const chosen = repeatEach === 1 ? firstPlays : firstPlays.flatMap((play) => repeated(play, repeatEach))
  return shard ? chosen.filter((_, index) => index % shard.of === shard.index - 1) : chosen
}

const repeated = (play: Play, times: number): Play[] =>
  Array.from({ length: times }, (_, turn) => ({
    ...play,
    name: `${play.id} ${turn + 1} of ${times}`,
    seed: play.seed + turn,
  }))

function playsOf(loaded: LoadedScenario, families: readonly Family[], usual: string | undefined, seed: number): Play[] {
  const { scenario } = loaded
  const rows: readonly Row[] = loaded.rows ?? [{}]
  return rows.flatMap((row, index) => {
    const { families: limited, ...values } = row
    return familiesOf(scenario)
      .filter((family) => families.includes(family) && (!Array.isArray(limited) || limited.includes(family)))
      .map((family) => {
        const { profile } = scenario
        const own = typeof profile === 'object' ? (profile as Partial<Record<Family, string>>)[family] : profile
        const id = `${scenario.name} [${[family, ...(loaded.rows ? [rowName(values, index)] : [])].join(', ')}]`
        return {
          loaded,
          family,
          seed,
          profile: own ?? usual,
          papers:
            own !== undefined || usual === undefined || usual === profilesOf(family)[0] ? family : `${family}-${usual}`,
          row: values,
          id,
          name: id,
        }
      })
  })
}

const ROW_NAME_MAX = 40

function rowName(row: Readonly<Record<string, unknown>>, index: number): string {
  const plain = row['name'] ?? Object.values(row).find((value) => typeof value !== 'object')
  return plain === undefined ? `row ${index + 1}` : String(plain).slice(0, ROW_NAME_MAX)
}

/**
 * Reports plays that the target cannot run as `notRun`. Rejects with TargetUnreachable if the target cannot be reached.
 */
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
      const result = await playWithRetries(play, options)
      results[index] = result
      options.ended(result)
      if (options.bail && result.status === 'failed') stopped = true
    }
  }
  // A persistent target has only one device.
  const workers = options.target.device === 'persistent' ? 1 : Math.max(1, options.parallel)
  await Promise.all(Array.from({ length: workers }, worker))
  const finishedResults = results.filter((result) => result !== undefined)
  const count = (status: Result['status']) => finishedResults.filter((result) => result.status === status).length
  return {
    results: finishedResults,
    passed: count('passed'),
    flaky: finishedResults.filter(isFlaky).length,
    failed: count('failed'),
    notRun: count('notRun'),
    leftOut: plays.length - finishedResults.length,
    durationMs: performance.now() - began,
  }
}

export const isFlaky = ({ status, failedBefore = [] }: Result): boolean =>
  status === 'passed' && failedBefore.length > 0

async function playWithRetries(play: Play, options: RunOptions): Promise<Result> {
  const failedBefore: string[] = []
  for (;;) {
    const result = await playOrReport(play, options)
    const earlier = options.earlier?.(play)
    const whole = {
      ...result,
      ...(earlier && { earlier }),
      ...(failedBefore.length > 0 && { failedBefore: [...failedBefore] }),
    }
    if (result.status !== 'failed' || failedBefore.length >= (options.retries ?? 0)) return whole
    failedBefore.push(result.failure?.problems[0]?.what ?? '')
  }
}

async function playOrReport(play: Play, options: PlayOptions): Promise<Result> {
  const { loaded, family, profile } = play
  const setup = { given: loaded.scenario.given ?? {}, profile, family }
  for (const need of needsOf(loaded, play.row)) {
    const why = options.target.whyUnsupported(need, { ...setup, hand: actionFor(need, loaded, play.row) })
    if (why !== undefined)
      return {
        play,
        status: 'notRun',
        reason: `${need} (${why})`,
        durationMs: 0,
        paper: [],
        manualChecks: [],
        story: [],
      }
  }
  return playOne(play, options)
}
