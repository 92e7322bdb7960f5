import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { caseOf } from '../../scenarios/simulation/arbitraries.ts'
import { caseScenario } from '../../scenarios/simulation/case-scenario.ts'
import { EXTRAS, type Step } from '../../scenarios/simulation/steps.ts'
import { failures, play, scenarioFile } from './play.ts'

describe.each(FAMILIES)('a case of family %s', (family) => {
  it('is a valid scenario, and passes on a device without a defect', async () => {
    const cases = fc.sample(caseOf(family, 6), { numRuns: 8, seed: 7 })
    const files = cases.map((one, index) => scenarioFile(caseScenario(one, `case ${index}`)))
    expect(failures(await play(files, { families: [family] }))).toEqual([])
  })

  it.each(EXTRAS)('is a scenario that passes on a device without a defect: a receipt with %s', async (extra) => {
    const step: Step = { do: 'receipt', rows: 2, paying: 'card and cash', with: [extra], key: true }
    const file = scenarioFile(caseScenario({ family, seed: 1, slow: false, steps: [step] }, extra))
    expect(failures(await play([file], { families: [family] }))).toEqual([])
  })
})
