/** The client of a run: it numbers its requests, remembers the one that it may send again, and tells the judge what it hears. */
import type { Clock } from '../../drivers/model/clock.ts'
import { readJson } from '../../drivers/model/json.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import type { Service } from '../../server/service.ts'
import { inWords, type RequestStep, type Sent, sentBy } from './steps.ts'
import { Violation } from './violation.ts'

export interface Reply {
  readonly status: number
  readonly data: unknown
  readonly message: string
  /** On the clock of the run. */
  readonly tookMs: number
}

const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]))

/** What the HTTP side of the service would hand on. */
export async function handle(service: Service, clock: Clock, { path, body, key }: Call): Promise<Reply> {
  const endpoint = byPath.get(path)
  if (!endpoint) throw new RangeError(`no endpoint ${path}`)
  const since = clock.now()
  const content = { params: {}, body: body === undefined ? undefined : readJson(JSON.stringify(body)) }
  const reply = await service.handle(endpoint, content, key, { until: since + REQUEST_MAX_MS })
  const said = JSON.parse(reply.body) as { Data?: unknown; Message?: string }
  return { status: reply.status, data: said.Data, message: said.Message ?? '', tookMs: clock.now() - since }
}

export interface Call {
  readonly path: string
  readonly body?: object | undefined
  readonly key?: string | undefined
}

export const callInWords = ({ path, body, key }: Call): string =>
  `request: ${path}${key === undefined ? '' : ` [${key}]`} ${body === undefined ? '' : JSON.stringify(body)}`
export const replyInWords = ({ status, data, message }: Reply): string =>
  `answer: ${status} ${JSON.stringify(data)} ${message}`

/** A numbered request, as it is sent once or more often. */
export interface NumberedRequest {
  readonly request: number
  readonly step: Exclude<RequestStep, { do: 'again' }>
  readonly key: string | undefined
  readonly at: number
}

export interface ClientOptions {
  /** The operator's. */
  readonly password: string
  readonly clock: Clock
  readonly send: (call: Call) => Promise<Reply>
  /** Before each request. */
  readonly asks?: (step: NumberedRequest['step']) => void
  readonly heard: (numbered: NumberedRequest, sent: Sent, reply: Reply) => void
}

/** Answers are kept for 24 hours (decisions 3): no client asks for one that may be forgotten meanwhile. */
const ASKED_AGAIN_WITHIN_MS = 23 * 3_600_000

export class Client {
  requests = 0
  readonly #options: ClientOptions
  #keyed: NumberedRequest | undefined

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Undefined: there is nothing to send again. */
  async send(step: RequestStep): Promise<Reply | undefined> {
    const { password, clock, send, asks, heard } = this.#options
    const numbered = step.do === 'again' ? this.#keyed : this.#number(step)
    if (!numbered || clock.now() - numbered.at > ASKED_AGAIN_WITHIN_MS) return undefined
    const sent = sentBy(numbered.step, numbered.request, password)
    asks?.(numbered.step)
    const reply = await send({ path: sent.path, body: sent.body, key: numbered.key })
    heard(numbered, sent, reply)
    return reply
  }

  #number(step: NumberedRequest['step']): NumberedRequest {
    const request = ++this.requests
    const key = 'key' in step && step.key ? `request-${request}` : undefined
    const numbered = { request, step, key, at: this.#options.clock.now() }
    if (key !== undefined) this.#keyed = numbered
    return numbered
  }
}

export type Request = (step: RequestStep) => Promise<Reply | undefined>

/** With all trouble over: what is open ends, and the steps succeed. */
export async function endsWell(request: Request, mayBeOpen: boolean, steps: readonly RequestStep[]): Promise<void> {
  const must = async (step: RequestStep): Promise<Reply> => {
    const reply = await request(step)
    if (reply?.status === 200) return reply
    throw new Violation(`with all faults off, "${inWords(step)}" was answered ${reply?.status}: ${reply?.message}`)
  }
  const { IsOpen, Kind } = (await must({ do: 'status' })).data as { IsOpen: boolean; Kind: string }
  if (IsOpen) {
    if (!mayBeOpen || Kind === 'NonFiscal')
      throw new Violation(`a ${Kind} receipt of a request that has ended stands open`)
    const cancelled = await request({ do: 'cancel' })
    if (cancelled?.status !== 200) {
      await request({ do: 'payRest' })
      await must({ do: 'close' })
    }
  }
  for (const step of steps) await must(step)
}
