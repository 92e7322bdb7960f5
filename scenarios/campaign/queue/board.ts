/**
 * What the queue knows of campaigns besides their chunks: settings, sums, violations, workers. Chunks are BullMQ's: dealt
 * out, locked, given to another when a worker vanishes. Each is counted once whoever brings it: the bit of its index,
 * which a script sets together with the sums. A name may be used again after the queue has lost its data: what is left of
 * an earlier campaign, in the queue or in the hands of a worker, is of another id, and changes nothing of this one.
 */
import { randomBytes } from 'node:crypto'
import { present } from '../../../drivers/model/present.ts'
import type { CheckResult } from '../../simulation/check.ts'
import { chunksOf } from '../plan.ts'
import { CampaignSums, type Violation } from '../sums.ts'
import type { Queue } from './connection.ts'
import { planOf, type Settings } from './settings.ts'

/** `over`: its time has come, chunks that run are waited for. `failed`: a chunk could not be run at all. */
export type CampaignState = 'running' | 'over' | 'done' | 'stopped' | 'failed'

/** One campaign, and not another one that had its name before. */
export interface CampaignId {
  readonly name: string
  /** By chance. */
  readonly id: string
}

export interface Campaign extends CampaignId {
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

/** Begins scripts. KEYS: campaign. ARGV: id. */
const IS_IT = `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end`
const IS_OPEN = `${IS_IT}
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'running' and state ~= 'over' then return 0 end`

/** KEYS: campaign, workers. ARGV: id, worker. 1: the chunk is to be run. */
const TAKE = `${IS_IT}
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends = tonumber(redis.call('HGET', KEYS[1], 'endsAt') or '')
if ends and now >= ends then return 0 end
redis.call('HSETNX', KEYS[2], ARGV[2] .. ' since', now)
return 1`

/**
 * KEYS: campaign, done, violations, workers. ARGV: id, index, family, worker, what is left out, violation or '', then
 * sums. What a worker brings after the end is not counted: the sums were told.
 */
const COUNT = `${IS_OPEN}
if redis.call('SETBIT', KEYS[2], ARGV[2], 1) == 1 then return 0 end
local names = {'runs', 'requests', 'hits', 'simulatedMs', 'tookMs'}
for place, name in ipairs(names) do redis.call('HINCRBY', KEYS[1], ARGV[3] .. ' ' .. name, ARGV[6 + place]) end
redis.call('HSET', KEYS[1], ARGV[3] .. ' notRun', ARGV[5])
local done = redis.call('HINCRBY', KEYS[1], 'chunksDone', 1)
local time = redis.call('TIME')
redis.call('HINCRBY', KEYS[4], ARGV[4] .. ' runs', ARGV[7])
redis.call('HSET', KEYS[4], ARGV[4] .. ' at', time[1] * 1000 + math.floor(time[2] / 1000))
if done == tonumber(redis.call('HGET', KEYS[1], 'chunks') or '') then
  redis.call('HSET', KEYS[1], 'state', 'done')
end
if ARGV[6] ~= '' then
  redis.call('RPUSH', KEYS[3], ARGV[6])
  if redis.call('HGET', KEYS[1], 'bail') == '1' then redis.call('HSET', KEYS[1], 'state', 'stopped') end
end
return 1`

/**
 * KEYS: campaign, done, violations, workers, campaigns. ARGV: id, name, revision, settings, bail, chunks or '', minutes
 * in ms or ''. 1: it is new. What goes by its name and is no whole campaign is what a queue has lost half of.
 */
const CREATE = `
if redis.call('HEXISTS', KEYS[1], 'id') == 1 then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.call('HSET', KEYS[5], ARGV[2], ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'revision', ARGV[3], 'settings', ARGV[4], 'bail', ARGV[5], 'chunks', ARGV[6],
  'state', 'running', 'beganAt', now, 'dealt', 0, 'chunksDone', 0)
if ARGV[7] ~= '' then redis.call('HSET', KEYS[1], 'endsAt', now + ARGV[7]) end
return 1`

/** KEYS: campaign. ARGV: id, chunks that were handed out. */
const DEAL = `${IS_IT}
redis.call('HSET', KEYS[1], 'dealt', ARGV[2])
return 1`

/** KEYS: campaign. ARGV: id, state, why or ''. One that has ended stays as it is. */
const CHANGE = `${IS_OPEN}
redis.call('HSET', KEYS[1], 'state', ARGV[2])
if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'trouble', ARGV[3]) end
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
      ...[randomBytes(8).toString('hex'), name, revision, JSON.stringify(settings), bail ? '1' : '0'],
      ...[chunksOf(planOf(settings)) ?? '', endsInMs],
    ]
    const keys = [keyOf(name), ...['done', 'violations', 'workers'].map((what) => keyOf(name, what)), CAMPAIGNS]
    return this.#run(CREATE, keys, words)
  }

  async campaign(name: string): Promise<Campaign | undefined> {
    const [kept, violations, time] = await this.#queue.ask((redis) =>
      Promise.all([redis.hgetall(keyOf(name)), redis.lrange(keyOf(name, 'violations'), 0, -1), redis.time()]),
    )
    const { id, settings: text, revision, state, endsAt, trouble } = kept
    if (id === undefined || text === undefined) return undefined
    const settings = JSON.parse(text) as Settings
    return {
      ...{ name, id, settings },
      revision: String(revision),
      state: stateAt(msOf(time), state, endsAt),
      beganAt: Number(kept['beganAt']),
      dealt: Number(kept['dealt']),
      chunksDone: Number(kept['chunksDone']),
      sums: sumsIn(settings, kept, violations),
      ...present({ trouble }),
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
    const now = msOf(await this.#queue.ask((redis) => redis.time()))
    const stateOf = async (name: string): Promise<CampaignState> => {
      const [state, endsAt] = await this.#queue.ask((redis) => redis.hmget(keyOf(name), 'state', 'endsAt'))
      return stateAt(now, state, endsAt)
    }
    const states = await Promise.all(all.map(([name]) => stateOf(name)))
    return all.flatMap(([name, revision], place) => (states[place] === 'running' ? [{ name, revision }] : []))
  }

  /** False here and below: it has ended, or the queue knows it no more. */
  setState({ name, id }: CampaignId, state: CampaignState): Promise<boolean> {
    return this.#run(CHANGE, [keyOf(name)], [id, state, ''])
  }

  setDealt({ name, id }: CampaignId, dealt: number): Promise<boolean> {
    return this.#run(DEAL, [keyOf(name)], [id, dealt])
  }

  fail({ name, id }: CampaignId, trouble: string): Promise<boolean> {
    return this.#run(CHANGE, [keyOf(name)], [id, 'failed', trouble])
  }

  /** Indexes below this one that have not been counted. */
  async missing(name: string, below: number): Promise<readonly number[]> {
    const bits = (await this.#queue.ask((redis) => redis.getBuffer(keyOf(name, 'done')))) ?? Buffer.alloc(0)
    const isDone = (index: number): boolean => (((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
    return Array.from({ length: below }, (_nothing, index) => index).filter((index) => !isDone(index))
  }

  take({ name, id }: CampaignId, worker: string): Promise<boolean> {
    return this.#run(TAKE, [keyOf(name), keyOf(name, 'workers')], [id, worker])
  }

  /** False also where the chunk was counted before. */
  count({ name, id }: CampaignId, index: number, worker: string, result: CheckResult): Promise<boolean> {
    const { family, runs, requests, hits, simulatedMs, tookMs, notRun, failure } = result
    const violation: Violation | undefined = failure && { ...failure, chunk: index }
    const keys = [keyOf(name), ...['done', 'violations', 'workers'].map((what) => keyOf(name, what))]
    const words = [id, index, family, worker, JSON.stringify(notRun), violation ? JSON.stringify(violation) : '']
    const sums = [runs, requests, hits, simulatedMs, Math.round(tookMs)]
    return this.#run(COUNT, keys, [...words, ...sums])
  }

  async #run(script: string, keys: readonly string[], words: readonly (string | number)[]): Promise<boolean> {
    return (await this.#queue.ask((redis) => redis.eval(script, keys.length, ...keys, ...words))) === 1
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

/** Of what TIME answers. */
const msOf = ([seconds, microseconds]: readonly (number | string)[]): number =>
  Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)

/** The time of a campaign is over also where nobody hands it out who would say so. */
function stateAt(now: number, state: string | null | undefined, endsAt: string | null | undefined): CampaignState {
  return state === 'running' && endsAt && now >= Number(endsAt) ? 'over' : (state as CampaignState)
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
