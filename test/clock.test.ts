import { expect, test } from 'vitest'
import { SimulatedClock, simulate } from '../drivers/model/clock.ts'

const START = Date.UTC(2026, 6, 15)

async function longWork(): Promise<void> {
  for (let count = 0; count < 50; count++) await undefined
}

const after = (clock: SimulatedClock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve))

test('work that a timer starts is finished before the next timer, from the first timer on', async () => {
  const clock = new SimulatedClock(START)
  const calls: string[] = []
  const settles = async (name: string, ms: number) => {
    await after(clock, ms)
    await longWork()
    calls.push(`${name} at ${clock.now()}`)
  }
  await simulate(clock, Promise.all([settles('first', 1), settles('second', 2), settles('third', 3)]))
  expect(calls).toEqual(['first at 1', 'second at 2', 'third at 3'])
})

test('work that takes several turns of the event loop is finished before the next timer, too', async () => {
  const clock = new SimulatedClock(START)
  const calls: number[] = []
  const work = async () => {
    await after(clock, 1)
    await new Promise((resolve) => setImmediate(resolve))
    const early = after(clock, 1).then(longWork)
    const late = after(clock, 1000)
    await early
    calls.push(clock.now())
    await late
    calls.push(clock.now())
  }
  await simulate(clock, work())
  expect(calls).toEqual([2, 1001])
})

test('work that waits without a timer ends with an error, and so does a timer whose callback throws', async () => {
  const clock = new SimulatedClock(START)
  await expect(simulate(clock, new Promise(() => undefined))).rejects.toThrow('no timer will trigger')
  clock.after(1, () => {
    throw new Error('broken')
  })
  await expect(simulate(clock, new Promise(() => undefined))).rejects.toThrow('broken')
})
