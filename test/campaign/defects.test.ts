/** Campaign runs find seeded defects in the driver, the link, the service and the totals. */
import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startNode } from '../support/command.ts'
import { copyWith, DEFECTS } from './defects.ts'

/**
 * The runs take seconds of one core, far less than the minute in which each defect must be found. This seed finds all
 * five.
 */
const RUNS = 500
const SEED = 6

describe('the campaign finds and shrinks a seeded defect:', () => {
  it.each(DEFECTS.map((one) => [one.what, one] as const))('%s', async (_what, defect) => {
    const { folder, program } = copyWith(defect)
    const command = `check --family ${defect.family} --runs ${RUNS} --seed ${SEED} --cores 1 --json`
    const { status, out, err } = await startNode([program, ...command.split(' ')]).ended
    rmSync(folder, { recursive: true })
    expect({ status, err: status === 1 ? '' : err }).toEqual({ status: 1, err: '' })
    const [violation] = JSON.parse(out).violations
    expect(violation.words.length).toBeLessThanOrEqual(10)
    expect(violation.command).toContain(`npx fiscal-rig check --family ${defect.family} --seed ${SEED} --path `)
  })
})
