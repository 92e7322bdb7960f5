/** `fiscal-rig check --every`: tries every place instead of drawing cases, on all cores. */
import { availableParallelism } from 'node:os'
import { FAMILIES } from '../../drivers/families.ts'
import { optionWords, rigCommand } from '../../drivers/host/shell-command.ts'
import { present } from '../../drivers/model/present.ts'
import { duration, type Progress } from '../../scenarios/campaign/progress.ts'
import { caseScenario } from '../../scenarios/simulation/case-scenario.ts'
import { failureText } from '../../scenarios/simulation/check.ts'
import { CheckThread } from '../../scenarios/simulation/check-thread.ts'
import type { Device } from '../../scenarios/simulation/every/places.ts'
import {
  allPlaces,
  byKind,
  type EveryResult,
  kindOf,
  type PlaceFailure,
  type PlacesOrder,
} from '../../scenarios/simulation/every/try-places.ts'
import { EXIT_FAILED, EXIT_USAGE, Exit, endOnSignal } from '../exit.ts'
import { io } from '../io.ts'
import type { CheckOptions } from './check-options.ts'
import { tellProgress } from './check-progress.ts'
import { deliver, isWritten } from './check-report.ts'

/** Places that a core gets at a time: some seconds. */
const CHUNK = 200
/** Places of a kind of violation that are listed after the first. */
const LISTED = 8

/** What the places of a device come to. */
interface DeviceSums extends Pick<EveryResult, 'runs' | 'requests' | 'hits' | 'tookMs' | 'failures'> {
  readonly device: Device
  /** Number of all places, those of other shards included. */
  readonly places: number
}

export async function checkEvery(options: CheckOptions): Promise<void> {
  const began = performance.now()
  const [shard, shards] = options.shard ?? [1, 1]
  const devices: readonly Device[] = (options.family ?? FAMILIES).map((family) => ({
    family,
    ...present({ profile: options.profile }),
  }))
  const counts = await Promise.all(devices.map(async (device) => (await allPlaces(device, options.pairs)).length))
  const sums: DeviceSums[] = devices.map((device, index) => ({
    ...{ device, places: counts[index] ?? 0 },
    ...{ runs: 0, requests: 0, hits: 0, tookMs: 0, failures: [] },
  }))
  const orders = devices.flatMap((device, index) => ordersFor(device, counts[index] ?? 0, options))
  const stop = new AbortController()
  void endOnSignal().then(() => stop.abort())
  const total = (of: 'runs' | 'requests' | 'hits'): number => sums.reduce((before, one) => before + one[of], 0)
  const progress = (): Progress => ({
    ...{ runs: total('runs'), requests: total('requests'), hits: total('hits') },
    violations: sums.reduce((before, { failures }) => before + failures.length, 0),
    of: orders.reduce((before, { runs }) => before + runs, 0),
    tookMs: performance.now() - began,
  })
  const teller = tellProgress(progress)
  const cores = Math.min(options.cores ?? availableParallelism(), orders.length)
  try {
    await onCores(orders, cores, stop.signal, (result) => {
      const index = devices.findIndex(({ family }) => family === result.family)
      const before = sums[index] as DeviceSums
      sums[index] = {
        ...before,
        ...{ runs: before.runs + result.runs, requests: before.requests + result.requests },
        ...{ hits: before.hits + result.hits, tookMs: before.tookMs + result.tookMs },
        failures: [...before.failures, ...result.failures].toSorted((a, b) => a.place - b.place),
      }
    })
  } finally {
    teller.end()
  }
  const { runs, of, violations, tookMs } = progress()
  const part = shards === 1 ? '' : ` of shard ${shard}/${shards}`
  const tried = runs === of ? `all ${runs} places${part}` : `${runs} of ${of} places${part}`
  const last = `${tried} were tried, ${violations} violations, in ${duration(tookMs)} on ${cores} cores`
  deliver(options.json ? sums.map(asJson).join('') : asText(sums, last), options.output)
  const [first] = sums.flatMap(({ failures }) => failures)
  if (!first) return
  io().status = EXIT_FAILED
  if (options.save !== undefined) isWritten(options.save, savedCase(options.save, first))
}

/** The part of the places of a device that this command tries, in chunks. */
function ordersFor(device: Device, places: number, { shard = [1, 1], path, pairs }: CheckOptions): PlacesOrder[] {
  if (path !== undefined) {
    const first = Number(path)
    if (first < places) return [{ ...device, first, step: 1, runs: 1, pairs }]
    throw new Exit(EXIT_USAGE, `error: --path ${path}: expected the number of a place, 0 to ${places - 1}`)
  }
  const [part, step] = shard
  const count = Math.max(0, Math.ceil((places - part + 1) / step))
  return Array.from({ length: Math.ceil(count / CHUNK) }, (_nothing, chunk) => ({
    ...device,
    first: part - 1 + chunk * CHUNK * step,
    step,
    runs: Math.min(CHUNK, count - chunk * CHUNK),
    pairs,
  }))
}

/** Each core takes the next part until none is left. */
async function onCores(
  orders: readonly PlacesOrder[],
  cores: number,
  signal: AbortSignal,
  ended: (result: EveryResult) => void,
): Promise<void> {
  const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
  let next = 0
  const work = async (): Promise<void> => {
    const core = new CheckThread()
    try {
      while (next < orders.length && !signal.aborted) {
        const result = await Promise.race([core.tryPlaces(orders[next++] as PlacesOrder), stopped])
        if (result) ended(result)
      }
    } finally {
      await core.end()
    }
  }
  await Promise.all(Array.from({ length: cores }, work))
}

function repeatCommand({ case: { family, profile }, place, pairs }: PlaceFailure): string {
  return rigCommand(['check', ...optionWords({ every: true, pairs, family, profile, path: place })])
}

function asText(all: readonly DeviceSums[], last: string): string {
  const lines = all.flatMap(({ device: { family, profile }, places, runs, requests, hits, tookMs, failures }) => [
    `family ${family}${profile === undefined ? '' : ` ${profile}`}: ${places} places, ${runs} tried, ${requests} requests, ` +
      `${hits} faults injected, in ${duration(tookMs)} of a core: ${failures.length} violations`,
    ...byKind(failures).flatMap(([kind, ones]) => [
      `  ${ones.length} of kind: ${kind}`,
      ...ones.slice(0, LISTED).map(({ place, placeName }) => `    place ${place}: ${placeName}`),
      ...(ones.length > LISTED ? [`    and ${ones.length - LISTED} more (--json lists all)`] : []),
    ]),
  ])
  const firsts = all.flatMap(({ failures }) => byKind(failures).flatMap(([, [first]]) => (first ? [first] : [])))
  return [...lines, ...firsts.map((one) => failureText(one, repeatCommand(one))), last]
    .map((line) => `${line}\n`)
    .join('')
}

function asJson({ device, places, runs: tried, requests, hits, tookMs, failures }: DeviceSums): string {
  const violations = failures.map((one) => {
    const { place, placeName: name, why, case: placed } = one
    return { place, name, kind: kindOf(one), why, case: placed, command: repeatCommand(one) }
  })
  return `${JSON.stringify({ ...device, places, tried, requests, hits, tookMs: Math.round(tookMs), violations })}\n`
}

const savedCase = (file: string, failure: PlaceFailure): string =>
  /\.ya?ml$/i.test(file)
    ? caseScenario(failure.case, failure.why)
    : `${JSON.stringify({ ...failure, command: repeatCommand(failure) }, null, 2)}\n`
