/** A worker: takes chunks of campaigns on its own sources, one for each core, and brings back what they come to. */
import { setTimeout as pause } from 'node:timers/promises'
import * as bullmq from 'bullmq'
import { messageOf } from '../../../drivers/model/errors.ts'
import { CheckThread } from '../../simulation/check-thread.ts'
import { chunkAt } from '../plan.ts'
import { type Board, chunkQueue } from './board.ts'
import type { Queue } from './connection.ts'
import type { ChunkJob } from './hand-out.ts'
import { planOf } from './settings.ts'

/** A worker that does not renew its hold on a chunk for so long has lost it; another takes it within two looks. */
const HELD_FOR_MS = 6000
const LOOKS_EVERY_MS = 3000
const TOLD_EVERY_MS = 2000
/** A chunk may change hands as often as workers vanish. */
const CHANGES_OF_HANDS = 1_000_000

export interface Work {
  readonly queue: Queue
  readonly board: Board
  /** Of this worker. */
  readonly name: string
  readonly revision: string
  readonly cores: number
  /** Chunks in hand are given back then. */
  readonly signal: AbortSignal
  readonly tell: (line: string) => void
}

/** Until the signal comes. Throws QueueUnreachable where the queue lets it down for good; what is in hand runs on then. */
export async function work({ queue, board, name, revision, cores, signal, tell }: Work): Promise<void> {
  const threads: CheckThread[] = []
  const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
  const carryOut = async (job: bullmq.Job<ChunkJob>, token = ''): Promise<void> => {
    const { campaign: of, id, index, settings } = job.data
    const campaign = { name: of, id }
    const chunk = chunkAt(planOf(settings), index)
    if (!chunk || !(await board.take(campaign, name))) return
    const thread = threads.pop() ?? new CheckThread()
    try {
      const result = await Promise.race([thread.check(chunk.order), stopped])
      if (!result) {
        await queue.ask(() => job.moveToWait(token))
        throw new bullmq.WaitingError()
      }
      threads.push(thread)
      await board.count(campaign, index, name, result)
    } catch (problem) {
      if (!threads.includes(thread)) await thread.end()
      if (problem instanceof bullmq.WaitingError || signal.aborted) throw problem
      const { family, seed } = chunk.order
      await board.fail(
        campaign,
        `chunk ${index} (family ${family}, seed ${seed}) could not be run: ${messageOf(problem)}`,
      )
    }
  }
  // Waits where the queue refuses for now; the engine looks again far later.
  await board.isAlive(name)
  const own = chunkQueue(revision)
  const worker = new bullmq.Worker<ChunkJob>(own.name, carryOut, {
    ...{ connection: queue.redis, prefix: own.prefix, concurrency: cores },
    ...{ lockDuration: HELD_FOR_MS, stalledInterval: LOOKS_EVERY_MS, maxStalledCount: CHANGES_OF_HANDS },
  })
  // The connection tells of itself (connection.ts).
  worker.on('error', () => undefined)
  const named = new Set<string>()
  while (!signal.aborted) {
    await board.isAlive(name)
    for (const campaign of await board.running()) {
      const wanted = `${campaign.name} ${campaign.revision}`
      if (campaign.revision === revision || named.has(wanted)) continue
      named.add(wanted)
      tell(
        `campaign ${campaign.name} wants revision ${campaign.revision} of the sources, these are ${revision}: none of its chunks is taken`,
      )
    }
    await pause(TOLD_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
  await worker.close()
  await Promise.all(threads.map((thread) => thread.end()))
  await board.hasGone(name)
}
