import { describe, expect, it } from 'vitest'
import { serviceTill } from '../../bin/exam/service-till.ts'
import { FAMILIES } from '../../drivers/families.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import { FAULTS } from '../../scenarios/exam/faults.ts'
import { examine, notPassed } from './support.ts'

/**
 * The service as a till, in every profile: quick here; `npx fiscal-rig exam --family A --till service --depth full` takes
 * each command.
 */

const PROFILES = FAMILIES.flatMap((family) => profilesOf(family).map((profile) => ({ family, profile })))

describe('the service passes the exam', () => {
  it.each(PROFILES)('$family $profile', async (device) => {
    const end = await examine(serviceTill, device)
    expect(notPassed(end)).toEqual([])
    // Every fault has found something to strike.
    expect(new Set(end.cases.map(({ fault }) => fault))).toEqual(new Set(['baseline', ...FAULTS.map(({ id }) => id)]))
  })
})
