/** Connects the state machine of exchange.ts to a port and a clock. Rejects with DeviceError only. */
import type { Clock } from '../model/clock.ts'
import { DeviceError, type DeviceProblem, portMessage } from '../model/errors.ts'
import { ResettableTimer } from '../model/resettable-timer.ts'
import { Deframer } from '../wire/deframer.ts'
import { begin, type ExchangeEvent, type ExchangeState, nextEventAt, step } from './exchange.ts'
import { type PortTraffic, problemOf, problemOfSilence, SequenceNumberTaken, unknownOutcome } from './failure.ts'
import { Line, type LineOptions } from './line.ts'
import type { PortOpener } from './port.ts'
import { type Exchange, isEcho, isFlood, UNSOLICITED_PERIOD_MS, UnsolicitedBytes } from './question.ts'
import type { AskOptions, Link, LinkResponse, LinkRules } from './types.ts'

interface Ping {
  readonly expected: (byte: number) => boolean
  readonly answer: (byte: number | undefined) => void
  readonly fail: (problem: DeviceError) => void
}

export function createLink<Frame>(rules: LinkRules<Frame>, openPort: PortOpener, options: LineOptions): Link<Frame> {
  return new PortLink(rules, openPort, options)
}

const WAITING_MS = 2_500
const ASK_AGAIN_MS = 500
/** A busy device counts as waiting for paper when the command has taken this multiple of its longest time until now. */
const WAITING_FACTOR = 2

/** Time during which a silent connection may still deliver bytes that were written to it, in ms. */
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
  readonly #longestMs = new Map<string, number>()
  readonly #openedCalls: (() => void)[] = []
  #exchange: Exchange<Frame> | undefined
  #ping: Ping | undefined
  #last: Promise<unknown> | undefined
  readonly #unsolicited = new UnsolicitedBytes()
  #floodedAt = Number.NEGATIVE_INFINITY
  #traffic: PortTraffic = 'nothing'
  #isUnanswered = false
  #unansweredPrintAt = Number.NEGATIVE_INFINITY
  retransmissions = 0

  constructor(rules: LinkRules<Frame>, openPort: PortOpener, options: LineOptions) {
    this.clock = options.clock
    this.#rules = rules
    this.#log = options.log ?? (() => {})
    this.#line = new Line(openPort, options, {
      onOpened: () => this.#opened(),
      onData: (bytes) => this.#onBytes(bytes),
      onLost: () => this.#onPortLost(),
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
    // A TCP address may serve another connection at once. Moving a cable to another computer takes longer, so
    // one unanswered query proves nothing there.
    if (this.#isUnanswered || isShared) this.#line.doubtHold()
    // A connection can be dead without any sign, for example if a router has dropped it. The next query therefore opens
    // a new connection. A printing command that may still be in transit forbids that: the old connection could deliver
    // it after later queries.
    const isUnderWay = this.clock.now() - this.#unansweredPrintAt < UNDER_WAY_MS
    if (this.#isUnanswered && isShared && !isUnderWay) void this.#line.close(true)
    this.#isUnanswered = true
  }

  doubtIfShared(): void {
    if (this.#line.isShared) this.#line.doubtHold()
  }

  silence(): DeviceProblem {
    return problemOfSilence(this.#traffic)
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
      throw new DeviceError(this.#line.connectionLost(portMessage(problem)))
    }
  }

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
      // Bytes that arrive between two queries are a late answer or noise, never an answer to the next query.
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

  #happened(event: ExchangeEvent): void {
    const exchange = this.#exchange
    if (!exchange) return
    exchange.state = step(exchange.state, event, this.#rules)
    this.#pursue(exchange)
  }

  #pursue(exchange: Exchange<Frame>): void {
    const { state, options, frames, retransmitted } = exchange
    switch (state.at) {
      case 'sending':
        this.#write(exchange, state)
        return
      case 'waiting':
      case 'pausing':
      case 'collecting':
        this.#alarm.set(nextEventAt(state))
        return
      case 'answered':
        this.#finish()
        this.#isUnanswered = false
        if (options.mayWait && this.#rules.waiting === 'busy') this.#noteTime(exchange)
        exchange.resolve({ frames, retransmitted })
        return
      case 'failed': {
        this.#finish()
        // A device that sends any bytes, for example while it is busy without paper, is the device that received the
        // query.
        if (exchange.receivedBytes === 0) {
          if (options.fiscal && state.reached) this.#unansweredPrintAt = this.clock.now()
          this.unanswered()
        } else if (options.fiscal) this.doubtIfShared()
        const { why, reached } = state
        this.#log(`${options.name}: ${why}`)
        if (why === 'number taken') {
          exchange.reject(new SequenceNumberTaken(problemOfSilence(this.#traffic)))
          return
        }
        // The start-up detects a loopback plug. Once the device has sent a valid frame, an echo does not show whether
        // it executed the command.
        const isAfterContact = why === 'echo' && this.#traffic === 'sense'
        const problem =
          options.fiscal && (reached || isAfterContact)
            ? unknownOutcome(why, options.name)
            : problemOf(why, this.#traffic, this.#line.connectionLost(exchange.unsentBecause))
        exchange.reject(new DeviceError(problem, retransmitted))
      }
    }
  }

  #write(exchange: Exchange<Frame>, { attempt }: ExchangeState & { at: 'sending' }): void {
    if (attempt > 1) {
      // Also set after a refusal, which may be a stray byte from a device that lost power after executing the command.
      exchange.retransmitted ||= exchange.options.fiscal === true
      this.retransmissions++
      this.#log(`${exchange.options.name}: retransmitted (${attempt})`)
    }
    exchange.writes++
    exchange.echoed = 0
    exchange.state = step(exchange.state, { kind: 'sent', now: this.clock.now() }, this.#rules)
    // The timer is set before the write, because an embedded device may answer during the write.
    this.#alarm.set(nextEventAt(exchange.state))
    // The port's promise gives the reason. The event `closed` arrives later and has no reason.
    this.#line.send(exchange.request).then(undefined, (problem) => {
      if (this.#exchange !== exchange) return
      exchange.unsentBecause = portMessage(problem)
      this.#happened({ kind: 'unsent', now: this.clock.now() })
    })
  }

  #finish(): void {
    this.#exchange = undefined
    this.#alarm.clear()
    this.#waitingAlarm.clear()
  }

  #noteTime({ options: { name }, beganAt }: Exchange<Frame>): void {
    const tookMs = this.clock.now() - beganAt
    if (tookMs > WAITING_MS / WAITING_FACTOR)
      this.#longestMs.set(name, Math.max(tookMs, this.#longestMs.get(name) ?? 0))
  }

  /** Checks whether the device is waiting for a person. Sends a loose byte only if the family's rules define one. */
  #askWaiting(): void {
    const exchange = this.#exchange
    const { waiting } = this.#rules
    if (!exchange || !waiting) return
    const now = this.clock.now()
    if (waiting === 'busy') {
      const due = exchange.beganAt + WAITING_FACTOR * (this.#longestMs.get(exchange.options.name) ?? 0)
      if (now < due) this.#waitingAlarm.set(due)
      else if (exchange.receivedBytes > 0) this.#waits()
      return
    }
    // Not during a pause between two writes, and not after a part of an answer has arrived.
    if (exchange.state.at === 'waiting' && !this.#deframer.pending)
      this.#line.send(Uint8Array.of(waiting.ask)).catch(() => undefined)
    this.#waitingAlarm.set(now + ASK_AGAIN_MS)
  }

  #isWaitingAnswer(byte: number): boolean {
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
    return new DeviceError(problemOf('flood', this.#traffic, this.#line.connectionLost()))
  }

  /**
   * Returns whether the device recently flooded the line while no query was pending, and forgets the flood. The next
   * query then fails. Otherwise a driver that polls would open the port again each time.
   */
  #takeFlood(): boolean {
    const isRecent = this.clock.now() - this.#floodedAt < UNSOLICITED_PERIOD_MS
    this.#floodedAt = Number.NEGATIVE_INFINITY
    return isRecent
  }

  #flooded(now: number): void {
    if (!this.#exchange && !this.#ping) this.#floodedAt = now
    this.#happened({ kind: 'flood', now })
    this.#ping?.fail(this.#flood())
    this.#log('closed: the response is longer than any valid answer')
    void this.#line.close()
  }

  #rang(): void {
    const exchange = this.#exchange
    if (!exchange) return
    const now = this.clock.now()
    const due = nextEventAt(exchange.state)
    if (due !== undefined && now >= due && this.#deframer.expire()) this.#happened({ kind: 'damaged', now })
    else this.#happened({ kind: 'time', now })
  }

  #opened(): void {
    this.#traffic = 'nothing'
    this.#longestMs.clear()
    this.#unansweredPrintAt = Number.NEGATIVE_INFINITY
    this.#unsolicited.reset()
    for (const call of this.#openedCalls) call()
  }

  #onPortLost(): void {
    this.#ping?.fail(new DeviceError(this.#line.connectionLost()))
    // A failed write is reported first. It gives more information: the device has not received the whole frame.
    queueMicrotask(() => this.#happened({ kind: 'closed', now: this.clock.now() }))
  }

  #onBytes(bytes: Uint8Array): void {
    // Busy bytes alone may belong to a long command that another program sent, or this program before a restart.
    if (this.#traffic === 'nothing' && bytes.some((byte) => byte !== this.#rules.busyByte)) this.#traffic = 'nonsense'
    if (this.#exchange) this.#onExchangeBytes(this.#exchange, bytes)
    else {
      const now = this.clock.now()
      if (this.#unsolicited.add(bytes.length, now)) this.#flooded(now)
      else if (this.#ping) for (const part of inParts(bytes)) this.#onPingBytes(part)
    }
  }

  #onPingBytes(bytes: Uint8Array): void {
    const pieces = this.#deframer.push(bytes)
    // A late frame may contain any byte, so only bytes outside frames answer a ping.
    const inFrames = this.#deframer.pending || pieces.some(({ kind }) => kind !== 'single')
    for (const one of inFrames ? pieces : bytes) {
      const byte = typeof one === 'number' ? one : one.kind === 'single' ? one.byte : undefined
      if (byte === undefined || !this.#ping?.expected(byte)) continue
      this.#traffic = 'sense'
      this.#isUnanswered = false
      this.#ping.answer(byte)
      return
    }
  }

  #onExchangeBytes(exchange: Exchange<Frame>, bytes: Uint8Array): void {
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
    for (const part of inParts(bytes)) this.#onPartOfAnswer(exchange, part, writes, now)
  }

  #onPartOfAnswer(exchange: Exchange<Frame>, bytes: Uint8Array, writes: number, now: number): void {
    if (this.#exchange !== exchange) return
    const rules = this.#rules
    let understood = 0
    for (const piece of this.#deframer.push(withoutRuns(bytes, rules.busyByte))) {
      // The answer ends the exchange. Later bytes of the chunk belong to no query.
      if (this.#exchange !== exchange) return
      if (piece.kind === 'single') {
        understood++
        const asksToRetransmit = piece.byte === rules.refusedByte || piece.byte === rules.laterByte?.byte
        if (piece.byte === rules.busyByte) this.#happened({ kind: 'busy', now })
        // The first refusal has caused the next write. Further refusals in the same chunk do not refer to that write.
        else if (asksToRetransmit && exchange.writes > writes) continue
        else if (piece.byte === rules.refusedByte) this.#happened({ kind: 'refused', now })
        else if (piece.byte === rules.laterByte?.byte) this.#happened({ kind: 'later', now })
        else if (!this.#isWaitingAnswer(piece.byte)) understood--
      } else if (piece.kind === 'damaged') {
        // Damaged frames are an echo as long as the received bytes equal the request.
        if (exchange.echoed < 0) this.#happened({ kind: 'damaged', now })
      } else {
        understood += piece.bytes.length
        this.#traffic = 'sense'
        if (!rules.matches(piece.frame, exchange.request)) {
          // A printing command is never sent again under another number, because another device may have received this
          // number.
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

/** Size of the parts of a chunk, which limits the memory for their pieces. */
const PART_BYTES = 4096

function* inParts(bytes: Uint8Array): Iterable<Uint8Array> {
  if (bytes.length <= PART_BYTES) yield bytes
  else for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES)
}

/** Reduces each run of busy bytes to one, because a long run would cost memory. */
const withoutRuns = (bytes: Uint8Array, busy: number | undefined): Uint8Array =>
  busy === undefined || !bytes.includes(busy)
    ? bytes
    : bytes.filter((byte, index) => byte !== busy || bytes[index - 1] !== busy)
