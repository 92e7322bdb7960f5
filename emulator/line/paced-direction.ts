/**
 * A direction of a paced line. Bytes enter together and leave one after the other, each after its stop bit has
 * passed.
 */
import type { Clock } from '../../drivers/model/clock.ts'
import type { PreciseTime } from './precise-time.ts'

/**
 * Interval in ms at which the bytes of a burst are delivered together; exact times matter only at its start and end.
 */
const SLICE_MS = 4

interface Burst {
  readonly bytes: Uint8Array
  readonly begins: number
  readonly byteMs: number
  deliveredCount: number
}

export class PacedDirection {
  readonly #clock: Clock
  readonly #time: PreciseTime
  readonly #deliver: (bytes: Uint8Array, endsAt: number, byteMs: number) => void
  #bursts: Burst[] = []
  #freeAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | undefined
  #waiting = 0

  /** `deliver` receives whole bytes and the time at which the last one had passed, which is now or shortly before. */
  constructor(clock: Clock, time: PreciseTime, deliver: (bytes: Uint8Array, endsAt: number, byteMs: number) => void) {
    this.#clock = clock
    this.#time = time
    this.#deliver = deliver
  }

  get waiting(): number {
    return this.#waiting
  }

  get freeAt(): number {
    return this.#freeAt
  }

  /** Appends bytes that begin to pass at `from` or later. All of them together take `forMs`. */
  push(bytes: Uint8Array, from: number, forMs: number): void {
    const begins = Math.max(from, this.#freeAt)
    this.#freeAt = begins + forMs
    if (bytes.length === 0) return
    this.#bursts.push({ bytes, begins, byteMs: forMs / bytes.length, deliveredCount: 0 })
    this.#waiting += bytes.length
    if (!this.#cancel) this.#next()
  }

  clear(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#bursts = []
    this.#waiting = 0
    this.#freeAt = Number.NEGATIVE_INFINITY
  }

  #next(): void {
    const burst = this.#bursts[0]
    if (!burst) {
      this.#cancel = undefined
      return
    }
    const now = this.#time.now()
    const ends = burst.begins + burst.bytes.length * burst.byteMs
    const soonest = Math.max(burst.begins + (burst.deliveredCount + 1) * burst.byteMs, now + SLICE_MS)
    const look = () => {
      this.#deliverDue()
      this.#next()
    }
    // The other side waits for the end of a burst, so that its time must be exact.
    this.#cancel =
      soonest + SLICE_MS > ends ? this.#time.at(ends, look) : this.#clock.after(Math.ceil(soonest - now), look)
  }

  #deliverDue(): void {
    const now = this.#time.now()
    for (let burst = this.#bursts[0]; burst; burst = this.#bursts[0]) {
      // A clock with fractions may be slightly before the end of the byte for which it was set.
      const passed = Math.min(burst.bytes.length, Math.floor((now - burst.begins) / burst.byteMs + 1e-6))
      if (passed > burst.deliveredCount) {
        const piece = burst.bytes.subarray(burst.deliveredCount, passed)
        burst.deliveredCount = passed
        this.#waiting -= piece.length
        if (passed === burst.bytes.length) this.#bursts.shift()
        this.#deliver(piece, burst.begins + passed * burst.byteMs, burst.byteMs)
      }
      if (passed < burst.bytes.length) return
    }
  }
}
