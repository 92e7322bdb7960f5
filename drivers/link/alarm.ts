import type { Clock } from '../model/clock.ts'

/** A process that was not served for so long has answers waiting that it could not read: they are heard first. */
const LATE_MS = 100
const HEARING_MS = 50

/** One alarm that is set anew all the time. One that rings too early costs less than a new one for every busy byte. */
export class Alarm {
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
    const ring = () => {
      this.#cancel = undefined
      this.#rang()
    }
    this.#cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
      const isLate = this.#clock.now() - at > LATE_MS
      if (isLate) this.#cancel = this.#clock.after(HEARING_MS, ring)
      else ring()
    })
  }

  clear(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
