/**
 * A line at its true speed: 8N1, both directions at the same time. If the host's speed is known and differs from the
 * device's, either side receives the bytes that its UART would read. All times are those of the line, not of the
 * machine: an answer begins when the last byte of the request has passed, and the delay of a late delivery is
 * subtracted from the next exchange. The total time of many exchanges is therefore the time of their bytes.
 */
import type { Clock } from '../../drivers/model/clock.ts'
import type { LineEnd, LineHandle } from './device-line.ts'
import { PacedDirection } from './paced-direction.ts'
import { type PreciseTime, preciseTimeOf } from './precise-time.ts'
import { byteMsAt, receivedAt } from './uart.ts'

export type Attach = (end: LineEnd) => LineHandle

interface PacingOptions {
  /** Returns the current speed of the device in baud. Some wire protocols have a command that changes it. */
  readonly baud: () => number
  readonly clock: Clock
  readonly log: (line: string) => void
}

/** Maximum pause before a request that counts as sent at once, as a multiple of `carriedMs`. */
const AT_ONCE = 5
/**
 * Maximum pause, as a multiple of `carriedMs`, that is attributed to the machine if the host sent `HABIT_REQUESTS` of
 * its last `HABIT_OF` requests at once.
 */
const HELD_UP = 25
const HABIT_REQUESTS = 12
const HABIT_OF = 16
/** Numbers of bytes waiting on the line: above the first, the host must stop; below the second, it may continue. */
const HOLD_ABOVE = 4096
const GO_ON_BELOW = 1024
/** Maximum relative difference of two speeds that a UART tolerates. */
const SAME_SPEED = 0.02

export const pacedLine =
  (attach: Attach, options: PacingOptions): Attach =>
  (end) =>
    new PacedLine(attach, end, options).handle

class PacedLine {
  readonly handle: LineHandle
  readonly #options: PacingOptions
  readonly #time: PreciseTime
  readonly #end: LineEnd
  readonly #device: LineHandle
  readonly #toDevice: PacedDirection
  readonly #toHost: PacedDirection
  /** The time of the line while the device receives a byte; `undefined` otherwise. */
  #present: number | undefined
  /** Delay in ms of the last delivered answer. The next request began earlier by this time. */
  #lateMs = 0
  /** Whether each of the host's last requests was sent at once after the previous answer. */
  #sentAtOnce: boolean[] = []
  #hostBaud: number | undefined
  #loggedSpeeds: { readonly host: number; readonly own: number } | undefined
  #holding = false
  #asking: Promise<void> | undefined
  #open = true

  constructor(attach: Attach, end: LineEnd, options: PacingOptions) {
    this.#options = options
    this.#time = preciseTimeOf(options.clock)
    this.#end = end
    this.#toDevice = new PacedDirection(options.clock, this.#time, (bytes, endsAt, byteMs) =>
      this.#receivedAt(bytes, endsAt, byteMs),
    )
    this.#toHost = new PacedDirection(options.clock, this.#time, (bytes, endsAt) => {
      end.send(bytes)
      this.#lateMs = Math.max(0, this.#time.now() - endsAt)
    })
    this.#device = attach({ send: (bytes) => this.#send(bytes), unplug: () => end.unplug() })
    this.handle = {
      receive: (bytes) => this.#receive(bytes),
      whenQuiet: (call) => this.#whenQuiet(call),
      detach: () => this.#detach(),
    }
  }

  #receive(bytes: Uint8Array): void {
    const began = this.#beganAt(this.#time.now())
    this.#lateMs = 0
    const speed = this.#toDevice.waiting > 0 ? this.#hostBaud : this.#end.speed?.()
    if (!this.#asking && !(speed instanceof Promise)) {
      this.#arrive(bytes.slice(), began, speed)
      return
    }
    const copy = bytes.slice()
    const before = this.#asking ?? Promise.resolve()
    const asking: Promise<void> = before
      .then(() => speed)
      .then((knownSpeed) => {
        if (this.#asking === asking) this.#asking = undefined
        if (this.#open) this.#arrive(copy, began, knownSpeed)
      })
    this.#asking = asking
  }

  /**
   * Returns the time at which the host began to send the received bytes. If the host sent them at once, this is the end
   * of the last answer.
   */
  #beganAt(now: number): number {
    const carriedMs = this.#end.carriedMs ?? 0
    const answered = this.#toHost.freeAt
    const onTime = now - this.#lateMs
    const pauseMs = onTime - answered
    const isAtOnce = pauseMs <= carriedMs * AT_ONCE
    const isHeldUp = pauseMs <= carriedMs * HELD_UP && this.#sentAtOnce.filter(Boolean).length >= HABIT_REQUESTS
    this.#sentAtOnce = [...this.#sentAtOnce, isAtOnce].slice(-HABIT_OF)
    return Math.min(now, isAtOnce || isHeldUp ? answered : onTime - carriedMs)
  }

  #arrive(bytes: Uint8Array, began: number, hostBaud: number | undefined): void {
    this.#hostBaud = hostBaud
    const own = this.#options.baud()
    const differs = this.#differs(own)
    const sentBaud = differs ?? own
    this.#toDevice.push(
      differs === undefined ? bytes : receivedAt(bytes, differs, own),
      began,
      bytes.length * byteMsAt(sentBaud),
    )
    if (!this.#holding && this.#toDevice.waiting > HOLD_ABOVE) {
      this.#holding = true
      this.#end.hold?.(true)
    }
  }

  #differs(own: number): number | undefined {
    const host = this.#hostBaud
    if (host === undefined) return undefined
    const isSame = Math.abs(host / own - 1) <= SAME_SPEED
    const isNew = host !== this.#loggedSpeeds?.host || own !== this.#loggedSpeeds.own
    if (isNew && !(isSame && this.#loggedSpeeds === undefined)) {
      const what = isSame ? 'the speed of the device' : `but the device uses ${own}: both sides receive garbled bytes`
      this.#options.log(`line: the client set ${host} baud, ${what}`)
    }
    this.#loggedSpeeds = { host, own }
    return isSame ? undefined : host
  }

  #receivedAt(bytes: Uint8Array, endsAt: number, byteMs: number): void {
    for (let at = 0; at < bytes.length && this.#open; at++) {
      this.#present = endsAt - (bytes.length - 1 - at) * byteMs
      this.#device.receive(bytes.subarray(at, at + 1))
    }
    this.#present = undefined
    if (!this.#holding || this.#toDevice.waiting > GO_ON_BELOW) return
    this.#holding = false
    this.#end.hold?.(false)
  }

  #send(bytes: Uint8Array): void {
    if (!this.#open) return
    const own = this.#options.baud()
    const differs = this.#differs(own)
    const received = differs === undefined ? bytes.slice() : receivedAt(bytes, own, differs)
    this.#toHost.push(received, this.#present ?? this.#time.now(), bytes.length * byteMsAt(own))
  }

  #whenQuiet(call: () => void): void {
    const { clock } = this.#options
    const look = () => {
      const remainingMs = Math.max(this.#toDevice.freeAt, this.#toHost.freeAt) - this.#time.now()
      if (this.#open && (remainingMs > 0 || this.#toHost.waiting > 0))
        clock.after(Math.ceil(Math.max(1, remainingMs)), look)
      else call()
    }
    const remainingMs = this.#toDevice.freeAt - this.#time.now()
    if (remainingMs <= 0) this.#device.whenQuiet(look)
    else clock.after(Math.ceil(remainingMs) + 1, () => this.#device.whenQuiet(look))
  }

  #detach(): void {
    this.#open = false
    this.#toDevice.clear()
    this.#toHost.clear()
    this.#device.detach()
  }
}
