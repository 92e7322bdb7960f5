/**
 * Judges legacy jobs whose own lines void their document. A failed attempt is also void, so a complete void document is
 * printed once, and once more for each attempt that the service gave up before the voiding line.
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
  hits: number
  givenUp: number
}

const voidsItself = (step: RequestStep): boolean =>
  step.do === 'cancelled slip' || (step.do === 'legacy receipt' && step.cancelled === true)

export class VoidedJobs {
  readonly #world: JudgedWorld
  readonly #paper: Paper
  readonly #all = new Map<number, Attempts>()

  constructor(world: JudgedWorld, paper: Paper) {
    this.#world = world
    this.#paper = paper
  }

  asks(request: number, step: RequestStep): void {
    if (!voidsItself(step)) return
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
    // The lines themselves have voided the document if a complete one is on paper and one of two conditions holds.
    // Either the service died without a fault or a failed log write in between, or only the answer to the last command
    // was lost.
    const isUndisturbed = message === DIED && this.#hits === attempts.hits && !this.#world.logFailed
    const isAtItsEnd = AFTER_ITS_END.test(message) && !GIVEN_UP.test(message)
    const isDone = (isUndisturbed || isAtItsEnd) && !this.#isOpen && this.#whole(request, attempts.step).length > 0
    if (outcome.is === 'nothing' || !isDone) attempts.givenUp++
  }

  final(): string | undefined {
    for (const [request, { step, givenUp }] of this.#all) {
      const closed = this.#paper.receiptsOf(request).filter((one) => !isDecidedByOther(this.#world, one))
      if (closed.length > 0) return `request ${request}: it is closed, not cancelled`
      const whole = this.#whole(request, step).map(({ number }) => number)
      if (whole.length > 1 + givenUp)
        return `request ${request}: its own lines void it, and it is printed as ${whole.join(', ')}`
    }
    return undefined
  }

  /** If a receipt is open, a complete document on paper is of an earlier attempt. */
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

const GIVEN_UP = /will cancel it before it processes any other request/
const AFTER_ITS_END = /^Outcome unknown:.* after (?:cancelFiscal|cancelNonFiscal|closeNonFiscal)\b/
