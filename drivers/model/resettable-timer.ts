import type { Clock } from './clock.ts'

/**
 * Limits for a process that was not scheduled for longer than `LATE_MS`. Unread bytes may be waiting and must be
 * received before the timer fires. Under load, a single pause may end before anything is read, so there are several
 * pauses, each with a turn of the event loop.
 */
const LATE_MS = 20
const GRACE_MS = 50
const GRACE_ROUNDS = 5

/** A timer that is rescheduled constantly. An early callback is cheaper than a new timer for every busy byte. */
export class ResettableTimer {
  readonly #clock: Clock
  readonly #rang: () => void
  #cancel: (() => void) | undefined
  #at = 0

  /** `rang` must check the time, because the call may be early. */
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
    const due = Math.max(at, now)
    this.#cancel = this.#clock.after(due - now, () => {
      this.#onTick(this.#clock.now() - due > LATE_MS ? GRACE_ROUNDS : 0)
    })
  }

  clear(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #onTick(pauses: number): void {
    if (pauses > 0) {
      this.#cancel = this.#clock.after(GRACE_MS, () => this.#onTick(pauses - 1))
      return
    }
    this.#cancel = undefined
    this.#rang()
  }
}
