/**
 * Campaign data in Redis: settings, sums, violations and workers. BullMQ stores and locks the chunks. Each chunk is
 * counted once: one script sets the bit of the chunk's index and adds the sums. If Redis loses its data and the name is
 * used again, the id keeps results of the earlier campaign out of the new one.
 */
import { randomBytes } from 'node:crypto'
import { escapeControl } from '../../../drivers/model/escape-control.ts'
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import { type Failure, TRACE_LINES } from '../../simulation/check.ts'
import type { AnyResult } from '../../simulation/check-thread.ts'
import type { Device } from '../../simulation/every/injection-points.ts'
import { chunksOf } from '../campaign-plan.ts'
import { CampaignSums, failuresOf, sumsName, type Violation } from '../campaign-sums.ts'
import type { Queue } from './connection.ts'
import {
  CAMPAIGN_FIELDS,
  DEVICES,
  isStoredWord,
  QueueDataError,
  readCampaign,
  readName,
  readSums,
  readViolation,
  sumsFields,
} from './schema.ts'
import { isCampaignName, planOf, type Settings } from './settings.ts'

/** `over`: the time limit has passed, and chunks are still running. `failed`: a chunk could not be run. */
type CampaignState = 'running' | 'over' | 'done' | 'stopped' | 'failed'

export interface CampaignId {
  readonly name: string
  readonly id: string
}

export interface Campaign extends CampaignId {
  readonly revision: string
  readonly settings: Settings
  readonly state: CampaignState
  /** Milliseconds since 1970, by the clock of Redis. */
  readonly beganAt: number
  readonly dealt: number
  readonly chunksDone: number
  readonly sums: CampaignSums
  readonly violationsNotRead: number
  /** Indexes of chunks that are not run any more, because `HOLDERS_MAX` workers ended while they ran the chunk. */
  readonly setAside: readonly number[]
  readonly trouble?: string
}

export const isOpen = ({ state }: Pick<Campaign, 'state'>): boolean => state === 'running' || state === 'over'

export interface UnreadableCampaign {
  readonly name: string
  readonly problem: string
}

export const isUnreadable = (one: Campaign | UnreadableCampaign): one is UnreadableCampaign => 'problem' in one

/**
 * `set aside`: `HOLDERS_MAX` workers ended while they ran the chunk. `leave`: the worker must not run the chunk now.
 */
type TakeResult = 'run' | 'set aside' | 'leave'

interface WorkerRate {
  readonly name: string
  readonly runsPerSecond: number
}

const PREFIX = 'fiscal-rig'
const CAMPAIGNS = `${PREFIX}:campaigns`
const keyOf = (name: string, what?: string): string =>
  ['fiscal-rig:campaign', name, ...(what === undefined ? [] : [what])].join(':')
const keysOf = (name: string): readonly string[] => [
  keyOf(name),
  ...['done', 'violations', 'workers', 'holders'].map((what) => keyOf(name, what)),
]
const aliveKey = (worker: string): string => `${PREFIX}:worker:${worker}`
/** Time in seconds after which a worker without a sign of life counts as ended. */
const ALIVE_S = 30

export const chunkQueue = (revision: string): { readonly name: string; readonly prefix: string } => ({
  name: `chunks-${revision}`,
  prefix: PREFIX,
})

/** Start of a script: returns 0 unless the campaign has this id. KEYS: campaign. ARGV: id. */
const IS_IT = `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end`
const IS_OPEN = `${IS_IT}
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'running' and state ~= 'over' then return 0 end`

/** Number of workers that may end while they run the same chunk. Then the chunk is set aside. */
export const HOLDERS_MAX = 2

/**
 * KEYS: campaign, workers, done, holders. ARGV: id, worker, index. Returns 1 if the worker must run the chunk, 2 if the
 * chunk was set aside, and 0 otherwise.
 */
const TAKE = `${IS_IT}
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends = tonumber(redis.call('HGET', KEYS[1], 'endsAt') or '')
if ends and now >= ends then return 0 end
redis.call('HSETNX', KEYS[2], ARGV[2] .. ' since', now)
for place = 1, ${HOLDERS_MAX} do
  local field = ARGV[3] .. ' ' .. place
  if redis.call('HSETNX', KEYS[4], field, ARGV[2]) == 1 then return 1 end
  if redis.call('HGET', KEYS[4], field) == ARGV[2] then return 1 end
end
if redis.call('SETBIT', KEYS[3], ARGV[3], 1) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'setAside', (redis.call('HGET', KEYS[1], 'setAside') or '') .. ARGV[3] .. ' ')
local done = redis.call('HINCRBY', KEYS[1], 'chunksDone', 1)
if done == tonumber(redis.call('HGET', KEYS[1], 'chunks') or '') then
  redis.call('HSET', KEYS[1], 'state', 'done')
end
return 2`

/** KEYS: holders. ARGV: index, worker. */
const GIVE_BACK = `
for place = 1, ${HOLDERS_MAX} do
  local field = ARGV[1] .. ' ' .. place
  if redis.call('HGET', KEYS[1], field) == ARGV[2] then redis.call('HDEL', KEYS[1], field) end
end
return 1`

const FIELD_MAX_BYTES = 64 * 1024
const VIOLATIONS_MAX_BYTES = 8 * 1024 * 1024
const VIOLATIONS_MAX = 10_000
const CAMPAIGNS_MAX = 1000
const TROUBLE_MAX = 2000
const WORKERS_MAX = 1000

/**
 * KEYS: campaign, done, violations, workers, holders. ARGV: maximum number of violations, then names of fields. Returns
 * the time (s, us), the fields, the violations within the limits, and the number of all violations; or a text with the
 * problem.
 */
const READ = `
for place, kind in ipairs({'hash', 'string', 'list', 'hash', 'hash'}) do
  local found = redis.call('TYPE', KEYS[place]).ok
  if found ~= 'none' and found ~= kind then return 'expected a ' .. kind .. ', found a ' .. found end
end
local names = {unpack(ARGV, 2)}
for _, name in ipairs(names) do
  if redis.call('HSTRLEN', KEYS[1], name) > ${FIELD_MAX_BYTES} then
    return name .. ': expected at most ${FIELD_MAX_BYTES} bytes'
  end
end
local violations, bytes, count = {}, 0, redis.call('LLEN', KEYS[3])
for place = 0, math.min(count, tonumber(ARGV[1])) - 1 do
  local one = redis.call('LINDEX', KEYS[3], place)
  bytes = bytes + #one
  if bytes > ${VIOLATIONS_MAX_BYTES} then break end
  violations[#violations + 1] = one
end
local time = redis.call('TIME')
return {time[1], time[2], redis.call('HMGET', KEYS[1], unpack(names)), violations, count}`

/**
 * KEYS: campaign, done, violations, workers, holders. ARGV: id, index, name of the sums, worker, list of steps that
 * were not run, five sums, then violations. Ignores results that arrive after the end of the campaign, because its sums
 * have been reported.
 */
const COUNT = `${IS_OPEN}
if redis.call('SETBIT', KEYS[2], ARGV[2], 1) == 1 then return 0 end
for place = 1, ${HOLDERS_MAX} do redis.call('HDEL', KEYS[5], ARGV[2] .. ' ' .. place) end
local names = {'runs', 'requests', 'hits', 'simulatedMs', 'tookMs'}
for place, name in ipairs(names) do redis.call('HINCRBY', KEYS[1], ARGV[3] .. ' ' .. name, ARGV[5 + place]) end
redis.call('HSET', KEYS[1], ARGV[3] .. ' notRun', ARGV[5])
local done = redis.call('HINCRBY', KEYS[1], 'chunksDone', 1)
local time = redis.call('TIME')
redis.call('HINCRBY', KEYS[4], ARGV[4] .. ' runs', ARGV[6])
redis.call('HSET', KEYS[4], ARGV[4] .. ' at', time[1] * 1000 + math.floor(time[2] / 1000))
if done == tonumber(redis.call('HGET', KEYS[1], 'chunks') or '') then
  redis.call('HSET', KEYS[1], 'state', 'done')
end
for place = 11, #ARGV do redis.call('RPUSH', KEYS[3], ARGV[place]) end
if #ARGV > 10 then
  if redis.call('HGET', KEYS[1], 'bail') == '1' then redis.call('HSET', KEYS[1], 'state', 'stopped') end
end
return 1`

/**
 * KEYS: campaign, done, violations, workers, holders, campaigns. ARGV: id, name, revision, settings, bail, chunks or
 * '', time limit in ms or ''. Returns 1 if the campaign is new, 0 if the name is in use. Deletes data of this name that
 * have no id.
 */
const CREATE = `
if redis.call('HEXISTS', KEYS[1], 'id') == 1 then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
redis.call('HSET', KEYS[6], ARGV[2], ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'revision', ARGV[3], 'settings', ARGV[4], 'bail', ARGV[5], 'chunks', ARGV[6],
  'state', 'running', 'beganAt', now, 'dealt', 0, 'chunksDone', 0)
if ARGV[7] ~= '' then redis.call('HSET', KEYS[1], 'endsAt', now + ARGV[7]) end
return 1`

/** KEYS: campaign. ARGV: id, number of chunks that have been added to the queue. */
const DEAL = `${IS_IT}
redis.call('HSET', KEYS[1], 'dealt', ARGV[2])
return 1`

/** KEYS: campaign. ARGV: id, state, reason or ''. Does not change the state of an ended campaign. */
const SET_STATE_SCRIPT = `${IS_OPEN}
redis.call('HSET', KEYS[1], 'state', ARGV[2])
if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'trouble', ARGV[3]) end
return 1`

export class Board {
  readonly #queue: Queue

  constructor(queue: Queue) {
    this.#queue = queue
  }

  async create(name: string, revision: string, settings: Settings): Promise<boolean> {
    const { minutes, bail } = settings
    const endsInMs = minutes === undefined ? '' : Math.round(minutes * 60_000)
    const words = [
      ...[randomBytes(8).toString('hex'), name, revision, JSON.stringify(settings), bail ? '1' : '0'],
      ...[chunksOf(planOf(settings)) ?? '', endsInMs],
    ]
    return this.#run(CREATE, [...keysOf(name), CAMPAIGNS], words)
  }

  /**
   * Resolves to `undefined` if there is no such campaign. Rejects with QueueDataError if the data of this name are
   * invalid.
   */
  async campaign(name: string): Promise<Campaign | undefined> {
    const fields = [...CAMPAIGN_FIELDS, ...DEVICES.map(sumsName).flatMap(sumsFields)]
    const { now, kept: values, violations, count } = await this.#read(name, fields, VIOLATIONS_MAX)
    if (values['id'] === undefined || values['settings'] === undefined) return undefined
    const { settings: stored, endsAt, state, setAside = '', trouble, ...facts } = readCampaign(values)
    const settings = stored as Settings
    return {
      ...{ name, settings, ...facts },
      state: stateAt(now, state, endsAt),
      sums: sumsIn(settings, values, violations),
      violationsNotRead: count - violations.length,
      setAside: setAside.split(' ').filter(Boolean).map(Number),
      ...omitUndefined({ trouble }),
    }
  }

  async #read(name: string, fields: readonly string[], violationsMax: number) {
    const answer = (await this.#ask(READ, keysOf(readName(name)), [violationsMax, ...fields])) as Read | string
    if (typeof answer === 'string') throw new QueueDataError(escapeControl(answer))
    const [seconds, microseconds, values, violations, count] = answer
    const fieldValues = Object.fromEntries(
      fields.flatMap((field, place) => (values[place] ? [[field, values[place]]] : [])),
    )
    return { now: msOf([seconds, microseconds]), kept: fieldValues, violations, count }
  }

  async campaigns(): Promise<readonly (Campaign | UnreadableCampaign)[]> {
    const all: (Campaign | UnreadableCampaign)[] = []
    for (const [name] of await this.#names()) {
      try {
        const one = await this.campaign(name)
        if (one) all.push(one)
      } catch (error) {
        if (!(error instanceof QueueDataError)) throw error
        all.push({ name, problem: error.message })
      }
    }
    const beganAt = (one: Campaign | UnreadableCampaign): number =>
      isUnreadable(one) ? Number.MAX_SAFE_INTEGER : one.beganAt
    return all.toSorted((one, other) => beganAt(one) - beganAt(other))
  }

  async #names(): Promise<readonly (readonly [name: string, revision: string])[]> {
    return Object.entries(await this.#queue.ask((redis) => redis.hgetall(CAMPAIGNS))).slice(0, CAMPAIGNS_MAX)
  }

  async running(): Promise<readonly { readonly name: string; readonly revision: string }[]> {
    const all = (await this.#names()).filter(([name, revision]) => isCampaignName(name) && isStoredWord(revision))
    const states = await Promise.all(all.map(([name]) => this.#state(name)))
    return all.flatMap(([name, revision], place) => (states[place] === 'running' ? [{ name, revision }] : []))
  }

  async #state(name: string): Promise<CampaignState | undefined> {
    try {
      const { now, kept } = await this.#read(name, ['state', 'endsAt'], 0)
      return stateAt(
        now,
        kept['state'] as CampaignState,
        kept['endsAt'] === undefined ? undefined : Number(kept['endsAt']),
      )
    } catch (error) {
      if (error instanceof QueueDataError) return undefined
      throw error
    }
  }

  /** Resolves to false if the campaign has ended or no longer exists. */
  setState({ name, id }: CampaignId, state: CampaignState): Promise<boolean> {
    return this.#run(SET_STATE_SCRIPT, [keyOf(name)], [id, state, ''])
  }

  setDealt({ name, id }: CampaignId, dealt: number): Promise<boolean> {
    return this.#run(DEAL, [keyOf(name)], [id, dealt])
  }

  fail({ name, id }: CampaignId, trouble: string): Promise<boolean> {
    return this.#run(SET_STATE_SCRIPT, [keyOf(name)], [id, 'failed', trouble.slice(0, TROUBLE_MAX)])
  }

  async missing(name: string, below: number, atMost: number): Promise<readonly number[]> {
    const last = Math.ceil(below / 8)
    const bits = await this.#queue.ask((redis) => redis.getrangeBuffer(keyOf(name, 'done'), 0, last))
    const isDone = (index: number): boolean => (((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
    const missing: number[] = []
    for (let index = 0; index < below && missing.length < atMost; index++) if (!isDone(index)) missing.push(index)
    return missing
  }

  async take({ name, id }: CampaignId, worker: string, index: number): Promise<TakeResult> {
    const keys = ['workers', 'done', 'holders'].map((what) => keyOf(name, what))
    const taken = await this.#ask(TAKE, [keyOf(name), ...keys], [id, worker, index])
    return taken === 1 ? 'run' : taken === 2 ? 'set aside' : 'leave'
  }

  /**
   * Removes the worker from the holders of a chunk. A chunk that stopped because its worker was ended must not count
   * towards `HOLDERS_MAX`.
   */
  async giveBack({ name }: CampaignId, worker: string, index: number): Promise<void> {
    await this.#ask(GIVE_BACK, [keyOf(name, 'holders')], [index, worker])
  }

  /** Resolves to false if the campaign has ended or the chunk was already counted. */
  count({ name, id }: CampaignId, index: number, worker: string, result: AnyResult): Promise<boolean> {
    const { runs, requests, hits, simulatedMs, tookMs, notRun } = result
    const violations = failuresOf(result).map((failure) => JSON.stringify(stored(failure, index)))
    const words = [id, index, sumsName(result), worker, JSON.stringify(notRun)]
    const sums = [runs, requests, hits, simulatedMs, Math.round(tookMs)]
    return this.#run(COUNT, keysOf(name), [...words, ...sums, ...violations])
  }

  async #run(script: string, keys: readonly string[], words: readonly (string | number)[]): Promise<boolean> {
    return (await this.#ask(script, keys, words)) === 1
  }

  #ask(script: string, keys: readonly string[], words: readonly (string | number)[]): Promise<unknown> {
    return this.#queue.ask((redis) => redis.eval(script, keys.length, ...keys, ...words))
  }

  async markAlive(worker: string): Promise<void> {
    await this.#queue.ask((redis) => redis.set(aliveKey(worker), '1', 'EX', ALIVE_S))
  }

  async markGone(worker: string): Promise<void> {
    await this.#queue.ask((redis) => redis.del(aliveKey(worker)))
  }

  async workers({ name, state }: Campaign): Promise<readonly WorkerRate[]> {
    const storedWorkers = await this.#queue.ask((redis) => redis.hgetall(keyOf(name, 'workers')))
    const names = Object.keys(storedWorkers).flatMap((key) =>
      key.endsWith(' since') ? [key.slice(0, -' since'.length)] : [],
    )
    const rates = names
      .sort()
      .slice(0, WORKERS_MAX)
      .map(async (worker) => {
        const [runs, since, at] = ['runs', 'since', 'at'].map((what) => Number(storedWorkers[`${worker} ${what}`] ?? 0))
        const isThere = state !== 'running' || (await this.#queue.ask((redis) => redis.exists(aliveKey(worker)))) === 1
        const seconds = ((at ?? 0) - (since ?? 0)) / 1000
        const rate = isThere && seconds > 0 ? (runs ?? 0) / seconds : 0
        return { name: worker, runsPerSecond: Math.round(rate * 10) / 10 }
      })
    return Promise.all(rates)
  }
}

/**
 * Limits the trace of a position's violation to the lines that reports show, because a chunk of positions may have many
 * violations.
 */
const stored = (failure: Failure, chunk: number): Violation => ({
  ...failure,
  ...(failure.place && { trace: failure.trace.slice(-TRACE_LINES) }),
  chunk,
})

const msOf = ([seconds, microseconds]: readonly (number | string)[]): number =>
  Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)

/** Returns the state at `now`: the time limit applies even if no distributor has stored the state. */
const stateAt = (now: number, state: CampaignState, endsAt: number | undefined): CampaignState =>
  state === 'running' && endsAt !== undefined && now >= endsAt ? 'over' : state

type Read = readonly [
  seconds: string,
  microseconds: string,
  values: readonly (string | null)[],
  violations: readonly string[],
  count: number,
]

function sumsIn(
  settings: Settings,
  fieldValues: Readonly<Record<string, string>>,
  violations: readonly string[],
): CampaignSums {
  const sums = new CampaignSums(planOf(settings))
  for (const device of sums.families()) sums.set({ ...deviceOf(device), ...readSums(sumsName(device), fieldValues) })
  for (const text of violations) {
    const violation = readViolation(text)
    if (!sums.has(violation))
      throw new QueueDataError(`violation.case.family: expected ${sums.families().map(sumsName).join(', ')}`)
    sums.addViolation(violation)
  }
  return sums
}

const deviceOf = ({ family, profile }: Device): Device => ({ family, profile })
