/** The data of a device and its operation log as rows in memory, which the browser stores (tab-storage.ts). */
import { PlainStore } from '../../../emulator/fiscal/plain-store.ts'
import type { Row, Store } from '../../../emulator/fiscal/store.ts'
import { DECLARATIONS, TABLES } from '../../../emulator/fiscal/tables.ts'
import type { LogTables, PrintRow } from '../../../server/operations/log/log-tables.ts'
import { openPlainTables, type PlainRows } from '../../../server/operations/log/plain-tables.ts'
import type { TabStorage } from './tab-storage.ts'

const keyOf = (row: Row, column: string): IDBValidKey => row[column] as string | number

export async function openBooks(storage: TabStorage, device: string): Promise<Store> {
  const before = await Promise.all(TABLES.map(async (table) => [table, await storage.rows(device, table)] as const))
  let isOpen = false
  const store: Store = new PlainStore((table, key) => {
    if (!isOpen) return
    const column = DECLARATIONS[table].key
    if (key !== undefined)
      storage.note([device, table, key as string | number], () => store.first(table, { where: { [column]: key } }))
    else storage.noteTable(device, table, () => store.rows(table).map((row) => [keyOf(row, column), row] as const))
  })
  if (before.some(([, rows]) => rows.length > 0))
    store.renew(TABLES, (insert) => {
      for (const [table, rows] of before) for (const row of rows) insert(table, row as Row)
    })
  isOpen = true
  return store
}

export function storedNumbers(store: Store): { serialNumber: string; fiscalMemoryNumber: string } | undefined {
  const body = store.first('state', { where: { name: 'device' } })?.['body']
  if (typeof body !== 'string') return undefined
  const { serialNumber, fiscalMemoryNumber } = JSON.parse(body) as Record<'serialNumber' | 'fiscalMemoryNumber', string>
  return { serialNumber, fiscalMemoryNumber }
}

class StoredMap<Key extends string | number, Value> extends Map<Key, Value> {
  readonly #changed: (key: Key) => void

  constructor(entries: Iterable<readonly [Key, Value]>, changed: (key: Key) => void) {
    super()
    for (const [key, value] of entries) super.set(key, value)
    this.#changed = changed
  }

  override set(key: Key, value: Value): this {
    super.set(key, value)
    this.#changed(key)
    return this
  }

  override delete(key: Key): boolean {
    this.#changed(key)
    return super.delete(key)
  }
}

/** IndexedDB returns rows by key, but `PlainTables` expects prints in the order of their last write. */
const byWriteOrder = ([, one]: readonly [string, PrintRow], [, other]: readonly [string, PrintRow]): number =>
  one.at - other.at || one.counted - other.counted || one.part - other.part

export async function openLog(storage: TabStorage, device: string): Promise<LogTables> {
  const mapOf = async <Key extends string | number, Value>(
    name: keyof PlainRows,
    inOrder?: (one: readonly [Key, Value], other: readonly [Key, Value]) => number,
  ): Promise<Map<Key, Value>> => {
    const table = `log ${name}`
    const entries = (await storage.rows(device, table)) as (readonly [Key, Value])[]
    const map: Map<Key, Value> = new StoredMap(inOrder ? entries.toSorted(inOrder) : entries, (key) =>
      storage.note([device, table, key], () => (map.has(key) ? [key, map.get(key)] : undefined)),
    )
    return map
  }
  return openPlainTables({
    requests: await mapOf('requests'),
    prints: await mapOf('prints', byWriteOrder),
    opened: await mapOf('opened'),
    passed: await mapOf('passed'),
  })
}
