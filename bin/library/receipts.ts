/** The fiscal receipts of a device, read from its electronic journal. */
import { formatMoney, formatQuantity } from '../../drivers/model/money.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { FiscalReceipt } from '../../emulator/fiscal/types/receipt.ts'
import type { Receipt } from './types.ts'

export function receiptsOf({ journal }: FiscalDevice): readonly Receipt[] {
  return journal.documents({ kinds: ['fiscal', 'invoice', 'cancelled'] }).flatMap(({ document, kind, at }) => {
    const receipt = journal.receipt(document)
    return receipt ? [view(receipt, document, at, kind === 'cancelled')] : []
  })
}

const view = (receipt: FiscalReceipt, number: number, at: string, cancelled: boolean): Receipt => ({
  number,
  kind: receipt.kind === 'reversal' ? 'reversal' : receipt.invoice ? 'invoice' : 'fiscal',
  total: formatMoney(receipt.total),
  rows: receipt.rows.map(({ name, price, quantity, amount, taxCode }) => ({
    name,
    price: formatMoney(price),
    quantity: formatQuantity(quantity),
    amount: formatMoney(amount),
    taxCode,
  })),
  payments: receipt.payments.map(({ mode, tendered }) => ({ paymentMode: mode, amount: formatMoney(tendered) })),
  at,
  cancelled,
})
