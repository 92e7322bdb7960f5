/**
 * Prints an order, after its caller is admitted (route.ts), as one request of the service, with its queue,
 * reconciliation and stored answers. The prints of each order are recorded, even if another request reconciles them
 * (operations/log/print-log.ts).
 */
import { sha256 } from '../../drivers/host/digest.ts'
import type { FiscalOpening } from '../../drivers/model/receipt.ts'
import type { Data } from '../answer-data.ts'
import type { Settings } from '../config.ts'
import type { Endpoint, PrinterWork } from '../endpoint.ts'
import type { Reply } from '../envelope.ts'
import { asReplayed, success } from '../envelope.ts'
import { leavesOf, outcomeOf, ServiceError } from '../operations/outcome.ts'
import { defaultOperator, printFiscalReceipt } from '../operations/receipt.ts'
import type { RequestDeadline } from '../printer-queue.ts'
import type { Service } from '../service.ts'
import {
  AlreadyPrinted,
  type CompletedPrint,
  createEarlierPrints,
  type EarlierPrints,
  type EarlierPrintsParts,
  type KeyedRequest,
  type OrderRequest,
} from './earlier-prints.ts'
import { type MappedOrder, mapOrder } from './map.ts'
import type { Mapping } from './mapping.ts'
import type { PlatformOrder } from './order.ts'
import { showMoney } from './platform-values.ts'
import { recordOf } from './printed.ts'
import { articleDifference, checkDevice, orderFailure, receiptOf } from './receipt.ts'
import { badRequest, platformTooSlow } from './refusal.ts'
import { programmedRates, type TaxRates, vatDifference } from './vat-check.ts'

export interface OrderPrintingParts extends EarlierPrintsParts {
  readonly platform: Settings['platform']
  readonly noteRates?: (rates: TaxRates) => void
  readonly isEmulated?: boolean
}

type OnDevice = Omit<PrinterWork<unknown, unknown>, 'body' | 'params'>

export function createOrderPrinting(parts: OrderPrintingParts, service: Service, endpoint: Endpoint) {
  const earlier = createEarlierPrints(parts)
  const checkVat = createVatCheck(parts)

  /**
   * Rejects with ServiceError. `read` is called only to print the order, or to report changes of an order that was
   * printed.
   */
  async function print(
    order: OrderRequest,
    read: () => Promise<PlatformOrder>,
    mapping: Mapping,
    deadline: RequestDeadline,
  ): Promise<Reply> {
    const request: KeyedRequest = { ...order, key: order.key ?? keyOf(order) }
    const first = await firstPrintOf(earlier, request, () => readNow(read, mapping))
    if (first) {
      if (order.key === undefined) return asReplayed(success(earlier.firstAnswer(first)))
      // The order may have been printed under another key. The use of this key is recorded, too.
      const reply = await handle(request, deadline, async () => earlier.answerAgain(request, first))
      return reply.status === 200 ? asReplayed(reply) : reply
    }
    let mapped: MappedOrder
    try {
      mapped = mapOrder(await read(), mapping)
      checkDevice(mapped, mapping, service.printer)
      if (service.clock.now() >= deadline.until) throw platformTooSlow()
    } catch (error) {
      if (!(service.knows(request.key) || earlier.hasUnknownEnd(request))) throw error
      return settleBefore(error, request, deadline)
    }
    for (const { rule, amount } of mapped.healings)
      parts.log.warn?.(`order ${order.orderId}: a difference of ${showMoney(amount)} was settled by ${rule}`)
    return handle(request, deadline, (work) => carryOut(request, mapped, mapping, work))
  }

  /**
   * Answers a request for an order that cannot be printed now, if it was printed before. A failure of the platform, or
   * a change of the order, does not change its receipt. Throws `error` if the order was not printed.
   */
  async function settleBefore(error: unknown, request: KeyedRequest, deadline: RequestDeadline): Promise<Reply> {
    let isPrinted = true
    const reply = await handle(request, deadline, async () => {
      const first = earlier.firstPrint(request, true)
      if (first) return earlier.answerAgain(request, first)
      isPrinted = false
      throw NOT_PRINTED
    })
    if (!isPrinted) throw error
    return reply
  }

  async function handle(
    request: KeyedRequest,
    deadline: RequestDeadline,
    run: (work: OnDevice) => Promise<Data>,
  ): Promise<Reply> {
    const { orderId, key } = request
    let isCarriedOut = false
    const running = (work: OnDevice): Promise<Data> => {
      isCarriedOut = true
      return run(work)
    }
    const oneOff: Endpoint = { ...endpoint, prepare: () => ({ ok: true, run: running }) }
    const reply = await service.handle(oneOff, { params: { orderId }, body: undefined }, key, deadline)
    // The answer may be that of an earlier request with this key. An order of another shop may have the same number.
    if (!isCarriedOut) earlier.checkKey(request)
    return reply
  }

  async function carryOut(request: KeyedRequest, mapped: MappedOrder, mapping: Mapping, work: OnDevice): Promise<Data> {
    const { shop, orderId, token, key } = request
    // Another request may have printed the order, or reconciled its print, while this one waited for its turn.
    const first = await firstPrintOf(earlier, request, async () => mapped, true)
    if (first) return earlier.answerAgain(request, first)
    const { prints } = parts
    await checkVat(request.orderId, mapped, mapping, work.printer)
    const receipt = await receiptOf(
      mapped,
      mapping,
      work.printer,
      await openingOf(parts.platform?.mapping.operator, work),
    )
    // A print with this key and an unknown outcome keeps its index, because it may exist.
    prints.begin({
      key,
      part: prints.printsOfKey(key).length,
      order: { shop, id: orderId, token, receipt: JSON.stringify(recordOf(mapped)) },
    })
    try {
      return await printFiscalReceipt(receipt, work)
    } catch (error) {
      if (leavesOf(outcomeOf(error)) === 'nothing') earlier.writeOrLog(() => prints.forget(key))
      throw orderFailure(error)
    }
  }

  return { print }
}

/**
 * Returns a function that compares the VAT rates of an order and of its articles with the device before a receipt is
 * opened. If they differ, it warns or throws, depending on `vatCheck`.
 */
function createVatCheck({ log, noteRates }: Pick<OrderPrintingParts, 'log' | 'noteRates'>) {
  let isWarned = false
  return async (
    orderId: string,
    mapped: MappedOrder,
    mapping: Mapping,
    printer: OnDevice['printer'],
  ): Promise<void> => {
    const { vatCheck } = mapping
    if (vatCheck === 'off') return
    const rates = await programmedRates(printer)
    if (!rates) {
      if (!isWarned) log.warn?.('the VAT of orders is not checked: the device does not report its tax rates')
      isWarned = true
      return
    }
    noteRates?.(rates)
    const difference = vatDifference(mapped, rates) ?? (await articleDifference(mapped, mapping, printer))
    if (difference === undefined) return
    if (vatCheck === 'refuse') throw badRequest(difference)
    log.warn?.(`order ${orderId}: ${difference}`)
  }
}

async function openingOf(
  operator: NonNullable<Settings['platform']>['mapping']['operator'] | undefined,
  { printer, facts }: OnDevice,
): Promise<FiscalOpening | undefined> {
  if (!operator) return undefined
  // The default password depends on the protocol variant, which is known only after the connection.
  await printer.connect()
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

/**
 * Resolves to the first print; `undefined` if the order may be printed. If the first print is the reason for a refusal,
 * the refusal contains the changes of the order since. `hasTurn`: no other request uses the device.
 */
async function firstPrintOf(
  earlier: EarlierPrints,
  request: KeyedRequest,
  orderNow: () => Promise<MappedOrder | undefined>,
  hasTurn = false,
): Promise<CompletedPrint | undefined> {
  try {
    return earlier.firstPrint(request, hasTurn)
  } catch (error) {
    if (!(error instanceof AlreadyPrinted)) throw error
    throw error.since(await orderNow()) ?? error
  }
}

/**
 * Resolves to the order as it is now; `undefined` if the platform does not answer, or if the order can no longer be
 * printed.
 */
async function readNow(read: () => Promise<PlatformOrder>, mapping: Mapping): Promise<MappedOrder | undefined> {
  try {
    return mapOrder(await read(), mapping)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return undefined
  }
}

export type OrderPrinting = ReturnType<typeof createOrderPrinting>

/** Never reaches the caller, who gets the reason why the order cannot be printed now. */
const NOT_PRINTED = badRequest('the order was not printed before')

const keyOf = ({ shop, orderId, token }: OrderRequest): string =>
  `order ${sha256(JSON.stringify([shop, orderId, token]))}`
