/**
 * Time is an argument everywhere: nothing in this project reads the system's clock but `systemClock`. There are two
 * times. What waits, or measures how long something took, counts the time that passes, which nobody can set. The wall
 * clock is for what people read, and for what others have dated; a hand or the network may set it at any moment.
 */
export interface Clock {
  /** Milliseconds that have passed since some start. */
  now(): number
  /** Milliseconds since 1970-01-01T00:00:00Z, by the wall clock. */
  wallTime(): number
  /** Calls back once after the given time; the function returned takes the call back. */
  after(delayMs: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  after(delayMs, call) {
    // A timer knows whole milliseconds only, and must not ring before its time.
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
 * A clock that moves only when it is told to. Alarms ring in the order of their times, at their own times. The time
 * that passes begins at 0, so that it cannot be taken for a date.
 */
export class SimulatedClock implements Clock {
  #now = 0
  /** What the wall clock showed at the start, and by how much it was set since. */
  #wallAtStart: number
  #order = 0
  readonly #alarms: ScheduledCall[] = []

  /** `start`: of the wall clock. */
  constructor(start: number) {
    this.#wallAtStart = start
  }

  now(): number {
    return this.#now
  }

  wallTime(): number {
    return this.#wallAtStart + this.#now
  }

  /** Somebody sets the wall clock, back when `byMs` is below zero. Nothing else notices. */
  setWall(byMs: number): void {
    this.#wallAtStart += byMs
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
 * Runs work of this process on simulated time: what is pending settles, then the clock jumps to its next alarm, until
 * the work is done. A report of 40 s or a day of 24 h takes as long as its steps take to compute. Rejects when the work
 * waits for something that no alarm will bring, and as the work does.
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
        // What is loaded or read from outside needs turns of the event loop, and no alarm.
        setImmediate(behindPromises)
      } else reject(new Error('the work waits for something that no alarm brings'))
    }
    // A tick that is asked for among promises comes when they can do nothing more without time or the outside; one that is
    // asked for elsewhere comes before them.
    const behindPromises = () => void NOTHING.then(onward)
    // Once per work the rest of the process has its turn, whose timers and messages would wait for the end otherwise.
    setImmediate(behindPromises)
  })
}

const NOTHING = Promise.resolve()

/** Turns of the event loop that work may take for what is outside of the clock. */
const PATIENCE = 10

/** Everything that promises can do without time or the outside has been done, and the rest of the process has had a turn. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
