/**
 * Requests whose outcome is open: kept in the journal while they are under way, settled oldest first before anything
 * else reaches the device, and when the service starts (decisions 3, "Outcome unknown").
 */
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { failureOf } from '../failure.ts'
import type { Answers, Intent, Reply } from './answers.ts'
import { NOT_BEGUN, Progress, type ProgressRecord, type Stage } from './progress.ts'
import { isRefusal, lastDocument, type Settled, settle } from './settle.ts'

interface Pending {
  /** Row of the journal; undefined: it has none. */
  readonly id: number | undefined
  readonly name: string
  readonly key?: string | undefined
  record: ProgressRecord
  /** Last document when the device refused to end it: while it is still the last, that receipt is ours. */
  readonly refusedAt?: number | null
}

export interface RecoveryParts {
  readonly printer: FiscalPrinter
  readonly answers: Answers
  /** What became of a request that somebody asked for, and whom nobody can tell any more. */
  readonly note: (line: string) => void
  /** The answer that the request would have had. */
  readonly success: (data: Settled & { readonly became: 'closed' | 'done' }) => Reply
  readonly completed: (receiptNumber: string) => Reply
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

  /** Number of the oldest receipt that is paid and only has to be ended. */
  get owedNumber(): string | undefined {
    return this.#pending.find(({ record }) => record.stage !== 'done' && record.receiptNumber)?.record.receiptNumber
  }

  /** Rejects while the device cannot be asked; then nothing else has been sent to it. */
  async settleAll(): Promise<void> {
    for (const pending of [...this.#pending]) {
      const left = await this.#settle(pending)
      this.#pending = this.#pending.flatMap((one) => (one === pending ? left : [one]))
    }
  }

  track(intent: Intent): Tracked {
    return new Tracked(intent, this.#parts, (pending) => this.#pending.push(pending))
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
      note(`${pending.name}, interrupted: it cannot be cleared up yet. ${failureOf(error).message}`)
      return [{ ...pending, refusedAt: await lastDocument(printer) }]
    }
  }

  #advance(pending: Pending, stage: Stage): void {
    pending.record = { ...pending.record, stage }
    if (pending.id !== undefined) this.#parts.answers.advance(pending.id, pending.record, true)
  }

  #keep(pending: Pending, settled: Settled): void {
    const { id, key, record } = pending
    const reply = this.#replyFor(settled, record)
    if (settled.became === 'closed' && record.undertaking === 'closeFiscal' && key === undefined) {
      this.#unheardClose = settled.receiptNumber
    }
    if (id === undefined) return
    if (reply && key !== undefined) this.#parts.answers.answer(id, reply)
    else this.#forget(pending)
  }

  #replyFor(settled: Settled, record: ProgressRecord): Reply | undefined {
    switch (settled.became) {
      case 'closed':
        return settled.paidRest && record.allInCash !== true
          ? this.#parts.completed(settled.receiptNumber)
          : this.#parts.success(settled)
      case 'done':
        return this.#parts.success(settled)
      case 'cancelled':
      case 'nothing':
        return undefined
    }
  }

  #forget({ id }: Pending): void {
    if (id !== undefined) this.#parts.answers.forget(id)
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

/** Without these a receipt that is no longer open could be taken for closed, or for cancelled, wrongly. */
const isDurable = (stage: Stage): boolean => stage === 'paying' || stage === 'cancelling'

/** One request on its way, and its row in the journal. */
export class Tracked {
  readonly progress: Progress
  readonly #intent: Intent
  readonly #answers: Answers
  readonly #note: (line: string) => void
  readonly #leaveOpen: (pending: Pending) => void
  #id: number | undefined

  constructor(intent: Intent, { answers, note }: RecoveryParts, leaveOpen: (pending: Pending) => void) {
    this.#intent = intent
    this.#answers = answers
    this.#note = note
    this.#leaveOpen = leaveOpen
    this.progress = new Progress((record) => this.#save(record))
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

  /** Settled before the next request. */
  isOpen(): void {
    const { record } = this.progress
    const { name, key } = this.#intent
    // A failure of unknown effect may have happened before anything was told: then it was one step.
    const touched: ProgressRecord = record.stage === 'before' ? { ...NOT_BEGUN, ...record, stage: 'filling' } : record
    this.#leaveOpen({ id: this.#id, name, key, record: touched })
  }

  /**
   * A single command without a key leaves nothing to clear up and nothing to answer again: it has no row. `filling`
   * says no more about a receipt than `opening`.
   */
  #save(record: ProgressRecord): void {
    const { undertaking, stage } = record
    const isReceipt = undertaking === 'fiscalReceipt' || undertaking === 'nonFiscalReceipt'
    if (stage === 'before' || (!isReceipt && this.#intent.key === undefined)) return
    const id = this.#id
    if (id === undefined) this.#id = this.#answers.begin(this.#intent, record)
    else if (isReceipt && isDurable(stage)) this.#answers.advance(id, record, true)
    else if (!(isReceipt && stage === 'filling')) this.#afterwards(() => this.#answers.advance(id, record, false))
  }

  /** Once something is paid or printed, a disk that fails must not keep the receipt from its end, nor its answer. */
  #afterwards(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#note(
        `${this.#intent.name}: its journal cannot be written. ${error instanceof Error ? error.message : error}`,
      )
    }
  }
}
