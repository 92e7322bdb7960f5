/** Simulated runs with faults: how many a second, how many points of a receipt are swept, and what they violate. */

import type { Family } from '../../drivers/model/families.ts'
import { check } from '../../scenarios/simulation/check.ts'
import { sweepBytes, sweepPower } from '../../scenarios/simulation/sweep.ts'
import type { Figure } from './measure.ts'

/** Requests that a run of the target has. */
const REQUESTS = 30

/** A campaign is long: what its first runs take, until Node has compiled them, tells nothing of it. */
const WARM_UP_RUNS = 300

/**
 * With the requests and the mix that `check` draws by itself. `restOf`: how many of these a second the same service carries
 * over HTTP with eight clients, without faults.
 */
export async function faultFigures(
  families: readonly Family[],
  forMs: number,
  restOf: (family: Family) => number,
): Promise<Figure[]> {
  const figures: Figure[] = []
  let violations = 0
  let points = 0
  for (const family of families) {
    await check({ family, runs: WARM_UP_RUNS, seed: 2 })
    const ran = await check({ family, runs: 1_000_000, seed: 1, withinMs: forMs })
    if (ran.failure) violations++
    const perSecond = (ran.requests / ran.tookMs) * 1000
    figures.push(
      { name: `${family}: simulated requests, one core`, value: perSecond, unit: 'requests/s' },
      {
        name: `${family}: simulated requests / REST, 8 clients, the same requests`,
        value: perSecond / restOf(family),
        unit: '',
        target: { atLeast: 1 },
      },
      {
        name: `${family}: simulated fault runs of ${REQUESTS} requests, one core`,
        value: perSecond / REQUESTS,
        unit: 'runs/s',
      },
    )
    for (const swept of [await sweepBytes(family, 'swallow the rest'), await sweepPower(family, 'paper.line')]) {
      points += swept.points
      violations += swept.violations.length
    }
  }
  figures.push({ name: 'points of one receipt swept here', value: points, unit: 'points' })
  figures.push({ name: 'violations', value: violations, unit: '', target: { atMost: 0 } })
  return figures
}
