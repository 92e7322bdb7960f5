/**
 * The invariants of decisions 3, judged by the electronic journal. A 200 means exactly one receipt, with its total and
 * payments. An error means no receipt, unless the answer reports one (`Completed as receipt N:`, which may still be
 * open) or says that the outcome is unknown (`Outcome unknown:`). No receipt is printed twice. The service does not
 * change receipts of another program, and no answer claims one.
 */
import { countText } from '../../drivers/model/count-text.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { money } from '../oracle/decimal.ts'
import { AnswerConsistency } from './answer-consistency.ts'
import { type Act, isOther } from './attribution.ts'
import { type ClaimedOutcome, claimedOutcome } from './claimed-outcome.ts'
import { Claims } from './claims.ts'
import type { MayBeOpen, NumberedRequest, Reply } from './client.ts'
import { findFalseStatement } from './false-statements.ts'
import type { Document } from './journal.ts'
import { judgeBooks } from './judge-books.ts'
import { memoryIdOf } from './memory-id.ts'
import { OrderClaims } from './order-claims.ts'
import { isReceipt, type JudgedWorld, Paper } from './paper.ts'
import type { SentRequest } from './sent-requests.ts'
import type { RequestStep, UnderWay } from './steps.ts'
import { Violation } from './violation.ts'
import { VoidedJobs } from './voided-jobs.ts'

interface History extends Pick<NumberedRequest, 'request' | 'step'> {
  readonly sent: SentRequest
  readonly claims: ClaimedOutcome[]
  mayBeLost: boolean
  /**
   * Number of power losses during the request. A device that lost its power executes a retransmission as a new command.
   */
  powerLosses: number
}

/** Maximum duration of a request in ms: the limit (decisions 3), and one second for the delivery of the answer. */
const LONGEST_MS = 121_000

export class Judge {
  readonly #world: JudgedWorld
  readonly #paper: Paper
  readonly #histories = new Map<number, History>()
  readonly #claims: Claims
  readonly #orders: OrderClaims
  readonly #answerConsistency: AnswerConsistency
  readonly #voidedJobs: VoidedJobs
  #underWay: readonly UnderWay[] = []
  readonly #replacedDuring = new Map<number, Emulator>()
  /** True if a device was replaced while an outcome was unknown. A receipt may then be open on the other device. */
  #mayGoOnElsewhere = false
  readonly #opened = new Set<string>()
  readonly #mayBeOpen = new Map<string, MayBeOpen>()
  /** Keys of open receipts of another program that a caller acts on. An unanswered call may still act later. */
  readonly #actedOn = new Set<string>()
  #judgedActs = 0
  readonly #actsBefore = new Map<number, number>()
  readonly #lossesBefore = new Map<number, number>()

  constructor(world: JudgedWorld) {
    this.#world = world
    this.#paper = new Paper(world)
    const underWay = () => this.#underWay
    this.#claims = new Claims(world, underWay)
    this.#orders = new OrderClaims(world, underWay)
    this.#answerConsistency = new AnswerConsistency(world)
    this.#voidedJobs = new VoidedJobs(world, this.#paper)
  }

  asks({ request, step }: NumberedRequest): void {
    this.#answerConsistency.asks(
      request,
      this.#underWay.map((one) => one.request),
    )
    const powerLosses = this.#world.powerLosses ?? 0
    if (!this.#underWay.some((one) => one.request === request)) this.#lossesBefore.set(request, powerLosses)
    this.#underWay = [...this.#underWay, { request, step }]
    this.#claims.asks(request, step)
    this.#voidedJobs.asks(request, step)
    const { attribution } = this.#world
    if (!attribution) return
    this.#judgeActs()
    if (!this.#actsBefore.has(request)) this.#actsBefore.set(request, attribution.acts.length)
    if (this.#openOfOthers !== undefined && actsOnWhatIsOpen(step)) this.#actedOn.add(this.#openOfOthers)
  }

  #endedByOthersSince(request: number): ReadonlySet<string> {
    const acts = this.#world.attribution?.acts.slice(this.#actsBefore.get(request)) ?? []
    return new Set(acts.filter((act) => act.does === 'ends' && isOther(act.sender)).map((act) => String(act.document)))
  }

  get #openOfOthers(): string | undefined {
    const number = this.#world.attribution?.openOfOthers(this.#emulator)
    return number === undefined ? undefined : keyOf(memoryIdOf(this.#emulator), number)
  }

  /** Must be called before the device is replaced. A receipt that is open on the removed device may never be closed. */
  noteReplacement(): void {
    for (const { request } of this.#underWay) this.#replacedDuring.set(request, this.#emulator)
    if (this.#device.receipt) for (const history of this.#histories.values()) history.mayBeLost = true
    // The service may still be working on a request whose answer said that the outcome is unknown.
    this.#mayGoOnElsewhere ||= [...this.#histories.values()].some(({ claims }) => claims.at(-1)?.is === 'unknown')
  }

  onReply({ request, step, key, reuses }: NumberedRequest, sent: SentRequest, reply: Reply): void {
    const history = this.#histories.get(request) ?? {
      request,
      step,
      sent,
      claims: [],
      mayBeLost: false,
      powerLosses: 0,
    }
    this.#histories.set(request, history)
    const lossesBefore = this.#lossesBefore.get(request) ?? 0
    const powerLosses = this.#world.powerLosses ?? 0
    history.powerLosses += powerLosses - lossesBefore
    this.#lossesBefore.set(request, powerLosses)
    if (this.#replacedDuring.has(request)) history.mayBeLost = true
    const place = this.#underWay.findIndex((one) => one.request === request)
    this.#underWay = this.#underWay.filter((_, index) => index !== place)
    const outcome = claimedOutcome(reply)
    history.claims.push(outcome)
    if (reply.tookMs > LONGEST_MS) this.#fail(request, `it took ${reply.tookMs} ms`)
    if (reply.status === 500)
      this.#fail(request, `the service answered 500: ${this.#world.troubles.at(-1) ?? reply.message}`)
    const before = this.#replacedDuring.get(request)
    const context = {
      hasKey: key !== undefined,
      mayBeOthers: before !== undefined || this.#mayBeOthers,
      devices: this.#world.devices,
      endedMeanwhile: this.#endedByOthersSince(request),
    }
    const wrongOf = ({ device }: Emulator) => findFalseStatement(reply.message, { ...context, device })
    const untrue = wrongOf(before ?? this.#emulator) && wrongOf(this.#emulator)
    if (untrue !== undefined) this.#fail(request, `${untrue}: ${reply.message}`)
    if (outcome.is === 'unknown' || FOUND_OUT_LATER.test(reply.message))
      for (const emulator of before ? [before, this.#emulator] : [this.#emulator])
        this.#mayBeOpenOn(emulator).untouched = true
    if (ON_EITHER_DEVICE.test(reply.message))
      for (const emulator of this.#world.devices)
        Object.assign(this.#mayBeOpenOn(emulator), { fiscal: true, slip: true })
    if (outcome.is !== 'nothing') {
      // The receipt may also be open on the removed device.
      for (const emulator of before ? [before, this.#emulator] : [this.#emulator]) {
        if (step.do === 'open') this.#mayBeOpenOn(emulator).fiscal = true
        if (step.do === 'openSlip') this.#mayBeOpenOn(emulator).slip = true
      }
    }
    if ((step.do === 'open' || step.do === 'openSlip') && outcome.is === 'printed' && history.claims.length === 1)
      this.#opened.add(keyOf(memoryIdOf(this.#emulator), this.#device.counters.lastDocument))
    if (reuses !== undefined && reply.status !== 0) this.#judgeReuse(history, outcome, reuses)
    if (isReceipt(step)) this.#judgeReceipt(history, outcome, reply)
    if (step.do === 'order') {
      const wrong = this.#orders.onReply(request, step, outcome, reply)
      if (wrong !== undefined) this.#fail(request, wrong)
    }
    this.#voidedJobs.onReply(request, outcome, reply)
    const wrongNow = this.#answerConsistency.onReply(request, step, outcome, reply, history.claims.length === 1)
    if (wrongNow !== undefined) this.#fail(request, wrongNow)
    const claimed = this.#claims.onReply(request, step, outcome, reply, lossesBefore)
    if (claimed !== undefined) this.#fail(request, claimed)
    this.#judgeOpening(history, outcome)
    this.#judgeActs({ request, step })
    // A call has ended when it is answered, unless its outcome is unknown: the device may then still execute it.
    // Another unanswered request may act on the same receipt.
    if (this.#openOfOthers === undefined || !actsOnWhatIsOpen(step)) return
    if (reply.status === 0 || outcome.is === 'unknown') return
    if (!this.#underWay.some((one) => actsOnWhatIsOpen(one.step))) this.#actedOn.delete(this.#openOfOthers)
  }

  get #mayBeOthers(): boolean {
    const { attribution, logFailed = false } = this.#world
    const memory = memoryIdOf(this.#emulator)
    const { lastDocument } = this.#device.counters
    if (!attribution || logFailed || attribution.isOthers(memory, lastDocument)) return true
    return !this.#opened.has(keyOf(memory, lastDocument))
  }

  get mayBeOpen(): MayBeOpen {
    const { untouched, fiscal, slip } = this.#mayBeOpenOn(this.#emulator)
    // A restarted service does not know what it could not store.
    const isForgotten = this.#hasForgottenOpening
    return {
      fiscal: fiscal || isForgotten || this.#mayGoOnElsewhere,
      slip: slip || isForgotten || this.#mayGoOnElsewhere,
      untouched: untouched || this.#world.logFailed === true,
    }
  }

  /**
   * True if the service may have lost the number of a receipt that it opened. An answer must have said that the outcome
   * is unknown.
   */
  get #hasForgottenOpening(): boolean {
    if (this.#world.hasForgotten !== true) return false
    return [...this.#histories.values()].some(({ claims }) => claims.some(({ is }) => is === 'unknown'))
  }

  #mayBeOpenOn(emulator: Emulator): MayBeOpen {
    const memory = memoryIdOf(emulator)
    const openKinds = this.#mayBeOpen.get(memory) ?? { fiscal: false, slip: false, untouched: false }
    this.#mayBeOpen.set(memory, openKinds)
    return openKinds
  }

  get #emulator(): Emulator {
    return this.#world.devices.at(-1) as Emulator
  }

  get #device(): Emulator['device'] {
    return this.#emulator.device
  }

  /**
   * Throws if a second request with the key of an answered one was not refused. If the operation log has failed, the
   * service may answer that the outcome is unknown.
   */
  #judgeReuse({ request, claims: all }: History, outcome: ClaimedOutcome, reuses: number): void {
    if (outcome.is === 'unknown' && this.#world.logFailed) return
    const first = this.#histories.get(reuses)
    const isAnswered = first?.claims.some(({ is }) => is === 'printed') === true && first.step.do !== 'status'
    if (isAnswered && all.length === 1 && outcome.is !== 'nothing')
      this.#fail(request, `it has the key of request ${reuses}, which was answered, and was not refused`)
  }

  /** Throws if the answer claims an open receipt, and the service has opened none since the request was sent. */
  #judgeOpening({ request, step, claims }: History, last: ClaimedOutcome): void {
    const { attribution } = this.#world
    const opens = step.do === 'open' ? 'fiscal' : step.do === 'openSlip' ? 'nonFiscal' : undefined
    if (!attribution || opens === undefined || last.is !== 'printed' || !last.asRequested) return
    if (claims.filter(({ is }) => is === 'printed').length > 1) return
    const since = attribution.acts.slice(this.#actsBefore.get(request))
    if (since.some((act) => act.does === 'begins' && act.opens === opens && act.sender === 'service')) return
    this.#fail(request, 'the answer says that a receipt is open for it, and the service has opened none')
  }

  /**
   * Throws if the service has changed or ended a receipt of another program without a request to act on the open
   * receipt.
   */
  #judgeActs(answered?: UnderWay): void {
    const { attribution } = this.#world
    if (!attribution) return
    const acts = attribution.acts.slice(this.#judgedActs)
    this.#judgedActs += acts.length
    const isAsked = [...this.#underWay, ...(answered ? [answered] : [])].some(({ step }) => actsOnWhatIsOpen(step))
    for (const { does, device, document, sender } of acts) {
      if (sender !== 'service' || does === 'begins' || !isOther(attribution.begunBy(device, document))) continue
      if (isAsked || this.#actedOn.has(keyOf(device, document))) continue
      const what = `${DONE_TO[does]} receipt ${document}, which another program had opened`
      throw answered ? this.#violation(answered.request, `it has ${what}`) : new Violation(`the service has ${what}`)
    }
  }

  #judgeReceipt(history: History, outcome: ClaimedOutcome, reply: Reply): void {
    const { request, sent } = history
    const printed = this.#paper.ownReceiptsOf(request)
    if (printed.length > 1) this.#fail(request, `it was printed ${printed.length} times: ${numbers(printed)}`)
    const [one] = printed
    if (outcome.is === 'nothing' && one && !this.#paper.isOtherPrograms(one)) {
      this.#fail(request, `it is on paper as ${one.number}, and the answer was ${reply.status}: ${reply.message}`)
    }
    if (outcome.is === 'paidNotClosed' && one && outcome.number !== String(one.number))
      this.#fail(request, `it is receipt ${one.number}, the answer says ${outcome.number}`)
    if (outcome.is !== 'printed') return
    if (!one && this.#isEndedByOther(outcome)) return
    if (!one) throw this.#violation(request, `it is not on paper, and the answer was ${reply.status}: ${reply.message}`)
    if (outcome.number !== String(one.number))
      this.#fail(request, `it is receipt ${one.number}, the answer says ${outcome.number}`)
    const { total, cards } = sent
    this.#judgeElements(request, sent, outcome, one)
    if (outcome.asRequested && total !== undefined && one.total !== total) {
      this.#fail(
        request,
        `its total is ${one.total === undefined ? 'missing' : money(one.total)}, ${money(total)} was due`,
      )
    }
    if (outcome.asRequested && cards !== undefined && String(cards) !== String(one.cards))
      this.#fail(request, `paid by card are ${one.cards.map(money)}, requested were ${cards.map(money)}`)
  }

  #judgeElements(
    request: number,
    { marks = 1, barcodes = 0 }: SentRequest,
    outcome: ClaimedOutcome,
    one: Document,
  ): void {
    if (outcome.is !== 'printed' || !outcome.asRequested) return
    const found = one.marks.filter((mark) => mark === request).length
    if (found !== marks)
      this.#fail(
        request,
        `the answer was 200, but its line of text is printed ${countText(found, 'time')} instead of ${marks}`,
      )
    if (one.barcodes !== barcodes)
      this.#fail(request, `it has ${countText(one.barcodes, 'barcode')} instead of ${barcodes}, and the answer was 200`)
    if (one.hasDoubledLine) this.#fail(request, 'the answer was 200, but a line is printed twice')
  }

  /**
   * Returns true if another program ended the receipt before it contained any part of the request. The answer then
   * gives the receipt number and says that the receipt is not as requested.
   */
  #isEndedByOther(outcome: ClaimedOutcome): boolean {
    if (outcome.is !== 'printed' || outcome.asRequested) return false
    const { attribution } = this.#world
    const numberedDocuments = this.#paper.documents().filter(({ number }) => String(number) === outcome.number)
    return numberedDocuments.some(({ device, number }) => attribution?.hasOtherEnded(device, number) === true)
  }

  books(): void {
    for (const [index, device] of this.#world.devices.entries())
      judgeBooks(device, this.#world.journals[index]?.documents() ?? [])
  }

  final(): void {
    for (const history of this.#histories.values()) this.#judgeFinally(history)
    const claimed = this.#claims.final() ?? this.#orders.final() ?? this.#voidedJobs.final()
    if (claimed !== undefined) throw new Violation(claimed)
    this.#judgeActs()
    this.books()
    if (this.#device.receipt) throw new Violation('a receipt is still open at the end')
    if (this.#world.troubles.length > 0) throw new Violation(`an unforeseen error: ${this.#world.troubles[0]}`)
  }

  #judgeFinally(history: History): void {
    const { request, step, claims, powerLosses } = history
    const places = this.#paper.placesOf(request, step)
    if (places === undefined) return
    const count = places.length
    // A step that the device executed twice is never answered 200. If the outcome was left unknown, each power loss may
    // add one execution.
    const isUnknown = claims.some(({ is }) => is === 'unknown') && claims.every(({ is }) => is !== 'printed')
    const most = isUnknown && !isReceipt(step) && step.do !== 'slip' ? 1 + powerLosses : 1
    if (count > most) this.#fail(request, `${step.do} is on paper ${count} times`)
    if (count === 0 && history.mayBeLost) return
    if (
      count === 0 &&
      claims.some((one) => (one.is === 'printed' || one.is === 'paidNotClosed') && !this.#isEndedByOther(one))
    )
      this.#fail(request, `${step.do} was answered 200 and is not on paper`)
    const [one] = this.#paper.ownReceiptsOf(request)
    for (const each of claims) {
      if (each.is === 'paidNotClosed' && each.number !== String(one?.number))
        this.#fail(request, `it is ${one ? `receipt ${one.number}` : 'on no receipt'}, an answer said ${each.number}`)
    }
    if (count > 0 && claims.every(({ is }) => is === 'nothing') && !this.#paper.wasDecidedByOtherProgram(request))
      this.#fail(request, `${step.do} is on paper, and every answer was an error`)
    if (step.do === 'slip')
      for (const each of claims) for (const place of places) this.#judgeElements(request, history.sent, each, place)
    // A receipt on which another program has paid can only be paid and closed, which any client may do.
    const isPaidByOther = ({ device, number }: { device: string; number: number }) =>
      step.do.startsWith('pay') && this.#world.attribution?.hasOtherDecided(device, number) === true
    const foreign = isStep(step) ? places.find((place) => place.marks.length > 0 && !isPaidByOther(place)) : undefined
    if (foreign && claims.some(({ is }) => is === 'printed'))
      this.#fail(request, `${step.do} was answered 200 and is on receipt ${foreign.number} of another request`)
  }

  #violation(request: number, what: string): Violation {
    return new Violation(`request ${request}: ${what}`)
  }

  #fail(request: number, what: string): void {
    throw this.#violation(request, what)
  }
}

const ON_EITHER_DEVICE = /the request reached one of them\. Check the paper of both devices/

const FOUND_OUT_LATER = /determine whether a receipt was opened|If the receipt is still open on that device/

const isStep = ({ do: what }: RequestStep): boolean => PARTS.has(what)
const PARTS: ReadonlySet<RequestStep['do']> = new Set<RequestStep['do']>([
  'sale',
  'discount',
  'payCard',
  'text',
  'slipText',
])

const keyOf = (device: string, document: number): string => `${device} ${document}`

const DONE_TO: Readonly<Record<Act['does'], string>> = {
  begins: 'opened',
  changes: 'sold or paid on',
  ends: 'ended',
}

const actsOnWhatIsOpen = (step: RequestStep): boolean =>
  isStep(step) || ON_WHAT_IS_OPEN.has(step.do) || (step.do === 'lines' && step.calls.includes('cancel'))
const ON_WHAT_IS_OPEN: ReadonlySet<RequestStep['do']> = new Set<RequestStep['do']>([
  'payRest',
  'close',
  'cancel',
  'closeSlip',
  'cancelSlip',
])

const numbers = (documents: readonly Document[]): string => documents.map(({ number }) => number).join(', ')
