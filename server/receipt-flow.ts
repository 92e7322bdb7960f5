/**
 * Complete receipts (specification 4.5, decisions 3): open, items, subtotal, payments, close as one unit. Nothing here
 * adds up amounts: an automatic payment names no amount, so the device pays its own sum.
 */
import type { Money } from '../drivers/model/money.ts'
import type { DeviceAnswer, FiscalPrinter } from '../drivers/model/printer.ts'
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
import type { ServiceFacts, Work } from './endpoint.ts'
import { beyondReceipt } from './limits.ts'
import { refusal, ServiceError } from './outcome.ts'
import { checkPaid, checkRows, Repeats } from './recovery/repeats.ts'
import { rescueReceipt } from './recovery/rescue.ts'
import { CASH, lastDocument } from './recovery/settle.ts'

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
  /** Last net: compared with the device's own sum before the first payment; a difference cancels the receipt. */
  readonly expectedTotal?: { readonly amount: Money; readonly tolerance: Money }
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
  const repeats = new Repeats()
  const documentBefore = await lastDocument(printer)
  checkLimits(receipt, printer)
  progress.begin('fiscalReceipt', { documentBefore, allInCash })
  try {
    progress.reach('opening')
    await repeats.of(printer.openFiscal(opening))
    progress.reach('filling')
    for (const one of receipt.items) await repeats.of(printFiscalItem(printer, one))
    if (receipt.subtotal) await repeats.of(printer.subtotal(receipt.subtotal))
    if (repeats.any) await checkRows(printer, receipt.items.filter(isSale).length)
    if (receipt.expectedTotal !== undefined) await checkTotal(printer, receipt.expectedTotal)
    if (receipt.cancelled) return await cancelFilled(on, repeats)
    progress.reach('paying')
    for (const [index, payment] of receipt.payments.entries()) {
      await printPayment(printer, payment, repeats)
      // Before the next payment pays less because of it.
      if (repeats.any) await checkPaid(printer, receipt.payments.slice(0, index + 1))
    }
    if (allInCash) await repeats.of(printer.pay({ mode: CASH }))
    progress.reach('closing')
    return endedAs((await repeats.of(printer.closeFiscal())).receiptNumber, on)
  } catch (error) {
    return endedAs(await rescueReceipt(error, on, repeats.any), on)
  }
}

/** The device is reached by now, and so its own limits are known. */
function checkLimits(receipt: FiscalReceipt, { capabilities }: FiscalPrinter): void {
  const [beyond] = beyondReceipt(receipt, capabilities)
  if (beyond) throw refusal(400, `${beyond.path} ${beyond.message}.`)
}

async function checkTotal(
  printer: FiscalPrinter,
  { amount: expected, tolerance }: NonNullable<FiscalReceipt['expectedTotal']>,
): Promise<void> {
  const { total: device } = await printer.transactionStatus()
  if (device === null || Math.abs(device - expected) <= tolerance) return
  throw new ServiceError({ status: 400, effect: 'nothing', reasons: [{ kind: 'totalDiffers', device, expected }] })
}

function endedAs(receiptNumber: string, { progress }: OnDevice): string {
  progress.closed(receiptNumber)
  return receiptNumber
}

/** A document that was asked for like any other: it is not printed again. */
async function cancelFilled({ printer, progress }: OnDevice, repeats: Repeats): Promise<string> {
  await repeats.of(printer.cancelFiscal())
  progress.closed()
  return ''
}

const isSale = ({ is }: FiscalItem): boolean => is === 'freeSale' || is === 'articleSale'

async function printPayment(
  printer: FiscalPrinter,
  { textsBefore = [], ...payment }: ReceiptPayment,
  repeats: Repeats,
): Promise<void> {
  for (const line of textsBefore) await repeats.of(printer.printFiscalText(line))
  await repeats.of(printer.pay(payment))
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

/** Prints all items on a non-fiscal receipt of its own; answers what the device says to the close. */
export async function printNonFiscalReceipt(
  items: readonly NonFiscalItem[],
  on: OnDevice,
  { cancelled = false }: { readonly cancelled?: boolean } = {},
): Promise<string> {
  const { printer, facts, progress } = on
  const operator = printer.capabilities.nonFiscalNeedsOperator ? defaultOperator(printer, facts) : undefined
  const repeats = new Repeats()
  progress.begin('nonFiscalReceipt', { documentBefore: await lastDocument(printer) })
  try {
    progress.reach('opening')
    await repeats.of(printer.openNonFiscal(operator))
    progress.reach('filling')
    for (const one of items) {
      await repeats.of(one.is === 'text' ? printer.printNonFiscalText(one.line) : printElement(printer, one))
    }
    progress.reach('closing')
    const { text } = await repeats.of(cancelled ? printer.cancelNonFiscal() : printer.closeNonFiscal())
    progress.closed()
    return text
  } catch (error) {
    const answer = await rescueReceipt(error, on, repeats.any)
    progress.closed()
    return answer
  }
}
