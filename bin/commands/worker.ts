/** `fiscal-rig worker`: runs chunks of a queue's campaigns until a signal arrives. */

import { availableParallelism, hostname } from 'node:os'
import { countText } from '../../drivers/model/count-text.ts'
import { runWorker } from '../../scenarios/campaign/queue/campaign-worker.ts'
import { revision } from '../../scenarios/campaign/source-revision.ts'
import { endOnSignal, endWith } from '../exit.ts'
import { say, writeLine } from '../terminal-output.ts'
import { connectToQueue, exitForQueueFailure } from './queue-connection.ts'

interface WorkerOptions {
  readonly queue: string
  readonly cores?: number
  readonly json?: boolean
}

export async function worker({ queue: text, cores = availableParallelism(), json }: WorkerOptions): Promise<void> {
  const stop = new AbortController()
  void endOnSignal().then(() => stop.abort())
  const { address, queue, board } = await connectToQueue(text)
  const name = `${hostname()}-${process.pid}`
  const own = revision()
  const ready = { queue: address.publicAddress, name, revision: own, cores, pid: process.pid }
  say(
    json
      ? `${JSON.stringify(ready)}\n`
      : `worker ${name} on ${address.publicAddress}: ${countText(cores, 'core')}, revision ${own}\n`,
  )
  const signal = stop.signal
  await runWorker({ queue, board, name, revision: own, cores, signal, note: writeLine })
    .catch(exitForQueueFailure)
    .catch(endWith)
  // After a failure of the queue, unfinished chunks end with the process.
  process.exit()
}
