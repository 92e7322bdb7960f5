import {
  type ClosingFacts,
  type HeaderFacts,
  headerBlock,
  type Page,
  pageOf,
  reportClosing,
  serviceClosing,
} from '../print/document-layout.ts'
import { centered, type DrawingOperation } from '../print/drawing-operations.ts'
import { paperText } from '../print/text-paper.ts'
import type { DocumentHead, HeadQuery, PaperDocument } from './api.ts'
import type { Books } from './books.ts'
import type { Value } from './column-types.ts'
import { documentHash } from './document-hash.ts'
import { numbersOf } from './factory-state.ts'
import type { JournalBook } from './journal.ts'
import type { PrintMechanism } from './mechanism.ts'
import { inSmallLetters, type Row } from './store.ts'
import type { CashMovement, DocumentKind } from './types/day.ts'
import type { PrintedStep, PrintRequest } from './types/print-request.ts'
import type { FiscalReceipt, PaymentRow } from './types/receipt.ts'

/**
 * Numbers, prints and stores documents. Each document has the next running number; the paper contains every printed
 * document, the journal those of `isInJournal`.
 */
export class DocumentBook {
  readonly page: Page
  readonly #books: Books
  readonly #journal: JournalBook
  readonly #mechanism: PrintMechanism

  constructor(books: Books, journal: JournalBook, mechanism: PrintMechanism) {
    this.#books = books
    this.#journal = journal
    this.#mechanism = mechanism
    this.page = pageOf(books.profile.paper, books.profile.lineWidth)
  }

  takeNumber(): number {
    const { counters, day } = this.#books.state
    const number = counters.lastDocument + 1
    this.#books.change('counters', { lastDocument: number })
    if (day.firstDocument === null) this.#books.change('day', { firstDocument: number })
    return number
  }

  get header(): HeaderFacts {
    const { registers, device } = this.#books.state
    return { header: registers.header, taxNumber: device.taxNumber }
  }

  closing(document: number, at: string): ClosingFacts {
    const { registers, device } = this.#books.state
    const isFiscal = device.fiscalised && registers.school !== true
    const numbers = numbersOf(this.#books.profile, device)
    return { at, document, footer: registers.footer, ...numbers, fiscalised: isFiscal }
  }

  /**
   * Prints and stores a complete document with header and end, and returns its number. Must be called inside a device
   * operation.
   */
  issue(
    kind: DocumentKind,
    body: readonly DrawingOperation[] | ((number: number) => readonly DrawingOperation[]),
    end: 'fiscal' | 'report' | 'service',
    options: {
      readonly zNumber?: number
      readonly header?: boolean
      readonly onPaper?: boolean
      readonly series?: string
      readonly asked?: PrintRequest
      readonly cash?: CashMovement
      readonly at?: string
    } = {},
  ): number {
    const { zNumber, header = true, onPaper = true, series, asked, cash, at = this.#books.localTime() } = options
    const number = this.takeNumber()
    const facts = this.closing(number, at)
    const isFiscal = end === 'fiscal' && facts.fiscalised
    const drawn = [
      ...(header ? headerBlock(this.page, this.header) : []),
      ...(typeof body === 'function' ? body(number) : body),
      ...(end === 'service' ? serviceClosing(this.page, facts, false) : reportClosing(this.page, facts, isFiscal)),
    ]
    const operations = isFiscal ? this.sealed([], drawn) : drawn
    const lines = paperText(operations, this.#books.profile.lineWidth)
    if (onPaper) this.#mechanism.print(number, lines)
    const more = {
      ...(zNumber !== undefined && { zNumber }),
      ...(series !== undefined && { series }),
      ...(cash && { cash }),
    }
    const steps = asked && [{ asked, lines: lines.length }]
    this.store({ kind, number, at, operations, lines, reversal: false, onPaper, ...more, ...(steps && { steps }) })
    return number
  }

  /** Returns the end of a fiscal document, with the hash of all lines above if the family prints one (sheet B 14.1). */
  sealed(above: readonly string[], end: readonly DrawingOperation[]): readonly DrawingOperation[] {
    if (!this.page.style.documentHash) return end
    const lines = [...above, ...paperText(end, this.#books.profile.lineWidth)]
    const cut = end.filter(({ op }) => op === 'cut')
    return [...end.filter(({ op }) => op !== 'cut'), ...documentHash(lines).map((line) => centered(line)), ...cut]
  }

  /** Stores a complete document. Must be called inside a device operation. */
  store(document: {
    readonly kind: DocumentKind
    readonly number: number
    readonly at: string
    readonly operations: readonly DrawingOperation[]
    readonly lines: readonly string[]
    readonly reversal: boolean
    readonly zNumber?: number
    /** If false, the document is stored in the journal only. */
    readonly onPaper?: boolean
    /** The series in which the document is counted. Absent: its kind, with a separate series for reversals. */
    readonly series?: string
    readonly cash?: CashMovement
    readonly receipt?: FiscalReceipt | undefined
    readonly steps?: readonly PrintedStep[]
  }): void {
    const { kind, number, at, lines, reversal, zNumber, cash } = document
    const { series = reversal ? `${kind} reversal` : kind } = document
    const { counters, day } = this.#books.state
    const kindNumber = zNumber ?? (counters.kinds[series] ?? 0) + 1
    this.#books.change('counters', { kinds: { ...counters.kinds, [series]: kindNumber } })
    this.#books.change('day', { documents: day.documents + 1 })
    if (this.isInJournal(kind)) {
      const z = zNumber ?? this.#books.state.counters.lastZ + 1
      const head = { document: number, kind, kindNumber, reversal, at, z, ...(cash && { cash }) }
      this.#journal.append(head, lines, document.receipt)
    }
    if (document.onPaper !== false) this.#putOnPaper(document)
    this.#books.emit({ type: 'state' })
  }

  #putOnPaper(
    document: Omit<PaperDocument, 'id' | 'text'> & {
      readonly lines: readonly string[]
      readonly steps?: readonly PrintedStep[]
    },
  ): void {
    const { kind, number, at, lines, zNumber, steps } = document
    const papers = this.#books.state.counters.papers + 1
    this.#books.change('counters', { papers })
    this.#books.store.insert('paper', {
      id: papers,
      kind,
      number,
      z_number: zNumber ?? null,
      at,
      lines: JSON.stringify(lines),
      operations: JSON.stringify(document.operations),
    })
    if (steps) this.#books.store.insert('courses', { paper: papers, body: JSON.stringify(steps) })
    this.#books.emit({ type: 'document', id: papers, kind, number })
  }

  /** Some families do not store reports on the fiscal memory in the journal, although these reports have numbers. */
  isInJournal(kind: DocumentKind): boolean {
    return kind !== 'memory' || this.#books.profile.rules.memoryReportsInJournal === true
  }

  list(after = 0, limit = Number.MAX_SAFE_INTEGER): readonly PaperDocument[] {
    const papers = this.#books.store.rows('paper', { where: { id: { from: after + 1 } }, limit })
    const receipts = this.#receiptsOf(papers)
    return papers.map((row) => this.#fromRow(row, receipts))
  }

  heads({ after = 0, before, limit, search = '' }: HeadQuery = {}): readonly DocumentHead[] {
    const id = { from: after + 1, ...(before === undefined ? {} : { to: before - 1 }) }
    // The column contains JSON, so that the search text must be escaped in the same way.
    const where = { id, ...(search !== '' && { lines: { holds: inStoredForm(search) } }) }
    const order = before === undefined ? 'up' : 'down'
    const columns = ['id', 'kind', 'number', 'z_number', 'at']
    const rows = this.#books.store.rows('paper', { where, columns, order, ...(limit === undefined ? {} : { limit }) })
    const papers = order === 'up' ? rows : rows.toReversed()
    const receipts = this.#receiptsOf(papers)
    return papers.map((row) => headFromRow(row, receipts))
  }

  byId(id: number): PaperDocument | undefined {
    const row = this.#books.store.first('paper', { where: { id } })
    return row && this.#fromRow(row, this.#receiptsOf([row]))
  }

  printedSteps(id: number): readonly PrintedStep[] | undefined {
    const row = this.#books.store.first('courses', { where: { paper: id } })
    return row && (JSON.parse(String(row['body'])) as PrintedStep[])
  }

  byNumber(number: number): PaperDocument | undefined {
    const row = this.#books.store.first('paper', { where: { number }, order: 'down' })
    return row && this.#fromRow(row, this.#receiptsOf([row]))
  }

  #receiptsOf(papers: readonly Row[]): Receipts {
    const [first, last] = [papers[0]?.['number'], papers.at(-1)?.['number']]
    if (first === undefined || last === undefined) return new Map()
    const where = { document: { from: first, to: last } }
    const rows = this.#books.store.rows('journal_documents', { where, columns: ['document', 'receipt'] })
    return new Map(rows.map((row) => [Number(row['document']), row['receipt'] ?? null]))
  }

  /** Lines that wait for paper or a closed cover are not on the paper yet. */
  #fromRow(row: Row, receipts: Receipts): PaperDocument {
    const number = Number(row['number'])
    const lines = JSON.parse(String(row['lines'])) as string[]
    const waiting = this.#mechanism.waitingLines(number)
    return {
      ...headFromRow(row, receipts),
      text: waiting > 0 ? lines.slice(0, -waiting) : lines,
      operations: JSON.parse(String(row['operations'])) as DrawingOperation[],
    }
  }
}

/** The receipt of each journal document as JSON; `null` for documents without a receipt. */
type Receipts = ReadonlyMap<number, Value>

const inStoredForm = (search: string): string => inSmallLetters(JSON.stringify(search).slice(1, -1))

function headFromRow(row: Row, receipts: Receipts): DocumentHead {
  const number = Number(row['number'])
  const storedReceipt = receipts.get(number)
  const receipt = typeof storedReceipt === 'string' ? (JSON.parse(storedReceipt) as FiscalReceipt) : undefined
  return {
    id: Number(row['id']),
    kind: String(row['kind']) as DocumentKind,
    number,
    ...(row['z_number'] === null ? {} : { zNumber: Number(row['z_number']) }),
    at: String(row['at']),
    ...(receipt && { total: receipt.total, paymentModes: modesIn(receipt.payments) }),
    ...(receipt?.reason && { reversalReason: receipt.reason }),
  }
}

const modesIn = (payments: readonly PaymentRow[]): readonly number[] => [...new Set(payments.map(({ mode }) => mode))]
