/** Simulated runs on cores of their own. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CheckResult, Sums } from './check.ts'
import type { Order, WorkerMessage } from './check-worker.ts'
import type { EveryResult, PlacesOrder } from './every/try-places.ts'

/** A run is garbage as soon as it has ended: with room for several of them, little of one is copied before that. */
const YOUNG_MIB = 128

/** The result of runs, or of places. */
export type AnyResult = CheckResult & Partial<Pick<EveryResult, 'profile' | 'failures'>>

export class CheckThread {
  // Sources are run as they are; the package holds them compiled.
  readonly #worker = new Worker(new URL(`./check-worker${extname(import.meta.filename)}`, import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  })

  /** One order at a time. Rejects when the core has ended by an error of its own. */
  check(order: Order | PlacesOrder, progress: (sums: Sums) => void = () => undefined): Promise<AnyResult> {
    return new Promise((resolve, reject) => {
      const onMessage = (told: WorkerMessage) => {
        if ('sums' in told) {
          progress(told.sums)
          return
        }
        end()
        resolve(told.result)
      }
      const onError = (problem: unknown) => {
        end()
        reject(problem)
      }
      // Exactly these: Node has listeners of its own there, without which the next order is never answered.
      const end = () => void this.#worker.off('message', onMessage).off('error', onError)
      this.#worker.on('message', onMessage).on('error', onError)
      this.#worker.postMessage(order)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
