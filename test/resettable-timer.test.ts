import { describe, expect, it } from 'vitest'
import { type Clock, SimulatedClock } from '../drivers/model/clock.ts'
import { ResettableTimer } from '../drivers/model/resettable-timer.ts'
import { unservedClock } from './support/unserved-clock.ts'

function rig() {
  const clock = new SimulatedClock(0)
  const rung: number[] = []
  let waiting = 0
  const counting: Clock = {
    now: () => clock.now(),
    wallTime: () => clock.wallTime(),
    after(delayMs, call) {
      waiting++
      return clock.after(delayMs, call)
    },
  }
  const alarm = new ResettableTimer(counting, () => rung.push(clock.now()))
  return { clock, alarm, rung, calls: () => waiting }
}

function unserved() {
  const { clock, stopFor } = unservedClock()
  const rung: number[] = []
  return { alarm: new ResettableTimer(clock, () => rung.push(clock.now())), stopFor, rung }
}

describe('a resettable timer', () => {
  it('fires at its time, once', () => {
    const { clock, alarm, rung } = rig()
    alarm.set(500)
    clock.advance(499)
    expect(rung).toEqual([])
    clock.advance(1000)
    expect(rung).toEqual([500])
  })

  it('set later than before fires early, so that a busy byte costs no new timer', () => {
    const { clock, alarm, rung, calls } = rig()
    alarm.set(500)
    alarm.set(500)
    alarm.set(700)
    expect(calls()).toBe(1)
    clock.advance(1000)
    expect(rung).toEqual([500])
  })

  it('set earlier than before fires at the earlier time, and not at the later', () => {
    const { clock, alarm, rung } = rig()
    alarm.set(500)
    alarm.set(300)
    clock.advance(1000)
    expect(rung).toEqual([300])
  })

  it('can be set again after it has fired', () => {
    const { clock, alarm, rung } = rig()
    alarm.set(500)
    clock.advance(500)
    alarm.set(900)
    clock.advance(500)
    expect(rung).toEqual([500, 900])
  })

  it('for a time that has passed fires immediately', () => {
    const { clock, alarm, rung } = rig()
    clock.advance(50)
    alarm.set(10)
    clock.advance(0)
    expect(rung).toEqual([50])
  })

  it('set to no time keeps its time', () => {
    const { clock, alarm, rung } = rig()
    alarm.set(undefined)
    expect(clock.next()).toBeUndefined()
    alarm.set(500)
    alarm.set(undefined)
    clock.advance(1000)
    expect(rung).toEqual([500])
  })

  it('that is cleared does not fire', () => {
    const { clock, alarm, rung } = rig()
    alarm.set(500)
    alarm.clear()
    clock.advance(1000)
    expect(rung).toEqual([])
    expect(clock.next()).toBeUndefined()
  })

  it.each([
    ['a little late fires immediately', 520, [520]],
    ['very late lets pending input be read first', 521, [771]],
  ])('fires immediately if it is a little late', (_name, servedAt, expected) => {
    const { alarm, stopFor, rung } = unserved()
    alarm.set(500)
    stopFor(servedAt)
    for (let turns = 0; turns < 10; turns++) stopFor(50)
    expect(rung).toEqual(expected)
  })

  it('waits for input five times if its pauses end late as well, and then fires', () => {
    const { alarm, stopFor, rung } = unserved()
    alarm.set(500)
    for (let times = 0; times < 5; times++) stopFor(600)
    expect(rung).toEqual([])
    stopFor(600)
    expect(rung).toEqual([3600])
  })

  it('does not fire before pending input is read, if it was very late', () => {
    const { alarm, stopFor, rung } = unserved()
    alarm.set(500)
    stopFor(900)
    alarm.clear()
    stopFor(50)
    expect(rung).toEqual([])
  })
})
