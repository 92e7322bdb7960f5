/**
 * Requests on disk (decisions 3): their progress, and for 24 hours the answers to those with an `Idempotency-Key`.
 *
 * A record that must survive a power failure of this computer costs a flush of the disk, so only indispensable records
 * are flushed (under-way.ts). The others survive the end of the process. Records that the disk does not accept remain
 * in memory and are used from there, because the disk has an older state.
 */
import type { Reply } from '../../envelope.ts'
import { type Entry, isWholeReceipt, NOT_BEGUN, readEntry } from '../operation.ts'
import { leavesOf, type Outcome } from '../outcome.ts'
import { type LogFile, readOr } from './log-file.ts'
import type { RequestRow, Times } from './log-tables.ts'
import { type PrintLog, printedPart } from './print-log.ts'
import type { Ages } from './row-ages.ts'

export const KEY_LENGTH_MAX = 128

export interface Intent {
  readonly name: string
  readonly key?: string
  readonly fingerprint: string
}

export type StoredAnswer =
  | { readonly state: 'answered'; readonly fingerprint: string; readonly reply: Reply }
  | { readonly state: 'begun'; readonly fingerprint: string; readonly entry: Entry }
  | { readonly state: 'unreadable'; readonly fingerprint: string; readonly why: string }

interface UnfinishedRequest {
  readonly id: number
  readonly name: string
  readonly key?: string
  readonly entry: Entry
}

/** A receipt that a request opened step by step, or may have opened, and that no request has closed. */
export interface OpenedReceipt {
  readonly serialNumber: string
  readonly number: number
  readonly isUnreported: boolean
  /** A request for a whole receipt may have opened it, but that request has ended. */
  readonly isGivenUp?: true
}

/**
 * Requests in the operation log. Methods that write throw ServiceError (503) if the disk does not accept the record
 * (log-file.ts). The record then remains in memory and is written later; only `begin` drops it.
 */
export interface Answers {
  find(key: string): StoredAnswer | undefined
  /** Records that only a new request has this key. Prints that were begun with the key have not reached the device. */
  freed(key: string): void
  /** Records a request before its first command that may print. Returns when the record is on the disk. */
  begin(intent: Intent, entry: Entry): number
  /** Records progress. If `durable` is true, returns when the record is on the disk. */
  advance(id: number, entry: Entry, durable: boolean): void
  answer(id: number, reply: Reply): void
  /** Records that the current part of a job (`Entry.part`) is printed. A retry continues with the next part. */
  partDone(id: number): void
  forget(id: number): void
  /** Frees the key of a request that must still be reconciled. */
  release(id: number, entry: Entry): void
  /**
   * Returns the requests without an answer, oldest first. If the current part of a job is printed, the request counts
   * as `done`, because later documents prove nothing about that part.
   */
  unfinished(): readonly UnfinishedRequest[]
  /** Returns the requests without an answer whose records cannot be read. They do not block other requests. */
  setAside(): readonly { readonly name: string; readonly key?: string; readonly why: string }[]
  opened(): readonly OpenedReceipt[]
  /**
   * Records the open receipt of a device. An unreported one is flushed to the disk; otherwise, after a power failure of
   * the computer, it would be taken for a receipt of another program. If this throws before the opening, no record
   * remains.
   */
  opens(receipt: OpenedReceipt): void
  opensNone(serialNumber: string): void
  catchUp(): void
}

interface Row extends Times {
  readonly id: number
  readonly key: string | null
  readonly name: string
  readonly fingerprint: string
  readonly entry: Entry
  readonly reply?: Reply
}

export function openAnswers(file: LogFile, ages: Ages, prints?: PrintLog): Answers {
  const { requests, opened } = file.tables
  const openedBefore = opened.all().map(
    ({ serial, number, unheard }): OpenedReceipt => ({
      ...{ serialNumber: serial, number, isUnreported: unheard > 0 },
      ...(unheard === GIVEN_UP && { isGivenUp: true }),
    }),
  )
  let lastId = requests.lastId()
  /** Requests without an answer, and changes that are not on the disk yet. `null` means a removed row. */
  const held = new Map<number, Row | null>()
  const aside: { name: string; key?: string; why: string }[] = []
  for (const request of requests.open()) {
    const row = rowIn(request)
    if (!('why' in row)) held.set(row.id, row)
    else aside.push({ name: request.name, why: row.why, ...(request.key !== null && { key: request.key }) })
  }

  function save(row: Row): void {
    const { entry, reply, ...rest } = row
    const text = JSON.stringify(reply?.outcome ? { ...entry, outcome: reply.outcome } : entry)
    ages.keep()
    requests.put({ ...rest, record: text, status: reply?.status ?? null, body: reply?.body ?? null })
  }

  /** Must be called after a successful write, which includes all queued ones. */
  function tidy(): void {
    for (const [id, row] of held) if (row === null || row.reply) held.delete(id)
  }

  function put(id: number, row: Row | null, durable = false): void {
    const write = row === null ? removal(id) : () => save(row)
    held.set(id, row)
    file.write(`request ${id}`, write, durable)
    tidy()
  }

  /**
   * Returns the removal of a row. The prints of its job did not age while the request was open, so the removal renews
   * them.
   */
  function removal(id: number): () => void {
    const { part } = rowOf(id).entry
    const keep = part && prints?.renewAtEnd(part.job)
    return () => {
      keep?.()
      requests.remove(id)
    }
  }

  /**
   * Writes another record, then the row. If the first write throws, its record remains in memory, and the row is still
   * written.
   */
  function putAfter(write: () => unknown, id: number, row: Row | null, durable = false): void {
    try {
      write()
    } finally {
      put(id, row, durable)
    }
  }

  function rowOf(id: number): Row {
    const row = held.get(id)
    if (!row) throw new Error(`request ${id} is not open`)
    return row
  }

  function asPrinted(entry: Entry): Entry {
    const { part } = entry
    // An unreadable log must not prevent the start. The device is queried instead.
    return part && readOr(() => prints?.isFinished(part), false) ? { ...entry, is: 'done' } : entry
  }

  function rowBy(key: string): Row | UnreadableAnswer | undefined {
    for (const row of held.values()) if (row?.key === key) return row
    const stored = file.read(() => requests.withKey(key))
    // A row in memory is newer. The row on the disk was removed, or has lost its key.
    return stored && !held.has(stored.id) ? rowIn(stored) : undefined
  }

  return {
    find(key) {
      const row = rowBy(key)
      if (row && 'why' in row) return { state: 'unreadable', ...row }
      if (!row || (row.reply && ages.isOld(row))) return undefined
      const { fingerprint, entry, reply } = row
      return reply ? { state: 'answered', fingerprint, reply } : { state: 'begun', fingerprint, entry }
    },
    freed: (key) => prints?.forget(key),
    begin({ key, name, fingerprint }, entry) {
      const row: Row = { id: lastId + 1, key: key ?? null, name, fingerprint, ...ages.now(), entry }
      file.writeNow(() => {
        requests.expire(ages.old())
        save(row)
      })
      for (const [id, other] of held) if (other && other.key === row.key && row.key !== null) held.delete(id)
      held.set(row.id, row)
      tidy()
      lastId = row.id
      return row.id
    },
    advance: (id, entry, durable) => put(id, { ...rowOf(id), entry }, durable),
    answer(id, reply) {
      const row = rowOf(id)
      const { outcome } = reply
      const isPrinted = () => {
        if (row.key !== null && outcome && leavesOf(outcome) !== 'nothing') prints?.ended(row.key, outcome)
      }
      // The outcome of a single command is flushed, because after a power failure of this computer the device reports
      // only the outcome of a whole receipt.
      putAfter(isPrinted, id, { ...row, ...ages.now(), reply }, !isWholeReceipt(row.entry))
    },
    partDone(id) {
      const { part } = rowOf(id).entry
      putAfter(() => part && prints?.finish(printedPart(part)), id, null)
    },
    forget(id) {
      const { key } = rowOf(id)
      putAfter(() => key !== null && prints?.forget(key), id, null)
    },
    // A single write for both, because without the record a restarted service would not know the open receipt.
    release(id, entry) {
      const row = rowOf(id)
      const { key } = row
      putAfter(() => key !== null && prints?.forget(key), id, { ...row, key: null, entry }, true)
    },
    unfinished: () =>
      [...held.values()].flatMap((row) => {
        if (!row || row.reply) return []
        const { id, key, name } = row
        return [{ id, name, ...(key === null ? {} : { key }), entry: asPrinted(row.entry) }]
      }),
    setAside: () => aside,
    opened: () => openedBefore,
    opens({ serialNumber: serial, number, isUnreported, isGivenUp }) {
      const unheard = isGivenUp ? GIVEN_UP : isUnreported ? 1 : 0
      const write = () => opened.put({ serial, number, unheard })
      if (isUnreported && !isGivenUp) file.writeNow(write)
      else file.write(`opened ${serial}`, write, isUnreported)
    },
    opensNone(serial) {
      file.write(`opened ${serial}`, () => opened.remove(serial))
    },
    catchUp() {
      file.catchUp()
      tidy()
    },
  }
}

const GIVEN_UP = 2

interface UnreadableAnswer {
  readonly fingerprint: string
  readonly why: string
}

function rowIn({
  id,
  key,
  name,
  fingerprint,
  at,
  counted,
  record: text,
  status,
  body,
}: RequestRow): Row | UnreadableAnswer {
  const read = readEntry(text)
  const row = { id, key, name, fingerprint, at, counted }
  if ('unreadable' in read) {
    // The answer is valid even if the rest of the row cannot be read.
    return status === null
      ? { fingerprint, why: read.unreadable }
      : { ...row, entry: NOT_BEGUN, reply: { status, body: body ?? '' } }
  }
  // `save` stores the outcome in the same text as the progress.
  const { outcome, ...entry } = read as Entry & { readonly outcome?: Outcome }
  const reply = status !== null && { status, body: body ?? '', ...(outcome && { outcome }) }
  return { ...row, entry, ...(reply && { reply }) }
}
