/**
 * The requests of one device, executed one at a time in the order of arrival (decisions 3). A job holds the device from
 * its first byte to its last, so a complete receipt is one job. A job that has begun runs to its end even if its caller
 * disconnects.
 */
import type { Clock } from '../drivers/model/clock.ts'
import { CHECK_PRINTER } from '../drivers/model/errors.ts'
import { busy, outcomeUnknown, textReason } from './operations/outcome.ts'

export const WAITING_MAX = 64
export const BUSY_TEXT = `Nothing was printed: ${WAITING_MAX} requests are already queued for the printer. Retry later.`
const HUNG_UP = 'Nothing was printed: the client disconnected before its request reached the printer.'
const ALWAYS_BUSY = 'Nothing was printed: the printer was busy with other requests. Retry later.'
/**
 * The deadline can pass before the request is queued: while it waits for the platform, or for an earlier request with
 * the same key.
 */
const LATE_TEXT = 'Nothing was printed: the request timed out before it reached the printer. Retry later.'
/** Message for the caller of a job that continues. Only a retry with the same key returns the outcome. */
const STILL_AT_WORK =
  'the device is still processing this request, and the service has stopped waiting. ' +
  `If the device lost power, it may have executed the command more than once. ${CHECK_PRINTER}.`
export const REQUEST_MAX_MS = 120_000

export interface RequestDeadline {
  /** Time by which the caller gets an answer in any case. */
  readonly until: number
  /** Aborted when the caller disconnects. A job that has not begun is then dropped. */
  readonly gone?: AbortSignal
  /**
   * Called when the job begins. The returned function is called when the job has ended, before the caller gets the
   * outcome.
   */
  readonly onTurn?: (() => () => void) | undefined
  readonly request?: string
}

interface WaitingRequest {
  start(): Promise<void>
}

export class PrinterQueue {
  readonly #clock: Clock
  #waiting: WaitingRequest[] = []
  #busy = false
  /** Rejects the promise of the running job's caller, unless it is settled. */
  #rejectCaller: ((error: unknown) => void) | undefined
  #idle: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Runs the job when its turn comes. Rejects with the error of the job; with 503 if the queue is full, or if the
   * caller disconnects or the deadline passes before the job starts; with 424 if the deadline passes while the job
   * runs.
   */
  run<T>(job: () => Promise<T>, { until, gone, onTurn }: RequestDeadline): Promise<T> {
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(busy(BUSY_TEXT))
    }
    if (gone?.aborted) return Promise.reject(busy(HUNG_UP))
    const isLate = () => until <= this.#clock.now()
    if (isLate()) return Promise.reject(busy(LATE_TEXT))
    return new Promise<T>((resolve, reject) => {
      let isStarted = false
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry)
      }
      const cancelAlarm = this.#clock.after(until - this.#clock.now(), () => {
        if (isStarted) {
          return reject(outcomeUnknown(textReason(STILL_AT_WORK)))
        }
        leave()
        reject(busy(ALWAYS_BUSY))
      })
      const hangUp = () => {
        if (isStarted) return
        leave()
        cancelAlarm()
        reject(busy(HUNG_UP))
      }
      const entry: WaitingRequest = {
        start: async () => {
          gone?.removeEventListener('abort', hangUp)
          // The turn may come before the timer fires if the process was delayed.
          if (isLate()) {
            cancelAlarm()
            reject(busy(ALWAYS_BUSY))
            return
          }
          isStarted = true
          this.#rejectCaller = reject
          const turnEnds = onTurn?.()
          await job()
            .finally(() => turnEnds?.())
            .then(resolve, reject)
          this.#rejectCaller = undefined
          cancelAlarm()
        },
      }
      gone?.addEventListener('abort', hangUp, { once: true })
      this.#waiting.push(entry)
      if (!this.#busy) void this.#work()
    })
  }

  rejectCaller(error: unknown): void {
    this.#rejectCaller?.(error)
  }

  idle(): Promise<void> {
    if (!this.#busy) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  async #work(): Promise<void> {
    this.#busy = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await next.start()
    this.#busy = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}
