/**
 * A connection to the queue. The first attempt must succeed; after a later loss or refusal the connection waits until
 * the queue is available again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { messageOf } from '../../../drivers/model/errors.ts'
import type { QueueAddress } from './address.ts'
import { MeteredConnector, ReplyTooLarge } from './reply-meter.ts'

/** The message is readable, without user and password. */
export class QueueUnreachable extends Error {}

const REACHED_WITHIN_MS = 5000
const noAnswerWithin = (ms: number): string => `it does not answer within ${ms / 1000} s`
/** A server that does not respond does not confirm a disconnect either. */
const LEFT_WITHIN_MS = 300
const RETRY_MS = 500
/** Oldest version that has the commands BullMQ needs: BLMOVE and others. */
const OLDEST = [6, 2] as const
/**
 * Refusals by Redis that may pass: memory or disk is full, it is a replica or has too few of them, it is starting, a
 * script blocks it. Up to version 6 a refusal within a script has other words before it.
 */
const PASSES = /(?:^|[ -])(?:OOM|MISCONF|READONLY|NOREPLICAS|MASTERDOWN|LOADING|BUSY) /

/**
 * The connection was lost between two answers to one batch. The library sends commands without any answer again, but
 * gives up the rest of such a batch.
 */
const isCutOff = (problem: unknown): boolean => problem instanceof Error && problem.name === 'AbortError'

/** The connection is back, but the server no longer accepts the credentials: earlier commands are never answered. */
const SHUT_OUT = /^(?:WRONGPASS|NOAUTH) /

export class Queue {
  /** Connection for BullMQ, which waits by itself. */
  readonly redis: Redis
  readonly #displayName: string
  readonly #log: (line: string) => void
  #refused = 0
  #hasExecutedCommand = false
  /** Reason why no command is sent any more. */
  #shutOut: unknown
  /** Functions that reject the commands that have no answer yet. */
  readonly #endings = new Set<(problem: unknown) => void>()

  constructor(redis: Redis, displayName: string, log: (line: string) => void) {
    this.redis = redis
    this.#displayName = displayName
    this.#log = log
  }

  /**
   * Sends a command until it is executed, so repeated execution must be harmless. Throws QueueUnreachable for a refusal
   * that will not pass.
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
          // No pause: the library waits for the connection, and a server that no longer accepts the credentials ends
          // the command there.
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
      if (isRefused && --this.#refused === 0) this.#log(`${this.#displayName} refuses no more`)
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

  /** Rejects all commands without an answer, and all later ones. */
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
 * `log`: called when the connection is lost and when it is back. `withinMs`: time limit for a server that does not
 * respond. Throws QueueUnreachable.
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
    // The library writes its own lines if a server does not allow everyone to use INFO; the query below replaces its
    // check.
    enableReadyCheck: false,
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    ...(isTls && { tls: {} }),
    // Commands wait until the queue is available again.
    maxRetriesPerRequest: null,
    retryStrategy: () => (isReached ? RETRY_MS : null),
  })
  let why: unknown
  redis.on('error', (problem: unknown) => {
    why = problem
  })
  const reach = async (): Promise<void> => {
    await redis.connect()
    // A server that requires a user reports it here.
    const [, version = ''] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? []
    const [major = 0, minor = 0] = version.split('.').map(Number)
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
      throw new Error(`it is version ${version || 'unknown'}; ${OLDEST.join('.')} or later is needed`)
    redis.options.db = database
    await redis.select(database)
  }
  // The library's own limit covers only the connection: a server may accept it and never respond.
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

/** Rejects when the time limit has passed; never resolves, and stays pending if it is aborted. */
async function noAnswer(withinMs: number, signal: AbortSignal): Promise<never> {
  await pause(withinMs, undefined, { signal }).catch(() => new Promise<never>(() => undefined))
  throw new Error(noAnswerWithin(withinMs))
}

/** The errors of OpenSSL and of the protocol parser about a server that speaks another protocol help no user. */
function whyNot(problem: unknown, isTls: boolean, withinMs: number): string {
  const words = messageOf(problem)
  if (words === 'connect ETIMEDOUT') return noAnswerWithin(withinMs)
  if (isTls && /wrong version number|packet length too long/.test(words)) return 'it does not speak TLS'
  return words.startsWith('Unknown RESP type') ? "it does not speak Redis's protocol" : words
}
