/**
 * Requests with an `Idempotency-Key` (decisions 3). A retry with the same key and body gets the first answer, without a
 * command to the device. A request with the same key and another body is refused.
 */
import type { Clock } from '../../drivers/model/clock.ts'
import { asReplayed, failed, failure, type Reply } from '../envelope.ts'
import type { RequestDeadline } from '../printer-queue.ts'
import { openAs } from './failures.ts'
import { type Answers, KEY_LENGTH_MAX } from './log/answers.ts'
import { mayBePrinted } from './operation.ts'
import { outcomeOf, outcomeUnknown, ServiceError, textReason } from './outcome.ts'
import type { Job } from './perform.ts'
import type { UnsettledRequests } from './unsettled-requests.ts'

export type KeyedJob = (Job | RefusedJob) & { readonly intent: { readonly key: string } }

/** A request that is refused unless its key has a stored answer. That answer may concern another device. */
interface RefusedJob extends Pick<Job, 'intent'> {
  readonly refusal: Reply
}

interface Parts<P extends RequestDeadline> {
  readonly answers: Answers
  readonly clock: Clock
  readonly runInTurn: (job: () => Promise<Reply>, deadline: P) => Promise<Reply>
  readonly unsettled: UnsettledRequests
  readonly perform: (job: Job) => Promise<Reply>
}

export const OTHER_REQUEST =
  'This Idempotency-Key was already used with a different request. Use a new key for each new request.'

export class KeyedJobs<P extends RequestDeadline = RequestDeadline> {
  readonly #parts: Parts<P>
  readonly #underWay = new Map<string, { readonly fingerprint: string; readonly ended: Promise<void> }>()

  constructor(parts: Parts<P>) {
    this.#parts = parts
  }

  knows(key: string): boolean {
    return this.#underWay.has(key) || this.#parts.answers.find(key) !== undefined
  }

  /** Rejects if the job rejects or does not start before the deadline. */
  async run(job: KeyedJob, deadline: P): Promise<Reply> {
    const { key, fingerprint } = job.intent
    const { answers, clock, runInTurn } = this.#parts
    const problem = keyProblem(key)
    if (problem !== undefined) return failed(400, problem)
    for (let first = this.#underWay.get(key); first; first = this.#underWay.get(key)) {
      if (first.fingerprint !== fingerprint) return failed(400, OTHER_REQUEST)
      if (!(await endsInTime(first.ended, deadline.until, clock))) return failure(STILL_UNDER_WAY.outcome)
    }
    const storedAnswer = answers.find(key)
    if (storedAnswer && storedAnswer.fingerprint !== fingerprint) return failed(400, OTHER_REQUEST)
    if (storedAnswer?.state === 'answered') return asReplayed(storedAnswer.reply)
    if (storedAnswer?.state === 'unreadable') return failure(unreadable(storedAnswer.why))
    if (!storedAnswer && 'refusal' in job) return job.refusal
    const end = this.#begin(job)
    let isStarted = false
    const turn = () => {
      isStarted = true
      return this.#perform(job, storedAnswer !== undefined).finally(end)
    }
    return runInTurn(turn, deadline).catch((error: unknown) => {
      if (!isStarted) end()
      throw this.#asRepeat(key, error)
    })
  }

  #begin({ intent: { key, fingerprint } }: KeyedJob): () => void {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    this.#underWay.set(key, { fingerprint, ended })
    return () => {
      this.#underWay.delete(key)
      resolve()
    }
  }

  /**
   * Performs a job after the reconciliation of earlier requests. `isBegun`: one of them has the same key. A key that
   * was free at the start remains free, even if the wall clock is set back and an expired answer would become valid
   * again.
   */
  async #perform(job: KeyedJob, isBegun: boolean): Promise<Reply> {
    const { answers, unsettled } = this.#parts
    const perform = async (): Promise<Reply> => ('refusal' in job ? job.refusal : this.#parts.perform(job))
    await unsettled.reconcilePending()
    if (!isBegun) {
      answers.freed(job.intent.key)
      return perform()
    }
    const storedAnswer = answers.find(job.intent.key)
    if (storedAnswer?.state === 'answered') return storedAnswer.reply
    if (storedAnswer) throw new ServiceError(unsettled.stillOpen(job.intent.key))
    return perform()
  }

  /**
   * Adjusts the error of a retry. As long as the log has no end of the first request with this key, its receipt may be
   * printed.
   */
  #asRepeat(key: string, error: unknown): unknown {
    const storedAnswer = this.#parts.answers.find(key)
    return storedAnswer?.state === 'begun' && mayBePrinted(storedAnswer.entry)
      ? new ServiceError(openAs(storedAnswer.entry, outcomeOf(error).reasons))
      : error
  }
}

const unreadable = (why: string) =>
  outcomeUnknown(
    textReason(
      `a request with this Idempotency-Key was started, and its record in the operation log cannot be read: ${why}. Check the paper; if nothing was printed, send the request with a new key.`,
    ),
  ).outcome

const STILL_UNDER_WAY = outcomeUnknown(textReason('the first request with this Idempotency-Key is still in progress.'))

function keyProblem(key: string): string | undefined {
  const length = [...key].length
  return length >= 1 && length <= KEY_LENGTH_MAX
    ? undefined
    : `Idempotency-Key must have 1 to ${KEY_LENGTH_MAX} characters; it has ${length}.`
}

function endsInTime(ended: Promise<void>, until: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(until - clock.now(), () => resolve(false))
    void ended.then(() => {
      cancel()
      resolve(true)
    })
  })
}
