/** The search: inputs made of known ones, those with a new outcome kept for the next (guided by outcomes, not coverage). */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { diceOf, mutated } from './mutate.ts'
import type { FuzzTarget } from './targets.ts'

export const SEEDS = join(import.meta.dirname, '..', '..', 'fixtures', 'fuzz')

/** What has been found before, and is tried first for ever. */
export function keptSeeds(name: string): readonly Buffer[] {
  const folder = join(SEEDS, name)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file)))
}

export interface Found {
  readonly input: Buffer
  readonly error: unknown
  /** Of the search that led here; 0: a seed. */
  readonly at: number
}

/** Corpus entries that are kept at most. */
const CORPUS_MAX = 2_000

export interface Search {
  readonly seed: number
  /** How many inputs, besides the seeds. */
  readonly runs: number
  readonly outcomes?: (count: number) => void
}

/** The first find; undefined: none in so many runs. */
export async function search(target: FuzzTarget, { seed, runs, outcomes }: Search): Promise<Found | undefined> {
  const corpus = [...keptSeeds(target.name), ...target.seeds()]
  const seen = new Set<string>()
  const tried = async (input: Buffer, at: number): Promise<Found | undefined> => {
    try {
      const outcome = await target.run(input)
      if (!seen.has(outcome) && at > 0 && corpus.length < CORPUS_MAX) corpus.push(input)
      seen.add(outcome)
      return undefined
    } catch (error) {
      return { input, error, at }
    }
  }
  for (const input of [...corpus]) {
    const found = await tried(input, 0)
    if (found) return found
  }
  const dice = diceOf(seed)
  for (let at = 1; at <= runs; at++) {
    const found = await tried(mutated(corpus, dice), at)
    if (found) return found
  }
  outcomes?.(seen.size)
  return undefined
}
