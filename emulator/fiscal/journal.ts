import { sha256 } from '../../drivers/host/digest.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { Books } from './books.ts'
import { type DocumentContent, documentSeal } from './seal.ts'
import type { Conditions } from './store.ts'
import type { CashMovement, DocumentKind, JournalDocument, JournalLine } from './types/day.ts'
import type { Journal } from './types/device-parts.ts'
import type { FiscalReceipt } from './types/receipt.ts'

export const chainOf = (previous: string, document: number, line: string): string =>
  sha256(`${previous}\n${document}\n${line}`)

export function brokenLine(lines: Iterable<JournalLine>): number | undefined {
  let chain = ''
  for (const line of lines) {
    chain = chainOf(chain, line.document, line.line)
    if (chain !== line.chain) return line.id
  }
  return undefined
}

export class JournalBook implements Journal {
  readonly #books: Books
  /** Number of lines that count as used, so that a tester can fill up the journal. Not stored. */
  #reserved = 0

  constructor(books: Books) {
    this.#books = books
  }

  get lines(): number {
    return this.#books.state.counters.journalLines
  }

  get remaining(): number {
    return Math.max(0, this.#books.profile.journalCapacity - this.lines - this.#reserved)
  }

  setRemaining(remaining: number | undefined): void {
    this.#reserved =
      remaining === undefined ? 0 : Math.max(0, this.#books.profile.journalCapacity - this.lines - remaining)
  }

  /** Adds a complete document. The caller must have called the injection point for the write. */
  append(document: JournalDocument, lines: readonly string[], receipt?: FiscalReceipt): void {
    const { store, state } = this.#books
    let { chain } = state.counters
    for (const line of lines) {
      chain = chainOf(chain, document.document, line)
      store.insert('journal', { document: document.document, at: document.at, line, chain })
    }
    const { journalSeal: before, memorySeal, journalLines } = state.counters
    const content: DocumentContent = {
      ...document,
      receipt: receipt ? JSON.stringify(receipt) : null,
      cash: document.cash ? JSON.stringify(document.cash) : null,
      memory: document.kind === 'z' ? memorySeal : null,
    }
    const journalSeal = documentSeal(before, content, chain)
    store.insert('journal_documents', {
      document: document.document,
      kind: document.kind,
      kind_number: document.kindNumber,
      reversal: document.reversal ? 1 : 0,
      at: document.at,
      z: document.z,
      receipt: content.receipt,
      cash: content.cash,
      memory: content.memory,
      seal: journalSeal,
    })
    this.#books.change('counters', { chain, journalSeal, journalLines: journalLines + lines.length })
  }

  get last(): JournalDocument | undefined {
    const row = this.#books.store.first('journal_documents', { order: 'down' })
    return row && documentFrom(row)
  }

  documents(query: Parameters<Journal['documents']>[0]): readonly JournalDocument[] {
    // The receipts are omitted, because they are the largest part of a row.
    return this.#books.store.rows('journal_documents', { where: whereOf(query), columns: HEAD }).map(documentFrom)
  }

  linesOf(document: number): readonly string[] {
    const rows = this.#books.store.rows('journal', { where: { document }, columns: ['line'] })
    return rows.map((row) => String(row['line']))
  }

  receipt(document: number): FiscalReceipt | undefined {
    const row = this.#books.store.first('journal_documents', { where: { document }, columns: ['receipt'] })
    const receipt = row?.['receipt']
    return typeof receipt === 'string' ? (JSON.parse(receipt) as FiscalReceipt) : undefined
  }

  read(from = 1, to = Number.MAX_SAFE_INTEGER, limit = Number.MAX_SAFE_INTEGER): readonly JournalLine[] {
    return this.#books.store.rows('journal', { where: { id: { from, to } }, limit }).map(lineFrom)
  }

  readDocument(document: number): readonly JournalLine[] {
    return this.#books.store.rows('journal', { where: { document } }).map(lineFrom)
  }
}

const HEAD = ['document', 'kind', 'kind_number', 'reversal', 'at', 'z', 'cash']

const whereOf = ({
  from,
  to,
  fromTime,
  toTime,
  fromZ,
  toZ,
  kinds,
}: Parameters<Journal['documents']>[0]): Conditions => ({
  document: omitUndefined({ from, to }),
  at: omitUndefined({ from: fromTime, to: toTime }),
  // The index finds the documents of one Z report; a range of Z reports requires a scan.
  z: fromZ !== undefined && fromZ === toZ ? fromZ : omitUndefined({ from: fromZ, to: toZ }),
  ...(kinds && { kind: { oneOf: kinds } }),
})

type StoredDocument = Readonly<Record<string, unknown>>

export const documentFrom = (row: StoredDocument): JournalDocument => ({
  document: Number(row['document']),
  kind: String(row['kind']) as DocumentKind,
  kindNumber: Number(row['kind_number']),
  reversal: row['reversal'] === 1,
  at: String(row['at']),
  z: Number(row['z']),
  ...(typeof row['cash'] === 'string' && { cash: JSON.parse(row['cash']) as CashMovement }),
})

export const lineFrom = (row: StoredDocument): JournalLine => ({
  id: Number(row['id']),
  at: String(row['at']),
  document: Number(row['document']),
  line: String(row['line']),
  chain: String(row['chain']),
})
