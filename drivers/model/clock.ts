/** Time is an argument everywhere: nothing in this project reads the system's clock but `systemClock`. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /** Calls back once after the given time; the function returned takes the call back. */
  after(delayMs: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs)
    return () => clearTimeout(timer)
  },
}

interface Alarm {
  readonly at: number
  readonly order: number
  readonly call: () => void
}

/** A clock that moves only when it is told to. Alarms ring in the order of their times, at their own times. */
export class SimulatedClock implements Clock {
  #now: number
  #order = 0
  #alarms: Alarm[] = []

  constructor(start: number) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  after(delayMs: number, call: () => void): () => void {
    // Whole milliseconds, as the system's clock tells and keeps them.
    const alarm = { at: this.#now + Math.max(0, Math.ceil(delayMs)), order: this.#order++, call }
    this.#alarms.push(alarm)
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm)
    }
  }

  /** Time of the next alarm, or undefined when nothing is waiting. */
  next(): number | undefined {
    return this.#earliest()?.at
  }

  /** Moves the time forward and rings everything that falls due on the way. */
  advance(byMs: number): void {
    const until = this.#now + byMs
    for (let alarm = this.#earliest(); alarm && alarm.at <= until; alarm = this.#earliest()) this.#ring(alarm)
    this.#now = until
  }

  /** Jumps to the next alarm and rings it; false when nothing is waiting. */
  jump(): boolean {
    const alarm = this.#earliest()
    if (!alarm) return false
    this.#ring(alarm)
    return true
  }

  #ring(alarm: Alarm): void {
    this.#now = Math.max(this.#now, alarm.at)
    this.#alarms = this.#alarms.filter((other) => other !== alarm)
    alarm.call()
  }

  #earliest(): Alarm | undefined {
    let earliest: Alarm | undefined
    for (const alarm of this.#alarms) {
      if (!earliest || alarm.at < earliest.at || (alarm.at === earliest.at && alarm.order < earliest.order)) {
        earliest = alarm
      }
    }
    return earliest
  }
}

/**
 * Runs work of this process on simulated time: what is pending settles, then the clock jumps to its next alarm, until
 * the work is done. A report of 40 s or a day of 24 h takes as long as its steps take to compute. Rejects when the work
 * waits for something that no alarm will bring, and as the work does.
 */
export async function simulate<T>(clock: SimulatedClock, work: Promise<T>): Promise<T> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  for (;;) {
    await settled()
    if (isDone) return work
    if (!clock.jump()) throw new Error('the work waits for something that no alarm brings')
  }
}

/** Everything that promises can do without time or the outside has been done. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
