/** Simulated runs with faults: runs per second, the number of tried injection points of a receipt, and violations. */

import fc from 'fast-check'
import { caseOf } from '../../scenarios/simulation/arbitraries.ts'
import { CheckThread } from '../../scenarios/simulation/check-thread.ts'
import { DEFAULT_CASE_STEPS } from '../../scenarios/simulation/default-case-steps.ts'
import { Run } from '../../scenarios/simulation/run.ts'
import { World } from '../../scenarios/simulation/world.ts'
import { ROWS } from '../fault-table/fault-table.ts'
import type { Family } from './core.ts'
import { type Figure, median } from './measure.ts'
import { drawnCalls } from './request-mix.ts'
import { drawnLoad } from './rest.ts'

const BYTES = ROWS.find(({ name }) => name === 'every byte of a receipt') as (typeof ROWS)[number]
const BYTES_EVERY = 10

const COUNTED = 200

async function framesOfRequest(family: Family): Promise<number> {
  let frames = 0
  let requests = 0
  for (const one of fc.sample(caseOf(family, DEFAULT_CASE_STEPS), { seed: 1, numRuns: COUNTED })) {
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

const REQUESTS = 30

/**
 * Length of the warm-up, as a multiple of the measured time: a campaign is long, and on a slow machine Node needs 10 s
 * and more to compile the code.
 */
const WARM_UPS = 6
/** Number of pairs. The speed of a busy machine varies, so both values of a ratio are measured in turn. */
const TURNS = 15
const ENDLESS = 1_000_000

interface Measured {
  readonly simulatedPerSecond: number
  readonly restPerSecond: number
  readonly ratio: number
  readonly restFrames: number
  readonly violations: number
}

/**
 * Measures requests of `check` with faults on one core, and the same requests over HTTP from eight clients without
 * faults.
 */
async function simulatedAndRest(family: Family, forMs: number): Promise<Measured> {
  // A campaign runs on a separate thread, too.
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
    // Every turn starts at another position in the list of calls.
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
