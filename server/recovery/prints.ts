/**
 * What was printed for whom (decisions 3, "Printing a platform order again"): for which order, and which document of a
 * job, under which key. It is no answer and does not age with the answers: an order stays printed, and the documents of
 * a job are known for as long as its key is. A row without an end is a print whose end nobody has seen.
 */
import { DatabaseSync } from '../../drivers/model/sqlite.ts'
import type { Effect, Outcome } from '../outcome.ts'
import type { Ages, Times } from './ages.ts'
import type { JournalFile } from './journal-file.ts'
import type { Part } from './progress.ts'

export interface Print extends Times {
  /** `Idempotency-Key`, or what stands for one: of an order, or of a job. */
  readonly key: string
  /** Place of the document in its job; 0 where there is only one. */
  readonly part: number
  readonly order?: OrderOf
  /** Undefined: begun. */
  readonly end?: PrintEnd
}

export interface OrderOf {
  readonly shop: string
  readonly id: string
  /** Identity of the session token that asked for it. */
  readonly token: string
}

/** What is recorded of a part that is done: that it is. */
export const printedPart = ({ job, index }: Part): Parameters<Prints['finish']>[0] => ({
  key: job,
  part: index,
  end: { effect: 'asAsked', number: '' },
})

export interface PrintEnd {
  readonly effect: Effect
  /** Of the fiscal receipt; '' where the document has none, and where nobody knows it. */
  readonly number: string
}

/** Reading and writing throw ServiceError, 503, as `Answers` do. What was told is valid all the same, but for `begin`. */
export interface Prints {
  /** Prints of this order, oldest first. */
  ofOrder(shop: string, id: string): readonly Print[]
  /** The order that this token has asked to print, if any. */
  orderOfToken(shop: string, token: string): string | undefined
  /** By place in the job. */
  ofKey(key: string): readonly Print[]
  /** On the disk when this returns. */
  begin(print: Omit<Print, 'end' | keyof Times>): void
  /** One document of a job is printed. */
  finish(print: Required<Pick<Print, 'key' | 'part' | 'end'>>): void
  /** The request of this key has ended, and what was begun under it with it: printed, or nobody knows. */
  ended(key: string, outcome: Outcome): void
  /** What was begun under this key, and has no end, is not printed. */
  forget(key: string): void
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS prints (
    key           TEXT NOT NULL,
    part          INTEGER NOT NULL,
    shop          TEXT,
    order_id      TEXT,
    token         TEXT,
    at            INTEGER NOT NULL,
    counted       INTEGER NOT NULL,
    effect        TEXT,
    number        TEXT,
    PRIMARY KEY (key, part)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS prints_by_order ON prints (shop, order_id);
  CREATE INDEX IF NOT EXISTS prints_by_token ON prints (shop, token)`

/** `earlier`: what version 0.1 has printed, in a file of its own. */
export function openPrints(file: JournalFile, ages: Ages, earlier: readonly Print[] = []): Prints {
  const { database } = file
  const isNew = !database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'prints'").get()
  database.exec(SCHEMA)
  const byOrder = database.prepare('SELECT * FROM prints WHERE shop = ? AND order_id = ? ORDER BY at, rowid')
  const byToken = database.prepare('SELECT * FROM prints WHERE shop = ? AND token = ?')
  const byKey = database.prepare('SELECT * FROM prints WHERE key = ? ORDER BY part')
  const upsert = database.prepare(`INSERT OR REPLACE INTO prints
    (key, part, shop, order_id, token, at, counted, effect, number) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const remove = database.prepare('DELETE FROM prints WHERE key = ? AND part = ?')
  const expire = database.prepare('DELETE FROM prints WHERE order_id IS NULL AND at <= ? AND counted <= ?')
  /** What the disk has not taken yet; null: there is none any more. */
  const held = new Map<string, Print | null>()

  function save({ key, part, order, at, counted, end }: Print): void {
    const { shop = null, id = null, token = null } = order ?? {}
    upsert.run(key, part, shop, id, token, at, counted, end?.effect ?? null, end?.number ?? null)
  }

  /** As the disk has it, with what it has not taken yet. */
  function reading(select: () => readonly Row[], isAsked: (print: Print) => boolean): readonly Print[] {
    const printsBySlot = new Map(file.read(select).map((row) => [slotOf(printIn(row)), printIn(row)]))
    for (const [slot, print] of held) {
      if (file.isWritten(slot)) held.delete(slot)
      else if (print && isAsked(print)) printsBySlot.set(slot, print)
      else printsBySlot.delete(slot)
    }
    return [...printsBySlot.values()]
  }

  function put(place: Pick<Print, 'key' | 'part'>, print: Print | null): void {
    const slot = slotOf(place)
    held.set(slot, print)
    file.write(slot, () => {
      const { at, counted } = ages.old()
      expire.run(at, counted)
      if (print) save(print)
      else remove.run(place.key, place.part)
    })
  }

  const ofKey = (key: string): readonly Print[] =>
    reading(
      () => byKey.all(key),
      (print) => print.key === key,
    ).filter((print) => print.order !== undefined || !ages.isOld(print))
  const begunUnder = (key: string): readonly Print[] => ofKey(key).filter(({ end }) => !end)

  if (isNew) for (const print of earlier) save(print)

  return {
    ofOrder: (shop, id) =>
      reading(
        () => byOrder.all(shop, id),
        ({ order }) => order?.shop === shop && order.id === id,
      ),
    orderOfToken: (shop, token) =>
      reading(
        () => byToken.all(shop, token),
        ({ order }) => order?.shop === shop && order.token === token,
      )[0]?.order?.id,
    ofKey,
    begin(print) {
      file.writeNow(() => save({ ...print, ...ages.now() }))
      held.delete(slotOf(print))
    },
    finish: (print) => put(print, { ...print, ...ages.now() }),
    ended(key, { effect, receiptNumber }) {
      for (const print of begunUnder(key)) put(print, { ...print, end: { effect, number: receiptNumber ?? '' } })
    },
    forget(key) {
      for (const print of begunUnder(key)) put(print, null)
    },
  }
}

/** The orders that version 0.1 has printed. What was begun then is looked up among the answers, as everything begun is. */
export function printsOfVersion01(path: string): readonly Print[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare("SELECT *, 0 AS part, 0 AS counted, iif(receipt IS NULL, NULL, 'asAsked') AS effect FROM order_prints")
      .all()
      .map((row) => printIn({ ...row, number: row['receipt'] }))
  } finally {
    database.close()
  }
}

type Row = Readonly<Record<string, unknown>>

const slotOf = ({ key, part }: Pick<Print, 'key' | 'part'>): string => `print ${part} ${key}`

function printIn(row: Row): Print {
  const order = { shop: String(row['shop']), id: String(row['order_id']), token: String(row['token']) }
  return {
    key: String(row['key']),
    part: Number(row['part']),
    ...(row['order_id'] !== null && { order }),
    at: Number(row['at']),
    counted: Number(row['counted']),
    ...(row['effect'] !== null && { end: { effect: row['effect'] as Effect, number: String(row['number']) } }),
  }
}
