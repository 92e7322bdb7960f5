/** `fiscal-rig emulate`: an emulated device on a pty, on TCP, or both. */
import { resolve } from 'node:path'
import { messageOf } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { type RealisticTimes, USUAL_TIMES } from '../../emulator/line/durations.ts'
import { startEmulator, startPanel } from '../emulator.ts'
import { EXIT_ENVIRONMENT, Exit, Started, untilSignal } from '../exit.ts'
import { dataFolderOf, settingsFrom } from '../options.ts'
import { readPlanFile } from '../plan-file.ts'
import { say, tell } from '../say.ts'

export interface EmulateOptions {
  readonly family: Family
  readonly profile?: string
  readonly link?: string
  readonly tcp?: number
  readonly panelPort?: number
  readonly data?: string
  readonly baud?: number
  readonly realistic?: boolean
  readonly lineMs?: number
  readonly zMs?: number
  readonly config?: string
  readonly deviceName?: string
  readonly switch?: Readonly<Record<string, string>>
  readonly faults?: string
  readonly listCommands?: boolean
  readonly json?: boolean
}

interface Ready {
  readonly panel: string
  readonly link?: string
  readonly tcp?: number
  readonly family: Family
  readonly pid: number
}

export async function emulate(options: EmulateOptions): Promise<void> {
  const { family, profile, data, panelPort, deviceName } = options
  const settings = await settingsFrom(options.config, { family, profile, data, panelPort })
  const started = new Started()
  const log = tell
  try {
    const folder = dataFolderOf(options.listCommands ? { data: 'memory' } : settings, 'emulate')
    started.add(folder.release)
    const plan = options.faults === undefined ? undefined : readPlanFile(options.faults)
    const pace = { baud: options.baud, times: timesOf(options) }
    const emulator = startEmulator(
      { family, settings, data: folder, deviceName, log, plan, switches: options.switch, ...pace },
      started,
    )
    if (plan) started.add(() => tellUnused(emulator, log))
    if (options.listCommands) {
      say(commandList(emulator))
      return await started.end()
    }
    if (options.link === undefined && options.tcp === undefined) {
      log('no line is open: add --link PATH or --tcp PORT for a program to attach')
    }
    const lines = await openLines(emulator, options, started)
    const panel = await startPanel(emulator, settings.listen.panelPort, started, {
      isChosen: panelPort !== undefined,
      log,
    })
    const ready: Ready = { panel, ...lines, family, pid: process.pid }
    say(options.json ? `${JSON.stringify(ready)}\n` : greeting(ready, emulator, folder.path))
  } catch (error) {
    await started.end()
    throw error
  }
  await untilSignal(started)
}

/** `--line-ms` and `--z-ms` mean `--realistic` with these times. */
function timesOf({ realistic, lineMs, zMs }: EmulateOptions): RealisticTimes | undefined {
  if (!realistic && lineMs === undefined && zMs === undefined) return undefined
  return { lineMs: lineMs ?? USUAL_TIMES.lineMs, reportZMs: zMs ?? USUAL_TIMES.reportZMs }
}

function tellUnused({ faults }: Emulator, log: (line: string) => void): void {
  for (const { id, hits: _hits, ...rule } of faults.unused())
    log(`fault rule ${id} never struck: ${JSON.stringify(rule)}`)
}

async function openLines(
  emulator: Emulator,
  { link, tcp }: EmulateOptions,
  started: Started,
): Promise<Pick<Ready, 'link' | 'tcp'>> {
  try {
    const pty = link === undefined ? undefined : await emulator.openPty(link)
    if (pty) started.add(() => pty.close())
    const server = tcp === undefined ? undefined : await emulator.listenTcp(tcp)
    if (server) started.add(() => server.close())
    return { ...(link !== undefined && { link }), ...(server && { tcp: server.port }) }
  } catch (error) {
    throw new Exit(EXIT_ENVIRONMENT, messageOf(error))
  }
}

function commandList(emulator: Emulator): string {
  const rows = emulator.wire.commands.map(({ name, code, source }) => {
    const hex = `0x${code.toString(16).toUpperCase().padStart(2, '0')}`
    return `${String(code).padStart(5)}  ${hex}  ${name.padEnd(28)} ${source}`
  })
  return `${rows.join('\n')}\n`
}

function greeting(ready: Ready, emulator: Emulator, data: string | undefined): string {
  const lines = [
    `fiscal-rig emulates family ${ready.family}, profile ${emulator.profile.profile}, serial number ${emulator.profile.serialNumber}.`,
    ...(ready.link === undefined ? [] : [`  Port    ${resolve(ready.link)}`]),
    ...(ready.tcp === undefined ? [] : [`  TCP     127.0.0.1:${ready.tcp}`]),
    `  Panel   ${ready.panel}`,
    `  Data    ${data ?? 'in memory only'}`,
    '',
    'End with Ctrl+C.',
  ]
  return `${lines.join('\n')}\n`
}
