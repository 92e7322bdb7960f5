/** A worker: runs chunks of campaigns that require its own sources, one chunk on each core. */
import { setTimeout as pause } from 'node:timers/promises'
import * as bullmq from 'bullmq'
import { messageOf } from '../../../drivers/model/errors.ts'
import { CheckThread } from '../../simulation/check-thread.ts'
import { type Chunk, chunkAt, describeChunk } from '../campaign-plan.ts'
import { type Board, type CampaignId, chunkQueue, HOLDERS_MAX } from './campaign-board.ts'
import type { ChunkJob } from './chunk-distributor.ts'
import type { Queue } from './connection.ts'
import { ReplyTooLarge } from './reply-meter.ts'
import { isStoredWord, QueueDataError, readChunkJob } from './schema.ts'
import { planOf, type Settings } from './settings.ts'

/**
 * Lifetime of the lock on a chunk, in ms. If the lock is not renewed, BullMQ gives the chunk to another worker within
 * two checks.
 */
const LOCK_DURATION_MS = 6000
const CHECK_INTERVAL_MS = 3000
const PROGRESS_INTERVAL_MS = 2000
/** Number of times that BullMQ lets a chunk lose its worker: unlimited in practice, because `HOLDERS_MAX` limits it. */
const DISTRIBUTOR_CHANGES_MAX = 1_000_000

interface ChunkOrder {
  readonly campaign: CampaignId
  readonly index: number
  readonly chunk: Chunk
}

const isWord = (value: unknown): value is string => typeof value === 'string' && isStoredWord(value)

export const setAsideText = (chunk: Chunk): string =>
  `${describeChunk(chunk)} was set aside: ${HOLDERS_MAX} workers ended while they ran it`

interface Work {
  readonly queue: Queue
  readonly board: Board
  readonly name: string
  readonly revision: string
  readonly cores: number
  readonly signal: AbortSignal
  readonly note: (line: string) => void
}

/**
 * Resolves after the signal is aborted. Rejects with QueueUnreachable if the queue fails permanently. Chunks that are
 * running then continue.
 */
export async function runWorker({ queue, board, name, revision, cores, signal, note }: Work): Promise<void> {
  const threads: CheckThread[] = []
  const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
  const runJob = async (job: bullmq.Job<ChunkJob>, token = ''): Promise<void> => {
    const order = await readOrder(job)
    if (!order) return
    const { campaign, index, chunk } = order
    const taken = await board.take(campaign, name, index)
    if (taken === 'set aside') note(`campaign ${campaign.name}: ${setAsideText(chunk)}`)
    if (taken !== 'run') return
    const thread = threads.pop() ?? new CheckThread()
    try {
      const result = await Promise.race([thread.check(chunk.order), stopped])
      if (!result) {
        await board.giveBack(campaign, name, index)
        await queue.ask(() => job.moveToWait(token))
        throw new bullmq.WaitingError()
      }
      threads.push(thread)
      await board.count(campaign, index, name, result)
    } catch (problem) {
      if (!threads.includes(thread)) await thread.end()
      if (problem instanceof bullmq.WaitingError || signal.aborted) throw problem
      await board.fail(campaign, `${describeChunk(chunk)} could not be run: ${messageOf(problem)}`)
    }
  }
  /**
   * Resolves to `undefined` for a chunk that does not exist. Reports invalid data, and marks their campaign as failed
   * if the data name it.
   */
  const readOrder = async (job: bullmq.Job<ChunkJob>): Promise<ChunkOrder | undefined> => {
    try {
      const { campaign: of, id, index, settings } = readChunkJob(job.data)
      const chunk = chunkAt(planOf(settings as Settings), index)
      return chunk && { campaign: { name: of, id }, index, chunk }
    } catch (problem) {
      if (!(problem instanceof QueueDataError)) throw problem
      const why = `a chunk in the queue is not run: ${problem.message}`
      note(why)
      const { campaign: of, id } = (job.data ?? {}) as Partial<ChunkJob>
      // Otherwise the campaign would wait for the chunk forever.
      if (isWord(of) && isWord(id)) await board.fail({ name: of, id }, why)
      return undefined
    }
  }
  // `markAlive` waits while the queue refuses commands. BullMQ would retry much later.
  await board.markAlive(name)
  const own = chunkQueue(revision)
  const worker = new bullmq.Worker<ChunkJob>(own.name, runJob, {
    ...{ connection: queue.redis, prefix: own.prefix, concurrency: cores },
    ...{ lockDuration: LOCK_DURATION_MS, stalledInterval: CHECK_INTERVAL_MS, maxStalledCount: DISTRIBUTOR_CHANGES_MAX },
  })
  // `queue.redis` reports its own errors (connection.ts). BullMQ opens further connections, whose errors arrive here.
  worker.on('error', (problem) => {
    if (problem instanceof ReplyTooLarge) queue.shutOut(problem)
  })
  const named = new Set<string>()
  while (!signal.aborted) {
    await board.markAlive(name)
    for (const campaign of await board.running()) {
      const campaignId = `${campaign.name} ${campaign.revision}`
      if (campaign.revision === revision || named.has(campaignId)) continue
      named.add(campaignId)
      note(
        `campaign ${campaign.name} requires revision ${campaign.revision} of the sources, but this worker has revision ${revision}; this worker runs none of its chunks`,
      )
    }
    await pause(PROGRESS_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
  await worker.close()
  await Promise.all(threads.map((thread) => thread.end()))
  await board.markGone(name)
}
