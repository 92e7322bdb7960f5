/**
 * Prints of platform orders, and executed parts of jobs (decisions 3, "Printing a platform order again"). A printed
 * order is never forgotten. The parts of a job are stored as long as its key, and do not age while a request of the job
 * has no answer.
 */
import type { Part } from '../operation.ts'
import type { Effect, Outcome } from '../outcome.ts'
import type { LogFile } from './log-file.ts'
import type { PrintRow, Times } from './log-tables.ts'
import type { Ages } from './row-ages.ts'

export interface Print extends Times {
  /** `Idempotency-Key`, or the key that replaces it for an order or a job. */
  readonly key: string
  readonly part: number
  readonly order?: OrderOf
  readonly end?: PrintEnd
}

interface OrderOf {
  readonly shop: string
  readonly id: string
  readonly token: string
  /** JSON of the printed receipt (orders/printed.ts). */
  readonly receipt?: string
}

export const printedPart = ({ job, index }: Part): Parameters<PrintLog['finish']>[0] => ({
  key: job,
  part: index,
  end: { effect: 'asRequested', number: '' },
})

export interface PrintEnd {
  readonly effect: Effect
  /** Number of the fiscal receipt; '' if there is none or it is unknown. */
  readonly number: string
}

/**
 * Throws ServiceError (503) in the same cases as `Answers`. The record then remains in memory and is written later;
 * only `begin` drops it.
 */
export interface PrintLog {
  printsOfOrder(shop: string, id: string): readonly Print[]
  orderOfToken(shop: string, token: string): string | undefined
  printsOfKey(key: string): readonly Print[]
  begin(print: Omit<Print, 'end' | keyof Times>): void
  finish(print: Required<Pick<Print, 'key' | 'part' | 'end'>> & Pick<Print, 'order'>): void
  /** Records the end of the request as the end of all prints that were begun with its key. */
  ended(key: string, outcome: Outcome): void
  /** Records that the prints that were begun with this key do not exist. */
  forget(key: string): void
  /**
   * Renews the prints of a job. Returns the write, which must be executed together with the end of the request, because
   * a retry may need the prints.
   */
  renewAtEnd(job: string): () => void
  /** Renews the prints of a job now, because a further retry may need them. */
  renew(job: string): void
  /** Returns whether the part is printed, even if the record is old. */
  isFinished(part: Part): boolean
}

export function openPrintLog(file: LogFile, ages: Ages): PrintLog {
  const { prints } = file.tables
  /** Prints that are not on the disk yet. `null` means a removed print. */
  const held = new Map<string, Print | null>()
  const timesByName = new Map<string, Times>()

  function save({ key, part, order, at, counted, end }: Print): void {
    const { shop = null, id = null, token = null, receipt = null } = order ?? {}
    const { effect = null, number = null } = end ?? {}
    prints.put({ key, part, shop, order_id: id, token, at, counted, effect, number, receipt })
  }

  function reading(select: () => readonly PrintRow[], matches: (print: Print) => boolean): readonly Print[] {
    const printsBySlot = new Map(file.read(select).map((row) => [slotOf(printIn(row)), printIn(row)]))
    for (const [slot, print] of held) {
      if (file.isWritten(slot)) held.delete(slot)
      else if (print && matches(print)) printsBySlot.set(slot, print)
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
      () => prints.rowsOfKey(key),
      (print) => print.key === key,
    )
  const printsOfKey = (key: string): readonly Print[] =>
    underKey(key).filter((print) => print.order !== undefined || !ages.isOld(print) || isKept(key))
  function isKept(job: string): boolean {
    const times = timesByName.get(job)
    return times !== undefined && !ages.isOld(times)
  }
  const begunUnder = (key: string): readonly Print[] => printsOfKey(key).filter(({ end }) => !end)

  function renewAtEnd(job: string): () => void {
    for (const [other, times] of timesByName) if (ages.isOld(times)) timesByName.delete(other)
    const times = ages.now()
    timesByName.set(job, times)
    return () => prints.keep(job, times)
  }

  return {
    printsOfOrder: (shop, id) =>
      reading(
        () => prints.rowsOfOrder(shop, id),
        ({ order }) => order?.shop === shop && order.id === id,
      ),
    orderOfToken: (shop, token) =>
      reading(
        () => prints.rowsOfToken(shop, token),
        ({ order }) => order?.shop === shop && order.token === token,
      )[0]?.order?.id,
    printsOfKey,
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
