/** Several concurrent clients. fast-check's scheduler chooses which client sends next, and shrinks that choice too. */

import fc from 'fast-check'
import { settled } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { requestStep } from '../../scenarios/simulation/requests.ts'
import { Run } from '../../scenarios/simulation/run.ts'
import { describeStep, type RequestStep } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'
import type { WorldOptions } from '../../scenarios/simulation/world-options.ts'

type Clients = readonly (readonly RequestStep[])[]

export const clients: fc.Arbitrary<Clients> = fc.array(fc.array(requestStep, { minLength: 1, maxLength: 4 }), {
  minLength: 2,
  maxLength: 4,
})

export async function runClients(
  family: Family,
  all: Clients,
  scheduler: fc.Scheduler,
  { profile, onSqlite }: Pick<WorldOptions, 'profile' | 'onSqlite'> = {},
): Promise<void> {
  const world = new World({ family, profile, onSqlite })
  const run = new Run(world)
  try {
    let open = all.length
    const talks = all.map(async (steps, client) => {
      try {
        for (const step of steps) {
          await scheduler.schedule(Promise.resolve(), `client ${client + 1}: ${describeStep(step)}`)
          await run.send(step)
        }
      } finally {
        open--
      }
    })
    const talk = Promise.all(talks)
    talk.catch(() => undefined)
    for (;;) {
      await settled()
      if (open === 0) break
      if (scheduler.count() > 0) await scheduler.waitNext(1)
      else if (!world.clock.jump()) throw new Error('a client waits for an event that no timer will trigger')
    }
    await talk
    await run.liveness()
  } finally {
    await world.close()
  }
}
