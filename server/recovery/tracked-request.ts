import { type DeviceError, messageOf } from '../../drivers/model/errors.ts'
import type { Evidence } from '../../drivers/model/printer.ts'
import type { Reply } from '../envelope.ts'
import type { Answers, Intent } from './answers.ts'
import { isWholeReceipt, NOT_BEGUN, Progress, type ProgressRecord, type Stage } from './progress.ts'

/** A request whose end was not seen. */
export interface Pending {
  /** Row of the journal; undefined: it has none. */
  readonly id: number | undefined
  readonly name: string
  readonly key?: string | undefined
  record: ProgressRecord
  /** It was begun on another device than the one that was connected last: which, and where to look. */
  readonly elsewhere?: string
  /** With what the device has refused to end it, when it was asked last. */
  readonly refusal?: DeviceError
  /** This service has stumbled over it, and does not try again: `elsewhere` says so. */
  readonly isAside?: true
}

interface TrackedParts {
  readonly answers: Answers
  readonly note: (line: string) => void
  /** Throws where what is open on the device belongs to an earlier request. */
  readonly mayBegin: (record: ProgressRecord) => void
  /** Before the command of a single step. */
  readonly mayOpen: (record: ProgressRecord) => void
  /** What the operation before has left of the device. */
  readonly last: Evidence | undefined
}

/** One request on its way, and its row in the journal. */
export class Tracked {
  readonly progress: Progress
  readonly #intent: Intent
  readonly #answers: Answers
  readonly #note: (line: string) => void
  #id: number | undefined
  #saved: Pick<ProgressRecord, 'stage' | 'settlement'> = NOT_BEGUN

  constructor(intent: Intent, { answers, note, mayBegin, mayOpen, last }: TrackedParts) {
    this.#intent = intent
    this.#answers = answers
    this.#note = note
    this.progress = new Progress((record) => {
      if (record.stage === 'before') {
        mayBegin(record)
        return
      }
      if (record.undertaking === 'step') mayOpen(record)
      this.#save(record)
    }, last)
  }

  /** The device was not reached, or nothing of this is left on it. */
  leftNothing(): void {
    const id = this.#id
    if (id !== undefined) this.#afterwards(() => this.#answers.forget(id))
  }

  ended(reply: Reply): void {
    if (this.#intent.key === undefined) {
      this.leftNothing()
      return
    }
    this.#afterwards(() => {
      this.#id ??= this.#answers.begin(this.#intent, this.progress.record)
      this.#answers.answer(this.#id, reply)
    })
  }

  /** What is to be settled before the next request. */
  leftOpen(): Pending {
    const { record } = this.progress
    const { name, key } = this.#intent
    // A failure of unknown effect may have happened before anything was told: then it was one step.
    const touched: ProgressRecord = record.stage === 'before' ? { ...NOT_BEGUN, ...record, stage: 'filling' } : record
    return { id: this.#id, name, key, record: touched }
  }

  /**
   * A single command without a key leaves nothing to clear up and nothing to answer again: it has no row. Nothing is
   * printed, and nothing paid, that the disk does not know of: without the number that comes with `filling` a receipt with
   * rows on it could be anybody's, without `paying` and `cancelling` one that is no longer open could be taken for closed,
   * or for cancelled; without the part of a job at which it is, this one would be taken for the one before. Behind the
   * first payment the disk is only asked to keep how far it has come: what it does not take, the device tells in part.
   *
   * Flushed are three of them: that it was begun, what is reached before it cannot be taken back, and its end. How far it
   * has come in between, this computer may forget with its power. What is done is written with its answer.
   */
  #save(record: ProgressRecord): void {
    const { stage } = record
    const isReceipt = isWholeReceipt(record)
    if (!isReceipt && this.#intent.key === undefined) return
    const id = this.#id
    const isNew = stage !== this.#saved.stage
    if (id !== undefined && stage === 'done') return
    const isReceiptAt = (which: Stage) => isReceipt && isNew && stage === which
    if (id === undefined) this.#id = this.#answers.begin(this.#intent, record)
    else if (isReceiptAt(lastToUndo(record))) this.#orTakeBack(() => this.#answers.advance(id, record, true))
    else if (isReceiptAt('filling') || record.part) this.#answers.advance(id, record, record.part !== undefined)
    else this.#afterwards(() => this.#answers.advance(id, record, isNew && ENDS.has(stage)))
    this.#saved = record
  }

  /** A receipt that must not come to its end is not taken for one that has, whatever can be undone of it now. */
  #orTakeBack(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.progress.reach('cancelling')
      throw error
    }
  }

  /** Once something is paid or printed, a disk that fails must not keep the receipt from its end, nor its answer. */
  #afterwards(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#note(`${this.#intent.name}: its journal cannot be written. ${messageOf(error)}`)
    }
  }
}

/** What is reached just before a receipt may be on paper for good, as its request wants it. */
const lastToUndo = ({ undertaking, cancels }: ProgressRecord): Stage =>
  undertaking === 'nonFiscalReceipt' || cancels ? 'closing' : 'paying'

/** Of a receipt that was no longer open, nobody could tell which of them it has come to. */
const ENDS: ReadonlySet<Stage> = new Set(['closing', 'cancelling'])
