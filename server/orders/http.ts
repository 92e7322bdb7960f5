/**
 * Requests to the platform, with a time limit, a size limit and waits for its throttling. Redirects are not followed,
 * because they would send the token to an unverified host.
 */
import type { Clock } from '../../drivers/model/clock.ts'
import type { RequestDeadline } from '../printer-queue.ts'
import { callerDisconnected, noPlatform, platformLimits, platformTooSlow } from './refusal.ts'

export interface Answer {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly json: unknown
}

interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type Deadline = Pick<RequestDeadline, 'until' | 'gone' | 'onTurn'>

const ANSWER_MAX_BYTES = 16 * 1024 * 1024
const WAITS_MAX = 3
const WAIT_TOTAL_MS = 10_000
const WAIT_MIN_MS = 500
const WAIT_DEFAULT_MS = 1_000

export class PlatformHttp {
  readonly #clock: Clock
  readonly #timeoutMs: number

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
  }

  async ask({ method, url, headers, body }: HttpRequest, deadline: Deadline): Promise<Answer> {
    const { gone } = deadline
    const leftMs = this.remainingMs(deadline)
    const controller = new AbortController()
    const cancelAlarm = this.#clock.after(Math.min(this.#timeoutMs, leftMs), () => controller.abort())
    try {
      const response = await fetch(url, {
        method,
        headers: { Accept: 'application/json', ...headers },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: gone ? AbortSignal.any([controller.signal, gone]) : controller.signal,
      })
      const json = parse(await readLimited(response))
      return { status: response.status, header: (name) => response.headers.get(name), json }
    } catch {
      if (gone?.aborted) throw callerDisconnected()
      if (!controller.signal.aborted) throw noPlatform()
      throw leftMs < this.#timeoutMs ? platformTooSlow() : noPlatform(`not within ${this.#timeoutMs / 1000} seconds`)
    } finally {
      cancelAlarm()
    }
  }

  remainingMs({ until, gone }: Deadline): number {
    if (gone?.aborted) throw callerDisconnected()
    const leftMs = until - this.#clock.now()
    if (leftMs <= 0) throw platformTooSlow()
    return leftMs
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(ms, () => resolve()))
  }

  retryBudget(deadline: Deadline): RetryBudget {
    return new RetryBudget(this, deadline)
  }
}

/** Waits for one order: at most three, ten seconds in all, and none beyond the deadline. */
export class RetryBudget {
  readonly #http: PlatformHttp
  readonly #deadline: Deadline
  #waits = 0
  #waitedMs = 0

  constructor(http: PlatformHttp, deadline: Deadline) {
    this.#http = http
    this.#deadline = deadline
  }

  async wait(ms: number = WAIT_DEFAULT_MS): Promise<void> {
    const pauseMs = Math.max(WAIT_MIN_MS, Math.ceil(ms))
    const isTooLong = this.#waitedMs + pauseMs > WAIT_TOTAL_MS || pauseMs >= this.#http.remainingMs(this.#deadline)
    if (this.#waits >= WAITS_MAX || isTooLong) throw platformLimits()
    this.#waits++
    this.#waitedMs += pauseMs
    await this.#http.sleep(pauseMs)
  }

  async ask(request: HttpRequest): Promise<Answer> {
    for (;;) {
      const answer = await this.#http.ask(request, this.#deadline)
      if (answer.status !== 429 && answer.status !== 503) return answer
      await this.wait(retryAfterMs(answer.header('Retry-After')))
    }
  }
}

function retryAfterMs(header: string | null): number {
  const seconds = header === null || header.trim() === '' ? Number.NaN : Number(header)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : WAIT_DEFAULT_MS
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX_BYTES) throw new RangeError('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
