/** The entry of a simulated client to the service: REST calls, legacy jobs and orders of the platform. */
import { readJson } from '../../drivers/model/json.ts'
import type { Stores } from '../../server/compose.ts'
import { configFile } from '../../server/config-schema.ts'
import { parseJob } from '../../server/legacy/parse.ts'
import { answerJob } from '../../server/legacy/route.ts'
import { ServiceError } from '../../server/operations/outcome.ts'
import { mappingOf } from '../../server/orders/mapping.ts'
import { orderSchema } from '../../server/orders/order.ts'
import { createOrderPrinting, type OrderPrinting } from '../../server/orders/printing.ts'
import { orderRoutes } from '../../server/orders/route.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import type { Service } from '../../server/service.ts'
import { type Call, handle, type Reply } from './client.ts'
import { LEGACY, ORDER, type OrderBody, platformOrder } from './orders.ts'

export class RequestChannel {
  readonly #service: Service
  readonly #stores: Pick<Stores, 'answers' | 'prints'>
  readonly #orders: OrderPrinting

  constructor(service: Service, stores: Pick<Stores, 'answers' | 'prints'>) {
    this.#service = service
    this.#stores = stores
    const parts = { platform: undefined, answers: stores.answers, prints: stores.prints, log: {} }
    const print = orderRoutes(parts).find(({ endpoint }) => endpoint.method === 'post')
    if (!print) throw new Error('there is no route that prints an order')
    this.#orders = createOrderPrinting(parts, service, print.endpoint)
  }

  handle(call: Call): Promise<Reply> {
    if (call.path === ORDER) return this.#order(call)
    if (call.path === LEGACY) return this.#legacy(call)
    return handle(this.#service, this.#service.clock, call)
  }

  /** Prints an order as the route does after its token check, with a generated answer of the platform. */
  async #order({ body, key }: Call): Promise<Reply> {
    const { order, token, again } = body as OrderBody
    const { clock } = this.#service
    const since = clock.now()
    const intent = { shop: 'a.myshop.example', token, orderId: String(order), again, key }
    const read = () => Promise.resolve(orderSchema.parse(platformOrder(order)))
    const printed = this.#orders.print(intent, read, mapping(), { until: since + REQUEST_MAX_MS })
    const { status, body: text } = await printed.catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      return { status: error.outcome.status, body: JSON.stringify({ Message: error.message }) }
    })
    const envelope = JSON.parse(text) as { Data?: unknown; Message?: string }
    return { status, data: envelope.Data, message: envelope.Message ?? '', tookMs: clock.now() - since }
  }

  /**
   * The message omits the name at the start of ErrorInfo, like messages of the REST endpoints. Code 901 corresponds to
   * status 500.
   */
  async #legacy({ body, key }: Call): Promise<Reply> {
    const { clock } = this.#service
    const since = clock.now()
    const json = readJson(JSON.stringify(body))
    const parsed = parseJob(json)
    if (!parsed.ok) throw parsed.problem
    const parts = { service: this.#service, settings: { plu: [{ taxCode: 1, plu: 1 }] }, prints: this.#stores.prints }
    const deadline = { until: since + REQUEST_MAX_MS }
    const { answer } = await answerJob(parts, { job: parsed.job, body: json, key }, deadline)
    const tookMs = clock.now() - since
    if (answer.ReceiptStatus === 'true') return { status: 200, data: answer.ReceiptNumber, message: '', tookMs }
    const message = answer.ErrorInfo.replace(/^[A-Z_]+: /, '')
    const isUnforeseen =
      answer.ErrorCode === '901' &&
      !/^(?:Outcome unknown: )?The service (?:cannot (?:read|write)|must not write) its operation log/.test(message)
    return { status: isUnforeseen ? 500 : 424, data: undefined, message, tookMs }
  }
}

/** Family B sells only programmed articles, so article 1 is sold for all items with its tax code. */
const CONFIG = {
  platform: {
    shopSuffix: 'myshop.example',
    clientId: 'check',
    clientSecret: 'a-secret-of-the-simulation-only',
    mapping: {
      currency: 'RON',
      // The VAT rates of the devices are factory rates.
      vatCheck: 'off',
      taxCodes: [{ rate: '21.00', code: 1 }],
      noTaxCode: 1,
      gateways: { cash: 'cash', platform_payments: 'card' },
      modes: { cash: 0, card: 1 },
      plu: [{ taxCode: 1, plu: 1 }],
    },
  },
}

let mapped: ReturnType<typeof mappingOf> | undefined
function mapping(): ReturnType<typeof mappingOf> {
  mapped ??= mappingOf(configFile.parse(CONFIG).platform?.mapping ?? {})
  return mapped
}
