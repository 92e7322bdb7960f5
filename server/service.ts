/**
 * The service without HTTP: validate, keep order, settle what is open, run, answer. app.ts puts express in front of it.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '../drivers/model/clock.ts'
import { canonical } from '../drivers/model/json.ts'
import type { FiscalPrinter } from '../drivers/model/printer.ts'
import type { Asked, Data, Endpoint, Prepared, Problem, ServiceFacts } from './endpoint.ts'
import { COMPLETED, type Effect, failureOf, OUTCOME_UNKNOWN, outcomeUnknown, owed, ServiceError } from './failure.ts'
import { type Patience, PrinterQueue, REQUEST_MAX_MS } from './printer-queue.ts'
import type { Answers, Intent, Reply } from './recovery/answers.ts'
import { KEY_LENGTH_MAX } from './recovery/answers.ts'
import { Progress, type ProgressRecord } from './recovery/progress.ts'
import { Recovery } from './recovery/recovery.ts'
import { isSilence, statusText } from './recovery/settle.ts'

export interface ServiceParts {
  readonly printer: FiscalPrinter
  readonly facts: ServiceFacts
  readonly answers: Answers
  readonly clock: Clock
  /** What nobody foresaw goes to the log. */
  readonly report?: (error: unknown) => void
  /** What became of requests whose callers can no longer be told. */
  readonly note?: (line: string) => void
}

export interface Service {
  readonly printer: FiscalPrinter
  readonly clock: Clock
  readonly queue: PrinterQueue
  /** Settles what the service before this one left on the device; what cannot be yet, the next request settles first. */
  start(): Promise<void>
  /** Answers one request of one endpoint. Never rejects. */
  handle(endpoint: Endpoint, asked: Asked, key: string | undefined, patience: Patience): Promise<Reply>
}

type Runnable = Extract<Prepared, { ok: true }>
interface Job {
  readonly prepared: Runnable
  readonly intent: Intent
  /** One command inside a receipt, which tells no progress by itself. */
  readonly isStep: boolean
}
/** With an `Idempotency-Key`. */
type Keyed = Job & { readonly intent: { readonly key: string } }
type Outcome = { readonly reply: Reply; readonly effect: Effect }

export const envelope = (
  status: number,
  rest: { Data: Data } | { Message: string; Errors?: readonly object[] },
): string => JSON.stringify({ StatusCode: status, ...rest })

export const failed = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  body: envelope(status, { Message: message }),
  headers,
})

/** decisions 1: one readable sentence naming the first problem, and the list of all. */
export const invalid = (problems: readonly Problem[]): Reply => ({
  status: 400,
  body: envelope(400, {
    Message: problems[0]?.message ?? '',
    Errors: problems.map(({ path, message }) => ({ Path: path, Message: message })),
  }),
})

export function createService(parts: ServiceParts): Service {
  const { printer, facts, answers, clock, report, note = () => undefined } = parts
  const queue = new PrinterQueue(clock)
  const recovery = new Recovery({
    printer,
    answers,
    note,
    success: (settled) => success(settled.became === 'closed' ? settled.receiptNumber : settled.data),
    completed: (number) =>
      failed(
        424,
        `${COMPLETED} ${number}: the request was interrupted after its first payment. The rest was paid in cash.`,
      ),
  })
  const underWay = new Map<string, { fingerprint: string; ended: Promise<void> }>()

  function failureReply(error: unknown): Outcome {
    const failure = failureOf(error)
    if (failure.status === 500) report?.(error)
    return { reply: failed(failure.status, failure.message, failure.headers), effect: failure.effect }
  }

  const success = (data: Data): Reply => ({ status: 200, body: envelope(200, { Data: data }) })

  /** One request on the device; the queue's turn is ours already, and nothing older is open. */
  async function onDevice({ prepared, intent, isStep }: Job): Promise<Reply> {
    const tracked = recovery.track(intent)
    const { progress } = tracked
    try {
      if (isStep && intent.key !== undefined) {
        progress.begin('step', { statusBefore: statusText(await printer.transactionStatus()) })
        progress.reach('filling')
      }
      const reply = success(await prepared.run({ printer, facts, progress, unheardClose: recovery.unheardClose }))
      tracked.ended(reply)
      return reply
    } catch (error) {
      const { reply, effect } = failureReply(error)
      const mayBeDone = effect === 'unknown' || (progress.record.stage !== 'before' && isSilence(error))
      if (mayBeDone) tracked.isOpen()
      else if (effect === 'printed' || progress.hasPrinted) tracked.ended(reply)
      else tracked.leftNothing()
      return reply
    }
  }

  /** A request that has to wait for the end of an earlier receipt is told so: it is not that one's repeat. */
  async function settleFirst(): Promise<void> {
    try {
      await recovery.settleAll()
    } catch (error) {
      const number = recovery.owedNumber
      const { status, message, effect } = failureOf(error)
      if (number === undefined || effect !== 'nothing') throw error
      const first = `Receipt ${number} of an earlier request is paid, and is ended first.`
      throw new ServiceError(status, `${message} ${first}`, effect, {}, error)
    }
  }

  const plainRun = (job: Job, patience: Patience): Promise<Reply> =>
    queue
      .run(async () => {
        await settleFirst()
        return onDevice(job)
      }, patience)
      .catch((error: unknown) => failureReply(error).reply)

  async function keyedJob(job: Keyed): Promise<Reply> {
    await settleFirst()
    const kept = answers.find(job.intent.key)
    if (kept?.state === 'answered') return kept.reply
    if (kept) throw stillOpen(kept.record, 'The device refuses to end the receipt that this request began.')
    return onDevice(job)
  }

  /** While the first request with this key is open, a failure to reach the device does not mean that nothing is printed. */
  function asRepeat(key: string, error: unknown): unknown {
    const kept = answers.find(key)
    if (kept?.state !== 'begun' || !mayBePrinted(kept.record)) return error
    const { message } = failureOf(error instanceof ServiceError && error.cause ? error.cause : error)
    return stillOpen(kept.record, message.replace(new RegExp(`^${OUTCOME_UNKNOWN} *`), ''))
  }

  async function start(): Promise<void> {
    if (!recovery.isNeeded) return
    const until = clock.now() + REQUEST_MAX_MS
    await queue
      .run(() => recovery.settleAll(), { until })
      .catch((error: unknown) => note(`Settled before the next request: ${failureOf(error).message}`))
  }

  async function keyedRun(keyed: Keyed, patience: Patience): Promise<Reply> {
    const { key, fingerprint } = keyed.intent
    const otherBody = failed(
      400,
      'Idempotency-Key was used before with another request; use a new key for a new request.',
    )
    for (let first = underWay.get(key); first; first = underWay.get(key)) {
      if (first.fingerprint !== fingerprint) return otherBody
      if (!(await endsInTime(first.ended, patience.until))) {
        return failureReply(outcomeUnknown('the first request with this Idempotency-Key is still under way.')).reply
      }
    }
    const kept = answers.find(key)
    if (kept && kept.fingerprint !== fingerprint) return otherBody
    if (kept?.state === 'answered') return kept.reply
    let end: () => void = () => undefined
    underWay.set(key, { fingerprint, ended: new Promise((resolve) => (end = resolve)) })
    const done = () => {
      underWay.delete(key)
      end()
    }
    let began = false
    const job = () => {
      began = true
      return keyedJob(keyed).finally(done)
    }
    return queue.run(job, patience).catch((error: unknown) => {
      if (!began) done()
      return failureReply(asRepeat(key, error)).reply
    })
  }

  function endsInTime(ended: Promise<void>, until: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = clock.after(until - clock.now(), () => resolve(false))
      void ended.then(() => {
        cancel()
        resolve(true)
      })
    })
  }

  async function handle(endpoint: Endpoint, asked: Asked, key: string | undefined, patience: Patience): Promise<Reply> {
    const prepared = endpoint.prepare(asked, printer.capabilities)
    if (!prepared.ok) return invalid(prepared.problems)
    if (endpoint.reaches === 'service') {
      const answer = prepared.run({ printer, facts, progress: new Progress() })
      return answer.then(success, (error: unknown) => failureReply(error).reply)
    }
    const name = endpoint.path
    const isStep = endpoint.tellsProgress !== true
    if (key === undefined || !endpoint.prints) {
      return plainRun({ prepared, intent: { name, fingerprint: '' }, isStep: false }, patience)
    }
    const problem = keyProblem(key)
    if (problem !== undefined) return failed(400, problem)
    const intent = { name, key, fingerprint: fingerprintOf(endpoint, asked) }
    return keyedRun({ prepared, intent, isStep }, patience)
  }

  return { printer, clock, queue, start, handle }
}

/** What was told to the first request is told again: its receipt is paid, or nobody knows. */
const stillOpen = ({ receiptNumber }: ProgressRecord, why: string): Error =>
  receiptNumber === undefined ? outcomeUnknown(why) : owed(424, receiptNumber, why)

/** Before its paying began, a receipt can only be cancelled. */
function mayBePrinted({ undertaking, stage }: ProgressRecord): boolean {
  const isReceipt = undertaking === 'fiscalReceipt' || undertaking === 'nonFiscalReceipt'
  return !(isReceipt && (stage === 'opening' || stage === 'filling' || stage === 'cancelling'))
}

function keyProblem(key: string): string | undefined {
  const length = [...key].length
  return length >= 1 && length <= KEY_LENGTH_MAX
    ? undefined
    : `Idempotency-Key must have 1 to ${KEY_LENGTH_MAX} characters; it has ${length}.`
}

const fingerprintOf = (endpoint: Endpoint, { params, body }: Asked): string =>
  createHash('sha256')
    .update(JSON.stringify([endpoint.method, endpoint.path, params, canonical(body)]))
    .digest('hex')
