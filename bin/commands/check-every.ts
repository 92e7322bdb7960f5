/** `fiscal-rig check --every`: tries every injection point instead of random cases, on all cores. */

import { availableParallelism } from 'node:os'
import { FAMILIES } from '../../drivers/families.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import {
  type CountedDevice,
  chunksOf,
  PLACES_CHUNK,
  type PlacesPlan,
  type Plan,
} from '../../scenarios/campaign/campaign-plan.ts'
import { duration } from '../../scenarios/campaign/progress.ts'
import type { Device } from '../../scenarios/simulation/every/injection-points.ts'
import { allInjectionPoints } from '../../scenarios/simulation/every/try-points.ts'
import { EXIT_USAGE, Exit } from '../exit.ts'
import { reportPlaces } from './check-every-report.ts'
import type { CheckOptions } from './check-options.ts'
import { runWithProgress } from './check-progress.ts'

/** Value of `--profile` for every profile of the families. */
const ALL = 'all'

function devicesOf({ family, profile }: Pick<CheckOptions, 'family' | 'profile'>): readonly Device[] | string {
  const families = family ?? FAMILIES
  const every = families.flatMap((one) => profilesOf(one).map((name) => ({ family: one, profile: name })))
  if (profile === undefined) return families.map((one) => ({ family: one }))
  if (profile === ALL) return every
  const names = profile.split(',').map((name) => name.trim())
  const profileNames = every.map((one) => one.profile)
  const unknown = names.find((name) => !profileNames.includes(name))
  if (unknown !== undefined)
    return `--profile ${unknown}: expected ${ALL}, or profiles of the families, such as ${profileNames.join(',')}`
  const chosen = every.filter((one) => names.includes(one.profile))
  const missing = family?.find((one) => !chosen.some((device) => device.family === one))
  return missing === undefined
    ? chosen
    : `--profile ${profile}: expected a profile of family ${missing} as well, ${profilesOf(missing).join(' or ')}`
}

export async function placesPlanOf(options: CheckOptions): Promise<PlacesPlan> {
  const { pairs = false, path } = options
  const named = devicesOf(options)
  if (typeof named === 'string') throw new Exit(EXIT_USAGE, `error: ${named}`)
  const devices: CountedDevice[] = []
  for (const device of named) devices.push({ ...device, places: (await allInjectionPoints(device, pairs)).length })
  const [part, parts] = path === undefined ? (options.shard ?? [1, 1]) : placeOf(path, devices[0]?.places ?? 0)
  return { devices, pairs, part, parts }
}

function placeOf(path: string, places: number): readonly [part: number, parts: number] {
  if (Number(path) < places) return [Number(path) + 1, places]
  throw new Exit(EXIT_USAGE, `error: --path ${path}: expected the number of a place, 0 to ${places - 1}`)
}

export async function checkEvery(options: CheckOptions): Promise<void> {
  const began = performance.now()
  const every = await placesPlanOf(options)
  const families = [...new Set(every.devices.map(({ family }) => family))]
  const plan: Plan = { families, seed: 1, chunk: PLACES_CHUNK, every }
  const cores = Math.min(options.cores ?? availableParallelism(), chunksOf(plan) ?? 1)
  const { sums } = await runWithProgress(plan, { cores })
  const took = `in ${duration(performance.now() - began)} on ${countText(cores, 'core')}`
  reportPlaces(sums.families(), { ...omitUndefined(options), every, took })
}
