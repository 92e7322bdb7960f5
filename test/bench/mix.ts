/** The requests that `check` draws, as calls over HTTP. Faults, hands and time are left out, and orders: they need the platform. */
import fc from 'fast-check'
import { systemClock } from '../../drivers/model/clock.ts'
import { caseOf } from '../../scenarios/simulation/arbitraries.ts'
import { LENGTH } from '../../scenarios/simulation/check.ts'
import { type Call, Client, endsWell } from '../../scenarios/simulation/client.ts'
import { passwordOf } from '../../scenarios/simulation/sent-requests.ts'
import { isRequest, type RequestStep, type Step } from '../../scenarios/simulation/steps.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import type { Load } from './client.ts'
import type { Family } from './core.ts'

const CASES = 200
const METHODS = new Map(endpoints.map(({ method, path }) => [path, method.toUpperCase()]))
/** As a run ends. */
const END = [{ do: 'receipt', rows: 2, paying: 'card and cash', key: false }, { do: 'z' }] as const

function requestIn(step: Step): RequestStep | undefined {
  const request = step.do === 'crash' ? step.during : step
  return isRequest(request) && request.do !== 'order' ? request : undefined
}

export async function drawnCalls(family: Family): Promise<Load['calls']> {
  const calls: Load['calls'][number][] = []
  const drawn = fc.sample(caseOf(family, LENGTH), { seed: 1, numRuns: CASES })
  for (const [number, { steps }] of drawn.entries()) {
    const add = ({ path, body, key }: Call) => {
      const text = body === undefined ? {} : { body: JSON.stringify(body) }
      const own = key === undefined ? {} : { key: `${number}-${key}` }
      calls.push({ method: METHODS.get(path) ?? 'POST', path: `/api${path}`, ...text, ...own })
      return Promise.resolve({ status: 200, data: { IsOpen: false }, message: '', tookMs: 0 })
    }
    const client = new Client({
      password: passwordOf(family),
      clock: systemClock,
      send: add,
      heard: () => undefined,
    })
    for (const step of steps) {
      const request = requestIn(step)
      if (request) await client.send(request)
    }
    await endsWell(
      (step) => client.send(step),
      { fiscal: false, slip: false },
      () => END,
    )
  }
  return calls
}
