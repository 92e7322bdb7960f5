/**
 * The client of a run numbers requests, remembers the last keyed request for a retry, and passes all answers to the
 * judge.
 */
import type { Clock } from '../../drivers/model/clock.ts'
import { readJson } from '../../drivers/model/json.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import type { Service } from '../../server/service.ts'
import { type SentRequest, sentRequest } from './sent-requests.ts'
import { describeStep, type RequestStep, type SentStep } from './steps.ts'
import { Violation } from './violation.ts'

export interface Reply {
  readonly status: number
  readonly data: unknown
  readonly message: string
  readonly tookMs: number
}

const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]))

/** `{name}` in the path of an endpoint matches one segment. */
function endpointAt(path: string) {
  const plain = byPath.get(path)
  if (plain) return { endpoint: plain, params: {} }
  const [last, ...before] = path.split('/').toReversed()
  const beginning = before.toReversed().join('/')
  const [found] = endpoints.flatMap((endpoint) => {
    const [, start, name] = /^(.*)\/\{(\w+)\}$/.exec(endpoint.path) ?? []
    return start === beginning && name !== undefined ? [{ endpoint, params: { [name]: last ?? '' } }] : []
  })
  return found
}

export async function handle(service: Service, clock: Clock, { path, body, key }: Call): Promise<Reply> {
  const called = endpointAt(path)
  if (!called) throw new RangeError(`no endpoint ${path}`)
  const { endpoint, params } = called
  const since = clock.now()
  const content = { params, body: body === undefined ? undefined : readJson(JSON.stringify(body)) }
  const reply = await service.handle(endpoint, content, key, { until: since + REQUEST_MAX_MS })
  const envelope = JSON.parse(reply.body) as { Data?: unknown; Message?: string }
  return { status: reply.status, data: envelope.Data, message: envelope.Message ?? '', tookMs: clock.now() - since }
}

export interface Call {
  readonly path: string
  readonly body?: object | undefined
  readonly key?: string | undefined
}

export const describeCall = ({ path, body, key }: Call): string =>
  `request: ${path}${key === undefined ? '' : ` [${key}]`} ${body === undefined ? '' : JSON.stringify(body)}`
export const describeReply = ({ status, data, message }: Reply): string =>
  `answer: ${status} ${JSON.stringify(data)} ${message}`

export interface NumberedRequest {
  readonly request: number
  readonly step: SentStep
  readonly key: string | undefined
  readonly reuses?: number
  readonly at: number
}

interface ClientOptions {
  readonly password: string
  readonly clock: Clock
  readonly send: (call: Call) => Promise<Reply>
  readonly asks?: (numbered: NumberedRequest) => void
  readonly onReply: (numbered: NumberedRequest, sent: SentRequest, reply: Reply) => void
}

/**
 * Limits around the 24 hours for which answers are stored (decisions 3). Between the two limits the client sends no
 * retry, because the answer may expire during the request. After the second limit, the key is free again.
 */
const ASKED_AGAIN_WITHIN_MS = 23 * 3_600_000
const FORGOTTEN_AFTER_MS = 25 * 3_600_000

const OTHER_RECEIPT = { do: 'receipt', rows: 1, paying: 'nothing said', key: true } as const

export class Client {
  requests = 0
  #lastNumber = 0
  readonly #options: ClientOptions
  #keyed: NumberedRequest | undefined

  constructor(options: ClientOptions) {
    this.#options = options
  }

  async send(step: RequestStep): Promise<Reply | undefined> {
    const { password, send, asks, onReply } = this.#options
    const numbered = this.#numbered(step)
    if (!numbered) return undefined
    const sent = sentRequest(numbered.step, numbered.request, password)
    this.requests++
    asks?.(numbered)
    const reply = await send({ path: sent.path, body: sent.body, key: numbered.key })
    onReply(numbered, sent, reply)
    return reply
  }

  #numbered(step: RequestStep): NumberedRequest | undefined {
    if (step.do === 'again' || step.do === 'reuse') return this.#withLastKey(step)
    const request = ++this.#lastNumber
    const numbered = { request, step, key: keyOf(step, request), at: this.#options.clock.now() }
    if (numbered.key !== undefined) this.#keyed = numbered
    return numbered
  }

  #withLastKey({ do: what }: RequestStep): NumberedRequest | undefined {
    const earlier = this.#keyed
    if (!earlier) return undefined
    const { key, at, request: reuses } = earlier
    const now = this.#options.clock.now()
    // The service never forgets printed orders.
    if (what === 'again' && (earlier.step.do === 'order' || now - at <= ASKED_AGAIN_WITHIN_MS)) return earlier
    if (now - at <= ASKED_AGAIN_WITHIN_MS) return { request: ++this.#lastNumber, step: OTHER_RECEIPT, key, at, reuses }
    if (now - at <= FORGOTTEN_AFTER_MS) return undefined
    this.#keyed = { request: ++this.#lastNumber, step: OTHER_RECEIPT, key, at: now }
    return this.#keyed
  }
}

function keyOf(step: SentStep, request: number): string | undefined {
  if (step.do === 'order') return step.key === undefined ? undefined : `order-key-${step.key}`
  return 'key' in step && step.key ? `request-${request}` : undefined
}

type Request = (step: RequestStep) => Promise<Reply | undefined>

export interface MayBeOpen {
  fiscal: boolean
  slip: boolean
  /** True if the device may have executed an opening without an answer, so that an empty receipt may be open. */
  untouched: boolean
}

/** Returns true if the open receipt contains no sale and no payment. */
export const isUntouched = (status: unknown): boolean => {
  const { ItemsCount, Total, Paid } = status as Readonly<Record<'ItemsCount' | 'Total' | 'Paid', number | null>>
  return !ItemsCount && !Total && !Paid
}

/**
 * Closes or cancels the open receipt after all faults have ended. The returned function sends further requests, and
 * throws unless the answer is 200.
 */
export async function endsWell(request: Request, mayBeOpen: MayBeOpen): Promise<(step: RequestStep) => Promise<Reply>> {
  const must = async (step: RequestStep): Promise<Reply> => {
    const reply = await request(step)
    if (reply?.status === 200) return reply
    const answered = reply === undefined ? 'got no answer' : `was answered ${reply.status}: ${reply.message}`
    throw new Violation(`with all faults off, "${describeStep(step)}" ${answered}`)
  }
  const { data } = await must({ do: 'status' })
  const { IsOpen, Kind } = data as { IsOpen: boolean; Kind: string }
  const isSlip = Kind === 'NonFiscal'
  const isLeft = mayBeOpen.untouched && isUntouched(data)
  if (IsOpen && !isLeft && !(isSlip ? mayBeOpen.slip : mayBeOpen.fiscal))
    throw new Violation(`a ${Kind} receipt of a finished request is open`)
  if (IsOpen && isSlip) await must({ do: 'closeSlip' })
  else if (IsOpen) {
    const cancelled = await request({ do: 'cancel' })
    if (cancelled?.status !== 200) {
      await request({ do: 'payRest' })
      await must({ do: 'close' })
    }
  }
  return must
}
