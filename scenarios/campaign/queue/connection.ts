/** A connection to Redis. The first attempt must succeed. After a later loss or a temporary refusal, commands wait. */
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { messageOf } from '../../../drivers/model/errors.ts'
import type { QueueAddress } from './address.ts'
import { MeteredConnector, ReplyTooLarge } from './reply-meter.ts'

export class QueueUnreachable extends Error {}

const REACHED_WITHIN_MS = 5000
const noAnswerWithin = (ms: number): string => `it did not answer within ${ms / 1000} s`
/** Time limit of a disconnect, in ms: a server that does not respond does not confirm a disconnect either. */
const LEFT_WITHIN_MS = 300
const RETRY_MS = 500
/** Oldest version with the commands that BullMQ needs, such as BLMOVE. */
const OLDEST = [6, 2] as const
/**
 * Matches temporary refusals of Redis: memory or disk is full, the server is a replica or has too few replicas, is
 * starting, or runs a script. Up to version 6, other words precede a refusal within a script.
 */
const PASSES = /(?:^|[ -])(?:OOM|MISCONF|READONLY|NOREPLICAS|MASTERDOWN|LOADING|BUSY) /

/**
 * Returns true if the connection was lost between two replies of a batch. ioredis retries commands that have no reply,
 * but drops the rest of such a batch.
 */
const isCutOff = (problem: unknown): boolean => problem instanceof Error && problem.name === 'AbortError'

/**
 * Matches errors of a restored connection whose credentials are no longer accepted. Redis then never answers the
 * earlier commands.
 */
const SHUT_OUT = /^(?:WRONGPASS|NOAUTH) /

export class Queue {
  readonly redis: Redis
  readonly #displayName: string
  readonly #log: (line: string) => void
  #refused = 0
  #hasExecutedCommand = false
  #shutOut: unknown
  readonly #endings = new Set<(problem: unknown) => void>()

  constructor(redis: Redis, displayName: string, log: (line: string) => void) {
    this.redis = redis
    this.#displayName = displayName
    this.#log = log
  }

  /**
   * Repeats a command until Redis has executed it, so repeated execution must be harmless. Rejects with
   * QueueUnreachable if a refusal is permanent.
   */
  async ask<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    let isRefused = false
    try {
      for (;;) {
        try {
          const answer = await this.#answerTo(command)
          this.#hasExecutedCommand = true
          return answer
        } catch (problem) {
          // No pause is needed, because ioredis waits for the connection. If Redis rejects the credentials, the command
          // ends there.
          if (isCutOff(problem)) continue
          const [why = ''] = messageOf(problem).split(' script: ', 1)
          if (!PASSES.test(why)) throw new QueueUnreachable(this.#refusal(why))
          if (!isRefused && this.#refused++ === 0)
            this.#log(`${this.#displayName} refuses commands (${why}); waiting for it`)
          isRefused = true
        }
        await pause(RETRY_MS)
      }
    } finally {
      if (isRefused && --this.#refused === 0) this.#log(`${this.#displayName} accepts commands again`)
    }
  }

  async #answerTo<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    if (this.#shutOut !== undefined) throw this.#shutOut
    this.#endings.add(reject)
    command(this.redis)
      .then(resolve, reject)
      .finally(() => this.#endings.delete(reject))
    return promise
  }

  shutOut(problem: unknown): void {
    this.#shutOut ??= problem
    for (const end of this.#endings) end(problem)
  }

  #refusal(why: string): string {
    const displayName = this.#displayName
    return this.#hasExecutedCommand
      ? `${displayName} can no longer be used: ${why}`
      : `${displayName} cannot be used: ${why}`
  }
}

/**
 * `log` is called when the connection is lost and when it is restored. `withinMs` limits the first attempt. Rejects
 * with QueueUnreachable.
 */
export async function reachQueue(
  address: QueueAddress,
  log: (line: string) => void,
  { withinMs = REACHED_WITHIN_MS }: { readonly withinMs?: number } = {},
): Promise<Queue> {
  const { host, port, database, isTls, user, password, publicAddress: displayName } = address
  let isReached = false
  let isLost = false
  const redis = new Redis({
    ...{ host, port, lazyConnect: true, connectTimeout: withinMs, Connector: MeteredConnector },
    disconnectTimeout: LEFT_WITHIN_MS,
    // ioredis would print messages if the server restricts INFO. The query of the version below replaces its check.
    enableReadyCheck: false,
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    ...(isTls && { tls: {} }),
    maxRetriesPerRequest: null,
    retryStrategy: () => (isReached ? RETRY_MS : null),
  })
  let why: unknown
  redis.on('error', (problem: unknown) => {
    why = problem
  })
  const reach = async (): Promise<void> => {
    await redis.connect()
    // A server that requires a user reports that in its answer to INFO.
    const [, version = ''] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? []
    const [major = 0, minor = 0] = version.split('.').map(Number)
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
      throw new Error(`its version is ${version || 'unknown'}; version ${OLDEST.join('.')} or later is needed`)
    redis.options.db = database
    await redis.select(database)
  }
  // ioredis limits only the time of connecting, but a server may accept the connection and never respond.
  const patience = new AbortController()
  try {
    await Promise.race([reach(), noAnswer(withinMs, patience.signal)])
  } catch (problem) {
    redis.disconnect()
    throw new QueueUnreachable(`${displayName} cannot be used: ${whyNot(why ?? problem, isTls, withinMs)}`)
  } finally {
    patience.abort()
  }
  isReached = true
  redis.options.enableReadyCheck = true
  redis.on('close', () => {
    if (isLost || redis.status === 'end') return
    isLost = true
    log(`${displayName}: the connection is lost; waiting for it`)
  })
  redis.on('ready', () => {
    if (isLost) log(`${displayName}: connected again`)
    isLost = false
  })
  const queue = new Queue(redis, displayName, log)
  redis.on('error', (problem: unknown) => {
    if (problem instanceof ReplyTooLarge || SHUT_OUT.test(messageOf(problem))) queue.shutOut(problem)
  })
  return queue
}

async function noAnswer(withinMs: number, signal: AbortSignal): Promise<never> {
  await pause(withinMs, undefined, { signal }).catch(() => new Promise<never>(() => undefined))
  throw new Error(noAnswerWithin(withinMs))
}

function whyNot(problem: unknown, isTls: boolean, withinMs: number): string {
  const words = messageOf(problem)
  if (words === 'connect ETIMEDOUT') return noAnswerWithin(withinMs)
  if (words.includes('ECONNREFUSED')) return 'no program listens there; start Redis, or correct the address'
  if (isTls && /wrong version number|packet length too long/.test(words)) return 'it does not speak TLS'
  return words.startsWith('Unknown RESP type') ? "it does not speak Redis's protocol" : words
}
