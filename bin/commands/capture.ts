/** `fiscal-rig capture`: relays the traffic between a program and its device, and records it (decisions 5). */
import { rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { driverFamilies, FAMILIES } from '../../drivers/families.ts'
import { inUrl, LOOPBACK, outsideHost, tcpPortTrouble } from '../../drivers/host/server-access.ts'
import { rigCommand } from '../../drivers/host/shell-command.ts'
import { hasSpeed, openerOf, parseDevice } from '../../drivers/link/device-address.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { messageOf, portMessage, withPortAdvice } from '../../drivers/model/errors.ts'
import { type Family, familyIn } from '../../drivers/model/families.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { openPty } from '../../emulator/line/pty.ts'
import { listenTcp } from '../../emulator/line/tcp.ts'
import type { EmulatedFamily } from '../../emulator/wire.ts'
import { MaskedRecorder } from '../../scenarios/line/masked-recorder.ts'
import { type Recorder, RecordingError, recordTo } from '../../scenarios/line/recording.ts'
import { Relay } from '../../scenarios/line/relay.ts'
import { openWarning } from '../beyond-loopback.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit, StartedParts, untilSignal, unwritable } from '../exit.ts'
import { say, writeLine } from '../terminal-output.ts'

interface CaptureOptions {
  readonly device: string
  readonly link?: string
  readonly tcp?: number
  readonly host?: string
  readonly open?: boolean
  readonly output: string
  /** Stored in the recording, so that later commands need no option for the family. */
  readonly family?: Family
  readonly baud?: number
  readonly withPasswords?: boolean
  readonly json?: boolean
}

const DEFAULT_BAUD = 115_200

interface ReadyReport {
  readonly device: string
  readonly link?: string
  readonly tcp?: number
  readonly host?: string
  readonly output: string
  readonly warning?: string
  readonly pid: number
}

export async function capture(options: CaptureOptions): Promise<void> {
  const { device, link, tcp, host = LOOPBACK, open = false, output, family } = options
  if (link === undefined && tcp === undefined)
    throw new Exit(EXIT_USAGE, 'No port for the program: add --link PATH or --tcp PORT.')
  const places =
    tcp === undefined ? [] : [{ host, option: '--host', does: 'print on the device', hasKey: false } as const]
  const warning = openWarning(places, { apiKey: undefined, open })
  const reach = reachOf(device, family)
  const baud = options.baud ?? familyOf(family)?.bauds[0] ?? DEFAULT_BAUD
  const log = writeLine
  const started = new StartedParts()
  let unusedFile: string | undefined
  try {
    const file = newRecorder(output, device, family)
    unusedFile = output
    const recorder = options.withPasswords ? file : new MaskedRecorder(file, familiesOf(family))
    started.add(() => recorder.close())
    const followsSpeed = options.baud === undefined && hasSpeed(reach)
    const opener = (speed: number) => openerOf(reach, speed, systemClock)
    const relay = new Relay({ opener, baud, followsSpeed, recorder, log })
    await relay.open()
    started.add(() => relay.close())
    const lines = await openProgramSide(relay, { link, tcp, host, family, baud, log }, started)
    unusedFile = undefined
    const ready: ReadyReport = {
      device,
      ...lines,
      output: resolve(output),
      pid: process.pid,
      ...(warning !== undefined && { warning }),
    }
    say(options.json ? `${JSON.stringify(ready)}\n` : greeting(ready, family))
  } catch (error) {
    await started.end()
    // The next attempt would find the file and refuse to overwrite it.
    if (unusedFile !== undefined && statSync(unusedFile, { throwIfNoEntry: false })?.isFile()) rmSync(unusedFile)
    if (error instanceof Exit) throw error
    throw new Exit(EXIT_ENVIRONMENT, `${device} cannot be opened: ${withPortAdvice(portMessage(error))}`)
  }
  await untilSignal(started)
}

const familyOf = (family: Family | undefined) => (family === undefined ? undefined : driverFamilies.get(family))

const familiesOf = (family: Family | undefined): readonly EmulatedFamily[] =>
  family === undefined ? [...emulatedFamilies.values()] : [familyIn(emulatedFamilies, family, 'device of')]

function reachOf(device: string, family: Family | undefined): ReturnType<typeof parseDevice> {
  try {
    return parseDevice(device, familyOf(family)?.defaultTcpPort ?? Number.NaN)
  } catch (error) {
    if (error instanceof RangeError) throw new Exit(EXIT_USAGE, `--device ${error.message}`)
    throw error
  }
}

function newRecorder(output: string, device: string, family: Family | undefined): Recorder {
  try {
    return recordTo(output, { device, ...(family && { family }) })
  } catch (error) {
    if (error instanceof RecordingError) throw new Exit(EXIT_USAGE, `--output ${error.message}`)
    throw unwritable(output, error)
  }
}

interface ProgramSide {
  readonly link: string | undefined
  readonly tcp: number | undefined
  readonly host: string
  /** `undefined` if the program may use the protocol of any family. */
  readonly family: Family | undefined
  readonly baud: number
  readonly log: (line: string) => void
}

async function openProgramSide(
  relay: Relay,
  { link, tcp, host, family, baud, log }: ProgramSide,
  started: StartedParts,
): Promise<Pick<ReadyReport, 'link' | 'tcp' | 'host'>> {
  const attach: Relay['attach'] = (end) => relay.attach(end)
  try {
    const pty = link === undefined ? undefined : await openPty({ link, attach, log, baud })
    if (pty) started.add(() => pty.close())
    const server =
      tcp === undefined
        ? undefined
        : await listenTcp({ port: tcp, host, clock: systemClock, acceptedShapes: shapesOf(family), attach, log })
    if (server) started.add(() => server.close())
    return { ...(link !== undefined && { link }), ...(server && { tcp: server.port, host }) }
  } catch (error) {
    const why = tcp === undefined ? undefined : tcpPortTrouble(error, { port: tcp, host, option: '--tcp' })
    throw new Exit(EXIT_ENVIRONMENT, why ?? messageOf(error))
  }
}

const shapesOf = (family: Family | undefined) =>
  (family === undefined ? [...driverFamilies.values()] : [familyIn(driverFamilies, family, 'driver for')]).map(
    ({ framesToDevice }) => framesToDevice,
  )

function greeting(
  { device, link, tcp, host = LOOPBACK, output, warning }: ReadyReport,
  family: Family | undefined,
): string {
  const command = rigCommand(['decode', output])
  const named = family === undefined ? ` --family ${FAMILIES.join('|')}` : ''
  const lines = [
    `fiscal-rig records what passes between a program and ${device}.`,
    ...(link === undefined ? [] : [`  Port      ${resolve(link)}   (set the program to it)`]),
    ...(tcp === undefined ? [] : [`  TCP       ${inUrl(outsideHost(host))}:${tcp}`]),
    ...(warning === undefined ? [] : [`  WARNING   ${warning}`]),
    `  Recorded  ${output}`,
    '',
    `Read it with: ${command}${named}. End with Ctrl+C.`,
  ]
  return `${lines.join('\n')}\n`
}
