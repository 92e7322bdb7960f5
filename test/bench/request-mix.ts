/**
 * The requests that `check` generates, as HTTP calls in the order of a run in which nothing fails. Faults, manual
 * actions and changes of time are left out. So are orders, which require the platform.
 */
import fc from 'fast-check'
import { caseOf } from '../../scenarios/simulation/arbitraries.ts'
import type { Call, Reply } from '../../scenarios/simulation/client.ts'
import { DEFAULT_CASE_STEPS } from '../../scenarios/simulation/default-case-steps.ts'
import { Run } from '../../scenarios/simulation/run.ts'
import { isRequest, type RequestStep, type Step } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import type { Load } from './client.ts'
import type { Family } from './core.ts'

const CASES = 200
const METHODS = new Map(endpoints.map(({ method, path }) => [path, method.toUpperCase()]))

function requestIn(step: Step): RequestStep | undefined {
  const request = step.do === 'crash' ? step.during : step
  return isRequest(request) && request.do !== 'order' ? request : undefined
}

class ReplayOptions extends World {
  readonly calls: Call[] = []

  override send(path: string, body?: object, key?: string): Promise<Reply> {
    this.calls.push({ path, body, key })
    return super.send(path, body, key)
  }
}

export async function drawnCalls(family: Family): Promise<Load['calls']> {
  const calls: Load['calls'][number][] = []
  const drawn = fc.sample(caseOf(family, DEFAULT_CASE_STEPS), { seed: 1, numRuns: CASES })
  for (const [number, { steps, ...options }] of drawn.entries()) {
    const world = new ReplayOptions({ ...options, onSqlite: false })
    const run = new Run(world)
    for (const step of steps) {
      const request = requestIn(step)
      if (request) await run.request(request)
    }
    await run.liveness()
    await world.close()
    for (const { path, body, key } of world.calls) {
      const text = body === undefined ? {} : { body: JSON.stringify(body) }
      const own = key === undefined ? {} : { key: `${number}-${key}` }
      calls.push({ method: METHODS.get(path) ?? 'POST', path: `/api${path}`, ...text, ...own })
    }
  }
  return calls
}
