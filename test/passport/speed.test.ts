import { describe, expect, it } from 'vitest'
import { serialPort } from '../../drivers/link/port.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import { recordPassport } from '../../scenarios/passport/passport.ts'
import { START } from '../support/rig.ts'
import { PROFILES } from './record-passport.ts'

describe.each(PROFILES)('the queries to family %s, profile %s,', (family, profile) => {
  it.each([
    ['on a network', undefined, 10_000],
    ['at 9600 baud', 9_600, 90_000],
  ] as const)('%s end in time, and each is reported', async (_, baud, limitMs) => {
    const clock = new SimulatedClock(START)
    const emulator = createEmulator({ family, profile, clock, store: new PlainStore(), ...(baud && { baud }) })
    const opener = serialPort(emulator.path, baud ?? 115_200, clock, emulator.binding)
    const progress: number[] = []
    let all = 0
    const { passport } = await simulate(
      clock,
      recordPassport({
        ...{ family, profile, opener, clock, rig: '0' },
        consent: { depth: 'read', z: false },
        progress(done, of) {
          progress.push(done)
          all = of
        },
      }),
    )
    const tookMs = clock.now()
    await emulator.close()
    expect(passport.complete).toBe(true)
    expect(passport.differences).toEqual([])
    expect(progress).toEqual(Array.from({ length: all }, (_unused, index) => index + 1))
    expect(tookMs).toBeLessThan(limitMs)
    if (baud) expect(tookMs).toBeGreaterThan(10_000)
  })
})
