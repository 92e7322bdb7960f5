/** Simulated runs in worker threads. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CheckResult, Sums } from './check.ts'
import type { Order, WorkerMessage } from './check-worker.ts'
import type { EveryResult, PlacesOrder } from './every/try-points.ts'

/**
 * Size of the young generation, in MiB. A run is garbage as soon as it has ended: with room for several runs, little of
 * one is copied before that.
 */
const YOUNG_MIB = 128

/** The result of random runs, or of fault positions. */
export type AnyResult = CheckResult & Partial<Pick<EveryResult, 'profile' | 'failures'>>

export class CheckThread {
  // The project runs its sources directly; the package contains them compiled.
  readonly #worker = new Worker(new URL(`./check-worker${extname(import.meta.filename)}`, import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  })

  /** Runs one order at a time. Rejects if the thread has failed with an error of its own. */
  check(order: Order | PlacesOrder, progress: (sums: Sums) => void = () => undefined): Promise<AnyResult> {
    return new Promise((resolve, reject) => {
      const onMessage = (message: WorkerMessage) => {
        if ('sums' in message) {
          progress(message.sums)
          return
        }
        end()
        resolve(message.result)
      }
      const onError = (problem: unknown) => {
        end()
        reject(problem)
      }
      // Removes only these two: without Node's own listeners the next order would never be answered.
      const end = () => void this.#worker.off('message', onMessage).off('error', onError)
      this.#worker.on('message', onMessage).on('error', onError)
      this.#worker.postMessage(order)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
