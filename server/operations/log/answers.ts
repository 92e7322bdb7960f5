/**
 * What the service keeps on disk about its requests (decisions 3): the intent journal, which says what was under way
 * on the device, and for 24 hours the answers to requests with an `Idempotency-Key`.
 *
 * A commit that survives a power failure of this computer costs a flush of the disk, so only what recovery cannot do
 * without is flushed: that a request was begun, and its receipt opened; each payment before it is made, and the end before
 * it is printed, as a close or as a cancel; and at which part a job is. Everything else survives the end of the process;
 * after a power failure the device itself tells the rest (run.ts). What the disk did not take is remembered
 * here, and answered from here, for as long as the service lives: what stands on the disk meanwhile is older.
 */
import type { Reply } from '../../envelope.ts'
import { type Entry, isWholeReceipt, NOT_BEGUN, readEntry } from '../operation.ts'
import { leavesOf, type Outcome } from '../outcome.ts'
import { type LogFile, readOr } from './log-file.ts'
import type { RequestRow } from './log-tables.ts'
import { type PrintLog, printedPart } from './print-log.ts'
import type { Ages, Times } from './row-ages.ts'

export const KEY_LENGTH_MAX = 128

/** A request as the journal names it. */
export interface Intent {
  /** The endpoint's path. */
  readonly name: string
  /** `Idempotency-Key`. */
  readonly key?: string
  /** Of path and body. */
  readonly fingerprint: string
}

export type StoredAnswer =
  | { readonly state: 'answered'; readonly fingerprint: string; readonly reply: Reply }
  | { readonly state: 'begun'; readonly fingerprint: string; readonly entry: Entry }
  /** What became of it cannot be told: its record cannot be read. */
  | { readonly state: 'unreadable'; readonly fingerprint: string; readonly why: string }

/** A request whose end was not seen. */
interface Unfinished {
  readonly id: number
  readonly name: string
  readonly key?: string
  readonly entry: Entry
}

/** A receipt that a request of this service has opened and left open, or may have. */
export interface OpenedReceipt {
  readonly serialNumber: string
  readonly number: number
  /** Whether it has is not known. */
  readonly isUnheard: boolean
  /** The request that may have opened it was to print a whole receipt, and has ended: nothing of it goes on. */
  readonly isGivenUp?: true
}

/**
 * Every call that writes throws ServiceError, 503, when the disk does not take it (log-file.ts). But for `begin`,
 * what it was told is valid all the same, and is written later.
 */
export interface Answers {
  /** Throws ServiceError, 503, when the journal cannot be read. */
  find(key: string): StoredAnswer | undefined
  /** A new request comes with this key, and no other has it: what was begun to print under it has never reached the device. */
  freed(key: string): void
  /** Before the first command that may print. It is on the disk when this returns. */
  begin(intent: Intent, entry: Entry): number
  /** `durable`: on the disk when this returns. */
  advance(id: number, entry: Entry, durable: boolean): void
  /** Keeps the answer under the request's key. */
  answer(id: number, reply: Reply): void
  /** The part of its job that it is about is printed (`Entry.part`); the rest is for the repeat. */
  partDone(id: number): void
  /** Nothing is left to settle, and nothing to be answered again. */
  forget(id: number): void
  /** Its key is free for another request; what it has begun is still to be settled, as `entry` says. */
  release(id: number, entry: Entry): void
  /** Oldest first. One that is about a part which is printed is `done`: what others print since proves nothing about it. */
  unfinished(): readonly Unfinished[]
  /** Begun, and set aside: their records cannot be read. They hold up nobody. */
  setAside(): readonly { readonly name: string; readonly key?: string; readonly why: string }[]
  /** The one that was opened last, of each device. */
  opened(): readonly OpenedReceipt[]
  opens(receipt: OpenedReceipt): void
  /** Of this device nothing is known any more. */
  opensNone(serialNumber: string): void
  /** Tries again to write what the disk did not take. */
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

/** `prints` is told how what it knows of has ended. */
export function openAnswers(file: LogFile, ages: Ages, prints?: PrintLog): Answers {
  const { requests, opened } = file.tables
  const openedBefore = opened.all().map(
    ({ serial, number, unheard }): OpenedReceipt => ({
      ...{ serialNumber: serial, number, isUnheard: unheard > 0 },
      ...(unheard === GIVEN_UP && { isGivenUp: true }),
    }),
  )
  let lastId = requests.lastId()
  /** Rows that are open, and rows whose end the disk has not taken yet; null: there is none any more. */
  const held = new Map<number, Row | null>()
  const aside: { name: string; key?: string; why: string }[] = []
  for (const kept of requests.open()) {
    const row = rowIn(kept)
    if (!('why' in row)) held.set(row.id, row)
    else aside.push({ name: kept.name, why: row.why, ...(kept.key !== null && { key: kept.key }) })
  }

  function save(row: Row): void {
    const { entry, reply, ...rest } = row
    const text = JSON.stringify(reply?.outcome ? { ...entry, outcome: reply.outcome } : entry)
    ages.keep()
    requests.put({ ...rest, record: text, status: reply?.status ?? null, body: reply?.body ?? null })
  }

  /** Behind a write that did not throw, which leaves nothing unwritten. */
  function tidy(): void {
    for (const [id, row] of held) if (row === null || row.reply) held.delete(id)
  }

  function put(id: number, row: Row | null, durable = false): void {
    const write = row === null ? removal(id) : () => save(row)
    held.set(id, row)
    file.write(slotOf(id), write, durable)
    tidy()
  }

  /** In one write: while the request is open, what is printed of its job does not age, and then it is young. */
  function removal(id: number): () => void {
    const { part } = rowOf(id).entry
    const keep = part && prints?.renewAtEnd(part.job)
    return () => {
      keep?.()
      requests.remove(id)
    }
  }

  /** What the disk does not take of the first throws, and is known all the same: the row is put in any case. */
  function putAfter(tell: () => unknown, id: number, row: Row | null, durable = false): void {
    try {
      tell()
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
    // A journal that cannot be read now keeps no service from its start: the device is asked.
    return part && readOr(() => prints?.isFinished(part), false) ? { ...entry, is: 'done' } : entry
  }

  function rowBy(key: string): Row | Unreadable | undefined {
    for (const row of held.values()) if (row?.key === key) return row
    const kept = file.read(() => requests.withKey(key))
    // What is held of that row is newer than the disk: it is gone, or has lost its key.
    return kept && !held.has(kept.id) ? rowIn(kept) : undefined
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
      // Of a whole receipt the device tells the rest behind a power failure of this computer, of one command it does not.
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
    // In one write: a service that dies between two of them would know nothing of what stands open.
    release(id, entry) {
      const row = rowOf(id)
      const { key } = row
      putAfter(() => key !== null && prints?.forget(key), id, { ...row, key: null, entry })
    },
    unfinished: () =>
      [...held.values()].flatMap((row) => {
        if (!row || row.reply) return []
        const { id, key, name } = row
        return [{ id, name, ...(key === null ? {} : { key }), entry: asPrinted(row.entry) }]
      }),
    setAside: () => aside,
    opened: () => openedBefore,
    opens({ serialNumber: serial, number, isUnheard, isGivenUp }) {
      const unheard = isGivenUp ? GIVEN_UP : isUnheard ? 1 : 0
      file.write(`opened ${serial}`, () => opened.put({ serial, number, unheard }))
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

interface Unreadable {
  readonly fingerprint: string
  readonly why: string
}

function rowIn({ id, key, name, fingerprint, at, counted, record: text, status, body }: RequestRow): Row | Unreadable {
  const read = readEntry(text)
  const row = { id, key, name, fingerprint, at, counted }
  if ('unreadable' in read) {
    // An answer is told again, whatever stands beside it.
    return status === null
      ? { fingerprint, why: read.unreadable }
      : { ...row, entry: NOT_BEGUN, reply: { status, body: body ?? '' } }
  }
  // An answered row holds its outcome beside how far it had come.
  const { outcome, ...entry } = read as Entry & { readonly outcome?: Outcome }
  const reply = status !== null && { status, body: body ?? '', ...(outcome && { outcome }) }
  return { ...row, entry, ...(reply && { reply }) }
}
