/**
 * Documents that carry no mark of their request (reports, copies, receipts that were filled step by step) are judged by
 * their number: of each kind there are at least as many as answers said for certain, and at most as many as were said
 * or left unknown. A number that an answer names must be that of such a document, and of no earlier answer's.
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

/** What a request prints when all of it is done. */
function kindsOf(step: RequestStep): readonly Kind[] {
  if (step.do === 'lines') return step.calls
  return KINDS.filter((kind) => kind === step.do)
}

interface Claim {
  readonly kind: Kind
  readonly times: number
  isPrinted: boolean
  isUnknown: boolean
  /** Documents beside the one that was asked for, as an answer has told them. */
  more: number
  /** The same, where nobody knows how many: an answer that comes later tells all. */
  unreportedCount: number
}

export class Claims {
  readonly #world: JudgedWorld
  /** By request and kind: has an answer said that it is printed, or is the last word on it that nobody knows? */
  readonly #claims = new Map<string, Claim>()
  /** The slip that stood open when a request to close it was sent first. */
  readonly #openSlips = new Map<number, { readonly device: string; readonly number: number }>()
  /** Receipts that stood open when a request to close was sent. */
  readonly #toClose = new Set<string>()
  /** Requests that are under way: what they ask for may stand on paper before they are answered. */
  readonly #underWay: () => readonly UnderWay[]
  /** The device was still working on them when their callers were told so, and counts on. */
  #stillBusy: { readonly claim: Claim; readonly lossesBefore: number }[] = []
  /** Requests to close that were told a receipt, by its number; each device counts for itself. */
  readonly #closings = new Map<string, Set<number>>()

  constructor(world: JudgedWorld, underWay: () => readonly UnderWay[]) {
    this.#world = world
    this.#underWay = underWay
  }

  /** A request is about to be sent. */
  asks(request: number, step: RequestStep): void {
    const emulator = this.#world.devices.at(-1) as Emulator
    const { device } = emulator
    const memory = memoryIdOf(emulator)
    const { kind } = device.receipt ?? {}
    if ((step.do === 'close' && kind === 'fiscal') || (step.do === 'closeSlip' && kind === 'nonFiscal'))
      this.#toClose.add(`${memory} ${device.counters.lastDocument}`)
    if (step.do !== 'closeSlip' || device.receipt?.kind !== 'nonFiscal' || this.#openSlips.has(request)) return
    this.#openSlips.set(request, { device: memory, number: device.counters.lastDocument })
  }

  /** What is wrong about this answer; undefined: nothing. `lossesBefore`: of power, when it was sent. */
  onReply(
    request: number,
    step: RequestStep,
    said: ClaimedOutcome,
    reply: Reply,
    lossesBefore: number,
  ): string | undefined {
    this.#workedOn(reply)
    const kinds = kindsOf(step)
    for (const kind of new Set(kinds)) {
      const times = kinds.filter((one) => one === kind).length
      const one = this.#claims.get(`${request} ${kind}`) ?? {
        kind,
        times,
        isPrinted: false,
        isUnknown: false,
        more: 0,
        unreportedCount: 0,
      }
      this.#claims.set(`${request} ${kind}`, one)
      if (said.is === 'printed') one.isPrinted = true
      // A request that failed for certain at last did not print at first either; what was unknown stays possible. Of
      // several calls the first ones may be done when a later one fails.
      const mayStand = said.is === 'unknown' || said.is === 'paidNotClosed' || mayHavePrinted(reply)
      if (mayStand || kinds.length > 1) one.isUnknown = true
      one.more = Math.max(one.more, moreThanOne(reply))
      one.unreportedCount = Math.max(one.unreportedCount, this.#untold(said, reply, lossesBefore))
      if (isAtWork(reply)) this.#stillBusy.push({ claim: one, lossesBefore })
      const counted = this.#count(kind)
      if (counted !== undefined) return counted
    }
    if (said.is !== 'printed' || said.number === undefined) return undefined
    if (step.do !== 'close') return undefined
    return this.#closing(request, said.number)
  }

  /**
   * The device lost its power, was asked again and did it again; whoever would have told so has died, has been told of
   * two documents and does not know of more, or hears nothing and says that there may be more.
   */
  #untold(said: ClaimedOutcome, reply: Reply, lossesBefore: number): number {
    const mayBeMore = said.is === 'unknown' && (reply.status === 0 || MORE_THAN_ONCE.test(reply.message))
    return mayBeMore ? (this.#world.powerLosses ?? 0) - lossesBefore : 0
  }

  /** Each request has the device for itself: one that is answered by it comes behind those that it was working on. */
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
    // What another program ended or cancelled of ours is not told to anybody; a device cancels by itself too.
    if (kind === 'cancel' || kind === 'cancelSlip') return undefined
    const claims = [...this.#claims.values()].filter((one) => one.kind === kind)
    const sum = (ones: readonly Claim[]) => ones.reduce((total, { times }) => total + times, 0)
    const certain = sum(claims.filter(({ isPrinted }) => isPrinted))
    const possible = sum(claims.filter(({ isPrinted, isUnknown }) => isPrinted || isUnknown))
    const asked = this.#underWay().flatMap(({ step }) => kindsOf(step).filter((one) => one === kind)).length
    const count = claims.reduce(
      (total, { more, isPrinted, unreportedCount: untold }) => total + Math.max(more, isPrinted ? 0 : untold),
      0,
    )
    const documents = this.#documents(kind)
    const printed = documents.length
    if (printed + this.#alike(kind, claims) < certain)
      return `${certain} answers say that ${kind} was printed, and ${printed} are on paper`
    // With a row of another program on it, an order has not its own sum any more, and looks like one of these.
    const own = kind === 'close' ? documents.filter((one) => !isDecidedByOther(this.#world, one)) : documents
    if (own.length > possible + count + asked)
      return `${own.length} of ${kind} are on paper, and at most ${possible + asked} answers allow that`
    return undefined
  }

  /**
   * A receipt that stood open when its close was sent, and that another program has closed since, is closed as the caller
   * asked: its number is told (decisions 3). So is a slip.
   */
  #alike(kind: Kind, claims: readonly Claim[]): number {
    const { length } = this.#othersOf(kind)
    return Math.min(length, claims.filter(({ isPrinted }) => isPrinted).length)
  }

  #othersOf(kind: Kind): readonly Document[] {
    const isOthers = ({ device, number }: Document) =>
      this.#world.attribution?.hasOtherEnded(device, number) && this.#toClose.has(`${device} ${number}`)
    switch (kind) {
      case 'close':
        return [...this.#filled(kind).filter(isOthers), ...this.#ofOtherRequests]
      case 'closeSlip':
        return this.#filled(kind).filter(isOthers)
      default:
        return []
    }
  }

  /**
   * Receipts that another request had opened and could not close, and that were open when a close was sent: another
   * program has paid a part of them, so that they could not be cancelled.
   */
  get #ofOtherRequests(): readonly Document[] {
    const isOfStep = new Set(this.#filled('close').map(({ device, number }) => `${device} ${number}`))
    return this.#all.filter((one) => {
      const key = `${one.device} ${one.number}`
      return isClosedReceipt(one) && !isOfStep.has(key) && this.#toClose.has(key)
    })
  }

  get #all(): readonly Document[] {
    return documentsIn(this.#world.journals)
  }

  /** Closed documents that were filled step by step, whoever has closed them. */
  #filled(kind: 'close' | 'closeSlip'): readonly Document[] {
    const all = this.#all.filter(({ marks }) => marks.length === 0)
    return kind === 'close'
      ? all.filter((one) => isClosedReceipt(one) && !isOrderTotal(one.total))
      : all.filter((one) => one.kind === 'nonFiscal' && (!one.isVoid || this.#wasClosed(one)))
  }

  #closing(request: number, number: string): string | undefined {
    const all = [...this.#documents('close'), ...this.#othersOf('close')]
    const { length } = all.filter((one) => String(one.number) === number)
    if (length === 0) return `it was told receipt ${number}, which is no receipt that was filled step by step`
    const requests = this.#closings.get(number) ?? new Set()
    this.#closings.set(number, requests.add(request))
    return requests.size > length
      ? `it was told receipt ${number}, as requests ${[...requests].join(', ')} were`
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
   * A cancel that was cut off behind its line leaves a slip open that says of itself that it is void: the caller who was
   * told that he has closed it, has.
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

/** `Two documents were printed instead of one` is an error that says so. */
const mayHavePrinted = ({ message }: Reply): boolean => /(?<!may have )executed a command twice/.test(message)
