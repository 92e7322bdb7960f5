/**
 * The invariants of decisions 3, judged by what stands in the device's journal: a 200 is exactly one receipt with its
 * total and its payments; an error is none, unless it says so (`Completed as receipt N:`, which may be one whose end is
 * not printed yet) or says that nobody knows (`Outcome unknown:`); never two. What another program printed is nobody's
 * answer, and what it left open is left alone. Documents are numbered without a gap, and every Z holds its receipts.
 */
import type { Emulator } from '../../emulator/emulator.ts'
import { brokenLine } from '../../emulator/fiscal/journal.ts'
import { money } from '../oracle/totals.ts'
import { Claims } from './claims.ts'
import type { MayBeOpen, NumberedRequest, Reply } from './client.ts'
import type { Document, JournalReader } from './journal.ts'
import { OrderClaims } from './order-claims.ts'
import { cardOf, discountOf, quantityOf, type Sent } from './sent.ts'
import { falseWords } from './sentences.ts'
import type { RequestStep } from './steps.ts'
import type { Stranger } from './stranger.ts'
import { Violation } from './violation.ts'
import { DIED } from './world.ts'

/** What an answer says about paper. */
export type Said =
  | { readonly is: 'printed'; readonly number?: string; readonly asAsked: boolean }
  /** Paid, and the device could not print its end: it must be there in the end, under this number. */
  | { readonly is: 'owed'; readonly number: string }
  | { readonly is: 'nothing' }
  /** Nobody knows, or nobody lived to tell. */
  | { readonly is: 'unknown' }

const COMPLETED = /^Completed as receipt (\d+):/
const OWED = /only its end is not printed yet/

function saidBy(reply: Reply): Said {
  if (reply.message === DIED || reply.message.startsWith('Outcome unknown:')) return { is: 'unknown' }
  const number = COMPLETED.exec(reply.message)?.[1]
  if (number !== undefined && OWED.test(reply.message)) return { is: 'owed', number }
  if (number !== undefined) return { is: 'printed', number, asAsked: false }
  if (reply.status !== 200) return { is: 'nothing' }
  return { is: 'printed', asAsked: true, ...(typeof reply.data === 'string' && { number: reply.data }) }
}

/** A request with all that was said about it. */
interface History extends Pick<NumberedRequest, 'request' | 'step'> {
  readonly sent: Sent
  readonly said: Said[]
  /** What it has done may stand on a receipt of a device that was taken away with it. */
  mayBeLost: boolean
}

/** Kinds of document on which single sales and payments stand; a copy shows them once more. */
const RECEIPTS = ['fiscal', 'invoice', 'cancelled']

/** No request waits longer (decisions 3); what stands behind the limit is the way of the answer. */
const LONGEST_MS = 121_000

/** What a judge looks into: every device that has stood at the port, the present one last. */
export interface Judged {
  readonly devices: readonly Emulator[]
  readonly journals: readonly JournalReader[]
  readonly troubles: readonly string[]
  readonly stranger?: Stranger
  /** So often the service was started. */
  readonly lives?: number
}

export class Judge {
  readonly #world: Judged
  readonly #histories = new Map<number, History>()
  readonly #claims: Claims
  readonly #orders: OrderClaims
  /** By the serial number of the device. */
  readonly #mayBeOpen = new Map<string, MayBeOpen>()
  /** Number of the stranger's receipt that was open before the present request. */
  #left: number | undefined

  constructor(world: Judged) {
    this.#world = world
    this.#claims = new Claims(world)
    this.#orders = new OrderClaims(world)
  }

  /** A request is about to be sent. */
  asks(step: RequestStep): void {
    this.#left = this.#world.stranger?.left
    if (actsOnWhatIsOpen(step)) this.#left = undefined
  }

  /** What was open on the device before it was exchanged is nobody's any more, and comes on no paper. */
  exchanged(): void {
    if (this.#device.receipt) for (const history of this.#histories.values()) history.mayBeLost = true
  }

  /** An answer has come: is it true now? */
  heard({ request, step, key, reuses }: NumberedRequest, sent: Sent, reply: Reply): void {
    const history = this.#histories.get(request) ?? { request, step, sent, said: [], mayBeLost: false }
    this.#histories.set(request, history)
    const said = saidBy(reply)
    history.said.push(said)
    if (reply.tookMs > LONGEST_MS) this.#fail(request, `it took ${reply.tookMs} ms`)
    if (reply.status === 500)
      this.#fail(request, `the service answered 500: ${this.#world.troubles.at(-1) ?? reply.message}`)
    const untrue = falseWords(reply.message, {
      hasKey: key !== undefined,
      device: this.#device,
      mayBeOthers: this.#mayBeOthers,
    })
    if (untrue !== undefined) this.#fail(request, `${untrue}: ${reply.message}`)
    if (step.do === 'open' && said.is !== 'nothing') this.mayBeOpen.fiscal = true
    if (step.do === 'openSlip' && said.is !== 'nothing') this.mayBeOpen.slip = true
    if (reuses !== undefined) this.#judgeReuse(history, said, reuses)
    if (isReceipt(step)) this.#judgeReceipt(history, said, reply)
    if (step.do === 'order') {
      const wrong = this.#orders.heard(request, step, said, reply)
      if (wrong !== undefined) this.#fail(request, wrong)
    }
    const claimed = this.#claims.heard(request, step, said, reply)
    if (claimed !== undefined) this.#fail(request, claimed)
    this.#judgeStranger(request, step, reply)
  }

  get #mayBeOthers(): boolean {
    const { stranger, lives = 1 } = this.#world
    const { serialNumber } = (this.#world.devices.at(-1) as Emulator).profile
    return lives > 1 || !stranger || stranger.owns(serialNumber, this.#device.counters.lastDocument)
  }

  /** On the device that stands at the port. */
  get mayBeOpen(): MayBeOpen {
    const { serialNumber } = (this.#world.devices.at(-1) as Emulator).profile
    const known = this.#mayBeOpen.get(serialNumber) ?? { fiscal: false, slip: false }
    this.#mayBeOpen.set(serialNumber, known)
    return known
  }

  get #device(): Emulator['device'] {
    return (this.#world.devices.at(-1) as Emulator).device
  }

  /** Of two requests with one key within 24 hours, the second is refused once the first has its answer. */
  #judgeReuse({ request, said: all }: History, said: Said, reuses: number): void {
    const first = this.#histories.get(reuses)
    const isAnswered = first?.said.some(({ is }) => is === 'printed') === true && first.step.do !== 'status'
    if (isAnswered && all.length === 1 && said.is !== 'nothing')
      this.#fail(request, `it has the key of request ${reuses}, which was answered, and was not refused`)
  }

  #judgeStranger(request: number, step: RequestStep, reply: Reply): void {
    const { stranger } = this.#world
    const isEnded = this.#device.receipt === null && stranger?.left !== undefined
    if (this.#left !== undefined && isEnded && !this.#couldBeOurs(this.#left))
      this.#fail(request, `it has ended receipt ${this.#left}, which another program had left open`)
    if (isEnded && actsOnWhatIsOpen(step) && reply.status !== 0) stranger?.forget()
  }

  /**
   * After an opening whose answer was lost, an empty receipt with the next number is what that opening would have left:
   * nothing on any wire tells it from another program's, and nothing is lost with it.
   */
  #couldBeOurs(number: number): boolean {
    const one = this.#world.journals
      .at(-1)
      ?.documents()
      .find((document) => document.number === number)
    const isEmpty = one !== undefined && one.quantities.length === 0 && !one.total
    return isEmpty && [...this.#histories.values()].some(({ said }) => said.some(({ is }) => is !== 'printed'))
  }

  #judgeReceipt(history: History, said: Said, reply: Reply): void {
    const { request, sent } = history
    const printed = this.#ownReceiptsOf(request)
    if (printed.length > 1) this.#fail(request, `it was printed ${printed.length} times: ${numbers(printed)}`)
    const [one] = printed
    if (said.is === 'nothing' && one && !this.#isStrangers(one)) {
      this.#fail(request, `it is on paper as ${one.number}, and the answer was ${reply.status}: ${reply.message}`)
    }
    if (said.is === 'owed' && one && said.number !== String(one.number))
      this.#fail(request, `it is receipt ${one.number}, the answer says ${said.number}`)
    if (said.is !== 'printed') return
    if (!one) throw this.#violation(request, `it is not on paper, and the answer was ${reply.status}: ${reply.message}`)
    if (said.number !== String(one.number))
      this.#fail(request, `it is receipt ${one.number}, the answer says ${said.number}`)
    const { total, cards } = sent
    if (said.asAsked && total !== undefined && one.total !== total) {
      this.#fail(
        request,
        `its total is ${one.total === undefined ? 'missing' : money(one.total)}, ${money(total)} was due`,
      )
    }
    if (said.asAsked && cards !== undefined && String(cards) !== String(one.cards))
      this.#fail(request, `paid by card are ${one.cards.map(money)}, asked for were ${cards.map(money)}`)
  }

  /** When everything has ended and nothing is open. */
  final(): void {
    const documents = this.#world.journals.flatMap((journal) => journal.documents())
    for (const history of this.#histories.values()) this.#judgeFinally(history, documents)
    const claimed = this.#claims.final() ?? this.#orders.final()
    if (claimed !== undefined) throw new Violation(claimed)
    for (const [index, device] of this.#world.devices.entries())
      judgeBooks(device, this.#world.journals[index]?.documents() ?? [])
    if (this.#device.receipt) throw new Violation('a receipt is still open at the end')
    if (this.#world.troubles.length > 0) throw new Violation(`an unforeseen error: ${this.#world.troubles[0]}`)
  }

  #judgeFinally(history: History, documents: readonly Document[]): void {
    const { request, step, said } = history
    const found = this.#timesOnPaper(history, documents)
    if (found === undefined) return
    // A step that is done twice is never answered 200; that nobody knows may be said of it.
    const isUnknown = said.some(({ is }) => is === 'unknown') && said.every(({ is }) => is !== 'printed')
    const most = isUnknown && !isReceipt(step) && step.do !== 'slip' ? 2 : 1
    if (found > most) this.#fail(request, `${step.do} is on paper ${found} times`)
    if (found === 0 && history.mayBeLost) return
    if (found === 0 && said.some(({ is }) => is === 'printed' || is === 'owed'))
      this.#fail(request, `${step.do} was answered 200 and is not on paper`)
    const [one] = this.#ownReceiptsOf(request)
    for (const each of said) {
      if (each.is === 'owed' && each.number !== String(one?.number))
        this.#fail(request, `it is receipt ${one?.number}, an answer said ${each.number}`)
    }
    if (found > 0 && said.every(({ is }) => is === 'nothing') && !this.#wasEndedByStranger(request, documents))
      this.#fail(request, `${step.do} is on paper, and every answer was an error`)
  }

  /** Undefined for what leaves no mark of its own. */
  #timesOnPaper({ request, step }: History, documents: readonly Document[]): number | undefined {
    const receipts = documents.filter(({ kind }) => RECEIPTS.includes(kind))
    const slips = documents.filter(({ kind, isVoid }) => kind === 'nonFiscal' && !isVoid)
    switch (step.do) {
      case 'legacy receipt':
        if (!step.cancelled) return this.#ownReceiptsOf(request).length
        if (this.#receiptsOf(request).some((one) => !this.#isStrangers(one)))
          this.#fail(request, 'it is closed, not cancelled')
        return undefined
      case 'receipt':
        return this.#ownReceiptsOf(request).length
      case 'text':
        return receipts.flatMap(({ texts }) => texts).filter((one) => one === request).length
      case 'slipText':
        return documents
          .filter(({ kind }) => kind === 'nonFiscal')
          .flatMap(({ texts }) => texts)
          .filter((one) => one === request).length
      case 'slip':
        return slips.filter(({ marks }) => marks.includes(request)).length
      case 'sale':
        return receipts.flatMap(({ quantities }) => quantities).filter((one) => one === quantityOf(request)).length
      case 'discount':
        return receipts.flatMap(({ discounts }) => discounts).filter((one) => one === discountOf(request)).length
      case 'payCard':
        return receipts.flatMap(({ cards }) => cards).filter((one) => one === cardOf(request)).length
      case 'open':
      case 'payRest':
      case 'openSlip':
      case 'closeSlip':
      case 'cancelSlip':
      case 'close':
      case 'cancel':
      case 'order':
      case 'lines':
      case 'z':
      case 'x':
      case 'copy':
      case 'status':
        return undefined
    }
  }

  /** The request's receipts in the journals; those of an open one do not stand there yet. */
  #receiptsOf(request: number): readonly Document[] {
    return this.#world.journals.flatMap((journal) => journal.receipts().filter(({ marks }) => marks.includes(request)))
  }

  /** Where the service has printed one, what another program has ended of an earlier attempt is not its doing. */
  #ownReceiptsOf(request: number): readonly Document[] {
    const all = this.#receiptsOf(request)
    const own = all.filter((one) => !this.#isStrangers(one))
    return own.length > 0 ? own : all
  }

  #wasEndedByStranger(request: number, documents: readonly Document[]): boolean {
    return documents.some((one) => one.marks.includes(request) && this.#isStrangers(one))
  }

  #isStrangers({ device, number }: Document): boolean {
    return this.#world.stranger?.owns(device, number) ?? false
  }

  #violation(request: number, what: string): Violation {
    return new Violation(`request ${request}: ${what}`)
  }

  #fail(request: number, what: string): void {
    throw this.#violation(request, what)
  }
}

/** What a caller does step by step is done to whatever receipt is open. */
const actsOnWhatIsOpen = (step: RequestStep): boolean =>
  ENDINGS.has(step.do) || (step.do === 'lines' && step.calls.includes('cancel'))
const ENDINGS: ReadonlySet<RequestStep['do']> = new Set<RequestStep['do']>([
  'close',
  'cancel',
  'closeSlip',
  'cancelSlip',
])

/** Of which a receipt results. */
const isReceipt = (step: RequestStep): boolean =>
  step.do === 'receipt' || (step.do === 'legacy receipt' && !step.cancelled)

function judgeBooks({ device }: Emulator, documents: readonly Document[]): void {
  documents.forEach(({ number }, index) => {
    if (number !== index + 1) throw new Violation(`document ${index + 1} of the journal has the number ${number}`)
  })
  const { journal, memory } = device
  const broken = brokenLine(journal.read())
  if (broken !== undefined) throw new Violation(`the chain of the journal is broken at line ${broken}`)
  memory.zs(1, 99_999).forEach((z, index) => {
    const mine = documents.filter((one) => one.z === z.number && (one.kind === 'fiscal' || one.kind === 'invoice'))
    const sum = mine.reduce((total, one) => total + (one.total ?? 0n), 0n)
    const paid = Object.values(z.payments).reduce((total, one) => total + BigInt(one), 0n)
    if (z.number !== index + 1) throw new Violation(`Z ${index + 1} of the memory has the number ${z.number}`)
    if (BigInt(z.total) !== sum)
      throw new Violation(`Z ${z.number} holds ${money(BigInt(z.total))}, its receipts ${money(sum)}`)
    if (paid !== sum) throw new Violation(`Z ${z.number} was paid ${money(paid)}, its receipts are ${money(sum)}`)
  })
}

const numbers = (documents: readonly Document[]): string => documents.map(({ number }) => number).join(', ')
