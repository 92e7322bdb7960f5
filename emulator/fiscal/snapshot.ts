import type { DeviceSnapshot } from './api.ts'
import { type BookState, STATE_NAMES } from './books.ts'
import { brokenLine, lineFrom } from './journal.ts'
import { sealedRecord } from './memory.ts'
import { recordSeal } from './seal.ts'
import type { Row, Store } from './store.ts'
import { BOOKS_FORMAT, DECLARATIONS, TABLES, type Table } from './tables.ts'
import type { DeviceProfile } from './types/profile.ts'

export class SnapshotError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SnapshotError'
  }
}

export function takeSnapshot(store: Store, profile: DeviceProfile): DeviceSnapshot {
  const tables: Record<string, Record<string, string | number | null>[]> = {}
  for (const table of TABLES) {
    tables[table] = [...store.each(table)].map((row) => ({ ...row }))
  }
  return {
    format: 'fiscal-rig device',
    version: BOOKS_FORMAT,
    family: profile.family,
    profile: profile.profile,
    tables,
  }
}

interface ReplacedParts {
  readonly counters: BookState['counters']
  readonly clockNow: number
}

/** Throws SnapshotError before anything is changed. */
export function restoreSnapshot(
  store: Store,
  profile: DeviceProfile,
  document: unknown,
  replaced?: ReplacedParts,
): void {
  const snapshot = checked(profile, document)
  const tables = replaced ? withNote(snapshot, replaced) : snapshot
  store.renew(TABLES, (insert) => {
    for (const table of TABLES) for (const row of tables[table]) insert(table, row)
  })
}

/** Adds a record of the restore to the fiscal memory, unless memory and journal are unchanged. */
function withNote(tables: Record<Table, readonly Row[]>, { counters: before, clockNow }: ReplacedParts): typeof tables {
  const body = (name: keyof BookState) => String(tables.state.find((row) => row['name'] === name)?.['body'])
  const counters = JSON.parse(body('counters')) as BookState['counters']
  if (counters.memorySeal === before.memorySeal && counters.journalSeal === before.journalSeal) return tables
  const { clockOffset } = JSON.parse(body('device')) as BookState['device']
  const at = new Date(clockNow + clockOffset).toISOString().slice(0, 19)
  const { records, lastZ, lastDocument } = before
  const replaced = { records, lastZ, lastDocument }
  const noted = sealedRecord(counters, { kind: 'tester', act: 'restored', at, replaced })
  const state = { name: 'counters', body: JSON.stringify({ ...counters, ...noted.counters }) }
  return {
    ...tables,
    fiscal_memory: [...tables.fiscal_memory, noted.row],
    state: tables.state.map((row) => (row['name'] === 'counters' ? state : row)),
  }
}

function checked(profile: DeviceProfile, document: unknown): Record<Table, readonly Row[]> {
  const whole = objectOf(document, 'the document')
  if (whole['format'] !== 'fiscal-rig device' || whole['version'] !== BOOKS_FORMAT) {
    throw new SnapshotError(`the document is not a snapshot of a device, version ${BOOKS_FORMAT}`)
  }
  if (whole['family'] !== profile.family || whole['profile'] !== profile.profile) {
    const other = `${String(whole['family'])} ${String(whole['profile'])}`
    throw new SnapshotError(`the snapshot is of ${other}, this device is ${profile.family} ${profile.profile}`)
  }
  const value = objectOf(whole['tables'], 'tables')
  const tables = Object.fromEntries(TABLES.map((table) => [table, rowsOf(table, value[table])]))
  const result = tables as unknown as Record<Table, readonly Row[]>
  checkState(result.state)
  checkBodies(result)
  const broken = brokenLine(result.journal.map(lineFrom).sort((left, right) => left.id - right.id))
  if (broken !== undefined) throw new SnapshotError(`the journal is broken at line ${broken}`)
  checkMemory(result.fiscal_memory)
  return result
}

function rowsOf(table: Table, value: unknown): readonly Row[] {
  if (!Array.isArray(value)) throw new SnapshotError(`tables.${table} is missing`)
  const columns = Object.entries(DECLARATIONS[table].columns)
  return value.map((value: unknown, index) => {
    const row = objectOf(value, `tables.${table}[${index}]`)
    return Object.fromEntries(
      columns.map(([name, type]) => {
        const cell = row[name]
        if (type.endsWith('?') && cell === null) return [name, null]
        const isNumber = type.startsWith('INTEGER')
        const fits = isNumber ? Number.isSafeInteger(cell) : typeof cell === 'string'
        if (!fits)
          throw new SnapshotError(`tables.${table}[${index}].${name} is not ${isNumber ? 'a whole number' : 'text'}`)
        return [name, cell as string | number]
      }),
    )
  })
}

function checkState(rows: readonly Row[]): void {
  const names = rows.map((row) => row['name'])
  const missing = STATE_NAMES.find((name) => !names.includes(name))
  if (missing) throw new SnapshotError(`tables.state has no ${missing}`)
}

function checkBodies(tables: Record<Table, readonly Row[]>): void {
  for (const table of TABLES) {
    for (const [index, row] of tables[table].entries()) {
      for (const name of ['body', 'lines', 'operations', 'receipt']) {
        if (!(name in row)) continue
        try {
          JSON.parse(String(row[name]))
        } catch {
          throw new SnapshotError(`tables.${table}[${index}].${name} is not JSON`)
        }
      }
    }
  }
}

function checkMemory(rows: readonly Row[]): void {
  let before = ''
  for (const row of rows.toSorted((left, right) => Number(left['id']) - Number(right['id']))) {
    const id = Number(row['id'])
    const [journal, body] = [String(row['journal']), String(row['body'])]
    const seal = recordSeal(before, { id, document: Number(row['document']), journal, body })
    if (seal !== row['seal']) throw new SnapshotError(`the fiscal memory is broken at record ${id}`)
    before = seal
  }
}

function objectOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SnapshotError(`${name} is not an object`)
  return value as Record<string, unknown>
}
