import type { LogTables } from '../../server/operations/log/log-tables.ts'
import { openPlainTables, type PlainRows } from '../../server/operations/log/plain-tables.ts'

type Maps = readonly Map<unknown, unknown>[]

const mapsOf = (rows: PlainRows): Maps => Object.values(rows)
const copy = (maps: Maps): Maps => maps.map((map) => new Map(map))

/** An operation log in memory that can lose the transactions since the last flush, as if its computer lost power. */
export interface FlushedTables extends LogTables {
  losePower(): boolean
}

export function openFlushedTables(): FlushedTables {
  const rows: PlainRows = { requests: new Map(), prints: new Map(), opened: new Map(), passed: new Map() }
  const tables = openPlainTables(rows)
  const present = mapsOf(rows)
  let flushed = copy(present)
  let isFlushed = true
  return {
    ...tables,
    transaction(write, isDurable) {
      tables.transaction(write, isDurable)
      if (isDurable) flushed = copy(present)
      isFlushed = isDurable
    },
    losePower() {
      for (const [index, map] of present.entries()) {
        map.clear()
        for (const [key, row] of flushed[index] ?? []) map.set(key, row)
      }
      const forgets = !isFlushed
      isFlushed = true
      return forgets
    },
  }
}
