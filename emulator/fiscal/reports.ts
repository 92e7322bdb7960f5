import type { TextLine } from '../../drivers/model/receipt.ts'
import { cashBlock, commentLine, documentNumber, titleLine } from '../print/layout.ts'
import { type DrawingOperation, text } from '../print/operations.ts'
import { type DayRegisters, dayReport, memoryLine, memoryReport, type PaymentNames } from '../print/report-layout.ts'
import { paperText } from '../print/text-paper.ts'
import type { Books } from './books.ts'
import { addCash, addOperatorCash, CASH, closureOf, drawerOf } from './day.ts'
import type { DocumentBook } from './documents.ts'
import { NEW_DAY } from './factory.ts'
import { type MemoryBook, withClosure } from './memory.ts'
import type { RegisterBook } from './registers.ts'
import type { DocumentKind, GrandTotals, ZRecord } from './types/day.ts'
import { done, type Outcome, refuse } from './types/outcome.ts'
import type { CashIntent, CashResult } from './types/receipt.ts'

/** What is printed between receipts: X and Z, the archive read back, cash in and out, copies. */
export class ReportBook {
  readonly #books: Books
  readonly #documents: DocumentBook
  readonly #memory: MemoryBook
  readonly #registers: RegisterBook

  constructor(books: Books, documents: DocumentBook, memory: MemoryBook, registers: RegisterBook) {
    this.#books = books
    this.#documents = documents
    this.#memory = memory
    this.#registers = registers
  }

  reportX(): Outcome<ZRecord> {
    return this.#books.operate('closing', () => {
      this.#books.points?.memoryWrite('journal')
      const record = this.#closure()
      const { page } = this.#documents
      const registers = this.#dayRegisters(withClosure(this.#memory.grand, record))
      this.#documents.issue('x', dayReport(page, 'x', record, this.#payments, registers), 'report')
      return done(record)
    })
  }

  reportZ({ printed = true }: { readonly printed?: boolean } = {}): Outcome<ZRecord> {
    const { state, profile } = this.#books
    if (this.#books.points?.memoryFull?.(true) || this.#memory.left === 0) return refuse('fiscalMemoryFull')
    const last = this.#memory.lastRecordAt
    if (last !== undefined && this.#books.localTime() < last) return refuse('clockBehind')
    if (!profile.rules.zOnEmptyDay && state.day.receipts === 0) return refuse('noSale')
    return this.#books.operate('closing', () => {
      const record = this.#closure()
      const { fiscalised } = state.device
      this.#books.points?.memoryWrite('z')
      if (fiscalised) this.#memory.append({ kind: 'z', z: record })
      this.#books.points?.memoryWrite('journal')
      const { page } = this.#documents
      const room = fiscalised ? memoryLine(page, record.number, this.#memory.left) : []
      const { grand } = this.#memory
      const registers = this.#dayRegisters(fiscalised ? grand : withClosure(grand, record))
      this.#documents.issue('z', [...dayReport(page, 'z', record, this.#payments, registers), ...room], 'fiscal', {
        zNumber: record.number,
        printed,
      })
      if (fiscalised) this.#books.change('counters', { lastZ: record.number, lastZAt: this.#books.now() })
      this.#books.change('day', NEW_DAY)
      this.#books.change('totals', { departments: {}, groups: {} })
      this.#books.emit({ type: 'state' })
      return done(record)
    })
  }

  cashInOut(cash: CashIntent): Outcome<CashResult> {
    const { direction, amount, operator = 0 } = cash
    const { state, profile } = this.#books
    const mode = cash.mode ?? CASH
    if (!this.#registers.payment(mode)) return refuse('paymentModeUnknown')
    // Only cash lies in a drawer, foreign currency in one of its own.
    if (mode !== CASH && mode !== profile.foreignPayment) return refuse('paymentModeDisabled')
    if (amount === 0) return done(this.#cashResult(mode))
    const { drawerCash } = drawerOf(state.day, mode)
    if (direction === 'out' && amount > drawerCash) return refuse('notEnoughCash')
    if (drawerCash + amount > profile.rules.receiptMaximum * 100) return refuse('receiptTooLarge')
    return this.#books.operate('closing', () => {
      this.#books.points?.memoryWrite('journal')
      this.#books.change('day', addCash(this.#books.state.day, direction, amount, mode))
      const { operators } = state.totals
      if (mode === CASH) {
        this.#books.change('totals', {
          operators: { ...operators, [operator]: addOperatorCash(operators[operator], direction, amount) },
        })
      }
      const currency = mode === CASH ? '' : this.#payments[mode]
      const body = cashBlock(this.#documents.page, direction, amount, cash.text ?? [], currency)
      this.#documents.issue('service', body, 'service', { series: 'cash' })
      this.#books.emit({ type: 'drawer' })
      return done(this.#cashResult(mode))
    })
  }

  copyLastReceipt(): Outcome<{ document: number }> {
    const original = this.#documents.byNumber(this.#books.state.counters.lastReceipt)
    if (!original) return refuse('nothingToCopy')
    return this.#books.operate('closing', () => {
      this.#books.points?.memoryWrite('journal')
      const { words } = this.#documents.page.style
      const body = [
        titleLine(
          `${words.copy} ${this.#documents.page.more.document} ${documentNumber(this.#documents.page, original.number)}`,
        ),
        // The fiscal mark is on the original alone.
        ...original.operations
          .filter(({ op }) => op !== 'cut' && op !== 'logo')
          .map((operation) => this.#asCopy(operation)),
        titleLine(words.copy),
      ]
      return done({ document: this.#documents.issue('copy', body, 'service', { header: false }) })
    })
  }

  /** On a copy the word of the original becomes that of a copy (C 5.5). */
  #asCopy(operation: DrawingOperation): DrawingOperation {
    const { more, style } = this.#documents.page
    const marked = operation.op === 'text' && more.original !== '' && operation.text === more.original
    return marked ? { ...operation, text: style.words.copy } : operation
  }

  printReport(kind: DocumentKind, lines: readonly TextLine[]): Outcome<{ document: number }> {
    return this.#books.operate('closing', () => {
      if (this.#documents.journalKeeps(kind)) this.#books.points?.memoryWrite('journal')
      const page = { ...this.#documents.page, style: { ...this.#documents.page.style, commentMarks: false } }
      const body = lines.map((line) => commentLine(page, line))
      return done({ document: this.#documents.issue(kind, body, 'report') })
    })
  }

  printMemoryReport(from: number, to: number, detailed: boolean): Outcome<{ document: number }> {
    return this.#books.operate('closing', () => {
      if (this.#documents.journalKeeps('memory')) this.#books.points?.memoryWrite('journal')
      const body = this.#memoryOperations(from, to, detailed)
      return done({ document: this.#documents.issue('memory', body, 'report') })
    })
  }

  memoryReportLines(from: number, to: number, detailed: boolean): readonly string[] {
    return paperText(this.#memoryOperations(from, to, detailed), this.#books.profile.lineWidth)
  }

  #memoryOperations(from: number, to: number, detailed: boolean) {
    const records = this.#memory.zs(from, to)
    const changes = this.#memory
      .events()
      .filter((event) => event.kind === 'taxRates')
      .filter((event) => event.fromZ >= from && event.fromZ <= to)
    const { page } = this.#documents
    const report = memoryReport(page, records, changes, this.#payments, detailed)
    return records.length > 0 ? report : [...report, text(`${page.more.receipts} 0`)]
  }

  get #payments(): PaymentNames {
    return Object.fromEntries(this.#registers.payments.map(({ mode, name }) => [mode, name]))
  }

  #dayRegisters(grand: GrandTotals): DayRegisters {
    const { profile } = this.#books
    const departments = Array.from({ length: profile.departments }, (_, index) => index + 1).flatMap((number) => {
      const { sales, reversals } = this.#registers.departmentTotals(number)
      if (sales.count === 0 && reversals.count === 0) return []
      const { name } = this.#registers.department(number)
      return [{ number, name, count: sales.count, amount: sales.amount - reversals.amount }]
    })
    return { departments, grand }
  }

  /** The day as it stands, under the number of the closure to come and of the document about to be printed. */
  #closure(): ZRecord {
    const { state, profile } = this.#books
    return closureOf(state.day, state.registers.taxRates, profile, {
      number: state.counters.lastZ + 1,
      document: state.counters.lastDocument + 1,
      at: this.#books.localTime(),
      lastDocument: state.counters.lastDocument,
    })
  }

  #cashResult(mode: number): CashResult {
    const { drawerCash, cashIn, cashOut } = drawerOf(this.#books.state.day, mode)
    return { drawer: drawerCash, cashIn: cashIn.amount, cashOut: cashOut.amount }
  }
}
