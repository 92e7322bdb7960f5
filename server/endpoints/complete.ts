import type { Capabilities } from '../../drivers/model/capabilities.ts'
import type { Problem } from '../answer-data.ts'
import { endpoint } from '../endpoint.ts'
import { receiptViolations } from '../limits.ts'
import { printFiscalReceipt, printNonFiscalReceipt } from '../operations/receipt.ts'
import type { FiscalItem } from '../receipt.ts'
import {
  barcodeProblems,
  fiscalReceipt,
  nonFiscalReceipt,
  paymentProblems,
  problemsFrom,
  textWarnings,
} from './bodies.ts'
import { DEVICE_ANSWER, RECEIPT_NUMBER } from './shared.ts'

/**
 * Returns the problems of items that the family cannot print. They are refused before a receipt is opened (decisions
 * 3).
 */
function itemProblems(items: readonly FiscalItem[], capabilities: Capabilities): readonly Problem[] {
  return items.flatMap((one, index): readonly Problem[] => {
    const path = `ReceiptItems[${index}]`
    if (one.is === 'barcode') return barcodeProblems(one.barcode, capabilities, `${path}.BarCode`)
    if (one.is === 'freeSale' && capabilities.freeSale !== true) {
      return [{ path: `${path}.FreeSale`, message: capabilities.freeSale.refusedBecause }]
    }
    return []
  })
}

const cutTexts = (items: readonly FiscalItem[], capabilities: Capabilities): readonly string[] =>
  items.flatMap((one, index) =>
    one.is === 'text' ? textWarnings(one.line, capabilities, `ReceiptItems[${index}].Text.`) : [],
  )

/** Returns the problem of a receipt without sales. Some devices would print it. */
function saleProblems(items: readonly FiscalItem[]): readonly Problem[] {
  if (items.some((one) => (one.is === 'freeSale' || one.is === 'articleSale') && !one.sale.void)) return []
  const message = 'ReceiptItems must hold at least one sale (Type 0 or 1); a fiscal receipt without any is not printed.'
  return [{ path: 'ReceiptItems', message }]
}

export const completeEndpoints = [
  endpoint({
    method: 'post',
    path: '/print-fiscal-receipt',
    section: '4.5',
    summary: 'Print a complete fiscal receipt',
    notes:
      'Without OpenFiscalReceipt the operator of the configuration is used. When something fails after the receipt was ' +
      'opened, it is cancelled and Message says so; once a payment makes that impossible it is completed (the rest in ' +
      'cash) and Message begins `Completed as receipt N:`; so it does when the receipt is paid and the device cannot print ' +
      'its end now, which it does before anything else. [[!FreeSale]]: no FreeSale items. [[!Barcodes]]: no BarCode items.',
    body: fiscalReceipt,
    example: {
      ReceiptItems: [
        { Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } },
        { Type: 2, Text: { Message: 'Thank you' } },
      ],
      Payments: [{ PaymentMode: 0, Amount: 5 }],
    },
    data: RECEIPT_NUMBER,
    reaches: 'device',
    prints: true,
    check: (body, capabilities) => [
      ...itemProblems(body.items, capabilities),
      ...saleProblems(body.items),
      ...body.payments.flatMap((one, index) => paymentProblems(one, capabilities, `Payments[${index}]`)),
      ...problemsFrom(receiptViolations(body, capabilities)),
    ],
    warnings: ({ items }, capabilities) => cutTexts(items, capabilities),
    run: (work) => printFiscalReceipt(work.body, work),
  }),
  endpoint({
    method: 'post',
    path: '/print-non-fiscal-receipt',
    section: '4.5',
    summary: 'Print a complete non-fiscal receipt',
    notes: '[[!Barcodes]]: no BarCode items; the operator of the configuration opens the receipt.',
    body: nonFiscalReceipt,
    example: {
      ReceiptItems: [
        { Type: 0, Text: { Message: 'Opening hours' } },
        { Type: 2, SeparatingLineType: 1 },
      ],
    },
    data: DEVICE_ANSWER,
    reaches: 'device',
    prints: true,
    check: (body, capabilities) => itemProblems(body.ReceiptItems, capabilities),
    warnings: (body, capabilities) => cutTexts(body.ReceiptItems, capabilities),
    run: (work) => printNonFiscalReceipt(work.body.ReceiptItems, work, { named: true }),
  }),
]
