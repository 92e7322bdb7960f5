/**
 * What the service does about a request whose outcome is open (decisions 3, "Outcome unknown").
 *
 *            begin              reach                reach            reach
 *   before ─────────> opening ─────────> filling ─────────> paying ─────────> closing ─────────> done
 *                        │                  │                  │                 │
 *                        └─────────┬────────┘                  └────────┬────────┘
 *                                  │ something fails                    │ something fails
 *                                  v                                    v
 *                              cancelling                    completed: rest paid, closed
 *
 *   asked of the device (settle.ts)      first         where
 *   in the same request                  1             rescue.ts
 *   before the next one                  2, and again  recovery.ts, `settleAll`
 *   at the start of the next service     as 2          `Recovery` begins with the rows left open in the journal
 *
 * progress.ts  the stages above: what is told before each command, so that it can be asked about afterwards
 * tracked.ts   one request on its way, and its row in the journal
 * answers.ts   the journal on disk: rows that are open, and the answers kept for an `Idempotency-Key`
 * settle.ts    record + what the device says now → closed, cancelled, done or nothing
 * rescue.ts    a failure in the same request, up to its outcome
 * repeats.ts   what the link wrote again, compared with what the device holds
 * keyed.ts     requests with an `Idempotency-Key`: one at a time for each key, and the first answer again
 *
 * An open request stays in the list until the device has answered for it: settled oldest first, before anything else
 * reaches the device. One that the device refuses to end holds up nobody, and is tried again each time.
 */
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { failure, type Reply, success } from '../envelope.ts'
import { outcomeOf, said, sentenceOf, withEffect } from '../outcome.ts'
import type { Answers, Intent } from './answers.ts'
import type { ProgressRecord, Stage } from './progress.ts'
import { isRefusal, lastDocument, type Settled, settle } from './settle.ts'
import { type Pending, Tracked } from './tracked.ts'

export interface RecoveryParts {
  readonly printer: FiscalPrinter
  readonly answers: Answers
  /** What became of a request that somebody asked for, and whom nobody can tell any more. */
  readonly note: (line: string) => void
}

export class Recovery {
  readonly #parts: RecoveryParts
  #pending: Pending[]
  /** What a close came to whose caller, without a key, has heard only `Outcome unknown:`. */
  #unheardClose: string | undefined

  constructor(parts: RecoveryParts) {
    this.#parts = parts
    this.#pending = parts.answers.unfinished().map((one) => ({ ...one }))
  }

  get isNeeded(): boolean {
    return this.#pending.length > 0
  }

  get unheardClose(): string | undefined {
    return this.#unheardClose
  }

  track(intent: Intent): Tracked {
    return new Tracked(intent, this.#parts.answers, this.#parts.note)
  }

  leave(tracked: Tracked): void {
    this.#pending.push(tracked.leftOpen())
  }

  /** Rejects while the device cannot be asked; then nothing else has been sent to it. */
  async settleAll(): Promise<void> {
    this.#written(() => this.#parts.answers.catchUp())
    for (const pending of [...this.#pending]) {
      const left = await this.#settle(pending)
      this.#pending = this.#pending.flatMap((one) => (one === pending ? left : [one]))
    }
  }

  /** The same before a request that is not its repeat, and that has to wait for the end of an earlier receipt. */
  async settleFirst(): Promise<void> {
    try {
      await this.settleAll()
    } catch (error) {
      const owed = this.#pending.find(({ record }) => record.stage !== 'done' && record.receiptNumber)
      const receiptNumber = owed?.record.receiptNumber
      if (receiptNumber === undefined || outcomeOf(error).effect !== 'nothing') throw error
      throw withEffect(error, 'heldUp', { receiptNumber })
    }
  }

  /** What is left of it: nothing, or the same for the next time. */
  async #settle(pending: Pending): Promise<readonly Pending[]> {
    const { printer, note } = this.#parts
    const last = pending.refusedAt === undefined ? undefined : await lastDocument(printer)
    if (last !== undefined && last !== pending.refusedAt) {
      // Something else has been printed since: the receipt that could not be ended was ended by somebody.
      this.#forget(pending)
      return []
    }
    try {
      const settled = await settle(printer, pending.record, (stage) => this.#advance(pending, stage))
      this.#keep(pending, settled)
      note(`${pending.name}, interrupted: ${wordsFor(settled)}`)
      return []
    } catch (error) {
      if (!isRefusal(error)) throw error
      // The device answers and will not: the next request is not held up by it, and tries it again.
      note(`${pending.name}, interrupted: it cannot be cleared up yet. ${sentenceOf(outcomeOf(error))}`)
      return [{ ...pending, refusedAt: await lastDocument(printer) }]
    }
  }

  #advance(pending: Pending, stage: Stage): void {
    pending.record = { ...pending.record, stage }
    const { id, record } = pending
    if (id !== undefined) this.#written(() => this.#parts.answers.advance(id, record, true))
  }

  #keep(pending: Pending, settled: Settled): void {
    const { id, key, record } = pending
    const reply = replyFor(settled, record)
    if (settled.became === 'closed' && record.undertaking === 'closeFiscal' && key === undefined) {
      this.#unheardClose = settled.receiptNumber
    }
    if (id === undefined) return
    if (reply && record.part && !record.part.isLast) this.#written(() => this.#parts.answers.partDone(id))
    else if (reply && key !== undefined) this.#written(() => this.#parts.answers.answer(id, reply))
    else this.#forget(pending)
  }

  #forget({ id }: Pending): void {
    if (id !== undefined) this.#written(() => this.#parts.answers.forget(id))
  }

  /** What the disk does not take is kept in memory, and the device is served meanwhile. */
  #written(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#parts.note(sentenceOf(outcomeOf(error)))
    }
  }
}

/** The answer that the request would have had; undefined: nothing of it is left to be answered. */
function replyFor(settled: Settled, record: ProgressRecord): Reply | undefined {
  switch (settled.became) {
    case 'closed': {
      const { receiptNumber, paidRest } = settled
      if (!paidRest || record.allInCash === true) return success(receiptNumber, receiptNumber)
      const reasons = [said('the request was interrupted after its first payment.')]
      return failure({ status: 424, effect: 'completedInCash', receiptNumber, reasons })
    }
    case 'done':
      return success(settled.data)
    case 'cancelled':
    case 'nothing':
      return undefined
  }
}

function wordsFor(settled: Settled): string {
  switch (settled.became) {
    case 'closed':
      return `closed as receipt ${settled.receiptNumber}${settled.paidRest ? ', the rest paid in cash' : ''}.`
    case 'cancelled':
      return 'its receipt was cancelled.'
    case 'done':
      return 'the device has carried it out.'
    case 'nothing':
      return 'the device has carried out nothing of it.'
  }
}
