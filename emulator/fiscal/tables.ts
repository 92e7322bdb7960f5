/** The tables of the books, declared once for both stores. A column type with `?` may be null. */
import type { CompactEncoding } from './column-types.ts'

export interface TableDeclaration {
  /** The column that orders the rows. With `counts`, a row without a key has the next number. */
  readonly key: string
  readonly counts?: true
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Text columns that a file stores in a compact encoding. Queries cannot search them. */
  readonly compact?: Readonly<Record<string, CompactEncoding>>
  readonly indexes?: readonly string[]
  readonly unique?: string
  readonly appendOnly?: true
}
type ColumnType = 'INTEGER' | 'TEXT' | 'INTEGER?' | 'TEXT?'

const DECLARED_TABLES = {
  fiscal_memory: {
    key: 'id',
    counts: true,
    columns: {
      id: 'INTEGER',
      kind: 'TEXT',
      number: 'INTEGER?',
      at: 'TEXT',
      body: 'TEXT',
      document: 'INTEGER',
      journal: 'TEXT',
      seal: 'TEXT',
    },
    compact: { journal: 'DIGEST', seal: 'DIGEST' },
    unique: 'number',
    appendOnly: true,
  },
  journal: {
    key: 'id',
    counts: true,
    columns: { id: 'INTEGER', document: 'INTEGER', at: 'TEXT', line: 'TEXT', chain: 'TEXT' },
    compact: { at: 'SECOND', chain: 'DIGEST' },
    indexes: ['document'],
    appendOnly: true,
  },
  journal_documents: {
    key: 'document',
    columns: {
      document: 'INTEGER',
      kind: 'TEXT',
      kind_number: 'INTEGER',
      reversal: 'INTEGER',
      at: 'TEXT',
      z: 'INTEGER',
      receipt: 'TEXT?',
      cash: 'TEXT?',
      memory: 'TEXT?',
      seal: 'TEXT',
    },
    compact: { receipt: 'WORDS', memory: 'DIGEST', seal: 'DIGEST' },
    indexes: ['z', 'at'],
    appendOnly: true,
  },
  paper: {
    key: 'id',
    counts: true,
    columns: {
      id: 'INTEGER',
      kind: 'TEXT',
      number: 'INTEGER',
      z_number: 'INTEGER?',
      at: 'TEXT',
      lines: 'TEXT',
      operations: 'TEXT',
    },
    compact: { operations: 'WORDS' },
    indexes: ['number'],
  },
  /** The requests that produced each paper of a receipt or a report, as JSON of `PrintedStep`s. */
  courses: { key: 'paper', columns: { paper: 'INTEGER', body: 'TEXT' }, compact: { body: 'WORDS' } },
  state: { key: 'name', columns: { name: 'TEXT', body: 'TEXT' } },
  articles: {
    key: 'plu',
    columns: { plu: 'INTEGER', name: 'TEXT', sold: 'INTEGER', turnover: 'INTEGER', body: 'TEXT' },
    indexes: ['name'],
  },
  barcodes: { key: 'code', columns: { code: 'TEXT', plu: 'INTEGER' } },
  open_document: { key: 'id', counts: true, columns: { id: 'INTEGER', body: 'TEXT' } },
} as const satisfies Readonly<Record<string, TableDeclaration>>

/** Version of files and snapshots. Other versions are refused. */
export const BOOKS_FORMAT = 2

export type Table = keyof typeof DECLARED_TABLES
export const DECLARATIONS: Readonly<Record<Table, TableDeclaration>> = DECLARED_TABLES
export const TABLES = Object.keys(DECLARED_TABLES) as readonly Table[]
