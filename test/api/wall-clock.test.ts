/**
 * Changes of the computer's wall clock while the service runs: waits and stored responses are not affected (decisions
 * 3).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'
import { START } from '../support/rig.ts'

const HOUR_MS = 3_600_000
const PRINT = '/print-fiscal-receipt'
const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }

let folder: string
let rig: KillableService
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-time-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const receipts = () => rig.emulator.device.documents().filter(({ kind }) => kind === 'fiscal').length

describe.each(FAMILIES)('family %s', (family) => {
  beforeEach(() => {
    rig = startKillableService(family, { journal: join(folder, 'answers.sqlite') })
  })
  afterEach(() => rig.close())

  it.each([26, -26])('a key still has its first answer seconds after the clock was set by %i h', async (hours) => {
    const first = await rig.post(PRINT, RECEIPT, 'a')
    expect(first.StatusCode).toBe(200)
    rig.clock.setWall(hours * HOUR_MS)
    rig.clock.advance(5000)
    expect(await rig.post(PRINT, RECEIPT, 'a')).toEqual(first)
    rig.restart()
    expect(await rig.post(PRINT, RECEIPT, 'a')).toEqual(first)
    expect(receipts()).toBe(1)
  })

  it('a key does not expire after 24 hours of running time unless as much time has passed on the wall clock', async () => {
    const first = await rig.post(PRINT, RECEIPT, 'a')
    rig.clock.advance(25 * HOUR_MS)
    rig.clock.setWall(-25 * HOUR_MS)
    expect(await rig.post(PRINT, RECEIPT, 'a')).toEqual(first)
    rig.clock.setWall(25 * HOUR_MS)
    await rig.post('/report-z')
    expect((await rig.post(PRINT, RECEIPT, 'a')).Data).not.toBe(first.Data)
    expect(receipts()).toBe(2)
  })

  it.each([-1, 26])(
    'a request takes the usual time if the clock is set by %i h in the middle of an exchange',
    async (hours) => {
      const lost = { at: 'link.toHost', do: 'drop', skip: 4, times: 2 } as const
      const taken: number[] = []
      for (const byMs of [0, hours * HOUR_MS]) {
        await rig.run(rig.printer.connect())
        rig.emulator.faults.add(lost)
        const began = rig.clock.now()
        const cancel = rig.clock.after(100, () => rig.clock.setWall(byMs))
        expect((await rig.post(PRINT, RECEIPT)).StatusCode).toBe(200)
        cancel()
        taken.push(rig.clock.now() - began)
        rig.emulator.faults.clear()
      }
      expect(Math.abs((taken[1] ?? 0) - (taken[0] ?? 0))).toBeLessThan(3000)
      expect(receipts()).toBe(2)
    },
  )

  it('the emulated device has its own clock', () => {
    const { device } = rig.emulator
    const before = device.localTime()
    rig.clock.setWall(-HOUR_MS)
    expect(device.localTime()).toBe(before)
  })
})

it('the clock of the system advances, whatever the date is', () => {
  expect(systemClock.now()).toBeLessThan(START)
  expect(systemClock.wallTime()).toBeGreaterThan(START - 365 * 24 * HOUR_MS)
})
