import type { Clock } from '../model/clock.ts'

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
    this.#cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
      this.#cancel = undefined
      this.#rang()
    })
  }

  clear(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
