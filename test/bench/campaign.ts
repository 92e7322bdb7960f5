/**
 * Campaigns on a real Redis, with two workers of one core each compared with one worker, and the simulated year of each
 * family.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { queueAddress } from '../../scenarios/campaign/queue/address.ts'
import { Board, type Campaign } from '../../scenarios/campaign/queue/campaign-board.ts'
import { distributeChunks } from '../../scenarios/campaign/queue/chunk-distributor.ts'
import { reachQueue } from '../../scenarios/campaign/queue/connection.ts'
import { revision } from '../../scenarios/campaign/source-revision.ts'
import type { YearReport } from '../../scenarios/campaign/year/year.ts'
import { hasRedis, redisServer } from '../support/redis.ts'
import { has } from '../support/required-program.ts'
import type { Figure } from './measure.ts'

const program = fileURLToPath(new URL('../../bin/fiscal-rig.ts', import.meta.url))

/** A chunk takes about half a second, so that the last chunks end at about the same time. */
const CHUNK = 40
const CHUNKS = 40

/** `core` pins the process to this core if taskset is installed. Otherwise Node would collect garbage on all cores. */
function fiscalRig(args: readonly string[], core?: number): { child: ChildProcess; firstLine: Promise<string> } {
  const pinned = core !== undefined && has('taskset') ? ['taskset', '--cpu-list', String(core)] : []
  const [command = '', ...words] = [...pinned, process.execPath, program, ...args]
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'ignore'] })
  if (!child.stdout) throw new Error('a child without an output')
  const firstLine = Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line)),
    once(child, 'exit').then(() => {
      throw new Error(`fiscal-rig ${args.join(' ')} ended before it said anything`)
    }),
  ])
  return { child, firstLine }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

export async function workerFigures(): Promise<Figure[]> {
  if (!hasRedis) return []
  const server = await redisServer([])
  await server.start()
  const address = `redis://127.0.0.1:${server.port}`
  const queue = await reachQueue(queueAddress(address), () => undefined)
  const board = new Board(queue)
  const children: ChildProcess[] = []
  const addWorker = async (): Promise<void> => {
    const { child, firstLine } = fiscalRig(['worker', '--queue', address, '--cores', '1', '--json'], children.length)
    children.push(child)
    await firstLine
  }
  /** Runs a campaign with the current workers. Resolves to the number of runs per second. */
  const measure = async (name: string, chunks: number): Promise<number> => {
    const settings = { families: ['A'], seed: 1, runs: chunks * CHUNK, chunk: CHUNK, bail: false } as const
    await board.create(name, revision(), settings)
    const campaign = (await board.campaign(name)) as Campaign
    const began = performance.now()
    const signal = new AbortController().signal
    const { sums } = await distributeChunks({ queue, board, campaign, signal, onCampaign: () => undefined })
    const [{ runs } = { runs: 0 }] = sums.families()
    return (runs * 1000) / (performance.now() - began)
  }
  try {
    await addWorker()
    // A new worker is slow at first, so each worker runs the same number of chunks before it is measured.
    await measure('warm-one', CHUNKS / 4)
    const before = await measure('one', CHUNKS)
    await addWorker()
    await measure('warm-two', CHUNKS * 2)
    const two = await measure('two', CHUNKS * 2)
    // The first worker has become faster in the meantime, so it is measured again and its better value counts.
    const second = children.pop()
    if (second) await stop(second)
    const one = Math.max(before, await measure('one-again', CHUNKS))
    return [
      { name: 'campaign: one worker of one core', value: one, unit: 'runs/s' },
      { name: 'campaign: two workers of one core each', value: two, unit: 'runs/s' },
      { name: 'campaign: two workers / one', value: two / one, unit: '', target: { atLeast: 1.9 } },
    ]
  } finally {
    for (const child of children) await stop(child)
    queue.redis.disconnect()
    await server.end()
  }
}

export async function yearFigures(family: string, receiptsPerDay: number): Promise<Figure[]> {
  const args = ['--shop-year', '--family', family, '--receipts-per-day', String(receiptsPerDay), '--json']
  const { child, firstLine } = fiscalRig(['check', ...args])
  const year = JSON.parse(await firstLine) as YearReport
  if (child.exitCode === null) await once(child, 'exit')
  if (!year.booksBalanced || !year.chainVerified) throw new Error(`the books of the year on family ${family} are wrong`)
  const { day1, day365 } = year.rssMiB
  const of = `${family}: a year of ${year.receipts} receipts`
  return [
    { name: of, value: year.tookMs / 1000, unit: 's' },
    { name: `${of}, memory more than on day 1`, value: day365 - day1, unit: 'MiB', target: { atMost: 32 } },
    { name: `${of}, first start afterwards`, value: year.firstStartMs, unit: 'ms', target: { atMost: 1000 } },
    { name: `${of}, Z of day 1`, value: year.oldestZMs, unit: 'ms', target: { atMost: 20 } },
    { name: `${of}, on disk`, value: year.bytesPerReceipt, unit: 'bytes/receipt' },
  ]
}
