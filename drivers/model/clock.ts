/**
 * Source of time. Waits and durations use the elapsed time, which cannot be set. Times for people, and dates from
 * outside, use the wall clock, which a person or the network may set at any moment.
 */

export interface Clock {
  /** Returns the elapsed time since an arbitrary start, in ms. */
  now(): number
  /** Returns the wall time, in ms since 1970-01-01T00:00:00Z. */
  wallTime(): number
  after(delayMs: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  after(delayMs, call) {
    // Timers have whole milliseconds, and a timer must not fire too early.
    const timer = setTimeout(call, Math.ceil(delayMs))
    return () => clearTimeout(timer)
  },
}

interface ScheduledCall {
  readonly at: number
  readonly order: number
  readonly call: () => void
}

/**
 * A clock that advances only on request. Timers fire in the order of their times. The elapsed time begins at 0, so it
 * cannot be mistaken for a date.
 */
export class SimulatedClock implements Clock {
  #now = 0
  #wallAtStart: number
  #order = 0
  readonly #alarms: ScheduledCall[] = []

  constructor(start: number) {
    this.#wallAtStart = start
  }

  now(): number {
    return this.#now
  }

  wallTime(): number {
    return this.#wallAtStart + this.#now
  }

  setWall(byMs: number): void {
    this.#wallAtStart += byMs
  }

  after(delayMs: number, call: () => void): () => void {
    const alarm = { at: this.#now + Math.max(0, Math.ceil(delayMs)), order: this.#order++, call }
    this.#alarms.push(alarm)
    return () => this.#drop(alarm)
  }

  next(): number | undefined {
    return this.#earliest()?.at
  }

  advance(byMs: number): void {
    const until = this.#now + byMs
    for (let alarm = this.#earliest(); alarm && alarm.at <= until; alarm = this.#earliest()) this.#ring(alarm)
    this.#now = until
  }

  jump(): boolean {
    const alarm = this.#earliest()
    if (!alarm) return false
    this.#ring(alarm)
    return true
  }

  #ring(alarm: ScheduledCall): void {
    this.#now = Math.max(this.#now, alarm.at)
    this.#drop(alarm)
    alarm.call()
  }

  #drop(alarm: ScheduledCall): void {
    const place = this.#alarms.indexOf(alarm)
    if (place >= 0) this.#alarms.splice(place, 1)
  }

  #earliest(): ScheduledCall | undefined {
    let earliest: ScheduledCall | undefined
    for (const alarm of this.#alarms) {
      if (!earliest || alarm.at < earliest.at || (alarm.at === earliest.at && alarm.order < earliest.order)) {
        earliest = alarm
      }
    }
    return earliest
  }
}

/**
 * Runs work of this process on simulated time. Whenever promises can make no more progress, the clock jumps to its next
 * timer. Rejects if the work rejects, or if it waits for an event that no timer triggers.
 */
export function simulate<T>(clock: SimulatedClock, work: Promise<T>): Promise<T> {
  let isDone = false
  let turns = 0
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  return new Promise((resolve, reject) => {
    const onward = () => {
      if (isDone) return resolve(work)
      let rang: boolean
      try {
        rang = clock.jump()
      } catch (problem) {
        return reject(problem)
      }
      if (rang) {
        turns = 0
        process.nextTick(afterPromises)
      } else if (turns++ < OUTSIDE_TURNS_MAX) {
        // Loading modules and reading files need turns of the event loop, but no timer.
        setImmediate(afterPromises)
      } else reject(new Error('the work waits for an event that no timer will trigger'))
    }
    // A tick that is requested from a promise runs after all promises that need neither time nor outside events. A tick
    // that is requested elsewhere would run before them.
    const afterPromises = () => void RESOLVED.then(onward)
    // The rest of the process gets a turn first. Otherwise its timers and messages would wait until the work ends.
    setImmediate(afterPromises)
  })
}

const RESOLVED = Promise.resolve()

const OUTSIDE_TURNS_MAX = 10

/**
 * Resolves when promises can make no more progress without time or outside events, and the rest of the process has had
 * a turn.
 */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
