import type { Emulator } from '../../emulator/emulator.ts'
import type { FiscalReceipt } from '../../emulator/fiscal/types/receipt.ts'
import type { HeldReceipt, History, PaidAmount, RequestedSale, SoldRow } from './case-history.ts'
import { hundredthsOf, type Job, thousandths } from './job.ts'

const CASH = 0

export function receiptsOnDevice({ device }: Emulator): Pick<History, 'receipts' | 'open'> {
  const { journal, receipt } = device
  const closed = journal.documents({ kinds: ['fiscal', 'invoice'] })
  return {
    receipts: closed.flatMap(({ document, reversal }): HeldReceipt[] => {
      const fiscal = journal.receipt(document)
      if (!fiscal) throw new Error(`the journal does not hold the rows of receipt ${document}`)
      return [{ number: document, isReversal: reversal, ...soldIn(fiscal) }]
    }),
    open: receipt && openOf(receipt),
  }
}

function openOf(receipt: NonNullable<Emulator['device']['receipt']>): History['open'] {
  if (receipt.kind === 'nonFiscal') return { number: receipt.document, kind: 'nonFiscal', rows: [] }
  return { number: receipt.fiscal.document, kind: 'fiscal', rows: soldIn(receipt.fiscal).rows }
}

function soldIn({ rows, payments, total }: FiscalReceipt): Pick<HeldReceipt, 'rows' | 'payments' | 'total'> {
  const remainingRows: SoldRow[] = []
  for (const { taxCode, price, quantity, void: isBack } of rows) {
    const back = isBack ? remainingRows.findIndex((one) => one.price === price && one.quantity === quantity) : -1
    if (back >= 0) remainingRows.splice(back, 1)
    else if (!isBack) remainingRows.push({ taxCode, price, quantity })
  }
  return {
    rows: remainingRows,
    total,
    payments: payments.flatMap(({ mode, tendered, change, changeMode = CASH }) => [
      { mode, amount: tendered },
      { mode: changeMode, amount: -change },
    ]),
  }
}

export function saleOf({ id, items, payments, total }: Job): RequestedSale {
  const handed = payments.map(({ mode, amount }) => ({ mode, amount: hundredthsOf(amount) }))
  const change = handed.reduce((sum, { amount }) => sum + amount, 0) - hundredthsOf(total)
  const paid: PaidAmount[] = change > 0 ? [...handed, { mode: CASH, amount: -change }] : handed
  const rows = items.map(({ taxCode, price, quantity }) => ({
    taxCode,
    price: hundredthsOf(price),
    quantity: thousandths(quantity),
  }))
  return { id, rows, payments: paid, total: hundredthsOf(total) }
}
