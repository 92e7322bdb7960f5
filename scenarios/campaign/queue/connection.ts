/** A connection to the queue: reached at once or not at all; lost or refused later, it waits until the queue is there again. */
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { messageOf } from '../../../drivers/model/errors.ts'
import type { QueueAddress } from './address.ts'
import { MeteredConnector, ReplyTooLarge } from './reply-meter.ts'

/** In one sentence, without user and password. */
export class QueueUnreachable extends Error {}

const REACHED_WITHIN_MS = 5000
const noAnswerWithin = (ms: number): string => `it does not answer within ${ms / 1000} s`
/** A server that says nothing does not say goodbye either. */
const LEFT_WITHIN_MS = 300
const RETRY_MS = 500
/** What the engine needs: BLMOVE and others. */
const OLDEST = [6, 2] as const
/**
 * How Redis refuses what it may carry out later: memory or disk is full, it is a replica or has too few of them, it
 * starts, a script holds it. Up to version 6 a refusal within a script has other words before it.
 */
const PASSES = /(?:^|[ -])(?:OOM|MISCONF|READONLY|NOREPLICAS|MASTERDOWN|LOADING|BUSY) /

/**
 * The connection was lost between two answers to one batch. The library sends again what has no answer at all, but gives
 * up the rest of such a batch.
 */
const isCutOff = (problem: unknown): boolean => problem instanceof Error && problem.name === 'AbortError'

/** A connection that is there again and is let in no more: what was asked before is never answered then. */
const SHUT_OUT = /^(?:WRONGPASS|NOAUTH) /

export class Queue {
  /** For the engine, which waits by itself. */
  readonly redis: Redis
  readonly #shown: string
  readonly #tell: (line: string) => void
  #refused = 0
  #hasObeyed = false
  /** Why no command is sent any more. */
  #shutOut: unknown
  /** By these, everything is ended that has no answer yet. */
  readonly #endings = new Set<(problem: unknown) => void>()

  constructor(redis: Redis, shown: string, tell: (line: string) => void) {
    this.redis = redis
    this.#shown = shown
    this.#tell = tell
  }

  /** Asks until it is carried out, so it must do no harm twice. Throws QueueUnreachable for a refusal that will not pass. */
  async ask<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    let isRefused = false
    try {
      for (;;) {
        try {
          const answer = await this.#answerTo(command)
          this.#hasObeyed = true
          return answer
        } catch (problem) {
          // At once: it waits in the library for the connection, and a server that lets us in no more ends it there.
          if (isCutOff(problem)) continue
          const [why = ''] = messageOf(problem).split(' script: ', 1)
          if (!PASSES.test(why)) throw new QueueUnreachable(this.#refusal(why))
          if (!isRefused && this.#refused++ === 0)
            this.#tell(`${this.#shown} refuses commands (${why}); waiting for it`)
          isRefused = true
        }
        await pause(RETRY_MS)
      }
    } finally {
      if (isRefused && --this.#refused === 0) this.#tell(`${this.#shown} refuses no more`)
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

  /** Ends everything that has no answer, and refuses what is asked later. */
  shutOut(problem: unknown): void {
    this.#shutOut ??= problem
    for (const end of this.#endings) end(problem)
  }

  #refusal(why: string): string {
    const shown = this.#shown
    return this.#hasObeyed ? `${shown} cannot be used any more: ${why}` : `${shown} cannot be used: ${why}`
  }
}

/**
 * `tell`: when the connection is lost, and when it is there again. `withinMs`: for as long a server may say nothing.
 * Throws QueueUnreachable.
 */
export async function reachQueue(
  address: QueueAddress,
  tell: (line: string) => void,
  { withinMs = REACHED_WITHIN_MS }: { readonly withinMs?: number } = {},
): Promise<Queue> {
  const { host, port, database, isTls, user, password, publicAddress: shown } = address
  let isReached = false
  let isLost = false
  const redis = new Redis({
    ...{ host, port, lazyConnect: true, connectTimeout: withinMs, Connector: MeteredConnector },
    disconnectTimeout: LEFT_WITHIN_MS,
    // The library writes lines of its own where a server does not let everybody ask for INFO; we ask below.
    enableReadyCheck: false,
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    ...(isTls && { tls: {} }),
    // Commands wait for as long as the queue is away.
    maxRetriesPerRequest: null,
    retryStrategy: () => (isReached ? RETRY_MS : null),
  })
  let why: unknown
  redis.on('error', (problem: unknown) => {
    why = problem
  })
  const reach = async (): Promise<void> => {
    await redis.connect()
    // Where the server wants a user, it says so here.
    const [, version = ''] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? []
    const [major = 0, minor = 0] = version.split('.').map(Number)
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
      throw new Error(`it is version ${version || 'unknown'}; ${OLDEST.join('.')} or later is needed`)
    redis.options.db = database
    await redis.select(database)
  }
  // The library's own limit is for the connection alone: a server may take it and say nothing.
  const patience = new AbortController()
  try {
    await Promise.race([reach(), noAnswer(withinMs, patience.signal)])
  } catch (problem) {
    redis.disconnect()
    throw new QueueUnreachable(`${shown} cannot be used: ${whyNot(why ?? problem, isTls, withinMs)}`)
  } finally {
    patience.abort()
  }
  isReached = true
  redis.options.enableReadyCheck = true
  redis.on('close', () => {
    if (isLost || redis.status === 'end') return
    isLost = true
    tell(`${shown}: the connection is lost; waiting for it`)
  })
  redis.on('ready', () => {
    if (isLost) tell(`${shown}: connected again`)
    isLost = false
  })
  const queue = new Queue(redis, shown, tell)
  redis.on('error', (problem: unknown) => {
    if (problem instanceof ReplyTooLarge || SHUT_OUT.test(messageOf(problem))) queue.shutOut(problem)
  })
  return queue
}

/** Rejects when a server has had its time; never ends otherwise. */
async function noAnswer(withinMs: number, signal: AbortSignal): Promise<never> {
  await pause(withinMs, undefined, { signal }).catch(() => new Promise<never>(() => undefined))
  throw new Error(noAnswerWithin(withinMs))
}

/** What OpenSSL, or the parser of the protocol, says of a server that speaks something else helps nobody. */
function whyNot(problem: unknown, isTls: boolean, withinMs: number): string {
  const words = messageOf(problem)
  if (words === 'connect ETIMEDOUT') return noAnswerWithin(withinMs)
  if (isTls && /wrong version number|packet length too long/.test(words)) return 'it does not speak TLS'
  return words.startsWith('Unknown RESP type') ? "it does not speak Redis's protocol" : words
}
