/** A campaign on one machine: each core takes the next chunk until none is left. */
import type { CheckResult, Sums } from '../simulation/check.ts'
import { CheckThread } from '../simulation/check-thread.ts'
import { type Chunk, chunkAt, chunksOf, type Plan } from './campaign-plan.ts'

interface OnCores {
  readonly cores: number
  /** Time after which no chunk begins and running chunks end, in ms of `performance.now()`. */
  readonly endsAt?: number | undefined
  /** Aborts the campaign: running chunks are dropped and not counted. */
  readonly signal: AbortSignal
  /**
   * End at the first violation, in the order of the chunks rather than of time: chunks before it run to their end,
   * chunks after it are not reported. The outcome is therefore the same on any number of cores.
   */
  readonly bail?: boolean | undefined
  /** Called for each completed chunk; with `bail` in the order of the chunks. */
  readonly ended: (chunk: Chunk, result: CheckResult) => void
  /** Called with the sums so far of a running chunk. */
  readonly progress?: (chunk: Chunk, sums: Sums) => void
}

/** Rejects when a core has failed with an error of its own. */
export async function runOnCores(plan: Plan, options: OnCores): Promise<void> {
  const { cores, endsAt, signal, bail = false, ended, progress } = options
  const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
  const leftMs = (): number | undefined => (endsAt === undefined ? undefined : endsAt - performance.now())
  const firstViolation = bail ? new FirstViolation(ended) : undefined
  let next = 0
  let hasFailed = false
  const take = (): Chunk | undefined =>
    hasFailed || firstViolation?.isFound || signal.aborted || (leftMs() ?? 1) <= 0 ? undefined : chunkAt(plan, next++)
  const work = async (): Promise<void> => {
    const core = new CheckThread()
    try {
      for (let chunk = take(); chunk; chunk = take()) {
        const one = chunk
        const withinMs = leftMs()
        const order = withinMs === undefined ? one.order : { ...one.order, withinMs }
        const running = core.check(order, (sums) => progress?.(one, sums))
        const result = await Promise.race([running, stopped, ...(firstViolation ? [firstViolation.begun(one)] : [])])
        if (!result) continue
        if (firstViolation) firstViolation.ended(one, result)
        else ended(one, result)
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
  firstViolation?.flush()
}

/** Reports chunks in their order, up to the first one that has a violation. */
class FirstViolation {
  readonly #onEnd: OnCores['ended']
  /** Completed chunks that wait for an earlier one before they are reported. */
  readonly #waiting = new Map<number, readonly [Chunk, CheckResult]>()
  /** Running chunks, with a function that drops each one when its result is no longer needed. */
  readonly #running = new Map<number, () => void>()
  #next = 0
  /** Lowest index of the chunks that have a violation. */
  #first = Number.POSITIVE_INFINITY

  constructor(onEnd: OnCores['ended']) {
    this.#onEnd = onEnd
  }

  get isFound(): boolean {
    return this.#first < Number.POSITIVE_INFINITY
  }

  /** Resolves when a chunk before this one has a violation. */
  begun({ index }: Chunk): Promise<undefined> {
    return new Promise((resolve) => this.#running.set(index, () => resolve(undefined)))
  }

  ended(chunk: Chunk, result: CheckResult): void {
    const { index } = chunk
    this.#running.delete(index)
    this.#waiting.set(index, [chunk, result])
    if (result.failure && index < this.#first) {
      this.#first = index
      for (const [other, leave] of this.#running) if (other > index) leave()
    }
    for (let one = this.#waiting.get(this.#next); one; one = this.#waiting.get(this.#next)) this.#onResult(one)
  }

  /** Reports completed chunks that follow one that was aborted. */
  flush(): void {
    const waitingChunks = [...this.#waiting.values()].toSorted(([one], [other]) => one.index - other.index)
    for (const one of waitingChunks) this.#onResult(one)
  }

  #onResult([chunk, result]: readonly [Chunk, CheckResult]): void {
    this.#waiting.delete(chunk.index)
    this.#next = chunk.index + 1
    if (chunk.index <= this.#first) this.#onEnd(chunk, result)
  }
}
