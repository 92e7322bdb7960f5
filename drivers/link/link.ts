import type { Clock } from '../model/clock.ts'
import { DeviceError, type DeviceProblem, LOOK } from '../model/errors.ts'
import { Deframer } from '../wire/deframer.ts'
import { begin, type ExchangeEvent, type ExchangeState, type Failure, type Question, step, wakeAt } from './exchange.ts'
import { messageOf, type Port, type PortOpener } from './port.ts'
import type { AskOptions, Link, LinkDialect, TraceListener } from './types.ts'

/** The machine of exchange.ts with a port and a clock: bytes out, frames in, `DeviceError` when it does not work. */

export interface LinkOptions {
  /** Path or address, for messages. */
  readonly path: string
  readonly clock: Clock
  readonly trace?: TraceListener | undefined
  /** A line per opening, loss and repeat. */
  readonly log?: ((line: string) => void) | undefined
}

interface Exchange<Frame> {
  readonly request: Uint8Array
  readonly options: AskOptions
  readonly frames: Frame[]
  state: ExchangeState
  /** How much of the request has come back so far, byte for byte; -1: what came was something else. */
  echoed: number
  readonly resolve: (frames: Frame[]) => void
  readonly reject: (problem: DeviceError) => void
}

interface Ping {
  readonly expected: (byte: number) => boolean
  readonly answer: (byte: number | undefined) => void
  readonly fail: (problem: DeviceError) => void
}

export function createLink<Frame>(
  dialect: LinkDialect<Frame>,
  openPort: PortOpener,
  options: LinkOptions,
): Link<Frame> {
  return new PortLink(dialect, openPort, options)
}

class PortLink<Frame> implements Link<Frame> {
  readonly clock: Clock
  readonly #dialect: LinkDialect<Frame>
  readonly #openPort: PortOpener
  readonly #options: LinkOptions
  readonly #deframer: Deframer<Frame>
  readonly #openedCalls: (() => void)[] = []
  #port: Port | undefined
  #opening: Promise<void> | undefined
  #exchange: Exchange<Frame> | undefined
  #ping: Ping | undefined
  /** The questions behind the present one, first come first served. */
  #last: Promise<unknown> | undefined
  #writtenAgain = 0
  /** What the port has brought since it was opened. */
  #heardSoFar: 'nothing' | 'nonsense' | 'sense' = 'nothing'
  #cancelAlarm: (() => void) | undefined
  #alarmAt = 0

  constructor(dialect: LinkDialect<Frame>, openPort: PortOpener, options: LinkOptions) {
    this.clock = options.clock
    this.#dialect = dialect
    this.#openPort = openPort
    this.#options = options
    this.#deframer = new Deframer(dialect.shape)
  }

  get isOpen(): boolean {
    return this.#port !== undefined
  }

  get writtenAgain(): number {
    return this.#writtenAgain
  }

  silence(): DeviceProblem {
    return this.#heardSoFar === 'nonsense' ? { kind: 'notThisFamily', why: NONSENSE } : { kind: 'noAnswer' }
  }

  onOpened(call: () => void): void {
    this.#openedCalls.push(call)
  }

  open(): Promise<void> {
    if (this.#port) return Promise.resolve()
    this.#opening ??= this.#reallyOpen().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined)
    const port = this.#port
    if (!port) return
    this.#lost(port, 'it was closed')
    await port.close()
  }

  async ask(request: Uint8Array, options: AskOptions): Promise<Frame> {
    const frames = await this.#queue(() => this.#begin(request, options))
    return frames[0] as Frame
  }

  askAll(request: Uint8Array, options: AskOptions): Promise<Frame[]> {
    return this.#queue(() => this.#begin(request, options))
  }

  ping(bytes: Uint8Array, expected: (byte: number) => boolean, waitMs: number): Promise<number | undefined> {
    return this.#queue(() => this.#beginPing(bytes, expected, waitMs))
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.open()
    try {
      await this.#send(bytes)
    } catch (problem) {
      throw new DeviceError(this.#portLost(messageOf(problem)))
    }
  }

  // ---------------------------------------------------------------- one question at a time

  #queue<T>(run: () => Promise<T>): Promise<T> {
    const start = () => (this.#port ? run() : this.open().then(run))
    const mine = this.#last ? this.#last.then(start, start) : start()
    this.#last = mine
    const done = () => {
      if (this.#last === mine) this.#last = undefined
    }
    mine.then(done, done)
    return mine
  }

  #begin(request: Uint8Array, options: AskOptions): Promise<Frame[]> {
    const { rules } = this.#dialect
    const question: Question = {
      firstByteMs: options.firstByteMs ?? rules.firstByteMs,
      sendMs: request.length * (this.#port?.byteMs ?? 0),
      repeatable: rules.afterSilence === 'repeat' || options.fiscal !== true,
    }
    return new Promise((resolve, reject) => {
      // What came between two questions is a late answer or noise, never the answer to the next one.
      this.#deframer.reset()
      const state = begin(question, this.clock.now(), options.totalMs ?? rules.totalMs)
      this.#exchange = { request, options, frames: [], state, echoed: 0, resolve, reject }
      this.#pursue()
    })
  }

  #beginPing(bytes: Uint8Array, expected: (byte: number) => boolean, waitMs: number): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      this.#deframer.reset()
      const finish = () => {
        cancel()
        this.#ping = undefined
      }
      const cancel = this.clock.after(waitMs + bytes.length * (this.#port?.byteMs ?? 0), () => {
        finish()
        resolve(undefined)
      })
      const answer = (byte: number | undefined) => {
        finish()
        resolve(byte)
      }
      const fail = (problem: DeviceError) => {
        finish()
        reject(problem)
      }
      this.#ping = { expected, answer, fail }
      this.#send(bytes).catch(() => undefined)
    })
  }

  // ---------------------------------------------------------------- the machine's hands

  #happened(event: ExchangeEvent): void {
    const exchange = this.#exchange
    if (!exchange) return
    exchange.state = step(exchange.state, event, this.#dialect.rules)
    this.#pursue()
  }

  /** Does what the state of the exchange says, until it says to wait or to end. */
  #pursue(): void {
    const exchange = this.#exchange
    if (!exchange) return
    if (exchange.state.at === 'sending') {
      const now = this.clock.now()
      const { attempt, uncertain } = exchange.state
      if (attempt > 1 && uncertain && exchange.options.fiscal) this.#writtenAgain++
      if (attempt > 1) this.#log(`${exchange.options.name}: written again (${attempt})`)
      exchange.echoed = 0
      exchange.state = step(exchange.state, { kind: 'sent', now }, this.#dialect.rules)
      // The alarm stands before the write: an embedded device may answer within it.
      this.#setAlarm(wakeAt(exchange.state))
      // Handled on the very promise of the port: `closed` comes one turn later and would know less.
      this.#send(exchange.request).then(undefined, () => {
        if (this.#exchange === exchange) this.#happened({ kind: 'unsent', now: this.clock.now() })
      })
      return
    }
    if (exchange.state.at === 'answered') {
      this.#finish()
      exchange.resolve(exchange.frames)
      return
    }
    if (exchange.state.at === 'failed') {
      this.#finish()
      const problem = this.#problemOf(exchange.state.why, exchange.state.reached, exchange.options)
      this.#log(`${exchange.options.name}: ${exchange.state.why}`)
      exchange.reject(new DeviceError(problem))
      return
    }
    this.#setAlarm(wakeAt(exchange.state))
  }

  #finish(): void {
    this.#exchange = undefined
    this.#cancelAlarm?.()
    this.#cancelAlarm = undefined
  }

  /** An alarm that rings too early only looks at the time and is set anew: cheaper than one per busy byte. */
  #setAlarm(at: number | undefined): void {
    if (at === undefined) return
    if (this.#cancelAlarm && this.#alarmAt <= at) return
    this.#cancelAlarm?.()
    this.#alarmAt = at
    this.#cancelAlarm = this.clock.after(Math.max(0, at - this.clock.now()), () => {
      this.#cancelAlarm = undefined
      this.#rang()
    })
  }

  #rang(): void {
    const exchange = this.#exchange
    if (!exchange) return
    const now = this.clock.now()
    const due = wakeAt(exchange.state)
    if (due !== undefined && now >= due && this.#deframer.expire()) this.#happened({ kind: 'damaged', now })
    else this.#happened({ kind: 'time', now })
  }

  #problemOf(why: Failure, reached: boolean, { fiscal, name }: AskOptions): DeviceProblem {
    if (fiscal && reached && why !== 'echo') {
      const said = why === 'port closed' ? 'the connection was lost' : SAID[why]
      const look = why === 'too long' ? ` ${LOOK}.` : ''
      return { kind: 'outcomeUnknown', what: `${said} after ${name}, which the device may have carried out.${look}` }
    }
    switch (why) {
      case 'no answer':
        return this.silence()
      case 'too long':
        return this.#heardSoFar === 'nonsense' ? this.silence() : { kind: 'atWork' }
      case 'refused frame':
      case 'damaged answer':
      case 'broken stream':
        return { kind: 'lineNoise', why: SAID[why] }
      case 'echo':
        return { kind: 'notThisFamily', why: 'our own bytes come back, as from a loop-back plug or an echoing modem' }
      case 'port closed':
        return this.#portLost(this.#whyLost)
    }
  }

  // ---------------------------------------------------------------- the port

  #whyLost = 'it was closed'

  async #reallyOpen(): Promise<void> {
    let early: string | undefined
    let mine: Port | undefined
    try {
      mine = await this.#openPort({
        heard: (bytes) => this.#heard(bytes),
        lost: (why) => {
          early = why
          if (mine) this.#lost(mine, why)
        },
      })
    } catch (problem) {
      throw new DeviceError({ kind: 'portMissing', path: this.#options.path, why: messageOf(problem) })
    }
    if (early !== undefined) throw new DeviceError(this.#portLost(early))
    this.#port = mine
    this.#heardSoFar = 'nothing'
    this.#deframer.reset()
    this.#log(`opened ${this.#options.path}`)
    for (const call of this.#openedCalls) call()
  }

  #send(bytes: Uint8Array): Promise<void> {
    const port = this.#port
    if (!port) return Promise.reject(new Error(this.#whyLost))
    this.#options.trace?.({ at: this.clock.now(), direction: 'toDevice', bytes })
    return port.write(bytes)
  }

  #lost(port: Port, why: string): void {
    if (this.#port !== port) return
    this.#port = undefined
    this.#whyLost = why
    this.#log(`lost ${this.#options.path}: ${why}`)
    this.#ping?.fail(new DeviceError(this.#portLost(why)))
    // A failed write is reported by itself, and says more: that the device has not got the whole frame.
    queueMicrotask(() => this.#happened({ kind: 'closed', now: this.clock.now() }))
  }

  #portLost(why: string): DeviceProblem {
    return { kind: 'portLost', path: this.#options.path, why }
  }

  #heard(bytes: Uint8Array): void {
    this.#options.trace?.({ at: this.clock.now(), direction: 'toHost', bytes: bytes.slice() })
    if (this.#heardSoFar === 'nothing') this.#heardSoFar = 'nonsense'
    if (this.#ping) this.#heardByPing(bytes)
    else if (this.#exchange) this.#heardByExchange(this.#exchange, bytes)
  }

  #heardByPing(bytes: Uint8Array): void {
    const found = this.#deframer.push(bytes)
    // A late frame may hold any byte: only what stands outside of frames answers a ping.
    const inFrames = this.#deframer.pending || found.some(({ kind }) => kind !== 'single')
    const loose = inFrames ? found.flatMap((one) => (one.kind === 'single' ? [one.byte] : [])) : bytes
    for (const byte of loose) {
      if (!this.#ping?.expected(byte)) continue
      this.#heardSoFar = 'sense'
      this.#ping.answer(byte)
      return
    }
  }

  #heardByExchange(exchange: Exchange<Frame>, bytes: Uint8Array): void {
    const now = this.clock.now()
    if (this.#isEcho(exchange, bytes)) {
      this.#happened({ kind: 'echo', now })
      return
    }
    const { rules } = this.#dialect
    let understood = 0
    for (const found of this.#deframer.push(bytes)) {
      // An answer ends the exchange: what stands behind it in the same piece belongs to nobody.
      if (this.#exchange !== exchange) return
      if (found.kind === 'single') {
        understood++
        if (found.byte === rules.busyByte) this.#happened({ kind: 'busy', now })
        else if (found.byte === rules.refusedByte) this.#happened({ kind: 'refused', now })
        else if (found.byte === rules.laterByte?.byte) this.#happened({ kind: 'later', now })
        else understood--
      } else if (found.kind === 'damaged') {
        // While our own bytes seem to be coming back, what looks damaged is the echo.
        if (exchange.echoed < 0) this.#happened({ kind: 'damaged', now })
      } else {
        understood += found.bytes.length
        this.#heardSoFar = 'sense'
        if (!this.#dialect.matches(found.frame, exchange.request)) this.#happened({ kind: 'stale', now })
        else {
          exchange.frames.push(found.frame)
          this.#happened({ kind: 'answer', last: exchange.options.until?.(found.frame) ?? true, now })
        }
      }
    }
    if (this.#exchange !== exchange) return
    if (this.#deframer.pending) this.#happened({ kind: 'partial', now })
    else if (understood < bytes.length) this.#happened({ kind: 'noise', now })
  }

  /** True when the whole request has come back. */
  #isEcho(exchange: Exchange<Frame>, bytes: Uint8Array): boolean {
    if (exchange.echoed < 0) return false
    for (const byte of bytes) {
      if (byte !== exchange.request[exchange.echoed]) {
        exchange.echoed = -1
        return false
      }
      exchange.echoed++
      if (exchange.echoed === exchange.request.length) return true
    }
    return false
  }

  #log(line: string): void {
    this.#options.log?.(line)
  }
}

const NONSENSE = 'bytes come back that are none of its answers; check the configured family and the speed'

const SAID: Record<Exclude<Failure, 'echo' | 'port closed'>, string> = {
  'no answer': 'the device did not answer',
  'too long': 'the device was not done in time',
  'refused frame': 'the device refused our frames as damaged, every time',
  'damaged answer': 'the answer came damaged',
  'broken stream': 'the device stopped in the middle of its answer',
}
