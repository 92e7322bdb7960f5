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
  readonly #alarms: Alarm[] = []

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
    return () => this.#drop(alarm)
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
    this.#drop(alarm)
    alarm.call()
  }

  #drop(alarm: Alarm): void {
    const place = this.#alarms.indexOf(alarm)
    if (place >= 0) this.#alarms.splice(place, 1)
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
  // Once per work the rest of the process has its turn, whose timers and messages would wait for the end otherwise.
  await settled()
  for (let turns = 0; !isDone; ) {
    if (clock.jump()) {
      turns = 0
      await quiet()
    } else if (turns++ < PATIENCE) {
      // What is loaded or read from outside needs turns of the event loop, and no alarm.
      await settled()
    } else throw new Error('the work waits for something that no alarm brings')
  }
  return work
}

/** Turns of the event loop that work may take for what is outside of the clock. */
const PATIENCE = 10

/** Everything that promises can do without time or the outside has been done: a tick comes when no promise is left. */
const quiet = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** The same, and the rest of the process has had a turn. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
