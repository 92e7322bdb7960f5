/** Simulated runs with faults: how many a second, how many points of a receipt are swept, and what they violate. */

import type { Family } from '../../drivers/model/families.ts'
import { check } from '../../scenarios/simulation/check.ts'
import { sweepBytes, sweepPower } from '../../scenarios/simulation/sweep.ts'
import type { Figure } from './measure.ts'

/** Requests that a run of the target has. */
const REQUESTS = 30

export async function faultFigures(families: readonly string[], forMs: number): Promise<Figure[]> {
  const figures: Figure[] = []
  let violations = 0
  let points = 0
  for (const family of families as readonly Family[]) {
    await check({ family, runs: 50, seed: 1 })
    const ran = await check({ family, runs: 1_000_000, seed: 1, length: 45, withinMs: forMs })
    if (ran.failure) violations++
    const runsOf30 = (ran.requests / REQUESTS / ran.tookMs) * 1000
    figures.push({
      name: `${family}: simulated fault runs of ${REQUESTS} requests, one core`,
      value: runsOf30,
      unit: 'runs/s',
      target: { atLeast: 150 },
    })
    for (const swept of [await sweepBytes(family, 'swallow the rest'), await sweepPower(family, 'paper.line')]) {
      points += swept.points
      violations += swept.violations.length
    }
  }
  figures.push({ name: 'points of one receipt swept here', value: points, unit: 'points' })
  figures.push({ name: 'violations', value: violations, unit: '', target: { atMost: 0 } })
  return figures
}
