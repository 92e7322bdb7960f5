import { parentPort } from 'node:worker_threads'
import { type CheckOptions, type CheckResult, check, type Sums } from './check.ts'
import { type PointsOrder, tryPoints } from './every/try-points.ts'

/** The options of `check` without functions, which cannot be sent to a thread. */
export type Order = Omit<CheckOptions, 'broken' | 'families' | 'progress'>

export type WorkerMessage = { readonly sums: Sums } | { readonly result: CheckResult }

const PROGRESS_INTERVAL_MS = 250

const send = (message: WorkerMessage): void => parentPort?.postMessage(message)

parentPort?.on('message', (order: Order | PointsOrder) => {
  let lastSentAt = performance.now()
  const progress = (sums: Sums): void => {
    const now = performance.now()
    if (now - lastSentAt < PROGRESS_INTERVAL_MS) return
    lastSentAt = now
    send({ sums: { ...sums } })
  }
  const result = 'first' in order ? tryPoints(order, progress) : check({ ...order, progress })
  result.then(
    (result) => send({ result }),
    (problem: unknown) => {
      throw problem
    },
  )
})
