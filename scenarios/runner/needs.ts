/** What a scenario may need of a target: a target that lacks it does not play it, and says so. */
import { CHECK_KINDS, type Check, checkNames } from './checks/index.ts'
import type { LoadedScenario } from './load.ts'
import type { LoadedStep } from './steps/step.ts'

export const NEEDS = {
  config: 'a configuration of its own for the service',
  profile: 'a chosen profile of the device',
  fresh: 'a new device',
  articles: 'articles programmed from outside',
  clock: "the device's clock moved from outside",
  hands: 'hands on the device: paper, cover, power, cable',
  displayCable: 'the display plugged in and out',
  faults: 'faults on command, on the line and inside the device',
  linkFaults: 'faults on command, on the line alone',
  snapshot: 'a snapshot put into the device',
  paper: 'the printed paper read back',
  journal: 'the electronic journal read back',
  state: "the device's own counters, totals and archive read back",
  display: 'the display read back',
  frames: 'the frames on the wire read back',
  platform: "the order platform's stand-in",
  restart: 'the service started anew over the same device',
  wire: 'bytes of our own on a line to the device',
} as const
export type Need = keyof typeof NEEDS
export const NEED_NAMES = Object.keys(NEEDS) as [Need, ...Need[]]

/** Read off its steps and checks; what the file says in `needs` comes on top. */
export function needsOf({ scenario, steps }: LoadedScenario): readonly Need[] {
  const { given = {}, profile, check } = scenario
  const every = flat(steps)
  const needs = new Set<Need | undefined>([
    ...(scenario.needs ?? []),
    ...every.map(({ kind }) => kind.needs),
    ...[check, ...every.map(({ kind, verb, raw }) => kind.checks?.(raw[verb]))].flatMap(ofCheck),
  ])
  if (profile !== undefined) needs.add('profile')
  if (given.articles) needs.add('articles')
  if (given.clock !== undefined) needs.add('clock')
  if (given.paper !== undefined) needs.add('hands')
  if (given.snapshot !== undefined) needs.add('snapshot')
  if (given.config) needs.add('config')
  if (given.platform || every.some(({ raw }) => raw['session'] !== undefined)) needs.add('platform')
  if (given.mechanism !== undefined || given.powerReturns !== undefined) needs.add('fresh')
  return NEED_NAMES.filter((need) => needs.has(need))
}

const ofCheck = (check: Check | undefined) => checkNames(check ?? {}).map((name) => CHECK_KINDS[name].needs)

const flat = (steps: readonly LoadedStep[]): LoadedStep[] => steps.flatMap((step) => [step, ...flat(step.children)])
