import type { Percent } from '../../drivers/model/money.ts'
import { TAX_CODES } from '../../drivers/model/receipt.ts'
import { fiscalClosing, type Page, taxBlock } from '../print/document-layout.ts'
import type { DrawingOperation } from '../print/drawing-operations.ts'
import { includedTax } from './rounding.ts'
import type { Refusal } from './types/outcome.ts'
import type { FiscalReceipt } from './types/receipt.ts'
import type { ByTaxGroup } from './types/registers.ts'

type Facts = Parameters<typeof fiscalClosing>[1]

export function customerRefusal({ payments, rest, invoice, customer }: FiscalReceipt): Refusal | undefined {
  if (payments.length === 0 || rest > 0) return 'paymentNotStarted'
  if (!invoice) return 'wrongReceiptKind'
  // Customer data without fields only mark a receipt that may be closed without a customer.
  return customer && customer.fields.length > 0 ? 'customerAlreadyGiven' : undefined
}

export function closingRefusal({ payments, rest, invoice, customer }: FiscalReceipt): Refusal | undefined {
  if (payments.length === 0) return 'paymentNotStarted'
  if (rest > 0) return 'notFullyPaid'
  return invoice && !customer ? 'customerMissing' : undefined
}

export function fiscalEnd(
  page: Page,
  facts: Facts,
  receipt: FiscalReceipt,
  rates: ByTaxGroup<Percent | null>,
): readonly DrawingOperation[] {
  const items = receipt.rows.reduce((count, row) => count + (row.void ? -1 : 1), 0)
  return [
    ...(hasTaxBlock(page, receipt) ? taxBlock(page, taxLines(receipt, rates)) : []),
    ...fiscalClosing(page, facts, Math.max(0, items), receipt.total),
  ]
}

function hasTaxBlock({ style }: Page, { invoice, extra }: FiscalReceipt): boolean {
  switch (style.taxBlock) {
    case 'always':
      return true
    case 'onRequest':
      return invoice || extra?.vat === '1'
    case 'never':
      return invoice
  }
}

const taxLines = ({ groups }: FiscalReceipt, rates: ByTaxGroup<Percent | null>) =>
  TAX_CODES.flatMap((taxCode) => {
    const turnover = groups[taxCode - 1] ?? 0
    const rate = rates[taxCode - 1] ?? null
    return turnover === 0 ? [] : [{ taxCode, rate, turnover, tax: includedTax(turnover, rate) }]
  })
