/**
 * The platform endpoints (specification 4.6): get an order, print an order. The checks have the order of platform
 * orders 5.7: token, order number, order, mapping, device. The device is not queried before the mapping has succeeded.
 */
import type { Request, RequestHandler, Response } from 'express'
import { callerOf } from '../departed-caller.ts'
import type { Endpoint } from '../endpoint.ts'
import { failed, type Reply, success } from '../envelope.ts'
import { readKey } from '../key-header.ts'
import { outcomeOf, refusal, ServiceError } from '../operations/outcome.ts'
import { REQUEST_MAX_MS } from '../printer-queue.ts'
import { notePrinted } from '../request-log.ts'
import type { Route } from '../route.ts'
import type { Service } from '../service.ts'
import { createOrderSource, type OrderSource } from './client.ts'
import type { Deadline } from './http.ts'
import { type Mapping, mappingOf } from './mapping.ts'
import { type PlatformOrder, publicOrder } from './order.ts'
import { createOrderPrinting, type OrderPrintingParts } from './printing.ts'
import { DEFAULT_WORD, type PlatformProfile, profileOf } from './profile.ts'
import { badRequest, notConfigured } from './refusal.ts'
import { bearerToken, type Session, verifySession } from './token.ts'

type OrderParts = OrderPrintingParts

export function orderRoutes(parts: OrderParts): readonly Route[] {
  const word = parts.platform?.word ?? DEFAULT_WORD
  const params = { schema: { orderId: ORDER_ID } }
  const common = { section: '4.6', guard: 'session', params, answers: ANSWERS, prepare: refuseToPrepare } as const
  const get: Endpoint = {
    ...common,
    method: 'get',
    path: `/get-${word}-order/{orderId}`,
    summary: 'Fetch an order of the platform',
    data: { type: 'object', description: 'The order, with the members of specification 2.5.' },
    reaches: 'service',
  }
  const print: Endpoint = {
    ...common,
    method: 'post',
    path: `/print-${word}-order/{orderId}`,
    summary: 'Print an order of the platform as a fiscal receipt',
    notes:
      'The same session token and order: the first answer again. An order that was printed before is refused with the ' +
      "first receipt's number and time, unless `?again=true`.",
    query: { again: { type: 'boolean', description: '`true` prints an order once more that was printed before.' } },
    data: { type: 'string', pattern: '^[0-9]+$', description: 'Number of the fiscal receipt.' },
    reaches: 'device',
    prints: true,
  }
  return [
    { endpoint: get, handlers: (service) => [orderHandlers(parts, service, print).get] },
    { endpoint: print, handlers: (service) => [orderHandlers(parts, service, print).print] },
  ]
}

const ORDER_ID_MAX = 19
const ORDER_ID = {
  type: 'string',
  pattern: `^[0-9]{1,${ORDER_ID_MAX}}$`,
  description: 'Numeric order id, without a gid:// prefix.',
}
const ANSWERS = {
  400: 'orderId is not one, the platform is not configured, or the order cannot be printed.',
  401: 'Session token missing or rejected.',
  404: 'No such order.',
}
const refuseToPrepare = () => ({ ok: false as const, problems: [] })

interface ConfiguredPlatform {
  readonly profile: PlatformProfile
  readonly mapping: Mapping
  readonly source: OrderSource
}

function orderHandlers(parts: OrderParts, service: Service, printEndpoint: Endpoint) {
  const printing = createOrderPrinting(parts, service, printEndpoint)
  const admitted = new Recent()
  const profile = profileOf(parts.platform)
  const mapping = mappingOf(parts.platform?.mapping ?? {}, parts.isEmulated)
  const configured: ConfiguredPlatform | undefined = profile && {
    profile,
    mapping,
    source: createOrderSource(profile, service.clock, (line) => parts.log.warn?.(line), mapping.money),
  }

  const get: RequestHandler = (request, response) =>
    answer(response, async () => {
      const deadline = deadlineOf(response)
      const { session, orderId, source } = await admit(request)
      const order = await source.read(session, orderId, deadline)
      return success(publicOrder(order))
    })

  const print: RequestHandler = (request, response) =>
    answer(response, async () => {
      const deadline = deadlineOf(response)
      const { session, orderId, source, mapping, profile } = await admit(request)
      const again = request.query['again'] === 'true'
      const header = readKey(request)
      if (!header.ok) throw badRequest(header.message)
      const { key } = header
      const ask = () => source.read(session, orderId, deadline)
      const read = profile.arrangement === 'relay' ? await relayed(session, ask) : ask
      const order = { shop: session.shop, token: session.id, orderId, again, key }
      const reply = await printing.print(order, read, mapping, deadline)
      if (reply.status === 200) notePrinted(response)
      return reply
    })

  function deadlineOf(response: Response): Deadline {
    return { until: service.clock.now() + REQUEST_MAX_MS, ...callerOf(response) }
  }

  /**
   * Reads an order through the relay, which also checks the token. Nothing is reported to a caller whose token the
   * relay has not admitted. A token that was admitted earlier gets the outcome of its print even if the relay fails
   * now.
   */
  async function relayed({ token }: Session, ask: () => Promise<PlatformOrder>): Promise<() => Promise<PlatformOrder>> {
    try {
      const order = await ask()
      admitted.add(token)
      return async () => order
    } catch (error) {
      const { status } = outcomeOf(error)
      if (status !== 401 && admitted.has(token)) return () => Promise.reject(error)
      if (status !== 500 || !(error instanceof ServiceError)) throw error
      throw refusal(500, `${error.message}. ${UNVERIFIED_TEXT}`)
    }
  }

  /** Checks the token, then the order number. A missing token is reported before a missing configuration. */
  async function admit(
    request: Request,
  ): Promise<ConfiguredPlatform & { readonly session: Session; readonly orderId: string }> {
    const token = bearerToken(request.get('Authorization'))
    if (!configured) throw notConfigured()
    const session = await verifySession(token, configured.profile, service.clock.wallTime())
    const orderId = String(request.params['orderId'] ?? '')
    if (!/^\d+$/.test(orderId)) throw badRequest('orderId must be digits only, without a gid:// prefix')
    if (orderId.length > ORDER_ID_MAX) throw badRequest(`orderId must have at most ${ORDER_ID_MAX} digits`)
    return { ...configured, session, orderId: orderId.replace(/^0+(?=\d)/, '') }
  }

  return { get, print }
}

const UNVERIFIED_TEXT =
  'Nothing was printed by this request. The platform must validate the session token before the service can report whether the order was printed earlier'

class Recent {
  readonly #tokens = new Set<string>()

  add(token: string): void {
    this.#tokens.add(token)
    const [oldest] = this.#tokens
    if (this.#tokens.size > RECENT_MAX && oldest !== undefined) this.#tokens.delete(oldest)
  }

  has(token: string): boolean {
    return this.#tokens.has(token)
  }
}

const RECENT_MAX = 1_000

async function answer(response: Response, act: () => Promise<Reply>): Promise<void> {
  let reply: Reply
  try {
    reply = await act()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { status } = error.outcome
    reply = failed(status, error.message, status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {})
  }
  if (response.destroyed) return
  response
    .status(reply.status)
    .set(reply.headers ?? {})
    .type('json')
    .send(reply.body)
}
