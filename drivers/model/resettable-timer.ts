import type { Clock } from './clock.ts'

/**
 * A process that was not served for so long has bytes waiting that it could not read: they are heard first. On the
 * machine that kept it waiting one pause may be over before anything was read, so it is several, each a turn to hear in.
 */
const LATE_MS = 20
const GRACE_MS = 50
const GRACE_ROUNDS = 5

/** One alarm that is set anew all the time. One that rings too early costs less than a new one for every busy byte. */
export class ResettableTimer {
  readonly #clock: Clock
  readonly #rang: () => void
  #cancel: (() => void) | undefined
  #at = 0

  /** `rang` looks at the time itself: it may be early. */
  constructor(clock: Clock, rang: () => void) {
    this.#clock = clock
    this.#rang = rang
  }

  set(at: number | undefined): void {
    if (at === undefined) return
    if (this.#cancel && this.#at <= at) return
    this.#cancel?.()
    this.#at = at
    const now = this.#clock.now()
    // One that is set for a time that has passed is not late.
    const due = Math.max(at, now)
    this.#cancel = this.#clock.after(due - now, () => {
      this.#hear(this.#clock.now() - due > LATE_MS ? GRACE_ROUNDS : 0)
    })
  }

  clear(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  /** Rings behind so many pauses. */
  #hear(pauses: number): void {
    if (pauses > 0) {
      this.#cancel = this.#clock.after(GRACE_MS, () => this.#hear(pauses - 1))
      return
    }
    this.#cancel = undefined
    this.#rang()
  }
}
