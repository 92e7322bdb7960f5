/** Simulated runs with faults: how many a second, how many points of a receipt are swept, and what they violate. */

import fc from 'fast-check'
import { caseOf } from '../../scenarios/simulation/arbitraries.ts'
import { LENGTH } from '../../scenarios/simulation/check.ts'
import { CheckThread } from '../../scenarios/simulation/check-thread.ts'
import { Run } from '../../scenarios/simulation/run.ts'
import { World } from '../../scenarios/simulation/world.ts'
import { ROWS } from '../troubles/table.ts'
import type { Family } from './core.ts'
import { type Figure, median } from './measure.ts'
import { drawnCalls } from './mix.ts'
import { drawnLoad } from './rest.ts'

const BYTES = ROWS.find(({ name }) => name === 'every byte of a receipt') as (typeof ROWS)[number]
const BYTES_EVERY = 10

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
 * A campaign is long, and so is a day of a service: what the first requests take tells nothing. On a slow machine Node has
 * compiled all of them only after 10 s and more.
 */
const WARM_UPS = 6
/** A machine that does other things is not as fast at all times: the two of a ratio are measured by turns, each pair by itself. */
const TURNS = 15
/** More than any time here is enough for. */
const ENDLESS = 1_000_000

interface Measured {
  readonly simulatedPerSecond: number
  readonly restPerSecond: number
  readonly ratio: number
  readonly restFrames: number
  readonly violations: number
}

/** Requests of `check` with its faults on one core, and the same requests over HTTP, eight clients, without faults. */
async function simulatedAndRest(family: Family, forMs: number): Promise<Measured> {
  // As a campaign has it: on a thread of its own.
  const core = new CheckThread()
  const simulate = (seed: number, withinMs: number) => core.check({ family, runs: ENDLESS, seed, withinMs })
  await simulate(TURNS + 1, WARM_UPS * forMs)
  const calls = await drawnCalls(family)
  await drawnLoad(family, calls, WARM_UPS * forMs)
  const turns: { readonly simulated: number; readonly rest: number; readonly frames: number }[] = []
  let violations = 0
  for (let turn = 1; turn <= TURNS; turn++) {
    const ran = await simulate(turn, forMs)
    if (ran.failure) violations++
    // Each turn begins at another place of them.
    const place = Math.floor(((turn - 1) * calls.length) / TURNS)
    const load = await drawnLoad(family, [...calls.slice(place), ...calls.slice(0, place)], forMs)
    turns.push({ simulated: (ran.requests / ran.tookMs) * 1000, rest: load.perSecond, frames: load.frames })
  }
  await core.end()
  return {
    simulatedPerSecond: median(turns.map(({ simulated }) => simulated)),
    restPerSecond: median(turns.map(({ rest }) => rest)),
    ratio: median(turns.map(({ simulated, rest }) => simulated / rest)),
    restFrames: median(turns.map(({ frames }) => frames)),
    violations,
  }
}

/** With the requests and the mix that `check` draws by itself. */
export async function faultFigures(families: readonly Family[], forMs: number): Promise<Figure[]> {
  const figures: Figure[] = []
  let violations = 0
  let points = 0
  for (const family of families) {
    const measured = await simulatedAndRest(family, forMs)
    violations += measured.violations
    figures.push(
      { name: `${family}: simulated requests, one core`, value: measured.simulatedPerSecond, unit: 'requests/s' },
      {
        name: `${family}: frames to the device for each simulated request`,
        value: await framesOfRequest(family),
        unit: '',
      },
      {
        name: `${family}: REST, 8 clients, requests as check draws them`,
        value: measured.restPerSecond,
        unit: 'requests/s',
      },
      { name: `${family}: frames to the device for each of these requests`, value: measured.restFrames, unit: '' },
      {
        name: `${family}: simulated requests / REST, 8 clients, the same requests`,
        value: measured.ratio,
        unit: '',
        target: { atLeast: 1 },
      },
      {
        name: `${family}: simulated fault runs of ${REQUESTS} requests, one core`,
        value: measured.simulatedPerSecond / REQUESTS,
        unit: 'runs/s',
      },
    )
    for (let index = 0, count = await BYTES.count(family); index < count; index += BYTES_EVERY) {
      points++
      const { run } = await BYTES.caseAt(family, index)
      await run().catch(() => violations++)
    }
  }
  figures.push({ name: 'points of one receipt swept here', value: points, unit: 'points' })
  figures.push({ name: 'violations', value: violations, unit: '', target: { atMost: 0 } })
  return figures
}
