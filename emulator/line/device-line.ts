import { ResettableTimer } from '../../drivers/model/resettable-timer.ts'
import { type Deframed, Deframer } from '../../drivers/wire/deframer.ts'
import type { LinkPoint } from '../faults/points.ts'
import type { LoopOptions } from './loop-options.ts'
import { createTransit, type Transit } from './transit.ts'

/** The far end of a line from the device's point of view: a port binding, a pty or a TCP client. */
export interface LineEnd {
  send(bytes: Uint8Array): void
  unplug(): void
  /** Stops the host from sending (true) or lets it continue (false). Absent if the line cannot stop the host. */
  hold?(on: boolean): void
  /** Returns the speed that the host has set; `undefined` if it is not set or not known. */
  speed?(): number | undefined | Promise<number | undefined>
  /**
   * Round-trip time of bytes through the operating system, in ms. Pacing subtracts it, because a real serial port has
   * no such time.
   */
  readonly carriedMs?: number
  /** Name of the program at the other end; `undefined` if unknown. */
  readonly host?: string | undefined
}

export interface LineHandle {
  receive(bytes: Uint8Array): void
  whenQuiet(call: () => void): void
  detach(): void
}

export interface LineOwner {
  readonly options: Pick<LoopOptions, 'wire' | 'clock' | 'injector' | 'onFrame'>
  readonly power: boolean
  deliverFrame(line: DeviceLine, event: Deframed<unknown>): void
  expired(line: DeviceLine, piece: Uint8Array): void
  streamsTo(line: DeviceLine): boolean
  acknowledged(line: DeviceLine, byte: number): boolean
  ended(line: DeviceLine, what: 'unplug' | 'powerCut'): void
}

/** A line of the device: its deframer, its gap limit, and the two directions with their injection points. */
export class DeviceLine {
  readonly end: LineEnd
  readonly quietCalls: (() => void)[] = []
  readonly #owner: LineOwner
  readonly #deframer: Deframer<unknown>
  readonly #in: Transit
  readonly #out: Transit
  readonly #gap: ResettableTimer
  #gapEndsAt = 0
  /** The bytes held until their frame is complete, because effects at `link.toDevice` need the whole frame. */
  #tap: { readonly deframer: Deframer<unknown>; held: Uint8Array; cancel: () => void } | undefined

  constructor(owner: LineOwner, end: LineEnd) {
    const { clock, wire } = owner.options
    this.#owner = owner
    this.end = end
    this.#deframer = new Deframer(wire.shape)
    this.#gap = new ResettableTimer(clock, () => this.#gapRang())
    const ended = (what: 'unplug' | 'powerCut') => owner.ended(this, what)
    this.#in = createTransit(clock, (bytes) => this.#arrived(bytes), ended)
    this.#out = createTransit(clock, (bytes) => end.send(bytes), ended)
  }

  receive(bytes: Uint8Array): void {
    if (!this.#owner.power) return
    if (this.#tap || this.#owner.options.injector.watches('link.toDevice')) this.#tapped(bytes)
    else this.#in.pass(bytes)
  }

  send(bytes: Uint8Array, command: string): void {
    this.#owner.options.onFrame('toHost', bytes, this.end.host)
    this.#through(this.#out, 'link.toHost', command, bytes)
  }

  /** True if no bytes are in transit or held. */
  get atRest(): boolean {
    return this.#in.isEmpty && this.#out.isEmpty && !this.#tap
  }

  clear(): void {
    this.#deframer.reset()
    this.#gap.clear()
    this.#tap?.cancel()
    this.#tap = undefined
    this.#in.clear()
    this.#out.clear()
  }

  #through(transit: Transit, point: LinkPoint, command: string, bytes: Uint8Array): void {
    const { injector, wire } = this.#owner.options
    if (!injector.watches(point)) {
      transit.pass(bytes)
      return
    }
    const direction = point === 'link.toHost' ? 'toHost' : 'toDevice'
    const name = command === 'unknown' ? wire.describe(direction, bytes).command : command
    transit.deliver(injector.link(point, { command: name, bytes }))
  }

  #arrived(bytes: Uint8Array): void {
    if (!this.#owner.power) return
    if (this.#owner.streamsTo(this)) {
      for (const byte of bytes) {
        if (!this.#owner.acknowledged(this, byte)) this.#deframe(Uint8Array.of(byte))
      }
    } else this.#deframe(bytes)
  }

  #deframe(bytes: Uint8Array): void {
    for (const event of this.#deframer.push(bytes)) {
      if (!this.#owner.power) return
      this.#owner.deliverFrame(this, event)
    }
    if (!this.#deframer.pending) {
      this.#gap.clear()
      return
    }
    const { clock, wire } = this.#owner.options
    this.#gapEndsAt = clock.now() + wire.timing.gapMs
    this.#gap.set(this.#gapEndsAt)
  }

  #gapRang(): void {
    if (this.#owner.options.clock.now() < this.#gapEndsAt) {
      this.#gap.set(this.#gapEndsAt)
      return
    }
    const piece = this.#deframer.expire()
    if (piece) this.#owner.expired(this, piece)
  }

  #tapped(bytes: Uint8Array): void {
    const { clock, wire } = this.#owner.options
    this.#tap ??= { deframer: new Deframer(wire.shape), held: new Uint8Array(0), cancel: () => undefined }
    const tap = this.#tap
    tap.cancel()
    let held: Uint8Array = Buffer.concat([tap.held, bytes])
    tap.held = held
    for (const event of tap.deframer.push(bytes)) {
      if (event.kind === 'damaged') continue
      const whole = event.kind === 'single' ? Uint8Array.of(event.byte) : event.bytes
      const at = Buffer.from(held).indexOf(whole)
      if (at < 0) continue
      if (at > 0) this.#in.pass(held.subarray(0, at))
      held = held.subarray(at + whole.length)
      this.#through(this.#in, 'link.toDevice', 'unknown', whole)
      if (this.#tap !== tap) return
    }
    if (tap.deframer.pending) {
      tap.held = held
      tap.cancel = clock.after(wire.timing.gapMs / 2, () => this.#untap())
    } else {
      if (held.length > 0) this.#in.pass(held)
      this.#tap = undefined
    }
  }

  /** Passes a partial frame on unchanged, because the host has paused. */
  #untap(): void {
    const held = this.#tap?.held
    this.#tap = undefined
    if (held && held.length > 0) this.#in.pass(held)
  }
}
