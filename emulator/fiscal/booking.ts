/** Changes of the registers, which are all made when the receipt is closed (sheet A 7). */
import type { Money } from '../../drivers/model/money.ts'
import type { ArticleBook } from './articles.ts'
import type { Books } from './books.ts'
import { addOperatorReceipt, addReceipt, addRegister, countsOf } from './day.ts'
import { adjustedRows } from './totals.ts'
import type { FiscalReceipt, SaleRow } from './types/receipt.ts'

export function bookReceipt(books: Books, articles: ArticleBook, receipt: FiscalReceipt): void {
  const { state } = books
  const counts = countsOf(receipt)
  const operators = state.totals.operators
  books.change('day', addReceipt(state.day, receipt, counts, books.profile.foreignPayment))
  countIssued(books, receipt)
  books.change('totals', {
    operators: { ...operators, [receipt.operator]: addOperatorReceipt(operators[receipt.operator], receipt, counts) },
  })
  bookRows(books, articles, receipt)
}

export function countIssued(books: Books, receipt: FiscalReceipt): void {
  const { counters } = books.state
  books.change('counters', {
    fiscalReceipts: counters.fiscalReceipts + 1,
    invoices: counters.invoices + (receipt.invoice ? 1 : 0),
    lastReceipt: receipt.document,
    lastReceiptAt: books.now(),
  })
}

function bookRows(books: Books, articles: ArticleBook, receipt: FiscalReceipt): void {
  const { totals } = books.state
  const departments = { ...totals.departments }
  const groups = { ...totals.groups }
  const sold = new Map<number, { quantity: number; amount: Money }>()
  const amounts = books.profile.rules.subtotalReachesRows ? adjustedRows(receipt.rows, receipt.groups) : undefined
  const remaining = receipt.rows.map((row) => (row.void ? 0 : row.quantity))
  for (const [index, row] of receipt.rows.entries()) {
    const total = amounts?.[index] ?? row.amount
    const pieces = row.void ? -row.quantity : row.quantity
    const { count, department } = row.void ? voidedCounts(receipt.rows, index, remaining) : { count: 1, ...row }
    if (department !== 0) {
      departments[department] = addRegister(departments[department], receipt.kind, total, count, pieces)
    }
    if (row.plu === 0) continue
    const group = articles.get(row.plu)?.group ?? 0
    if (group !== 0) groups[group] = addRegister(groups[group], receipt.kind, total, count, pieces)
    const { quantity, amount } = sold.get(row.plu) ?? { quantity: 0, amount: 0 }
    sold.set(row.plu, { quantity: quantity + pieces, amount: amount + total })
  }
  books.change('totals', { departments, groups })
  for (const [plu, { quantity, amount }] of sold) articles.book(plu, receipt.kind, quantity, amount)
}

/**
 * Returns what a void subtracts from earlier rows: the number of sales that it voids completely, as a negative number,
 * and the department of the voided row. Updates `remaining`, the quantity of each row that is not yet voided.
 */
function voidedCounts(
  rows: readonly SaleRow[],
  index: number,
  remaining: number[],
): { readonly count: number; readonly department: number } {
  const taken = rows[index] as SaleRow
  let { quantity } = taken
  let count = 0
  let department: number | undefined
  const take = (fits: (row: SaleRow) => boolean): void => {
    for (let at = index - 1; at >= 0 && quantity > 0; at--) {
      const [row, rest] = [rows[at], remaining[at] ?? 0]
      if (!row || rest === 0 || !isAlike(row, taken) || !fits(row)) continue
      const pieces = Math.min(rest, quantity)
      quantity -= pieces
      remaining[at] = rest - pieces
      if (remaining[at] === 0) count--
      department ??= row.department
    }
  }
  take((row) => row.price === taken.price && row.quantity === taken.quantity)
  take(() => true)
  return { count, department: department ?? taken.department }
}

const isAlike = (row: SaleRow, taken: SaleRow): boolean =>
  taken.plu === 0
    ? row.plu === 0 && row.taxCode === taken.taxCode && row.price === taken.price && row.name === taken.name
    : row.plu === taken.plu

export function rememberLast(books: Books, receipt: FiscalReceipt, cancelled: boolean): void {
  const { document, items, total, paid, change, invoice, invoiceNumber, groups } = receipt
  const { counters, day } = books.state
  books.change('last', {
    fiscal: {
      document,
      closure: counters.lastZ + 1,
      receiptOfDay: day.receipts,
      items,
      total,
      paid,
      change,
      cancelled,
      invoice,
      ...(invoiceNumber === undefined ? {} : { invoiceNumber }),
      reversal: receipt.kind === 'reversal',
      groups,
      closedAt: books.now(),
      payments: receipt.payments.map(({ mode, tendered, changeMode }) => ({
        mode,
        amount: tendered,
        ...(changeMode === undefined ? {} : { changeMode }),
      })),
    },
  })
}
