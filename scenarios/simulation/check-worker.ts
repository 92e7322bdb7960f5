/** One core: runs what it is handed, and tells how far it is. */
import { parentPort } from 'node:worker_threads'
import { type CheckOptions, type CheckResult, check, type Sums } from './check.ts'
import { type PlacesOrder, tryPlaces } from './every/try-places.ts'

/** What can be handed to another core; families hold functions. */
export type Order = Omit<CheckOptions, 'broken' | 'families' | 'progress'>

export type WorkerMessage = { readonly sums: Sums } | { readonly result: CheckResult }

/** Between what is told of a chunk on its way. */
const PROGRESS_INTERVAL_MS = 250

const tell = (message: WorkerMessage): void => parentPort?.postMessage(message)

parentPort?.on('message', (order: Order | PlacesOrder) => {
  let lastSentAt = performance.now()
  const progress = (sums: Sums): void => {
    const now = performance.now()
    if (now - lastSentAt < PROGRESS_INTERVAL_MS) return
    lastSentAt = now
    tell({ sums: { ...sums } })
  }
  const result = 'first' in order ? tryPlaces(order, progress) : check({ ...order, progress })
  result.then(
    (result) => tell({ result }),
    (problem: unknown) => {
      throw problem
    },
  )
})
