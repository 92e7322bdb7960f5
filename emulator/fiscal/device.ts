import type { Clock } from '../../drivers/model/clock.ts'
import type { Barcode, SeparatingLine, TextLine } from '../../drivers/model/receipt.ts'
import { DeviceDisplay } from '../device-display.ts'
import { barcodeBlock, commentLine, separatorLine } from '../print/document-layout.ts'
import { centered, type DrawingOperation } from '../print/drawing-operations.ts'
import type { DeviceSnapshot, FiscalDevice, LastFiscal, OpenPaper, ResetOptions } from './api.ts'
import { ArticleBook, saveArticle } from './articles.ts'
import { Books, loadState } from './books.ts'
import { DocumentBook } from './documents.ts'
import { factoryArticles, factoryRates, factoryRegisters, NEW_DAY, numbersOf } from './factory-state.ts'
import { JournalBook } from './journal.ts'
import { PrintMechanism } from './mechanism.ts'
import { MemoryBook } from './memory.ts'
import { createNewDevice, recreateDevice, storedDevice } from './new-device.ts'
import { createReports, type Reports } from './printed-reports.ts'
import { ReceiptBook } from './receipts.ts'
import { refusalsOf } from './refusals.ts'
import { RefusedRequests, type RefusedStep } from './refused-requests.ts'
import { RegisterBook } from './registers.ts'
import { restoreSnapshot, takeSnapshot } from './snapshot.ts'
import { SqliteStore } from './sqlite-store.ts'
import type { Store } from './store.ts'
import { TABLES } from './tables.ts'
import type { Counters, DayTotals } from './types/day.ts'
import type { Refusals } from './types/device-parts.ts'
import type { BookPoints, DeviceEvent } from './types/events.ts'
import { done, type Outcome, type Refusal, refuse } from './types/outcome.ts'
import type { PrintRequest } from './types/print-request.ts'
import type { DeviceNumbers, DeviceProfile, FactorySettings } from './types/profile.ts'
import type { OpenReceipt, SubtotalIntent, SubtotalResult } from './types/receipt.ts'

export interface DeviceOptions {
  readonly profile: DeviceProfile
  /** A store, or the path of the device's file. Absent or `:memory:`: all state is in memory. */
  readonly store?: Store | string
  readonly clock: Clock
  readonly settings?: FactorySettings
  readonly points?: BookPoints | undefined
  readonly onEvent?: ((event: DeviceEvent) => void) | undefined
}

/** Creates a new device, or opens the device in the store. Throws if that device is of another family or profile. */
export function createDevice(options: DeviceOptions): FiscalDevice {
  const { profile, clock, settings = {}, points, onEvent } = options
  const { store: storePath = ':memory:' } = options
  const store = typeof storePath === 'string' ? new SqliteStore(storePath) : storePath
  const state = storedDevice(store, profile) ?? createNewDevice(store, profile, settings, clock.wallTime())
  return new Device(new Books({ profile, store, clock, settings, points, onEvent }, state))
}

class Device implements FiscalDevice {
  readonly profile: DeviceProfile
  readonly refusals: Refusals
  readonly registers: RegisterBook
  readonly articles: ArticleBook
  readonly memory: MemoryBook
  readonly journal: JournalBook
  readonly mechanism: PrintMechanism
  readonly display: DeviceDisplay
  readonly #books: Books
  readonly #documents: DocumentBook
  readonly #receipts: ReceiptBook
  readonly #refused = new RefusedRequests()
  readonly #reports: Reports

  constructor(books: Books) {
    this.#books = books
    this.profile = books.profile
    this.memory = new MemoryBook(books)
    this.journal = new JournalBook(books)
    this.mechanism = new PrintMechanism(books)
    this.display = new DeviceDisplay(books)
    this.articles = new ArticleBook(books)
    this.registers = new RegisterBook(books, this.memory, () => this.#receipts.openRefusal)
    this.refusals = refusalsOf(books, this.memory, this.journal, this.registers)
    this.#documents = new DocumentBook(books, this.journal, this.mechanism)
    this.#receipts = new ReceiptBook(books, this.registers, this.articles, this.#documents, this.mechanism)
    this.#reports = createReports(books, this.#documents, this.memory, this.registers)
    books.onReload = () => this.#reload()
  }

  get receipt(): OpenReceipt | null {
    return this.#receipts.open?.receipt ?? null
  }

  get lastFiscal(): LastFiscal | null {
    return this.#books.state.last.fiscal
  }

  get day(): DayTotals {
    return this.#books.state.day
  }

  get counters(): Counters {
    return this.#books.state.counters
  }

  now(): number {
    return this.#books.now()
  }

  localTime(at?: number): string {
    return this.#books.localTime(at)
  }

  get clockSet(): boolean {
    return this.#books.state.device.clockSet
  }

  get earliestClock(): string | undefined {
    const last = [this.memory.lastRecordAt, this.profile.rules.clockBehindJournal ? this.journal.last?.at : undefined]
    return last
      .filter((at) => at !== undefined)
      .toSorted()
      .at(-1)
  }

  setClock(local: string): Outcome {
    const at = Date.parse(`${local}Z`)
    const { earliestClock } = this
    if (Number.isNaN(at) || (earliestClock !== undefined && local < earliestClock)) return refuse('clockBehind')
    return this.#books.operate('ordinary', () => {
      this.#books.change('device', { clockSet: true, clockOffset: at - this.#books.clockNow() })
      this.#books.emit({ type: 'state' })
      return done(undefined)
    })
  }

  loseClock(): void {
    this.#books.operate('ordinary', () => {
      this.#books.change('device', { clockSet: false })
      this.#books.emit({ type: 'state' })
    })
  }

  get fiscalised(): boolean {
    return this.#books.state.device.fiscalised
  }

  fiscalise(serialNumber: string, taxNumber: string): Outcome {
    if (this.fiscalised) return refuse('alreadyFiscalised')
    return this.#idle(() =>
      this.#books.operate('closing', () => {
        this.#books.points?.memoryWrite('taxRates')
        this.memory.append({ kind: 'fiscalised', at: this.memory.recordTime, serialNumber, taxNumber })
        this.#books.change('device', { fiscalised: true, serialNumber, taxNumber })
        return done(undefined)
      }),
    )
  }

  fiscaliseAsFactory(): Outcome {
    const { profile } = this
    if (this.registers.taxRates.every((rate) => rate === null)) {
      const set = this.registers.setTaxRates(factoryRates(profile, this.#books.settings))
      if (!set.ok) return set
    }
    return this.fiscalise(profile.serialNumber, profile.taxNumber)
  }

  get numbers(): DeviceNumbers {
    return numbersOf(this.profile, this.#books.state.device)
  }

  readonly openNonFiscal: FiscalDevice['openNonFiscal'] = (opening = {}) => this.#receipts.openNonFiscal(opening)
  readonly closeNonFiscal: FiscalDevice['closeNonFiscal'] = () => this.#receipts.closeNonFiscal()
  readonly sell: FiscalDevice['sell'] = (sale) => this.#noted({ ask: 'sale', sale }, this.#receipts.sell(sale))
  readonly sellArticle: FiscalDevice['sellArticle'] = (sale) =>
    this.#noted({ ask: 'article', sale }, this.#receipts.sellArticle(sale))
  readonly pay: FiscalDevice['pay'] = (payment) => this.#noted({ ask: 'payment', payment }, this.#receipts.pay(payment))
  readonly voidPayments: FiscalDevice['voidPayments'] = () => this.#receipts.voidPayments()
  readonly setCustomer: FiscalDevice['setCustomer'] = (customer) => this.#receipts.setCustomer(customer)

  openFiscal(opening: Parameters<FiscalDevice['openFiscal']>[0]): ReturnType<FiscalDevice['openFiscal']> {
    const outcome = this.#receipts.openFiscal(opening)
    if (outcome.ok) this.#refused.begin()
    return outcome
  }

  closeFiscal(): ReturnType<FiscalDevice['closeFiscal']> {
    const outcome = this.#noted({ ask: 'close' }, this.#receipts.closeFiscal())
    if (outcome.ok) this.#refused.end(this.counters.papers)
    return outcome
  }

  cancelFiscal(): ReturnType<FiscalDevice['cancelFiscal']> {
    const outcome = this.#receipts.cancelFiscal()
    if (outcome.ok) this.#refused.end(this.counters.papers)
    return outcome
  }

  subtotal(request: SubtotalIntent): Outcome<SubtotalResult> {
    const outcome = this.#noted({ ask: 'subtotal', subtotal: request }, this.#receipts.subtotal(request))
    if (outcome.ok && request.display) this.display.showAmount(this.profile.paper.words.subtotal, outcome.value.total)
    return outcome
  }

  printText(line: TextLine): Outcome {
    return this.#print(commentLine(this.#documents.page, line), { ask: 'text', line })
  }

  printBarcode(barcode: Barcode, label: string): Outcome {
    return this.#print(barcodeBlock(barcode, label), { ask: 'barcode', barcode })
  }

  printSeparator(style: SeparatingLine | 'nothingDue'): Outcome {
    return this.#print(separatorLine(this.#documents.page, style), { ask: 'separator', style })
  }

  feed(lines: number): void {
    this.#print({ op: 'feed', lines }, { ask: 'feed', lines })
  }

  cut(): void {
    this.#print({ op: 'cut' }, { ask: 'cut' })
  }

  openDrawer(): void {
    this.#books.operate('ordinary', () => this.#books.emit({ type: 'drawer' }))
  }

  readonly cashInOut: FiscalDevice['cashInOut'] = (cash) => this.#idle(() => this.#reports.cashInOut(cash))
  readonly reportX: FiscalDevice['reportX'] = () => this.#idle(() => this.#reports.reportX())
  readonly reportZ: FiscalDevice['reportZ'] = (options = {}) => this.#idle(() => this.#reports.reportZ(options))
  readonly copyLastReceipt: FiscalDevice['copyLastReceipt'] = () => this.#idle(() => this.#reports.copyLastReceipt())
  readonly printReport: FiscalDevice['printReport'] = (kind, lines) =>
    this.#idle(() => this.#reports.printReport(kind, lines))
  readonly printMemoryReport: FiscalDevice['printMemoryReport'] = (from, to, detailed) =>
    this.#idle(() => this.#reports.printMemoryReport(from, to, detailed))
  readonly memoryReportLines: FiscalDevice['memoryReportLines'] = (from, to, detailed) =>
    this.#reports.memoryReportLines(from, to, detailed)

  resetRam(): void {
    const { state, settings } = this.#books
    this.#books.operate('closing', () => {
      const dropped = this.#receipts.open?.number
      const at = this.memory.lastRecordAt ?? this.localTime()
      this.memory.append({ kind: 'ramReset', at, ...(dropped !== undefined && { dropped }) })
      this.#receipts.drop()
      this.#books.change('day', NEW_DAY)
      this.#books.change('totals', { operators: {}, departments: {}, groups: {} })
      this.#books.change('last', { fiscal: null })
      const { taxRates } = state.registers
      this.#books.change('registers', { ...factoryRegisters(this.profile, settings), taxRates, invoiceRange: null })
      this.#books.change('device', { clockSet: false })
      this.#books.change('counters', { ramResets: state.counters.ramResets + 1 })
      this.#books.change('mechanism', { waiting: [] })
      this.#factoryArticles()
      this.#books.emit({ type: 'state' })
    })
  }

  powerOn(): void {
    this.#books.store.rollback()
    this.#reload()
    const { powerLoss } = this.profile.paper.words
    if (powerLoss !== undefined && this.receipt) this.#print(centered(powerLoss))
  }

  readonly documents: FiscalDevice['documents'] = (after, limit) => this.#documents.list(after, limit)
  readonly document: FiscalDevice['document'] = (id) => this.#documents.byId(id)
  readonly printedSteps: FiscalDevice['printedSteps'] = (id) => this.#documents.printedSteps(id)
  readonly refusedSteps: FiscalDevice['refusedSteps'] = (id) => this.#refused.of(id)

  noteRefused(asked: RefusedStep['asked'], refusal: Refusal): void {
    this.#noted(asked, refuse(refusal))
  }

  readonly documentHeads: FiscalDevice['documentHeads'] = (query = {}) => this.#documents.heads(query)

  get openPaper(): OpenPaper | null {
    const { open } = this.#receipts
    if (!open) return null
    const linesPrinted = open.postponed ? 0 : open.lines.length - this.mechanism.waitingLines(open.number)
    return { number: open.number, operations: open.operations, linesPrinted }
  }

  reset({ keep, fiscalised }: ResetOptions = {}): void {
    const { store, settings } = this.#books
    if (keep === 'fiscalMemory') recreateDevice(this.#books, this.#receipts.open?.number)
    else {
      store.renew(TABLES)
      const own = fiscalised === undefined ? settings : { ...settings, fiscalised }
      createNewDevice(store, this.profile, own, this.#books.clockNow())
    }
    this.#refused.forget()
    this.#reload()
    this.#books.operate('ordinary', () => this.#books.emit({ type: 'state' }))
  }

  snapshot(): DeviceSnapshot {
    return takeSnapshot(this.#books.store, this.profile)
  }

  restore(document: unknown, by: 'tester' | 'rig' = 'rig'): void {
    const { counters } = this.#books.state
    const replaced = by === 'tester' ? { counters, clockNow: this.#books.clockNow() } : undefined
    restoreSnapshot(this.#books.store, this.profile, document, replaced)
    this.#refused.forget()
    this.#reload()
    this.#books.operate('ordinary', () => this.#books.emit({ type: 'state' }))
  }

  close(): void {
    this.display.forgetLater()
    this.#books.store.close()
  }

  #noted<T>(asked: RefusedStep['asked'], outcome: Outcome<T>): Outcome<T> {
    return this.#refused.noted(this.#receipts.open?.steps.length, asked, outcome)
  }

  #factoryArticles(): void {
    const { store } = this.#books
    store.remove('articles')
    store.remove('barcodes')
    for (const article of factoryArticles(this.profile)) saveArticle(store, article)
    this.articles.forget()
  }

  #idle<T>(run: () => Outcome<T>): Outcome<T> {
    const refusal = this.#receipts.openRefusal
    return refusal ? refuse(refusal) : run()
  }

  #print(operation: DrawingOperation, asked?: PrintRequest): Outcome {
    if (!this.#receipts.open) return refuse('noReceiptOpen')
    return this.#books.operate('ordinary', () => {
      this.#receipts.add({ entry: 'paper', operations: [operation], ...(asked && { asked }) })
      return done(undefined)
    })
  }

  #reload(): void {
    this.display.forgetLater()
    this.#books.state = loadState(this.#books.store)
    this.memory.forget()
    this.articles.forget()
    this.#receipts.reload()
  }
}
