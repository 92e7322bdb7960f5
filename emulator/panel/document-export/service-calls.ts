/**
 * The calls of the REST service that print a document, derived from the requests in the books. Names are those of the
 * service's description (`GET /api/openapi.json`).
 */
import { exactNumber } from '../../../drivers/model/json.ts'
import { formatShort, type Money } from '../../../drivers/model/money.ts'
import type { Adjustment, Barcode, TextLine } from '../../../drivers/model/receipt.ts'
import type { FiscalDevice, PaperDocument } from '../../fiscal/api.ts'
import type { PrintRequest } from '../../fiscal/types/print-request.ts'
import type { ArticleSaleIntent, SaleRow, SubtotalIntent } from '../../fiscal/types/receipt.ts'

type Json = string | number | boolean | object

export interface ServiceCall {
  /** Path below `/api`, such as `/register-plu-sale`. */
  readonly path: string
  readonly body?: { readonly [name: string]: Json }
}

export interface DocumentExport {
  readonly calls: readonly ServiceCall[]
  /** Sentences about details that depend on the configuration of the service, or that the calls omit. */
  readonly remarks: readonly string[]
}

export class NoServiceCall extends Error {}

type RequestOf<Name extends PrintRequest['ask']> = Extract<PrintRequest, { readonly ask: Name }>
type Opening = RequestOf<'fiscal'>

/** Throws NoServiceCall. */
export function serviceCalls(device: FiscalDevice, { id, kind }: Pick<PaperDocument, 'id' | 'kind'>): DocumentExport {
  const steps = device.printedSteps(id)
  if (!steps)
    throw new NoServiceCall(`the service has no call that prints this: it is ${NAMES[kind] ?? 'another document'}`)
  const requests = steps.flatMap((step) => step.asked ?? [])
  const [first] = requests
  const remarks = requests.flatMap((one) => remarkOn(one))
  switch (first?.ask) {
    case 'reportX':
      return { calls: [{ path: '/report-x' }], remarks }
    case 'reportZ':
      return { calls: [{ path: '/report-z' }], remarks }
    case 'copy':
      return { calls: [{ path: '/copy-of-last-fiscal-receipt' }], remarks }
    case 'fiscal':
      return { calls: fiscalCalls(device, first, requests.slice(1), kind === 'cancelled'), remarks }
    case 'nonFiscal':
      return { calls: nonFiscalCalls(device, first, requests.slice(1)), remarks }
    default:
      throw new NoServiceCall('the request for this document is not stored')
  }
}

const NAMES: Readonly<Record<string, string>> = {
  service: 'cash in or out, or a list of the device',
  memory: 'a report of the fiscal memory',
  x: 'a report other than the daily one',
}

export function remarkOn(request: PrintRequest): readonly string[] {
  switch (request.ask) {
    case 'customer':
      return ['The customer is that of the configuration: defaults.customer.']
    case 'feed':
    case 'cut':
      return [`Omitted, the service has no call for it: ${request.ask === 'cut' ? 'a cut' : 'paper fed'}.`]
    case 'fiscal':
    case 'nonFiscal':
    case 'sale':
    case 'subtotal':
    case 'payment':
    case 'voidPayments':
    case 'text':
    case 'barcode':
    case 'separator':
    case 'reportX':
    case 'reportZ':
    case 'copy':
      return []
  }
}

function fiscalCalls(device: FiscalDevice, opening: Opening, requests: readonly PrintRequest[], isCancelled: boolean) {
  const begin = openingCall(device, opening)
  const steps = requests.filter(hasCall)
  return (
    (isCancelled ? undefined : inOneCall(device, openingBody(device, opening), steps)) ?? [
      ...begin,
      ...steps.map((step) => fiscalStep(device, step)),
      endingCall(isCancelled),
    ]
  )
}

export const hasCall = ({ ask }: PrintRequest): boolean => ask !== 'customer' && ask !== 'feed' && ask !== 'cut'

export function openingCall(device: FiscalDevice, opening: Opening): readonly ServiceCall[] {
  if (opening.kind === 'reversal') throw new NoServiceCall('the service has no call for a reversal')
  return [{ path: '/open-fiscal-receipt', body: openingBody(device, opening) }]
}

export const endingCall = (isCancelled: boolean): ServiceCall => ({
  path: isCancelled ? '/cancel-fiscal-receipt' : '/close-fiscal-receipt',
})

/**
 * Returns a single call if the steps have the form of a complete receipt: sales and texts, at most one subtotal,
 * payments.
 */
function inOneCall(device: FiscalDevice, begin: object, steps: readonly PrintRequest[]): ServiceCall[] | undefined {
  const end = steps.findIndex(({ ask }) => ask === 'subtotal' || ask === 'payment')
  if (end < 0) return undefined
  const items = steps.slice(0, end)
  const subtotals = steps.slice(end).filter((one) => one.ask === 'subtotal')
  const payments = steps.slice(end).filter((one) => one.ask === 'payment')
  const isInOrder = subtotals.length === 0 || (subtotals.length === 1 && steps[end]?.ask === 'subtotal')
  const isWhole = items.length + subtotals.length + payments.length === steps.length && payments.length > 0
  const sells = items.some((one) => one.ask === 'sale' && !one.row.void)
  if (!isInOrder || !isWhole || !sells) return undefined
  const [subtotal] = subtotals
  const body = {
    OpenFiscalReceipt: begin,
    ReceiptItems: items.map((one) => fiscalItem(device, one)),
    ...(subtotal && { Subtotal: subtotalBody(subtotal) }),
    Payments: payments.map(paymentBody),
  }
  return [{ path: '/print-fiscal-receipt', body }]
}

function fiscalItem(device: FiscalDevice, request: PrintRequest): object {
  if (request.ask !== 'sale') return element(request, { text: 2, barcode: 3, separator: 4 })
  return isOfArticle(request.row)
    ? { Type: 1, PluSale: articleBody(request) }
    : { Type: 0, FreeSale: freeSaleBody(device, request.row) }
}

export function fiscalStep(device: FiscalDevice, request: PrintRequest): ServiceCall {
  switch (request.ask) {
    case 'sale':
      return isOfArticle(request.row)
        ? { path: '/register-plu-sale', body: articleBody(request) }
        : { path: '/register-free-sale', body: freeSaleBody(device, request.row) }
    case 'subtotal':
      return { path: '/subtotal', body: subtotalBody(request) }
    case 'payment':
      return { path: '/payment', body: paymentBody(request) }
    case 'text':
      return { path: '/print-fiscal-text', body: textBody(request.line) }
    default:
      return onAnyReceipt(request)
  }
}

const isOfArticle = ({ plu }: SaleRow): boolean => plu !== 0

function openingBody({ registers }: FiscalDevice, { operator, pointOfSale, invoice }: Opening) {
  return {
    OperatorCode: operator,
    OperatorPassword: registers.operator(operator)?.password ?? '',
    PointOfSaleNumber: pointOfSale,
    Invoice: invoice,
  }
}

function articleBody({ row, ownPrice }: RequestOf<'sale'>) {
  if (ownPrice) throw new NoServiceCall(`the service sells article ${row.plu} at its programmed price only`)
  return { PluNumber: row.plu, ...quantityAndChange(row) }
}

export function freeSaleBody(
  { profile }: FiscalDevice,
  row: Pick<SaleRow, 'name' | 'taxCode' | 'price' | 'department' | 'unit'> & QuantityAndChange,
) {
  if (profile.articlesOnly) throw new NoServiceCall('the service sells programmed articles only on this family')
  const { name, taxCode, price, department, unit } = row
  return {
    ProductName: name,
    TaxCode: taxCode,
    Price: amount(price),
    Department: department,
    // The service requires a unit, but the device may have received none.
    Unit: unit === '' ? ' ' : unit,
    ...quantityAndChange(row),
  }
}

type QuantityAndChange = Pick<ArticleSaleIntent, 'quantity' | 'void' | 'adjustment'>

export const quantityAndChange = ({ quantity, void: isVoid, adjustment }: QuantityAndChange) => ({
  ...(isVoid && { Void: true }),
  Quantity: exactNumber(formatShort(quantity, 3)),
  ...adjustmentBody(adjustment),
})

export const subtotalBody = ({ display, adjustment }: Omit<SubtotalIntent, 'print'>) => ({
  Print: true,
  ...(display && { Display: true }),
  ...adjustmentBody(adjustment),
})

export const paymentBody = ({ mode, amount: tendered }: Pick<RequestOf<'payment'>, 'mode' | 'amount'>) => ({
  PaymentMode: mode,
  Amount: amount(tendered),
})

function adjustmentBody(adjustment: Adjustment | undefined) {
  if (!adjustment) return {}
  const isDiscount = adjustment.kind === 'discount'
  return 'percent' in adjustment
    ? { DiscountType: isDiscount ? 2 : 1, DiscountValue: amount(adjustment.percent) }
    : { DiscountType: isDiscount ? 4 : 3, DiscountValue: amount(adjustment.amount) }
}

const amount = (value: Money) => exactNumber(formatShort(value, 2))

function nonFiscalCalls(
  { registers }: FiscalDevice,
  { operator }: RequestOf<'nonFiscal'>,
  requests: readonly PrintRequest[],
) {
  const steps = requests.filter(({ ask }) => ask !== 'feed' && ask !== 'cut')
  const password = registers.operator(operator)?.password
  // Two wire protocols open a non-fiscal receipt without an operator.
  const begin = password === undefined ? {} : { body: { OperatorCode: operator, OperatorPassword: password } }
  return [
    { path: '/open-non-fiscal-receipt', ...begin },
    ...steps.map((step) =>
      step.ask === 'text' ? { path: '/print-non-fiscal-text', body: textBody(step.line) } : onAnyReceipt(step),
    ),
    { path: '/close-non-fiscal-receipt' },
  ]
}

function onAnyReceipt(request: PrintRequest): ServiceCall {
  switch (request.ask) {
    case 'barcode':
      return { path: '/print-bar-code', body: barcodeBody(request.barcode) }
    case 'separator':
      return { path: `/print-separating-line/${styleOf(request)}` }
    default:
      throw noCall(request)
  }
}

function element(request: PrintRequest, types: Readonly<Record<'text' | 'barcode' | 'separator', number>>): object {
  switch (request.ask) {
    case 'text':
      return { Type: types.text, Text: textBody(request.line) }
    case 'barcode':
      return { Type: types.barcode, BarCode: barcodeBody(request.barcode) }
    case 'separator':
      return { Type: types.separator, SeparatingLineType: styleOf(request) }
    default:
      throw noCall(request)
  }
}

const noCall = ({ ask }: PrintRequest): NoServiceCall =>
  new NoServiceCall(
    ask === 'voidPayments' ? 'the service cannot void payments' : `the service has no call for this: ${ask}`,
  )

function styleOf({ style }: RequestOf<'separator'>): number {
  if (style === 'nothingDue')
    throw new NoServiceCall('the service has no call for the line that says that nothing is due')
  return style
}

const HEIGHTS = ['normal', 'double', 'half'] as const
const ALIGNMENTS = ['left', 'center', 'right'] as const

const textBody = ({ text, bold, italic, underline, height, alignment }: TextLine) => ({
  Message: text,
  ...(bold && { Bold: true }),
  ...(italic && { Italic: true }),
  ...(underline && { Underline: true }),
  ...(height && height !== 'normal' && { Height: HEIGHTS.indexOf(height) }),
  ...(alignment && alignment !== 'left' && { Alignment: ALIGNMENTS.indexOf(alignment) }),
})

const barcodeBody = ({ type, data, qrSize, position, scale, height, printText }: Barcode) => ({
  Type: type,
  Data: data,
  ...(qrSize !== undefined && { QrSize: qrSize }),
  ...(position !== undefined && { Position: position }),
  ...(scale !== undefined && { Scale: scale }),
  ...(height !== undefined && { Height: height }),
  ...(printText !== undefined && { PrintText: printText }),
})
