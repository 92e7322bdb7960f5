/**
 * Complete receipts (specification 4.5, decisions 3): open, items, subtotal, payments, close as one unit. Nothing here
 * adds up amounts: an automatic payment names no amount, so the device pays its own sum.
 */
import { DeviceError } from '../drivers/model/errors.ts'
import type { Money } from '../drivers/model/money.ts'
import type { DeviceAnswer, FiscalPrinter } from '../drivers/model/printer.ts'
import type {
  ArticleSale,
  Barcode,
  FiscalOpening,
  FreeSale,
  Operator,
  SeparatingLine,
  Subtotal,
  TextLine,
} from '../drivers/model/receipt.ts'
import type { OnDevice, ServiceFacts, Work } from './endpoint.ts'
import { beyondReceipt } from './limits.ts'
import { refusal, ServiceError, said } from './outcome.ts'
import { doubtfulText, elementsStand } from './recovery/doubtful.ts'
import { isCertain } from './recovery/failed-call.ts'
import { checkHeld, heldSince } from './recovery/held.ts'
import { begin, CASH, shortfall } from './recovery/paying.ts'
import type { Doubtful, ReceiptPayment, Settlement } from './recovery/progress.ts'
import { numberOf } from './recovery/proof.ts'
import { carryOutOnce, checkPaid, checkRows, Repeats } from './recovery/repeats.ts'
import { rescueReceipt } from './recovery/rescue.ts'
import { type ClosedAs, COMPLETED, evidenceBefore, evidenceBeforeReceipt } from './recovery/settle.ts'
import { rowOf } from './recovery/steps.ts'

export type { ReceiptPayment } from './recovery/progress.ts'

export type NonFiscalItem =
  | { readonly is: 'text'; readonly line: TextLine }
  | { readonly is: 'barcode'; readonly barcode: Barcode }
  | { readonly is: 'separatingLine'; readonly style: SeparatingLine }

export type FiscalItem =
  | { readonly is: 'freeSale'; readonly sale: FreeSale }
  | { readonly is: 'articleSale'; readonly sale: ArticleSale }
  | { readonly is: 'subtotal'; readonly subtotal: Subtotal }
  | NonFiscalItem

export interface FiscalReceipt {
  /** Absent: the operator of the configuration, no invoice. */
  readonly opening?: FiscalOpening
  readonly items: readonly FiscalItem[]
  readonly subtotal?: Subtotal
  /** Empty: the whole remaining sum in cash. */
  readonly payments: readonly ReceiptPayment[]
  /** Last net: compared with the device's own sum before the first payment; a difference cancels the receipt. */
  readonly expectedTotal?: { readonly amount: Money; readonly tolerance: Money }
  /** True: its parts have the names that print-fiscal-receipt has for them. */
  readonly named?: boolean
  /** True: everything is printed but paid, then the receipt is cancelled; the answer is empty. */
  readonly cancelled?: boolean
}

/** What a receipt is printed with: the device, how far it has got there, and the defaults of the configuration. */
export type Printing = OnDevice & Pick<Work<unknown, unknown>, 'facts'>

/** decisions 4: "Operator for calls that carry none". */
export function defaultOperator(printer: FiscalPrinter, { defaults }: ServiceFacts): Operator {
  const password = defaults.password ?? printer.capabilities.defaultPassword(defaults.operator)
  return { code: defaults.operator, password }
}

/** A failure is rescued on the line that there is then: what is printed goes on only on the one on which it began. */
const whileHeld = (on: Printing): Printing => ({
  ...on,
  printer: heldSince(on.printer, () => on.progress.record.before),
})

/** Prints the receipt and answers the number of the closed document. */
export async function printFiscalReceipt(receipt: FiscalReceipt, rescuing: Printing): Promise<string> {
  const on = whileHeld(rescuing)
  const { printer, facts, progress } = on
  const { payments } = receipt
  const repeats = new Repeats()
  const { before, isRemembered } = await evidenceBeforeReceipt(on)
  // The device is reached by now, and has told its limits and its edition, to which the password belongs.
  checkLimits(receipt, printer)
  const opening = receipt.opening ?? {
    operator: defaultOperator(printer, facts),
    pointOfSale: facts.defaults.pointOfSale,
    invoice: false,
  }
  const { cancelled = false } = receipt
  progress.begin('fiscalReceipt', {
    ...(isRemembered && { isRemembered }),
    ...{ before, settlement: { total: null, payments, begun: 0 } },
    rows: receipt.items.filter(isSale).map(({ sale }) => rowOf(sale)),
    ...(isAdjusted(receipt) && { isAdjusted: true }),
    ...(cancelled && { cancels: true }),
  })
  let number: string
  try {
    progress.reach('opening')
    const at = receipt.named ? inPart : unnamed
    const { document } = await repeats.of(
      at(receipt.opening ? 'OpenFiscalReceipt' : undefined, printer.openFiscal(opening)),
    )
    progress.reach('filling', numbered(document, on))
    await checkNext(document, on)
    const noting = notingOn(receipt.items, on, payments)
    const filling = { ...on, repeats, noting, countsRows: !takesBack(receipt.items) }
    for (const [index, one] of receipt.items.entries()) {
      await at(`ReceiptItems[${index}]`, printFiscalItem(one, filling))
    }
    if (receipt.subtotal) await at('Subtotal', printSubtotal(receipt.subtotal, filling))
    const total = await checkedTotal(receipt, on, repeats)
    if (cancelled) return await cancelFilled(on, repeats)
    await payAll({ total, payments, begun: 0, ...textsForPayments(receipt) }, on, { repeats, at, noting })
    progress.reach('closing')
    number = (await repeats.of(printer.closeFiscal())).receiptNumber
  } catch (error) {
    if (isRemembered && progress.record.stage === 'opening' && isCertain(error)) await askAgain(on)
    const rescued = await rescueReceipt(error, rescuing, repeats.any)
    return cancelled ? cancelledAs(on) : endedAs(rescued, on)
  }
  checkNumber(number, on)
  const as = await elementsStand(printer, progress.record, Number(number))
  endedAs(number, on, as)
  if (as !== 'asked') throw notQuiteAsAsked(as, number)
  return number
}

/** Another program may have ended the receipt in the middle of this request, and have opened its own. Throws ServiceError. */
function checkNumber(closed: string, { progress }: OnDevice): void {
  const { document } = progress.record
  if (document === undefined || closed === String(document)) return
  const what =
    `document ${document} was opened for it, and the device has closed ${closed}: ` +
    'another program has ended the one and opened the other meanwhile. Compare both papers.'
  throw new ServiceError({ status: 424, effect: 'undecided', reasons: [said(what)] })
}

/** What is to be done when the command of an element without a sum was written again. */
type Noting = (element: Pick<Doubtful, 'is' | 'text'>) => () => void

/** It is written down: only the journal of the device tells whether it stands twice. */
const notingOn =
  (items: readonly FiscalItem[], { progress }: OnDevice, payments: readonly ReceiptPayment[] = []): Noting =>
  ({ is, text }) =>
  () =>
    progress.wroteAgain(
      is === 'text'
        ? doubtfulText(text, textsOf(items, payments))
        : { is, text, times: is === 'barcode' ? items.filter(isBarcode(text)).length : 1 },
    )

const isBarcode = (data: string) => (item: FiscalItem) => item.is === 'barcode' && item.barcode.data === data

const textIn = (item: FiscalItem): string | undefined => (item.is === 'text' ? item.line.text : undefined)

/** For whoever goes on with its payments. */
const textsForPayments = ({ items, payments }: FiscalReceipt): Pick<Settlement, 'texts'> =>
  payments.some(({ textsBefore = [] }) => textsBefore.length > 0) ? { texts: textsOf(items, payments) } : {}

const textsOf = (items: readonly FiscalItem[], payments: readonly ReceiptPayment[] = []): readonly string[] => [
  ...items.flatMap((item) => textIn(item) ?? []),
  ...payments.flatMap(({ textsBefore = [] }) => textsBefore.map(({ text }) => text)),
]

/** The receipt exists, and is not quite as it was asked for. */
const notQuiteAsAsked = (as: keyof typeof COMPLETED, receiptNumber: string): ServiceError =>
  new ServiceError({ status: 424, effect: COMPLETED[as], receiptNumber, reasons: [] })

type InPart = <T>(path: string | undefined, work: Promise<T>) => Promise<T>

const unnamed: InPart = (_path, work) => work

/** A refusal of the device names the part of the request that it is about. */
const inPart: InPart = (path, work) =>
  work.catch((error: unknown) => {
    throw error instanceof DeviceError && PARTLY.has(error.problem.kind)
      ? new DeviceError(error.problem, error.repeated, path)
      : error
  })

const PARTLY: ReadonlySet<string> = new Set(['refused', 'badValue', 'unsupported'])

/** The number that the device has given, or must have given, to the document that is open now. */
function numbered(number: number | null, { progress }: OnDevice): { readonly document?: number } {
  const document = number ?? numberOf(progress.record)
  return document === undefined ? {} : { document }
}

/**
 * The number that the device gives to a receipt shows that something else was printed since the operation before, by hand,
 * by another program, or that another device stands there: then what is known of it is asked for behind the opening.
 */
async function checkNext(given: number | null, { printer, progress }: OnDevice): Promise<void> {
  const { before, isRemembered } = progress.record
  if (before === null || before.lastDocument === null || before.open || given === before.lastDocument + 1) return
  if (given === null && !isRemembered) return
  const { open, lastDocument, ...now } = await printer.evidence()
  const number = given ?? open?.number ?? lastDocument
  if (number === null) return
  progress.reach('filling', { before: { ...now, open: null, lastDocument: number - 1 }, document: number })
}

/** A device that does not open a receipt may have another one open, which nobody had to know of until now. */
async function askAgain({ printer, progress }: OnDevice): Promise<void> {
  progress.reach('opening', { before: await evidenceBefore(printer) })
}

function checkLimits(receipt: FiscalReceipt, { capabilities }: FiscalPrinter): void {
  const [beyond] = beyondReceipt(receipt, capabilities)
  if (beyond) throw refusal(400, `${beyond.path} ${beyond.message}.`)
}

/**
 * The device's own sum before the first payment, where something depends on it: what was sold, what the order comes to,
 * what is offered. Throws ServiceError.
 */
async function checkedTotal(
  { items, payments, expectedTotal }: FiscalReceipt,
  { printer, progress }: OnDevice,
  repeats: Repeats,
): Promise<Money | null> {
  if (payments.length === 0 && expectedTotal === undefined && !repeats.any) return null
  const { open } = await printer.evidence({ of: progress.record.before })
  if (repeats.any && !takesBack(items)) checkRows(open, items.filter(isSale).length)
  const total = open?.total ?? null
  if (total === null) return null
  if (expectedTotal !== undefined) checkExpected(total, expectedTotal)
  const problem = payments.length === 0 ? undefined : shortfall(payments, total)
  if (problem) throw refusal(400, problem.text, problem.path)
  return total
}

function checkExpected(
  device: Money,
  { amount: expected, tolerance }: NonNullable<FiscalReceipt['expectedTotal']>,
): void {
  if (Math.abs(device - expected) <= tolerance) return
  throw new ServiceError({ status: 400, effect: 'nothing', reasons: [{ kind: 'totalDiffers', device, expected }] })
}

async function payAll(
  undertaken: Settlement,
  on: OnDevice,
  { repeats, at, noting }: { readonly repeats: Repeats; readonly at: InPart; readonly noting: Noting },
): Promise<void> {
  const { printer, progress } = on
  const { payments } = undertaken
  for (const [index, { textsBefore = [], ...payment }] of payments.entries()) {
    const begun = index + 1
    const settlement = begin(undertaken, begun)
    const part = <T>(work: Promise<T>) => at(`Payments[${index}]`, work)
    checkHeld(printer, progress.record.before)
    progress.reach('paying', { settlement })
    for (const { text, ...line } of textsBefore)
      await part(repeats.of(printer.printFiscalText({ ...line, text }), noting({ is: 'text', text })))
    if (textsBefore.length > 0) progress.reach('paying', { settlement: { ...settlement, textsPrinted: true } })
    await part(repeats.of(printer.pay(payment)))
    // Before the next payment pays less because of it.
    if (repeats.any) await checkPaid(on, payments.slice(0, begun))
  }
  if (payments.length > 0) return
  checkHeld(printer, progress.record.before)
  progress.reach('paying', { settlement: begin(undertaken, 1) })
  await repeats.of(printer.pay({ mode: CASH }))
}

function endedAs(receiptNumber: string, { progress }: OnDevice, as?: ClosedAs): string {
  progress.closed(receiptNumber, as)
  return receiptNumber
}

/** A document that was asked for like any other: it is not printed again. */
async function cancelFilled(on: OnDevice, repeats: Repeats): Promise<string> {
  on.progress.reach('closing')
  await repeats.of(on.printer.cancelFiscal())
  return cancelledAs(on)
}

function cancelledAs({ progress }: OnDevice): string {
  progress.closed()
  return ''
}

const isSale = (item: FiscalItem): item is Extract<FiscalItem, { is: 'freeSale' | 'articleSale' }> =>
  item.is === 'freeSale' || item.is === 'articleSale'

const isAdjusted = ({ items, subtotal }: FiscalReceipt): boolean =>
  subtotal?.adjustment !== undefined || items.some((item) => item.is === 'subtotal' && item.subtotal.adjustment)

/** Some devices take a row that is taken back off their count, others count it. */
const takesBack = (items: readonly FiscalItem[]): boolean => items.some((item) => isSale(item) && item.sale.void)

interface Filling extends OnDevice {
  readonly repeats: Repeats
  readonly noting: Noting
  /** All its rows are counted once, behind the last of them. */
  readonly countsRows: boolean
}

async function printFiscalItem(item: FiscalItem, filling: Filling): Promise<void> {
  const { printer, repeats, noting } = filling
  switch (item.is) {
    case 'freeSale':
      return printSale(() => printer.sell(item.sale), filling)
    case 'articleSale':
      return printSale(() => printer.sellArticle(item.sale), filling)
    case 'subtotal':
      return printSubtotal(item.subtotal, filling)
    case 'text':
      await repeats.of(printer.printFiscalText(item.line), noting(elementOf(item)))
      return
    case 'barcode':
    case 'separatingLine':
      await repeats.of(printElement(printer, item), noting(elementOf(item)))
  }
}

async function printSale(act: () => Promise<DeviceAnswer>, filling: Filling): Promise<void> {
  const { repeats, countsRows } = filling
  if (!countsRows) return carryOutOnce({ does: 'sale' }, act, filling, repeats)
  await repeats.of(act())
}

async function printSubtotal(subtotal: Subtotal, filling: Filling): Promise<void> {
  const { printer, repeats, noting } = filling
  const act = () => printer.subtotal(subtotal)
  if (subtotal.adjustment) return carryOutOnce({ does: 'subtotal', subtotal }, act, filling, repeats)
  await repeats.of(act(), subtotal.print ? noting({ is: 'subtotal', text: '' }) : undefined)
}

function elementOf(item: NonFiscalItem): Pick<Doubtful, 'is' | 'text'> {
  const { is } = item
  return { is, text: is === 'text' ? item.line.text : is === 'barcode' ? item.barcode.data : '' }
}

function printElement(printer: FiscalPrinter, item: Exclude<NonFiscalItem, { is: 'text' }>): Promise<DeviceAnswer> {
  return item.is === 'barcode' ? printer.printBarcode(item.barcode) : printer.printSeparatingLine(item.style)
}

/** Prints all items on a non-fiscal receipt of its own; answers what the device says to the close. */
export async function printNonFiscalReceipt(
  items: readonly NonFiscalItem[],
  rescuing: Printing,
  { cancelled = false, named = false }: { readonly cancelled?: boolean; readonly named?: boolean } = {},
): Promise<string> {
  const on = whileHeld(rescuing)
  const { printer, facts, progress } = on
  const operator = printer.capabilities.nonFiscalNeedsOperator ? defaultOperator(printer, facts) : undefined
  const repeats = new Repeats()
  const { before, isRemembered } = await evidenceBeforeReceipt(on)
  progress.begin('nonFiscalReceipt', {
    before,
    ...(isRemembered && { isRemembered }),
    // For whoever has to tell a line of the request from one that says that it is void.
    settlement: { total: null, payments: [], begun: 0, texts: textsOf(items) },
    ...(cancelled && { cancels: true }),
  })
  let answer: string
  try {
    progress.reach('opening')
    const { document } = await repeats.of(printer.openNonFiscal(operator))
    progress.reach('filling', numbered(document, on))
    await checkNext(document, on)
    const at = named ? inPart : unnamed
    const noting = notingOn(items, on)
    for (const [index, one] of items.entries()) {
      const work = one.is === 'text' ? printer.printNonFiscalText(one.line) : printElement(printer, one)
      await repeats.of(at(`ReceiptItems[${index}]`, work), noting(elementOf(one)))
    }
    progress.reach('closing')
    answer = (await repeats.of(cancelled ? printer.cancelNonFiscal() : printer.closeNonFiscal())).text
  } catch (error) {
    if (isRemembered && progress.record.stage === 'opening' && isCertain(error)) await askAgain(on)
    answer = await rescueReceipt(error, rescuing, repeats.any)
    progress.closed()
    return answer
  }
  const { document = 0 } = progress.record
  const as = cancelled ? 'asked' : await elementsStand(printer, progress.record, document)
  progress.closed()
  if (as !== 'asked') throw notQuiteAsAsked(as, String(document))
  return answer
}
