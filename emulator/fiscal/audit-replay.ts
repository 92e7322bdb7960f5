/**
 * Recomputes the days of a device and the expected content of its fiscal memory from the receipts and cash movements in
 * the journal. Printed text is not evidence, because a caller may print text that looks like a total.
 */

import { TAX_CODES, type TaxCode } from '../../drivers/model/receipt.ts'
import { cashIn, type MemoryFile, receiptIn, type StoredDocument, type StoredRecord } from './audit-file.ts'
import type { BookState } from './books.ts'
import { addCancelled, addCash, addReceipt, closureOf, countsOf } from './day.ts'
import { NEW_DAY } from './factory-state.ts'
import type { DeviceProfile } from './types/profile.ts'

type Day = BookState['day']
type Rates = BookState['registers']['taxRates']

type Members = Readonly<Record<string, unknown>>

export interface Replay {
  /**
   * The expected members of each record: `undefined` if the record must not have the member, absent if the value cannot
   * be computed.
   */
  readonly records: ReadonlyMap<number, Members>
  readonly zOf: ReadonlyMap<StoredDocument, StoredRecord>
  readonly documents: ReadonlyMap<number, Pick<StoredDocument, 'kindNumber' | 'z'>>
  readonly missingZ: readonly { readonly number: number; readonly document: number }[]
  readonly day: Day
  readonly kinds: Readonly<Record<string, number>>
  readonly lastZ: number
}

/** `trusted` returns true if a record is unchanged since it was sealed. */
export function replay(file: MemoryFile, profile: DeviceProfile, trusted: (record: StoredRecord) => boolean): Replay {
  return new Replayer(file, profile, trusted).run()
}

class Replayer {
  readonly #file: MemoryFile
  readonly #profile: DeviceProfile
  readonly #trusted: (record: StoredRecord) => boolean
  readonly #records = new Map<number, Members>()
  readonly #documents = new Map<number, Pick<StoredDocument, 'kindNumber' | 'z'>>()
  readonly #missingZ: { number: number; document: number }[] = []
  readonly #zOf: ReadonlyMap<StoredDocument, StoredRecord>
  #day: Day = { ...NEW_DAY, firstDocument: 1 }
  #kinds: Record<string, number> = {}
  #lastZ = 0
  #rates: Rates
  #lastAt: string | undefined

  constructor(file: MemoryFile, profile: DeviceProfile, trusted: (record: StoredRecord) => boolean) {
    this.#file = file
    this.#profile = profile
    this.#trusted = trusted
    this.#rates = file.taxRates
    this.#zOf = zRecords(file)
  }

  run(): Replay {
    const { documents, records, counters } = this.#file
    const otherRecords = records.filter(({ kind, event }) => kind !== 'z' && event?.kind !== 'z')
    let next = 0
    const upTo = (document: number): void => {
      for (; (otherRecords[next]?.document ?? document) < document; next++)
        unlessMalformed(() => this.#other(otherRecords[next] as StoredRecord))
    }
    for (const document of documents) {
      upTo(document.document)
      unlessMalformed(() => this.#document(document))
    }
    upTo(Number.POSITIVE_INFINITY)
    this.#opened(counters.lastDocument + 1)
    return {
      records: this.#records,
      zOf: this.#zOf,
      documents: this.#documents,
      missingZ: this.#missingZ,
      day: this.#day,
      kinds: this.#kinds,
      lastZ: this.#lastZ,
    }
  }

  #other(record: StoredRecord): void {
    const { event } = record
    if (!event || event.kind === 'z') return
    switch (event.kind) {
      case 'taxRates':
        this.#rates = this.#ratesOf(record, event.rates)
        this.#records.set(record.id, { kind: 'taxRates', fromZ: this.#lastZ + 1, rates: this.#rates })
        break
      case 'header':
        this.#records.set(record.id, { kind: 'header', fromZ: this.#lastZ + 1 })
        break
      case 'ramReset':
        this.#records.set(record.id, {
          kind: 'ramReset',
          ...(this.#lastAt !== undefined && { at: this.#lastAt }),
          ...this.#dropped(record),
        })
        this.#begin(record.document)
        break
      case 'tester':
        if (event.act === 'restored') break
        this.#records.set(record.id, { kind: 'tester', act: 'reset', ...this.#dropped(record) })
        this.#begin(record.document)
        break
      case 'fiscalised': {
        const { serialNumber, taxNumber, fiscalised } = this.#file.device
        const isLast = this.#file.records.findLast((one) => one.event?.kind === 'fiscalised') === record
        this.#records.set(record.id, { kind: 'fiscalised', ...(isLast && fiscalised && { serialNumber, taxNumber }) })
        break
      }
    }
    if (event.kind !== 'tester') this.#lastAt = event.at
  }

  /**
   * Returns the rates of a record. If the record was changed, derives them from the next trusted Z report before
   * another change, or from the current rates.
   */
  #ratesOf(record: StoredRecord, rates: Rates): Rates {
    if (this.#trusted(record)) return rates
    const { records, taxRates } = this.#file
    const later = records.filter(({ id }) => id > record.id)
    const nextChange = later.find(({ event }) => event?.kind === 'taxRates')
    if (!nextChange) return taxRates
    const z = later.find((one) => one.id < nextChange.id && one.event?.kind === 'z' && this.#trusted(one))?.event
    if (z?.kind !== 'z') return rates
    const { taxGroups } = this.#profile
    const rateOf = (code: TaxCode) => z.z.taxes.find(({ taxCode }) => taxCode === code)?.rate ?? null
    return TAX_CODES.map((code) => (code <= taxGroups ? rateOf(code) : null)) as unknown as Rates
  }

  /**
   * Returns the number of the receipt that was open when the RAM was lost. The journal does not contain this receipt.
   */
  #dropped({ document }: StoredRecord): Members {
    const last = this.#file.documents.findLast((one) => one.document <= document)?.document ?? 0
    const isNumbered = document > last && !this.#file.papers.some(({ number }) => number === document)
    if (this.#lacksDocuments) return {}
    return { dropped: isNumbered ? document : undefined }
  }

  /**
   * True if documents that have numbers are missing from the journal by design: printed reports on the fiscal memory.
   */
  get #lacksDocuments(): boolean {
    return this.#profile.rules.memoryReportsInJournal !== true && (this.#file.counters.kinds['memory'] ?? 0) > 0
  }

  #begin(lastDocument: number): void {
    this.#day = { ...NEW_DAY, firstDocument: lastDocument + 1 }
  }

  /**
   * Must be called with the number of the next document. If nothing was printed since the day began, the day has no
   * first document.
   */
  #opened(next: number): void {
    const { firstDocument } = this.#day
    if (firstDocument !== null && firstDocument >= next) this.#day = { ...this.#day, firstDocument: null }
  }

  #document(document: StoredDocument): void {
    if (document.kind === 'z') {
      this.#z(document)
      return
    }
    const { kind } = document
    const cash = cashIn(document)
    const series = cash ? 'cash' : document.reversal ? `${kind} reversal` : kind
    this.#number(document, series, (this.#kinds[series] ?? 0) + 1, this.#lastZ + 1)
    this.#day = { ...this.#day, documents: this.#day.documents + 1 }
    const receipt = receiptIn(document)
    const { foreignPayment, rules } = this.#profile
    if (receipt && kind === 'cancelled') this.#day = addCancelled(this.#day, receipt, rules.cancelledCounts)
    else if (receipt) this.#day = addReceipt(this.#day, receipt, countsOf(receipt), foreignPayment)
    if (cash) this.#day = addCash(this.#day, cash.direction, cash.amount, cash.mode)
  }

  #z(document: StoredDocument): void {
    const record = this.#zOf.get(document)
    this.#opened(document.document)
    const number = this.#lastZ + 1
    this.#number(document, 'z', number, number)
    const facts = { number, document: document.document, at: document.at, lastDocument: document.document - 1 }
    if (record) {
      this.#records.set(record.id, { kind: 'z', z: closureOf(this.#day, this.#rates, this.#profile, facts) })
      this.#lastAt = document.at
    }
    if (record || !this.#isTraining(document)) this.#lastZ = number
    if (!record && !this.#isTraining(document)) this.#missingZ.push({ number, document: document.document })
    this.#begin(document.document)
  }

  /**
   * A Z report of a device that is not fiscalised writes no record, so that the last seal of the memory is unchanged.
   */
  #isTraining({ memory }: StoredDocument): boolean {
    const last = this.#file.records.find(({ seal }) => seal === memory)
    return memory === '' || (last !== undefined && last.kind !== 'z')
  }

  #number({ document }: StoredDocument, series: string, kindNumber: number, z: number): void {
    this.#kinds = { ...this.#kinds, [series]: kindNumber }
    this.#documents.set(document, { kindNumber, z })
  }
}

/** Forged values may have the wrong type. They change no sum, and the seals reveal them. */
function unlessMalformed(step: () => void): void {
  try {
    step()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

/**
 * Assigns each Z report of the journal to its record: by the seal, otherwise by its position, otherwise by its number.
 */
function zRecords({ documents, records }: MemoryFile): ReadonlyMap<StoredDocument, StoredRecord> {
  const zs = records.filter(({ event }) => event?.kind === 'z')
  const free = new Set(zs)
  const found = new Map<StoredDocument, StoredRecord>()
  const take = (fits: (record: StoredRecord, document: StoredDocument) => boolean): void => {
    for (const document of documents) {
      if (document.kind !== 'z' || found.has(document)) continue
      const record = zs.find((one) => free.has(one) && fits(one, document))
      if (!record) continue
      found.set(document, record)
      free.delete(record)
    }
  }
  take((record, document) => record.seal === document.memory)
  take((record, document) => record.document === document.document - 1)
  take((record, document) => record.number === document.kindNumber && record.document > document.document - 50)
  return found
}
