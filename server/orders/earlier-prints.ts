/** Earlier prints of an order: the first of them, what a repeated request is answered, and why one is refused. */
import type { ServiceLog } from '../log.ts'
import { OTHER_REQUEST } from '../operations/keys.ts'
import type { Answers } from '../operations/log/answers.ts'
import { writeOrKeep } from '../operations/log/log-file.ts'
import type { Print, PrintEnd, PrintLog } from '../operations/log/print-log.ts'
import { type Outcome, ServiceError } from '../operations/outcome.ts'
import { sentenceOf } from '../operations/sentences.ts'
import type { MappedOrder } from './map.ts'
import { changeSince, readRecord, recordOf } from './printed.ts'
import { badRequest, tokenRejected } from './refusal.ts'

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

export type Keyed = OrderRequest & { readonly key: string }

/** Its receipt exists. */
export type Ended = Print & { readonly end: PrintEnd }

export interface EarlierPrintsParts {
  readonly prints: PrintLog
  readonly answers: Pick<Answers, 'find'>
  readonly log: ServiceLog
}

export function createEarlierPrints({ prints, answers, log }: EarlierPrintsParts) {
  /** The same order number stands for another order in another shop. */
  function checkKey({ shop, orderId, key }: Keyed): void {
    const isThis = ({ order }: Print) => order === undefined || (order.shop === shop && order.id === orderId)
    if (!prints.ofKey(key).every(isThis)) throw badRequest(OTHER_REQUEST)
  }

  /**
   * The first print by this token or key; undefined when the order may be printed now. Throws when token or key were
   * used for another order, or the order was printed before, or may have been, and nobody has said that it shall be
   * printed again. `isOurTurn`: this request has the device, and nothing older is open on it.
   */
  function firstPrint(request: Keyed, isOurTurn = false): Ended | undefined {
    const { shop, token, orderId, again, key } = request
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
        ? print.end !== undefined && answers.find(key) === undefined
        : isOurTurn || print.end !== undefined,
    )
    if (open) {
      const told = open.order?.token === token ? storedOutcome(open.key) : undefined
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
    if (effect === 'asRequested') return receiptNumber
    throw new ServiceError(storedOutcome(key) ?? { status: 424, effect, receiptNumber, reasons: [] })
  }

  function storedOutcome(key: string): Outcome | undefined {
    const kept = answers.find(key)
    return kept?.state === 'answered' ? kept.reply.outcome : undefined
  }

  /**
   * The same to another key. That it stands for this order of this shop is written down with it, as the answer kept for
   * the key knows the number of the order only.
   */
  function answerAgain({ shop, orderId, token, key }: Keyed, first: Ended): string {
    const alias = { key, part: 0, order: { shop, id: orderId, token }, end: first.end }
    noting(() => {
      if (prints.ofKey(key).length === 0) prints.finish(alias)
    })
    return firstAnswer(first)
  }

  /**
   * One whose request the journal does not know, open or ended, has printed nothing so far. `isOurTurn`: it never will. Before
   * that it may be the one that is on the device now, and asks its state.
   */
  function mayStand({ end, key }: Print, isOurTurn: boolean): boolean {
    if (end !== undefined || answers.find(key) !== undefined) return true
    if (isOurTurn) prints.forget(key)
    return false
  }

  /** A disk that fails must not hide what became of the receipt. */
  function noting(write: () => void): void {
    writeOrKeep(write, ({ outcome }) => log.warn?.(sentenceOf(outcome)))
  }

  return {
    checkKey,
    firstPrint,
    firstAnswer,
    answerAgain,
    noting,
    /** A print of the order whose end is unknown: only the device, or the request that is on it, can tell it. */
    hasUnknownEnd: ({ shop, orderId }: Keyed): boolean =>
      prints.ofOrder(shop, orderId).some(({ end }) => end === undefined),
  }
}

export type EarlierPrints = ReturnType<typeof createEarlierPrints>

/** The order has a receipt, and the caller has not said that it shall be printed again. */
export class AlreadyPrinted extends ServiceError {
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
