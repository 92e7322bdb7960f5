/**
 * The rows of the fault table on one device. `npm test` tries a rotating part of the places. Each device has its own
 * file, so that the devices run in parallel.
 */
import { expect, it } from 'vitest'
import { RunFailed } from '../../scenarios/simulation/run.ts'
import { rotating } from '../support/slice.ts'
import { ROWS } from './fault-table.ts'
import type { Device } from './play.ts'

const REPORTED_FAILURES_MAX = 5
const LONG = { timeout: 3_600_000 }
/** Family C pings before each command, so it has twice as many places, and each takes longer. */
const shareOf = ({ of }: { readonly of: number }, device: Device): number => (device === 'C' ? 2 * of : of)

export function faultTableSuite(device: Device): void {
  const rows = ROWS.filter(({ devices }) => devices.includes(device))
  it.each(rows)(`$name on ${device} never prints twice, loses nothing and says nothing false`, LONG, async (row) => {
    const failures: string[] = []
    const indexes = rotating(await row.count(device), {
      ...row,
      of: shareOf(row, device),
      salt: `${row.name} ${device}`,
    })
    for (const index of indexes) {
      const { name, run } = await row.caseAt(device, index)
      try {
        await run()
      } catch (problem) {
        if (!(problem instanceof RunFailed)) throw problem
        const trace = failures.length === 0 ? `\n${problem.trace.join('\n')}` : ''
        failures.push(`case ${index}: ${name}: ${problem.message}${trace}`)
        if (failures.length === REPORTED_FAILURES_MAX) break
      }
    }
    expect(failures.join('\n\n')).toBe('')
    expect(indexes.length).toBeGreaterThan(0)
  })
}
