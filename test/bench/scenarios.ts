import { FAMILIES } from '../../drivers/families.ts'
import { scenarioFiles } from '../../scenarios/runner/find-scenarios.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { choosePlays, runPlays } from '../../scenarios/runner/run.ts'
import { emulatedTarget } from '../../scenarios/runner/target/emulated.ts'
import type { Figure } from './measure.ts'

export async function scenarioFigures(): Promise<Figure[]> {
  const loaded = loadScenarios(scenarioFiles(['scenarios']))
  const selection = { families: FAMILIES, only: undefined, tags: [], shard: undefined, seed: 0 }
  const plays = choosePlays(loaded, selection)
  const target = emulatedTarget('emulator', FAMILIES)
  const options = {
    target,
    parallel: 1,
    bail: false,
    update: false,
    repeatOptions: () => [],
    ended: () => undefined,
    updated: () => undefined,
  }
  const { passed, failed, durationMs } = await runPlays(plays, options)
  if (failed > 0) throw new Error(`${failed} scenarios of the collection fail`)
  return [
    { name: 'scenarios, embedded', value: (passed * 1000) / durationMs, unit: '/s', target: { atLeast: 50 } },
    { name: `scenarios, the collection (${passed})`, value: durationMs / 1000, unit: 's', target: { atMost: 60 } },
  ]
}
