/**
 * `fiscal-rig check`: model-based runs with faults. A violation is reduced, told in words with the wire before it and
 * the command that repeats it, and ends with exit status 1.
 */

import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { FAMILIES } from '../../drivers/families.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { type Family, oneOfFamilies } from '../../drivers/model/families.ts'
import { present } from '../../drivers/model/present.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import { reachDevice } from '../../scenarios/runner/target/lasting.ts'
import { Unreachable } from '../../scenarios/runner/target/target.ts'
import { caseScenario } from '../../scenarios/simulation/case-scenario.ts'
import { type CheckResult, type Failure, failureText } from '../../scenarios/simulation/check.ts'
import { CheckThread } from '../../scenarios/simulation/check-thread.ts'
import { RunFailed, runCase } from '../../scenarios/simulation/run.ts'
import { type Case, inWords } from '../../scenarios/simulation/steps.ts'
import { checkWire, type WireTarget } from '../../scenarios/simulation/wire-check.ts'
import { optionWords } from '../again.ts'
import { EXIT_ENVIRONMENT, EXIT_FAILED, EXIT_USAGE, Exit, writeOutput } from '../exit.ts'
import { say, tell } from '../say.ts'
import { targetKind } from '../target.ts'

export interface CheckOptions {
  /** emulator, pty, a path, or tcp://HOST:PORT. */
  readonly target: string
  readonly family?: readonly Family[]
  readonly profile?: string
  readonly runs?: number
  readonly seed?: number
  readonly path?: string
  readonly length?: number
  /** Keeps the reduced case: as a scenario where the name ends in .yaml, else for --kept. */
  readonly save?: string
  /** Runs a kept case once more. */
  readonly kept?: string
  readonly json?: boolean
}

/** Every run on a device of somebody else is paper. */
const RUNS = { simulated: 1000, pty: 25, device: 5 }
const SEED_MAX = 0x7fff_ffff

export async function check(options: CheckOptions): Promise<void> {
  if (options.kept !== undefined) return repeatKept(options.kept, options)
  if (options.path !== undefined && (options.seed === undefined || options.family?.length !== 1)) {
    throw new Exit(EXIT_USAGE, 'error: --path needs --seed and --family as well, as they were printed with it')
  }
  const seed = options.seed ?? randomInt(1, SEED_MAX)
  const kind = targetKind(options.target, ['emulator', 'pty', 'device'])
  if (kind !== 'emulator') {
    if (options.profile !== undefined)
      throw new Exit(EXIT_USAGE, 'error: --profile chooses an emulated device; the device of --target has its own')
    return checkOnWire(options, kind, seed)
  }
  const families = options.family ?? FAMILIES
  const { profile } = options
  if (profile !== undefined && !families.every((family) => profilesOf(family).includes(profile))) {
    const [family] = families
    const known = families.length === 1 && family ? `: it has ${profilesOf(family).join(', ')}` : ''
    throw new Exit(EXIT_USAGE, `error: --profile ${profile} needs --family with the family that has it${known}`)
  }
  // Each family on a core of its own, told in the families' order.
  const running = families.map((family) => checkApart(family, seed, options))
  for (const one of running) {
    const result = await one
    report(result, options)
    if (result.failure) process.exitCode = EXIT_FAILED
  }
}

async function checkApart(family: Family, seed: number, options: CheckOptions): Promise<CheckResult> {
  const runs = options.runs ?? RUNS.simulated
  const { path, length, profile } = options
  const core = new CheckThread()
  try {
    const question = { family, runs, seed, ...present({ path, length, profile }) }
    return await core.check(question, progressOf(family, runs, options.json === true))
  } finally {
    await core.end()
  }
}

function report(result: CheckResult, options: CheckOptions): void {
  const { failure, ...sums } = result
  const command = failure && commandFor(failure, options)
  if (options.json) {
    say(`${JSON.stringify({ ...sums, ...(failure && { failure: { ...failure, command } }) })}\n`)
  } else {
    for (const line of result.notRun) say(`not run: ${line}\n`)
    say(`${summary(result)}\n`)
    if (failure && command) say(`${failureText(failure, command)}\n`)
  }
  if (failure && options.save !== undefined) {
    const text = /\.ya?ml$/i.test(options.save)
      ? caseScenario(failure.case, failure.why)
      : `${JSON.stringify({ ...failure, command }, null, 2)}\n`
    writeOutput(options.save, text)
  }
}

function summary({ family, seed, runs, requests, hits, simulatedMs, tookMs, failure }: CheckResult): string {
  const rate = Math.round((runs / tookMs) * 1000)
  const days = (simulatedMs / 86_400_000).toFixed(1)
  const verdict = failure ? 'a violation' : 'no violation'
  return `family ${family}, seed ${seed}: ${runs} runs, ${requests} requests, ${hits} faults struck, ${days} simulated days in ${(tookMs / 1000).toFixed(1)} s (${rate} runs/s): ${verdict}`
}

/** Repeats exactly this failure. */
function commandFor({ seed, path, case: one }: Failure, { length, target }: CheckOptions): string {
  const { family, profile } = one
  const elsewhere = target === 'emulator' ? undefined : target
  return ['npx fiscal-rig check', ...optionWords({ family, seed, path, profile, length, target: elsewhere })].join(' ')
}

/** A line now and then on stderr, where somebody watches. */
function progressOf(family: Family, runs: number, quiet: boolean): (done: number) => void {
  const every = Math.max(500, Math.ceil(runs / 20))
  return (done) => {
    if (!quiet && process.stderr.isTTY && done % every === 0) tell(`family ${family}: ${done} of ${runs}`)
  }
}

async function repeatKept(file: string, options: CheckOptions): Promise<void> {
  let kept: Failure & { readonly command: string }
  try {
    kept = JSON.parse(readFileSync(file, 'utf8')) as typeof kept
    if (!Array.isArray(kept.case?.steps)) throw new Error('it holds no case')
  } catch (error) {
    throw new Exit(EXIT_USAGE, `${file}: expected a case that --save has written: ${messageOf(error)}`)
  }
  const again: Case = kept.case
  try {
    await runCase(again)
    say(`${file}: the case passes now\n`)
  } catch (problem) {
    if (!(problem instanceof RunFailed)) throw problem
    const failure = { ...kept, why: problem.message, words: again.steps.map(inWords), trace: problem.trace }
    say(options.json ? `${JSON.stringify({ failure })}\n` : `${failureText(failure, kept.command)}\n`)
    process.exitCode = EXIT_FAILED
  }
}

async function checkOnWire(options: CheckOptions, kind: WireTarget['kind'], seed: number): Promise<void> {
  const [family, ...others] = options.family ?? []
  if (family === undefined || others.length > 0) {
    throw new Exit(
      EXIT_USAGE,
      `error: --target ${options.target} needs --family: it is one device, ${oneOfFamilies(FAMILIES)}`,
    )
  }
  const target: WireTarget = kind === 'pty' ? { kind } : { kind, device: options.target }
  if (target.kind === 'device') await reached(target.device, family)
  const { path, length } = options
  const runs = options.runs ?? RUNS[kind]
  const result = await checkWire({ target, family, runs, seed, ...present({ path, length }) })
  report(result, options)
  if (result.failure) process.exitCode = EXIT_FAILED
}

/** A device that is not there is no violation. */
async function reached(device: string, family: Family): Promise<void> {
  try {
    await reachDevice(device, family)
  } catch (error) {
    if (error instanceof RangeError) throw new Exit(EXIT_USAGE, `--target ${error.message}`)
    if (error instanceof Unreachable) throw new Exit(EXIT_ENVIRONMENT, error.message)
    throw error
  }
}
