/**
 * Legacy jobs whose own lines take their document back: what is asked for is void, and so is what a failed attempt
 * leaves. Whole and void it stands on paper once, and once more for each attempt that was given up before its end.
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
  /** Faults that had struck when it was sent last. */
  hits: number
  /** Attempts that may have been given up before the lines that take it back. */
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

  /** A request is about to be sent. */
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

  onReply(request: number, said: ClaimedOutcome, { message }: Reply): void {
    const attempts = this.#all.get(request)
    if (!attempts || said.is === 'printed') return
    // Whatever died undisturbed with all of it on paper had taken it back itself, and so had what did not hear of that.
    const isUndisturbed = message === DIED && this.#hits === attempts.hits
    const isAtItsEnd = AFTER_ITS_END.test(message) && !GIVEN_UP.test(message)
    const isDone = (isUndisturbed || isAtItsEnd) && !this.#isOpen && this.#whole(request, attempts.step).length > 0
    if (said.is === 'nothing' || !isDone) attempts.givenUp++
  }

  /** What is wrong in the end; undefined: nothing. */
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

  /** Then the whole one, if there is one, is of an earlier attempt. */
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

/** What takes it back is not its own lines. */
const GIVEN_UP = /will cancel it before it processes any other request/
/** The command that takes it back was sent, and its answer was not heard. */
const AFTER_ITS_END = /^Outcome unknown:.* after (?:cancelFiscal|cancelNonFiscal|closeNonFiscal)\b/
