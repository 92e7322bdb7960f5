/**
 * Time is an argument everywhere: only `systemClock` reads the system's clock. There are two times. Code that waits or
 * measures a duration uses the elapsed time, which cannot be set. The wall clock is for times that people read and for
 * dates from outside; a person or the network may set it at any moment.
 */
export interface Clock {
  /** Returns the milliseconds that have passed since some start. */
  now(): number
  /** Returns the milliseconds since 1970-01-01T00:00:00Z, by the wall clock. */
  wallTime(): number
  /** Calls back once after the given time; the returned function cancels the call. */
  after(delayMs: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  after(delayMs, call) {
    // A timer has whole milliseconds only, and must not fire before its time.
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
 * A clock that moves only on request. Timers fire in the order of their times, at their own times. The elapsed time
 * begins at 0, so that it cannot be taken for a date.
 */
export class SimulatedClock implements Clock {
  #now = 0
  /** Time of the wall clock at the start, plus all changes since. */
  #wallAtStart: number
  #order = 0
  readonly #alarms: ScheduledCall[] = []

  /** `start`: start of the wall clock. */
  constructor(start: number) {
    this.#wallAtStart = start
  }

  now(): number {
    return this.#now
  }

  wallTime(): number {
    return this.#wallAtStart + this.#now
  }

  /** Sets the wall clock forward, or back if `byMs` is below zero. The elapsed time does not change. */
  setWall(byMs: number): void {
    this.#wallAtStart += byMs
  }

  after(delayMs: number, call: () => void): () => void {
    // Whole milliseconds, as in the system's clock.
    const alarm = { at: this.#now + Math.max(0, Math.ceil(delayMs)), order: this.#order++, call }
    this.#alarms.push(alarm)
    return () => this.#drop(alarm)
  }

  /** Returns the time of the next timer, or undefined if none is waiting. */
  next(): number | undefined {
    return this.#earliest()?.at
  }

  /** Moves the time forward and fires every timer that falls due on the way. */
  advance(byMs: number): void {
    const until = this.#now + byMs
    for (let alarm = this.#earliest(); alarm && alarm.at <= until; alarm = this.#earliest()) this.#ring(alarm)
    this.#now = until
  }

  /** Jumps to the next timer and fires it; returns false if none is waiting. */
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
 * Runs work of this process on simulated time: pending promises settle, then the clock jumps to its next timer, until
 * the work is done. A report of 40 s or a day of 24 h takes as long as its steps take to compute. Rejects if the work
 * waits for something that no timer brings, and if the work rejects.
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
        process.nextTick(behindPromises)
      } else if (turns++ < PATIENCE) {
        // Loading and reading from outside needs turns of the event loop, and no timer.
        setImmediate(behindPromises)
      } else reject(new Error('the work waits for an event that no timer will trigger'))
    }
    // A tick that is requested among promises runs when they can do nothing more without time or the outside; a tick
    // that is requested elsewhere runs before them.
    const behindPromises = () => void NOTHING.then(onward)
    // Once per work the rest of the process has its turn: otherwise its timers and messages would wait for the end.
    setImmediate(behindPromises)
  })
}

const NOTHING = Promise.resolve()

/** Turns of the event loop that work may take for events outside of the clock. */
const PATIENCE = 10

/**
 * Resolves when promises can do nothing more without time or the outside, and the rest of the process has had a turn.
 */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
