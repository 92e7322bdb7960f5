/**
 * Stores devices and the operation logs of their services in IndexedDB, row by row. One transaction writes all pending
 * changes, so that device and service are always restored to the same moment. A response leaves the worker after its
 * transaction (device-worker.ts).
 */

type RecordKey = readonly [device: string, table: string, key: IDBValidKey]

export interface TabStorage {
  readonly trouble: string | undefined
  rows(device: string, table: string): Promise<readonly unknown[]>
  /**
   * Notes that a row may have changed. `read` returns the row when it is written, or `undefined` if the row was
   * removed.
   */
  note(place: RecordKey, read: () => unknown): void
  noteTable(device: string, table: string, read: () => Iterable<readonly [IDBValidKey, unknown]>): void
  /** Resolves when all noted changes are stored, or cannot be stored. */
  saved(): Promise<void>
}

const ROWS = 'rows'
const MEMORY_ONLY =
  'This browser stores nothing for this page: the device exists only as long as this tab. Export the device to keep it.'

type OnTrouble = (why: string) => void

/** Opens the database. If the browser has none, everything remains in memory, and `trouble` is set. */
export async function openTabStorage(name: string, onTrouble: OnTrouble): Promise<TabStorage> {
  try {
    return storageIn(await opened(name), onTrouble)
  } catch {
    return createUnavailableStorage(MEMORY_ONLY)
  }
}

export const createUnavailableStorage = (trouble?: string): TabStorage => ({
  trouble,
  rows: async () => [],
  note: nothing,
  noteTable: nothing,
  saved: async () => undefined,
})

const nothing = (): void => undefined

const opened = (name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(ROWS)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('another tab uses an older database: close it'))
  })

type Writing = (rows: IDBObjectStore) => void

function storageIn(database: IDBDatabase, onTrouble: OnTrouble): TabStorage {
  /** Pending writes by key. The write of a whole table precedes those of its rows. */
  let changed = new Map<string, Writing>()
  let writing: Promise<void> | undefined
  let isSoon = false
  let trouble: string | undefined

  const write = async (): Promise<void> => {
    const all = changed
    changed = new Map()
    try {
      const transaction = database.transaction(ROWS, 'readwrite')
      const rows = transaction.objectStore(ROWS)
      for (const one of all.values()) one(rows)
      await over(transaction)
      trouble = undefined
    } catch (problem) {
      // The next change retries these writes, which then read the rows again.
      changed = new Map([...all, ...changed])
      const isFirst = trouble === undefined
      trouble = `The browser did not store the last changes (${reasonOf(problem)}). Export the device to keep it.`
      if (isFirst) onTrouble(trouble)
    }
  }
  const saved = async (): Promise<void> => {
    while (writing) await writing
    if (changed.size === 0) return
    writing = write()
    await writing
    writing = undefined
  }
  const soon = (): void => {
    if (isSoon) return
    isSoon = true
    setTimeout(() => {
      isSoon = false
      void saved()
    })
  }
  return {
    get trouble() {
      return trouble
    },
    rows: (device, table) =>
      answerOf(
        database
          .transaction(ROWS)
          .objectStore(ROWS)
          .getAll(IDBKeyRange.bound([device, table], [device, table, []])),
      ),
    note(place, read) {
      changed.set(JSON.stringify(place), (rows) => {
        const row = read()
        if (row === undefined) rows.delete([...place])
        else rows.put(row, [...place])
      })
      soon()
    },
    noteTable(device, table, read) {
      changed.set(JSON.stringify([device, table]), (rows) => {
        rows.delete(IDBKeyRange.bound([device, table], [device, table, []]))
        for (const [key, row] of read()) rows.put(row, [device, table, key])
      })
      soon()
    },
    saved,
  }
}

/** The error of a full storage has no message. */
const reasonOf = (problem: unknown): string => {
  const { name, message } = problem as DOMException
  return message || name
}

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const over = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
