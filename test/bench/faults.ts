/** Simulated runs with faults: how many a second, how many points of a receipt are swept, and what they violate. */

import fc from 'fast-check'
import type { Family } from '../../drivers/model/families.ts'
import { caseOf } from '../../scenarios/simulation/arbitraries.ts'
import { LENGTH } from '../../scenarios/simulation/check.ts'
import { CheckThread } from '../../scenarios/simulation/check-thread.ts'
import { Run } from '../../scenarios/simulation/run.ts'
import { sweepBytes, sweepPower } from '../../scenarios/simulation/sweep.ts'
import { World } from '../../scenarios/simulation/world.ts'
import type { Figure } from './measure.ts'

/** Cases in which frames are counted. */
const COUNTED = 200

/** What a device is asked for each request of `check`: faults, looks at what became of it, and power that comes back. */
async function framesOfRequest(family: Family): Promise<number> {
  let frames = 0
  let requests = 0
  for (const one of fc.sample(caseOf(family, LENGTH), { seed: 1, numRuns: COUNTED })) {
    const world = new World({ ...one, onSqlite: false })
    world.onEvent = (event) => {
      if (event.type === 'frame' && event.entry.direction === 'toDevice') frames++
    }
    const run = new Run(world)
    for (const step of one.steps) await run.perform(step)
    await run.liveness()
    await world.close()
    requests += run.requests
  }
  return frames / requests
}

/** Requests that a run of the target has. */
const REQUESTS = 30

/**
 * A campaign is long: what its first runs take, until Node has compiled them, tells nothing of it. The service over HTTP
 * has carried two other loads before its own (`rest.ts`).
 */
const WARM_UPS = 2
/** More than any time here is enough for. */
const ENDLESS = 1_000_000

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
    // As a campaign has it: on a thread of its own.
    const core = new CheckThread()
    await core.check({ family, runs: ENDLESS, seed: 2, withinMs: WARM_UPS * forMs })
    const ran = await core.check({ family, runs: ENDLESS, seed: 1, withinMs: forMs })
    await core.end()
    if (ran.failure) violations++
    const perSecond = (ran.requests / ran.tookMs) * 1000
    figures.push(
      { name: `${family}: simulated requests, one core`, value: perSecond, unit: 'requests/s' },
      {
        name: `${family}: frames to the device for each simulated request`,
        value: await framesOfRequest(family),
        unit: '',
      },
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
