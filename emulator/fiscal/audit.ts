/**
 * A device's file read by somebody who does not trust it: the journal's chain is computed anew from its lines, the
 * daily closures from the receipts printed in it. Read-only; every record that is changed, missing or swapped is named.
 */
import { DatabaseSync } from 'node:sqlite'
import { formatMoney, parseDecimal } from '../../drivers/model/money.ts'
import { chainOf } from './journal.ts'
import type { DocumentKind, FiscalMemoryEvent, JournalDocument, JournalLine, ZRecord } from './types/day.ts'

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
  readonly documents: readonly JournalDocument[]
  readonly lines: readonly JournalLine[]
  /** What the device says of its journal: as many lines, and this chain value at their end. */
  readonly counters: {
    readonly journalLines: number
    readonly chain: string
    readonly lastDocument: number
    readonly lastZ: number
  }
  /** Printed, numbered, and not kept in the journal (C 4.14). */
  readonly unkept: ReadonlySet<number>
}

/** Throws Error with a sentence when the file is not that of a device. */
export function readMemoryFile(path: string): MemoryFile {
  const database = new DatabaseSync(path, { readOnly: true })
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
        .prepare('SELECT document, kind, kind_number, reversal, at, z FROM journal_documents ORDER BY document')
        .all()
        .map((row) => ({
          document: Number(row['document']),
          kind: String(row['kind']) as DocumentKind,
          kindNumber: Number(row['kind_number']),
          reversal: row['reversal'] === 1,
          at: String(row['at']),
          z: Number(row['z']),
        })),
      lines: database
        .prepare('SELECT id, document, at, line, chain FROM journal ORDER BY id')
        .all()
        .map((row) => ({
          id: Number(row['id']),
          document: Number(row['document']),
          at: String(row['at']),
          line: String(row['line']),
          chain: String(row['chain']),
        })),
      unkept: new Set(
        database
          .prepare("SELECT number FROM paper WHERE kind = 'memory'")
          .all()
          .map(({ number }) => Number(number)),
      ),
    }
  } finally {
    database.close()
  }
}

/** What is wrong, in the order of the records; empty: nothing. */
export function auditMemory(file: MemoryFile): readonly string[] {
  return [...auditChain(file), ...auditDocuments(file), ...auditClosures(file)]
}

/** After a line that does not follow, the chain goes on from what stands there: one sentence a break. */
function auditChain({ lines, counters }: MemoryFile): string[] {
  const problems: string[] = []
  let chain = ''
  let id = 0
  for (const line of lines) {
    const where = `journal line ${line.id} (document ${line.document})`
    const follows = chainOf(chain, line.document, line.line) === line.chain
    if (line.id !== id + 1)
      problems.push(`journal line ${id + 1}${line.id > id + 2 ? ` to ${line.id - 1}` : ''} is missing`)
    else if (!follows)
      problems.push(`${where} does not follow from the line before it: one of them was changed or swapped`)
    chain = line.chain
    id = line.id
  }
  if (id !== counters.journalLines) {
    problems.push(`the journal ends with line ${id}, the device has written ${counters.journalLines}`)
  } else if (chain !== counters.chain) problems.push(`journal line ${id} is not the one that the device wrote last`)
  return problems
}

function auditDocuments({ documents, lines, counters, unkept }: MemoryFile): string[] {
  const problems: string[] = []
  const withLines = new Set(lines.map(({ document }) => document))
  const known = new Set(documents.map(({ document }) => document))
  // The last number may belong to a receipt that is open.
  for (let number = 1; number < counters.lastDocument; number++) {
    if (!known.has(number) && !unkept.has(number)) problems.push(`document ${number} is missing in the journal`)
  }
  for (const { document, kind } of documents) {
    if (!withLines.has(document)) problems.push(`document ${document} (${kind}) has no lines in the journal`)
  }
  for (const document of withLines) {
    if (!known.has(document)) problems.push(`the lines of document ${document} belong to no document of the journal`)
  }
  return problems
}

const TOTAL = /^TOTAL\s+(-?\d+\.\d\d)\s*$/

function totalOf(lines: readonly string[]): number | undefined {
  for (const line of lines) {
    const text = TOTAL.exec(line)?.[1]
    const total = text === undefined ? undefined : parseDecimal(text, 2)
    if (typeof total === 'number') return total
  }
  return undefined
}

function auditClosures(file: MemoryFile): string[] {
  const problems: string[] = []
  const texts = new Map<number, string[]>()
  for (const { document, line } of file.lines) texts.set(document, [...(texts.get(document) ?? []), line])
  let expected = 1
  for (const { id, number, event } of file.records) {
    if (event.kind !== 'z') continue
    const { z } = event
    const where = `fiscal memory record ${id} (Z ${z.number})`
    if (number !== z.number) problems.push(`${where} stands under the number ${number}`)
    if (z.number > expected)
      problems.push(
        `Z ${expected}${z.number > expected + 1 ? ` to ${z.number - 1}` : ''} is missing in the fiscal memory`,
      )
    if (z.number < expected) problems.push(`${where} stands behind Z ${expected - 1}`)
    expected = Math.max(expected, z.number + 1)
    problems.push(...auditClosure(where, z, file, texts))
  }
  if (expected - 1 !== file.counters.lastZ) {
    problems.push(`the fiscal memory ends with Z ${expected - 1}, the device has made ${file.counters.lastZ}`)
  }
  return problems
}

/** The record against the receipts of its day, its own paper and its own sums. */
function auditClosure(
  where: string,
  z: ZRecord,
  file: MemoryFile,
  texts: ReadonlyMap<number, readonly string[]>,
): string[] {
  const problems: string[] = []
  const from = z.journalDocuments.first ?? z.document
  const mine = file.documents.filter(
    ({ document, kind, reversal }) =>
      document >= from && document < z.document && !reversal && (kind === 'fiscal' || kind === 'invoice'),
  )
  const sum = mine.reduce((total, { document }) => total + (totalOf(texts.get(document) ?? []) ?? 0), 0)
  const differ = (what: string, said: number, recomputed: number) => {
    if (said !== recomputed)
      problems.push(`${where}: ${what} is ${formatMoney(said)}, recomputed ${formatMoney(recomputed)}`)
  }
  differ('the total', z.total, sum)
  differ('the sum of its payments', sumOf(Object.values(z.payments)), sum)
  differ('the sum of its tax groups', sumOf(z.taxes.map(({ turnover }) => turnover)), sum)
  const printed = totalOf(texts.get(z.document) ?? [])
  if (printed === undefined) problems.push(`${where}: its document ${z.document} is not in the journal`)
  else differ('the total', z.total, printed)
  if (mine.length > z.receiptsCount) {
    problems.push(`${where}: it counts ${z.receiptsCount} receipts, the journal has ${mine.length}`)
  }
  return problems
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)
