/**
 * An order on the device, once its caller is admitted (route.ts): as one request of the service, with its queue, its
 * recovery and its kept answers. What was printed for which order is known whoever has settled it (recovery/prints.ts).
 */
import { createHash } from 'node:crypto'
import type { FiscalOpening } from '../../drivers/model/receipt.ts'
import type { Settings } from '../config.ts'
import type { Data, Endpoint, ServiceFacts, Work } from '../endpoint.ts'
import type { Reply } from '../envelope.ts'
import { success } from '../envelope.ts'
import type { ServiceLog } from '../log.ts'
import { leavesOf, outcomeOf, sentenceOf } from '../outcome.ts'
import type { Patience } from '../printer-queue.ts'
import { defaultOperator, printFiscalReceipt } from '../receipt-flow.ts'
import type { Answers } from '../recovery/answers.ts'
import { writeOrKeep } from '../recovery/journal-file.ts'
import { OTHER_REQUEST } from '../recovery/keyed.ts'
import type { Print, Prints } from '../recovery/prints.ts'
import type { Service } from '../service.ts'
import { type MappedOrder, mapOrder } from './map.ts'
import type { Mapping } from './mapping.ts'
import type { PlatformOrder } from './order.ts'
import { checkDevice, orderFailure, receiptOf } from './receipt.ts'
import { badRequest, tokenRejected } from './refusal.ts'

export interface OrderPrintingParts {
  readonly platform: Settings['platform']
  readonly prints: Prints
  readonly answers: Pick<Answers, 'find'>
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

export function createOrderPrinting(parts: OrderPrintingParts, service: Service, endpoint: Endpoint) {
  /** Rejects with ServiceError. `read`: is asked only for an order that may be printed now. */
  async function print(
    order: OrderRequest,
    read: () => Promise<PlatformOrder>,
    mapping: Mapping,
    patience: Patience,
  ): Promise<Reply> {
    const request: Keyed = { ...order, key: order.key ?? keyOf(order) }
    const receiptNumber = numberOf(request)
    if (receiptNumber !== undefined) {
      if (order.key === undefined) return success(receiptNumber)
      // It may have been printed under another key: what this one was used for is written down too.
      return handle(request, patience, async () => receiptNumber)
    }
    const mapped = mapOrder(await read(), mapping)
    checkDevice(mapped, mapping, service.printer)
    for (const { rule, amount } of mapped.healings)
      parts.log.warn?.(`order ${order.orderId}: ${amount} hundredths settled by ${rule}`)
    return handle(request, patience, (work) => carryOut(request, mapped, mapping, work))
  }

  type OnDevice = Omit<Work<unknown, unknown>, 'body' | 'params'>

  function handle({ orderId, key }: Keyed, patience: Patience, run: (work: OnDevice) => Promise<Data>): Promise<Reply> {
    const oneOff: Endpoint = { ...endpoint, prepare: () => ({ ok: true, run }) }
    return service.handle(oneOff, { params: { orderId }, body: undefined }, key, patience)
  }

  /**
   * The number of the first print by this token or key; undefined when the order may be printed now. Throws when token
   * or key were used for another order, or the order was printed before, or may have been, and nobody has said that it
   * shall be printed again. `isOurTurn`: this request has the device, and nothing older is open on it.
   */
  function numberOf({ shop, token, orderId, again, key }: Keyed, isOurTurn = false): string | undefined {
    const { prints } = parts
    const isThis = ({ order }: Print) => order === undefined || (order.shop === shop && order.id === orderId)
    if (!prints.ofKey(key).every(isThis)) throw badRequest(OTHER_REQUEST)
    const earlier = prints.ofOrder(shop, orderId).filter((print) => mayStand(print, isOurTurn))
    const ended = earlier.filter(({ end }) => end !== undefined && end.number !== '')
    const own = ended.find((print) => print.order?.token === token || print.key === key)
    if (own) return own.end?.number
    const tokenOrder = prints.orderOfToken(shop, token)
    if (tokenOrder !== undefined && tokenOrder !== orderId) throw tokenRejected('already used for another order')
    if (again) return undefined
    const [first] = ended
    if (first) {
      const number = first.end?.number
      throw badRequest(
        `order ${orderId} was already printed: receipt ${number} at ${timeOf(first)}; add ?again=true to print it again`,
      )
    }
    const open = earlier.find((print) => isOurTurn || print.end !== undefined)
    if (open && open.key !== key)
      throw badRequest(
        `order ${orderId} may have been printed at ${timeOf(open)}: its outcome is unknown. Look for it on the paper, ` +
          'and add ?again=true to print it if it is not there',
      )
    return undefined
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

  async function carryOut(
    request: Keyed,
    mapped: MappedOrder,
    mapping: Mapping,
    work: Omit<Work<unknown, unknown>, 'body' | 'params'>,
  ): Promise<Data> {
    const { shop, orderId, token, key } = request
    // Another request may have printed it, or settled its print, while this one waited for its turn.
    const receiptNumber = numberOf(request, true)
    if (receiptNumber !== undefined) return receiptNumber
    const { prints } = parts
    const receipt = await receiptOf(mapped, mapping, work.printer, await opening(work))
    prints.begin({ key, part: 0, order: { shop, id: orderId, token } })
    try {
      return await printFiscalReceipt(receipt, work)
    } catch (error) {
      if (leavesOf(outcomeOf(error)) === 'nothing') forget(key)
      throw orderFailure(error)
    }
  }

  /** A disk that fails must not hide what became of the receipt. */
  function forget(key: string): void {
    writeOrKeep(
      () => parts.prints.forget(key),
      ({ outcome }) => parts.log.warn?.(sentenceOf(outcome)),
    )
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

const timeOf = ({ at }: Print): string => new Date(at).toISOString()

const keyOf = ({ shop, orderId, token }: OrderRequest): string =>
  `order ${createHash('sha256')
    .update(JSON.stringify([shop, orderId, token]))
    .digest('hex')}`
