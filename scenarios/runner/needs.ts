/** What a scenario needs of a target, read off its steps and checks; what the file says in `needs` comes on top. */
import type { LoadedScenario, LoadedStep } from './load.ts'
import type { Check, Need } from './schema.ts'
import { NEEDS } from './schema.ts'

const OF_VERB: Readonly<Record<string, Need>> = {
  paper: 'hands',
  cover: 'hands',
  power: 'hands',
  cable: 'hands',
  display: 'displayCable',
  clock: 'clock',
  articles: 'articles',
  reset: 'fresh',
  fault: 'faults',
  clearFaults: 'faults',
  platformFault: 'platform',
  wire: 'wire',
  restart: 'restart',
}

const OF_CHECK: Readonly<Record<keyof Check, Need | undefined>> = {
  paper: 'paper',
  receipts: 'paper',
  documents: 'paper',
  journal: 'journal',
  counters: 'state',
  day: 'state',
  z: 'state',
  receipt: 'state',
  device: 'state',
  display: 'display',
  frames: 'frames',
  books: 'state',
  faults: undefined,
}

export function needsOf({ scenario, steps }: LoadedScenario): readonly Need[] {
  const needs = new Set<Need>(scenario.needs as readonly Need[] | undefined)
  const { given = {}, profile, check } = scenario
  if (profile !== undefined) needs.add('profile')
  if (given.articles) needs.add('articles')
  if (given.clock !== undefined) needs.add('clock')
  if (given.paper !== undefined) needs.add('hands')
  if (given.snapshot !== undefined) needs.add('snapshot')
  if (given.config) needs.add('config')
  if (given.platform) needs.add('platform')
  if (given.mechanism !== undefined || given.powerReturns !== undefined) needs.add('fresh')
  for (const step of flat(steps)) {
    const need = OF_VERB[step.verb]
    if (need) needs.add(need)
    if (step.raw['session'] !== undefined) needs.add('platform')
    ofCheck(step.raw['check'] as Check | undefined, needs)
    const wait = step.raw['wait']
    if (typeof wait === 'object' && wait !== null) ofCheck((wait as { until?: Check }).until, needs)
  }
  ofCheck(check, needs)
  return (Object.keys(NEEDS) as Need[]).filter((need) => needs.has(need))
}

function ofCheck(check: Check | undefined, needs: Set<Need>): void {
  for (const name of Object.keys(check ?? {}) as (keyof Check)[]) {
    const need = OF_CHECK[name]
    if (need) needs.add(need)
  }
}

const flat = (steps: readonly LoadedStep[]): LoadedStep[] => steps.flatMap((step) => [step, ...flat(step.children)])
