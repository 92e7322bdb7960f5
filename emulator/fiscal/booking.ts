import type { Money } from '../../drivers/model/money.ts'
import type { ArticleBook } from './articles.ts'
import type { Books } from './books.ts'
import { addOperatorReceipt, addReceipt, addRegister, countsOf } from './day.ts'
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
  for (const row of receipt.rows) {
    const count = row.void ? -1 : 1
    const pieces = count * row.quantity
    if (row.department !== 0) {
      departments[row.department] = addRegister(departments[row.department], receipt.kind, row.amount, count, pieces)
    }
    if (row.plu === 0) continue
    const group = articles.get(row.plu)?.group ?? 0
    if (group !== 0) groups[group] = addRegister(groups[group], receipt.kind, row.amount, count, pieces)
    const { quantity, amount } = sold.get(row.plu) ?? { quantity: 0, amount: 0 }
    sold.set(row.plu, { quantity: quantity + pieces, amount: amount + row.amount })
  }
  books.change('totals', { departments, groups })
  const sign = receipt.kind === 'reversal' ? -1 : 1
  for (const [plu, { quantity, amount }] of sold) articles.book(plu, sign * quantity, sign * amount)
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
      payments: receipt.payments.map(({ mode, tendered }) => ({ mode, amount: tendered })),
    },
  })
}
