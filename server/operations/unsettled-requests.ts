/**
 * Operations without a recorded end (decisions 3, "Outcome unknown"). They are reconciled, oldest first, before any
 * other command is sent to the device. An operation that the device refuses to end, or that began on another device,
 * does not block other requests and is tried again each time. Steps of other requests on its receipt are refused.
 */
import type { Clock } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { Evidence, FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Step } from '../../drivers/model/steps.ts'
import { isSameDevice } from './evidence.ts'
import { effectOfOther, isRefusal, isSilence, openAs } from './failures.ts'
import type { Answers, Intent, OpenedReceipt } from './log/answers.ts'
import { type Entry, isWholeReceipt, mayBePrinted, opensReceipt } from './operation.ts'
import { type Effect, type Outcome, outcomeOf, ServiceError, textReason, withEffect } from './outcome.ts'
import { alreadyDone, describeOutcome, type Reconciliation, replyFor } from './reconciliation.ts'
import { isBack, reconcile, statusOfOpenReceipt, type UnreportedClose } from './run.ts'
import { sentenceOf } from './sentences.ts'
import { cancellingEntry, entryAtStep, type Position, UnderWay } from './under-way.ts'
import { numberOf } from './verdict.ts'

interface Pending {
  readonly id: number | undefined
  readonly name: string
  readonly key?: string | undefined
  entry: Entry
  /**
   * Set if the operation began on another device than the connected one. The text names that device and the paper to
   * check.
   */
  readonly maybeOnOtherDevice?: string
  readonly refusal?: DeviceError
  /** Set after an unforeseen error. This service does not try again; `maybeOnOtherDevice` says so. */
  readonly isSetAside?: true
}

interface UnsettledParts {
  readonly printer: FiscalPrinter
  readonly answers: Answers
  readonly clock: Clock
  readonly note: (line: string) => void
}

/** Time in which no person can exchange the device at a port that remains open, in ms. */
const REMEMBERED_FOR_MS = 10_000

export class UnsettledRequests {
  readonly #parts: UnsettledParts
  #pending: Pending[]
  #unreportedClose: UnreportedClose | undefined
  #last: { readonly evidence: Evidence; readonly at: number } | undefined
  /** The last receipt that a request opened step by step and that no request closed, by serial number of the device. */
  readonly #opened: Map<string, OpenedReceipt>

  constructor(parts: UnsettledParts) {
    this.#parts = parts
    const unfinished: readonly Pending[] = parts.answers.unfinished().map((one) => ({ ...one }))
    const isDone = ({ entry }: Pending): boolean => entry.is === 'done'
    // Closed documents need no query, so it does not matter which device is connected.
    const doneRequests = unfinished.filter(isDone)
    this.#pending = unfinished.filter((one) => !isDone(one))
    this.#opened = new Map(parts.answers.opened().map((one) => [one.serialNumber, one]))
    for (const { name, key, why } of parts.answers.setAside()) {
      const keyText = key === undefined ? 'without a key' : `with key ${key}`
      parts.note(`${name} ${keyText}, interrupted: skipped, its record cannot be read: ${why}. Check its paper.`)
    }
    for (const pending of doneRequests) {
      const settled = alreadyDone(pending.entry)
      parts.note(`${pending.name}, interrupted: ${describeOutcome(settled)}`)
      this.#keep(pending, settled)
    }
  }

  get isNeeded(): boolean {
    return this.#pending.length > 0
  }

  /** Returns the unreported close once, for the next request that closes a receipt. */
  takeUnreportedClose(): UnreportedClose | undefined {
    const close = this.#unreportedClose
    this.#unreportedClose = undefined
    return close
  }

  track(intent: Intent): UnderWay {
    const { answers, note } = this.#parts
    return new UnderWay(intent, { answers, note, mayBegin: (entry) => this.#mayBegin(entry) }, this.#young)
  }

  get #young(): Evidence | undefined {
    const last = this.#last
    const isYoung = last !== undefined && this.#parts.clock.now() - last.at <= REMEMBERED_FOR_MS
    return isYoung && !this.isNeeded ? last.evidence : undefined
  }

  /** `evidence` is what the device would report now; `undefined` if it must be queried. */
  noteDeviceState(evidence: Evidence | undefined): void {
    if (evidence === this.#last?.evidence) return
    this.#last = evidence && { evidence, at: this.#parts.clock.now() }
  }

  leave(request: UnderWay, effect: Effect): void {
    const pending = leftOpen(request)
    this.#pending.push(pending)
    const { entry } = pending
    // The answer says how the receipt will end, so the record must survive a power failure of the computer.
    this.#advance(pending, TO_BE_CANCELLED.has(effect) ? { ...entry, isGivenUp: true } : entry, true)
  }

  /** Records that the receipt may be open on a device that was removed. `why`: the message of the answer. */
  leaveElsewhere(request: UnderWay, why: string): void {
    this.#pending.push(...this.#leaveOnOtherDevice(leftOpen(request), why))
  }

  stillOpen(key: string): Outcome {
    const pending = this.#pending.find((one) => one.key === key)
    if (pending?.maybeOnOtherDevice !== undefined)
      return { status: 424, effect: 'maybeOnOtherDevice', reasons: [textReason(pending.maybeOnOtherDevice)] }
    if (!pending) return { status: 424, effect: 'unknown', reasons: [textReason(UNSETTLED_TEXT)] }
    if (!pending.refusal) return openAs(pending.entry, [NOT_ENDED])
    return openAs(pending.entry, [REFUSED, ...outcomeOf(pending.refusal).reasons])
  }

  /** Reconciles all operations. Rejects if the device does not answer; no other command has then been sent to it. */
  async settleAll(): Promise<void> {
    this.#written(() => this.#parts.answers.catchUp())
    for (const pending of [...this.#pending]) {
      const remaining = await this.#settle(pending)
      this.#pending = this.#pending.flatMap((one) => (one === pending ? remaining : [one]))
    }
  }

  /** Reconciles all operations before a request. The error names a paid receipt that must be closed first. */
  async reconcilePending(): Promise<void> {
    try {
      await this.settleAll()
    } catch (error) {
      const unclosed = this.#pending.find(({ entry }) => entry.is !== 'done' && entry.receiptNumber)
      const receiptNumber = unclosed?.entry.receiptNumber
      if (receiptNumber === undefined || outcomeOf(error).effect !== 'nothing') throw error
      throw withEffect(error, 'blockedByEarlier', { receiptNumber })
    }
  }

  async #settle(pending: Pending): Promise<readonly Pending[]> {
    const { printer, note } = this.#parts
    if (pending.isSetAside) return [pending]
    if (pending.maybeOnOtherDevice !== undefined && !(await isBack(printer, pending.entry))) return [pending]
    try {
      const settled = await reconcile(printer, this.#position(pending))
      note(`${pending.name}, interrupted: ${describeOutcome(settled)}`)
      if (settled.became !== 'maybeOnOtherDevice') {
        this.#keep(pending, settled)
        return []
      }
      const { key, entry } = pending
      if (key !== undefined && mayBePrinted(entry)) return [{ ...pending, maybeOnOtherDevice: settled.why }]
      return this.#leaveOnOtherDevice(pending, settled.why)
    } catch (error) {
      if (isSilence(error)) throw error
      if (isUnforeseen(error)) {
        note(`${pending.name}, interrupted: skipped, ${error instanceof Error ? error.stack : error}`)
        return [{ ...pending, maybeOnOtherDevice: UNSETTLED_TEXT, isSetAside: true }]
      }
      await this.#recordPaidAmount(pending)
      if (!isRefusal(error)) throw error
      // The device answers and refuses, so this operation must not block the next request.
      note(`${pending.name}, interrupted: its outcome cannot be determined yet. ${sentenceOf(outcomeOf(error))}`)
      return [{ ...pending, refusal: error }]
    }
  }

  #position(pending: Pending): Position {
    const advance = (entry: Entry) => this.#advance(pending, entry, true)
    return {
      get entry() {
        return pending.entry
      },
      reach(at, changes) {
        const entry = entryAtStep(pending.entry, at, changes)
        if (entry !== pending.entry) advance(entry)
      },
      takeBack: (changes) => advance(cancellingEntry(pending.entry, changes)),
      note: (changes) => advance({ ...pending.entry, ...changes }),
    }
  }

  #advance(pending: Pending, entry: Entry, durable: boolean): void {
    pending.entry = entry
    const { id } = pending
    if (id !== undefined) this.#written(() => this.#parts.answers.advance(id, entry, durable))
  }

  /** Stores an operation on another device until that device is connected again. No request waits for it. */
  #leaveOnOtherDevice({ id, name, entry: leftEntry }: Pending, maybeOnOtherDevice: string): readonly Pending[] {
    const { answers } = this.#parts
    const isToBeEnded = isWholeReceipt(leftEntry)
    const entry: Entry = mayBePrinted(leftEntry) ? leftEntry : { ...leftEntry, isGivenUp: true }
    if (id !== undefined) this.#written(() => (isToBeEnded ? answers.release(id, entry) : answers.forget(id)))
    return isToBeEnded ? [{ id, name, entry, maybeOnOtherDevice }] : []
  }

  /** Records the paid amount, for answers until the receipt can be closed. */
  async #recordPaidAmount(pending: Pending): Promise<void> {
    const now = await statusOfOpenReceipt(this.#parts.printer, pending.entry)
    if (now?.stands === 'paid') this.#advance(pending, { ...pending.entry, ...now.receipt }, false)
  }

  #keep(pending: Pending, settled: Reconciliation): void {
    const { id, key, entry } = pending
    if (settled.became === 'done') this.carriedOut(entry)
    if (settled.became === 'nothing') this.notCarriedOut(entry)
    if (settled.became === 'undecided') this.undecided(entry)
    const isUnreported = entry.steps[0]?.does === 'close' && key === undefined
    // A receipt that another program closed is not an unreported close.
    if (settled.became === 'closed' && settled.as === 'asked' && isUnreported) {
      const { receiptNumber } = settled
      this.#unreportedClose = { receiptNumber, serialNumber: entry.before?.serialNumber }
    }
    if (id === undefined) return
    const reply = replyFor(entry, settled)
    // After a part with an unknown outcome, no further part of the job is printed.
    const goesOn = entry.part?.isLast === false && settled.became !== 'undecided'
    if (reply && goesOn) this.#written(() => this.#parts.answers.partDone(id))
    else if (reply && key !== undefined) this.#written(() => this.#parts.answers.answer(id, reply))
    else this.#written(() => this.#parts.answers.forget(id))
  }

  /** Logs an error of the disk. The data remains in memory, and the service continues. */
  #written(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#parts.note(sentenceOf(outcomeOf(error)))
    }
  }

  carriedOut(entry: Entry): void {
    const receipt = openedBy(entry)
    if (receipt) this.#opens({ ...receipt, isUnreported: false })
    // Without its number, the records do not identify the receipt. They must then not contradict it.
    else if (isOpeningStep(entry)) for (const serialNumber of [...this.#opened.keys()]) this.#opensNone(serialNumber)
  }

  /** Records that a single step was not executed. An open receipt with its number belongs to another program. */
  notCarriedOut(entry: Entry): void {
    const receipt = openedBy(entry)
    if (!receipt) return
    const openedReceipt = this.#opened.get(receipt.serialNumber)
    if (openedReceipt?.number === receipt.number && openedReceipt.isUnreported) this.#opensNone(receipt.serialNumber)
  }

  /** Records an unknown outcome. An open receipt with the number of the operation may be its own. */
  undecided(entry: Entry): void {
    const { before } = entry
    const number = numberOf(entry)
    if (!isWholeReceipt(entry) || !before || number === undefined) return
    this.#opens({ serialNumber: before.serialNumber, number, isUnreported: true, isGivenUp: true })
  }

  #opens(receipt: OpenedReceipt): void {
    this.#opened.set(receipt.serialNumber, receipt)
    this.#written(() => this.#parts.answers.opens(receipt))
  }

  #opensNone(serialNumber: string): void {
    if (!this.#opened.delete(serialNumber)) return
    this.#written(() => this.#parts.answers.opensNone(serialNumber))
  }

  /** Changes the effect of the error if a request of this service opened the open receipt, or may have opened it. */
  named(error: unknown, { before }: Entry): unknown {
    const { effect, receiptNumber = '' } = outcomeOf(error)
    if ((effect !== 'otherIsOpen' && effect !== 'otherNonFiscalIsOpen') || before === null) return error
    const opened = this.#opened.get(before.serialNumber)
    if (receiptNumber !== String(opened?.number)) return error
    return withEffect(error, opened?.isUnreported ? 'perhapsOwnIsOpen' : 'ownIsOpen')
  }

  /**
   * Throws ServiceError if this request must not change the open receipt, because it belongs to an earlier request or
   * to another program. Also throws if the disk does not accept the record of an opening. Called before a command of
   * this request is sent.
   */
  #mayBegin(entry: Entry): void {
    this.#checkOpen(entry)
    const receipt = openedBy(entry)
    // Recorded before the command, because its answer may be lost, or this service may end. If a receipt is open, the
    // device refuses the opening, and the record of the open receipt remains.
    if (!receipt || entry.before?.open) return
    const opening: OpenedReceipt = { ...receipt, isUnreported: true }
    this.#parts.answers.opens(opening)
    this.#opened.set(receipt.serialNumber, opening)
  }

  #checkOpen({ steps: [step, ...more], before }: Entry): void {
    const open = before?.open
    if (!open) return
    const number = open.number ?? before.lastDocument
    const owners = this.#pending.filter(
      ({ entry }) => isWholeReceipt(entry) && isSameDevice(entry.before, before) && number === numberOf(entry),
    )
    const opened = this.#opened.get(before.serialNumber)
    // Without any record, the service cannot know who opened the receipt.
    if (this.#opened.size > 0 && step && more.length === 0 && number !== null) {
      // The refusal of a receipt that may be the caller's own advises to close it.
      const refused = opened?.isUnreported ? ADDING_STEPS : ADDS_OR_CLOSES
      const isOther = opened?.number !== number && owners.length === 0 && refused.has(step.does)
      // A receipt that is, or may be, partly paid cannot be cancelled, so paying and closing it is allowed.
      const isUnclear =
        opened?.number === number && opened.isGivenUp && (open.paid === 0 ? RECEIPT_STEPS : SALE_STEPS).has(step.does)
      const receiptNumber = String(number)
      if (isOther && !opened?.isUnreported) {
        throw new ServiceError({ status: 400, effect: effectOfOther(open), receiptNumber, reasons: [] })
      }
      if (isOther || isUnclear)
        throw new ServiceError({
          status: 400,
          effect: 'perhapsOwnIsOpen',
          receiptNumber,
          reasons: [OWNER_UNKNOWN],
        })
    }
    const held = owners.find(
      ({ refusal, maybeOnOtherDevice }) => refusal !== undefined || maybeOnOtherDevice !== undefined,
    )
    if (!held) return
    const because = held.refusal ?? new ServiceError({ status: 424, effect: 'nothing', reasons: [RECONNECTED] })
    throw withEffect(because, 'blockedByEarlier', { receiptNumber: String(number) })
  }
}

/** Effects whose message says that nothing was sold. The caller may sell the items again before the reconciliation. */
const TO_BE_CANCELLED: ReadonlySet<Effect> = new Set(['toBeCancelled', 'toBeFoundOut'])

function leftOpen({ id, intent, entry }: UnderWay): Pending {
  return { id, name: intent?.name ?? '', key: intent?.key, entry }
}

/** Returns the receipt that a single step opens; `undefined` if it opens none, or if its number is unknown. */
function openedBy(entry: Entry): Omit<OpenedReceipt, 'isUnreported'> | undefined {
  const { before } = entry
  if (!isOpeningStep(entry) || !before) return undefined
  const number = numberOf(entry)
  return number === undefined ? undefined : { serialNumber: before.serialNumber, number }
}

const isOpeningStep = ({ steps: [step, ...more] }: Entry): boolean =>
  more.length === 0 && step !== undefined && opensReceipt(step)

const isUnforeseen = (error: unknown): boolean => !(error instanceof DeviceError || error instanceof ServiceError)
const UNSETTLED_TEXT = 'Its outcome cannot be determined; see the log of the service for the reason. Check its paper.'

const ADDING_STEPS: ReadonlySet<Step['does']> = new Set(['sell', 'pay', 'subtotal', 'print'])
const RECEIPT_STEPS: ReadonlySet<Step['does']> = new Set([...ADDING_STEPS, 'close'])
const ADDS_OR_CLOSES: ReadonlySet<Step['does']> = new Set([...RECEIPT_STEPS, 'closeNonFiscal'])
const SALE_STEPS: ReadonlySet<Step['does']> = new Set(['sell', 'subtotal', 'print'])
const OWNER_UNKNOWN = textReason('Nothing is added to a receipt while it is unknown which program opened it.')

const NOT_ENDED = textReason('The receipt of this request has been neither closed nor cancelled.')
const REFUSED = textReason('The device refused the last attempt to close or cancel the receipt.')

const RECONNECTED = textReason('The device was reconnected during this request.')
