import { messageOf } from '../../drivers/model/errors.ts'
import { type Evidence, UNREPORTED_DAY } from '../../drivers/model/printer.ts'
import type { Reply } from '../envelope.ts'
import type { Answers, Intent } from './log/answers.ts'
import {
  type ClosedAs,
  type Entry,
  isNonFiscal,
  isWholeReceipt,
  lastToUndo,
  NOT_BEGUN,
  type Part,
  type UnconfirmedElement,
  withoutSecrets,
} from './operation.ts'

/** How far an operation has come: what is written down before each command that it announces. */
export interface Position {
  readonly entry: Entry
  /** All steps before this place are carried out; it is sent next. `more`: what is known by then. */
  reach(at: number, more?: Partial<Entry>): void
  /** Its receipt is going to be cancelled. */
  takeBack(more?: Partial<Entry>): void
  /** Something else is known of it. */
  note(more: Partial<Entry>): void
}

/** The entry at a place on its way forward; the same one where it is there already, and nothing more is known. */
export function reached(entry: Entry, at: number, more: Partial<Entry> = {}): Entry {
  if (at === entry.at && entry.is === undefined && Object.keys(more).length === 0) return entry
  const { is: _, ...rest } = entry
  return { ...rest, ...more, at }
}

export const takenBack = (entry: Entry, more: Partial<Entry> = {}): Entry => ({ ...entry, ...more, is: 'cancelling' })

interface Parts {
  readonly answers: Answers
  readonly note: (line: string) => void
  /** Throws where what is open on the device belongs to an earlier request. */
  readonly mayBegin: (entry: Entry) => void
}

/** One request on its way, and its row in the log. */
export class UnderWay implements Position {
  #entry = NOT_BEGUN
  #documents = 0
  #last: Evidence | undefined
  #id: number | undefined
  #savedAt: Pick<Entry, 'at' | 'is'> = NOT_BEGUN
  readonly intent: Intent | undefined
  readonly #parts: Parts | undefined

  /** Without `intent` and `parts` nothing is written down. `last`: as the operation before has left the device. */
  constructor(intent?: Intent, parts?: Parts, last?: Evidence) {
    this.intent = intent
    this.#parts = parts
    this.#last = last
  }

  /** Row of the log; undefined: it has none. */
  get id(): number | undefined {
    return this.#id
  }

  get entry(): Entry {
    return this.#entry
  }

  /** What the device would say of itself now, as far as this program knows; undefined: it has to be asked. */
  get last(): Evidence | undefined {
    return this.#last
  }

  /**
   * Something of this request is on paper for good: a later failure does not mean that it may simply be tried again. A
   * job in parts may, because its repeat goes on behind what is printed.
   */
  get hasPrinted(): boolean {
    return this.#documents > 0 && this.#entry.part === undefined
  }

  /** The document of this request is closed; what follows it is no operation of its own. */
  get isDone(): boolean {
    return this.#entry.is === 'done'
  }

  /** Another part of the job begins; what was told of the part before is about that one. */
  atPart(part: Part): void {
    this.#entry = { ...NOT_BEGUN, part }
  }

  begin(begun: Pick<Entry, 'steps' | 'before'> & Partial<Entry>): void {
    this.#last = undefined
    if (this.isDone) return
    const { part } = this.#entry
    const entry: Entry = { ...begun, steps: withoutSecrets(begun.steps), at: 0, ...(part && { part }) }
    this.#entry = entry
    this.#parts?.mayBegin(entry)
    this.#set(entry)
  }

  reach(at: number, more: Partial<Entry> = {}): void {
    const entry = reached(this.#entry, at, more)
    if (!this.isDone && entry !== this.#entry) this.#set(entry)
  }

  takeBack(more: Partial<Entry> = {}): void {
    if (!this.isDone) this.#set(takenBack(this.#entry, more))
  }

  note(more: Partial<Entry>): void {
    this.#set({ ...this.#entry, ...more })
  }

  /** The link has written it once more. */
  noteRetransmission(element: UnconfirmedElement): void {
    this.note({ unconfirmed: [...(this.#entry.unconfirmed ?? []), element] })
  }

  /** A receipt of this request is closed. */
  closed(receiptNumber?: string, as: ClosedAs = 'asked'): void {
    this.#documents++
    this.#set({
      ...this.#entry,
      is: 'done',
      ...(receiptNumber !== undefined && { receiptNumber }),
      ...(as !== 'asked' && { as }),
    })
    if (as === 'asked' && receiptNumber !== undefined) this.#last = behindReceipt(this.#entry, Number(receiptNumber))
  }

  /** Another document of this request is printed; more may follow. */
  printed(): void {
    this.#documents++
    this.#last = undefined
  }

  // -------------------------------------------------------------- its end

  /** The device was not reached, or nothing of this is left on it. */
  leftNothing(): void {
    const id = this.#id
    if (id !== undefined) this.#afterwards(({ answers }) => answers.forget(id))
  }

  ended(reply: Reply): void {
    const { intent } = this
    if (intent?.key === undefined) {
      this.leftNothing()
      return
    }
    this.#afterwards(({ answers }) => {
      this.#id ??= answers.begin(intent, this.#entry)
      answers.answer(this.#id, reply)
    })
  }

  /**
   * A single command without a key leaves nothing to clear up and nothing to answer again: it has no row. Nothing is
   * printed, and nothing paid, that the disk does not know of: without the number that comes with the opening a receipt with
   * rows on it could be anybody's, without its payment and its cancel one that is no longer open could be taken for closed,
   * or for cancelled; without the part of a job at which it is, this one would be taken for the one before. Behind the
   * first payment the disk is only asked to keep how far it has come: what it does not take, the device tells in part.
   *
   * Three of them are flushed: the intent, the number that the device gave at the opening, and the position before the close;
   * a cancel, too. If the computer loses its power, it may forget the positions between them: the number shows that the
   * receipt is this one, and the device reports what is paid (`check --every` loses the power at each frame).
   * The outcome is written with the answer.
   */
  #set(entry: Entry): void {
    this.#entry = entry
    const { intent } = this
    const parts = this.#parts
    const isReceipt = isWholeReceipt(entry)
    if (!intent || !parts || (!isReceipt && intent.key === undefined)) return
    const { answers } = parts
    const id = this.#id
    const { at, is } = entry
    const isNew = at !== this.#savedAt.at || is !== this.#savedAt.is
    if (id !== undefined && is === 'done') return
    const isLast = at === entry.steps.length - 1
    const isReceiptAt = (place: number): boolean => isReceipt && isNew && is === undefined && at === place
    const write = (durable: boolean) => id !== undefined && answers.advance(id, entry, durable)
    if (id === undefined) this.#id = answers.begin(intent, entry)
    else if (isReceiptAt(lastToUndo(entry))) this.#orTakeBack(() => write(at === 1 || isLast))
    else if (isReceiptAt(1) || entry.part) write(true)
    else this.#afterwards(() => write(isNew && (is === 'cancelling' || isLast)))
    this.#savedAt = entry
  }

  /** A receipt that must not come to its end is not taken for one that has, whatever can be undone of it now. */
  #orTakeBack(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.takeBack()
      throw error
    }
  }

  /** Once something is paid or printed, a disk that fails must not keep the receipt from its end, nor its answer. */
  #afterwards(write: (parts: Parts) => void): void {
    const parts = this.#parts
    if (!parts) return
    try {
      write(parts)
    } catch (error) {
      parts.note(`${this.intent?.name}: its journal cannot be written. ${messageOf(error)}`)
    }
  }
}

/** The evidence after a fiscal receipt that was closed as asked is the evidence before the next operation. */
function behindReceipt(entry: Entry, number: number): Evidence | undefined {
  const { before, document } = entry
  const isReceipt = isWholeReceipt(entry) && !isNonFiscal(entry)
  if (!isReceipt || before?.hold === undefined || document !== number) return undefined
  // What the receipt came to is not asked, so the sums of the day are not known.
  return { ...before, open: null, lastDocument: number, lastReceipt: number, day: UNREPORTED_DAY }
}
