/** A device's file as somebody finds it who does not trust it; nothing in it is believed yet. */

import { openDatabase } from '../../drivers/host/sqlite.ts'
import { parseDecimal } from '../../drivers/model/money.ts'
import { documentFrom, lineFrom } from './journal.ts'
import { toldOf } from './kept-form.ts'
import { DECLARATIONS, type Table } from './tables.ts'
import type { Counters, DocumentKind, FiscalMemoryEvent, JournalDocument, JournalLine } from './types/day.ts'

export interface KeptPaper {
  readonly id: number
  readonly kind: DocumentKind
  readonly number: number
  readonly zNumber: number | null
  readonly at: string
  /** JSON. */
  readonly lines: string
  readonly operations: string
}

export interface MemoryFile {
  readonly device: {
    readonly family: string
    readonly profile: string
    readonly serialNumber: string
    readonly fiscalMemoryNumber: string
  }
  /** Records of the fiscal memory with their places. */
  readonly records: readonly {
    readonly id: number
    readonly number: number | null
    readonly event: FiscalMemoryEvent
  }[]
  readonly documents: readonly (JournalDocument & {
    /** Of a fiscal document: the receipt as the journal keeps it row by row, JSON. */
    readonly receipt?: string
  })[]
  readonly lines: readonly JournalLine[]
  /** What the device says of its journal: as many lines, and this chain value at their end. */
  readonly counters: Counters & {
    readonly journalLines: number
    readonly chain: string
    /** Documents on paper. */
    readonly papers: number
    /** The last number of each series of documents. */
    readonly kinds: Readonly<Record<string, number>>
  }
  /** What the device shows as printed, oldest first. */
  readonly papers: readonly KeptPaper[]
}

/** Throws Error with a sentence when the file is not that of a device. */
export function readMemoryFile(path: string): MemoryFile {
  const database = openDatabase(path, { readOnly: true })
  try {
    const state = new Map(
      database
        .prepare('SELECT name, body FROM state')
        .all()
        .map((row) => [row['name'], row['body']]),
    )
    const device = JSON.parse(String(state.get('device') ?? 'null')) as MemoryFile['device'] | null
    const counters = JSON.parse(String(state.get('counters') ?? 'null')) as MemoryFile['counters'] | null
    if (!device || !counters) throw new Error('it holds no device')
    return {
      device,
      counters,
      records: database
        .prepare('SELECT id, number, body FROM fiscal_memory ORDER BY id')
        .all()
        .map(({ id, number, body }) => ({
          id: Number(id),
          number: number === null ? null : Number(number),
          event: JSON.parse(String(body)) as FiscalMemoryEvent,
        })),
      documents: database
        .prepare(
          'SELECT document, kind, kind_number, reversal, at, z, receipt FROM journal_documents ORDER BY document',
        )
        .all()
        .map((row) => told('journal_documents', row))
        .map((row) => ({
          ...documentFrom(row),
          ...(row['receipt'] === null ? {} : { receipt: String(row['receipt']) }),
        })),
      lines: database
        .prepare('SELECT id, document, at, line, chain FROM journal ORDER BY id')
        .all()
        .map((row) => lineFrom(told('journal', row))),
      papers: database
        .prepare('SELECT id, kind, number, z_number, at, lines, operations FROM paper ORDER BY id')
        .all()
        .map((row) => told('paper', row))
        .map((row) => ({
          id: Number(row['id']),
          kind: String(row['kind']) as DocumentKind,
          number: Number(row['number']),
          zNumber: row['z_number'] === null ? null : Number(row['z_number']),
          at: String(row['at']),
          lines: String(row['lines']),
          operations: String(row['operations']),
        })),
    }
  } finally {
    database.close()
  }
}

type FileRow = Record<string, unknown>

/** A value that is not in its form says so: it is none that the device has written. */
function told(table: Table, row: FileRow): FileRow {
  for (const [column, form] of Object.entries(DECLARATIONS[table].kept ?? {})) {
    if (row[column] === undefined) continue
    try {
      row[column] = toldOf(form, row[column])
    } catch {
      row[column] = '(damaged)'
    }
  }
  return row
}

const AMOUNT_BEHIND = /^\s+(-?\d+\.\d\d)\s*$/

/** `word`: with which the line of the total begins. */
export function totalOf(lines: readonly string[], word: string): number | undefined {
  for (const line of lines) {
    const text = line.startsWith(word) ? AMOUNT_BEHIND.exec(line.slice(word.length))?.[1] : undefined
    const amount = text === undefined ? undefined : parseDecimal(text, 2)
    if (typeof amount === 'number') return amount
  }
  return undefined
}

/** The lines of each document of the journal. */
export const textsOf = ({ lines }: Pick<MemoryFile, 'lines'>): ReadonlyMap<number, readonly string[]> =>
  new Map(
    [...Map.groupBy(lines, ({ document }) => document)].map(([number, own]) => [number, own.map(({ line }) => line)]),
  )
