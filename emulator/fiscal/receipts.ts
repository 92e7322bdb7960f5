import {
  cancelBlock,
  customerBlock,
  openingBlock,
  originalBlock,
  saleBlock,
  serviceClosing,
  subtotalBlock,
} from '../print/document-layout.ts'
import type { ArticleBook } from './articles.ts'
import { bookReceipt, countIssued, rememberLast } from './booking.ts'
import type { Books } from './books.ts'
import { closingRefusal, customerRefusal, fiscalEnd } from './closing.ts'
import { addCancelled } from './day.ts'
import type { DocumentBook } from './documents.ts'
import type { PrintMechanism } from './mechanism.ts'
import { type Entry, newReceipt, OpenDocument, rebuild } from './open-document.ts'
import { adjustedShares, paymentLines, paymentOf, voidedPaymentLines } from './paying.ts'
import { articleSale, priceSale, type Selling } from './pricing.ts'
import type { RegisterBook } from './registers.ts'
import { applyPayment, NO_GROUPS, sum } from './totals.ts'
import { done, type Outcome, type Refusal, refuse } from './types/outcome.ts'
import type {
  ArticleSaleIntent,
  ClosedFiscal,
  CustomerData,
  OpenFiscal,
  PaymentIntent,
  PaymentResult,
  Sale,
  SaleRow,
  SubtotalIntent,
  SubtotalResult,
} from './types/receipt.ts'

/** The receipt state machine (states: sheet A 5). */
export class ReceiptBook {
  open: OpenDocument | undefined
  readonly #books: Books
  readonly #registers: RegisterBook
  readonly #articles: ArticleBook
  readonly #documents: DocumentBook
  readonly #mechanism: PrintMechanism

  constructor(
    books: Books,
    registers: RegisterBook,
    articles: ArticleBook,
    documents: DocumentBook,
    mechanism: PrintMechanism,
  ) {
    this.#books = books
    this.#registers = registers
    this.#articles = articles
    this.#documents = documents
    this.#mechanism = mechanism
    this.reload()
  }

  reload(): void {
    const rows = this.#books.store.rows('open_document')
    this.open = rebuild(rows, this.#books.profile.rules, this.#books.profile.lineWidth)
  }

  get openRefusal(): 'fiscalReceiptOpen' | 'nonFiscalReceiptOpen' | undefined {
    if (!this.open) return undefined
    return this.open.fiscal ? 'fiscalReceiptOpen' : 'nonFiscalReceiptOpen'
  }

  openNonFiscal(opening: { operator?: number; header?: boolean; postponed?: boolean }): Outcome<{ document: number }> {
    const refusal = this.openRefusal
    if (refusal) return refuse(refusal)
    return this.#books.operate('ordinary', () => {
      const document = this.#documents.takeNumber()
      const { operator = 0, header = true, postponed = false } = opening
      const receipt = { kind: 'nonFiscal', document, openedAt: this.#books.now(), operator } as const
      const operations = header ? openingBlock(this.#documents.page, this.#openingFacts(document, operator)) : []
      this.#begin({ entry: 'nonFiscal', receipt, postponed, header, operations })
      return done({ document })
    })
  }

  closeNonFiscal(): Outcome<{ document: number }> {
    const { open } = this
    if (!open) return refuse('noReceiptOpen')
    if (open.fiscal) return refuse('fiscalReceiptOpen')
    return this.#books.operate('closing', () => {
      this.#books.points?.memoryWrite('journal')
      const at = this.#books.localTime()
      const facts = this.#documents.closing(open.number, at)
      this.add({ entry: 'paper', operations: serviceClosing(this.#documents.page, facts, open.header) })
      this.#books.change('counters', { nonFiscal: this.#books.state.counters.nonFiscal + 1 })
      this.#end(open, 'nonFiscal', at)
      return done({ document: open.number })
    })
  }

  openFiscal(opening: OpenFiscal): Outcome<{ document: number; invoiceNumber?: number }> {
    if (this.open) return refuse(this.open.fiscal ? 'receiptOpen' : 'nonFiscalReceiptOpen')
    const range = this.#registers.invoiceRange
    const isNumbered = opening.invoice && !this.#books.profile.rules.simplifiedInvoices
    if (isNumbered && (!range || range.next > range.end)) return refuse('invoiceRangeUsedUp')
    // A receipt that cannot be closed must not be opened.
    if (this.#books.points?.memoryFull?.(false)) return refuse('fiscalMemoryFull')
    return this.#books.operate('ordinary', () => {
      const document = this.#documents.takeNumber()
      const invoiceNumber = isNumbered ? range?.next : undefined
      const receipt = newReceipt(opening, document, this.#books.now(), invoiceNumber)
      if (isNumbered && range) {
        this.#books.change('registers', { invoiceRange: { ...range, next: range.next + 1 } })
      }
      const { page } = this.#documents
      const operations = [
        ...openingBlock(page, this.#openingFacts(document, opening.operator), receipt),
        ...(opening.original ? originalBlock(page, opening.original) : []),
        ...(opening.customer ? customerBlock(page, opening.customer) : []),
      ]
      this.#begin({ entry: 'fiscal', receipt, postponed: opening.postponed ?? false, operations })
      return done({ document, ...(invoiceNumber === undefined ? {} : { invoiceNumber }) })
    })
  }

  sell(sale: Sale): Outcome<SaleRow> {
    const selling = this.#selling()
    if (typeof selling === 'string') return refuse(selling)
    return this.#sell(selling, sale)
  }

  sellArticle(intent: ArticleSaleIntent): Outcome<SaleRow> {
    const selling = this.#selling()
    if (typeof selling === 'string') return refuse(selling)
    const sale = articleSale(selling, intent, this.#articles.get(intent.plu), this.#books.profile.rules)
    if (typeof sale === 'string') return refuse(sale)
    const hasOwnPrice = intent.price !== undefined && intent.price !== this.#articles.get(intent.plu)?.price
    return this.#sell(selling, sale, hasOwnPrice)
  }

  subtotal(request: SubtotalIntent): Outcome<SubtotalResult & { print: boolean }> {
    const { adjustment } = request
    const { rules } = this.#books.profile
    const open = adjustment || !rules.subtotalWhilePaying ? this.#selling() : this.#fiscal()
    if (typeof open === 'string') return refuse(open)
    const receipt = open.fiscal
    const before = receipt.total
    const shares = adjustment ? adjustedShares(receipt, adjustment, rules) : NO_GROUPS
    if (typeof shares === 'string') return refuse(shares)
    const adjusted = sum(shares)
    return this.#books.operate('ordinary', () => {
      const print = request.print || adjustment !== undefined
      const applied = adjustment && { adjustment, amount: adjusted }
      const asked = { ask: 'subtotal', display: request.display, ...(adjustment && { adjustment }) } as const
      const operations = print ? subtotalBlock(this.#documents.page, before, applied) : []
      if (adjustment) this.add({ entry: 'subtotal', adjustment, shares, operations, asked })
      else if (operations.length > 0) this.add({ entry: 'paper', operations, asked })
      return done({ before, adjusted, total: receipt.total, groups: receipt.groups, print })
    })
  }

  pay(intent: PaymentIntent): Outcome<PaymentResult> {
    const open = this.#fiscal()
    if (typeof open === 'string') return refuse(open)
    const payment = paymentOf(open.fiscal, intent, this.#books, this.#registers)
    if (typeof payment === 'string') return refuse(payment)
    return this.#books.operate('ordinary', () => {
      const receipt = open.fiscal
      const { rest } = applyPayment(receipt.rest, payment.tendered)
      const operations = paymentLines(receipt, payment, rest, this.#documents.page, this.#registers)
      this.add({ entry: 'payment', payment, operations })
      return done({ rest, change: payment.change })
    })
  }

  voidPayments(): Outcome {
    const open = this.#fiscal()
    if (typeof open === 'string') return refuse(open)
    if (open.fiscal.payments.length === 0) return refuse('paymentNotStarted')
    return this.#books.operate('ordinary', () => {
      const operations = voidedPaymentLines(open.fiscal.payments, this.#documents.page, this.#registers)
      this.add({ entry: 'voidPayments', operations })
      return done(undefined)
    })
  }

  setCustomer(customer: CustomerData): Outcome {
    const open = this.#fiscal()
    if (typeof open === 'string') return refuse(open)
    const refusal = customerRefusal(open.fiscal)
    if (refusal) return refuse(refusal)
    return this.#books.operate('ordinary', () => {
      this.add({ entry: 'customer', customer, operations: customerBlock(this.#documents.page, customer) })
      return done(undefined)
    })
  }

  closeFiscal(): Outcome<ClosedFiscal> {
    const open = this.#fiscal()
    if (typeof open === 'string') return refuse(open)
    const receipt = open.fiscal
    const refusal = closingRefusal(receipt) ?? (this.#books.points?.memoryFull?.(true) ? 'fiscalMemoryFull' : undefined)
    if (refusal) return refuse(refusal)
    return this.#books.operate('closing', () => {
      this.#books.points?.memoryWrite('receipt')
      const at = this.#books.localTime()
      const facts = this.#documents.closing(open.number, at)
      const end = fiscalEnd(this.#documents.page, facts, receipt, this.#registers.taxRates)
      const operations = facts.fiscalised ? this.#documents.sealed(open.lines, end) : end
      this.add({ entry: 'paper', operations })
      bookReceipt(this.#books, this.#articles, receipt)
      rememberLast(this.#books, receipt, false)
      this.#end(open, receipt.invoice ? 'invoice' : 'fiscal', at)
      return done({ document: open.number, total: receipt.total, change: receipt.change })
    })
  }

  cancelFiscal(): Outcome<ClosedFiscal> {
    const open = this.#fiscal()
    if (typeof open === 'string') return refuse(open)
    const receipt = open.fiscal
    if (receipt.payments.length > 0) return refuse('paymentStarted')
    return this.#books.operate('closing', () => {
      this.#books.points?.memoryWrite('receipt')
      const { state, profile } = this.#books
      const at = this.#books.localTime()
      const { page } = this.#documents
      this.add({
        entry: 'paper',
        operations: [...cancelBlock(page), ...serviceClosing(page, this.#documents.closing(open.number, at), true)],
      })
      this.#books.change('day', addCancelled(state.day, receipt, profile.rules.cancelledCounts))
      if (profile.rules.cancelledCounts) countIssued(this.#books, receipt)
      rememberLast(this.#books, receipt, true)
      this.#end(open, 'cancelled', at)
      return done({ document: open.number, total: receipt.total, change: 0 })
    })
  }

  /**
   * Adds an entry to the open receipt, and prints it unless printing is postponed. Must be called inside a device
   * operation.
   */
  add(entry: Entry): void {
    if (!this.open) throw new Error('no receipt is open')
    const lines = this.open.apply(entry)
    this.#books.store.addEntry(JSON.stringify(entry))
    if (!this.open.postponed) this.#mechanism.print(this.open.number, lines)
  }

  drop(): void {
    this.open = undefined
    this.#books.store.dropEntries()
  }

  #begin(entry: Entry): void {
    this.open = new OpenDocument(entry, this.#books.profile.rules, this.#books.profile.lineWidth)
    this.add(entry)
    this.#books.emit({ type: 'state' })
  }

  #end(open: OpenDocument, kind: 'fiscal' | 'invoice' | 'cancelled' | 'nonFiscal', at: string): void {
    if (open.postponed) this.#mechanism.print(open.number, open.lines)
    const reversal = open.fiscal?.kind === 'reversal'
    const { number, operations, lines, steps } = open
    this.#documents.store({ kind, number, at, operations, lines, steps, reversal, receipt: open.fiscal })
    this.drop()
  }

  #openingFacts(document: number, operator: number) {
    const operatorName = this.#registers.operator(operator)?.name ?? ''
    return { ...this.#documents.header, document, operator, operatorName }
  }

  #fiscal(): Selling | Refusal {
    const { open } = this
    if (!open) return 'noReceiptOpen'
    if (!open.fiscal) return 'nonFiscalReceiptOpen'
    return open as Selling
  }

  #selling(): Selling | Refusal {
    const open = this.#fiscal()
    return typeof open !== 'string' && open.fiscal.payments.length > 0 ? 'paymentStarted' : open
  }

  #sell(selling: Selling, sale: Sale, hasOwnPrice = false): Outcome<SaleRow> {
    const priced = priceSale(selling, sale, this.#books.profile, this.#registers)
    if (typeof priced === 'string') return refuse(priced)
    const { row, voidsRow } = priced
    return this.#books.operate('ordinary', () => {
      const operations = saleBlock(this.#documents.page, row)
      const asked = hasOwnPrice ? { asked: { ask: 'sale', row, ownPrice: true } as const } : {}
      this.add({ entry: 'row', row, operations, ...asked, ...(voidsRow === undefined ? {} : { voidsRow }) })
      return done(row)
    })
  }
}
