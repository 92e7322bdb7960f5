/** `fiscal-rig emulate --count` and `--fleet`: many devices in one process. */

import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { FAMILIES } from '../../drivers/families.ts'
import { inUrl, LOOPBACK, outsideHost } from '../../drivers/host/server-access.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { allOfFamilies, oneOfFamilies } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { factorySettings, profilesOf } from '../../emulator/emulator.ts'
import { type Fleet, startFleet } from '../../emulator/fleet/fleet.ts'
import type { PrinterPlan } from '../../emulator/fleet/printer-plan.ts'
import { MEMORY } from '../../server/data-folder.ts'
import { warningLine, warningOf } from '../beyond-loopback.ts'
import { docsAt } from '../docs-address.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit, StartedParts, untilSignal } from '../exit.ts'
import { readPlanFile } from '../fault-plan-file.ts'
import { readFleetFile } from '../fleet-file.ts'
import { type PrinterRow, plansOf, rowProblems } from '../fleet-rows.ts'
import { fleetThreadProgram } from '../fleet-thread-program.ts'
import { dataFolderOf, settingsFrom } from '../options.ts'
import { chosenFamily, chosenPassport } from '../passport-file.ts'
import { systemRandom } from '../serial-number.ts'
import { describeStartFailure, startFleetPanel } from '../start-device.ts'
import { say, writeLine } from '../terminal-output.ts'
import { deviceBehaviour, type EmulateOptions, openPortsWarning } from './emulate-options.ts'

export async function emulateFleet(options: EmulateOptions): Promise<void> {
  const started = new StartedParts()
  try {
    await start(options, started)
  } catch (error) {
    await started.end()
    throw error
  }
  await untilSignal(started)
}

async function start(options: EmulateOptions, started: StartedParts): Promise<void> {
  const { data: folder, panelPort, panelHost, open, name, host = LOOPBACK } = options
  const { workers = availableParallelism(), strict = false } = options
  const settings = await settingsFrom(options.config, { data: folder, panelPort, panelHost, open, name })
  const warning = openPortsWarning(options, settings)
  const rows = options.fleet === undefined ? equalRows(options, settings.profile) : rowsOfFile(options, options.fleet)
  const data = settings.data === MEMORY ? undefined : settings.data
  const rules = new Map(rows.map((row) => [row.name, row.rules]))
  const { plans, failed } = withFolders(
    plansOf(rows, factorySettings({ ...settings, fiscalised: !options.notFiscalised }), data, systemRandom).map(
      (plan) => ({ ...plan, host }),
    ),
    started,
  )
  const fleet = await startFleet({
    plans,
    failed,
    workers,
    program: fleetThreadProgram(settings),
    log: writeLine,
    describeFailure: (failure, { name }) => describeStartFailure(failure, rules.get(name)).replaceAll('\n', '; '),
  })
  started.add(() => fleet.close())
  const broken = fleet.printers.filter(({ why }) => why !== undefined)
  const isEmpty = broken.length === fleet.printers.length
  if (isEmpty || (strict && broken.length > 0)) {
    const some = `${broken.length} of ${fleet.printers.length} printers could not be started`
    const names = shortList(broken.map(({ plan }) => plan.name))
    throw new Exit(
      EXIT_ENVIRONMENT,
      `${isEmpty ? 'No printer could be started' : some}: ${names}. The log line that begins with a name contains its reason.`,
    )
  }
  const panel = await startFleetPanel(fleet, settings, started, { isChosen: panelPort !== undefined })
  const warningText = warningOf(warning, panel)
  const ready = {
    panel: panel.url,
    pid: process.pid,
    printers: readyRows(fleet),
    ...omitUndefined({ warning: warningText }),
  }
  say(
    options.json
      ? `${JSON.stringify(ready)}\n`
      : greeting({ panel: panel.url, host, warning: warningText }, fleet, data),
  )
}

/** Options that a fleet file sets for each device, and that the command line cannot set together with `--fleet`. */
const PER_DEVICE_OPTIONS = {
  family: '--family',
  profile: '--profile',
  count: '--count',
  tcp: '--tcp',
  link: '--link',
  baud: '--baud',
  realistic: '--realistic',
  lineMs: '--line-ms',
  zMs: '--z-ms',
  switch: '--switch',
  faults: '--faults',
  passport: '--passport',
} as const satisfies Partial<Record<keyof EmulateOptions, string>>

const SINGLE_PRINTER_OPTIONS = { deviceName: '--device-name', listCommands: '--list-commands' } as const
const SINGLE_WHY = 'only for a single device, without --count and --fleet'

/** `--serial` is rejected with --fleet and --count; a fleet file has no serial numbers. */
const SERIAL = { serial: '--serial' } as const
const SERIAL_WHY = 'with --count or --fleet every device has its own serial number'

function refuse(options: EmulateOptions, members: Readonly<Record<string, string>>, why: string): void {
  for (const [member, option] of Object.entries(members))
    if (options[member as keyof EmulateOptions] !== undefined) throw new Exit(EXIT_USAGE, `${option}: ${why}`)
}

function rowsOfFile(options: EmulateOptions, file: string): readonly PrinterRow[] {
  refuse(options, SERIAL, SERIAL_WHY)
  refuse(options, SINGLE_PRINTER_OPTIONS, SINGLE_WHY)
  refuse(options, PER_DEVICE_OPTIONS, 'with --fleet, the fleet file determines this')
  return readFleetFile(file)
}

const NAME_DIGITS = 4

function equalRows(options: EmulateOptions, profile: string | undefined): readonly PrinterRow[] {
  refuse(options, SERIAL, SERIAL_WHY)
  refuse(options, SINGLE_PRINTER_OPTIONS, SINGLE_WHY)
  const { count = 1, tcp, link, faults } = options
  const passport = chosenPassport(options)
  const family = chosenFamily(options.family, passport)
  const profileNames = profilesOf(family)
  const chosen = options.profile ?? passport?.device.profile ?? profile
  if (chosen !== undefined && !profileNames.includes(chosen))
    throw new Exit(
      EXIT_USAGE,
      `${options.profile === undefined ? 'profile' : '--profile'}: family ${family} has no profile ${chosen}, only ${oneOfFamilies(profileNames)}`,
    )
  if (tcp !== undefined && tcp > 0 && tcp + count - 1 > 65_535)
    throw new Exit(EXIT_USAGE, `--tcp: expected at most ${65_536 - count}, for ${count} devices`)
  if (link !== undefined && count > 1 && !link.includes('{n}'))
    throw new Exit(EXIT_USAGE, `--link: expected {n} in it, for ${count} devices`)
  const rules = faults === undefined ? undefined : readPlanFile(faults)
  const digits = Math.max(NAME_DIGITS, String(count).length)
  const { rules: _rules, ...same } = deviceBehaviour(options, undefined, passport)
  const rows = Array.from(
    { length: count },
    (_, index): PrinterRow => ({
      name: String(index + 1).padStart(digits, '0'),
      family,
      ...same,
      ...omitUndefined({
        profile: chosen,
        rules,
        passport,
        tcp: tcp === undefined || tcp === 0 ? tcp : tcp + index,
        link: link?.replaceAll('{n}', String(index + 1)),
      }),
    }),
  )
  const problems = rowProblems(rows)
  if (problems.length > 0) throw new Exit(EXIT_USAGE, problems.join('\n'))
  return rows
}

/** A printer whose data folder cannot be opened does not start; the others do. */
function withFolders(all: readonly PrinterPlan[], started: StartedParts) {
  const plans: PrinterPlan[] = []
  const failed: { plan: PrinterPlan; why: string }[] = []
  for (const plan of all) {
    if (plan.data === undefined) {
      plans.push(plan)
      continue
    }
    try {
      const folder = dataFolderOf({ data: plan.data }, 'emulate')
      started.add(folder.release)
      plans.push({ ...plan, ...omitUndefined({ data: folder.path }) })
    } catch (error) {
      const why = messageOf(error)
      writeLine(`${plan.name}: ${why}`)
      failed.push({ plan, why })
    }
  }
  return { plans, failed }
}

const running = (fleet: Fleet) => fleet.printers.filter(({ why }) => why === undefined)

const readyRows = (fleet: Fleet) =>
  running(fleet).map(({ plan: { name, family, link }, profile, tcp }) => ({
    name,
    family,
    profile,
    ...omitUndefined({ tcp, link }),
  }))

interface Addresses {
  readonly panel: string
  readonly host: string
  readonly warning: string | undefined
}

function greeting({ panel, host, warning }: Addresses, fleet: Fleet, data: string | undefined): string {
  const up = running(fleet)
  const families = FAMILIES.filter((family) => up.some(({ plan }) => plan.family === family))
  const broken = fleet.printers.length - up.length
  const lines = [
    `fiscal-rig emulates ${countText(up.length, 'printer')} of family ${allOfFamilies(families)}.`,
    ...ranges(up.flatMap(({ tcp }) => tcp ?? [])).map((range) => `  TCP     ${inUrl(outsideHost(host))}:${range}`),
    ...linkRange(up.flatMap(({ plan }) => plan.link ?? [])).map((range) => `  Ports   ${range}`),
    `  Names   ${shortList(up.map(({ plan }) => plan.name))}`,
    ...(broken === 0
      ? []
      : [
          `  Failed  ${broken}: ${shortList(fleet.printers.flatMap(({ why, plan }) => (why === undefined ? [] : plan.name)))}`,
        ]),
    ...warningLine(warning),
    `  Panel   ${panel}`,
    `  Docs    ${docsAt(panel)}`,
    `  Data    ${storagePlace(up, data)}`,
    '',
    'End with Ctrl+C.',
  ]
  return `${lines.join('\n')}\n`
}

function storagePlace(up: Fleet['printers'], data: string | undefined): string {
  const storedCount = up.filter(({ plan }) => plan.data !== undefined).length
  if (storedCount === 0) return 'in memory only'
  if (storedCount < up.length) return `${storedCount} of them in their own folders, the others in memory only`
  return data === undefined ? 'one folder for each' : `${data}, one folder for each`
}

/** Formats ports as ranges, for example `5000 to 5399`, `7000`. */
function ranges(ports: readonly number[]): string[] {
  const runs: { first: number; last: number }[] = []
  for (const port of [...ports].sort((one, other) => one - other)) {
    const range = runs.at(-1)
    if (range?.last === port - 1) range.last = port
    else runs.push({ first: port, last: port })
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`))
}

const linkRange = (links: readonly string[]): string[] => {
  const relativeLinks = links.map((link) => join('.', relative('.', link)))
  return relativeLinks.length === 0 ? [] : [shortList(relativeLinks)]
}

const MOST_NAMED = 6

/** Example: `till-1, till-2 ... till-400 (400)`. */
function shortList(names: readonly string[]): string {
  if (names.length <= MOST_NAMED) return names.join(', ')
  return `${names.slice(0, 2).join(', ')} ... ${names.at(-1)} (${names.length})`
}
