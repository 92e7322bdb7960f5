/** Earlier prints of an order: the first of them, the answer to a retry, and the reason for a refusal. */
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

export interface OrderRequest {
  readonly shop: string
  readonly token: string
  readonly orderId: string
  readonly again: boolean
  /** `Idempotency-Key`. Without it, the key is derived from the token and the order. */
  readonly key?: string | undefined
}

export type KeyedRequest = OrderRequest & { readonly key: string }

export type CompletedPrint = Print & { readonly end: PrintEnd }

export interface EarlierPrintsParts {
  readonly prints: PrintLog
  readonly answers: Pick<Answers, 'find'>
  readonly log: ServiceLog
}

export function createEarlierPrints({ prints, answers, log }: EarlierPrintsParts) {
  /** Throws if the key belongs to another order. Another shop may have an order with the same number. */
  function checkKey({ shop, orderId, key }: KeyedRequest): void {
    const isThis = ({ order }: Print) => order === undefined || (order.shop === shop && order.id === orderId)
    if (!prints.printsOfKey(key).every(isThis)) throw badRequest(OTHER_REQUEST)
  }

  /**
   * Returns the first print with this token or key; `undefined` if the order may be printed now. Throws if the token or
   * the key was used for another order. Also throws if the order was printed, or may have been, and the caller does not
   * request another print. `isOurTurn`: this request has the device, and all earlier requests are reconciled.
   */
  function firstPrint(request: KeyedRequest, isOurTurn = false): CompletedPrint | undefined {
    const { shop, token, orderId, again, key } = request
    checkKey(request)
    const earlier = prints.printsOfOrder(shop, orderId).filter((print) => mayExist(print, isOurTurn))
    const ended = earlier.filter((print): print is CompletedPrint => print.end !== undefined && print.end.number !== '')
    const own = ended.find((print) => print.order?.token === token || print.key === key)
    if (own) return own
    const tokenOrder = prints.orderOfToken(shop, token)
    if (tokenOrder !== undefined && tokenOrder !== orderId) throw tokenRejected('already used for another order')
    if (again) return undefined
    const [first] = ended
    if (first) throw new AlreadyPrinted(orderId, first)
    // If the request's own key has a stored answer, that answer has precedence.
    const open = earlier.find((print) =>
      print.key === key
        ? print.end !== undefined && answers.find(key) === undefined
        : isOurTurn || print.end !== undefined,
    )
    if (open) {
      const outcome = open.order?.token === token ? storedOutcome(open.key) : undefined
      if (outcome) throw new ServiceError(outcome)
      throw badRequest(
        `order ${orderId} may have been printed at ${timeOf(open)}: its outcome is unknown. Look for it on the paper, ` +
          'and add ?again=true to print it if it is missing',
      )
    }
    return undefined
  }

  /**
   * Returns the receipt number. If the receipt is not as requested, throws ServiceError with the stored answer, or with
   * the stored effect.
   */
  function firstAnswer({ key, end: { effect, number: receiptNumber } }: CompletedPrint): string {
    if (effect === 'asRequested') return receiptNumber
    throw new ServiceError(storedOutcome(key) ?? { status: 424, effect, receiptNumber, reasons: [] })
  }

  function storedOutcome(key: string): Outcome | undefined {
    const answer = answers.find(key)
    return answer?.state === 'answered' ? answer.reply.outcome : undefined
  }

  /** Answers another key with the first answer, and records the order under that key, too. */
  function answerAgain({ shop, orderId, token, key }: KeyedRequest, first: CompletedPrint): string {
    const alias = { key, part: 0, order: { shop, id: orderId, token }, end: first.end }
    writeOrLog(() => {
      if (prints.printsOfKey(key).length === 0) prints.finish(alias)
    })
    return firstAnswer(first)
  }

  /**
   * Returns whether the print may exist. If its request is not in the operation log, nothing has been printed for it.
   * With `isOurTurn`, nothing ever will be; otherwise it may be on the device now.
   */
  function mayExist({ end, key }: Print, isOurTurn: boolean): boolean {
    if (end !== undefined || answers.find(key) !== undefined) return true
    if (isOurTurn) prints.forget(key)
    return false
  }

  /** Logs an error of the disk. The error must not hide the outcome of the receipt. */
  function writeOrLog(write: () => void): void {
    writeOrKeep(write, ({ outcome }) => log.warn?.(sentenceOf(outcome)))
  }

  return {
    checkKey,
    firstPrint,
    firstAnswer,
    answerAgain,
    writeOrLog,
    /** Returns whether the order has a print whose end is not recorded. Only the device can show whether it exists. */
    hasUnknownEnd: ({ shop, orderId }: KeyedRequest): boolean =>
      prints.printsOfOrder(shop, orderId).some(({ end }) => end === undefined),
  }
}

export type EarlierPrints = ReturnType<typeof createEarlierPrints>

/** The error for an order that has a receipt, unless the caller requests another print. */
export class AlreadyPrinted extends ServiceError {
  readonly #orderId: string
  readonly #first: CompletedPrint

  constructor(orderId: string, first: CompletedPrint) {
    const { number } = first.end
    super(
      badRequest(
        `order ${orderId} was already printed: receipt ${number} at ${timeOf(first)}; add ?again=true to print it again`,
      ).outcome,
    )
    this.#orderId = orderId
    this.#first = first
  }

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
