import type { Clock } from '../../drivers/model/clock.ts'
import type { Delivery } from '../faults/points.ts'

/** One direction of a line: what is sent arrives in order, at once or later, and may be cut off. */
export class Transit {
  readonly #clock: Clock
  readonly #arrive: (bytes: Uint8Array) => void
  readonly #end: (what: 'unplug' | 'powerCut') => void
  /** When the last piece under way arrives; what is sent meanwhile comes behind it. */
  #lastDue = 0
  #underWay = 0
  readonly #cancels = new Set<() => void>()

  constructor(clock: Clock, arrive: (bytes: Uint8Array) => void, end: (what: 'unplug' | 'powerCut') => void) {
    this.#clock = clock
    this.#arrive = arrive
    this.#end = end
  }

  pass(bytes: Uint8Array): void {
    if (this.#underWay === 0) this.#arrive(bytes)
    else {
      // The sender may use its buffer again before these bytes arrive.
      const copy = bytes.slice()
      this.#later(0, () => this.#arrive(copy))
    }
  }

  deliver({ pieces, ending }: Delivery): void {
    for (const { bytes, afterMs } of pieces) {
      if (afterMs <= 0) this.pass(bytes)
      else {
        const copy = bytes.slice()
        this.#later(afterMs, () => this.#arrive(copy))
      }
    }
    if (!ending) return
    if (this.#underWay === 0) this.#end(ending)
    else this.#later(0, () => this.#end(ending))
  }

  /** What is under way is lost. */
  clear(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels.clear()
    this.#underWay = 0
    this.#lastDue = 0
  }

  #later(afterMs: number, act: () => void): void {
    const now = this.#clock.now()
    this.#lastDue = Math.max(now, this.#lastDue) + afterMs
    this.#underWay++
    const cancel = this.#clock.after(this.#lastDue - now, () => {
      this.#cancels.delete(cancel)
      this.#underWay--
      act()
    })
    this.#cancels.add(cancel)
  }
}
