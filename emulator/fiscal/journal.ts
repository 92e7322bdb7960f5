import { hash } from 'node:crypto'
import type { Books } from './books.ts'
import type { Row, Store } from './store.ts'
import type { DocumentKind, JournalDocument, JournalLine } from './types/day.ts'
import type { Journal } from './types/parts.ts'
import type { FiscalReceipt } from './types/receipt.ts'

/** The electronic journal: documents as printed, append-only, each line chained to the one before. */

export const chainOf = (previous: string, document: number, line: string): string =>
  hash('sha256', `${previous}\n${document}\n${line}`)

/** The id of the first line that does not follow from the lines before it; undefined when the journal is sound. */
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

  constructor(books: Books) {
    this.#books = books
  }

  get lines(): number {
    return this.#books.state.counters.journalLines
  }

  get left(): number {
    return Math.max(0, this.#books.profile.journalCapacity - this.lines)
  }

  /** Adds a whole document. The caller has asked the write point. */
  append(document: JournalDocument, lines: readonly string[], receipt?: FiscalReceipt): void {
    const { store, state } = this.#books
    let { chain } = state.counters
    for (const line of lines) {
      chain = chainOf(chain, document.document, line)
      store.write(
        'INSERT INTO journal (document, at, line, chain) VALUES (?, ?, ?, ?)',
        document.document,
        document.at,
        line,
        chain,
      )
    }
    store.write(
      'INSERT INTO journal_documents (document, kind, kind_number, reversal, at, z, receipt) VALUES (?, ?, ?, ?, ?, ?, ?)',
      document.document,
      document.kind,
      document.kindNumber,
      document.reversal ? 1 : 0,
      document.at,
      document.z,
      receipt ? JSON.stringify(receipt) : null,
    )
    this.#books.change('counters', { chain, journalLines: state.counters.journalLines + lines.length })
  }

  get last(): JournalDocument | undefined {
    const row = this.#books.store.get('SELECT * FROM journal_documents ORDER BY document DESC LIMIT 1')
    return row && documentFrom(row)
  }

  documents(query: Parameters<Journal['documents']>[0]): readonly JournalDocument[] {
    const { sql, values } = documentQuery(query)
    return this.#books.store.all(sql, ...values).map(documentFrom)
  }

  linesOf(document: number): readonly string[] {
    const rows = this.#books.store.all('SELECT line FROM journal WHERE document = ? ORDER BY id', document)
    return rows.map((row) => String(row['line']))
  }

  receipt(document: number): FiscalReceipt | undefined {
    const row = this.#books.store.get('SELECT receipt FROM journal_documents WHERE document = ?', document)
    const receipt = row?.['receipt']
    return typeof receipt === 'string' ? (JSON.parse(receipt) as FiscalReceipt) : undefined
  }

  read(from = 1, to = Number.MAX_SAFE_INTEGER): readonly JournalLine[] {
    return this.#books.store.all('SELECT * FROM journal WHERE id BETWEEN ? AND ? ORDER BY id', from, to).map(lineFrom)
  }

  readDocument(document: number): readonly JournalLine[] {
    return this.#books.store.all('SELECT * FROM journal WHERE document = ? ORDER BY id', document).map(lineFrom)
  }
}

/** All lines of a journal, one at a time. */
export function* journalLines(store: Store): IterableIterator<JournalLine> {
  for (const row of store.iterate('SELECT * FROM journal ORDER BY id')) yield lineFrom(row)
}

function documentQuery(query: Parameters<Journal['documents']>[0]): { sql: string; values: (string | number)[] } {
  const bounds: readonly (readonly [string, string | number | undefined])[] = [
    ['document >= ?', query.from],
    ['document <= ?', query.to],
    ['at >= ?', query.fromTime],
    ['at <= ?', query.toTime],
    ['z >= ?', query.fromZ],
    ['z <= ?', query.toZ],
  ]
  const conditions: string[] = []
  const values: (string | number)[] = []
  for (const [condition, value] of bounds) {
    if (value === undefined) continue
    conditions.push(condition)
    values.push(value)
  }
  if (query.kinds) {
    conditions.push(`kind IN (${query.kinds.map(() => '?').join(', ')})`)
    values.push(...query.kinds)
  }
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  return { sql: `SELECT * FROM journal_documents${where} ORDER BY document`, values }
}

export const documentFrom = (row: Row): JournalDocument => ({
  document: Number(row['document']),
  kind: String(row['kind']) as DocumentKind,
  kindNumber: Number(row['kind_number']),
  reversal: row['reversal'] === 1,
  at: String(row['at']),
  z: Number(row['z']),
})

export const lineFrom = (row: Row): JournalLine => ({
  id: Number(row['id']),
  at: String(row['at']),
  document: Number(row['document']),
  line: String(row['line']),
  chain: String(row['chain']),
})
