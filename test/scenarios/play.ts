/** Runs `fiscal-rig run` in this process, with scenarios that a test creates. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import type { Result } from '../../scenarios/runner/play-scenario.ts'
import { choosePlays, runPlays, type Summary } from '../../scenarios/runner/run.ts'
import { emulatedTarget } from '../../scenarios/runner/target/emulated.ts'
import type { Target } from '../../scenarios/runner/target/target.ts'

export interface PlayOptions {
  readonly target?: Target
  readonly families?: readonly Family[]
  readonly profile?: string
  readonly tags?: readonly string[]
  readonly only?: string
  readonly grep?: RegExp
  readonly repeatEach?: number
  readonly retries?: number
  readonly everything?: boolean
  readonly shard?: { readonly index: number; readonly of: number }
  readonly bail?: boolean
  readonly parallel?: number
  readonly update?: boolean
  readonly seed?: number
}

export async function play(files: readonly string[], options: PlayOptions = {}): Promise<Summary> {
  const families = options.families ?? FAMILIES
  const target = options.target ?? emulatedTarget('emulator', families)
  const loaded = loadScenarios(files, { update: options.update === true })
  const { profile, only, grep, repeatEach, tags = [], shard, seed = 0 } = options
  const plays = choosePlays(loaded, { families, profile, only, grep, repeatEach, tags, shard, seed })
  try {
    return await runPlays(plays, {
      target,
      retries: options.retries ?? 0,
      everything: options.everything === true,
      parallel: options.parallel ?? 1,
      bail: options.bail === true,
      update: options.update === true,
      repeatOptions: () => ['--target', target.name, '--seed', '0'],
      ended: () => undefined,
      updated: () => undefined,
    })
  } finally {
    await target.close()
  }
}

export const failures = ({ results }: Pick<Summary, 'results'>): string[] =>
  results.flatMap((result) =>
    result.status === 'failed' ? [`${result.play.name}: ${wrongWith(result).join(' | ')}`] : [],
  )

export const wrongWith = ({ failure }: Result): string[] => (failure?.problems ?? []).map(({ what }) => what)

export function scenarioFile(text: string, name = 'scenario.yaml'): string {
  const file = join(mkdtempSync(join(tmpdir(), 'fiscal-rig-scenario-')), name)
  writeFileSync(file, text)
  return file
}
