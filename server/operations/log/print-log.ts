/**
 * What was printed for whom (decisions 3, "Printing a platform order again"): for which order, and which document of a
 * job, under which key. It is no answer and does not age with the answers: an order stays printed, and the documents of
 * a job are known for as long as its key is, and do not age while a request of theirs is open. A row without an end is a
 * print whose end nobody has seen.
 */
import type { Part } from '../operation.ts'
import type { Effect, Outcome } from '../outcome.ts'
import type { LogFile } from './log-file.ts'
import type { PrintRow } from './log-tables.ts'
import type { Ages, Times } from './row-ages.ts'

export interface Print extends Times {
  /** `Idempotency-Key`, or what stands for one: of an order, or of a job. */
  readonly key: string
  /** Place of the document in its job; 0 where there is only one. */
  readonly part: number
  readonly order?: OrderOf
  /** Undefined: begun. */
  readonly end?: PrintEnd
}

interface OrderOf {
  readonly shop: string
  readonly id: string
  /** Identity of the session token that asked for it. */
  readonly token: string
  /** JSON: the receipt as it was printed (orders/printed.ts); undefined for a print of an earlier version. */
  readonly receipt?: string
}

/** What is recorded of a part that is done: that it is. */
export const printedPart = ({ job, index }: Part): Parameters<PrintLog['finish']>[0] => ({
  key: job,
  part: index,
  end: { effect: 'asRequested', number: '' },
})

export interface PrintEnd {
  readonly effect: Effect
  /** Of the fiscal receipt; '' where the document has none, and where nobody knows it. */
  readonly number: string
}

/** Reading and writing throw ServiceError, 503, as `Answers` do. What was told is valid all the same, but for `begin`. */
export interface PrintLog {
  /** Prints of this order, oldest first. */
  ofOrder(shop: string, id: string): readonly Print[]
  /** The order that this token has asked to print, if any. */
  orderOfToken(shop: string, token: string): string | undefined
  /** By place in the job. */
  ofKey(key: string): readonly Print[]
  /** On the disk when this returns. */
  begin(print: Omit<Print, 'end' | keyof Times>): void
  /** One document of a job is printed. */
  finish(print: Required<Pick<Print, 'key' | 'part' | 'end'>> & Pick<Print, 'order'>): void
  /** The request of this key has ended, and what was begun under it with it: printed, or nobody knows. */
  ended(key: string, outcome: Outcome): void
  /** What was begun under this key, and has no end, is not printed. */
  forget(key: string): void
  /**
   * A request of this job has left the rest of it to its repeat: what is printed of it is as young as that. To be written
   * with the end of that request, by what is returned.
   */
  renewAtEnd(job: string): () => void
  /** A repeat of this job goes on behind what is printed of it, and may leave the rest to a further one: the same at once. */
  renew(job: string): void
  /** Also where that is older than it is kept for: while a request of its job is open, it does not age. */
  isFinished(part: Part): boolean
}

export function openPrintLog(file: LogFile, ages: Ages): PrintLog {
  const { prints } = file.tables
  /** What the disk has not taken yet; null: there is none any more. */
  const held = new Map<string, Print | null>()
  /** Jobs whose documents are younger than the disk may have it. */
  const keptAt = new Map<string, Times>()

  function save({ key, part, order, at, counted, end }: Print): void {
    const { shop = null, id = null, token = null, receipt = null } = order ?? {}
    const { effect = null, number = null } = end ?? {}
    prints.put({ key, part, shop, order_id: id, token, at, counted, effect, number, receipt })
  }

  /** As the disk has it, with what it has not taken yet. */
  function reading(select: () => readonly PrintRow[], isAsked: (print: Print) => boolean): readonly Print[] {
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
      prints.expire(ages.old())
      if (print) save(print)
      else prints.remove(place.key, place.part)
    })
  }

  const underKey = (key: string): readonly Print[] =>
    reading(
      () => prints.ofKey(key),
      (print) => print.key === key,
    )
  const ofKey = (key: string): readonly Print[] =>
    underKey(key).filter((print) => print.order !== undefined || !ages.isOld(print) || isKept(key))
  function isKept(job: string): boolean {
    const times = keptAt.get(job)
    return times !== undefined && !ages.isOld(times)
  }
  const begunUnder = (key: string): readonly Print[] => ofKey(key).filter(({ end }) => !end)

  function renewAtEnd(job: string): () => void {
    for (const [other, times] of keptAt) if (ages.isOld(times)) keptAt.delete(other)
    const times = ages.now()
    keptAt.set(job, times)
    return () => prints.keep(job, times)
  }

  return {
    ofOrder: (shop, id) =>
      reading(
        () => prints.ofOrder(shop, id),
        ({ order }) => order?.shop === shop && order.id === id,
      ),
    orderOfToken: (shop, token) =>
      reading(
        () => prints.ofToken(shop, token),
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
    renewAtEnd,
    renew: (job) => file.write(`job ${job}`, renewAtEnd(job)),
    isFinished: ({ job, index }) => underKey(job).some(({ part, end }) => part === index && end !== undefined),
  }
}

const slotOf = ({ key, part }: Pick<Print, 'key' | 'part'>): string => `print ${part} ${key}`

function printIn({ key, part, shop, order_id: id, token, at, counted, effect, number, receipt }: PrintRow): Print {
  return {
    key,
    part,
    ...(id !== null && { order: { shop: shop ?? '', id, token: token ?? '', ...(receipt !== null && { receipt }) } }),
    at,
    counted,
    ...(effect !== null && { end: { effect: effect as Effect, number: number ?? '' } }),
  }
}
