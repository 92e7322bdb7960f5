import { CHECK_KINDS, type Check, checkNames } from './checks/index.ts'
import type { LoadedScenario } from './loaded-scenario.ts'
import { manualActionText } from './manual-actions.ts'
import { NEED_NAMES, type Need } from './need-names.ts'
import { fill, fillIfKnown, UnknownName } from './scenario-names.ts'
import { actionsOfGiven } from './steps/device-actions.ts'
import type { LoadedStep } from './steps/step.ts'

export function needsOf(
  { scenario, steps }: LoadedScenario,
  row: Readonly<Record<string, unknown>> = {},
): readonly Need[] {
  const values = new Map(Object.entries(row))
  const { given = {}, profile, check } = scenario
  const every = flat(steps)
  const needs = new Set<Need | undefined>([
    ...(scenario.needs ?? []),
    ...every.map(({ kind, verb, raw }) => kind.needsOf?.(fillIfKnown(raw[verb], values)) ?? kind.needs),
    ...[check, ...every.map(({ kind, verb, raw }) => kind.checks?.(raw[verb]))].flatMap(needsOfCheck),
  ])
  if (profile !== undefined) needs.add('profile')
  for (const { needs: need } of actionsOfGiven(given)) needs.add(need)
  if (given.snapshot !== undefined) needs.add('snapshot')
  if (given.config) needs.add('config')
  if (given.platform || every.some(({ raw }) => raw['session'] !== undefined)) needs.add('platform')
  if (given.powerReturns !== undefined) needs.add('fresh')
  return NEED_NAMES.filter((need) => needs.has(need))
}

export function actionFor(
  need: Need,
  { scenario, steps }: LoadedScenario,
  row: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const values = new Map(Object.entries(row))
  const givenAction = actionsOfGiven(scenario.given ?? {}).find((one) => one.needs === need)
  if (givenAction) return manualActionText(givenAction.name, givenAction.body)
  const step = flat(steps).find(({ kind }) => kind.needs === need && kind.manualAction)
  if (!step) return undefined
  try {
    return step.kind.manualAction?.(fill(step.raw[step.verb], values))
  } catch (error) {
    // The value is known only after an earlier step.
    if (error instanceof UnknownName) return undefined
    throw error
  }
}

const needsOfCheck = (check: Check | undefined) => checkNames(check ?? {}).map((name) => CHECK_KINDS[name].needs)

const flat = (steps: readonly LoadedStep[]): LoadedStep[] => steps.flatMap((step) => [step, ...flat(step.children)])
