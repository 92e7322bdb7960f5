/**
 * Data on disk about requests (decisions 3): the intents, which show what was in progress on the device, and for 24
 * hours the answers to requests with an `Idempotency-Key`.
 *
 * A commit that survives a power failure of this computer costs a flush of the disk, so only data that recovery needs
 * is flushed: that a request was begun, and its receipt opened, or is about to be opened by a step; each payment before
 * it is made, and the end before it is printed, as a close or as a cancel; and the current part of a job. All other
 * data survives the end of the process; after a power failure the device itself reports the rest (run.ts). Data that
 * the disk did not accept stays in memory, and is answered from there, for as long as the service runs: the state on
 * the disk is older during that time.
 */
import type { Reply } from '../../envelope.ts'
import { type Entry, isWholeReceipt, NOT_BEGUN, readEntry } from '../operation.ts'
import { leavesOf, type Outcome } from '../outcome.ts'
import { type LogFile, readOr } from './log-file.ts'
import type { RequestRow } from './log-tables.ts'
import { type PrintLog, printedPart } from './print-log.ts'
import type { Ages, Times } from './row-ages.ts'

export const KEY_LENGTH_MAX = 128

/** A request as the operation log names it. */
export interface Intent {
  /** The endpoint's path. */
  readonly name: string
  /** `Idempotency-Key`. */
  readonly key?: string
  /** Fingerprint of path and body. */
  readonly fingerprint: string
}

export type StoredAnswer =
  | { readonly state: 'answered'; readonly fingerprint: string; readonly reply: Reply }
  | { readonly state: 'begun'; readonly fingerprint: string; readonly entry: Entry }
  /** The outcome is unknown because the record cannot be read. */
  | { readonly state: 'unreadable'; readonly fingerprint: string; readonly why: string }

/** A request without a recorded end. */
interface UnfinishedRequest {
  readonly id: number
  readonly name: string
  readonly key?: string
  readonly entry: Entry
}

/** A receipt that a request of this service has opened and not closed, or may have. */
export interface OpenedReceipt {
  readonly serialNumber: string
  readonly number: number
  /** True: unknown whether the request has opened it. */
  readonly isUnreported: boolean
  /**
   * The request that may have opened it was for a whole receipt, and has ended: no further part of it will be printed.
   */
  readonly isGivenUp?: true
}

/**
 * Answers and intents. Every call that writes throws ServiceError, 503, if the disk does not accept the data
 * (log-file.ts). Except for `begin`, the new data is valid all the same, and is written later.
 */
export interface Answers {
  /** Returns the stored state of a key. Throws ServiceError, 503, if the log cannot be read. */
  find(key: string): StoredAnswer | undefined
  /**
   * Records that a new request has this key, and no other one: prints that were begun under it have never reached the
   * device.
   */
  freed(key: string): void
  /** Records a request before the first command that may print. Returns after the data is on the disk. */
  begin(intent: Intent, entry: Entry): number
  /** Records progress. `durable`: returns after the data is on the disk. */
  advance(id: number, entry: Entry, durable: boolean): void
  /** Stores the answer under the request's key. */
  answer(id: number, reply: Reply): void
  /** Records that the current part of the job is printed (`Entry.part`); a retry continues with the rest. */
  partDone(id: number): void
  /** Removes a request that needs no reconciliation and no repeated answer. */
  forget(id: number): void
  /** Frees the key for another request; the operation in `entry` is still to be reconciled. */
  release(id: number, entry: Entry): void
  /**
   * Returns the requests without an end, oldest first. A request about a part that is printed is `done`: documents
   * printed since prove nothing about it.
   */
  unfinished(): readonly UnfinishedRequest[]
  /**
   * Returns requests that were begun and set aside because their records cannot be read. They block no other request.
   */
  setAside(): readonly { readonly name: string; readonly key?: string; readonly why: string }[]
  /** Returns the last opened receipt of each device. */
  opened(): readonly OpenedReceipt[]
  /**
   * Records the open receipt of a device. Returns after the record is on the disk if the outcome of the opening is not
   * reported yet: after a power failure of the computer the receipt is not taken for another program's.
   */
  opens(receipt: OpenedReceipt): void
  /** Removes the record of the device's open receipt. */
  opensNone(serialNumber: string): void
  /** Tries again to write the data that the disk did not accept. */
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

/** Opens the answers. `prints` is updated with the ends of its prints. */
export function openAnswers(file: LogFile, ages: Ages, prints?: PrintLog): Answers {
  const { requests, opened } = file.tables
  const openedBefore = opened.all().map(
    ({ serial, number, unheard }): OpenedReceipt => ({
      ...{ serialNumber: serial, number, isUnreported: unheard > 0 },
      ...(unheard === GIVEN_UP && { isGivenUp: true }),
    }),
  )
  let lastId = requests.lastId()
  /** Rows that are open, and rows whose end is not on the disk yet; null: the row was removed. */
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

  /** Runs after a write that did not throw, which leaves nothing unwritten. */
  function tidy(): void {
    for (const [id, row] of held) if (row === null || row.reply) held.delete(id)
  }

  function put(id: number, row: Row | null, durable = false): void {
    const write = row === null ? removal(id) : () => save(row)
    held.set(id, row)
    file.write(slotOf(id), write, durable)
    tidy()
  }

  /**
   * Returns the removal of a row, in one write: while the request is open, the prints of its job do not age, and
   * afterwards they are young.
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
   * Updates another record, then the row. If the disk does not accept the first, it throws and is valid all the same:
   * the row is written in any case.
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
    // A log that cannot be read now does not keep the service from starting: the device is queried.
    return part && readOr(() => prints?.isFinished(part), false) ? { ...entry, is: 'done' } : entry
  }

  function rowBy(key: string): Row | UnreadableAnswer | undefined {
    for (const row of held.values()) if (row?.key === key) return row
    const stored = file.read(() => requests.withKey(key))
    // The row in memory is newer than the disk: it was removed, or has lost its key.
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
      // An older row of this key is replaced.
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
      // After a power failure of this computer, the device still reports the end of a complete receipt, but not the
      // outcome of a single command, which is therefore flushed.
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
    // A single write: a service that dies between two writes would not know about the open receipt.
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
      file.write(`opened ${serial}`, () => opened.put({ serial, number, unheard }), isUnreported)
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

const slotOf = (id: number): string => `request ${id}`

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
    // The answer is returned again, even if the rest of the row is unreadable.
    return status === null
      ? { fingerprint, why: read.unreadable }
      : { ...row, entry: NOT_BEGUN, reply: { status, body: body ?? '' } }
  }
  // The record of an answered row contains its outcome next to its progress.
  const { outcome, ...entry } = read as Entry & { readonly outcome?: Outcome }
  const reply = status !== null && { status, body: body ?? '', ...(outcome && { outcome }) }
  return { ...row, entry, ...(reply && { reply }) }
}
