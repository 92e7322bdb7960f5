/** A worker: takes chunks of campaigns on its own sources, one for each core, and brings back what they come to. */
import { setTimeout as pause } from 'node:timers/promises'
import * as bullmq from 'bullmq'
import { messageOf } from '../../../drivers/model/errors.ts'
import { CheckThread } from '../../simulation/check-thread.ts'
import { type Chunk, chunkAt, describeChunk } from '../campaign-plan.ts'
import { type Board, type CampaignId, chunkQueue, HOLDERS_MAX } from './board.ts'
import type { ChunkJob } from './chunk-distributor.ts'
import type { Queue } from './connection.ts'
import { ReplyTooLarge } from './reply-meter.ts'
import { isStoredWord, QueueDataError, readChunkJob } from './schema.ts'
import { planOf, type Settings } from './settings.ts'

/** A worker that does not renew its hold on a chunk for so long has lost it; another takes it within two looks. */
const HELD_FOR_MS = 6000
const LOOKS_EVERY_MS = 3000
const PROGRESS_INTERVAL_MS = 2000
/** A chunk may change hands as often as workers vanish. */
const CHANGES_OF_HANDS = 1_000_000

interface ChunkOrder {
  readonly campaign: CampaignId
  readonly index: number
  readonly chunk: Chunk
}

const isWord = (value: unknown): value is string => typeof value === 'string' && isStoredWord(value)

/** Why a chunk is not run any more. */
export const setAsideText = (chunk: Chunk): string =>
  `${describeChunk(chunk)} is set aside: ${HOLDERS_MAX} workers ended while they ran it`

interface Work {
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
    const order = await orderIn(job)
    if (!order) return
    const { campaign, index, chunk } = order
    const taken = await board.take(campaign, name, index)
    if (taken === 'set aside') tell(`campaign ${campaign.name}: ${setAsideText(chunk)}`)
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
  /** What a job says, if a campaign can have said it. Otherwise it is told, and the job is not dealt out again. */
  const orderIn = async (job: bullmq.Job<ChunkJob>): Promise<ChunkOrder | undefined> => {
    try {
      const { campaign: of, id, index, settings } = readChunkJob(job.data)
      const chunk = chunkAt(planOf(settings as Settings), index)
      return chunk && { campaign: { name: of, id }, index, chunk }
    } catch (problem) {
      if (!(problem instanceof QueueDataError)) throw problem
      const why = `a chunk in the queue is not run: ${problem.message}`
      tell(why)
      const { campaign: of, id } = (job.data ?? {}) as Partial<ChunkJob>
      // A campaign that this is a chunk of would wait for it without end.
      if (isWord(of) && isWord(id)) await board.fail({ name: of, id }, why)
      return undefined
    }
  }
  // Waits where the queue refuses for now; the engine looks again far later.
  await board.isAlive(name)
  const own = chunkQueue(revision)
  const worker = new bullmq.Worker<ChunkJob>(own.name, carryOut, {
    ...{ connection: queue.redis, prefix: own.prefix, concurrency: cores },
    ...{ lockDuration: HELD_FOR_MS, stalledInterval: LOOKS_EVERY_MS, maxStalledCount: CHANGES_OF_HANDS },
  })
  // The connection tells of itself (connection.ts); those of the engine only tell the engine.
  worker.on('error', (problem) => {
    if (problem instanceof ReplyTooLarge) queue.shutOut(problem)
  })
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
    await pause(PROGRESS_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
  await worker.close()
  await Promise.all(threads.map((thread) => thread.end()))
  await board.hasGone(name)
}
