/** `fiscal-rig run`: plays scenario files on the emulator, a pty, a device, or a service that somebody else started. */

import { watch } from 'node:fs'
import { dirname } from 'node:path'
import { FAMILIES } from '../../drivers/families.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { type Family, oneOfFamilies } from '../../drivers/model/families.ts'
import { present } from '../../drivers/model/present.ts'
import { withoutEnd } from '../../drivers/model/without-end.ts'
import type { FloorRow } from '../../emulator/panel/contract.ts'
import type { Passport } from '../../emulator/passport/form.ts'
import { NoFiles, scenarioFiles } from '../../scenarios/runner/files.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { ScenarioMistakes } from '../../scenarios/runner/mistake.ts'
import { htmlReporter } from '../../scenarios/runner/report/html.ts'
import { jsonReporter } from '../../scenarios/runner/report/json.ts'
import { junitReporter } from '../../scenarios/runner/report/junit.ts'
import { prettyReporter } from '../../scenarios/runner/report/pretty.ts'
import type { Reporter, RunFacts } from '../../scenarios/runner/report/report.ts'
import { choosePlays, runPlays, type Summary } from '../../scenarios/runner/run.ts'
import { emulatedTarget } from '../../scenarios/runner/target/emulated.ts'
import { lastingTarget } from '../../scenarios/runner/target/lasting.ts'
import { type Target, Unreachable } from '../../scenarios/runner/target/target.ts'
import { DEFAULT_LISTEN } from '../../server/config.ts'
import { optionWords } from '../again.ts'
import { EXIT_ENVIRONMENT, EXIT_FAILED, EXIT_USAGE, Exit, writeOutput } from '../exit.ts'
import { passportFrom } from '../passport-file.ts'
import { personAt } from '../person.ts'
import { say, tell } from '../say.ts'
import { targetKind } from '../target.ts'

export const REPORTERS = ['pretty', 'junit', 'json', 'html'] as const

export interface RunCommandOptions {
  readonly target: string
  readonly family?: readonly Family[]
  readonly profile?: string
  readonly seed: number
  readonly only?: string
  readonly tag: readonly string[]
  readonly parallel: number
  readonly shard?: { readonly index: number; readonly of: number }
  readonly bail?: boolean
  readonly watch?: boolean
  readonly update?: boolean
  /** `include` may leave the folder of its file. */
  readonly allowOutside?: boolean
  readonly reporter: (typeof REPORTERS)[number]
  readonly output?: string
  readonly baud?: number
  readonly panel?: string
  readonly reset?: boolean
  readonly byHand?: boolean
  readonly allowNone?: boolean
  readonly wire?: boolean
  readonly passport?: string
}

export async function run(named: readonly string[], options: RunCommandOptions): Promise<void> {
  if (options.watch) return runForEver(named, options)
  const { failed, passed, results } = await runOnce(named, options)
  if (failed > 0) throw new Exit(EXIT_FAILED, '')
  if (results.length === 0)
    throw new Exit(EXIT_USAGE, 'No scenario matches: check --only, --tag, --family, --profile and --shard.')
  if (passed === 0 && !options.allowNone) {
    const why = 'the reasons stand above; with --allow-none the exit status is 0 all the same'
    throw new Exit(EXIT_FAILED, `0 of ${results.length} ran: ${why}.`)
  }
}

async function runOnce(named: readonly string[], options: RunCommandOptions): Promise<Summary> {
  const loaded = load(named, options)
  const target = await targetOf(options)
  const plays = choosePlays(loaded, {
    families: target.families,
    profile: options.profile,
    only: options.only,
    tags: options.tag,
    shard: options.shard,
  })
  const facts = {
    target: target.name,
    seed: options.seed,
    plays: plays.length,
    command: commandLine(named, options),
    ...(options.wire && { wire: true }),
  }
  const { reporter, finish } = openReporter(options, facts)
  try {
    await target.reach?.()
    const summary = await runPlays(plays, {
      target,
      seed: options.seed,
      parallel: options.parallel,
      bail: options.bail === true,
      update: options.update === true,
      repeatOptions: targetOptions(options),
      began: (play) => reporter.began?.(play),
      ended: (result) => reporter.ended(result),
      updated: (path) => reporter.updated?.(path),
    })
    reporter.finished(summary)
    finish(summary)
    return summary
  } catch (error) {
    if (error instanceof Unreachable) throw new Exit(EXIT_ENVIRONMENT, error.message)
    throw error
  } finally {
    await target.close()
  }
}

function load(named: readonly string[], { update, allowOutside }: RunCommandOptions) {
  try {
    return loadScenarios(scenarioFiles(named), { update: update === true, allowOutside: allowOutside === true })
  } catch (error) {
    if (error instanceof ScenarioMistakes || error instanceof NoFiles) throw new Exit(EXIT_USAGE, error.message)
    throw error
  }
}

// ---------------------------------------------------------------- target

/** One that contradicts `--family` or `--profile` is wrong usage. */
function passportOf({ passport: file, family, profile }: RunCommandOptions): Passport | undefined {
  if (file === undefined) return undefined
  const passport = passportFrom(file)
  const { device } = passport
  if ((family && !family.includes(device.family)) || (profile !== undefined && profile !== device.profile))
    throw new Exit(EXIT_USAGE, `${file} is of a device of family ${device.family}, profile ${device.profile}`)
  return passport
}

async function targetOf(options: RunCommandOptions): Promise<Target> {
  const { target: name, family, baud, reset, byHand } = options
  const passport = passportOf(options)
  const kind = targetKind(name, ['emulator', 'pty', 'device', 'service', 'fleet'])
  if (kind === 'emulator' || kind === 'pty')
    return emulatedTarget(kind, passport ? [passport.device.family] : (family ?? FAMILIES), passport)
  if (passport) throw new Exit(EXIT_USAGE, `--passport is for emulated devices, not for ${name}`)
  if (kind === 'fleet') return printerOfFleet(name, options)
  const panel = options.panel ?? (kind === 'service' ? await panelOf(name) : undefined)
  if (reset && panel === undefined) {
    throw new Exit(
      EXIT_USAGE,
      `--reset: ${name} has no control interface (--panel); only an emulated device can be reset`,
    )
  }
  const families = await lastingFamilies(name, family, panel)
  if (reset) tell(`The device of ${name} is reset before each scenario: everything it has printed and sold is lost.`)
  return lastingTarget({
    name,
    families,
    ...present({ baud, panel }),
    ...(reset && { reset }),
    ...(byHand && { person: personAt(process.stdin, process.stderr) }),
  })
}

/** A printer of `emulate --fleet` or `--count`: its line and its control interface are asked of the panel. */
async function printerOfFleet(target: string, { panel, family, reset }: RunCommandOptions): Promise<Target> {
  const printer = target.slice('fleet:'.length)
  const address = withoutEnd(panel ?? `http://${DEFAULT_LISTEN.host}:${DEFAULT_LISTEN.panelPort}`, '/')
  const rows = await fetch(`${address}/emulator/fleet`).then(
    async (answer) => (answer.ok ? ((await answer.json()) as readonly FloorRow[]) : []),
    (error: unknown) => {
      throw new Exit(EXIT_ENVIRONMENT, `the panel ${address} cannot be reached: ${messageOf(error)} (--panel URL)`)
    },
  )
  const row = rows.find(({ name }) => name === printer)
  if (!row) throw new Exit(EXIT_USAGE, `--target: ${address} has no printer ${printer}`)
  if (row.line === null) throw new Exit(EXIT_ENVIRONMENT, `${printer} has no line: ${row.why ?? 'add tcp or link'}`)
  if (family && !family.includes(row.family))
    throw new Exit(EXIT_USAGE, `--family: ${printer} is of family ${row.family}`)
  if (reset) tell(`${printer} is reset before each scenario: everything it has printed and sold is lost.`)
  const own = { name: row.line, families: [row.family], panel: address, printer }
  return { ...lastingTarget({ ...own, ...(reset && { reset }) }), name: target }
}

/** A service tells callers on its own machine where its emulated device is. Undefined: a real device, or not there. */
const panelOf = (name: string): Promise<string | undefined> =>
  fetch(new URL('/emulator/address', name)).then(
    async (answer) => (answer.ok ? ((await answer.json()) as { readonly panel?: string }).panel : undefined),
    () => undefined,
  )

/** A lasting device is of one family: its panel says which, or the caller. */
async function lastingFamilies(name: string, families: readonly Family[] | undefined, panel: string | undefined) {
  if (panel === undefined) {
    if (families?.length === 1) return families
    throw new Exit(EXIT_USAGE, `--family: ${name} is one device; say of which family it is: ${oneOfFamilies(FAMILIES)}`)
  }
  const state = await fetch(`${withoutEnd(panel, '/')}/emulator`).then(
    async (answer) => (await answer.json()) as { readonly family?: Family },
    (error: unknown) => {
      throw new Exit(EXIT_ENVIRONMENT, `the panel ${panel} cannot be reached: ${messageOf(error)}`)
    },
  )
  const family = FAMILIES.find((one) => one === state.family)
  if (!family) throw new Exit(EXIT_ENVIRONMENT, `${panel} is not the panel of an emulated device`)
  if (families && !families.includes(family)) throw new Exit(EXIT_USAGE, `--family: the device is of family ${family}`)
  return [family]
}

// ---------------------------------------------------------------- reports

/** A report for a program goes to --output, or to stdout; then people see the progress on stderr. */
function openReporter(
  options: RunCommandOptions,
  facts: RunFacts,
): { reporter: Reporter; finish: (summary: Summary) => void } {
  const parts: string[] = []
  const collect = (text: string) => void parts.push(text)
  const store = () => {
    if (options.output === undefined) return say(parts.join(''))
    return writeOutput(options.output, parts.join(''))
  }
  const people = prettyTo(
    options.reporter === 'pretty' && options.output === undefined ? process.stdout : process.stderr,
    facts,
  )
  switch (options.reporter) {
    case 'pretty': {
      if (options.output === undefined) return { reporter: people, finish: () => undefined }
      return { reporter: both(people, prettyReporter(collect, facts, false)), finish: store }
    }
    case 'json':
      if (options.output === undefined) return { reporter: jsonReporter(say, facts), finish: () => undefined }
      return { reporter: both(people, jsonReporter(collect, facts)), finish: store }
    case 'junit':
      return { reporter: both(people, junitReporter(collect, facts)), finish: store }
    case 'html':
      return { reporter: both(people, htmlReporter(collect, facts, new Date())), finish: store }
  }
}

const prettyTo = (stream: NodeJS.WriteStream, facts: RunFacts): Reporter =>
  prettyReporter((text) => stream.write(text), facts, stream.isTTY === true)

const both = (one: Reporter, other: Reporter): Reporter => ({
  began: (play) => {
    one.began?.(play)
    other.began?.(play)
  },
  ended: (result) => {
    one.ended(result)
    other.ended(result)
  },
  updated: (path) => {
    one.updated?.(path)
    other.updated?.(path)
  },
  finished: (summary) => {
    one.finished(summary)
    other.finished(summary)
  },
})

const targetOptions = ({ target, family, seed, panel, profile, reset, byHand }: RunCommandOptions): string =>
  optionWords({ target, family: family?.join(','), seed, profile, panel, reset, 'by-hand': byHand }).join(' ')

const commandLine = (named: readonly string[], options: RunCommandOptions): string =>
  `npx fiscal-rig run ${named.join(' ')} ${targetOptions(options)}`

// ---------------------------------------------------------------- watching

const QUIET_MS = 150

/** Plays again whenever something changes in the folders of the files; ends with Ctrl+C. */
async function runForEver(named: readonly string[], options: RunCommandOptions): Promise<void> {
  let wake: () => void = () => undefined
  const folders = new Set(scenarioFiles(named).map((file) => dirname(file)))
  const watchers = [...folders].map((folder) => watch(folder, { recursive: true }, () => wake()))
  const ended = new Promise<'ended'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve('ended'))
  })
  for (;;) {
    await runOnce(named, options).catch((error: unknown) => {
      if (!(error instanceof Exit)) throw error
      tell(error.message)
    })
    tell('Waiting for a change. End with Ctrl+C.')
    const changed = new Promise<'changed'>((resolve) => (wake = () => resolve('changed')))
    if ((await Promise.race([changed, ended])) === 'ended') break
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
  }
  for (const watcher of watchers) watcher.close()
}
