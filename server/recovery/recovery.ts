/**
 * What the service does about a request whose outcome is open (decisions 3, "Outcome unknown").
 *
 *            begin              reach                reach            reach
 *   before ─────────> opening ─────────> filling ─────────> paying ─────────> closing ─────────> done
 *                        │                  │                  │                 │
 *                        └─────────┬────────┘                  └────────┬────────┘
 *                                  │ something fails                    │ something fails
 *                                  v                                    v
 *                              cancelling                    completed: paid as asked, closed
 *
 *   asked of the device (settle.ts)      first         where
 *   in the same request                  1             rescue.ts
 *   before the next one                  2, and again  recovery.ts, `settleAll`
 *   at the start of the next service     as 2          `Recovery` begins with the rows left open in the journal
 *
 * progress.ts   the stages above, and the evidence: what is written down before each command, so that it can be asked about
 *               afterwards
 * proof.ts      evidence + what the device says now → the request's own, somebody else's, or not decided
 * settle.ts     acts on what is proven → closed, cancelled, done, nothing, unproven, or on another device
 * paying.ts     the payments that were asked for, against what the device says is paid, and what is left paid
 * failed-call.ts  a call of the device that fails: refused, or nothing that can be relied on
 * steps.ts      one command inside a receipt: the state before and after it
 * repeats.ts    what the link wrote again in a complete receipt, compared with what the device holds
 * rescue.ts     a failure in the same request, up to its outcome
 * doubtful.ts   lines of text, barcodes and the like that may stand twice on a receipt, or not at all
 * tracked-request.ts  one request on its way, and its row in the journal
 * answers.ts    rows of the journal that are open, and the answers kept for an `Idempotency-Key`
 * prints.ts     rows of the journal that say what was printed for which order or job
 * journal-file.ts, journal-tables.ts, row-ages.ts  the journal: written when the disk takes it, its rows, how old they are;
 *               sqlite-tables.ts on disk, plain-tables.ts in memory
 * keyed.ts      requests with an `Idempotency-Key`: one at a time for each key, and the first answer again
 * sentences.ts  outcomes → words
 *
 * An open request stays in the list until the device has answered for it: settled oldest first, before anything else
 * reaches the device. One that the device refuses to end holds up nobody, and is tried again each time; so is one of
 * another device, which may be connected again. What it began is left to it: a step of another request, which would act
 * on that receipt, is refused.
 */
import type { Clock } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { DeviceNumbers, Evidence, FiscalPrinter } from '../../drivers/model/printer.ts'
import { failure, type Reply, success } from '../envelope.ts'
import { type Outcome, outcomeOf, ServiceError, said, sentenceOf, withEffect } from '../outcome.ts'
import type { Answers, Intent, OpenedReceipt } from './answers.ts'
import { isRefusal, isSilence } from './failed-call.ts'
import { type Begun, isWholeReceipt, owing, type ProgressRecord, type Stage, type Step } from './progress.ts'
import { isSameDevice, numberOf } from './proof.ts'
import { mayBePrinted, openAs } from './rescue.ts'
import { capital } from './sentences.ts'
import { alreadyDone, COMPLETED, type Settled, settle, standing } from './settle.ts'
import { type Pending, Tracked } from './tracked-request.ts'

export interface RecoveryParts {
  readonly printer: FiscalPrinter
  readonly answers: Answers
  readonly clock: Clock
  /** What became of a request that somebody asked for, and whom nobody can tell any more. */
  readonly note: (line: string) => void
}

/** A device cannot be exchanged for another one in so short a time, behind a port that stays open. */
const REMEMBERED_FOR_MS = 10_000

/** A close whose caller, without a key, has heard only `Outcome unknown:`. */
export interface UnheardClose {
  readonly receiptNumber: string
  readonly serialNumber: string | undefined
}

export class Recovery {
  readonly #parts: RecoveryParts
  #pending: Pending[]
  #unheardClose: UnheardClose | undefined
  #last: { readonly evidence: Evidence; readonly at: number } | undefined
  /** By serial number of the device, of this service or the one before it: what a request has opened last and left open. */
  readonly #opened: Map<string, OpenedReceipt>

  constructor(parts: RecoveryParts) {
    this.#parts = parts
    const left: readonly Pending[] = parts.answers.unfinished().map((one) => ({ ...one }))
    const isDone = ({ record }: Pending): boolean => record.stage === 'done'
    // Which device stands there, and whether it can be asked, makes no difference to what is closed already.
    const done = left.filter(isDone)
    this.#pending = left.filter((one) => !isDone(one))
    this.#opened = new Map(parts.answers.opened().map((one) => [one.serialNumber, one]))
    for (const { name, key, why } of parts.answers.setAside()) {
      const of = key === undefined ? 'without a key' : `with key ${key}`
      parts.note(
        `${name} ${of}, interrupted: laid aside, its record cannot be read: ${why}; its paper shows what became of it.`,
      )
    }
    for (const pending of done) {
      const settled = alreadyDone(pending.record)
      parts.note(`${pending.name}, interrupted: ${wordsFor(settled)}`)
      this.#keep(pending, settled)
    }
  }

  get isNeeded(): boolean {
    return this.#pending.length > 0
  }

  /** Once: whoever asks to close next is told, and nobody after. */
  takeUnheardClose(): UnheardClose | undefined {
    const unheard = this.#unheardClose
    this.#unheardClose = undefined
    return unheard
  }

  /** A request of one step is carried out. */
  carriedOut(record: ProgressRecord): void {
    const receipt = openedBy(record)
    if (receipt) this.#opens({ ...receipt, isUnheard: false })
  }

  /** It is about to be: its answer, or this service with it, may be lost before anybody hears what became of it. */
  #mayOpen(record: ProgressRecord): void {
    const receipt = openedBy(record)
    // Behind an open receipt the device refuses it, and what is known of that one stays.
    if (receipt && !record.before?.open) this.#opens({ ...receipt, isUnheard: true })
  }

  /** It is not: a receipt of that number is another program's. */
  notCarriedOut(record: ProgressRecord): void {
    const receipt = openedBy(record)
    if (!receipt) return
    const known = this.#opened.get(receipt.serialNumber)
    if (known?.number !== receipt.number || !known.isUnheard) return
    this.#opened.delete(receipt.serialNumber)
    this.#written(() => this.#parts.answers.opensNone(receipt.serialNumber))
  }

  /** Nobody knows what became of it: the receipt that stands open under the number of its own may be its own. */
  undecided(record: ProgressRecord): void {
    const { before } = record
    const number = numberOf(record)
    if (!isWholeReceipt(record) || !before || number === undefined) return
    this.#opens({ serialNumber: before.serialNumber, number, isUnheard: true, isGivenUp: true })
  }

  #opens(receipt: OpenedReceipt): void {
    this.#opened.set(receipt.serialNumber, receipt)
    this.#written(() => this.#parts.answers.opens(receipt))
  }

  /** The same failure, where what is open was, or may be, opened by a request of this service and not by another program. */
  named(error: unknown, { before }: ProgressRecord): unknown {
    const { effect, receiptNumber = '' } = outcomeOf(error)
    if ((effect !== 'otherIsOpen' && effect !== 'otherNonFiscalIsOpen') || before === null) return error
    const opened = this.#opened.get(before.serialNumber)
    if (receiptNumber !== String(opened?.number)) return error
    return withEffect(error, opened?.isUnheard ? 'perhapsOwnIsOpen' : 'ownIsOpen')
  }

  /**
   * A receipt that an earlier request began is that request's alone, where the device refuses to end it, or was connected
   * again only behind the settling before this request: nobody else sells on it, pays it or ends it. Throws ServiceError,
   * before anything of this request is sent.
   */
  #mayBegin({ undertaking, before, step }: ProgressRecord): void {
    const open = before?.open
    if (!open || undertaking === 'document') return
    const number = open.number ?? before.lastDocument
    const known = this.#opened.get(before.serialNumber)
    const goesOn =
      undertaking === 'closeFiscal' || (undertaking === 'step' && step !== undefined && ADDS.has(step.does))
    if (known?.isGivenUp && known.number === number && goesOn)
      throw new ServiceError({
        ...{ status: 400, effect: 'perhapsOwnIsOpen', receiptNumber: String(number) },
        reasons: [NOBODY_KNOWS_WHOSE],
      })
    const held = this.#pending.find(
      ({ refusal, elsewhere, record }) =>
        (refusal !== undefined || elsewhere !== undefined) &&
        isWholeReceipt(record) &&
        isSameDevice(record.before, before) &&
        number === numberOf(record),
    )
    if (!held) return
    // What keeps that receipt from its end is what a person has to see to.
    const because = held.refusal ?? new ServiceError({ status: 424, effect: 'nothing', reasons: [CAME_BACK] })
    throw withEffect(because, 'heldUp', { receiptNumber: String(number) })
  }

  /** Why the request of this key is still open. */
  stillOpen(key: string): Outcome {
    const pending = this.#pending.find((one) => one.key === key)
    if (pending?.elsewhere !== undefined)
      return { status: 424, effect: 'elsewhere', reasons: [said(pending.elsewhere)] }
    const reasons = [said('The device refuses to end the receipt that this request began.')]
    return pending ? openAs(pending.record, reasons) : { status: 424, effect: 'unknown', reasons }
  }

  track(intent: Intent): Tracked {
    const { answers, note } = this.#parts
    return new Tracked(intent, {
      ...{ answers, note },
      mayBegin: (record) => this.#mayBegin(record),
      mayOpen: (record) => this.#mayOpen(record),
      last: this.#young,
    })
  }

  get #young(): Evidence | undefined {
    const last = this.#last
    const isYoung = last !== undefined && this.#parts.clock.now() - last.at <= REMEMBERED_FOR_MS
    return isYoung && !this.isNeeded ? last.evidence : undefined
  }

  /** A request has ended. `evidence`: what the device would say of itself now; undefined: it has to be asked. */
  leftAs(evidence: Evidence | undefined): void {
    if (evidence === this.#last?.evidence) return
    this.#last = evidence && { evidence, at: this.#parts.clock.now() }
  }

  leave(tracked: Tracked): void {
    this.#pending.push(tracked.leftOpen())
  }

  /** The receipt that was begun may stand open on a device that was taken away: `why`, as its caller was told. */
  leaveElsewhere(tracked: Tracked, why: string): void {
    this.#pending.push(...this.#leftThere(tracked.leftOpen(), why))
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
    if (pending.isAside) return [pending]
    if (pending.elsewhere !== undefined && !(await this.#isBack(pending.record.before))) return [pending]
    try {
      const settled = await settle(printer, pending.record, (stage, more) => this.#advance(pending, stage, more))
      note(`${pending.name}, interrupted: ${wordsFor(settled)}`)
      if (settled.became !== 'elsewhere') {
        this.#keep(pending, settled)
        return []
      }
      const { key, record } = pending
      if (key !== undefined && mayBePrinted(record)) return [{ ...pending, elsewhere: settled.why }]
      return this.#leftThere(pending, settled.why)
    } catch (error) {
      if (isSilence(error)) throw error
      if (isUnforeseen(error)) {
        note(`${pending.name}, interrupted: laid aside, ${error instanceof Error ? error.stack : error}`)
        return [{ ...pending, elsewhere: UNSETTLED, isAside: true }]
      }
      await this.#owes(pending)
      if (!isRefusal(error)) throw error
      // The device answers and will not: the next request is not held up by it, and tries it again.
      note(`${pending.name}, interrupted: it cannot be settled yet. ${sentenceOf(outcomeOf(error))}`)
      return [{ ...pending, refusal: error }]
    }
  }

  /** The device that answers now is the one that was taken away. One that refuses to say who it is may be any other. */
  async #isBack(before: DeviceNumbers | null): Promise<boolean> {
    try {
      return isSameDevice(before, await this.#parts.printer.numbers())
    } catch (error) {
      if (isRefusal(error)) return false
      throw error
    }
  }

  /** A receipt that stands open on a device which may come back: nobody waits for it, and it is ended then. */
  #leftThere({ id, name, record: left }: Pending, elsewhere: string): readonly Pending[] {
    const { answers } = this.#parts
    const isToBeEnded = isWholeReceipt(left)
    const record: ProgressRecord = mayBePrinted(left) ? left : { ...left, isGivenUp: true }
    if (id !== undefined) this.#written(() => (isToBeEnded ? answers.release(id, record) : answers.forget(id)))
    return isToBeEnded ? [{ id, name, record, elsewhere }] : []
  }

  /** What its caller is told until it can be ended. */
  async #owes(pending: Pending): Promise<void> {
    const now = await standing(this.#parts.printer, pending.record)
    if (now?.stands !== 'paid') return
    const record = owing(pending.record, now)
    pending.record = record
    const { id } = pending
    if (id !== undefined) this.#written(() => this.#parts.answers.advance(id, record, false))
  }

  #advance(pending: Pending, stage: Stage, more: Begun = {}): void {
    pending.record = { ...pending.record, ...more, stage }
    const { id, record } = pending
    if (id !== undefined) this.#written(() => this.#parts.answers.advance(id, record, true))
  }

  #keep(pending: Pending, settled: Settled): void {
    const { id, key, record } = pending
    if (settled.became === 'done') this.carriedOut(record)
    if (settled.became === 'nothing') this.notCarriedOut(record)
    if (settled.became === 'unproven') this.undecided(record)
    if (settled.became === 'closed' && record.undertaking === 'closeFiscal' && key === undefined) {
      const { receiptNumber } = settled
      this.#unheardClose = { receiptNumber, serialNumber: record.before?.serialNumber }
    }
    if (id === undefined) return
    const reply = replyFor(settled)
    // Behind a part of which nobody knows what became nothing more of its job is printed.
    const goesOn = record.part?.isLast === false && settled.became !== 'unproven'
    if (reply && goesOn) this.#written(() => this.#parts.answers.partDone(id))
    else if (reply && key !== undefined) this.#written(() => this.#parts.answers.answer(id, reply))
    else this.#written(() => this.#parts.answers.forget(id))
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

/** The receipt that a single step opens; undefined: it opens none, or nobody knows its number. */
function openedBy({ step, before }: ProgressRecord): Omit<OpenedReceipt, 'isUnheard'> | undefined {
  if (step?.does !== 'open' && step?.does !== 'openNonFiscal') return undefined
  if (!before || before.lastDocument === null) return undefined
  return { serialNumber: before.serialNumber, number: before.lastDocument + 1 }
}

/** A mistake of this program, or of what it has read: one request that stumbles over it holds up no other. */
const isUnforeseen = (error: unknown): boolean => !(error instanceof DeviceError || error instanceof ServiceError)
const UNSETTLED = 'What became of it cannot be found out, the log of the service says why; its paper shows it.'

/** On the receipt that is open. */
const ADDS: ReadonlySet<Step['does']> = new Set(['sale', 'payment', 'subtotal', 'print'])
const NOBODY_KNOWS_WHOSE = said('Nothing is added to a receipt of which nobody knows who has opened it.')

const CAME_BACK = said('The device was connected again in the middle of this request.')
const INTERRUPTED = said('The request was interrupted.')

/** The answer that the request would have had; undefined: nothing of it is left to be answered. */
function replyFor(settled: Settled): Reply | undefined {
  switch (settled.became) {
    case 'closed': {
      const { receiptNumber, as } = settled
      if (as === 'asked') return success(receiptNumber, receiptNumber)
      return failure({ status: 424, effect: COMPLETED[as], receiptNumber, reasons: [INTERRUPTED] })
    }
    case 'done':
      return success(settled.data)
    case 'unproven':
      return failure({ status: 424, effect: 'undecided', reasons: [INTERRUPTED, said(capital(settled.why))] })
    case 'cancelled':
    case 'nothing':
    case 'elsewhere':
      return undefined
  }
}

const CLOSED_AS = {
  asked: '',
  inCash: ', the rest paid in cash',
  byOther: ', paid or ended by another program',
  twice: ', a line of text twice',
  inDoubt: ', a line of text or a barcode perhaps twice or not at all',
} as const

function wordsFor(settled: Settled): string {
  switch (settled.became) {
    case 'closed':
      return `closed as receipt ${settled.receiptNumber}${CLOSED_AS[settled.as]}.`
    case 'cancelled':
      return 'its receipt was cancelled.'
    case 'done':
      return 'the device has carried it out.'
    case 'nothing':
      return 'the device has carried out nothing of it.'
    case 'unproven':
      return `what became of it cannot be told: ${settled.why}`
    case 'elsewhere':
      return settled.why
  }
}
