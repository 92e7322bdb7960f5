/**
 * `fiscal-rig check`: model-based runs with faults, on all cores. Shrinks each violation and prints it with the command
 * that reproduces it; the exit status is then 1.
 */

import { availableParallelism } from 'node:os'
import { FAMILIES } from '../../drivers/families.ts'
import { rigCommand } from '../../drivers/host/shell-command.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { type Family, oneOfFamilies } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import { CHUNK, type Plan, randomSeed, runsOf } from '../../scenarios/campaign/campaign-plan.ts'
import { CampaignSums } from '../../scenarios/campaign/campaign-sums.ts'
import { duration } from '../../scenarios/campaign/progress.ts'
import { readSavedCase } from '../../scenarios/campaign/saved-case.ts'
import { reachDevice } from '../../scenarios/runner/target/persistent.ts'
import { TargetUnreachable } from '../../scenarios/runner/target/target.ts'
import { type Failure, failureText, WRONG_PATH } from '../../scenarios/simulation/check.ts'
import { RunFailed, runCase } from '../../scenarios/simulation/run.ts'
import { describeStep } from '../../scenarios/simulation/steps.ts'
import { checkWire, type WireTarget } from '../../scenarios/simulation/wire-check.ts'
import { assertWritable, EXIT_ENVIRONMENT, EXIT_FAILED, EXIT_USAGE, Exit, readInput } from '../exit.ts'
import { io } from '../io.ts'
import { targetKind } from '../target-kind.ts'
import { type CheckOptions, RUNS } from './check-options.ts'
import { runWithProgress, totalsOf } from './check-progress.ts'
import { deliver, report, skippedText } from './check-report.ts'

const WITH_SHOP_YEAR: readonly (keyof CheckOptions)[] = [
  ...(['shopYear', 'family', 'receiptsPerDay', 'data', 'seed', 'cores'] as const),
  ...(['json', 'output', 'target'] as const),
]

const WITH_EVERY: readonly (keyof CheckOptions)[] = [
  ...(['every', 'pairs', 'family', 'profile', 'shard', 'path', 'cores'] as const),
  ...(['save', 'json', 'output', 'target', 'queue', 'campaign'] as const),
]

/** Options that are allowed with `--replay`. The saved case determines all other settings. */
const WITH_REPLAY: readonly (keyof CheckOptions)[] = ['replay', 'json', 'output', 'target']

export async function check(options: CheckOptions): Promise<void> {
  const wrong = contradiction(options)
  if (wrong !== undefined) throw new Exit(EXIT_USAGE, `error: ${wrong}`)
  // The files are checked before the work, which may take hours.
  for (const file of [options.output, options.save]) if (file !== undefined) assertWritable(file)
  if (options.replay !== undefined) return replaySavedCase(options.replay, options)
  if (options.every && options.queue === undefined) return (await import('./check-every.ts')).checkEvery(options)
  if (options.shopYear) return (await import('./check-shop-year.ts')).shopYearCommand(options)
  if (options.queue !== undefined) return (await import('./check-queue.ts')).checkOnQueue(options.queue, options)
  const kind = targetKind(options.target, ['emulator', 'pty', 'device'])
  const run = kind === 'emulator' ? checkOnCores(options) : checkOnWire(options, kind)
  return run.catch((problem: unknown) => {
    // fast-check detects only during the run that a path does not belong to the seed.
    if (options.path === undefined || !messageOf(problem).startsWith(WRONG_PATH)) throw problem
    throw new Exit(
      EXIT_USAGE,
      `error: --path ${options.path} selects no run of this seed and family; use --seed, --family and --path as printed with the violation`,
    )
  })
}

const LOCAL_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['untilStopped', '--until-stopped'],
  ['cores', '--cores'],
  ['path', '--path'],
])

function contradiction(options: CheckOptions): string | undefined {
  const { target, family = FAMILIES, profile, runs, minutes, untilStopped, chunk, cores, bail, seed, path } = options
  const { shopYear, replay } = options
  const hasOthers = (than: readonly (keyof CheckOptions)[]): boolean =>
    target !== 'emulator' || Object.keys(options).some((name) => !than.includes(name as keyof CheckOptions))
  if (replay !== undefined && hasOthers(WITH_REPLAY))
    return '--replay runs one case as it is, and allows --json and --output only'
  if (shopYear && hasOthers(WITH_SHOP_YEAR))
    return '--shop-year allows --family, --receipts-per-day, --data, --seed, --cores, --json and --output only'
  if (options.every && hasOthers(WITH_EVERY))
    return '--every allows --pairs, --family, --profile, --shard, --path, --cores, --queue, --campaign, --save, --json and --output only'
  if (!options.every && options.pairs) return '--pairs requires --every'
  if (!options.every && options.shard !== undefined) return '--shard requires --every'
  if (options.every && path !== undefined && options.family?.length !== 1)
    return '--every --path requires --family with one family, as printed with the violation'
  if (options.every && path !== undefined && /,|^all$/.test(profile ?? ''))
    return '--every --path requires one profile, as printed with the violation'
  if (!shopYear && (options.receiptsPerDay ?? options.data) !== undefined)
    return '--receipts-per-day and --data require --shop-year'
  if (options.queue === undefined && options.campaign !== undefined) return '--campaign requires --queue'
  const here = options.queue === undefined ? undefined : Object.keys(options).find((name) => LOCAL_OPTIONS.has(name))
  if (options.queue !== undefined && (here !== undefined || target !== 'emulator'))
    return `--queue distributes runs to workers: ${here === undefined ? '--target' : LOCAL_OPTIONS.get(here)} applies only to runs on this machine`
  if (!options.every && path !== undefined && (seed === undefined || options.family?.length !== 1))
    return '--path requires --seed and --family, as printed with the violation'
  if ([runs, minutes, untilStopped].filter((one) => one !== undefined).length > 1)
    return 'choose one of --runs, --minutes and --until-stopped'
  if (path !== undefined && (minutes ?? untilStopped) !== undefined)
    return '--path selects one run: omit --minutes and --until-stopped'
  if (target !== 'emulator') {
    if (profile !== undefined) return '--profile chooses an emulated device; the device of --target has its own profile'
    const alien = { '--chunk': chunk, '--cores': cores, '--bail': bail }
    const limits = { '--minutes': minutes, '--until-stopped': untilStopped }
    const [name] = Object.entries({ ...alien, ...limits }).find(([, value]) => value !== undefined) ?? []
    return name === undefined ? undefined : `${name} is for the embedded device only`
  }
  if (!options.every && profile !== undefined && !family.every((one) => profilesOf(one).includes(profile))) {
    const owner = FAMILIES.find((one) => profilesOf(one).includes(profile))
    return owner === undefined
      ? `--profile ${profile}: expected one of ${FAMILIES.flatMap(profilesOf).join(', ')}`
      : `--profile ${profile} is a profile of family ${owner}: add --family ${owner}`
  }
  return undefined
}

function planOf(options: CheckOptions): Plan {
  const { family, profile, minutes, untilStopped, length, path, chunk = CHUNK } = options
  const hasEnd = minutes === undefined && !untilStopped
  const runs = hasEnd ? (path === undefined ? (options.runs ?? RUNS.simulated) : 1) : undefined
  return {
    families: family ?? FAMILIES,
    seed: options.seed ?? randomSeed(),
    chunk,
    ...omitUndefined({ profile, runs, length, path }),
  }
}

async function checkOnCores(options: CheckOptions): Promise<void> {
  const plan = planOf(options)
  const { bail, minutes, cores = availableParallelism() } = options
  const { sums, tookMs, isStopped } = await runWithProgress(plan, {
    ...{ cores, minutes, bail },
    onResult({ failure, family }, reporter) {
      if (failure) reporter.line(`violation on family ${family}: ${failure.why}`)
    },
  })
  // Interrupted chunks do not count.
  const { runs } = totalsOf(sums.families())
  const violations = sums.violations()
  const rate = Math.round((runs / tookMs) * 1000)
  const total = runsOf(plan)
  const isCut = isStopped || (bail === true && violations.length > 0)
  const howMany =
    isCut && total !== undefined ? `stopped after ${runs} of ${countText(total, 'run')}` : countText(runs, 'run')
  const last = `${howMany}, ${countText(violations.length, 'violation')}${skippedText(plan, violations)}, in ${duration(tookMs)} on ${countText(cores, 'core')} (${rate} runs/s), seed ${plan.seed}`
  report(sums.families(), options, last)
}

async function replaySavedCase(file: string, { json, output }: CheckOptions): Promise<void> {
  const savedCase = savedCaseIn(file)
  const { steps } = savedCase.case
  try {
    await runCase(savedCase.case)
    deliver(json ? `${JSON.stringify({ failure: null })}\n` : `${file}: the case passes now\n`, output)
  } catch (problem) {
    if (!(problem instanceof RunFailed)) throw problem
    const failure = { ...savedCase, why: problem.message, words: steps.map(describeStep), trace: problem.trace }
    deliver(
      json ? `${JSON.stringify({ failure })}\n` : `${failureText(failure, rigCommand(['check', '--replay', file]))}\n`,
      output,
    )
    io().status = EXIT_FAILED
  }
}

function savedCaseIn(file: string): Failure {
  if (/\.ya?ml$/i.test(file))
    throw new Exit(
      EXIT_USAGE,
      `error: --replay requires the JSON that --save writes, and ${file} is YAML; to run a scenario: ${rigCommand(['run', file])}`,
    )
  const text = readInput(file)
  try {
    return readSavedCase(text)
  } catch (error) {
    throw new Exit(EXIT_USAGE, `${file}: expected a case that --save has written: ${messageOf(error)}`)
  }
}

async function checkOnWire(options: CheckOptions, kind: WireTarget['kind']): Promise<void> {
  const [family, ...otherFamilies] = options.family ?? []
  if (family === undefined || otherFamilies.length > 0) {
    throw new Exit(
      EXIT_USAGE,
      `error: --target ${options.target} is one device and requires --family ${oneOfFamilies(FAMILIES)}`,
    )
  }
  const target: WireTarget = kind === 'pty' ? { kind } : { kind, device: options.target }
  if (target.kind === 'device') await assertReachable(target.device, family)
  const { path, length } = options
  const seed = options.seed ?? randomSeed()
  const runs = options.runs ?? RUNS[kind]
  const result = await checkWire({ target, family, runs, seed, ...omitUndefined({ path, length }) })
  const sums = new CampaignSums({ families: [family], seed, runs, chunk: runs })
  sums.add({ index: 0 }, result)
  report(sums.families(), options)
}

/** Throws Exit if the device cannot be reached, because a missing device is not a violation. */
async function assertReachable(device: string, family: Family): Promise<void> {
  try {
    await reachDevice(device, family)
  } catch (error) {
    if (error instanceof RangeError) throw new Exit(EXIT_USAGE, `--target ${error.message}`)
    if (error instanceof TargetUnreachable) throw new Exit(EXIT_ENVIRONMENT, error.message)
    throw error
  }
}
