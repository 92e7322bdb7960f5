import type { Entry } from '../operation.ts'
import type { LogTables, OpenedRow, PrintRow, RequestRow, Times } from './log-tables.ts'

/** Rows of the operation log by their keys. The prints are in the order of their last writes. */
export interface PlainRows {
  readonly requests: Map<number, RequestRow>
  readonly prints: Map<string, PrintRow>
  readonly opened: Map<string, OpenedRow>
  readonly passed: Map<'ms', number>
}

export function openPlainTables(rows: Partial<PlainRows> = {}): LogTables {
  const { requests = new Map(), prints = new Map(), opened = new Map(), passed = new Map() }: Partial<PlainRows> = rows
  let writes: (() => void)[] | undefined

  function write(change: () => void): void {
    if (!writes) throw new Error('the operation log is written within a transaction only')
    writes.push(change)
  }

  const openRequests = (): RequestRow[] => [...requests.values()].filter(({ status }) => status === null)
  const printsWith = (fits: (row: PrintRow) => boolean): PrintRow[] => [...prints.values()].filter(fits)
  const slotOf = ({ key, part }: Pick<PrintRow, 'key' | 'part'>): string => `${part} ${key}`

  return {
    name: 'in memory',
    transaction(run) {
      writes = []
      try {
        run()
        for (const change of writes) change()
      } finally {
        writes = undefined
      }
    },
    close: () => undefined,
    requests: {
      withKey: (key) => [...requests.values()].find((row) => row.key === key),
      open: () => openRequests().sort((a, b) => a.id - b.id),
      lastId: () => Math.max(0, ...requests.keys()),
      put: (row) =>
        write(() => {
          for (const { id, key } of requests.values()) if (key !== null && key === row.key) requests.delete(id)
          requests.set(row.id, row)
        }),
      remove: (id) => write(() => void requests.delete(id)),
      expire: (before) =>
        write(() => {
          for (const [id, row] of requests) if (row.status !== null && isBefore(row, before)) requests.delete(id)
        }),
    },
    prints: {
      rowsOfOrder: (shop, order) =>
        printsWith((row) => row.shop === shop && row.order_id === order).sort((a, b) => a.at - b.at),
      rowsOfToken: (shop, token) => printsWith((row) => row.shop === shop && row.token === token),
      rowsOfKey: (key) => printsWith((row) => row.key === key).sort((a, b) => a.part - b.part),
      put: (row) =>
        write(() => {
          // A replaced row must move to the end.
          prints.delete(slotOf(row))
          prints.set(slotOf(row), row)
        }),
      remove: (key, part) => write(() => void prints.delete(slotOf({ key, part }))),
      expire: (before) =>
        write(() => {
          const jobs = new Set(openRequests().map(jobOf))
          for (const [slot, row] of prints)
            if (row.order_id === null && !jobs.has(row.key) && isBefore(row, before)) prints.delete(slot)
        }),
      keep: (key, { at, counted }) =>
        write(() => {
          for (const [slot, row] of prints)
            if (row.key === key && row.order_id === null) prints.set(slot, { ...row, at, counted })
        }),
    },
    opened: {
      all: () => [...opened.values()],
      put: (row) => write(() => void opened.set(row.serial, row)),
      remove: (serial) => write(() => void opened.delete(serial)),
    },
    // There are no older copies of rows in memory.
    count: () => 0,
    passed: {
      get: () => passed.get('ms') ?? 0,
      set: (ms) => write(() => void passed.set('ms', ms)),
    },
  }
}

const jobOf = ({ record }: RequestRow): string | undefined => (JSON.parse(record) as Partial<Entry>).part?.job

const isBefore = (row: Times, { at, counted }: Times): boolean => row.at <= at && row.counted <= counted
