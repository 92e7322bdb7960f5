import { formatMoney, type Money, ONE } from '../../drivers/model/money.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Adjustment, ArticleSale, FiscalOpening } from '../../drivers/model/receipt.ts'
import { paymentViolations } from '../limits.ts'
import { outcomeOf } from '../operations/outcome.ts'
import type { FiscalItem, FiscalReceipt } from '../receipt.ts'
import { type OrderLine, type Row, rowsOf } from './lines.ts'
import type { MappedOrder } from './map.ts'
import type { Mapping, OrderArticle } from './mapping.ts'
import { cleanText } from './platform-values.ts'
import { badRequest } from './refusal.ts'

/**
 * Converts a mapped order to a receipt of the connected device (platform orders 5.2, 5.6; decisions 3): to free sales
 * or configured articles, and to a text for a row of 0.00 that the device refuses. May query the device for prices of
 * articles, before a receipt is opened.
 */
export async function receiptOf(
  order: MappedOrder,
  mapping: Mapping,
  printer: FiscalPrinter,
  opening: FiscalOpening | undefined,
): Promise<FiscalReceipt> {
  const items: FiscalItem[] = []
  if (order.heading !== undefined) items.push(textRow(order.heading))
  for (const line of order.lines) {
    for (const row of rowsOf(line)) items.push(await itemOf(line, row, mapping, printer))
    const sku = cleanText(line.sku ?? '')
    if (mapping.skuText && sku !== '') items.push(textRow(`SKU ${sku}`))
  }
  return {
    items,
    payments: order.payments,
    ...(opening && { opening }),
    expectedTotal: { amount: order.total, tolerance: 0 },
  }
}

const textRow = (text: string): FiscalItem => ({ is: 'text', line: { text } })

/** Throws for an order that this device certainly cannot print. Sends no query. */
export function checkDevice(order: MappedOrder, mapping: Mapping, printer: FiscalPrinter): void {
  checkPayments(order, printer)
  if (printer.capabilities.freeSale === true) return
  for (const line of order.lines) {
    if (line.total > 0 && !articleFor(line, mapping.plu)) throw withoutArticle(line)
  }
}

/**
 * Returns the error for a total that differs from the order's (platform orders 5.7). Other errors are returned
 * unchanged.
 */
export function orderFailure(error: unknown): unknown {
  const { effect, reasons } = outcomeOf(error)
  const [reason] = reasons
  if (effect !== 'cancelled' || reason?.kind !== 'totalDiffers') return error
  const [device, order] = [formatMoney(reason.device), formatMoney(reason.expected)]
  return badRequest(`device total ${device} differs from order total ${order}; the receipt was cancelled`)
}

function checkPayments({ payments }: MappedOrder, { capabilities }: FiscalPrinter): void {
  for (const payment of payments) {
    if (!capabilities.paymentModes.some((one) => one.mode === payment.mode)) {
      throw badRequest(`payment mode ${payment.mode} does not exist on this device`)
    }
    const [violation] = paymentViolations(payment, capabilities)
    if (violation) throw badRequest(`a payment ${violation.message}`)
  }
}

async function itemOf(line: OrderLine, row: Row, mapping: Mapping, printer: FiscalPrinter): Promise<FiscalItem> {
  const { capabilities } = printer
  const isZero = row.price * row.pieces === 0
  if (isZero && (capabilities.refusesZeroRows || mapping.zeroNetLines === 'text')) {
    return textRow(`${row.pieces} x ${line.name} 0.00`)
  }
  if (capabilities.freeSale !== true) return { is: 'articleSale', sale: await articleSale(line, row, mapping, printer) }
  return {
    is: 'freeSale',
    sale: {
      name: line.name,
      taxCode: line.taxCode,
      price: row.price,
      quantity: row.pieces * ONE,
      department: mapping.department,
      unit: mapping.unit,
      void: false,
      ...(row.adjustment && { adjustment: row.adjustment }),
    },
  }
}

export async function articleDifference(
  { lines }: MappedOrder,
  { plu: table }: Mapping,
  printer: FiscalPrinter,
): Promise<string | undefined> {
  if (printer.capabilities.freeSale === true) return undefined
  const codes = new Map<number, number | undefined>()
  for (const line of lines) {
    const plu = line.total > 0 ? articleFor(line, table)?.plu : undefined
    if (plu === undefined) continue
    if (!codes.has(plu)) codes.set(plu, (await printer.article?.(plu))?.taxCode)
    const code = codes.get(plu)
    if (code === undefined || code === line.taxCode) continue
    const difference = `article ${plu} has tax code ${code} in the device, ${line.label} needs tax code ${line.taxCode}`
    return `${difference}; program the device or change platform.mapping.plu`
  }
  return undefined
}

const articleFor = (line: OrderLine, plu: readonly OrderArticle[]): OrderArticle | undefined =>
  plu.find(({ title }) => title !== undefined && title === line.title) ??
  plu.find(({ title, sku }) => title === undefined && sku !== undefined && sku === line.sku) ??
  plu.find(({ title, sku, taxCode }) => title === undefined && sku === undefined && taxCode === line.taxCode)

/**
 * Returns the sale of an article at the price of the row. If the wire protocol has no price in a sale, the difference
 * to the programmed price becomes a discount or surcharge.
 */
async function articleSale(line: OrderLine, row: Row, mapping: Mapping, printer: FiscalPrinter): Promise<ArticleSale> {
  const article = articleFor(line, mapping.plu)
  if (!article) throw withoutArticle(line)
  const { plu } = article
  const common = { plu, quantity: row.pieces * ONE, void: false }
  if (printer.capabilities.articlePrice?.(plu)) {
    return { ...common, price: row.price, ...(row.adjustment && { adjustment: row.adjustment }) }
  }
  const programmed = article.price ?? (await printer.article?.(plu))?.price
  if (programmed === undefined) throw withoutArticle(line)
  const correction = amountOf(signedTotal(row) - programmed * row.pieces)
  return { ...common, ...(correction && { adjustment: correction }) }
}

const withoutArticle = ({ label }: OrderLine): Error =>
  badRequest(`${label} has no programmed PLU; free sales are not supported on this device`)

function signedTotal({ price, pieces, adjustment }: Row): Money {
  const gross = price * pieces
  if (!adjustment) return gross
  return adjustment.kind === 'discount' ? gross - adjustment.amount : gross + adjustment.amount
}

const amountOf = (difference: Money): Adjustment | undefined =>
  difference === 0 ? undefined : { kind: difference < 0 ? 'discount' : 'surcharge', amount: Math.abs(difference) }
