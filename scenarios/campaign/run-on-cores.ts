/** Runs a campaign on one machine: each core processes the next chunk until no chunk remains. */
import type { CheckResult, Sums } from '../simulation/check.ts'
import { CheckThread } from '../simulation/check-thread.ts'
import { type Chunk, chunkAt, chunksOf, type Plan } from './campaign-plan.ts'

interface OnCores {
  readonly cores: number
  /** Time at which the campaign ends, in ms of `performance.now()`. */
  readonly endsAt?: number | undefined
  /** Aborts the campaign. The results of running chunks are not counted. */
  readonly signal: AbortSignal
  /**
   * Ends the campaign at the violation with the lowest chunk index: chunks before that one run to their end, and later
   * chunks are not reported. The outcome does not depend on the number of cores.
   */
  readonly bail?: boolean | undefined
  readonly ended: (chunk: Chunk, result: CheckResult) => void
  readonly progress?: (chunk: Chunk, sums: Sums) => void
}

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

class FirstViolation {
  readonly #onEnd: OnCores['ended']
  readonly #waiting = new Map<number, readonly [Chunk, CheckResult]>()
  readonly #running = new Map<number, () => void>()
  #next = 0
  #first = Number.POSITIVE_INFINITY

  constructor(onEnd: OnCores['ended']) {
    this.#onEnd = onEnd
  }

  get isFound(): boolean {
    return this.#first < Number.POSITIVE_INFINITY
  }

  /** Resolves when an earlier chunk has a violation; pending otherwise. */
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

  /** Reports, at the end, the completed chunks that wait for an earlier chunk that never completed. */
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
