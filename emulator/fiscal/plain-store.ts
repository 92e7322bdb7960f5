import type { Value } from './column-types.ts'
import { type Condition, type Conditions, inSmallLetters, type Query, type Row, type Store } from './store.ts'
import { DECLARATIONS, TABLES, type Table, type TableDeclaration } from './tables.ts'

export class PlainStore implements Store {
  readonly inMemory = true
  readonly #tables = new Map<Table, PlainTable>()
  readonly #changed: RowListener
  #pending: (() => UndoAction)[] = []

  /** `changed` is called for each row that is written, also when the write is undone. */
  constructor(changed: RowListener = () => undefined) {
    this.#changed = changed
    this.#make(TABLES)
  }

  insert(table: Table, row: Row): void {
    this.#pending.push(() => this.#table(table).insert(row))
  }

  replace(table: Table, row: Row): void {
    this.#pending.push(() => this.#table(table).replace(row))
  }

  remove(table: Table, where: Conditions = {}): void {
    this.#pending.push(() => this.#table(table).remove(where))
  }

  saveState(name: string, value: unknown): void {
    this.replace('state', { name, body: JSON.stringify(value) })
  }

  addEntry(body: string): void {
    this.insert('open_document', { body })
  }

  dropEntries(): void {
    this.remove('open_document')
  }

  commit(): void {
    const writes = this.#pending
    this.#pending = []
    const undone: UndoAction[] = []
    try {
      for (const write of writes) undone.push(write())
    } catch (error) {
      for (const undo of undone.reverse()) undo()
      throw error
    }
  }

  rollback(): void {
    this.#pending = []
  }

  rows(table: Table, query: Query = {}): readonly Row[] {
    const { where = {}, someNot0, order = 'up', limit = Number.POSITIVE_INFINITY } = query
    const result: Row[] = []
    for (const row of this.#table(table).candidates(where, order)) {
      if (result.length >= limit) break
      if (fits(row, where) && !someNot0?.every((column) => row[column] === 0)) result.push(row)
    }
    return result
  }

  first(table: Table, query: Query = {}): Row | undefined {
    return this.rows(table, { ...query, limit: 1 })[0]
  }

  each(table: Table, query: Query = {}): IterableIterator<Row> {
    return this.rows(table, query).values()
  }

  count(table: Table, where: Conditions = {}): number {
    return this.rows(table, { where }).length
  }

  renew(tables: readonly Table[], fill?: (insert: (table: Table, row: Row) => void) => void): void {
    const before = new Map(this.#tables)
    this.#make(tables)
    try {
      fill?.((table, row) => void this.#table(table).insert(row))
    } catch (error) {
      for (const [table, rows] of before) {
        this.#tables.set(table, rows)
        this.#changed(table, undefined)
      }
      throw error
    }
  }

  close(): void {
    // There is nothing to release.
  }

  #make(tables: readonly Table[]): void {
    for (const table of tables) {
      this.#tables.set(table, new PlainTable(table, (key) => this.#changed(table, key)))
      this.#changed(table, undefined)
    }
  }

  #table(table: Table): PlainTable {
    return this.#tables.get(table) as PlainTable
  }
}

/**
 * Called with the key of a row that was written or removed; with `undefined` if all rows of the table may have changed.
 */
type RowListener = (table: Table, key: Value | undefined) => void

type UndoAction = () => void

class PlainTable {
  readonly #name: Table
  readonly #declared: TableDeclaration
  readonly #rows = new Map<Value, Row>()
  readonly #indexes = new Map<string, Map<Value, Row[]>>()
  readonly #indexed: readonly string[]
  /** Rows ordered by key; `undefined` if they must be sorted first. */
  #inOrder: Row[] | undefined = []
  #last: Value = 0
  readonly #changed: (key: Value) => void

  constructor(name: Table, changed: (key: Value) => void) {
    this.#name = name
    this.#changed = changed
    this.#declared = DECLARATIONS[name]
    this.#indexed = [...(this.#declared.indexes ?? []), ...(this.#declared.unique ? [this.#declared.unique] : [])]
  }

  insert(values: Row): UndoAction {
    const { key, counts, unique } = this.#declared
    const row = counts && values[key] === undefined ? { [key]: this.#nextNumber, ...values } : values
    const own = unique === undefined ? null : (row[unique] ?? null)
    const isTaken = own !== null && this.#rowsWith(unique as string, own).length > 0
    if (this.#rows.has(row[key] as Value) || isTaken)
      throw new Error(`${this.#name} holds ${key} ${row[key]} already, or its ${unique}`)
    return this.#put(row)
  }

  replace(row: Row): UndoAction {
    if (this.#rows.has(row[this.#declared.key] as Value)) this.#mustChange()
    return this.#put(row)
  }

  remove(where: Conditions): UndoAction {
    const removedRows = [...this.candidates(where, 'up')].filter((row) => fits(row, where))
    if (removedRows.length === 0) return () => undefined
    this.#mustChange()
    for (const row of removedRows) {
      const id = row[this.#declared.key] as Value
      this.#rows.delete(id)
      this.#changed(id)
    }
    this.#isMixed()
    return () => {
      for (const row of removedRows) this.#put(row)
    }
  }

  candidates(where: Conditions, order: 'up' | 'down'): Iterable<Row> {
    const { key } = this.#declared
    const exact = where[key]
    if (exact !== undefined && !isRange(exact)) {
      const row = this.#rows.get(exact)
      return row ? [row] : []
    }
    const column = this.#indexed.find((name) => where[name] !== undefined && !isRange(where[name]))
    const rows = column === undefined ? this.#sorted : this.#rowsWith(column, where[column] as Value)
    return order === 'up' ? rows : fromTheEnd(rows)
  }

  #mustChange(): void {
    if (this.#declared.appendOnly) throw new Error(`${this.#name} is append-only`)
  }

  #put(row: Row): UndoAction {
    const id = row[this.#declared.key] as Value
    const before = this.#rows.get(id)
    this.#rows.set(id, row)
    this.#changed(id)
    const isLast =
      before === undefined && (this.#rows.size === 1 || (id !== null && this.#last !== null && id > this.#last))
    if (isLast) {
      this.#last = id
      this.#inOrder?.push(row)
      for (const [column, index] of this.#indexes) added(index, row[column] as Value, row)
    } else this.#isMixed()
    return () => {
      if (before) this.#rows.set(id, before)
      else this.#rows.delete(id)
      this.#changed(id)
      this.#isMixed()
    }
  }

  #isMixed(): void {
    this.#inOrder = undefined
    this.#indexes.clear()
  }

  get #sorted(): readonly Row[] {
    const { key } = this.#declared
    if (!this.#inOrder) {
      this.#inOrder = [...this.#rows.values()].sort((one, other) => (isBelow(one[key], other[key]) ? -1 : 1))
      this.#last = this.#inOrder.at(-1)?.[key] ?? 0
    }
    return this.#inOrder
  }

  get #nextNumber(): number {
    return Number(this.#sorted.at(-1)?.[this.#declared.key] ?? 0) + 1
  }

  #rowsWith(column: string, value: Value): readonly Row[] {
    let index = this.#indexes.get(column)
    if (!index) {
      index = new Map()
      for (const row of this.#sorted) added(index, row[column] as Value, row)
      this.#indexes.set(column, index)
    }
    return index.get(value) ?? []
  }
}

function* fromTheEnd(rows: readonly Row[]): Iterable<Row> {
  for (let at = rows.length - 1; at >= 0; at--) yield rows[at] as Row
}

function added(index: Map<Value, Row[]>, value: Value, row: Row): void {
  const rows = index.get(value)
  if (rows) rows.push(row)
  else index.set(value, [row])
}

const isRange = (condition: Condition | undefined): condition is Exclude<Condition, Value> =>
  typeof condition === 'object' && condition !== null

const isBelow = (one: Value | undefined, other: Value | undefined): boolean => (one ?? '') < (other ?? '')

function fits(row: Row, where: Conditions): boolean {
  for (const column in where) {
    const [value, condition] = [row[column] ?? null, where[column]]
    if (!isRange(condition)) {
      if (condition !== value) return false
      continue
    }
    const { from, to, not, oneOf, holds } = condition
    if ((from !== undefined || to !== undefined) && value === null) return false
    if (from !== undefined && isBelow(value, from)) return false
    if (to !== undefined && isBelow(to, value)) return false
    if (not !== undefined && value === not) return false
    if (oneOf !== undefined && !oneOf.includes(value)) return false
    if (holds !== undefined && !inSmallLetters(String(value)).includes(holds)) return false
  }
  return true
}
