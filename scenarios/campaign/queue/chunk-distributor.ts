/** Adds the chunks of a campaign to the queue until the campaign has ended. */
import { setTimeout as pause } from 'node:timers/promises'
import * as bullmq from 'bullmq'
import { chunkAt } from '../campaign-plan.ts'
import { type Board, type Campaign, chunkQueue, isOpen } from './campaign-board.ts'
import type { Queue } from './connection.ts'
import { CHUNKS_MAX } from './schema.ts'
import { planOf } from './settings.ts'

export interface ChunkJob {
  readonly campaign: string
  /** Id of the campaign, which distinguishes its chunks from those of an earlier campaign with the same name. */
  readonly id: string
  readonly index: number
  readonly settings: Campaign['settings']
}

/** Maximum number of uncounted chunks in the queue: enough for a thousand cores while no distributor runs. */
const WAITING_AT_MOST = 10_000
const BATCH = 500
const CHECK_INTERVAL_MS = 500
const LAST_CHUNKS_MS = 60_000

export class CampaignGone extends Error {}

interface ChunkDistributor {
  readonly queue: Queue
  readonly board: Board
  readonly campaign: Campaign
  readonly signal: AbortSignal
  readonly onCampaign: (campaign: Campaign) => void
}

/**
 * Resolves when the campaign has ended or the signal was aborted. Rejects with CampaignGone if the campaign no longer
 * exists, or if another one has its name.
 */
export async function distributeChunks({
  queue,
  board,
  campaign,
  signal,
  onCampaign: reportCampaign,
}: ChunkDistributor): Promise<Campaign> {
  const { name, id, settings, revision } = campaign
  const own = chunkQueue(revision)
  const chunks = new bullmq.Queue<ChunkJob>(own.name, { connection: queue.redis, prefix: own.prefix })
  chunks.on('error', () => undefined)
  const add = async (indexes: readonly number[]): Promise<void> => {
    for (let from = 0; from < indexes.length; from += BATCH) {
      const jobs = indexes.slice(from, from + BATCH).map((index) => ({
        name: 'chunk',
        data: { campaign: name, id, index, settings },
        // BullMQ does not add a job with the id of an existing one.
        opts: { jobId: `${id}~${index}`, removeOnComplete: true, removeOnFail: true },
      }))
      await queue.ask(() => chunks.addBulk(jobs))
    }
  }
  /**
   * Adds uncounted chunks again: those that an earlier distributor added, and those that Redis may have lost. Resolves
   * to the index of the next chunk.
   */
  const again = async (before: number): Promise<number> => {
    const missing = await board.missing(name, before, WAITING_AT_MOST)
    await add(missing)
    return missing.length < WAITING_AT_MOST ? before : (missing.at(-1) ?? 0) + 1
  }
  let dealt = campaign.dealt
  let isBack = true
  queue.redis.on('ready', () => {
    isBack = true
  })
  let overSince: number | undefined
  try {
    for (;;) {
      const now = await board.campaign(name)
      if (!now)
        throw new CampaignGone(`the queue no longer has campaign ${name}: check that it stores its data on disk`)
      if (now.id !== id)
        throw new CampaignGone(`the queue has another campaign ${name} now: check that it stores its data on disk`)
      reportCampaign(now)
      if (signal.aborted || !isOpen(now)) return now
      if (isBack) {
        isBack = false
        dealt = await again(dealt)
        await board.setDealt(now, dealt)
      }
      if (now.state === 'over') {
        overSince ??= performance.now()
        const runningChunks = await running(queue, chunks, id)
        if (runningChunks === 0 || performance.now() - overSince > LAST_CHUNKS_MS) await board.setState(now, 'done')
      } else {
        const next = nextOf(now, dealt)
        await add(next)
        dealt += next.length
        if (next.length > 0) await board.setDealt(now, dealt)
      }
      await pause(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    await chunks.close()
  }
}

/**
 * Resolves to the time until the time limit, or `undefined` if there is no limit. The clock of Redis counts, because
 * clocks of machines differ.
 */
export async function endsInMs(queue: Queue, { settings, beganAt }: Campaign): Promise<number | undefined> {
  if (settings.minutes === undefined) return undefined
  const [seconds, microseconds] = await queue.ask((redis) => redis.time())
  return beganAt + settings.minutes * 60_000 - (Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000))
}

function nextOf({ settings, chunksDone }: Campaign, dealt: number): readonly number[] {
  const plan = planOf(settings)
  const next: number[] = []
  for (let index = dealt; index - chunksDone < WAITING_AT_MOST && index < CHUNKS_MAX && chunkAt(plan, index); index++)
    next.push(index)
  return next
}

async function running(queue: Queue, chunks: bullmq.Queue<ChunkJob>, id: string): Promise<number> {
  const names = await queue.ask((redis) => redis.lrange(chunks.toKey('active'), 0, WAITING_AT_MOST))
  return names.filter((name) => name.startsWith(`${id}~`)).length
}
