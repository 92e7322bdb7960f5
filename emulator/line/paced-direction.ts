import type { Clock } from '../../drivers/model/clock.ts'
import type { PreciseTime } from './precise-time.ts'

/** One direction of a paced line: bytes go in at once and come out one after the other, each when its stop bit has passed. */

/** Between the first and the last byte of a burst nobody looks closely: they are handed over together that often. */
const SLICE_MS = 4

interface Burst {
  readonly bytes: Uint8Array
  /** When the first start bit begins. */
  readonly begins: number
  readonly byteMs: number
  handed: number
}

export class PacedDirection {
  readonly #clock: Clock
  readonly #time: PreciseTime
  readonly #deliver: (bytes: Uint8Array, endsAt: number, byteMs: number) => void
  #bursts: Burst[] = []
  #freeAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | undefined
  #waiting = 0

  /** `deliver` gets whole bytes and the time at which the last one had passed, which is now or a moment ago. */
  constructor(clock: Clock, time: PreciseTime, deliver: (bytes: Uint8Array, endsAt: number, byteMs: number) => void) {
    this.#clock = clock
    this.#time = time
    this.#deliver = deliver
  }

  /** Bytes that have not come out yet. */
  get waiting(): number {
    return this.#waiting
  }

  /** When the last byte has passed. */
  get freeAt(): number {
    return this.#freeAt
  }

  /** The bytes follow what is under way, and begin at `from` at the earliest; all of them take `forMs`. */
  push(bytes: Uint8Array, from: number, forMs: number): void {
    const begins = Math.max(from, this.#freeAt)
    this.#freeAt = begins + forMs
    if (bytes.length === 0) return
    this.#bursts.push({ bytes, begins, byteMs: forMs / bytes.length, handed: 0 })
    this.#waiting += bytes.length
    if (!this.#cancel) this.#next()
  }

  /** What is under way is lost. */
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
    const soonest = Math.max(burst.begins + (burst.handed + 1) * burst.byteMs, now + SLICE_MS)
    const look = () => {
      this.#hand()
      this.#next()
    }
    // The end of a burst is what the other side waits for.
    this.#cancel =
      soonest + SLICE_MS > ends ? this.#time.at(ends, look) : this.#clock.after(Math.ceil(soonest - now), look)
  }

  #hand(): void {
    const now = this.#time.now()
    for (let burst = this.#bursts[0]; burst; burst = this.#bursts[0]) {
      // A clock of fractions may stand a hair before the end of a byte that it was set to.
      const passed = Math.min(burst.bytes.length, Math.floor((now - burst.begins) / burst.byteMs + 1e-6))
      if (passed > burst.handed) {
        const piece = burst.bytes.subarray(burst.handed, passed)
        burst.handed = passed
        this.#waiting -= piece.length
        if (passed === burst.bytes.length) this.#bursts.shift()
        this.#deliver(piece, burst.begins + passed * burst.byteMs, burst.byteMs)
      }
      if (passed < burst.bytes.length) return
    }
  }
}
