/** The tables of a device's file, read for an audit that must not trust their content. */

import { openDatabase } from '../../drivers/host/sqlite.ts'
import type { BookState } from './books.ts'
import { decodeCompact } from './compact-encoding.ts'
import { mustBeOfFormat } from './file-format.ts'
import { lineFrom } from './journal.ts'
import type { DocumentContent, RecordContent } from './seal.ts'
import type { Row } from './store.ts'
import { DECLARATIONS, type Table } from './tables.ts'
import type { CashMovement, DocumentKind, JournalLine, MemoryRecord } from './types/day.ts'
import type { FiscalReceipt } from './types/receipt.ts'

export interface StoredPaper {
  readonly id: number
  readonly kind: DocumentKind
  readonly number: number
  readonly zNumber: number | null
  readonly at: string
  readonly lines: string
  readonly operations: string
}

export interface StoredRecord extends RecordContent {
  readonly kind: string
  readonly number: number | null
  readonly at: string
  readonly seal: string
  /** `undefined` if the body is not a JSON object. */
  readonly event: MemoryRecord | undefined
}

export interface StoredDocument extends DocumentContent {
  readonly kind: DocumentKind
  readonly seal: string
}

export interface MemoryFile {
  readonly device: BookState['device']
  readonly counters: BookState['counters']
  readonly day: BookState['day']
  readonly taxRates: BookState['registers']['taxRates']
  readonly records: readonly StoredRecord[]
  readonly documents: readonly StoredDocument[]
  readonly lines: readonly JournalLine[]
  readonly papers: readonly StoredPaper[]
}

const READ = ['state', 'fiscal_memory', 'journal_documents', 'journal', 'paper'] as const satisfies readonly Table[]
export type AuditTables = Readonly<Record<(typeof READ)[number], readonly Row[]>>

/** Throws Error if the file does not contain a device. */
export function readMemoryFile(path: string): MemoryFile {
  const database = openDatabase(path, { readOnly: true })
  try {
    mustBeOfFormat(database, path)
    const rows = (table: Table) =>
      database
        .prepare(`SELECT * FROM ${table} ORDER BY ${DECLARATIONS[table].key}`)
        .all()
        .map((row) => readable(table, row))
    return memoryFileOf(Object.fromEntries(READ.map((table) => [table, rows(table)])) as unknown as AuditTables)
  } finally {
    database.close()
  }
}

/** The tables must be ordered by their keys, as in a snapshot. */
export function memoryFileOf(tables: AuditTables): MemoryFile {
  const state = new Map(tables.state.map((row) => [row['name'], row['body']]))
  const stateOf = <N extends keyof BookState>(name: N) =>
    JSON.parse(String(state.get(name) ?? 'null')) as BookState[N] | null
  const [device, counters, day, registers] = [
    stateOf('device'),
    stateOf('counters'),
    stateOf('day'),
    stateOf('registers'),
  ]
  if (!device || !counters || !day || !registers) throw new Error('it contains no device')
  return {
    device,
    counters,
    day,
    taxRates: registers.taxRates,
    records: tables.fiscal_memory.map(recordFrom),
    documents: tables.journal_documents.map(documentFrom),
    lines: tables.journal.map(lineFrom),
    papers: tables.paper.map((row) => ({
      id: Number(row['id']),
      kind: String(row['kind']) as DocumentKind,
      number: Number(row['number']),
      zNumber: numberOrNull(row['z_number']),
      at: String(row['at']),
      lines: String(row['lines']),
      operations: String(row['operations']),
    })),
  }
}

const recordFrom = (row: Row): StoredRecord => ({
  id: Number(row['id']),
  kind: String(row['kind']),
  number: numberOrNull(row['number']),
  at: String(row['at']),
  body: String(row['body']),
  document: Number(row['document']),
  journal: String(row['journal']),
  seal: String(row['seal']),
  event: objectIn<MemoryRecord>(row['body']),
})

const documentFrom = (row: Row): StoredDocument => ({
  document: Number(row['document']),
  kind: String(row['kind']) as DocumentKind,
  kindNumber: Number(row['kind_number']),
  reversal: row['reversal'] === 1,
  at: String(row['at']),
  z: Number(row['z']),
  receipt: textOrNull(row['receipt']),
  cash: textOrNull(row['cash']),
  memory: textOrNull(row['memory']),
  seal: String(row['seal']),
})

const numberOrNull = (value: unknown): number | null => (value == null ? null : Number(value))
const textOrNull = (value: unknown): string | null => (value == null ? null : String(value))

export const receiptIn = ({ receipt }: StoredDocument): FiscalReceipt | undefined => objectIn<FiscalReceipt>(receipt)
export const cashIn = ({ cash }: StoredDocument): CashMovement | undefined => objectIn<CashMovement>(cash)

function objectIn<T extends object>(json: unknown): T | undefined {
  try {
    const value: unknown = JSON.parse(String(json))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as T) : undefined
  } catch {
    return undefined
  }
}

/** The device writes only values that can be decoded, so that other values are marked as damaged. */
function readable(table: Table, row: Record<string, unknown>): Row {
  for (const [column, form] of Object.entries(DECLARATIONS[table].compact ?? {})) {
    if (row[column] === undefined) continue
    try {
      row[column] = decodeCompact(form, row[column])
    } catch {
      row[column] = '(damaged)'
    }
  }
  return row as Row
}

export const textsOf = ({ lines }: Pick<MemoryFile, 'lines'>): ReadonlyMap<number, readonly string[]> =>
  new Map(
    [...Map.groupBy(lines, ({ document }) => document)].map(([number, own]) => [number, own.map(({ line }) => line)]),
  )
