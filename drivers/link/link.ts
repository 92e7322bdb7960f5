import type { Clock } from '../model/clock.ts'
import { DeviceError, type DeviceProblem, messageOf } from '../model/errors.ts'
import { ResettableTimer } from '../model/resettable-timer.ts'
import { Deframer } from '../wire/deframer.ts'
import { begin, type ExchangeEvent, type ExchangeState, step, wakeAt } from './exchange.ts'
import { type PortTraffic, problemOf, problemOfSilence, SequenceNumberTaken, unknownOutcome } from './failure.ts'
import { Line, type LineOptions } from './line.ts'
import type { PortOpener } from './port.ts'
import { type Exchange, isEcho, isFlood, UNASKED_PERIOD_MS, UnaskedBytes } from './question.ts'
import type { AskOptions, Link, LinkResponse, LinkRules } from './types.ts'

/** The machine of exchange.ts with a port and a clock: bytes out, frames in, `DeviceError` when it does not work. */

interface Ping {
  readonly expected: (byte: number) => boolean
  readonly answer: (byte: number | undefined) => void
  readonly fail: (problem: DeviceError) => void
}

export function createLink<Frame>(rules: LinkRules<Frame>, openPort: PortOpener, options: LineOptions): Link<Frame> {
  return new PortLink(rules, openPort, options)
}

/** Time after which a device that is busy with a receipt command may be waiting for paper, in ms. */
const WAITING_MS = 2_500
/** Between two loose bytes that ask whether it does. */
const ASK_AGAIN_MS = 500
/** A command that once took long, and was not waiting, takes that long again. */
const AS_BEFORE = 2

/** So long a connection that says nothing may still deliver what was written into it. */
const UNDER_WAY_MS = 30_000

class PortLink<Frame> implements Link<Frame> {
  readonly clock: Clock
  readonly #rules: LinkRules<Frame>
  readonly #log: (line: string) => void
  readonly #line: Line
  readonly #deframer: Deframer<Frame>
  readonly #alarm: ResettableTimer
  readonly #waitingAlarm: ResettableTimer
  readonly #waitingCalls: (() => void)[] = []
  /** How long commands have taken on this connection at most, by name. */
  readonly #longestMs = new Map<string, number>()
  readonly #openedCalls: (() => void)[] = []
  #exchange: Exchange<Frame> | undefined
  #ping: Ping | undefined
  /** The questions behind the present one, first come first served. */
  #last: Promise<unknown> | undefined
  readonly #unasked = new UnaskedBytes()
  /** Time of a flood that has not been reported to any question. */
  #floodedAt = Number.NEGATIVE_INFINITY
  #heardSoFar: PortTraffic = 'nothing'
  /** What was asked last was not answered. */
  #isUnanswered = false
  /** Time of the last command that prints of which nothing was heard, on this connection. */
  #printingUnheardAt = Number.NEGATIVE_INFINITY
  retransmissions = 0

  constructor(rules: LinkRules<Frame>, openPort: PortOpener, options: LineOptions) {
    this.clock = options.clock
    this.#rules = rules
    this.#log = options.log ?? (() => {})
    this.#line = new Line(openPort, options, {
      onOpened: () => this.#opened(),
      onData: (bytes) => this.#heard(bytes),
      onLost: () => this.#lost(),
    })
    this.#deframer = new Deframer(rules.shape)
    this.#alarm = new ResettableTimer(options.clock, () => this.#rang())
    this.#waitingAlarm = new ResettableTimer(options.clock, () => this.#askWaiting())
  }

  get isOpen(): boolean {
    return this.#line.isOpen
  }

  get hold(): number {
    return this.#line.hold
  }

  get isUnanswered(): boolean {
    return this.#isUnanswered
  }

  onWaiting(call: () => void): void {
    this.#waitingCalls.push(call)
  }

  note(line: string): void {
    this.#log(line)
  }

  unanswered(): void {
    const { isShared } = this.#line
    // A cable that is moved at its far end takes longer than one question; another connection may be served meanwhile.
    if (this.#isUnanswered || isShared) this.#line.doubtHold()
    // A connection can be dead without a word of it, where a router has forgotten it: the next question makes a new one. Not
    // while what prints may still be on its way through the old one, and come to the device behind all that is asked then.
    const isUnderWay = this.clock.now() - this.#printingUnheardAt < UNDER_WAY_MS
    if (this.#isUnanswered && isShared && !isUnderWay) void this.#line.close(true)
    this.#isUnanswered = true
  }

  refusedAgain(): void {
    if (this.#line.isShared) this.#line.doubtHold()
  }

  silence(): DeviceProblem {
    return problemOfSilence(this.#heardSoFar)
  }

  connectionLost(why: string): DeviceProblem {
    return this.#line.connectionLost(why)
  }

  onOpened(call: () => void): void {
    this.#openedCalls.push(call)
  }

  open(): Promise<void> {
    return this.#line.open()
  }

  close(): Promise<void> {
    return this.#line.close()
  }

  ask(request: Uint8Array, options: AskOptions<Frame>): Promise<LinkResponse<Frame>> {
    return this.#queue(() => this.#begin(request, options), options.fiscal !== true)
  }

  ping(bytes: Uint8Array, expected: (byte: number) => boolean, waitMs: number): Promise<number | undefined> {
    return this.#queue(() => this.#beginPing(bytes, expected, waitMs))
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.open()
    try {
      await this.#line.send(bytes)
    } catch (problem) {
      throw new DeviceError(this.#line.connectionLost(messageOf(problem)))
    }
  }

  // ---------------------------------------------------------------- one question at a time

  #queue<T>(run: () => Promise<T>, mayOpen = true): Promise<T> {
    const start = () => {
      if (this.#takeFlood()) return Promise.reject(this.#flood())
      if (this.isOpen) return run()
      return mayOpen ? this.open().then(run) : Promise.reject(new DeviceError(this.#line.connectionLost()))
    }
    const mine = this.#last ? this.#last.then(start, start) : start()
    this.#last = mine
    const done = () => {
      if (this.#last === mine) this.#last = undefined
    }
    mine.then(done, done)
    return mine
  }

  #begin(request: Uint8Array, options: AskOptions<Frame>): Promise<LinkResponse<Frame>> {
    const { afterSilence, firstByteMs, totalMs } = this.#rules
    const question = {
      firstByteMs: options.firstByteMs ?? firstByteMs,
      sendMs: this.#line.sendMs(request),
      repeatable: options.fiscal !== true || (afterSilence === 'repeat' && options.once !== true),
    }
    return new Promise((resolve, reject) => {
      // What came between two questions is a late answer or noise, never the answer to the next one.
      this.#deframer.reset()
      const state = begin(question, this.clock.now(), options.totalMs ?? totalMs)
      const fresh = { retransmitted: false, writes: 0, echoed: 0, receivedBytes: 0 }
      const beganAt = this.clock.now()
      const exchange = { request, options, frames: [], state, beganAt, ...fresh, resolve, reject }
      this.#exchange = exchange
      if (this.#rules.waiting && options.mayWait) this.#waitingAlarm.set(beganAt + question.sendMs + WAITING_MS)
      this.#pursue(exchange)
    })
  }

  #beginPing(bytes: Uint8Array, expected: (byte: number) => boolean, waitMs: number): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      this.#deframer.reset()
      const answer = (byte: number | undefined) => {
        finish()
        resolve(byte)
      }
      const fail = (problem: DeviceError) => {
        finish()
        reject(problem)
      }
      const alarm = new ResettableTimer(this.clock, () => answer(undefined))
      alarm.set(this.clock.now() + waitMs + this.#line.sendMs(bytes))
      const finish = () => {
        alarm.clear()
        this.#ping = undefined
      }
      this.#ping = { expected, answer, fail }
      this.#line.send(bytes).catch(() => undefined)
    })
  }

  // ---------------------------------------------------------------- the machine's hands

  #happened(event: ExchangeEvent): void {
    const exchange = this.#exchange
    if (!exchange) return
    exchange.state = step(exchange.state, event, this.#rules)
    this.#pursue(exchange)
  }

  /** Does what the state of the exchange says, until it says to wait or to end. */
  #pursue(exchange: Exchange<Frame>): void {
    const { state, options, frames, retransmitted } = exchange
    switch (state.at) {
      case 'sending':
        this.#write(exchange, state)
        return
      case 'waiting':
      case 'pausing':
      case 'collecting':
        this.#alarm.set(wakeAt(state))
        return
      case 'answered':
        this.#finish()
        this.#isUnanswered = false
        if (options.mayWait && this.#rules.waiting === 'busy') this.#noteTime(exchange)
        exchange.resolve({ frames, retransmitted })
        return
      case 'failed': {
        this.#finish()
        // A device that says it is at work, without paper perhaps, is the one that was asked.
        if (exchange.receivedBytes === 0) {
          if (options.fiscal && state.reached) this.#printingUnheardAt = this.clock.now()
          this.unanswered()
        }
        const { why, reached } = state
        this.#log(`${options.name}: ${why}`)
        if (why === 'number taken') {
          exchange.reject(new SequenceNumberTaken(problemOfSilence(this.#heardSoFar)))
          return
        }
        // A plug that only loops back is found by the start-up: behind a word of a device, an echo hides what it did.
        const isBehindDevice = why === 'echo' && this.#heardSoFar === 'sense'
        const problem =
          options.fiscal && (reached || isBehindDevice)
            ? unknownOutcome(why, options.name)
            : problemOf(why, this.#heardSoFar, this.#line.connectionLost(exchange.unsentBecause))
        exchange.reject(new DeviceError(problem, retransmitted))
      }
    }
  }

  #write(exchange: Exchange<Frame>, { attempt }: ExchangeState & { at: 'sending' }): void {
    if (attempt > 1) {
      // Also behind a refusal: a stray byte of a device that was cut off behind the command looks like one.
      exchange.retransmitted ||= exchange.options.fiscal === true
      this.retransmissions++
      this.#log(`${exchange.options.name}: written again (${attempt})`)
    }
    exchange.writes++
    exchange.echoed = 0
    exchange.state = step(exchange.state, { kind: 'sent', now: this.clock.now() }, this.#rules)
    // The alarm stands before the write: an embedded device may answer within it.
    this.#alarm.set(wakeAt(exchange.state))
    // Handled on the very promise of the port: `closed` comes one turn later and would know less.
    this.#line.send(exchange.request).then(undefined, (problem) => {
      if (this.#exchange !== exchange) return
      exchange.unsentBecause = messageOf(problem)
      this.#happened({ kind: 'unsent', now: this.clock.now() })
    })
  }

  #finish(): void {
    this.#exchange = undefined
    this.#alarm.clear()
    this.#waitingAlarm.clear()
  }

  // ---------------------------------------------------------------- a device that waits for a person

  #noteTime({ options: { name }, beganAt }: Exchange<Frame>): void {
    const tookMs = this.clock.now() - beganAt
    if (tookMs > WAITING_MS / AS_BEFORE) this.#longestMs.set(name, Math.max(tookMs, this.#longestMs.get(name) ?? 0))
  }

  /** Checks whether the device waits for a person; asks by a loose byte only where the family allows it. */
  #askWaiting(): void {
    const exchange = this.#exchange
    const { waiting } = this.#rules
    if (!exchange || !waiting) return
    const now = this.clock.now()
    if (waiting === 'busy') {
      const due = exchange.beganAt + AS_BEFORE * (this.#longestMs.get(exchange.options.name) ?? 0)
      if (now < due) this.#waitingAlarm.set(due)
      else if (exchange.receivedBytes > 0) this.#waits()
      return
    }
    // A pause between two writes, or an answer of which a part has come, is no time for a loose byte.
    if (exchange.state.at === 'waiting' && !this.#deframer.pending)
      this.#line.send(Uint8Array.of(waiting.ask)).catch(() => undefined)
    this.#waitingAlarm.set(now + ASK_AGAIN_MS)
  }

  /** Is it the answer to the loose byte? */
  #toldOfWaiting(byte: number): boolean {
    const { waiting } = this.#rules
    const isWaiting = typeof waiting === 'object' ? waiting.isWaiting(byte) : undefined
    if (isWaiting) this.#waits()
    return isWaiting !== undefined
  }

  #waits(): void {
    this.#waitingAlarm.clear()
    for (const call of this.#waitingCalls) call()
  }

  #flood(): DeviceError {
    return new DeviceError(problemOf('flood', this.#heardSoFar, this.#line.connectionLost()))
  }

  /** A flood that ended no question ends the next one: otherwise a driver that polls would open the port each time. */
  #takeFlood(): boolean {
    const isRecent = this.clock.now() - this.#floodedAt < UNASKED_PERIOD_MS
    this.#floodedAt = Number.NEGATIVE_INFINITY
    return isRecent
  }

  /** A device that sends without end is disconnected; the next question opens the port again. */
  #flooded(now: number): void {
    if (!this.#exchange && !this.#ping) this.#floodedAt = now
    this.#happened({ kind: 'flood', now })
    this.#ping?.fail(this.#flood())
    this.#log('closed: what came back is more than any answer')
    void this.#line.close()
  }

  #rang(): void {
    const exchange = this.#exchange
    if (!exchange) return
    const now = this.clock.now()
    const due = wakeAt(exchange.state)
    if (due !== undefined && now >= due && this.#deframer.expire()) this.#happened({ kind: 'damaged', now })
    else this.#happened({ kind: 'time', now })
  }

  // ---------------------------------------------------------------- what comes from the port

  #opened(): void {
    this.#heardSoFar = 'nothing'
    this.#longestMs.clear()
    this.#printingUnheardAt = Number.NEGATIVE_INFINITY
    this.#unasked.reset()
    for (const call of this.#openedCalls) call()
  }

  #lost(): void {
    this.#ping?.fail(new DeviceError(this.#line.connectionLost()))
    // A failed write is reported by itself, and says more: that the device has not got the whole frame.
    queueMicrotask(() => this.#happened({ kind: 'closed', now: this.clock.now() }))
  }

  #heard(bytes: Uint8Array): void {
    if (this.#heardSoFar === 'nothing') this.#heardSoFar = 'nonsense'
    if (this.#exchange) this.#heardByExchange(this.#exchange, bytes)
    else {
      const now = this.clock.now()
      if (this.#unasked.add(bytes.length, now)) this.#flooded(now)
      else if (this.#ping) for (const part of inParts(bytes)) this.#heardByPing(part)
    }
  }

  #heardByPing(bytes: Uint8Array): void {
    const pieces = this.#deframer.push(bytes)
    // A late frame may hold any byte: only what stands outside of frames answers a ping.
    const inFrames = this.#deframer.pending || pieces.some(({ kind }) => kind !== 'single')
    for (const one of inFrames ? pieces : bytes) {
      const byte = typeof one === 'number' ? one : one.kind === 'single' ? one.byte : undefined
      if (byte === undefined || !this.#ping?.expected(byte)) continue
      this.#heardSoFar = 'sense'
      this.#isUnanswered = false
      this.#ping.answer(byte)
      return
    }
  }

  #heardByExchange(exchange: Exchange<Frame>, bytes: Uint8Array): void {
    const now = this.clock.now()
    if (isEcho(exchange, bytes)) {
      this.#happened({ kind: 'echo', now })
      return
    }
    exchange.receivedBytes += bytes.length
    if (isFlood(exchange)) {
      this.#flooded(now)
      return
    }
    const { writes } = exchange
    for (const part of inParts(bytes)) this.#heardPart(exchange, part, writes, now)
  }

  /** `writes`: those before the bytes arrived that this is a part of. */
  #heardPart(exchange: Exchange<Frame>, bytes: Uint8Array, writes: number, now: number): void {
    if (this.#exchange !== exchange) return
    const rules = this.#rules
    let understood = 0
    for (const piece of this.#deframer.push(withoutRuns(bytes, rules.busyByte))) {
      // An answer ends the exchange: what stands behind it in the same piece belongs to nobody.
      if (this.#exchange !== exchange) return
      if (piece.kind === 'single') {
        understood++
        const asksForRepeat = piece.byte === rules.refusedByte || piece.byte === rules.laterByte?.byte
        if (piece.byte === rules.busyByte) this.#happened({ kind: 'busy', now })
        // What came together with the refusal of one write is no word about the next, which it has led to.
        else if (asksForRepeat && exchange.writes > writes) continue
        else if (piece.byte === rules.refusedByte) this.#happened({ kind: 'refused', now })
        else if (piece.byte === rules.laterByte?.byte) this.#happened({ kind: 'later', now })
        else if (!this.#toldOfWaiting(piece.byte)) understood--
      } else if (piece.kind === 'damaged') {
        // While our own bytes seem to be coming back, what looks damaged is the echo.
        if (exchange.echoed < 0) this.#happened({ kind: 'damaged', now })
      } else {
        understood += piece.bytes.length
        this.#heardSoFar = 'sense'
        if (!rules.matches(piece.frame, exchange.request)) {
          // What prints is not sent under another number: the device that had this one may be another device.
          const isTaken = !exchange.options.fiscal && rules.isOfNumber?.(piece.frame, exchange.request)
          this.#happened({ kind: isTaken ? 'taken' : 'stale', now })
        } else {
          exchange.frames.push(piece.frame)
          this.#happened({ kind: 'answer', last: exchange.options.until?.(piece.frame) ?? true, now })
        }
      }
    }
    if (this.#deframer.pending) this.#happened({ kind: 'partial', now })
    else if (understood < bytes.length) this.#happened({ kind: 'noise', now })
  }
}

/** What a part becomes is removed from memory before the next part is read. */
const PART_BYTES = 4096

function* inParts(bytes: Uint8Array): Iterable<Uint8Array> {
  if (bytes.length <= PART_BYTES) yield bytes
  else for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES)
}

/** A device says again and again that it is busy: said once in a piece, it takes no memory for each time. */
const withoutRuns = (bytes: Uint8Array, busy: number | undefined): Uint8Array =>
  busy === undefined || !bytes.includes(busy)
    ? bytes
    : bytes.filter((byte, index) => byte !== busy || bytes[index - 1] !== busy)
