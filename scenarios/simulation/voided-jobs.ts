/**
 * Judges legacy jobs whose own lines void their document: the requested document is void, and so is the document of a
 * failed attempt. A complete void document is printed once, and once more for each attempt that was given up before its
 * end.
 */
import type { ClaimedOutcome } from './claimed-outcome.ts'
import type { Reply } from './client.ts'
import type { Document } from './journal.ts'
import { isDecidedByOther, type JudgedWorld, type Paper } from './paper.ts'
import { quantityOf } from './sent-requests.ts'
import type { RequestStep } from './steps.ts'
import { DIED } from './world.ts'

interface Attempts {
  readonly step: RequestStep
  /** Number of fault hits when it was last sent. */
  hits: number
  /** Number of attempts that may have been given up before the lines that void the document. */
  givenUp: number
}

const takesItselfBack = (step: RequestStep): boolean =>
  step.do === 'cancelled slip' || (step.do === 'legacy receipt' && step.cancelled === true)

export class VoidedJobs {
  readonly #world: JudgedWorld
  readonly #paper: Paper
  readonly #all = new Map<number, Attempts>()

  constructor(world: JudgedWorld, paper: Paper) {
    this.#world = world
    this.#paper = paper
  }

  /** Must be called before a request is sent. */
  asks(request: number, step: RequestStep): void {
    if (!takesItselfBack(step)) return
    const { givenUp = 0 } = this.#all.get(request) ?? {}
    this.#all.set(request, { step, hits: this.#hits, givenUp })
  }

  get #hits(): number {
    return this.#world.devices.reduce(
      (sum, { faults }) => sum + faults.list().reduce((hits, one) => hits + one.hits, 0),
      0,
    )
  }

  onReply(request: number, outcome: ClaimedOutcome, { message }: Reply): void {
    const attempts = this.#all.get(request)
    if (!attempts || outcome.is === 'printed') return
    // If the service died without a fault or a failed write of the log in between, and the complete document is on
    // paper, its own lines have voided it; likewise if only the answer to the last command was lost.
    const isUndisturbed = message === DIED && this.#hits === attempts.hits && !this.#world.logFailed
    const isAtItsEnd = AFTER_ITS_END.test(message) && !GIVEN_UP.test(message)
    const isDone = (isUndisturbed || isAtItsEnd) && !this.#isOpen && this.#whole(request, attempts.step).length > 0
    if (outcome.is === 'nothing' || !isDone) attempts.givenUp++
  }

  /** Returns what is wrong at the end, or undefined. */
  final(): string | undefined {
    for (const [request, { step, givenUp }] of this.#all) {
      const closed = this.#paper.receiptsOf(request).filter((one) => !isDecidedByOther(this.#world, one))
      if (closed.length > 0) return `request ${request}: it is closed, not cancelled`
      const whole = this.#whole(request, step).map(({ number }) => number)
      if (whole.length > 1 + givenUp)
        return `request ${request}: its own lines take it back, and it is on paper as ${whole.join(', ')}`
    }
    return undefined
  }

  /** True while a receipt is open: a complete document on paper is then an earlier attempt's. */
  get #isOpen(): boolean {
    return this.#world.devices.at(-1)?.device.receipt != null
  }

  #whole(request: number, step: RequestStep): readonly Document[] {
    const ours = this.#paper
      .documents()
      .filter((one) => one.marks.includes(request) && !isDecidedByOther(this.#world, one))
    return step.do === 'cancelled slip'
      ? ours.filter(({ kind, isVoid }) => kind === 'nonFiscal' && isVoid)
      : ours.filter(({ kind, sold }) => kind === 'cancelled' && sold.includes(quantityOf(request)))
  }
}

/** The document is voided by the service, not by the lines of the job. */
const GIVEN_UP = /will cancel it before it processes any other request/
/** The command that voids the document was sent, and its answer was lost. */
const AFTER_ITS_END = /^Outcome unknown:.* after (?:cancelFiscal|cancelNonFiscal|closeNonFiscal)\b/
