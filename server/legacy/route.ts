/**
 * POST /Receipt (specification 4.7): lines of two legacy formats, always answered with HTTP 200. The route reads the
 * body itself, because a mistake in its type, size or syntax must not become an HTTP error.
 */
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express'
import { sha256 } from '../../drivers/host/digest.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { canonical, type Json, readJson } from '../../drivers/model/json.ts'
import { callerOf } from '../departed-caller.ts'
import type { Endpoint, PrinterWork } from '../endpoint.ts'
import { failed, failure, isReplayed, REPLAYED_HEADER } from '../envelope.ts'
import { readKey } from '../key-header.ts'
import { writeOrKeep } from '../operations/log/log-file.ts'
import { type PrintLog, printedPart } from '../operations/log/print-log.ts'
import { leavesOf, refusal } from '../operations/outcome.ts'
import { REQUEST_MAX_MS } from '../printer-queue.ts'
import { notePrinted } from '../request-log.ts'
import type { Route } from '../route.ts'
import type { Service } from '../service.ts'
import { dataOf, type LegacyAnswer, problemOf, refusedWith, successAnswer } from './answer.ts'
import { isPrinted, type LegacyJob } from './job.ts'
import { parseJob } from './parse.ts'
import { LegacyProblem } from './problem.ts'
import type { LegacySettings } from './resolve.ts'
import { type EarlierParts, type JobData, outcomeBeforeTurn, resultOf, runJob } from './run.ts'

const BODY_MAX_BYTES = 1024 * 1024

const TEXT = { type: 'string' }
const ANSWER = {
  type: 'object',
  required: ['ReceiptStatus', 'ReceiptNumber', 'ErrorCode', 'ErrorInfo'],
  properties: {
    ReceiptStatus: { ...TEXT, enum: ['true', 'false'] },
    ReceiptNumber: { ...TEXT, description: 'Of a fiscal receipt that was printed; empty for everything else.' },
    ErrorCode: { ...TEXT, description: 'Three digits of the catalogue, or empty.' },
    ErrorInfo: {
      ...TEXT,
      description:
        '`NAME: line N: what is wrong`, or empty. With ReceiptStatus `true`: which lines after the receipt (a copy, the drawer, the display) were not executed.',
    },
  },
}

const declaration: Endpoint = {
  method: 'post',
  path: '/Receipt',
  section: '4.7',
  summary: 'Print command lines of legacy format 1 or 2',
  notes:
    'The body is a JSON array of lines, of format 1 (carets) or format 2 (commas and semicolons); the format is found ' +
    'by itself. HTTP 200 whatever is wrong; the answer says it in ErrorCode and ErrorInfo.',
  data: ANSWER,
  reaches: 'device',
  prints: true,
  prepare: () => ({ ok: false, problems: [] }),
}

export function legacyRoute(
  settings: LegacySettings,
  prints: PrintLog,
  warnings?: (job: LegacyJob) => string | undefined,
): Route {
  return {
    endpoint: declaration,
    plainAnswer: ANSWER,
    handlers: (service) => [
      express.raw({ type: () => true, limit: BODY_MAX_BYTES }),
      answerLines(service, settings, prints, warnings),
      answerUnread,
    ],
  }
}

const answerLines =
  (
    service: Service,
    settings: LegacySettings,
    prints: PrintLog,
    warnings?: (job: LegacyJob) => string | undefined,
  ): RequestHandler =>
  async (request, response) => {
    const caller = callerOf(response)
    const header = readKey(request)
    if (!header.ok) return send(response, refusedWith(problemOf(failed(400, header.message))))
    const body = bodyOf(request)
    const parsed = body.ok ? parseJob(body.json) : body
    if (!parsed.ok) return send(response, refusedWith(parsed.problem))
    const deadline = { until: service.clock.now() + REQUEST_MAX_MS, ...caller }
    const job = {
      job: parsed.job,
      body: body.ok ? body.json : undefined,
      key: header.key,
    }
    const { answer, isReplay } = await answerJob({ service, settings, prints }, job, deadline)
    if (answer.ReceiptStatus === 'true' && isPrinted(parsed.job)) notePrinted(response)
    const paper = answer.ReceiptStatus === 'true' ? service.activity.paperWarning : undefined
    const warningLines = [warnings?.(parsed.job), paper].filter((one) => one !== undefined)
    if (isReplay) response.set(REPLAYED_HEADER, 'true')
    if (warningLines.length > 0) response.set('X-Warnings', warningLines.join('; '))
    send(response, answer)
  }

type RequestDeadline = Parameters<Service['handle']>[3]

interface LegacyReply {
  readonly answer: LegacyAnswer
  /** True if an earlier request with this key got this answer first. */
  readonly isReplay: boolean
}

/** Runs the job as one request of the service, with its queue, reconciliation and `Idempotency-Key`. */
export async function answerJob(
  { service, settings, prints }: { service: Service; settings: LegacySettings; prints: PrintLog },
  { job, body, key }: { job: LegacyJob; body: Json | undefined; key: string | undefined },
  deadline: RequestDeadline,
): Promise<LegacyReply> {
  const earlier = key === undefined ? undefined : earlierParts(prints, key, body)
  let problem: LegacyProblem | undefined
  let isBegun = false
  const run = async (work: Omit<PrinterWork<unknown, unknown>, 'body' | 'params'>): Promise<JobData> => {
    isBegun = true
    try {
      return await runJob(job, settings, work, earlier)
    } catch (error) {
      if (!(error instanceof LegacyProblem)) throw error
      // The service treats a refused job as a refused request without an effect on the device.
      problem = error
      throw refusal(400, error.message)
    }
  }
  const endpoint: Endpoint = { ...declaration, prepare: () => ({ ok: true, run }) }
  const reply = await service.handle(endpoint, { params: {}, body }, key, deadline)
  const isReplay = isReplayed(reply)
  if (reply.status === 200) {
    const { receiptNumber, notExecuted } = resultOf(job, dataOf(reply))
    return { answer: successAnswer(receiptNumber, notExecuted), isReplay }
  }
  if (problem) return { answer: refusedWith(problem), isReplay }
  const { outcome } = reply
  // Excluded: a key that is invalid or was used for other lines.
  const hasWaited = !isBegun && reply.status !== 400 && outcome !== undefined && leavesOf(outcome) === 'nothing'
  const failedReply = hasWaited && earlier ? failure(outcomeBeforeTurn(job, outcome, earlier)) : reply
  return { answer: refusedWith(problemOf(failedReply)), isReplay }
}

/**
 * Returns the parts that were executed under this key with these lines. A key whose answer is not stored any more may
 * be used for other lines.
 */
function earlierParts(prints: PrintLog, key: string, body: Json | undefined): EarlierParts {
  const digest = sha256(canonical(body))
  const job = `job ${digest} ${key}`
  const tryToWrite = (write: () => void) => writeOrKeep(write, () => undefined)
  return {
    job,
    isDone: ({ index }) => prints.printsOfKey(job).some(({ part, end }) => part === index && end !== undefined),
    notePrinted: (part) => tryToWrite(() => prints.finish(printedPart(part))),
    renew: () => tryToWrite(() => prints.renew(job)),
  }
}

type Body = { readonly ok: true; readonly json: Json } | { readonly ok: false; readonly problem: LegacyProblem }

const unreadable = (text: string): Body => ({ ok: false, problem: new LegacyProblem('101', text) })

function bodyOf(request: Request): Body {
  const bytes: unknown = request.body
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return unreadable('the body is empty')
  try {
    return { ok: true, json: readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch (error) {
    return unreadable(`the body is not JSON in UTF-8: ${messageOf(error)}`)
  }
}

/** Answers a body that the body reader refuses: too large, incomplete, or compressed. */
const answerUnread: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  response.set('Connection', 'close')
  const tooLarge = error instanceof Error && 'status' in error && error.status === 413
  const problem = tooLarge
    ? new LegacyProblem('105', 'the body is larger than 1 MiB')
    : new LegacyProblem('101', 'the body cannot be read')
  send(response, refusedWith(problem))
}

function send(response: Response, answer: LegacyAnswer): void {
  if (!response.destroyed) response.status(200).json(answer)
}
