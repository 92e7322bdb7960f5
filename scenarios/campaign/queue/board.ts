/**
 * What the queue knows of campaigns besides their chunks: settings, sums, violations, workers. Chunks are BullMQ's: dealt
 * out, locked, given to another when a worker vanishes. Each is counted once whoever brings it: the bit of its index,
 * which a script sets together with the sums.
 */
import { present } from '../../../drivers/model/present.ts'
import type { CheckResult } from '../../simulation/check.ts'
import { chunksOf } from '../plan.ts'
import { CampaignSums, type Violation } from '../sums.ts'
import type { Queue } from './connection.ts'
import { planOf, type Settings } from './settings.ts'

/** `over`: its time has come, chunks that run are waited for. `failed`: a chunk could not be run at all. */
export type CampaignState = 'running' | 'over' | 'done' | 'stopped' | 'failed'

export interface Campaign {
  readonly name: string
  /** Of the sources that its chunks run on. */
  readonly revision: string
  readonly settings: Settings
  readonly state: CampaignState
  /** Ms since 1970, by the queue's clock. */
  readonly beganAt: number
  /** Chunks that were handed out: all below this index. */
  readonly dealt: number
  readonly chunksDone: number
  readonly sums: CampaignSums
  /** Why a chunk could not be run. */
  readonly trouble?: string
}

/** Chunks of it are run still, at the least those that workers hold. */
export const isOpen = ({ state }: Pick<Campaign, 'state'>): boolean => state === 'running' || state === 'over'

export interface WorkerRate {
  readonly name: string
  /** Since its first chunk of this campaign; 0 when it has gone. */
  readonly runsPerSecond: number
}

const PREFIX = 'fiscal-rig'
const CAMPAIGNS = `${PREFIX}:campaigns`
const keyOf = (name: string, what?: string): string =>
  ['fiscal-rig:campaign', name, ...(what === undefined ? [] : [what])].join(':')
const aliveKey = (worker: string): string => `${PREFIX}:worker:${worker}`
/** A worker that has not told for so long has gone. */
const ALIVE_S = 30

/** Of BullMQ: workers of other sources look into another queue. */
export const chunkQueue = (revision: string): { readonly name: string; readonly prefix: string } => ({
  name: `chunks-${revision}`,
  prefix: PREFIX,
})

/** KEYS: campaign, workers. ARGV: worker. 1: the chunk is to be run. */
const TAKE = `
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends = tonumber(redis.call('HGET', KEYS[1], 'endsAt') or '')
if ends and now >= ends then return 0 end
redis.call('HSETNX', KEYS[2], ARGV[1] .. ' since', now)
return 1`

/** KEYS: campaign, done, violations, workers. ARGV: index, family, worker, what is left out, violation or '', then sums. */
const COUNT = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('SETBIT', KEYS[2], ARGV[1], 1) == 1 then return 0 end
local names = {'runs', 'requests', 'hits', 'simulatedMs', 'tookMs'}
for place, name in ipairs(names) do redis.call('HINCRBY', KEYS[1], ARGV[2] .. ' ' .. name, ARGV[5 + place]) end
redis.call('HSET', KEYS[1], ARGV[2] .. ' notRun', ARGV[4])
local done = redis.call('HINCRBY', KEYS[1], 'chunksDone', 1)
local time = redis.call('TIME')
redis.call('HINCRBY', KEYS[4], ARGV[3] .. ' runs', ARGV[6])
redis.call('HSET', KEYS[4], ARGV[3] .. ' at', time[1] * 1000 + math.floor(time[2] / 1000))
if redis.call('HGET', KEYS[1], 'state') == 'running' and done == tonumber(redis.call('HGET', KEYS[1], 'chunks') or '') then
  redis.call('HSET', KEYS[1], 'state', 'done')
end
if ARGV[5] ~= '' then
  redis.call('RPUSH', KEYS[3], ARGV[5])
  if redis.call('HGET', KEYS[1], 'bail') == '1' then redis.call('HSET', KEYS[1], 'state', 'stopped') end
end
return 1`

/** KEYS: campaigns, campaign. ARGV: name, revision, settings, bail, chunks or '', minutes in ms or ''. 1: it is new. */
const CREATE = `
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[2], 'revision', ARGV[2], 'settings', ARGV[3], 'bail', ARGV[4], 'chunks', ARGV[5],
  'state', 'running', 'beganAt', now, 'dealt', 0, 'chunksDone', 0)
if ARGV[6] ~= '' then redis.call('HSET', KEYS[2], 'endsAt', now + ARGV[6]) end
return 1`

export class Board {
  readonly #queue: Queue

  constructor(queue: Queue) {
    this.#queue = queue
  }

  /** False: there is a campaign of that name. */
  async create(name: string, revision: string, settings: Settings): Promise<boolean> {
    const { minutes, bail } = settings
    const endsInMs = minutes === undefined ? '' : Math.round(minutes * 60_000)
    const words = [
      name,
      revision,
      JSON.stringify(settings),
      bail ? '1' : '0',
      chunksOf(planOf(settings)) ?? '',
      endsInMs,
    ]
    return (await this.#queue.ask((redis) => redis.eval(CREATE, 2, CAMPAIGNS, keyOf(name), ...words))) === 1
  }

  async campaign(name: string): Promise<Campaign | undefined> {
    const [kept, violations] = await this.#queue.ask((redis) =>
      Promise.all([redis.hgetall(keyOf(name)), redis.lrange(keyOf(name, 'violations'), 0, -1)]),
    )
    if (kept['settings'] === undefined) return undefined
    const settings = JSON.parse(kept['settings']) as Settings
    return {
      ...{ name, settings },
      revision: String(kept['revision']),
      state: kept['state'] as CampaignState,
      beganAt: Number(kept['beganAt']),
      dealt: Number(kept['dealt']),
      chunksDone: Number(kept['chunksDone']),
      sums: sumsIn(settings, kept, violations),
      ...present({ trouble: kept['trouble'] }),
    }
  }

  /** The oldest first. */
  async campaigns(): Promise<readonly Campaign[]> {
    const names = await this.#queue.ask((redis) => redis.hkeys(CAMPAIGNS))
    const all = await Promise.all(names.map((name) => this.campaign(name)))
    return all.flatMap((one) => one ?? []).toSorted((one, other) => one.beganAt - other.beganAt)
  }

  /** Campaigns that still run, with the revision that each wants. */
  async running(): Promise<readonly { readonly name: string; readonly revision: string }[]> {
    const all = Object.entries(await this.#queue.ask((redis) => redis.hgetall(CAMPAIGNS)))
    const stateOf = (name: string) => this.#queue.ask((redis) => redis.hget(keyOf(name), 'state'))
    const states = await Promise.all(all.map(([name]) => stateOf(name)))
    return all.flatMap(([name, revision], place) => (states[place] === 'running' ? [{ name, revision }] : []))
  }

  async setState(name: string, state: CampaignState): Promise<void> {
    await this.#queue.ask((redis) => redis.hset(keyOf(name), 'state', state))
  }

  async setDealt(name: string, dealt: number): Promise<void> {
    await this.#queue.ask((redis) => redis.hset(keyOf(name), 'dealt', dealt))
  }

  async fail(name: string, trouble: string): Promise<void> {
    await this.#queue.ask((redis) => redis.hset(keyOf(name), 'state', 'failed', 'trouble', trouble))
  }

  /** Indexes below this one that have not been counted. */
  async missing(name: string, below: number): Promise<readonly number[]> {
    const bits = (await this.#queue.ask((redis) => redis.getBuffer(keyOf(name, 'done')))) ?? Buffer.alloc(0)
    const isDone = (index: number): boolean => (((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
    return Array.from({ length: below }, (_nothing, index) => index).filter((index) => !isDone(index))
  }

  /** False: the campaign has ended meanwhile. */
  async take(name: string, worker: string): Promise<boolean> {
    const keys = [keyOf(name), keyOf(name, 'workers')]
    return (await this.#queue.ask((redis) => redis.eval(TAKE, keys.length, ...keys, worker))) === 1
  }

  async count(name: string, index: number, worker: string, result: CheckResult): Promise<void> {
    const { family, runs, requests, hits, simulatedMs, tookMs, notRun, failure } = result
    const violation: Violation | undefined = failure && { ...failure, chunk: index }
    const keys = [keyOf(name), keyOf(name, 'done'), keyOf(name, 'violations'), keyOf(name, 'workers')]
    const words = [index, family, worker, JSON.stringify(notRun), violation ? JSON.stringify(violation) : '']
    const sums = [runs, requests, hits, simulatedMs, Math.round(tookMs)]
    await this.#queue.ask((redis) => redis.eval(COUNT, keys.length, ...keys, ...words, ...sums))
  }

  async isAlive(worker: string): Promise<void> {
    await this.#queue.ask((redis) => redis.set(aliveKey(worker), '1', 'EX', ALIVE_S))
  }

  async hasGone(worker: string): Promise<void> {
    await this.#queue.ask((redis) => redis.del(aliveKey(worker)))
  }

  /** By name. */
  async workers({ name, state }: Campaign): Promise<readonly WorkerRate[]> {
    const kept = await this.#queue.ask((redis) => redis.hgetall(keyOf(name, 'workers')))
    const names = Object.keys(kept).flatMap((key) => (key.endsWith(' since') ? [key.slice(0, -' since'.length)] : []))
    const rates = names.sort().map(async (worker) => {
      const [runs, since, at] = ['runs', 'since', 'at'].map((what) => Number(kept[`${worker} ${what}`] ?? 0))
      const isThere = state !== 'running' || (await this.#queue.ask((redis) => redis.exists(aliveKey(worker)))) === 1
      const seconds = ((at ?? 0) - (since ?? 0)) / 1000
      const rate = isThere && seconds > 0 ? (runs ?? 0) / seconds : 0
      return { name: worker, runsPerSecond: Math.round(rate * 10) / 10 }
    })
    return Promise.all(rates)
  }
}

function sumsIn(
  settings: Settings,
  kept: Readonly<Record<string, string>>,
  violations: readonly string[],
): CampaignSums {
  const sums = new CampaignSums(planOf(settings))
  for (const family of settings.families) {
    const of = (what: string): number => Number(kept[`${family} ${what}`] ?? 0)
    const notRun = JSON.parse(kept[`${family} notRun`] ?? '[]') as readonly string[]
    const [runs, requests, hits] = [of('runs'), of('requests'), of('hits')]
    sums.set({ family, runs, requests, hits, simulatedMs: of('simulatedMs'), tookMs: of('tookMs'), notRun })
  }
  for (const violation of violations) sums.addViolation(JSON.parse(violation) as Violation)
  return sums
}
