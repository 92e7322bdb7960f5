/** The envelope of an answer (decisions 1): `{StatusCode, Data}`, or `{StatusCode, Message}` with `Errors`. */
import { DOCS_PATH } from '../drivers/host/documentation.ts'
import { helpFor } from '../drivers/host/troubleshooting-links.ts'
import type { Data, Problem } from './answer-data.ts'
import type { Outcome } from './operations/outcome.ts'
import { explainsRefusal, sentenceOf } from './operations/sentences.ts'

export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Outcome, for callers that answer in another form. Absent if the request never reached the device. */
  readonly outcome?: Outcome
}

/** Header of an answer that a request with the same key, or for the same order, got before. Nothing was printed again. */
export const REPLAYED_HEADER = 'Idempotent-Replayed'

export const asReplayed = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, [REPLAYED_HEADER]: 'true' },
})

export const isReplayed = ({ headers }: Reply): boolean => headers?.[REPLAYED_HEADER] !== undefined

/** Time after which a refused caller may retry, in seconds. A receipt takes about as long. */
const RETRY_AFTER_S = '5'

const envelope = (status: number, rest: { Data: Data } | { Message: string; Errors?: readonly object[] }): string =>
  JSON.stringify({ StatusCode: status, ...rest })

export const success = (data: Data, receiptNumber?: string): Reply => ({
  status: 200,
  body: envelope(200, { Data: data }),
  outcome: { status: 200, effect: 'asRequested', reasons: [], ...(receiptNumber !== undefined && { receiptNumber }) },
})

export const failure = (outcome: Outcome): Reply => ({
  ...failed(
    outcome.status,
    sentenceOf(outcome),
    outcome.status === 503 ? { 'Retry-After': RETRY_AFTER_S } : {},
    outcome,
  ),
  outcome,
})

/** `outcome`: the source of the message. Absent if the request has no outcome. */
export const failed = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  outcome?: Outcome,
): Reply => ({
  status,
  body: envelope(status, {
    Message: message,
    ...(outcome?.path !== undefined && { Errors: [{ Path: outcome.path, Message: message }] }),
  }),
  headers: { ...headers, ...helpLink(status, message, outcome) },
})

function helpLink(status: number, message: string, outcome?: Outcome): Readonly<Record<string, string>> {
  const explained = outcome !== undefined && explainsRefusal(outcome)
  const page = status === 424 ? 'outcomes.html' : explained ? 'refusals.html' : helpFor(message)
  return page === undefined ? {} : { Link: `<${DOCS_PATH}/${page}>; rel="help"` }
}

/** Maximum number of listed problems, which limits the length of the answer. */
const PROBLEMS_MAX = 50

/** The message is the first problem. `Errors` lists all problems, or the first ones and the number of the others. */
export const invalid = (problems: readonly Problem[]): Reply => ({
  status: 400,
  body: envelope(400, {
    Message: problems[0]?.message ?? '',
    Errors: [
      ...problems.slice(0, PROBLEMS_MAX).map(({ path, message }) => ({ Path: path, Message: message })),
      ...(problems.length > PROBLEMS_MAX ? [{ Path: '', Message: `And ${problems.length - PROBLEMS_MAX} more.` }] : []),
    ],
  }),
})
