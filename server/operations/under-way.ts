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
  /** Records that the steps before `at` are executed and that this step is sent next. `changes`: new facts. */
  reach(at: number, changes?: Partial<Entry>): void
  takeBack(changes?: Partial<Entry>): void
  note(changes: Partial<Entry>): void
}

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

  /** Without `intent` and `parts`, nothing is recorded. `last`: evidence after the earlier operation. */
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

  get last(): Evidence | undefined {
    return this.#last
  }

  /**
   * True if a permanent document was printed, so that the request must not simply be retried. Always false for jobs in
   * parts, because their retry continues after the printed parts.
   */
  get hasPrinted(): boolean {
    return this.#documents > 0 && this.#entry.part === undefined
  }

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

  /**
   * Stores the number of a receipt that a single step opened. The device has acknowledged the opening with this number,
   * or the evidence proves that this step opened it.
   */
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

  printed(): void {
    this.#documents++
    this.#last = undefined
  }

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
   * Records the entry. A single command without a key has no row, because it is neither reconciled nor answered again.
   *
   * Each record is written before the command. Without the number of the opening, a receipt with rows could belong to
   * any program. Without the payment or the cancellation, a receipt that is no longer open could be taken for closed or
   * cancelled. Without the part of a job, the part could be taken for the one before. After the first payment, an error
   * of the disk is only logged, because the device reports a part of the progress.
   *
   * Four records are flushed: the intent, one on the way, the position before the close, and the cancellation. A power
   * failure of the computer may lose the others (`check --every` simulates it at each frame). With one payment, the
   * record on the way is the number of the opened receipt: the number identifies the receipt, and the device reports
   * whether it is paid. If the total may be zero, the device does not report that, so the position before the payment is
   * flushed, too. With several payments, the record on the way is the position before the first of them, which contains
   * the number; missing payments are made as requested. A receipt whose number is lost is left open, and the answer says
   * so. The outcome is written with the answer.
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
   * If the write fails, marks the receipt for cancellation. Without the record, it could be taken for a completed
   * receipt.
   */
  #writeOrCancel(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.takeBack()
      throw error
    }
  }

  /** Writes after a payment or a print. An error of the disk must not prevent the rest of the receipt or its answer. */
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

function evidenceAfterReceipt(entry: Entry, number: number): Evidence | undefined {
  const { before, document } = entry
  const isReceipt = isWholeReceipt(entry) && !isNonFiscal(entry)
  if (!isReceipt || before?.hold === undefined || document !== number) return undefined
  // The total of the receipt was not queried, so the sums of the day are unknown.
  return { ...before, open: null, lastDocument: number, lastReceipt: number, day: UNREPORTED_DAY }
}
