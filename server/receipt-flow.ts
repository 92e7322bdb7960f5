/**
 * Complete receipts (specification 4.5, decisions 3): open, items, subtotal, payments, close as one unit. Nothing here
 * adds up amounts: an automatic payment names no amount, so the device pays its own sum.
 */
import { withoutRepeat } from '../drivers/model/errors.ts'
import type { Money } from '../drivers/model/money.ts'
import type { DeviceAnswer, FiscalPrinter, Performed } from '../drivers/model/printer.ts'
import type {
  ArticleSale,
  Barcode,
  FiscalOpening,
  FreeSale,
  Operator,
  Payment,
  SeparatingLine,
  Subtotal,
  TextLine,
} from '../drivers/model/receipt.ts'
import type { Data, ServiceFacts, Work } from './endpoint.ts'
import { COMPLETED, failureOf, outcomeUnknown, owed, REPEAT_ONLY_WITH_KEY, ServiceError } from './failure.ts'
import { beyondReceipt } from './limits.ts'
import type { ReadBack } from './recovery/progress.ts'
import { checkDocuments, checkPaid, checkRows, Doubt } from './recovery/repeats.ts'
import { CASH, isRefusal, isSilence, lastDocument, type Settled, settle, standing } from './recovery/settle.ts'

export type NonFiscalItem =
  | { readonly is: 'text'; readonly line: TextLine }
  | { readonly is: 'barcode'; readonly barcode: Barcode }
  | { readonly is: 'separatingLine'; readonly style: SeparatingLine }

export type FiscalItem =
  | { readonly is: 'freeSale'; readonly sale: FreeSale }
  | { readonly is: 'articleSale'; readonly sale: ArticleSale }
  | { readonly is: 'subtotal'; readonly subtotal: Subtotal }
  | NonFiscalItem

export interface ReceiptPayment extends Payment {
  /** Printed before this payment, after the one before. */
  readonly textsBefore?: readonly TextLine[]
}

export interface FiscalReceipt {
  /** Absent: the operator of the configuration, no invoice. */
  readonly opening?: FiscalOpening
  readonly items: readonly FiscalItem[]
  readonly subtotal?: Subtotal
  /** Empty: the whole remaining sum in cash. */
  readonly payments: readonly ReceiptPayment[]
  /** Last net: sees the device's own sum before the first payment; what it throws cancels the receipt. */
  readonly checkTotal?: (total: Money | null) => void
  /** True: everything is printed but paid, then the receipt is cancelled; the answer is empty. */
  readonly cancelled?: boolean
}

type OnDevice = Pick<Work<unknown, unknown>, 'printer' | 'facts' | 'progress'>

/** decisions 4: "Operator for calls that carry none". */
export function defaultOperator(printer: FiscalPrinter, { defaults }: ServiceFacts): Operator {
  const password = defaults.password ?? printer.capabilities.defaultPassword(defaults.operator)
  return { code: defaults.operator, password }
}

/** Prints the receipt and answers the number of the closed document. */
export async function printFiscalReceipt(receipt: FiscalReceipt, on: OnDevice): Promise<string> {
  const { printer, facts, progress } = on
  const opening = receipt.opening ?? {
    operator: defaultOperator(printer, facts),
    pointOfSale: facts.defaults.pointOfSale,
    invoice: false,
  }
  const allInCash = receipt.payments.length === 0
  const doubt = new Doubt()
  const documentBefore = await lastDocument(printer)
  checkLimits(receipt, printer)
  progress.begin('fiscalReceipt', { documentBefore, allInCash })
  try {
    progress.reach('opening')
    await doubt.of(printer.openFiscal(opening))
    progress.reach('filling')
    for (const one of receipt.items) await doubt.of(printFiscalItem(printer, one))
    if (receipt.subtotal) await doubt.of(printer.subtotal(receipt.subtotal))
    if (doubt.isThere) await checkRows(printer, receipt.items.filter(isSale).length)
    if (receipt.checkTotal) receipt.checkTotal((await printer.transactionStatus()).total)
    if (receipt.cancelled) return await cancelFilled(on, doubt)
    progress.reach('paying')
    for (const [index, payment] of receipt.payments.entries()) {
      await printPayment(printer, payment, doubt)
      // Before the next payment pays less because of it.
      if (doubt.isThere) await checkPaid(printer, receipt.payments.slice(0, index + 1))
    }
    if (allInCash) await doubt.of(printer.pay({ mode: CASH }))
    progress.reach('closing')
    return endedAs((await doubt.of(printer.closeFiscal())).receiptNumber, on)
  } catch (error) {
    return endedAs(await recoverFiscal(error, receipt, on, doubt.isThere), on)
  }
}

/** The device is reached by now, and so its own limits are known. */
function checkLimits(receipt: FiscalReceipt, { capabilities }: FiscalPrinter): void {
  const [beyond] = beyondReceipt(receipt, capabilities)
  if (beyond) throw new ServiceError(400, `${beyond.path} ${beyond.message}.`)
}

function endedAs(receiptNumber: string, { progress }: OnDevice): string {
  progress.closed(receiptNumber)
  return receiptNumber
}

/** A document that was asked for like any other: it is not printed again. */
async function cancelFilled({ printer, progress }: OnDevice, doubt: Doubt): Promise<string> {
  await doubt.of(printer.cancelFiscal())
  progress.closed()
  return ''
}

const isSale = ({ is }: FiscalItem): boolean => is === 'freeSale' || is === 'articleSale'

async function printPayment(
  printer: FiscalPrinter,
  { textsBefore = [], ...payment }: ReceiptPayment,
  doubt: Doubt,
): Promise<void> {
  for (const line of textsBefore) await doubt.of(printer.printFiscalText(line))
  await doubt.of(printer.pay(payment))
}

function printFiscalItem(printer: FiscalPrinter, item: FiscalItem): Promise<DeviceAnswer> {
  switch (item.is) {
    case 'freeSale':
      return printer.sell(item.sale)
    case 'articleSale':
      return printer.sellArticle(item.sale)
    case 'subtotal':
      return printer.subtotal(item.subtotal)
    case 'text':
      return printer.printFiscalText(item.line)
    case 'barcode':
    case 'separatingLine':
      return printElement(printer, item)
  }
}

function printElement(printer: FiscalPrinter, item: Exclude<NonFiscalItem, { is: 'text' }>): Promise<DeviceAnswer> {
  return item.is === 'barcode' ? printer.printBarcode(item.barcode) : printer.printSeparatingLine(item.style)
}

/** A failed opening whose failure is certain leaves no receipt of ours: what is open belongs to somebody else. */
const certainlyNotOpened = (error: unknown, on: OnDevice, isInDoubt: boolean): boolean =>
  !isInDoubt && on.progress.record.stage === 'opening' && failureOf(error).effect === 'nothing'

/** Cancels or completes what was begun; answers the number when the receipt is as it was asked for. */
async function recoverFiscal(
  error: unknown,
  receipt: FiscalReceipt,
  on: OnDevice,
  isInDoubt: boolean,
): Promise<string> {
  if (certainlyNotOpened(error, on, isInDoubt)) throw error
  const { record } = on.progress
  let settled: Settled
  try {
    settled = await settle(on.printer, record, (stage) => on.progress.reach(stage))
  } catch (second) {
    throw await unsettled(error, second, on, record.stage === 'paying' || record.stage === 'closing')
  }
  const { status, message } = failureOf(error)
  switch (settled.became) {
    case 'closed': {
      const asAsked = receipt.payments.length === 0 || (record.stage === 'closing' && !settled.paidRest)
      if (asAsked) return settled.receiptNumber
      const rest = settled.paidRest ? ' The rest was paid in cash.' : ''
      throw new ServiceError(
        status,
        `${COMPLETED} ${settled.receiptNumber}: ${withoutRepeat(plain(message))}${rest}`,
        'printed',
      )
    }
    case 'cancelled':
      throw new ServiceError(status, `${plain(message)} The receipt was cancelled.`)
    case 'done':
    case 'nothing':
      throw new ServiceError(status, `${plain(message)} No receipt was printed.`)
  }
}

/** The outcome is known by now: the message must not begin as if it were not. */
const plain = (message: string): string =>
  message.replace(/^Outcome unknown: *(\w?)/, (_, first: string) => first.toUpperCase())

/**
 * Neither the request nor its clearing up came through: the next request does it first (service.ts). A device that
 * answers, and only cannot print, is asked what stands.
 */
async function unsettled(
  first: unknown,
  second: unknown,
  { printer, progress }: OnDevice,
  mayExist: boolean,
): Promise<ServiceError> {
  const { status, message } = failureOf(first)
  const [why, also] = [plain(message), plain(failureOf(second).message)]
  const reasons = why === also ? why : `${why} ${also}`
  const now = isSilence(second) ? undefined : await standing(printer, progress.record)
  if (now?.stands === 'paid') {
    progress.owes(now.receiptNumber)
    return owed(status, now.receiptNumber, reasons)
  }
  if (mayExist && now === undefined) {
    const promise = `What became of the receipt is settled before the next request. ${REPEAT_ONLY_WITH_KEY}`
    return outcomeUnknown(`${withoutRepeat(reasons)} ${promise}`)
  }
  const promise = 'The receipt that was begun is cancelled before the next request; nothing was sold.'
  return new ServiceError(status, `${reasons} ${promise}`, 'unknown')
}

/** Prints all items on a non-fiscal receipt of its own; answers what the device says to the close. */
export async function printNonFiscalReceipt(
  items: readonly NonFiscalItem[],
  on: OnDevice,
  { cancelled = false }: { readonly cancelled?: boolean } = {},
): Promise<string> {
  const { printer, facts, progress } = on
  const operator = printer.capabilities.nonFiscalNeedsOperator ? defaultOperator(printer, facts) : undefined
  const doubt = new Doubt()
  progress.begin('nonFiscalReceipt', { documentBefore: await lastDocument(printer) })
  try {
    progress.reach('opening')
    await doubt.of(printer.openNonFiscal(operator))
    progress.reach('filling')
    for (const one of items) {
      await doubt.of(one.is === 'text' ? printer.printNonFiscalText(one.line) : printElement(printer, one))
    }
    progress.reach('closing')
    const { text } = await doubt.of(cancelled ? printer.cancelNonFiscal() : printer.closeNonFiscal())
    progress.closed()
    return text
  } catch (error) {
    const answer = await recoverNonFiscal(error, on, doubt.isThere)
    progress.closed()
    return answer
  }
}

async function recoverNonFiscal(error: unknown, on: OnDevice, isInDoubt: boolean): Promise<string> {
  if (certainlyNotOpened(error, on, isInDoubt)) throw error
  const { record } = on.progress
  let settled: Settled
  try {
    settled = await settle(on.printer, record, (stage) => on.progress.reach(stage))
  } catch (second) {
    throw await unsettled(error, second, on, record.stage === 'closing')
  }
  const { status, message } = failureOf(error)
  switch (settled.became) {
    case 'done':
    case 'closed':
      return ''
    case 'cancelled':
      throw new ServiceError(status, `${plain(message)} The receipt was cancelled.`)
    case 'nothing':
      throw new ServiceError(status, `${plain(message)} No receipt was printed.`)
  }
}

/** close-fiscal-receipt: the number is read back when the close's own answer was lost. */
export async function closeFiscalReceipt(on: OnDevice & Pick<Work<unknown, unknown>, 'unheardClose'>): Promise<string> {
  const { printer, progress, unheardClose } = on
  // Asked first, so that a receipt that was never open is not taken for one that has just been closed.
  const { isOpen, kind } = await printer.transactionStatus()
  // Asked for once more by somebody who was not told: nothing has been printed since.
  if (!isOpen && unheardClose !== undefined && String(await lastDocument(printer)) === unheardClose) return unheardClose
  if (isOpen && kind !== 'NonFiscal') {
    progress.begin('closeFiscal')
    progress.reach('closing')
  }
  try {
    return (await printer.closeFiscal()).receiptNumber
  } catch (error) {
    if (progress.record.stage === 'before') throw error
    const settled = await settleAfter(error, on)
    if (settled.became === 'closed') return settled.receiptNumber
    throw known(error, 'The receipt is still open.')
  }
}

/** What became of a single command that failed. While the device cannot be asked, silence means: nobody knows. */
async function settleAfter(error: unknown, { printer, progress }: OnDevice): Promise<Settled> {
  try {
    return await settle(printer, progress.record, (stage) => progress.reach(stage))
  } catch {
    throw isRefusal(error)
      ? error
      : outcomeUnknown(`${plain(failureOf(error).message)} It is settled before the next request.`)
  }
}

/** An error whose outcome was open says now what it is. */
function known(error: unknown, outcome: string): unknown {
  const { status, message, effect } = failureOf(error)
  return effect === 'unknown' ? new ServiceError(status, `${plain(message)} ${outcome}`) : error
}

/** One command that ends in a document of its own. `readBack`: what the device can tell when its answer is lost. */
export async function closingDocument<A extends Performed, D extends Data>(
  on: OnDevice,
  act: (printer: FiscalPrinter) => Promise<A>,
  say: (answer: A) => D,
  readBack?: ReadBack,
): Promise<D> {
  const { printer, progress } = on
  const documentBefore = await lastDocument(printer)
  const doubt = new Doubt()
  progress.begin('document', { documentBefore, ...(readBack && { readBack }) })
  progress.reach('closing')
  let data: D
  try {
    data = say(await doubt.of(act(printer)))
  } catch (error) {
    // In a request whose own document is closed already, the record is about that one.
    if (isRefusal(error) || progress.record.stage === 'done') throw error
    const settled = await settleAfter(error, on)
    if (settled.became !== 'done') throw known(error, 'Nothing of it was carried out.')
    progress.printed()
    return settled.data as D
  }
  progress.printed()
  if (doubt.isThere) await checkDocuments(printer, documentBefore)
  return data
}
