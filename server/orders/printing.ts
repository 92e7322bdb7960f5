/**
 * An order on the device, once its caller is admitted (route.ts): as one request of the service, with its queue, its
 * recovery and its kept answers. What was printed for which order is known whoever has settled it (operations/log/prints.ts).
 */
import { createHash } from 'node:crypto'
import type { FiscalOpening } from '../../drivers/model/receipt.ts'
import type { Settings } from '../config.ts'
import type { Data } from '../data.ts'
import type { Endpoint, ServiceFacts, Work } from '../endpoint.ts'
import type { Reply } from '../envelope.ts'
import { success } from '../envelope.ts'
import type { ServiceLog } from '../log.ts'
import { OTHER_REQUEST } from '../operations/keys.ts'
import type { Answers } from '../operations/log/answers.ts'
import { writeOrKeep } from '../operations/log/journal-file.ts'
import type { Print, PrintEnd, Prints } from '../operations/log/prints.ts'
import { leavesOf, type Outcome, outcomeOf, ServiceError } from '../operations/outcome.ts'
import { defaultOperator, printFiscalReceipt } from '../operations/receipt.ts'
import { sentenceOf } from '../operations/sentences.ts'
import type { Patience } from '../printer-queue.ts'
import type { Service } from '../service.ts'
import { type MappedOrder, mapOrder } from './map.ts'
import type { Mapping } from './mapping.ts'
import type { PlatformOrder } from './order.ts'
import { changeSince, readRecord, recordOf } from './printed.ts'
import { articleDifference, checkDevice, orderFailure, receiptOf } from './receipt.ts'
import { badRequest, platformTooSlow, tokenRejected } from './refusal.ts'
import { programmedRates, type TaxRates, vatDifference } from './vat-check.ts'

export interface OrderPrintingParts {
  readonly platform: Settings['platform']
  readonly prints: Prints
  readonly answers: Pick<Answers, 'find'>
  /** Receives the rates that the device has reported. */
  readonly noteRates?: (rates: TaxRates) => void
  /** The device is the emulated one: what it prints does not count. */
  readonly isEmulated?: boolean
  readonly log: ServiceLog
}

/** An order that somebody may have printed. */
export interface OrderRequest {
  /** Host name of the shop. */
  readonly shop: string
  /** Identity of the session token. */
  readonly token: string
  readonly orderId: string
  /** It may have been printed before. */
  readonly again: boolean
  /** `Idempotency-Key`; without, one that the token and the order have in common. */
  readonly key?: string | undefined
}

type Keyed = OrderRequest & { readonly key: string }

/** Its receipt exists. */
type Ended = Print & { readonly end: PrintEnd }

export function createOrderPrinting(parts: OrderPrintingParts, service: Service, endpoint: Endpoint) {
  /** Rejects with ServiceError. `read`: is asked only for an order that may be printed now. */
  async function print(
    order: OrderRequest,
    read: () => Promise<PlatformOrder>,
    mapping: Mapping,
    patience: Patience,
  ): Promise<Reply> {
    const request: Keyed = { ...order, key: order.key ?? keyOf(order) }
    const first = await firstPrintOrChange(request, read, mapping)
    if (first) {
      if (order.key === undefined) return success(firstAnswer(first))
      // It may have been printed under another key: what this one was used for is written down too.
      return handle(request, patience, async () => answerAgain(request, first))
    }
    let mapped: MappedOrder
    try {
      mapped = mapOrder(await read(), mapping)
      checkDevice(mapped, mapping, service.printer)
      if (service.clock.now() >= patience.until) throw platformTooSlow()
    } catch (error) {
      if (!mayBeSettled(request)) throw error
      return settleBefore(error, request, patience)
    }
    for (const { rule, amount } of mapped.healings)
      parts.log.warn?.(`order ${order.orderId}: ${amount} hundredths settled by ${rule}`)
    return handle(request, patience, (work) => carryOut(request, mapped, mapping, work))
  }

  /** Where an earlier print is the reason for a refusal, the refusal says how the order has changed since. */
  async function firstPrintOrChange(
    request: Keyed,
    read: () => Promise<PlatformOrder>,
    mapping: Mapping,
  ): Promise<Ended | undefined> {
    try {
      return firstPrint(request)
    } catch (error) {
      if (!(error instanceof AlreadyPrinted)) throw error
      throw error.since(await readNow(read, mapping)) ?? error
    }
  }

  /** Undefined when the platform does not answer, or the order cannot be printed any more. */
  async function readNow(read: () => Promise<PlatformOrder>, mapping: Mapping): Promise<MappedOrder | undefined> {
    try {
      return mapOrder(await read(), mapping)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return undefined
    }
  }

  /** A print whose end is not known here: only the device, or the request that is on it, can tell it. */
  const mayBeSettled = ({ shop, orderId, key }: Keyed): boolean =>
    service.knows(key) || parts.prints.ofOrder(shop, orderId).some(({ end }) => end === undefined)

  /**
   * For an order that cannot be printed now, and was begun before: a platform that fails, or has changed the order since,
   * makes no difference to a receipt that is on paper. Throws `error` when there is none.
   */
  async function settleBefore(error: unknown, request: Keyed, patience: Patience): Promise<Reply> {
    let isPrinted = true
    const reply = await handle(request, patience, async () => {
      const first = firstPrint(request, true)
      if (first) return answerAgain(request, first)
      isPrinted = false
      throw NOT_PRINTED
    })
    if (!isPrinted) throw error
    return reply
  }

  type OnDevice = Omit<Work<unknown, unknown>, 'body' | 'params'>

  async function handle(request: Keyed, patience: Patience, run: (work: OnDevice) => Promise<Data>): Promise<Reply> {
    const { orderId, key } = request
    let isCarriedOut = false
    const running = (work: OnDevice): Promise<Data> => {
      isCarriedOut = true
      return run(work)
    }
    const oneOff: Endpoint = { ...endpoint, prepare: () => ({ ok: true, run: running }) }
    const reply = await service.handle(oneOff, { params: { orderId }, body: undefined }, key, patience)
    // An answer to an earlier request of this key, which may have begun since: the number of its order is not all.
    if (!isCarriedOut) checkKey(request)
    return reply
  }

  /** The same order number stands for another order in another shop. */
  function checkKey({ shop, orderId, key }: Keyed): void {
    const isThis = ({ order }: Print) => order === undefined || (order.shop === shop && order.id === orderId)
    if (!parts.prints.ofKey(key).every(isThis)) throw badRequest(OTHER_REQUEST)
  }

  /**
   * The first print by this token or key; undefined when the order may be printed now. Throws when token or key were
   * used for another order, or the order was printed before, or may have been, and nobody has said that it shall be
   * printed again. `isOurTurn`: this request has the device, and nothing older is open on it.
   */
  function firstPrint(request: Keyed, isOurTurn = false): Ended | undefined {
    const { shop, token, orderId, again, key } = request
    const { prints } = parts
    checkKey(request)
    const earlier = prints.ofOrder(shop, orderId).filter((print) => mayStand(print, isOurTurn))
    const ended = earlier.filter((print): print is Ended => print.end !== undefined && print.end.number !== '')
    const own = ended.find((print) => print.order?.token === token || print.key === key)
    if (own) return own
    const tokenOrder = prints.orderOfToken(shop, token)
    if (tokenOrder !== undefined && tokenOrder !== orderId) throw tokenRejected('already used for another order')
    if (again) return undefined
    const [first] = ended
    if (first) throw new AlreadyPrinted(orderId, first)
    // Of its own key the first answer is kept for a while, and says more.
    const open = earlier.find((print) =>
      print.key === key
        ? print.end !== undefined && parts.answers.find(key) === undefined
        : isOurTurn || print.end !== undefined,
    )
    if (open) {
      const told = open.order?.token === token ? keptOutcome(open.key) : undefined
      if (told) throw new ServiceError(told)
      throw badRequest(
        `order ${orderId} may have been printed at ${timeOf(open)}: its outcome is unknown. Look for it on the paper, ` +
          'and add ?again=true to print it if it is not there',
      )
    }
    return undefined
  }

  /** Throws ServiceError where the receipt is not as it was asked for: with the first answer, for as long as it is kept. */
  function firstAnswer({ key, end: { effect, number: receiptNumber } }: Ended): string {
    if (effect === 'asAsked') return receiptNumber
    throw new ServiceError(keptOutcome(key) ?? { status: 424, effect, receiptNumber, reasons: [] })
  }

  function keptOutcome(key: string): Outcome | undefined {
    const kept = parts.answers.find(key)
    return kept?.state === 'answered' ? kept.reply.outcome : undefined
  }

  /**
   * The same to another key. That it stands for this order of this shop is written down with it, as the answer kept for
   * the key knows the number of the order only.
   */
  function answerAgain({ shop, orderId, token, key }: Keyed, first: Ended): string {
    const alias = { key, part: 0, order: { shop, id: orderId, token }, end: first.end }
    noting(() => {
      if (parts.prints.ofKey(key).length === 0) parts.prints.finish(alias)
    })
    return firstAnswer(first)
  }

  /**
   * One whose request the journal does not know, open or ended, has printed nothing so far. `isOurTurn`: it never will. Before
   * that it may be the one that is on the device now, and asks its state.
   */
  function mayStand({ end, key }: Print, isOurTurn: boolean): boolean {
    if (end !== undefined || parts.answers.find(key) !== undefined) return true
    if (isOurTurn) parts.prints.forget(key)
    return false
  }

  async function carryOut(request: Keyed, mapped: MappedOrder, mapping: Mapping, work: OnDevice): Promise<Data> {
    const { shop, orderId, token, key } = request
    // Another request may have printed it, or settled its print, while this one waited for its turn.
    const first = firstPrint(request, true)
    if (first) return answerAgain(request, first)
    const { prints } = parts
    await checkVat(request, mapped, mapping, work.printer)
    const receipt = await receiptOf(mapped, mapping, work.printer, await opening(work))
    // Behind a print of this key of which nobody knows the outcome: it may stand on paper whatever becomes of this one.
    prints.begin({
      key,
      part: prints.ofKey(key).length,
      order: { shop, id: orderId, token, receipt: JSON.stringify(recordOf(mapped)) },
    })
    try {
      return await printFiscalReceipt(receipt, work)
    } catch (error) {
      if (leavesOf(outcomeOf(error)) === 'nothing') noting(() => prints.forget(key))
      throw orderFailure(error)
    }
  }

  /** Before anything is opened: the rates of the order must be those that the device has programmed. */
  async function checkVat(
    { orderId }: Keyed,
    mapped: MappedOrder,
    mapping: Mapping,
    printer: Work<unknown, unknown>['printer'],
  ): Promise<void> {
    const { vatCheck } = mapping
    if (vatCheck === 'off') return
    const rates = await programmedRates(printer)
    if (!rates) return warnUnchecked()
    parts.noteRates?.(rates)
    const difference = vatDifference(mapped, rates) ?? (await articleDifference(mapped, mapping, printer))
    if (difference === undefined) return
    if (vatCheck === 'refuse') throw badRequest(difference)
    parts.log.warn?.(`order ${orderId}: ${difference}`)
  }

  let isWarned = false
  function warnUnchecked(): void {
    if (!isWarned) parts.log.warn?.('the VAT of orders is not checked: the device does not tell its tax rates')
    isWarned = true
  }

  /** A disk that fails must not hide what became of the receipt. */
  function noting(write: () => void): void {
    writeOrKeep(write, ({ outcome }) => parts.log.warn?.(sentenceOf(outcome)))
  }

  /** Operator of printed orders; what it leaves open is the operator of the configuration. */
  async function opening({
    printer,
    facts,
  }: {
    printer: Work<unknown, unknown>['printer']
    facts: ServiceFacts
  }): Promise<FiscalOpening | undefined> {
    const operator = parts.platform?.mapping.operator
    if (!operator) return undefined
    // Only a device that has been reached has told its edition, to which the password belongs.
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

  return { print }
}

export type OrderPrinting = ReturnType<typeof createOrderPrinting>

/** Nobody is told: the caller hears why the order cannot be printed now. */
const NOT_PRINTED = badRequest('the order was not printed before')

/** The order has a receipt, and the caller has not said that it shall be printed again. */
class AlreadyPrinted extends ServiceError {
  readonly #orderId: string
  readonly #first: Ended

  constructor(orderId: string, first: Ended) {
    const { number } = first.end
    super(
      badRequest(
        `order ${orderId} was already printed: receipt ${number} at ${timeOf(first)}; add ?again=true to print it again`,
      ).outcome,
    )
    this.#orderId = orderId
    this.#first = first
  }

  /** The refusal of an order that has changed since its receipt. */
  since(order: MappedOrder | undefined): ServiceError | undefined {
    const record = readRecord(this.#first.order?.receipt)
    const change = record && order && changeSince(record, recordOf(order))
    if (change === undefined) return undefined
    const { number } = this.#first.end
    return badRequest(
      `order ${this.#orderId} was already printed: receipt ${number} at ${timeOf(this.#first)} ${change}`,
    )
  }
}

const timeOf = ({ at }: Print): string => new Date(at).toISOString()

const keyOf = ({ shop, orderId, token }: OrderRequest): string =>
  `order ${createHash('sha256')
    .update(JSON.stringify([shop, orderId, token]))
    .digest('hex')}`
