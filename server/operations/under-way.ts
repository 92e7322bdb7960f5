import { messageOf } from '../../drivers/model/errors.ts'
import { type Evidence, UNREPORTED_DAY } from '../../drivers/model/printer.ts'
import type { Reply } from '../envelope.ts'
import type { Answers, Intent } from './log/answers.ts'
import {
  type ClosedAs,
  type Entry,
  isFlushedOnTheWay,
  isNonFiscal,
  isWholeReceipt,
  lastToUndo,
  NOT_BEGUN,
  type Part,
  type UnconfirmedElement,
  withoutSecrets,
} from './operation.ts'

/** The progress of an operation. Each change is recorded before the command that it permits. */
export interface Position {
  readonly entry: Entry
  /**
   * Records that the steps before `at` are executed, and that this step is sent next. `changes`: facts known by now.
   */
  reach(at: number, changes?: Partial<Entry>): void
  /** Records that the receipt is going to be cancelled. */
  takeBack(changes?: Partial<Entry>): void
  note(changes: Partial<Entry>): void
}

/** Returns the same entry if nothing changes. */
export function entryAtStep(entry: Entry, at: number, changes: Partial<Entry> = {}): Entry {
  if (at === entry.at && entry.is === undefined && Object.keys(changes).length === 0) return entry
  const { is: _, ...rest } = entry
  return { ...rest, ...changes, at }
}

export const cancellingEntry = (entry: Entry, changes: Partial<Entry> = {}): Entry => ({
  ...entry,
  ...changes,
  is: 'cancelling',
})

interface Parts {
  readonly answers: Answers
  readonly note: (line: string) => void
  /** Throws if the open receipt on the device belongs to an earlier request. */
  readonly mayBegin: (entry: Entry) => void
}

export class UnderWay implements Position {
  #entry = NOT_BEGUN
  #documents = 0
  #last: Evidence | undefined
  #id: number | undefined
  #savedAt: Pick<Entry, 'at' | 'is'> = NOT_BEGUN
  readonly intent: Intent | undefined
  readonly #parts: Parts | undefined

  /** Without `intent` and `parts` nothing is recorded. `last`: evidence after the operation before. */
  constructor(intent?: Intent, parts?: Parts, last?: Evidence) {
    this.intent = intent
    this.#parts = parts
    this.#last = last
  }

  get id(): number | undefined {
    return this.#id
  }

  get entry(): Entry {
    return this.#entry
  }

  /** Evidence that the device would report now; `undefined` if it must be queried. */
  get last(): Evidence | undefined {
    return this.#last
  }

  /**
   * Whether a permanent document was printed, so that the request must not simply be retried. A retry of a job in parts
   * continues after the printed parts.
   */
  get hasPrinted(): boolean {
    return this.#documents > 0 && this.#entry.part === undefined
  }

  /** Whether the receipt of this request is closed: later commands are not reconciled. */
  get isDone(): boolean {
    return this.#entry.is === 'done'
  }

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

  reach(at: number, changes: Partial<Entry> = {}): void {
    const entry = entryAtStep(this.#entry, at, changes)
    if (!this.isDone && entry !== this.#entry) this.#set(entry)
  }

  takeBack(changes: Partial<Entry> = {}): void {
    if (!this.isDone) this.#set(cancellingEntry(this.#entry, changes))
  }

  note(changes: Partial<Entry>): void {
    this.#set({ ...this.#entry, ...changes })
  }

  /** Keeps the number that the device gave a receipt when it acknowledged the opening by a single step. */
  noteOpened(document: number): void {
    this.#entry = { ...this.#entry, document }
  }

  noteRetransmission(element: UnconfirmedElement): void {
    this.note({ unconfirmed: [...(this.#entry.unconfirmed ?? []), element] })
  }

  closed(receiptNumber?: string, as: ClosedAs = 'asked'): void {
    this.#documents++
    this.#set({
      ...this.#entry,
      is: 'done',
      ...(receiptNumber !== undefined && { receiptNumber }),
      ...(as !== 'asked' && { as }),
    })
    if (as === 'asked' && receiptNumber !== undefined)
      this.#last = evidenceAfterReceipt(this.#entry, Number(receiptNumber))
  }

  /** Records a document that is not the receipt of this request. */
  printed(): void {
    this.#documents++
    this.#last = undefined
  }

  // -------------------------------------------------------------- end of the request

  /** Records that the device was not reached, or that nothing remains on it. */
  noteNothingRemains(): void {
    const id = this.#id
    if (id !== undefined) this.#afterwards(({ answers }) => answers.forget(id))
  }

  ended(reply: Reply): void {
    const { intent } = this
    if (intent?.key === undefined) {
      this.noteNothingRemains()
      return
    }
    this.#afterwards(({ answers }) => {
      this.#id ??= answers.begin(intent, this.#entry)
      answers.answer(this.#id, reply)
    })
  }

  /**
   * Records the entry. A single command without a key has no row: it is neither reconciled nor answered again.
   *
   * The disk has each record before the command: without the number of the opening, a receipt with rows could be any
   * program's; without the payment and the cancel, a receipt that is not open any more could be taken for closed or
   * cancelled; without the part of a job, the part for the one before. After the first payment a failing disk is only
   * logged, because the device reports the progress in part.
   *
   * Four records are flushed: the intent; one on the way; the position before the close; the cancel. A power failure of
   * the computer may lose the others (`check --every` loses the power at each frame). With one payment, the record on
   * the way is the number of the opened receipt: the number shows that the receipt is this one, and the device reports
   * whether it is paid. With several payments it is the position before the first of them: it contains the number, and
   * missing payments are made as requested. Both are flushed if the total may be zero, because the device then does not
   * report whether the receipt is paid. A receipt whose number is lost is left open, and the answer says so. The
   * outcome is written with the answer.
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
    const isFlushed = (): boolean => isLast || isFlushedOnTheWay(entry, at)
    if (id === undefined) this.#id = answers.begin(intent, entry)
    else if (isReceiptAt(lastToUndo(entry))) this.#writeOrCancel(() => write(isFlushed()))
    else if (isReceiptAt(1) || entry.part) write(entry.part !== undefined || isFlushed())
    else this.#afterwards(() => write(isNew && (is === 'cancelling' || isLast)))
    this.#savedAt = entry
  }

  /**
   * Marks the receipt for cancelling if the write fails: without the record, the receipt could be taken for a completed
   * one.
   */
  #writeOrCancel(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.takeBack()
      throw error
    }
  }

  /** Writes after a payment or a print: a failing disk must not prevent the rest of the receipt, or its answer. */
  #afterwards(write: (parts: Parts) => void): void {
    const parts = this.#parts
    if (!parts) return
    try {
      write(parts)
    } catch (error) {
      parts.note(
        `${this.intent?.name ?? 'a request'}: its progress cannot be stored in the operation log. ${messageOf(error)}`,
      )
    }
  }
}

/** Returns the evidence after a fiscal receipt that was closed as requested. */
function evidenceAfterReceipt(entry: Entry, number: number): Evidence | undefined {
  const { before, document } = entry
  const isReceipt = isWholeReceipt(entry) && !isNonFiscal(entry)
  if (!isReceipt || before?.hold === undefined || document !== number) return undefined
  // The total of the receipt was not queried, so the sums of the day are unknown.
  return { ...before, open: null, lastDocument: number, lastReceipt: number, day: UNREPORTED_DAY }
}
