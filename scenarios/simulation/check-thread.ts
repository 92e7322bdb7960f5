import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CheckResult, Sums } from './check.ts'
import type { Order, WorkerMessage } from './check-worker.ts'
import type { EveryResult, PointsOrder } from './every/try-points.ts'

/**
 * Size of the young generation of a worker thread, in MiB: room for several runs, so that the garbage of a run is
 * seldom copied.
 */
const YOUNG_MIB = 128

export type AnyResult = CheckResult & Partial<Pick<EveryResult, 'profile' | 'failures'>>

export class CheckThread {
  // The project runs its sources directly, and the package contains them compiled.
  readonly #worker = new Worker(new URL(`./check-worker${extname(import.meta.filename)}`, import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  })

  /** Runs one order. Callers must wait for the result before the next order. Rejects if the thread fails. */
  check(order: Order | PointsOrder, progress: (sums: Sums) => void = () => undefined): Promise<AnyResult> {
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
      // Node has its own listeners on the worker, which must remain.
      const end = () => void this.#worker.off('message', onMessage).off('error', onError)
      this.#worker.on('message', onMessage).on('error', onError)
      this.#worker.postMessage(order)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
