import { createHash } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { FiscalOpening } from '../../drivers/model/receipt.ts'
import type { Settings } from '../config.ts'
import type { Data, Endpoint, ServiceFacts, Work } from '../endpoint.ts'
import { failed, type Reply, success } from '../envelope.ts'
import type { ServiceLog } from '../log.ts'
import { leavesOf, outcomeOf, ServiceError } from '../outcome.ts'
import { REQUEST_MAX_MS } from '../printer-queue.ts'
import { defaultOperator, printFiscalReceipt } from '../receipt-flow.ts'
import type { Answers } from '../recovery/answers.ts'
import type { Route } from '../route.ts'
import type { Service } from '../service.ts'
import { createOrderSource, type OrderSource } from './client.ts'
import { type MappedOrder, mapOrder } from './map.ts'
import { type Mapping, mappingOf } from './mapping.ts'
import { publicOrder } from './order.ts'
import type { OrderPrint, OrderPrints } from './prints.ts'
import { DEFAULT_WORD, type PlatformProfile, profileOf } from './profile.ts'
import { checkDevice, orderFailure, receiptOf } from './receipt.ts'
import { badRequest, notConfigured, tokenRejected } from './refusal.ts'
import { bearerToken, type Session, verifySession } from './token.ts'

/**
 * The platform endpoints (specification 4.6): fetch an order, print an order. The checks come in the order of platform
 * orders 5.7: token, order number, fetch, mapping, device. Until the mapping has passed no device is asked.
 */
export interface OrderParts {
  readonly platform: Settings['platform']
  readonly prints: OrderPrints
  readonly answers: Pick<Answers, 'find'>
  readonly log: ServiceLog
}

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
    { endpoint: get, handlers: (service) => [new OrderHandlers(parts, service, print).get] },
    { endpoint: print, handlers: (service) => [new OrderHandlers(parts, service, print).print] },
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

interface Configured {
  readonly profile: PlatformProfile
  readonly mapping: Mapping
  readonly source: OrderSource
}

class OrderHandlers {
  readonly #parts: OrderParts
  readonly #service: Service
  readonly #printEndpoint: Endpoint
  readonly #configured: Configured | undefined

  constructor(parts: OrderParts, service: Service, printEndpoint: Endpoint) {
    this.#parts = parts
    this.#service = service
    this.#printEndpoint = printEndpoint
    const profile = profileOf(parts.platform)
    this.#configured = profile && {
      profile,
      mapping: mappingOf(parts.platform?.mapping ?? {}),
      source: createOrderSource(profile, service.clock, (line) => parts.log.warn?.(line)),
    }
  }

  readonly get: RequestHandler = (request, response) =>
    answer(response, async () => {
      const { session, orderId, source } = await this.#admit(request)
      const order = await source.read(session, orderId)
      return success(publicOrder(order))
    })

  readonly print: RequestHandler = (request, response) =>
    answer(response, async () => {
      const { session, orderId, source, mapping } = await this.#admit(request)
      const until = this.#service.clock.now() + REQUEST_MAX_MS
      const again = request.query['again'] === 'true'
      const key = request.get('Idempotency-Key') ?? internalKey(session, orderId)
      const printed = this.#printed(session, orderId, again, key)
      if (printed !== undefined) return success(printed)
      const mapped = mapOrder(await source.read(session, orderId), mapping)
      checkDevice(mapped, mapping, this.#service.printer)
      this.#logHealings(orderId, mapped)
      const gone = new AbortController()
      response.on('close', () => gone.abort())
      const job = { session, orderId, again, key, mapped, mapping }
      return this.#service.handle(this.#oneOff(job), { params: { orderId }, body: undefined }, key, {
        until,
        gone: gone.signal,
      })
    })

  /** Token, then order number; no configuration is asked for before there is a token. */
  async #admit(request: Request): Promise<Configured & { readonly session: Session; readonly orderId: string }> {
    const token = bearerToken(request.get('Authorization'))
    if (!this.#configured) throw notConfigured()
    const session = await verifySession(token, this.#configured.profile, this.#service.clock.wallTime())
    const orderId = String(request.params['orderId'] ?? '')
    if (!/^\d+$/.test(orderId)) throw badRequest('orderId must be digits only, without a gid:// prefix')
    if (orderId.length > ORDER_ID_MAX) throw badRequest(`orderId must have at most ${ORDER_ID_MAX} digits`)
    return { ...this.#configured, session, orderId: orderId.replace(/^0+(?=\d)/, '') }
  }

  /**
   * The number of the first print by this token; undefined when the order may be printed now. Throws when the token was
   * used for another order, or the order was printed before and nobody has said that it shall be printed again.
   */
  #printed(session: Session, orderId: string, again: boolean, key: string): string | undefined {
    const { prints } = this.#parts
    const earlier = prints.of(session.shop, orderId).map((print) => this.#settled(print))
    const ended = earlier.filter((print) => print?.receipt !== undefined)
    const own = ended.find((print) => print?.token === session.id || print?.key === key)
    if (own) return own.receipt
    const tokenOrder = prints.byToken(session.shop, session.id)
    if (tokenOrder !== undefined && tokenOrder !== orderId) throw tokenRejected('already used for another order')
    const [first] = ended
    if (first && !again) {
      const at = new Date(first.at).toISOString()
      throw badRequest(
        `order ${orderId} was already printed: receipt ${first.receipt} at ${at}; add ?again=true to print it again`,
      )
    }
    return undefined
  }

  /** A print whose end was not seen: the service has kept its answer, or settled that nothing was printed. */
  #settled(print: OrderPrint): OrderPrint | undefined {
    if (print.receipt !== undefined) return print
    const kept = this.#parts.answers.find(print.key)
    if (kept?.state === 'begun') return print
    const receipt = kept && receiptIn(kept.reply)
    if (receipt === undefined) {
      this.#parts.prints.forget(print.key)
      return undefined
    }
    this.#parts.prints.finish(print.key, receipt)
    return { ...print, receipt }
  }

  /** The mapped order as one request of the service: its queue, its recovery, its kept answers. */
  #oneOff(job: PrintJob): Endpoint {
    return { ...this.#printEndpoint, prepare: () => ({ ok: true, run: (work) => this.#run(job, work) }) }
  }

  async #run(job: PrintJob, work: Omit<Work<unknown, unknown>, 'body' | 'params'>): Promise<Data> {
    const { session, orderId, again, key, mapped, mapping } = job
    // Another request may have printed it while this one waited for its turn.
    const printed = this.#printed(session, orderId, again, key)
    if (printed !== undefined) return printed
    const { prints } = this.#parts
    const receipt = await receiptOf(mapped, mapping, work.printer, this.#opening(work))
    prints.begin({ shop: session.shop, order: orderId, token: session.id, key, at: this.#service.clock.wallTime() })
    try {
      const number = await printFiscalReceipt(receipt, work)
      prints.finish(key, number)
      return number
    } catch (error) {
      const outcome = outcomeOf(error)
      const leaves = leavesOf(outcome)
      if (leaves === 'nothing') prints.forget(key)
      if (leaves === 'printed' && outcome.receiptNumber !== undefined) prints.finish(key, outcome.receiptNumber)
      throw orderFailure(error)
    }
  }

  /** Operator of printed orders; what it leaves open is the operator of the configuration. */
  #opening({
    printer,
    facts,
  }: {
    printer: Work<unknown, unknown>['printer']
    facts: ServiceFacts
  }): FiscalOpening | undefined {
    const operator = this.#parts.platform?.mapping.operator
    if (!operator) return undefined
    const standard = defaultOperator(printer, facts)
    const code = operator.OperatorCode ?? standard.code
    const own = typeof operator.OperatorPassword === 'string' ? operator.OperatorPassword : undefined
    const password = own ?? (code === standard.code ? standard.password : printer.capabilities.defaultPassword(code))
    return {
      operator: { code, password },
      pointOfSale: operator.PointOfSaleNumber ?? facts.defaults.pointOfSale,
      invoice: operator.Invoice ?? false,
    }
  }

  #logHealings(orderId: string, { healings }: MappedOrder): void {
    for (const { rule, amount } of healings)
      this.#parts.log.warn?.(`order ${orderId}: ${amount} hundredths settled by ${rule}`)
  }
}

interface PrintJob {
  readonly session: Session
  readonly orderId: string
  readonly again: boolean
  readonly key: string
  readonly mapped: MappedOrder
  readonly mapping: Mapping
}

const internalKey = ({ shop, id }: Session, orderId: string): string =>
  `order ${createHash('sha256')
    .update(JSON.stringify([shop, orderId, id]))
    .digest('hex')}`

function receiptIn({ status, body, outcome }: Reply): string | undefined {
  if (status !== 200) return outcome?.receiptNumber
  const { Data: data } = JSON.parse(body) as { Data?: unknown }
  return typeof data === 'string' ? data : undefined
}

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
