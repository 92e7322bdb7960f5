/** A campaign on one machine: each core takes the next chunk until there is none. */
import type { CheckResult, Sums } from '../simulation/check.ts'
import { CheckThread } from '../simulation/check-thread.ts'
import { type Chunk, chunkAt, chunksOf, type Plan } from './plan.ts'

export interface OnCores {
  readonly cores: number
  /** No chunk begins later than that, and those that run then end; in ms of `performance.now()`. */
  readonly endsAt?: number | undefined
  /** What runs then is left: its chunk is not counted. */
  readonly signal: AbortSignal
  /** A chunk has been run. */
  readonly ended: (chunk: Chunk, result: CheckResult) => void
  /** How far a chunk is that runs. */
  readonly progress?: (chunk: Chunk, sums: Sums) => void
}

/** Rejects when a core has ended by an error of its own. */
export async function runOnCores(plan: Plan, options: OnCores): Promise<void> {
  const { cores, endsAt, signal, ended, progress } = options
  const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
  const leftMs = (): number | undefined => (endsAt === undefined ? undefined : endsAt - performance.now())
  let next = 0
  let hasFailed = false
  const take = (): Chunk | undefined =>
    hasFailed || signal.aborted || (leftMs() ?? 1) <= 0 ? undefined : chunkAt(plan, next++)
  const work = async (): Promise<void> => {
    const core = new CheckThread()
    try {
      for (let chunk = take(); chunk; chunk = take()) {
        const one = chunk
        const withinMs = leftMs()
        const order = withinMs === undefined ? one.order : { ...one.order, withinMs }
        const result = await Promise.race([core.check(order, (sums) => progress?.(one, sums)), stopped])
        if (result) ended(one, result)
      }
    } catch (problem) {
      hasFailed = true
      throw problem
    } finally {
      await core.end()
    }
  }
  const needed = Math.min(cores, chunksOf(plan) ?? cores)
  await Promise.all(Array.from({ length: needed }, work))
}
