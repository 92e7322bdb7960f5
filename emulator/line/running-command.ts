import { PowerCut } from '../fiscal/types/events.ts'
import type { Answer, FrameReaction } from '../wire.ts'
import type { DeviceLine } from './device-line.ts'
import type { LoopOptions } from './loop-options.ts'

type Run = Extract<FrameReaction, { kind: 'run' }>

/** `busyMs` is additional time caused by faults. */
type ExecutionResult =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly busyMs: number }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'powerCut' }

const UNANSWERED_RESULT: ExecutionResult = { kind: 'unanswered' }
const POWER_CUT: ExecutionResult = { kind: 'powerCut' }

export function execute(
  { command, run, refuse }: Run,
  { injector, onTrouble }: Pick<LoopOptions, 'injector' | 'onTrouble'>,
  unplug: () => void,
): ExecutionResult {
  const before = injector.watches('command.before') ? injector.command('command.before', command) : {}
  if (before.ending === 'powerCut') return POWER_CUT
  if (before.ending === 'unplug') unplug()
  if (before.drop) return UNANSWERED_RESULT
  let answer: Answer
  try {
    answer = before.refuse ? refuse() : run()
  } catch (problem) {
    if (problem instanceof PowerCut) return POWER_CUT
    onTrouble(problem, command)
    return UNANSWERED_RESULT
  }
  const after = injector.watches('command.after') ? injector.command('command.after', command) : {}
  if (after.ending === 'powerCut') return POWER_CUT
  if (after.ending === 'unplug') unplug()
  if (after.drop) return UNANSWERED_RESULT
  return { kind: 'answered', answer, busyMs: (before.busyMs ?? 0) + (after.busyMs ?? 0) }
}

/**
 * Maximum time for the acknowledgement of a streamed line, in ms (sheet B 10.9: "no acknowledge: the device stops").
 */
const ACKNOWLEDGE_MS = 5000

interface RunContext {
  readonly options: Pick<LoopOptions, 'wire' | 'clock' | 'mechanism'>
  hasPower(): boolean
  /**
   * Called when the command no longer runs, before the answer is sent: the host may send the next request while it
   * receives the answer.
   */
  released(): void
  /** Called when the answer was sent, or when the host no longer reads it. */
  answered(line: DeviceLine): void
}

/**
 * A command that the books have executed. It occupies the device for its duration, waits for paper if necessary, and is
 * then answered.
 */
export class RunningCommand {
  /** The line that receives the answer: the new one if the host has reconnected. */
  line: DeviceLine
  readonly #command: string
  readonly #answer: Answer
  readonly #context: RunContext
  /** Index of the line that was sent last; `undefined` unless the answer is streamed. */
  #streamed: number | undefined
  #wasBusy = false
  #isWaiting = false
  readonly #alarms = new Set<() => void>()
  #cancelBeat: (() => void) | undefined
  #isOver = false

  constructor(line: DeviceLine, command: string, answer: Answer, context: RunContext) {
    this.line = line
    this.#command = command
    this.#answer = answer
    this.#context = context
  }

  begin(takesMs: number): void {
    const { clock, mechanism, wire } = this.#context.options
    const isBlocked = this.#answer.waitsForPaper === true && mechanism.blocked
    this.#wasBusy = takesMs > 0 || isBlocked
    if (!this.#wasBusy) {
      this.#sendAnswer()
      return
    }
    const { busy } = wire.timing
    if (busy) this.#beat(clock.now() + (busy.firstMs ?? busy.everyMs), busy.everyMs, Uint8Array.of(busy.byte))
    if (takesMs > 0) this.#alarm(takesMs, () => this.#ready())
    else this.#isWaiting = true
  }

  unblocked(): void {
    if (this.#isWaiting) this.#ready()
  }

  get streams(): boolean {
    return this.#streamed !== undefined
  }

  acknowledges(byte: number): boolean {
    return this.streams && this.#answer.stream?.acknowledges(byte) === true
  }

  nextLine(): void {
    this.#clearAlarms()
    this.#streamLine((this.#streamed ?? 0) + 1)
  }

  /** Cancels everything that was started, because the power is off or the host has sent another request. */
  stop(): void {
    this.#isOver = true
    this.#clearAlarms()
  }

  #ready(): void {
    const { blocked, canPrint } = this.#context.options.mechanism
    // The books have printed all lines immediately, but on the device the last of them is due only now.
    if (this.#answer.waitsForPaper && (blocked || !canPrint)) {
      this.#isWaiting = true
      return
    }
    this.#clearAlarms()
    this.#sendAnswer()
  }

  /** The interval is counted from the start, so that it does not drift. */
  #beat(at: number, everyMs: number, bytes: Uint8Array): void {
    const { clock } = this.#context.options
    this.#cancelBeat = clock.after(Math.max(0, at - clock.now()), () => {
      this.line.send(bytes, this.#command)
      if (!this.#isOver) this.#beat(at + everyMs, everyMs, bytes)
    })
  }

  #sendAnswer(): void {
    if (this.#answer.stream) this.#streamLine(0)
    else this.#finish()
  }

  #streamLine(index: number): void {
    const bytes = this.#answer.stream?.lines[index]
    if (!bytes) {
      this.#finish()
      return
    }
    this.#streamed = index
    this.#alarm(ACKNOWLEDGE_MS, () => {
      this.#context.released()
      this.#context.answered(this.line)
    })
    this.line.send(bytes, this.#command)
  }

  #finish(): void {
    const { frames, later } = this.#answer
    this.#context.released()
    for (const frame of this.#wasBusy && later ? later() : frames) {
      // A fault on the line may have cut the power; then the remaining frames are not sent.
      if (this.#context.hasPower()) this.line.send(frame, this.#command)
    }
    this.#context.answered(this.line)
  }

  #clearAlarms(): void {
    this.#cancelBeat?.()
    this.#cancelBeat = undefined
    for (const cancel of this.#alarms) cancel()
    this.#alarms.clear()
  }

  #alarm(afterMs: number, call: () => void): void {
    const cancel = this.#context.options.clock.after(afterMs, () => {
      this.#alarms.delete(cancel)
      call()
    })
    this.#alarms.add(cancel)
  }
}
