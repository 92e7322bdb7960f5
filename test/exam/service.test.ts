/**
 * The service is the till of the exam, on every profile and at depth quick.
 * `npx fiscal-rig exam --family A --till service --depth full` covers each command.
 */
import { describe, expect, it } from 'vitest'
import { serviceTill } from '../../bin/exam/service-till.ts'
import { FAMILIES } from '../../drivers/families.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import { FAULTS } from '../../scenarios/exam/faults.ts'
import { examine, notPassed } from './examine.ts'

const PROFILES = FAMILIES.flatMap((family) => profilesOf(family).map((profile) => ({ family, profile })))

describe('the service as a till', () => {
  it.each(PROFILES)('passes the exam on family $family, profile $profile', async (device) => {
    const end = await examine(serviceTill, device)
    expect(notPassed(end)).toEqual([])
    expect(new Set(end.cases.map(({ fault }) => fault))).toEqual(new Set(['baseline', ...FAULTS.map(({ id }) => id)]))
  })
})
