/** `fiscal-rig emulate`: an emulated device on a pty, on TCP, or both, or many devices in one process. */
import { resolve } from 'node:path'
import { inUrl, LOOPBACK, outsideHost } from '../../drivers/host/server-access.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { type Emulator, factorySettings } from '../../emulator/emulator.ts'
import type { Passport } from '../../emulator/passport/passport.ts'
import { warningLine, warningOf } from '../beyond-loopback.ts'
import { docsAt } from '../docs-address.ts'
import { EXIT_USAGE, Exit, StartedParts, untilSignal } from '../exit.ts'
import { readPlanFile } from '../fault-plan-file.ts'
import { dataFolderOf, settingsFrom } from '../options.ts'
import { pageTill } from '../panel-till.ts'
import { chosenFamily, chosenPassport } from '../passport-file.ts'
import { chosenIdentity, systemRandom } from '../serial-number.ts'
import { startDevice, startPanel } from '../start-device.ts'
import { say, writeLine } from '../terminal-output.ts'
import { deviceBehaviour, type EmulateOptions, openPortsWarning } from './emulate-options.ts'

interface ReadyReport {
  readonly panel: string
  readonly link?: string
  readonly tcp?: number
  readonly host?: string
  readonly warning?: string
  readonly family: Family
  readonly pid: number
}

export async function emulate(chosen: EmulateOptions): Promise<void> {
  const options = await withConfiguredFamily(chosen)
  if (options.fleet !== undefined || options.count !== undefined) {
    const { emulateFleet } = await import('./emulate-fleet.ts')
    return emulateFleet(options)
  }
  for (const [name, value] of Object.entries({ workers: options.workers, strict: options.strict }))
    if (value !== undefined) throw new Exit(EXIT_USAGE, `--${name}: requires --count or --fleet`)
  const passport = chosenPassport(options)
  const family = chosenFamily(options.family, passport)
  if (options.listCommands) return list(options, family)
  const started = new StartedParts()
  try {
    await start(options, family, started, passport)
  } catch (error) {
    await started.end()
    throw error
  }
  await untilSignal(started)
}

async function withConfiguredFamily(options: EmulateOptions): Promise<EmulateOptions> {
  const { family, passport, fleet, config } = options
  if (config === undefined || (family ?? passport ?? fleet) !== undefined) return options
  const settings = await settingsFrom(config, {})
  return settings.isFamilyNamed ? { ...options, family: settings.family } : options
}

async function start(
  options: EmulateOptions,
  family: Family,
  started: StartedParts,
  passport: Passport | undefined,
): Promise<void> {
  const { data, panelPort, panelHost, open, name, link, tcp, host = LOOPBACK, deviceName } = options
  const profile = options.profile ?? passport?.device.profile
  const settings = await settingsFrom(options.config, { family, profile, data, panelPort, panelHost, open, name })
  const warning = openPortsWarning(options, settings)
  const folder = dataFolderOf(settings, 'emulate')
  started.add(folder.release)
  const rules = options.faults === undefined ? undefined : readPlanFile(options.faults)
  const device = { family, ...omitUndefined({ profile: settings.profile, data: folder.path, deviceName, passport }) }
  const identity = chosenIdentity(device, options.serial, systemRandom)
  const plan = {
    ...{
      name: family,
      ...device,
      settings: factorySettings({ ...settings, fiscalised: !options.notFiscalised }),
      seed: 0,
    },
    ...omitUndefined({ identity, link, tcp }),
    host,
    ...deviceBehaviour(options, rules, passport),
  }
  const printer = await startDevice(plan, started, writeLine, rules)
  const { emulator } = printer
  if (link === undefined && tcp === undefined) {
    writeLine('no line is open: add --link PATH or --tcp PORT for a program to attach')
  }
  const panel = await startPanel(emulator, settings, started, {
    isChosen: panelPort !== undefined,
    till: pageTill(emulator, settings),
  })
  const ready: ReadyReport = {
    panel: panel.url,
    ...omitUndefined({ link, tcp: printer.tcp, host: printer.tcp === undefined ? undefined : host }),
    family,
    pid: process.pid,
    ...omitUndefined({ warning: warningOf(warning, panel) }),
  }
  say(options.json ? `${JSON.stringify(ready)}\n` : greeting(ready, emulator, folder.path))
}

async function list(options: EmulateOptions, family: Family): Promise<void> {
  const settings = await settingsFrom(options.config, { family, profile: options.profile })
  const started = new StartedParts()
  const own = { name: family, family, settings: factorySettings(settings), seed: 0 }
  const plan = { ...own, ...omitUndefined({ profile: settings.profile, switches: options.switch }) }
  const { emulator } = await startDevice(plan, started, writeLine)
  say(commandList(emulator))
  await started.end()
}

function commandList(emulator: Emulator): string {
  const rows = emulator.wire.commands.map(({ name, code, source }) => {
    const hex = `0x${code.toString(16).toUpperCase().padStart(2, '0')}`
    return `${String(code).padStart(5)}  ${hex}  ${name.padEnd(28)} ${source}`
  })
  const headings = ` code  hex   ${'name'.padEnd(28)} section of the protocol specification`
  return `${[headings, ...rows].join('\n')}\n`
}

function greeting(ready: ReadyReport, emulator: Emulator, data: string | undefined): string {
  const lines = [
    `fiscal-rig emulates family ${ready.family}, profile ${emulator.profile.profile}, serial number ${emulator.profile.serialNumber}.`,
    ...(ready.link === undefined ? [] : [`  Port    ${resolve(ready.link)}`]),
    ...(ready.tcp === undefined ? [] : [`  TCP     ${inUrl(outsideHost(ready.host ?? LOOPBACK))}:${ready.tcp}`]),
    ...warningLine(ready.warning),
    `  Panel   ${ready.panel}`,
    `  Docs    ${docsAt(ready.panel)}`,
    `  Data    ${data ?? 'in memory only'}`,
    '',
    'End with Ctrl+C.',
  ]
  return `${lines.join('\n')}\n`
}
