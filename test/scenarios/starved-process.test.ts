/**
 * The process that contains device, service and runner gets no CPU time for longer than a device may be silent. Bytes
 * that were sent earlier over a pty remain unread for that time, and must not count as silence.
 */
import { describe, expect, it } from 'vitest'
import { SimulatedClock, settled, systemClock } from '../../drivers/model/clock.ts'
import { createServedClock } from '../../scenarios/runner/served-clock.ts'
import { emulatedTarget } from '../../scenarios/runner/target/emulated.ts'
import type { Rig, Target } from '../../scenarios/runner/target/target.ts'
import { failures, play, scenarioFile } from './play.ts'

/**
 * The time exceeds the 500 ms for which a device of family B may be silent, but an alarm on the system's clock still
 * counts as in time.
 */
const STILL_MS = 550

function standStill(): void {
  for (const end = systemClock.now() + STILL_MS; systemClock.now() < end; );
}

/** During a call of `path`, the process stops after every `everyFrames` frames. */
function unserved(target: Target, path: string, everyFrames: number) {
  let stood = 0
  const watched = (rig: Rig): Rig['call'] => {
    const frameCount = () => rig.frameCount?.() ?? 0
    return (call) => {
      const pending = rig.call(call)
      if (call.path !== path) return pending
      let next = frameCount() + everyFrames
      let isOver = false
      const look = () => {
        if (isOver) return
        if (frameCount() >= next) {
          standStill()
          stood++
          next = frameCount() + everyFrames
        }
        setImmediate(look)
      }
      look()
      const over = () => {
        isOver = true
      }
      pending.answer.then(over, over)
      return pending
    }
  }
  return {
    stood: () => stood,
    target: {
      ...target,
      async open(setup) {
        const rig = await target.open(setup)
        return { ...rig, call: watched(rig) }
      },
    } satisfies Target,
  }
}

// After a copy, the driver reads the last receipt from the journal with one request per line.
const REPORT = `
name: a report
steps:
  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
  - post /copy-of-last-fiscal-receipt:
  - post /report-x:
check: { receipts: 1, documents: { copy: 1, x: 1 }, books: balanced }
`

describe('a device on a real pty', () => {
  it('does not stop in the middle of its answer because its process was stalled', async () => {
    const { target, stood } = unserved(emulatedTarget('pty', ['B']), '/api/report-x', 25)
    expect(failures(await play([scenarioFile(REPORT)], { target, families: ['B'] }))).toEqual([])
    expect(stood()).toBeGreaterThan(2)
  })
})

describe('the clock of the served process', () => {
  async function turn(system: SimulatedClock, ms: number): Promise<void> {
    system.advance(ms)
    await settled()
  }

  it('advances with the time of the system while turns of the event loop are short', async () => {
    const system = new SimulatedClock(0)
    const clock = createServedClock(system)
    const rung: number[] = []
    clock.after(505, () => void rung.push(system.now()))
    for (let turns = 0; turns < 60; turns++) await turn(system, 10)
    expect(rung).toEqual([505])
  })

  it('counts a long turn of the event loop as a short time: a wait that the turn would have ended continues', async () => {
    const system = new SimulatedClock(0)
    const clock = createServedClock(system)
    let rung = false
    clock.after(500, () => {
      rung = true
    })
    await turn(system, 600)
    expect(clock.now()).toBeLessThan(50)
    let turns = 0
    for (; !rung; turns++) await turn(system, 600)
    expect(turns).toBeGreaterThan(20)
  })

  it("counts the timers of one turn once, however often the clock's interval fires with them", async () => {
    const system = new SimulatedClock(0)
    const clock = createServedClock(system)
    const rung: string[] = []
    clock.after(30, () => void rung.push('wait'))
    setImmediate(() => rung.push('heard'))
    for (let rings = 0; rings < 20; rings++) system.advance(10)
    expect(rung).toEqual([])
    while (rung.length < 2) await turn(system, 10)
    expect(rung).toEqual(['heard', 'wait'])
  })

  it('advances without a wait too, and never backwards', async () => {
    const system = new SimulatedClock(0)
    const clock = createServedClock(system)
    const times = [clock.now()]
    const note = () => void times.push(clock.now())
    await turn(system, 1000)
    note()
    const cancel = clock.after(100, note)
    await turn(system, 1000)
    note()
    cancel()
    note()
    await turn(system, 1000)
    note()
    expect(times).toEqual([...times].sort((one, other) => one - other))
    expect([times[1], times.at(-1)]).toEqual([1000, expect.any(Number)])
    expect(times.at(-1)).toBeGreaterThan(2000)
  })

  it('has no running timer when every wait is over or cancelled', async () => {
    const system = new SimulatedClock(0)
    const clock = createServedClock(system)
    const takeBack = clock.after(100, () => undefined)
    clock.after(20, () => undefined)
    for (let turns = 0; turns < 5; turns++) await turn(system, 10)
    takeBack()
    takeBack()
    expect(system.next()).toBeUndefined()
    let rung = 0
    clock.after(0, () => rung++)
    await turn(system, 0)
    expect([rung, system.next()]).toEqual([1, undefined])
  })

  it('shows the wall clock of the system', () => {
    expect(createServedClock(new SimulatedClock(7)).wallTime()).toBe(7)
  })
})
