/**
 * The audit of a device's file after its year. The code is independent of the code that wrote the file, and reads row
 * by row, because the file may be large.
 */

import { createHash } from 'node:crypto'
import { type DatabaseSync, openDatabase } from '../../../drivers/host/sqlite.ts'
import { countText } from '../../../drivers/model/count-text.ts'
import { formatMoney } from '../../../drivers/model/money.ts'
import { decodeCompact } from '../../../emulator/fiscal/compact-encoding.ts'

export interface FileJudgement {
  readonly chainVerified: boolean
  readonly differences: readonly string[]
  readonly bytes: readonly { readonly table: string; readonly bytes: number }[]
}

/** `cancelledCounts`: the family counts cancelled receipts as issued (sheet B 10.5). */
export function judgeFile(path: string, cancelledCounts = false): FileJudgement {
  const database = openDatabase(path, { readOnly: true })
  try {
    return {
      chainVerified: followsOn(database),
      differences: closures(database, cancelledCounts),
      bytes: contents(database),
    }
  } finally {
    database.close()
  }
}

function followsOn(database: DatabaseSync): boolean {
  let before = ''
  let place = 0
  for (const { id, document, line, chain } of database
    .prepare('SELECT id, document, line, chain FROM journal ORDER BY id')
    .iterate()) {
    before = createHash('sha256').update(`${before}\n${document}\n${line}`).digest('hex')
    if (id !== ++place || decodeCompact('DIGEST', chain) !== before) return false
  }
  return place > 0
}

function closures(database: DatabaseSync, cancelledCounts: boolean): string[] {
  const days = new Map<number, { receipts: number; total: number }>()
  for (const { z, kind, receipt } of database
    .prepare(
      `SELECT z, kind, receipt FROM journal_documents
       WHERE kind IN ('fiscal', 'invoice', 'cancelled') AND reversal = 0`,
    )
    .iterate()) {
    const day = days.get(Number(z)) ?? { receipts: 0, total: 0 }
    days.set(Number(z), day)
    const isCancelled = kind === 'cancelled'
    if (!isCancelled || cancelledCounts) day.receipts += 1
    if (!isCancelled) day.total += (JSON.parse(String(decodeCompact('WORDS', receipt))) as { total: number }).total
  }
  return database
    .prepare('SELECT body FROM fiscal_memory WHERE number IS NOT NULL ORDER BY number')
    .all()
    .flatMap(({ body }) => {
      const { z } = JSON.parse(String(body)) as { z: { number: number; total: number; receiptsCount: number } }
      const day = days.get(z.number) ?? { receipts: 0, total: 0 }
      if (day.total === z.total && day.receipts === z.receiptsCount) return []
      return [
        `Z ${z.number}: ${countText(z.receiptsCount, 'receipt')} with a total of ${formatMoney(z.total)}, but the journal has ${day.receipts} with ${formatMoney(day.total)}`,
      ]
    })
}

const TABLES = {
  'paper: lines': 'SELECT sum(length(lines)) AS bytes FROM paper',
  'paper: drawing': 'SELECT sum(length(operations)) AS bytes FROM paper',
  'paper: requests': 'SELECT sum(length(body)) AS bytes FROM courses',
  'journal: lines': 'SELECT sum(length(line)) AS bytes FROM journal',
  'journal: chain': 'SELECT sum(length(chain)) AS bytes FROM journal',
  'journal: receipts row by row': 'SELECT sum(length(receipt)) AS bytes FROM journal_documents',
  'fiscal memory': 'SELECT sum(length(body)) AS bytes FROM fiscal_memory',
}

const contents = (database: DatabaseSync): FileJudgement['bytes'] =>
  Object.entries(TABLES)
    .map(([table, sql]) => ({ table, bytes: Number(database.prepare(sql).get()?.['bytes'] ?? 0) }))
    .sort((one, other) => other.bytes - one.bytes)
