import type { TextLine } from '../../drivers/model/receipt.ts'
import { cashBlock, commentLine, documentNumber, titleLine } from '../print/document-layout.ts'
import { type DrawingOperation, text } from '../print/drawing-operations.ts'
import { type DayRegisters, dayReport, memoryLine, memoryReport, type PaymentNames } from '../print/report-layout.ts'
import { paperText } from '../print/text-paper.ts'
import type { PaperDocument } from './api.ts'
import type { Books } from './books.ts'
import { addCash, addOperatorCash, CASH, closureOf, drawerOf } from './day.ts'
import type { DocumentBook } from './documents.ts'
import { NEW_DAY } from './factory-state.ts'
import { type MemoryBook, withClosure } from './memory.ts'
import type { RegisterBook } from './registers.ts'
import type { DocumentKind, GrandTotals, ZRecord } from './types/day.ts'
import { done, type Outcome, refuse } from './types/outcome.ts'
import type { CashIntent, CashResult } from './types/receipt.ts'

const CLOSED_RECEIPTS: readonly DocumentKind[] = ['fiscal', 'invoice']

export const createReports = (books: Books, documents: DocumentBook, memory: MemoryBook, registers: RegisterBook) => ({
  ...createDayReports(books, documents, memory, registers),
  ...createCashMovements(books, documents, registers),
  ...createCopies(books, documents),
  ...createMemoryReports(books, documents, memory, registers),
})

function createDayReports(books: Books, documents: DocumentBook, memory: MemoryBook, registers: RegisterBook) {
  function reportX(): Outcome<ZRecord> {
    return books.operate('closing', () => {
      books.points?.memoryWrite('journal')
      const record = closure()
      const { page } = documents
      const sums = dayRegisters(withClosure(memory.grand, record))
      documents.issue('x', dayReport(page, 'x', record, paymentNames(registers), sums), 'report', {
        asked: { ask: 'reportX' },
      })
      return done(record)
    })
  }

  function reportZ({ onPaper = true }: { readonly onPaper?: boolean } = {}): Outcome<ZRecord> {
    const { state, profile } = books
    if (books.points?.memoryFull?.(true) || memory.remaining === 0) return refuse('fiscalMemoryFull')
    const last = memory.lastRecordAt
    if (last !== undefined && books.localTime() < last) return refuse('clockBehind')
    if (!profile.rules.zOnEmptyDay && state.day.receipts === 0) return refuse('noSale')
    return books.operate('closing', () => {
      const record = closure()
      const { fiscalised } = state.device
      books.points?.memoryWrite('z')
      if (fiscalised) memory.append({ kind: 'z', z: record })
      books.points?.memoryWrite('journal')
      const { page } = documents
      const room = fiscalised ? memoryLine(page, record.number, memory.remaining) : []
      const { grand } = memory
      const sums = dayRegisters(fiscalised ? grand : withClosure(grand, record))
      documents.issue('z', [...dayReport(page, 'z', record, paymentNames(registers), sums), ...room], 'fiscal', {
        zNumber: record.number,
        at: record.at,
        onPaper,
        asked: { ask: 'reportZ' },
      })
      if (fiscalised) books.change('counters', { lastZ: record.number, lastZAt: books.now() })
      books.change('day', NEW_DAY)
      books.change('totals', { departments: {}, groups: {} })
      books.emit({ type: 'state' })
      return done(record)
    })
  }

  function dayRegisters(grand: GrandTotals): DayRegisters {
    const { profile } = books
    const departments = Array.from({ length: profile.departments }, (_, index) => index + 1).flatMap((number) => {
      const { sales, reversals } = registers.departmentTotals(number)
      if (sales.count === 0 && reversals.count === 0) return []
      const { name } = registers.department(number)
      return [{ number, name, count: sales.count, amount: sales.amount - reversals.amount }]
    })
    return { departments, grand }
  }

  /** Returns the Z record as if the Z report were the next document. */
  function closure(): ZRecord {
    const { state, profile } = books
    return closureOf(state.day, state.registers.taxRates, profile, {
      number: state.counters.lastZ + 1,
      document: state.counters.lastDocument + 1,
      at: books.localTime(),
      lastDocument: state.counters.lastDocument,
    })
  }

  return { reportX, reportZ }
}

function createCashMovements(books: Books, documents: DocumentBook, registers: RegisterBook) {
  function cashInOut(cash: CashIntent): Outcome<CashResult> {
    const { direction, amount, operator = 0 } = cash
    const { state, profile } = books
    const mode = cash.mode ?? CASH
    if (!registers.payment(mode)) return refuse('paymentModeUnknown')
    // Only cash and foreign currency have a drawer.
    if (mode !== CASH && mode !== profile.foreignPayment) return refuse('paymentModeDisabled')
    if (amount === 0) return done(cashResult(mode))
    const { drawerCash } = drawerOf(state.day, mode)
    if (direction === 'out' && amount > drawerCash) return refuse('notEnoughCash')
    if (direction === 'in' && drawerCash + amount > profile.rules.receiptMaximum * 100) return refuse('receiptTooLarge')
    return books.operate('closing', () => {
      books.points?.memoryWrite('journal')
      books.change('day', addCash(books.state.day, direction, amount, mode))
      const { operators } = state.totals
      if (mode === CASH) {
        books.change('totals', {
          operators: { ...operators, [operator]: addOperatorCash(operators[operator], direction, amount) },
        })
      }
      const currency = mode === CASH ? '' : paymentNames(registers)[mode]
      const body = cashBlock(documents.page, direction, amount, cash.text ?? [], currency)
      documents.issue('service', body, 'service', { series: 'cash', cash: { direction, amount, mode } })
      books.emit({ type: 'drawer' })
      return done(cashResult(mode))
    })
  }

  function cashResult(mode: number): CashResult {
    const { drawerCash, cashIn, cashOut } = drawerOf(books.state.day, mode)
    return { drawer: drawerCash, cashIn: cashIn.amount, cashOut: cashOut.amount }
  }

  return { cashInOut }
}

function createCopies(books: Books, documents: DocumentBook) {
  function copyLastReceipt(): Outcome<{ document: number }> {
    const original = lastReceipt()
    if (!original) return refuse('nothingToCopy')
    return books.operate('closing', () => {
      books.points?.memoryWrite('journal')
      const { words } = documents.page.style
      const body = [
        titleLine(`${words.copy} ${documents.page.more.document} ${documentNumber(documents.page, original.number)}`),
        // Only the original has the fiscal mark.
        ...original.operations.filter(({ op }) => op !== 'cut' && op !== 'logo').map((operation) => asCopy(operation)),
        titleLine(words.copy),
      ]
      return done({ document: documents.issue('copy', body, 'service', { header: false, asked: { ask: 'copy' } }) })
    })
  }

  /**
   * Returns the last closed receipt. On family B, the last issued document may be a cancelled receipt (sheet B 10.5),
   * which is not copied.
   */
  function lastReceipt(): PaperDocument | undefined {
    const last = documents.byNumber(books.state.counters.lastReceipt)
    if (last?.kind !== 'cancelled') return last
    const closed = CLOSED_RECEIPTS.map((kind) =>
      Number(books.store.first('paper', { where: { kind }, columns: ['number'], order: 'down' })?.['number'] ?? 0),
    )
    return documents.byNumber(Math.max(...closed))
  }

  /** Families that print a word on the original replace it on the copy (sheet C 5.5). */
  function asCopy(operation: DrawingOperation): DrawingOperation {
    const { more, style } = documents.page
    const marked = operation.op === 'text' && more.original !== '' && operation.text === more.original
    return marked ? { ...operation, text: style.words.copy } : operation
  }

  return { copyLastReceipt }
}

function createMemoryReports(books: Books, documents: DocumentBook, memory: MemoryBook, registers: RegisterBook) {
  function printReport(kind: DocumentKind, lines: readonly TextLine[]): Outcome<{ document: number }> {
    return books.operate('closing', () => {
      if (documents.isInJournal(kind)) books.points?.memoryWrite('journal')
      const page = { ...documents.page, style: { ...documents.page.style, commentMarks: false } }
      const body = lines.map((line) => commentLine(page, line))
      return done({ document: documents.issue(kind, body, 'report') })
    })
  }

  function printMemoryReport(from: number, to: number, detailed: boolean): Outcome<{ document: number }> {
    return books.operate('closing', () => {
      if (documents.isInJournal('memory')) books.points?.memoryWrite('journal')
      const body = memoryOperations(from, to, detailed)
      return done({ document: documents.issue('memory', body, 'report') })
    })
  }

  function memoryReportLines(from: number, to: number, detailed: boolean): readonly string[] {
    return paperText(memoryOperations(from, to, detailed), books.profile.lineWidth)
  }

  function memoryOperations(from: number, to: number, detailed: boolean) {
    const records = memory.zs(from, to)
    const changes = memory.eventsOf('taxRates').filter(({ fromZ }) => fromZ >= from && fromZ <= to)
    const { page } = documents
    const report = memoryReport(page, records, changes, paymentNames(registers), detailed)
    return records.length > 0 ? report : [...report, text(`${page.more.receipts} 0`)]
  }

  return { printReport, printMemoryReport, memoryReportLines }
}

const paymentNames = (registers: RegisterBook): PaymentNames =>
  Object.fromEntries(registers.payments.map(({ mode, name }) => [mode, name]))

export type Reports = ReturnType<typeof createReports>
