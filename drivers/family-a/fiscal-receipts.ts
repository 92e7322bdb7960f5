import type { DriverSettings } from '../family.ts'
import { reconcileClose } from '../link/same-device.ts'
import { isRefusal, type Session } from '../link/session.ts'
import { badValue, DeviceError, isOutcomeUnknown } from '../model/errors.ts'
import type { FiscalReceipts } from '../model/printer.ts'
import {
  type ArticleSale,
  type Customer,
  type FiscalOpening,
  type FreeSale,
  PLACEHOLDER_CUSTOMER,
} from '../model/receipt.ts'
import { badValueOf } from '../wire/bad-value.ts'
import { clean } from '../wire/charset.ts'
import { FieldError } from '../wire/field.ts'
import { asCarried, invoiceFields, limitedText, modifierOf, textOf } from './command-fields.ts'
import { documentOf, numbersOf } from './evidence.ts'
import { catalogueOf } from './protocol/index.ts'
import { article, numberAt } from './queries-and-reports.ts'
import type { DeviceA } from './session.ts'
import type { WireA } from './wire.ts'

const NAME_LENGTH = 72
const UNIT_LENGTH = 6

export function fiscalReceipts({ print, perform }: Session<WireA>, settings: DriverSettings): FiscalReceipts {
  function open(device: DeviceA, { operator, pointOfSale, invoice, customer: named }: FiscalOpening) {
    const base = { operator: operator.code, password: operator.password, pointOfSale, invoice }
    const buyer = named ?? (invoice ? settings.customer : undefined)
    if (buyer && invoice && device.edition.name === 'bg') checkInvoice(device, buyer)
    const taxNumber = device.edition.name === 'ro' ? clean(buyer?.taxNumber ?? '').trim() : ''
    return device.ask(
      'openFiscal',
      taxNumber === '' ? { form: 'plain', ...base } : { form: 'client', ...base, taxNumber },
    )
  }

  /**
   * Sends the customer by command 57 if the paid receipt is an invoice (sheet 6.4). Without `named`, the driver queries
   * whether it is an invoice, because another program may have opened it.
   */
  async function nameCustomer(device: DeviceA, named: Customer | undefined): Promise<void> {
    const invoice = named !== undefined || (await device.ask('currentReceipt', {})).values.invoice
    if (!invoice) return
    const buyer = named ?? settings.customer ?? PLACEHOLDER_CUSTOMER
    try {
      await sendCustomer(device, buyer)
    } catch (problem) {
      if (buyer === PLACEHOLDER_CUSTOMER || !isOfTaxNumber(problem)) throw problem
      // The receipt is paid and can only be closed, which needs a customer that the device accepts.
      await sendCustomer(device, PLACEHOLDER_CUSTOMER)
    }
  }

  /**
   * Closes the receipt. After a power failure the device no longer knows the frame number, so it refuses the
   * retransmission of a close that it has executed. The driver therefore reads the number of the open document first.
   * After a refusal or a missing answer it checks whether that document was closed (decisions 3).
   */
  async function close(
    device: DeviceA,
    named: Customer | undefined,
  ): Promise<{ readonly receiptNumber: string; readonly raw: string }> {
    const before = (await device.ask('transactionStatus', {})).values
    if (device.edition.name === 'bg' && before.open === 1) await nameCustomer(device, named)
    try {
      const { values, text } = await device.ask('closeFiscal', {})
      return { receiptNumber: String(values.document), raw: text }
    } catch (problem) {
      if (before.open === 0 || before.open === 5 || !isUncertain(problem)) throw problem
      await reconcileClose(device, numbersOf, problem, () => wasClosed(device, before))
      const { document, closure, fiscalNumber } = before
      const raw = [document, closure, fiscalNumber].filter((number) => number !== undefined).join('\t')
      return { receiptNumber: String(document), raw }
    }
  }

  return {
    openFiscal: (opening) =>
      perform(async (device) => {
        const { text, values } = await open(device, opening)
        return { text, document: values.document }
      }),
    printFiscalText: (line) =>
      print((device) => {
        const values = textOf(line, device.facts.columns, device.page)
        // Command 54 documents its height as a flag, so half height is sent only to devices whose setting
        // `halfFiscalText` is `yes` (sheet 6.4).
        const half = values.height === 'half' && settings.options?.['halfFiscalText'] !== 'yes'
        return device.ask('fiscalText', half ? { ...values, height: 'normal' } : values)
      }),
    sell: (sale) => print((device) => sell(device, sale)),
    sellArticle: (sale) => print((device) => sellArticle(device, sale)),
    subtotal: ({ print: onPaper, display, adjustment }) =>
      print((device) => device.ask('subtotal', { print: onPaper, display, ...modifierOf(adjustment) })),
    pay: ({ mode, amount }) =>
      print((device) => {
        const values = { mode: wireMode(mode, settings), kind: null, ...(amount === undefined ? {} : { amount }) }
        return device.ask('payment', values)
      }),
    closeFiscal: (named) => perform((device) => close(device, named)),
    cancelFiscal: () => print((device) => device.ask('cancelFiscal', {})),
  }
}

/**
 * Ignores these three refusals: the device keeps the customer data that it already has. If the receipt cannot be
 * closed, the answer to command 56 names the reason.
 */
const sendCustomer = (device: DeviceA, customer: Customer) =>
  device.askUnlessRefused(
    ['buyerEntered', 'paymentNotStarted', 'receiptType'],
    'invoiceData',
    invoiceFields(customer, device.page),
  )

/** Checks the customer before an invoice is opened: a paid invoice whose command 57 is refused cannot be cancelled. */
function checkInvoice({ edition, page }: DeviceA, customer: Customer): void {
  const { request } = catalogueOf(edition.name).byName.invoiceData
  const fields = invoiceFields(customer, page)
  // A device refuses letters in a tax number with -112207 (sheet 6.4), but only in command 57, after the payment.
  if (/\D/.test(fields.taxNumber)) {
    const why = `${JSON.stringify(customer.taxNumber)} must have digits only, after an optional country code of two letters`
    throw new DeviceError(badValue('taxNumber', why))
  }
  try {
    request.write(fields, page)
  } catch (problem) {
    if (problem instanceof FieldError) throw badValueOf(problem, request.fields)
    throw problem
  }
}

const isOfTaxNumber = (problem: unknown): boolean =>
  isRefusal(problem, ['valueField7', 'valueField8']) ||
  (problem instanceof DeviceError && problem.problem.kind === 'badValue')

async function sell(device: DeviceA, sale: FreeSale) {
  const { page } = device
  if (sale.void && sale.price === 0) throw new DeviceError(badValue('price', 'a void needs the price of the sale'))
  return device.ask('sale', {
    name: limitedText(sale.name, NAME_LENGTH, page),
    taxCode: sale.taxCode,
    price: sale.void ? -sale.price : sale.price,
    quantity: sale.quantity,
    department: sale.department,
    ...(sale.unit === '' ? {} : { unit: limitedText(sale.unit, UNIT_LENGTH, page) }),
    ...modifierOf(asCarried(sale)),
  })
}

async function sellArticle(device: DeviceA, { plu, quantity, price, void: isVoid, adjustment }: ArticleSale) {
  // A void contains the price at which the item was sold (sheet 6.4): the caller's, or else the programmed price.
  const soldAt = isVoid ? (price ?? (await article(device, plu))?.price) || undefined : price
  return device.ask('saleByPlu', {
    plu: isVoid ? -plu : plu,
    quantity,
    ...(soldAt === undefined ? {} : { price: soldAt }),
    ...modifierOf(adjustment),
  })
}

function wireMode(mode: number, { payments }: DriverSettings): number {
  const wire = payments?.[mode]
  if (wire === undefined) return mode
  if (/^\d$/.test(wire)) return Number(wire)
  throw new DeviceError(badValue('mode', `the configured wire code ${wire} is not a digit`))
}

/**
 * Resolves to `true` if the document that was open is now the last fiscal receipt and has that sum, to `false` if it is
 * still open or is not a fiscal receipt, and to `undefined` if neither is certain.
 */
async function wasClosed(
  device: DeviceA,
  { document, amount }: { readonly document: number; readonly amount: number },
): Promise<boolean | undefined> {
  const now = (await device.ask('transactionStatus', {})).values
  if (now.open !== 0 && now.document === document) return false
  const record = await documentOf(device, document)
  if (record && record.kind !== 'fiscal') return false
  const isLast = (await numberAt(device, 'nLastFiscalDoc')) === String(document)
  // If the journal does not contain the sum, the answer to command 76 does until another document is opened.
  const total = record?.total ?? (isLast && now.open === 0 ? now.amount : undefined)
  return isLast && total === amount ? true : undefined
}

const isUncertain = (problem: unknown): boolean => isRefusal(problem, ['receiptClosed']) || isOutcomeUnknown(problem)
