/**
 * The service without HTTP: validate, keep order, settle what is open, run, answer. app.ts puts express in front of it.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '../drivers/model/clock.ts'
import type { FiscalPrinter } from '../drivers/model/printer.ts'
import type { Answers, Reply } from './answers.ts'
import { KEY_LENGTH_MAX } from './answers.ts'
import type { Asked, Data, Endpoint, Prepared, Problem, ServiceFacts } from './endpoint.ts'
import { type Effect, failureOf, outcomeUnknown } from './failure.ts'
import { canonical } from './json.ts'
import { type Patience, PrinterQueue } from './printer-queue.ts'
import { NOT_BEGUN, Progress, type ProgressRecord } from './progress.ts'
import { type Settled, settle } from './settle.ts'

export interface ServiceParts {
  readonly printer: FiscalPrinter
  readonly facts: ServiceFacts
  readonly answers: Answers
  readonly clock: Clock
  /** What nobody foresaw goes to the log. */
  readonly report?: (error: unknown) => void
}

export interface Service {
  readonly printer: FiscalPrinter
  readonly clock: Clock
  readonly queue: PrinterQueue
  /** Answers one request of one endpoint. Never rejects. */
  handle(endpoint: Endpoint, asked: Asked, key: string | undefined, patience: Patience): Promise<Reply>
}

type Runnable = Extract<Prepared, { ok: true }>
/** A request with an `Idempotency-Key`. */
interface Keyed {
  readonly prepared: Runnable
  readonly key: string
  readonly fingerprint: string
  readonly isStep: boolean
}
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
  const { printer, facts, answers, clock, report } = parts
  const queue = new PrinterQueue(clock)
  /** Requests whose outcome is open: settled, oldest first, before anything else reaches the device. */
  const pending: { key: string | undefined; record: ProgressRecord }[] = [...answers.unfinished()]
  const underWay = new Map<string, { fingerprint: string; ended: Promise<void> }>()

  function failureReply(error: unknown): Outcome {
    const failure = failureOf(error)
    if (failure.status === 500) report?.(error)
    return { reply: failed(failure.status, failure.message, failure.headers), effect: failure.effect }
  }

  /** Rejects while the device cannot be asked; then nothing of the request at hand has been sent. */
  async function settlePending(): Promise<void> {
    for (let next = pending[0]; next; next = pending[0]) {
      const settled = await settle(printer, next.record)
      if (next.key !== undefined) keepSettled(next.key, settled)
      pending.shift()
    }
  }

  function keepSettled(key: string, settled: Settled): void {
    if (settled.became === 'closed') answers.answer(key, success(settled.receiptNumber))
    else if (settled.became === 'done') answers.answer(key, success(''))
    else answers.forget(key)
  }

  const success = (data: Data): Reply => ({ status: 200, body: envelope(200, { Data: data }) })

  /** One request on the device, with its progress; the queue's turn is ours already. */
  async function onDevice(prepared: Runnable, key: string | undefined, isStep: boolean): Promise<Outcome> {
    const progress = new Progress(key === undefined ? undefined : (record) => answers.advance(key, record))
    try {
      if (isStep && key !== undefined) {
        progress.begin('step', { statusBefore: (await printer.transactionStatus()).raw })
        progress.reach('filling')
      }
      return { reply: success(await prepared.run({ printer, facts, progress })), effect: 'printed' }
    } catch (error) {
      const outcome = failureReply(error)
      if (outcome.effect === 'unknown') pending.push({ key, record: touched(progress.record) })
      return outcome
    }
  }

  const plainRun = (prepared: Runnable, patience: Patience): Promise<Reply> =>
    queue
      .run(async () => {
        await settlePending()
        return (await onDevice(prepared, undefined, false)).reply
      }, patience)
      .catch((error: unknown) => failureReply(error).reply)

  async function keyedJob({ prepared, key, fingerprint, isStep }: Keyed): Promise<Reply> {
    await settlePending()
    const kept = answers.find(key)
    if (kept?.state === 'answered') return kept.reply
    answers.begin(key, fingerprint)
    const { reply, effect } = await onDevice(prepared, key, isStep)
    if (effect === 'printed') answers.answer(key, reply)
    if (effect === 'nothing') answers.forget(key)
    return reply
  }

  async function keyedRun(keyed: Keyed, patience: Patience): Promise<Reply> {
    const { key, fingerprint } = keyed
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
      return failureReply(error).reply
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
    if (key === undefined || !endpoint.prints) return plainRun(prepared, patience)
    const problem = keyProblem(key)
    if (problem !== undefined) return failed(400, problem)
    const fingerprint = fingerprintOf(endpoint, asked)
    return keyedRun({ prepared, key, fingerprint, isStep: endpoint.tellsProgress !== true }, patience)
  }

  return { printer, clock, queue, handle }
}

/** A failure of unknown effect may have happened before `begin` told anything: then it was one step. */
const touched = (record: ProgressRecord): ProgressRecord =>
  record.stage === 'before' ? { ...NOT_BEGUN, ...record, stage: 'filling' } : record

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
