import type { Money } from '../../drivers/model/money.ts'
import type { ArticleBook } from './articles.ts'
import type { Books } from './books.ts'
import { addOperatorReceipt, addReceipt, addRegister, countsOf } from './day.ts'
import { adjustedRows } from './totals.ts'
import type { FiscalReceipt } from './types.ts'

/** What a receipt changes in the registers when it ends; until then it changes none (family A sheet, section 7). */

/** Everything that a closed receipt changes beside itself. */
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

/** The receipt is an issued fiscal document. */
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
  for (const [index, row] of receipt.rows.entries()) {
    const total = amounts?.[index] ?? row.amount
    const count = row.void ? -1 : 1
    const pieces = count * row.quantity
    if (row.department !== 0) {
      departments[row.department] = addRegister(departments[row.department], receipt.kind, total, count, pieces)
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

/** What stays readable after the receipt has ended. */
export function rememberLast(books: Books, receipt: FiscalReceipt, cancelled: boolean): void {
  const { document, items, total, paid, change, invoice, groups } = receipt
  books.change('last', {
    fiscal: {
      document,
      items,
      total,
      paid,
      change,
      cancelled,
      invoice,
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
