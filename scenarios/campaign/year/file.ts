/** The file of a device after its year, read by somebody who has not written it, row by row: it may be large. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from '../../../drivers/model/sqlite.ts'

export interface FileJudgement {
  /** Each line of the journal follows from the one before. */
  readonly chainVerified: boolean
  /** Each Z record against the receipts that the journal keeps of its day; empty: they agree. */
  readonly differences: readonly string[]
  /** Of the content of each table, largest first. */
  readonly bytes: readonly { readonly table: string; readonly bytes: number }[]
}

/** `cancelledCounts`: on this family a cancelled receipt is an issued one (sheet B 10.5). */
export function judgeFile(path: string, cancelledCounts = false): FileJudgement {
  const database = new DatabaseSync(path, { readOnly: true })
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
    if (id !== ++place || chain !== before) return false
  }
  return place > 0
}

function closures(database: DatabaseSync, cancelledCounts: boolean): string[] {
  const receipts = new Map(
    database
      .prepare(
        `SELECT z, sum(kind <> 'cancelled') AS receipts, sum(kind = 'cancelled') AS cancelled,
           sum(CASE kind WHEN 'cancelled' THEN 0 ELSE json_extract(receipt, '$.total') END) AS total
         FROM journal_documents WHERE kind IN ('fiscal', 'invoice', 'cancelled') AND reversal = 0 GROUP BY z`,
      )
      .all()
      .map((row) => {
        const issued = Number(row['receipts']) + (cancelledCounts ? Number(row['cancelled']) : 0)
        return [Number(row['z']), { receipts: issued, total: Number(row['total']) }]
      }),
  )
  return database
    .prepare('SELECT body FROM fiscal_memory WHERE number IS NOT NULL ORDER BY number')
    .all()
    .flatMap(({ body }) => {
      const { z } = JSON.parse(String(body)) as { z: { number: number; total: number; receiptsCount: number } }
      const day = receipts.get(z.number) ?? { receipts: 0, total: 0 }
      if (day.total === z.total && day.receipts === z.receiptsCount) return []
      return [
        `Z ${z.number}: ${z.receiptsCount} receipts of ${z.total} hundredths, the journal has ${day.receipts} of ${day.total}`,
      ]
    })
}

const TABLES = {
  'paper: lines': 'SELECT sum(length(lines)) AS bytes FROM paper',
  'paper: drawing': 'SELECT sum(length(operations)) AS bytes FROM paper',
  'journal: lines': 'SELECT sum(length(line)) AS bytes FROM journal',
  'journal: chain': 'SELECT sum(length(chain)) AS bytes FROM journal',
  'journal: times': 'SELECT sum(length(at)) AS bytes FROM journal',
  'journal: receipts row by row': 'SELECT sum(length(receipt)) AS bytes FROM journal_documents',
  'fiscal memory': 'SELECT sum(length(body)) AS bytes FROM fiscal_memory',
}

const contents = (database: DatabaseSync): FileJudgement['bytes'] =>
  Object.entries(TABLES)
    .map(([table, sql]) => ({ table, bytes: Number(database.prepare(sql).get()?.['bytes'] ?? 0) }))
    .sort((one, other) => other.bytes - one.bytes)
