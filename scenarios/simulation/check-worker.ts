/** One core: runs what it is handed, and tells how far it is. */
import { parentPort } from 'node:worker_threads'
import { type CheckResult, check } from './check.ts'
import type { Order } from './check-thread.ts'

export type Told = { readonly done: number } | { readonly result: CheckResult }

const tell = (told: Told): void => parentPort?.postMessage(told)

parentPort?.on('message', (order: Order) => {
  check({ ...order, progress: (done) => tell({ done }) }).then(
    (result) => tell({ result }),
    (problem: unknown) => {
      throw problem
    },
  )
})
