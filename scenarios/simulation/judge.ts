/**
 * The invariants of decisions 3, judged by what stands in the device's journal: a 200 is exactly one receipt with its
 * total; an error is none, unless it says so (`Completed as receipt N:`, which may be one whose end is not printed yet) or
 * says that nobody knows (`Outcome unknown:`); never two. Documents are numbered without a gap, and every Z holds the receipts before it.
 */
import { brokenLine } from '../../emulator/fiscal/journal.ts'
import { money } from '../oracle/totals.ts'
import type { NumberedRequest, Reply } from './client.ts'
import type { Document } from './journal.ts'
import { cardOf, quantityOf } from './steps.ts'
import { Violation } from './violation.ts'
import { DIED, type World } from './world.ts'

/** What an answer says about paper. */
type Said =
  | { readonly is: 'printed'; readonly number?: string }
  /** Paid, and the device could not print its end: it must be there in the end, under this number. */
  | { readonly is: 'owed'; readonly number: string }
  | { readonly is: 'nothing' }
  /** Nobody knows, or nobody lived to tell. */
  | { readonly is: 'unknown' }

const COMPLETED = /^Completed as receipt (\d+):/
const OWED = /only its end is not printed yet/

function saidBy(reply: Reply): Said {
  if (reply.message === DIED || reply.message.startsWith('Outcome unknown:')) return { is: 'unknown' }
  const completed = COMPLETED.exec(reply.message)?.[1]
  if (completed !== undefined) return { is: OWED.test(reply.message) ? 'owed' : 'printed', number: completed }
  if (reply.status === 200) return { is: 'printed', ...(typeof reply.data === 'string' && { number: reply.data }) }
  return { is: 'nothing' }
}

/** A request with all that was said about it. */
interface History extends Pick<NumberedRequest, 'request' | 'step'> {
  readonly total: bigint | undefined
  readonly said: Said[]
}

/** Kinds of document on which single sales and payments stand; a copy shows them once more. */
const RECEIPTS = ['fiscal', 'invoice', 'cancelled']

/** No request waits longer (decisions 3); what stands behind the limit is the way of the answer. */
const LONGEST_MS = 121_000

/** What a judge looks into. */
export type Judged = Pick<World, 'emulator' | 'journal' | 'troubles'>

export class Judge {
  readonly #world: Judged
  readonly #histories = new Map<number, History>()
  /** A receipt may stand open because somebody opened it step by step. */
  mayBeOpen = false

  constructor(world: Judged) {
    this.#world = world
  }

  /** An answer has come: is it true now? */
  heard({ request, step }: NumberedRequest, total: bigint | undefined, reply: Reply): void {
    const history = this.#histories.get(request) ?? { request, step, total, said: [] }
    this.#histories.set(request, history)
    const said = saidBy(reply)
    history.said.push(said)
    if (reply.tookMs > LONGEST_MS) this.#fail(request, `it took ${reply.tookMs} ms`)
    if (reply.status === 500)
      this.#fail(request, `the service answered 500: ${this.#world.troubles.at(-1) ?? reply.message}`)
    if (step.do === 'open' && said.is !== 'nothing') this.mayBeOpen = true
    if (step.do === 'receipt') this.#judgeReceipt(history, said, reply)
  }

  #judgeReceipt(history: History, said: Said, reply: Reply): void {
    const { request, total } = history
    const printed = this.#receiptsOf(request)
    if (printed.length > 1) this.#fail(request, `it was printed ${printed.length} times: ${numbers(printed)}`)
    const [one] = printed
    if (said.is === 'nothing' && one) {
      this.#fail(request, `it is on paper as ${one.number}, and the answer was ${reply.status}: ${reply.message}`)
    }
    if (said.is === 'owed' && one && said.number !== String(one.number))
      this.#fail(request, `it is receipt ${one.number}, the answer says ${said.number}`)
    if (said.is !== 'printed') return
    if (!one) throw this.#violation(request, `it is not on paper, and the answer was ${reply.status}: ${reply.message}`)
    if (said.number !== String(one.number))
      this.#fail(request, `it is receipt ${one.number}, the answer says ${said.number}`)
    if (total !== undefined && one.total !== total) {
      this.#fail(
        request,
        `its total is ${one.total === undefined ? 'missing' : money(one.total)}, ${money(total)} was due`,
      )
    }
  }

  /** When everything has ended and nothing is open. */
  final(): void {
    const documents = this.#world.journal.documents()
    for (const history of this.#histories.values()) this.#judgeFinally(history, documents)
    this.#judgeNumbers(documents)
    this.#judgeZs(documents)
    if (this.#world.troubles.length > 0) throw new Violation(`an unforeseen error: ${this.#world.troubles[0]}`)
  }

  #judgeFinally(history: History, documents: readonly Document[]): void {
    const { request, step } = history
    const times = this.#timesOnPaper(history, documents)
    if (times === undefined) return
    if (times > 1) this.#fail(request, `${step.do} is on paper ${times} times`)
    if (times === 0 && history.said.some(({ is }) => is === 'printed' || is === 'owed'))
      this.#fail(request, `${step.do} was answered 200 and is not on paper`)
    const [one] = this.#receiptsOf(request)
    for (const said of history.said) {
      if (said.is === 'owed' && said.number !== String(one?.number))
        this.#fail(request, `it is receipt ${one?.number}, an answer said ${said.number}`)
    }
    if (times === 1 && history.said.every(({ is }) => is === 'nothing'))
      this.#fail(request, `${step.do} is on paper, and every answer was an error`)
  }

  /** Undefined for what leaves no mark of its own. */
  #timesOnPaper({ request, step }: History, documents: readonly Document[]): number | undefined {
    const receipts = documents.filter(({ kind }) => RECEIPTS.includes(kind))
    const slips = documents.filter(({ kind, isVoid }) => kind === 'nonFiscal' && !isVoid)
    switch (step.do) {
      case 'receipt':
        return this.#receiptsOf(request).length
      case 'slip':
        return slips.filter(({ marks }) => marks.includes(request)).length
      case 'sale':
        return receipts.flatMap(({ quantities }) => quantities).filter((one) => one === quantityOf(request)).length
      case 'payCard':
        return receipts.flatMap(({ cards }) => cards).filter((one) => one === cardOf(request)).length
      case 'open':
      case 'payRest':
      case 'close':
      case 'cancel':
      case 'z':
      case 'x':
      case 'copy':
      case 'status':
        return undefined
    }
  }

  #judgeNumbers(documents: readonly Document[]): void {
    documents.forEach(({ number }, index) => {
      if (number !== index + 1) throw new Violation(`document ${index + 1} of the journal has the number ${number}`)
    })
    const { journal } = this.#world.emulator.device
    const broken = brokenLine(journal.read())
    if (broken !== undefined) throw new Violation(`the chain of the journal is broken at line ${broken}`)
  }

  #judgeZs(documents: readonly Document[]): void {
    const { memory, receipt } = this.#world.emulator.device
    if (receipt) throw new Violation('a receipt is still open at the end')
    const zs = memory.zs(1, 99_999)
    zs.forEach((z, index) => {
      const mine = documents.filter((one) => one.z === z.number && (one.kind === 'fiscal' || one.kind === 'invoice'))
      const sum = mine.reduce((total, one) => total + (one.total ?? 0n), 0n)
      const paid = Object.values(z.payments).reduce((total, one) => total + BigInt(one), 0n)
      if (z.number !== index + 1) throw new Violation(`Z ${index + 1} of the memory has the number ${z.number}`)
      if (BigInt(z.total) !== sum)
        throw new Violation(`Z ${z.number} holds ${money(BigInt(z.total))}, its receipts ${money(sum)}`)
      if (paid !== sum) throw new Violation(`Z ${z.number} was paid ${money(paid)}, its receipts are ${money(sum)}`)
    })
  }

  /** The request's receipts in the journal; those of an open one do not stand there yet. */
  #receiptsOf(request: number): readonly Document[] {
    return this.#world.journal.receipts().filter(({ marks }) => marks.includes(request))
  }

  #violation(request: number, what: string): Violation {
    return new Violation(`request ${request}: ${what}`)
  }

  #fail(request: number, what: string): void {
    throw this.#violation(request, what)
  }
}

const numbers = (documents: readonly Document[]): string => documents.map(({ number }) => number).join(', ')
