/** Specification 4.3, second half: status, copy, reports and the archive of Z reports. */
import type { ArchivedZ, CountedAmount, TransactionStatus } from '../../drivers/model/printer.ts'
import { closingDocument } from '../closing.ts'
import { type Data, endpoint } from '../endpoint.ts'
import { notFound } from '../outcome.ts'
import { AMOUNT, amount, closing } from './shared.ts'

/** Larger numbers are no number of any device's report. */
const Z_NUMBER_MAX = 2_147_483_647
const INTEGER = { type: ['integer', 'null'] }

/** The same for the same state on every family: what a wire tells of an earlier document stands in `Raw` only. */
function transactionStatus(status: TransactionStatus): Data {
  const { isOpen, kind, receiptNumber, raw } = status
  const { itemsCount, total, paid, remaining } = isOpen && kind !== 'NonFiscal' ? status : NOTHING_SOLD
  return {
    IsOpen: isOpen,
    Kind: kind,
    ReceiptNumber: isOpen ? receiptNumber : null,
    ItemsCount: itemsCount,
    Total: amount(total),
    // Two wires tell what was handed over, one what of the total is paid: change is not counted.
    Paid: amount(paid === null || total === null ? paid : Math.min(paid, total)),
    Remaining: amount(remaining),
    Raw: raw,
  }
}

const NOTHING_SOLD = { itemsCount: 0, total: 0, paid: 0, remaining: 0 } as const

const COUNTED = { type: ['object', 'null'], properties: { Count: INTEGER, Amount: AMOUNT } }

const counted = (value: CountedAmount | null): Data =>
  value === null ? null : { Count: value.count, Amount: amount(value.amount) }

const archivedZ = (z: ArchivedZ): Data => ({
  Number: z.number,
  DateTime: z.dateTime,
  FirstReceipt: z.firstReceipt,
  LastReceipt: z.lastReceipt,
  ReceiptsCount: z.receiptsCount,
  Total: amount(z.total),
  Taxes: z.taxes.map((one) => ({
    TaxCode: one.taxCode,
    Letter: one.letter,
    Rate: amount(one.rate),
    Turnover: amount(one.turnover),
    Tax: amount(one.tax),
  })),
  Payments:
    z.payments === null
      ? null
      : z.payments.map((one) => ({ PaymentMode: one.paymentMode, Amount: amount(one.amount) })),
  Discounts: counted(z.discounts),
  Surcharges: counted(z.surcharges),
  Voids: counted(z.voids),
  CashIn: amount(z.cashIn),
  CashOut: amount(z.cashOut),
  Raw: z.raw,
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
    data: {
      type: 'object',
      required: ['IsOpen', 'Kind', 'ReceiptNumber', 'ItemsCount', 'Total', 'Paid', 'Remaining', 'Raw'],
      properties: {
        IsOpen: { type: 'boolean' },
        Kind: { enum: ['None', 'NonFiscal', 'Fiscal', 'Invoice'] },
        ReceiptNumber: { type: ['string', 'null'] },
        ItemsCount: INTEGER,
        Total: AMOUNT,
        Paid: AMOUNT,
        Remaining: AMOUNT,
        Raw: { type: 'string' },
      },
    },
    reaches: 'device',
    run: async ({ printer }) => transactionStatus(await printer.transactionStatus()),
  }),
  endpoint({
    method: 'post',
    path: '/copy-of-last-fiscal-receipt',
    section: '4.3',
    summary: 'Print a copy of the last fiscal receipt',
    notes: '[[CopyParameter]]: works only while the FD parameter is enabled in the device.',
    data: {
      type: 'object',
      required: ['ReceiptNumber', 'Raw'],
      properties: { ReceiptNumber: { type: 'string' }, Raw: { type: 'string' } },
    },
    reaches: 'device',
    prints: true,
    run: (work) =>
      closingDocument(
        work,
        'copy',
        (printer) => printer.copyLastReceipt(),
        ({ receiptNumber, raw }) => ({ ReceiptNumber: receiptNumber, Raw: raw }),
      ),
  }),
  closing({
    path: '/report-z',
    section: '4.3',
    summary: 'Daily closing report: resets the day and writes the fiscal memory',
    kind: 'z',
    act: (printer) => printer.reportZ(),
  }),
  closing({
    path: '/report-x',
    section: '4.3',
    summary: 'Daily report without closing',
    kind: 'x',
    act: (printer) => printer.reportX(),
  }),
  endpoint<undefined, { number: number; text: string }>({
    method: 'get',
    path: '/ask-for-z-report-structured-information/{number}',
    section: '4.3',
    summary: 'Figures of an archived Z report',
    notes: "What the family's wire cannot tell is null.",
    params: {
      schema: { number: { type: 'integer', minimum: 1, maximum: Z_NUMBER_MAX } },
      read: ({ number: raw = '' }, complain) => {
        const isPositive = /^\d+$/.test(raw) && /[1-9]/.test(raw)
        if (!isPositive) complain('number', `must be a positive whole number; it is "${raw.slice(0, 40)}"`)
        return { number: Math.min(Number(raw), Number.MAX_SAFE_INTEGER), text: raw.slice(0, 40) }
      },
    },
    data: {
      type: 'object',
      properties: {
        Number: { type: 'integer' },
        DateTime: { type: ['string', 'null'], description: "The device's local time, YYYY-MM-DDThh:mm:ss." },
        FirstReceipt: INTEGER,
        LastReceipt: INTEGER,
        ReceiptsCount: INTEGER,
        Total: AMOUNT,
        Taxes: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              TaxCode: { type: 'integer' },
              Letter: { type: 'string' },
              Rate: AMOUNT,
              Turnover: AMOUNT,
              Tax: AMOUNT,
            },
          },
        },
        Payments: {
          type: ['array', 'null'],
          items: { type: 'object', properties: { PaymentMode: { type: 'integer' }, Amount: AMOUNT } },
        },
        Discounts: COUNTED,
        Surcharges: COUNTED,
        Voids: COUNTED,
        CashIn: AMOUNT,
        CashOut: AMOUNT,
        Raw: { type: 'string' },
      },
    },
    reaches: 'device',
    answers: { 404: 'No Z report of this number is in the fiscal memory.' },
    run: async ({ params: { number, text }, printer }) => {
      const z = number <= Z_NUMBER_MAX ? await printer.archivedZ(number) : undefined
      if (!z) throw notFound(`There is no Z report number ${text} in the fiscal memory.`)
      return archivedZ(z)
    },
  }),
]
