/**
 * Judges documents that bear no mark of their request (reports, copies, receipts that were filled step by step) by
 * their number. At least as many of each kind must be printed as answers claimed, and at most as many as answers
 * claimed or left unknown. A receipt number in an answer must be the number of such a document, and may appear in the
 * answers to one request only.
 */

import type { Emulator } from '../../emulator/emulator.ts'
import type { ClaimedOutcome } from './claimed-outcome.ts'
import type { Reply } from './client.ts'
import { type Document, documentsIn, isClosedReceipt } from './journal.ts'
import { memoryIdOf } from './memory-id.ts'
import { isOrderTotal } from './orders.ts'
import { isDecidedByOther, type JudgedWorld } from './paper.ts'
import type { RequestStep, UnderWay } from './steps.ts'

const KINDS = ['z', 'x', 'copy', 'close', 'cancel', 'cash', 'closeSlip', 'cancelSlip'] as const
type Kind = (typeof KINDS)[number]

function kindsOf(step: RequestStep): readonly Kind[] {
  if (step.do === 'lines') return step.calls
  return KINDS.filter((kind) => kind === step.do)
}

interface Claim {
  readonly kind: Kind
  readonly times: number
  isPrinted: boolean
  isUnknown: boolean
  extraCount: number
  /** Maximum number of documents beyond one that no answer reports. */
  unreportedCount: number
}

export class Claims {
  readonly #world: JudgedWorld
  /**
   * Claims by request number and kind. `isPrinted`: an answer has claimed the document. `isUnknown`: an answer has left
   * its outcome unknown.
   */
  readonly #claims = new Map<string, Claim>()
  readonly #openSlips = new Map<number, { readonly device: string; readonly number: number }>()
  readonly #toClose = new Set<string>()
  /** Z requests by number. `after` and `last`: the last document when the request was sent, and at its first answer. */
  readonly #askedZ = new Map<number, { readonly device: string; readonly after: number; last?: number }>()
  /** Returns the unanswered requests, whose documents may be printed already. */
  readonly #underWay: () => readonly UnderWay[]
  /**
   * Claims of requests whose answer said that the device is still working. Power losses after that answer count too.
   */
  #stillBusy: { readonly claim: Claim; readonly lossesBefore: number }[] = []
  /** Request numbers by the receipt number in the answer to `close`. Each device has its own receipt numbers. */
  readonly #closings = new Map<string, Set<number>>()

  constructor(world: JudgedWorld, underWay: () => readonly UnderWay[]) {
    this.#world = world
    this.#underWay = underWay
  }

  asks(request: number, step: RequestStep): void {
    const emulator = this.#world.devices.at(-1) as Emulator
    const { device } = emulator
    const memory = memoryIdOf(emulator)
    const { kind } = device.receipt ?? {}
    if ((step.do === 'close' && kind === 'fiscal') || (step.do === 'closeSlip' && kind === 'nonFiscal'))
      this.#toClose.add(`${memory} ${device.counters.lastDocument}`)
    if (kindsOf(step).includes('z') && !this.#askedZ.has(request))
      this.#askedZ.set(request, { device: memory, after: device.counters.lastDocument })
    if (step.do !== 'closeSlip' || device.receipt?.kind !== 'nonFiscal' || this.#openSlips.has(request)) return
    this.#openSlips.set(request, { device: memory, number: device.counters.lastDocument })
  }

  /**
   * Returns the contradiction in this answer, or `undefined`. `lossesBefore` is the number of power losses when the
   * request was sent.
   */
  onReply(
    request: number,
    step: RequestStep,
    outcome: ClaimedOutcome,
    reply: Reply,
    lossesBefore: number,
  ): string | undefined {
    this.#workedOn(reply)
    const askedZ = this.#askedZ.get(request)
    if (askedZ) askedZ.last ??= this.#world.devices.at(-1)?.device.counters.lastDocument ?? 0
    const kinds = kindsOf(step)
    for (const kind of new Set(kinds)) {
      const times = kinds.filter((one) => one === kind).length
      const one = this.#claims.get(`${request} ${kind}`) ?? {
        kind,
        times,
        isPrinted: false,
        isUnknown: false,
        extraCount: 0,
        unreportedCount: 0,
      }
      this.#claims.set(`${request} ${kind}`, one)
      if (outcome.is === 'printed') one.isPrinted = true
      // A definite error concerns all attempts, but an outcome that an earlier answer left unknown remains possible. Of
      // several calls, the first ones may have been executed when a later call fails.
      const mayStand = outcome.is === 'unknown' || outcome.is === 'paidNotClosed' || mayHavePrinted(reply)
      if (mayStand || kinds.length > 1) one.isUnknown = true
      one.extraCount = Math.max(one.extraCount, moreThanOne(reply))
      one.unreportedCount = Math.max(one.unreportedCount, this.#unreportedCount(outcome, reply, lossesBefore))
      if (isAtWork(reply)) this.#stillBusy.push({ claim: one, lossesBefore })
      const counted = this.#count(kind)
      if (counted !== undefined) return counted
    }
    if (outcome.is !== 'printed' || outcome.number === undefined) return undefined
    if (step.do !== 'close') return undefined
    return this.#closing(request, outcome.number)
  }

  /**
   * Returns how often a device may have printed the document again after power losses without an answer that reports
   * the copies. That is possible if the service died, or if its answer says that there may be several.
   */
  #unreportedCount(outcome: ClaimedOutcome, reply: Reply, lossesBefore: number): number {
    const mayBeMore = outcome.is === 'unknown' && (reply.status === 0 || MORE_THAN_ONCE.test(reply.message))
    return mayBeMore ? (this.#world.powerLosses ?? 0) - lossesBefore : 0
  }

  /**
   * Records in the claims of `#stillBusy` how often the device has lost its power up to this answer. Requests use the
   * device one after the other, so an answered request follows all of them.
   */
  #workedOn(reply: Reply): void {
    for (const { claim, lossesBefore } of this.#stillBusy)
      claim.unreportedCount = Math.max(claim.unreportedCount, (this.#world.powerLosses ?? 0) - lossesBefore)
    if (reply.status !== 503 && !isAtWork(reply)) this.#stillBusy = []
  }

  final(): string | undefined {
    for (const kind of KINDS) {
      const wrong = this.#count(kind)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }

  #count(kind: Kind): string | undefined {
    // No answer reports that another program closed or cancelled the document of a request, and a device also cancels
    // by itself.
    if (kind === 'cancel' || kind === 'cancelSlip') return undefined
    const claims = [...this.#claims.values()].filter((one) => one.kind === kind)
    const sum = (ones: readonly Claim[]) => ones.reduce((total, { times }) => total + times, 0)
    const certain = sum(claims.filter(({ isPrinted }) => isPrinted))
    const possible = sum(claims.filter(({ isPrinted, isUnknown }) => isPrinted || isUnknown))
    const openCount = this.#underWay().flatMap(({ step }) => kindsOf(step).filter((one) => one === kind)).length
    const count = claims.reduce(
      (total, { extraCount, isPrinted, unreportedCount: unreported }) =>
        total + Math.max(extraCount, isPrinted ? 0 : unreported),
      0,
    )
    const documents = this.#documents(kind)
    const printed = documents.length
    if (printed + this.#countOfKind(kind, claims) < certain)
      return `${certain} answers say that ${kind} was printed, and ${printed} are on paper`
    // An order with a row of another program no longer has its own total, and looks like a receipt that was filled step
    // by step.
    const own = kind === 'close' ? documents.filter((one) => !isDecidedByOther(this.#world, one)) : documents
    if (own.length > possible + count + openCount)
      return `${own.length} of ${kind} are on paper, but the answers allow at most ${possible + openCount}`
    return undefined
  }

  /**
   * Returns the number of 200 answers that documents of others explain. A receipt or slip that was open when its close
   * was sent, and that another program closed, is closed as requested (decisions 3). A person needs no line to print a
   * Z report, so one that was printed by hand during the request is taken for that of the request
   * (test/operations/rule-exceptions.ts).
   */
  #countOfKind(kind: Kind, claims: readonly Claim[]): number {
    const { length } = this.#othersOf(kind)
    return Math.min(length, claims.filter(({ isPrinted }) => isPrinted).length)
  }

  #othersOf(kind: Kind): readonly Document[] {
    if (kind === 'z') return this.#all.filter((one) => one.kind === 'z' && this.#isByHandMeanwhile(one))
    if (kind !== 'close' && kind !== 'closeSlip') return []
    const wasOpen = ({ device, number }: Document) => this.#toClose.has(`${device} ${number}`)
    const isOthers = ({ device, number }: Document) => this.#world.attribution?.hasOtherEnded(device, number) === true
    const filledDocuments = this.#filled(kind)
    return [
      ...filledDocuments.filter((one) => isOthers(one) && wasOpen(one)),
      ...this.#leftOpen(kind, filledDocuments).filter(wasOpen),
    ]
  }

  /**
   * Returns the closed documents of other requests that were left open: another program has paid a part of the receipt,
   * or the answer said that the document may belong to another program.
   */
  #leftOpen(kind: 'close' | 'closeSlip', filledDocuments: readonly Document[]): readonly Document[] {
    const keys = new Set(filledDocuments.map(({ device, number }) => `${device} ${number}`))
    const isClosed =
      kind === 'close' ? isClosedReceipt : ({ kind: is, isVoid }: Document) => is === 'nonFiscal' && !isVoid
    return this.#all.filter((one) => isClosed(one) && !keys.has(`${one.device} ${one.number}`))
  }

  #isByHandMeanwhile({ device, number }: Document): boolean {
    const isMeanwhile = [...this.#askedZ.values()].some(
      (asked) => asked.device === device && asked.after < number && number <= (asked.last ?? number),
    )
    return isMeanwhile && this.#world.attribution?.begunBy(device, number) === 'hand'
  }

  get #all(): readonly Document[] {
    return documentsIn(this.#world.journals)
  }

  #filled(kind: 'close' | 'closeSlip'): readonly Document[] {
    const all = this.#all.filter(({ marks }) => marks.length === 0)
    return kind === 'close'
      ? all.filter((one) => isClosedReceipt(one) && !isOrderTotal(one.total))
      : all.filter((one) => one.kind === 'nonFiscal' && (!one.isVoid || this.#wasClosed(one)))
  }

  #closing(request: number, number: string): string | undefined {
    const all = [...this.#documents('close'), ...this.#othersOf('close')]
    const { length } = all.filter((one) => String(one.number) === number)
    if (length === 0) return `its answer says receipt ${number}, which was not filled step by step`
    const requests = this.#closings.get(number) ?? new Set()
    this.#closings.set(number, requests.add(request))
    return requests.size > length
      ? `its answer says receipt ${number}, as those of requests ${[...requests].join(', ')} do`
      : undefined
  }

  #documents(kind: Kind): readonly Document[] {
    const all = this.#all
    const ours = all.filter(({ device, number }) => !this.#world.attribution?.isOthers(device, number))
    switch (kind) {
      case 'close':
      case 'closeSlip':
        return this.#filled(kind).filter((one) => !this.#world.attribution?.hasOtherEnded(one.device, one.number))
      case 'cancel':
        return all.filter((one) => one.kind === 'cancelled')
      case 'cancelSlip':
        return all.filter((one) => one.kind === 'nonFiscal' && one.isVoid && !this.#wasClosed(one))
      case 'cash':
        return ours.filter((one) => one.kind === 'service')
      case 'z':
      case 'x':
      case 'copy':
        return ours.filter((one) => one.kind === kind)
    }
  }

  /**
   * An interrupted cancel may print the void line and leave the slip open. A later 200 to its close is then correct.
   */
  #wasClosed({ device, number }: Document): boolean {
    return [...this.#openSlips].some(
      ([request, slip]) =>
        slip.device === device &&
        slip.number === number &&
        this.#claims.get(`${request} closeSlip`)?.isPrinted === true,
    )
  }
}

const isAtWork = ({ message }: Reply): boolean => /the service waits no longer/.test(message)

const MORE_THAN_ONCE = /executed (?:it|the command) more than once/

function moreThanOne({ message }: Reply): number {
  const [, first, last] = /documents (\d+) to (\d+) were printed instead of one/.exec(message) ?? []
  return last === undefined ? 0 : Number(last) - Number(first)
}

/** A command that was executed twice may have printed its document, although the answer is an error. */
const mayHavePrinted = ({ message }: Reply): boolean => /(?<!may have )executed a command twice/.test(message)
