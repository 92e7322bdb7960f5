/** Transaction status, copy, reports, and archived Z reports (specification 4.3). */
import type { Percent } from '../../drivers/model/money.ts'
import type { ArchivedZ, CountedAmount, TransactionStatus } from '../../drivers/model/printer.ts'
import { TAX_CODES, type TaxCode, taxLetter } from '../../drivers/model/receipt.ts'
import type { Data } from '../answer-data.ts'
import { endpoint } from '../endpoint.ts'
import { notFound, refusal } from '../operations/outcome.ts'
import { AMOUNT, amount, step, view } from './shared.ts'

const Z_NUMBER_MAX = 2_147_483_647
const INTEGER = { type: ['integer', 'null'] }

/** The transaction status in the same form for all families. The sums of a closed document are only in `Raw`. */
const TRANSACTION = view<TransactionStatus>({
  IsOpen: [{ type: 'boolean' }, ({ isOpen }) => isOpen],
  Kind: [{ enum: ['None', 'NonFiscal', 'Fiscal', 'Invoice'] }, ({ kind }) => kind],
  ReceiptNumber: [{ type: ['string', 'null'] }, ({ isOpen, receiptNumber }) => (isOpen ? receiptNumber : null)],
  ItemsCount: [INTEGER, (status) => soldOn(status).itemsCount],
  Total: [AMOUNT, (status) => amount(soldOn(status).total)],
  Paid: [AMOUNT, (status) => amount(paidOn(soldOn(status)))],
  Remaining: [AMOUNT, (status) => amount(soldOn(status).remaining)],
  Raw: [{ type: 'string' }, ({ raw }) => raw],
})

type ReceiptSums = Pick<TransactionStatus, 'itemsCount' | 'total' | 'paid' | 'remaining'>

const soldOn = (status: TransactionStatus): ReceiptSums =>
  status.isOpen && status.kind !== 'NonFiscal' ? status : { itemsCount: 0, total: 0, paid: 0, remaining: 0 }

/**
 * Returns the paid amount without change. Some wire protocols report the tendered amount, others only the paid part of
 * the total.
 */
const paidOn = ({ paid, total }: ReceiptSums) => (paid === null || total === null ? paid : Math.min(paid, total))

const COUNTED_SCHEMA = { type: ['object', 'null'], properties: { Count: INTEGER, Amount: AMOUNT } }
const counted = (value: CountedAmount | null): Data => value && { Count: value.count, Amount: amount(value.amount) }

const TAX_GROUP = view<ArchivedZ['taxes'][number]>({
  TaxCode: [{ type: 'integer' }, ({ taxCode }) => taxCode],
  Letter: [{ type: 'string' }, ({ letter }) => letter],
  Rate: [AMOUNT, ({ rate }) => amount(rate)],
  Turnover: [AMOUNT, ({ turnover }) => amount(turnover)],
  Tax: [AMOUNT, ({ tax }) => amount(tax)],
})
const PAYMENT = view<NonNullable<ArchivedZ['payments']>[number]>({
  PaymentMode: [{ type: 'integer' }, ({ paymentMode }) => paymentMode],
  Amount: [AMOUNT, (payment) => amount(payment.amount)],
})
const listOf = (properties: object, type: string | readonly string[] = 'array') => ({
  type,
  items: { type: 'object', properties },
})

const ARCHIVED_Z = view<ArchivedZ>({
  Number: [{ type: 'integer' }, (z) => z.number],
  DateTime: [
    { type: ['string', 'null'], description: "The device's local time, YYYY-MM-DDThh:mm:ss." },
    (z) => z.dateTime,
  ],
  FirstReceipt: [INTEGER, (z) => z.firstReceipt],
  LastReceipt: [INTEGER, (z) => z.lastReceipt],
  ReceiptsCount: [INTEGER, (z) => z.receiptsCount],
  Total: [AMOUNT, (z) => amount(z.total)],
  Taxes: [listOf(TAX_GROUP.schemas), (z) => z.taxes.map(TAX_GROUP.of)],
  Payments: [listOf(PAYMENT.schemas, ['array', 'null']), (z) => z.payments?.map(PAYMENT.of) ?? null],
  Discounts: [COUNTED_SCHEMA, (z) => counted(z.discounts)],
  Surcharges: [COUNTED_SCHEMA, (z) => counted(z.surcharges)],
  Voids: [COUNTED_SCHEMA, (z) => counted(z.voids)],
  CashIn: [AMOUNT, (z) => amount(z.cashIn)],
  CashOut: [AMOUNT, (z) => amount(z.cashOut)],
  Raw: [{ type: 'string' }, (z) => z.raw],
})

const TAX_RATE = view<readonly [TaxCode, Percent | undefined]>({
  TaxCode: [{ type: 'integer' }, ([code]) => code],
  Letter: [{ type: 'string' }, ([code]) => taxLetter(code)],
  Rate: [AMOUNT, ([, rate]) => amount(rate ?? null)],
})

export const reportEndpoints = [
  endpoint({
    method: 'post',
    path: '/status-of-the-fiscal-transaction',
    section: '4.3',
    summary: "State of the device's open receipt",
    notes:
      'With nothing open ReceiptNumber is null, and with nothing open or a non-fiscal receipt the amounts are 0. Paid is ' +
      'what is paid of Total; change is not counted.',
    data: { type: 'object', required: Object.keys(TRANSACTION.schemas), properties: TRANSACTION.schemas },
    reaches: 'device',
    run: async ({ printer }) => TRANSACTION.of(await printer.transactionStatus()),
  }),
  step({
    path: '/copy-of-last-fiscal-receipt',
    section: '4.3',
    summary: 'Print a copy of the last fiscal receipt',
    notes: '[[CopyParameter]]: works only while the FD parameter is enabled in the device.',
    data: {
      type: 'object',
      required: ['ReceiptNumber', 'Raw'],
      properties: { ReceiptNumber: { type: 'string' }, Raw: { type: 'string' } },
    },
    step: () => ({ does: 'document', kind: 'copy' }),
  }),
  step({
    path: '/report-z',
    section: '4.3',
    summary: 'Daily closing report: resets the day and writes the fiscal memory',
    step: () => ({ does: 'document', kind: 'z' }),
  }),
  step({
    path: '/report-x',
    section: '4.3',
    summary: 'Daily report without closing',
    step: () => ({ does: 'document', kind: 'x' }),
  }),
  endpoint<undefined, { number: number; text: string }>({
    method: 'get',
    path: '/ask-for-z-report-structured-information/{number}',
    section: '4.3',
    summary: 'Figures of an archived Z report',
    notes: "Values that the family's wire protocol does not report are null.",
    params: {
      schema: { number: { type: 'integer', minimum: 1, maximum: Z_NUMBER_MAX } },
      read: ({ number: raw = '' }, reportIssue) => {
        const isPositive = /^\d+$/.test(raw) && /[1-9]/.test(raw)
        if (!isPositive) reportIssue('number', `must be a positive whole number; it is "${raw.slice(0, 40)}"`)
        return { number: Math.min(Number(raw), Number.MAX_SAFE_INTEGER), text: raw.slice(0, 40) }
      },
    },
    data: { type: 'object', properties: ARCHIVED_Z.schemas },
    reaches: 'device',
    answers: { 404: 'No Z report of this number is in the fiscal memory.' },
    run: async ({ params: { number, text }, printer }) => {
      const z = number <= Z_NUMBER_MAX ? await printer.archivedZ(number) : undefined
      if (!z) throw notFound(`There is no Z report number ${text} in the fiscal memory.`)
      return ARCHIVED_Z.of(z)
    },
  }),
  endpoint({
    method: 'get',
    path: '/tax-rates',
    section: '4.3',
    summary: 'Tax rates programmed in the device',
    notes:
      "An addition of this service, not part of the interface's specification. Rate is in percent; null: the group is " +
      'switched off.',
    data: {
      type: 'array',
      items: { type: 'object', required: Object.keys(TAX_RATE.schemas), properties: TAX_RATE.schemas },
    },
    reaches: 'device',
    run: async ({ printer }) => {
      const rates = await printer.taxRates?.()
      if (!rates) throw refusal(400, 'The device does not report its tax rates.')
      return TAX_CODES.map((code) => TAX_RATE.of([code, rates.get(code)]))
    },
  }),
]
