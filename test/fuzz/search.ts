/**
 * The search derives inputs from known inputs, and saves those that took a branch in a new way, as the basis of further
 * inputs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { branchCount, comparisons, counters } from './instrument.ts'
import { type CorpusEntry, diceOf, mutated } from './mutate.ts'

export interface FuzzTarget {
  readonly name: string
  seeds(): readonly Buffer[] | Promise<readonly Buffer[]>
  /** Describes the outcome of the input in a few words. Throws if the outcome is forbidden. */
  run(input: Buffer): Promise<string> | string
  readonly longest?: number
}

/** Thrown for a forbidden outcome. The message describes it. */
export class Find extends Error {}

export const SEEDS = join(import.meta.dirname, '..', '..', 'fixtures', 'fuzz')

export const inputsIn = (folder: string): readonly Buffer[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .toSorted()
        .map((file) => readFileSync(join(folder, file)))
    : []

/**
 * Returns true if the code that ran since the last call took a branch for the first time, or in a higher class of
 * counts.
 */
export type Novelty = (outcome: string) => boolean

/** Uses the counts of instrumented sources (instrument.ts), in eight classes: 1, 2, 3, and from 4, 8, 16, 32, 128. */
export function byBranches(): Novelty {
  const seen = new Uint8Array(counters.length)
  counters.fill(0)
  return () => {
    let isNew = false
    for (let at = 0, end = branchCount(); at < end; at++) {
      const count = counters[at] as number
      if (count === 0) continue
      const bit = 1 << (count < 4 ? count - 1 : count < 128 ? Math.min(6, 29 - Math.clz32(count) + 2) : 7)
      if ((seen[at] as number) & bit) continue
      seen[at] = (seen[at] as number) | bit
      isNew = true
    }
    counters.fill(0, 0, branchCount())
    return isNew
  }
}

export interface Found {
  readonly input: Buffer
  readonly error: unknown
  /** Number of the failing input within the search; 0 for a seed. */
  readonly at: number
}

export interface Search {
  readonly seed: number
  /** Called before each input that is not a seed, with its number from 1. The search ends when the result is false. */
  readonly goOn: (at: number) => boolean
  readonly novelty: Novelty
  readonly corpus?: readonly Buffer[]
  readonly keep?: (input: Buffer) => void
}

export interface Searched {
  readonly found?: Found
  /** `runs` is the number of tried inputs, and `corpusSize` the number of inputs from which new ones are derived. */
  readonly runs: number
  readonly corpusSize: number
}

const KEPT_MAX = 10_000

export async function search(target: FuzzTarget, options: Search): Promise<Searched> {
  const { seed, goOn, novelty, keep } = options
  const corpus: CorpusEntry[] = []
  const tried = async (input: Buffer, at: number): Promise<Found | undefined> => {
    comparisons.clear()
    try {
      const isNew = novelty(await target.run(input))
      if (at > 0 && (!isNew || corpus.length >= KEPT_MAX)) return undefined
      corpus.push({ input, compared: [...comparisons.values()] })
      if (at > 0) keep?.(input)
      return undefined
    } catch (error) {
      return { input, error, at }
    }
  }
  const seeds = [...inputsIn(join(SEEDS, target.name)), ...(await target.seeds()), ...(options.corpus ?? [])]
  for (const input of seeds) {
    const found = await tried(input, 0)
    if (found) return { found, runs: 0, corpusSize: corpus.length }
  }
  const dice = diceOf(seed)
  let runs = 0
  while (goOn(runs + 1)) {
    const found = await tried(mutated(corpus, dice, target.longest), ++runs)
    if (found) return { found, runs, corpusSize: corpus.length }
  }
  return { runs, corpusSize: corpus.length }
}
