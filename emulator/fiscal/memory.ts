import type { BookState, Books } from './books.ts'
import { recordSeal } from './seal.ts'
import type { Row } from './store.ts'
import type { FiscalMemoryEvent, FiscalMemoryEventOf, GrandTotals, MemoryRecord, ZRecord } from './types/day.ts'
import type { FiscalMemory } from './types/device-parts.ts'

/** The fiscal memory: numbered Z records and rare events, append-only, with limited capacity. */
export class MemoryBook implements FiscalMemory {
  readonly #books: Books
  #records: number | undefined
  /** Number of Z records that count as used, so that a tester can fill up the memory. Not stored. */
  #reserved = 0
  #grand: GrandTotals | undefined

  constructor(books: Books) {
    this.#books = books
  }

  get capacity(): number {
    return this.#books.profile.fiscalMemoryCapacity
  }

  /** Number of Z records. Events have separate capacity (sheet C 5.4). */
  get used(): number {
    return this.#books.points?.memoryIsFull?.() === 'persistent' ? this.capacity : this.#stored + this.#reserved
  }

  get remaining(): number {
    return this.#books.points?.memoryIsFull?.() ? 0 : Math.max(0, this.capacity - this.#stored - this.#reserved)
  }

  setRemaining(remaining: number | undefined): void {
    this.#reserved = remaining === undefined ? 0 : Math.max(0, this.capacity - this.#stored - remaining)
  }

  get #stored(): number {
    this.#records ??= this.#books.store.count('fiscal_memory', NUMBERED_FILTER)
    return this.#records
  }

  /** Adds a record. The caller must have called the injection point for the write. */
  append(event: FiscalMemoryEvent): void {
    const { row, counters } = sealedRecord(this.#books.state.counters, event)
    this.#books.store.insert('fiscal_memory', row)
    this.#books.change('counters', counters)
    if (event.kind !== 'z') return
    this.#records = this.#stored + 1
    this.#grand = withClosure(this.grand, event.z)
  }

  /** The time of a record that is written now. It is never before the last record, even if the clock is. */
  get recordTime(): string {
    const [now, last = ''] = [this.#books.localTime(), this.lastRecordAt]
    return now < last ? last : now
  }

  forget(): void {
    this.#records = undefined
    this.#grand = undefined
  }

  z(number: number): ZRecord | undefined {
    const row = this.#books.store.first('fiscal_memory', { where: { number }, columns: BODY })
    return row && zFrom(row)
  }

  zs(from: number, to: number): readonly ZRecord[] {
    return this.#books.store.rows('fiscal_memory', { where: { number: { from, to } }, columns: BODY }).map(zFrom)
  }

  zsByDate(from: string, to: string): readonly ZRecord[] {
    const where = { kind: 'z', at: { from, to: `${to}T24` } }
    return this.#books.store.rows('fiscal_memory', { where, columns: BODY }).map(zFrom)
  }

  get lastZ(): ZRecord | undefined {
    const row = this.#books.store.first('fiscal_memory', { where: NUMBERED_FILTER, columns: BODY, order: 'down' })
    return row && zFrom(row)
  }

  get grand(): GrandTotals {
    this.#grand ??= this.zs(1, Number.MAX_SAFE_INTEGER).reduce(withClosure, NO_GRAND)
    return this.#grand
  }

  get lastRecordAt(): string | undefined {
    const row = this.#books.store.first('fiscal_memory', { where: OF_DEVICE, columns: ['at'], order: 'down' })
    return row && String(row['at'])
  }

  events(): readonly FiscalMemoryEvent[] {
    return this.#books.store.rows('fiscal_memory', { where: OF_DEVICE, columns: BODY }).map(eventFrom)
  }

  eventsOf<Kind extends FiscalMemoryEvent['kind']>(kind: Kind): readonly FiscalMemoryEventOf<Kind>[] {
    const rows = this.#books.store.rows('fiscal_memory', { where: { kind }, columns: BODY })
    return rows.map((row) => eventFrom(row) as FiscalMemoryEventOf<Kind>)
  }
}

/** Only Z records have a number, and the numbers ascend in the order of writing. */
const NUMBERED_FILTER = { number: { from: 1 } }
const BODY = ['body']
const OF_DEVICE = { kind: { not: 'tester' } }

const NO_GRAND: GrandTotals = { turnover: 0, tax: 0, reversal: 0, reversalTax: 0 }

export const withClosure = (grand: GrandTotals, { taxes }: Pick<ZRecord, 'taxes'>): GrandTotals =>
  taxes.reduce(
    (sums, each) => ({
      turnover: sums.turnover + each.turnover,
      tax: sums.tax + each.tax,
      reversal: sums.reversal + each.reversal,
      reversalTax: sums.reversalTax + each.reversalTax,
    }),
    grand,
  )

export function sealedRecord(
  counters: BookState['counters'],
  event: MemoryRecord,
): { row: Row; counters: SealedRecord } {
  const [number, at] = event.kind === 'z' ? [event.z.number, event.z.at] : [null, event.at]
  const { lastDocument: document, journalSeal: journal, records, memorySeal } = counters
  const content = { id: records + 1, body: JSON.stringify(event), document, journal }
  const seal = recordSeal(memorySeal, content)
  return {
    row: { ...content, kind: event.kind, number, at, seal },
    counters: { records: content.id, memorySeal: seal },
  }
}

type SealedRecord = Pick<BookState['counters'], 'records' | 'memorySeal'>

const eventFrom = (row: Row): FiscalMemoryEvent => JSON.parse(String(row['body'])) as FiscalMemoryEvent

function zFrom(row: Row): ZRecord {
  const event = eventFrom(row)
  if (event.kind !== 'z') throw new Error('a numbered record of the fiscal memory is not a closure')
  return event.z
}
