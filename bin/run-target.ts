import { z } from 'zod'
import { FAMILIES } from '../drivers/families.ts'
import { messageOf } from '../drivers/model/errors.ts'
import { type Family, oneOfFamilies } from '../drivers/model/families.ts'
import { isRecord } from '../drivers/model/json.ts'
import { omitUndefined } from '../drivers/model/omit-undefined.ts'
import { trimEndOf } from '../drivers/model/trim-end.ts'
import type { Passport } from '../emulator/passport/passport.ts'
import { emulatedTarget } from '../scenarios/runner/target/emulated.ts'
import { type HttpClient, httpClient, isThisMachine } from '../scenarios/runner/target/http.ts'
import { persistentTarget } from '../scenarios/runner/target/persistent.ts'
import { type Target, TargetUnreachable } from '../scenarios/runner/target/target.ts'
import { DEFAULT_LISTEN } from '../server/config.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit, readInput } from './exit.ts'
import { io } from './io.ts'
import { passportFrom } from './passport-file.ts'
import { targetKind } from './target-kind.ts'
import { writeLine } from './terminal-output.ts'
import { promptAt } from './terminal-prompt.ts'

export interface TargetOptions {
  readonly target: string
  readonly family?: readonly Family[]
  readonly profile?: string
  readonly baud?: number
  readonly panel?: string
  readonly reset?: boolean
  readonly byHand?: boolean
  readonly passport?: string
  readonly ca?: string
}

function passportOf({ passport: file, family, profile }: TargetOptions): Passport | undefined {
  if (file === undefined) return undefined
  const passport = passportFrom(file)
  const { device } = passport
  if ((family && !family.includes(device.family)) || (profile !== undefined && profile !== device.profile))
    throw new Exit(
      EXIT_USAGE,
      `--passport: ${file} describes a device of family ${device.family}, profile ${device.profile}; omit --family and --profile`,
    )
  return passport
}

export async function targetOf(options: TargetOptions): Promise<Target> {
  const { target: name, family, baud, reset, byHand } = options
  const passport = passportOf(options)
  const kind = targetKind(name, ['emulator', 'pty', 'device', 'service', 'fleet'])
  if (kind === 'emulator' || kind === 'pty')
    return emulatedTarget(kind, passport ? [passport.device.family] : (family ?? FAMILIES), passport)
  if (passport) throw new Exit(EXIT_USAGE, `--passport is for emulated devices, not for ${name}: omit it`)
  if (kind === 'fleet') return printerOfFleet(name, options)
  const panel = options.panel ?? (kind === 'service' ? await panelOf(name) : undefined)
  if (reset && panel === undefined) {
    throw new Exit(
      EXIT_USAGE,
      `--reset: no control API of ${name} is known. Name it with --panel URL, or omit --reset: only an emulated device can be reset`,
    )
  }
  const device = await persistentDevice(name, family, panel)
  if (reset)
    writeLine(
      `The device of ${name} will be reset before each scenario: everything it has printed and sold will be deleted.`,
    )
  const target = persistentTarget({
    name,
    families: [device.family],
    ...omitUndefined({ baud, panel, ca: options.ca === undefined ? undefined : readInput(options.ca) }),
    ...(reset && { reset }),
    ...(byHand && { person: promptAt(io().input, io().err) }),
  })
  return { ...target, ...omitUndefined({ profile: device.profile }) }
}

async function printerOfFleet(target: string, { panel, family, reset }: TargetOptions): Promise<Target> {
  const printer = target.slice('fleet:'.length)
  const address = trimEndOf(panel ?? `http://${DEFAULT_LISTEN.host}:${DEFAULT_LISTEN.panelPort}`, '/')
  const { data: rows } = fleetRows.safeParse(await askPanel(address, '/emulator/fleet'))
  if (!rows)
    throw new Exit(
      EXIT_ENVIRONMENT,
      `--target: ${address} is not the control panel of a fleet: name the one that "emulate --fleet" prints with --panel URL`,
    )
  const row = rows.find(({ name }) => name === printer)
  if (!row)
    throw new Exit(EXIT_USAGE, `--target: ${address} has no printer ${printer}; ${address}/emulator/fleet lists all`)
  if (row.line === null) throw new Exit(EXIT_ENVIRONMENT, `${printer} has no line: ${row.why ?? 'add tcp or link'}`)
  if (family && !family.includes(row.family))
    throw new Exit(EXIT_USAGE, `--family: ${printer} is of family ${row.family}; omit --family`)
  if (reset)
    writeLine(`${printer} will be reset before each scenario: everything it has printed and sold will be deleted.`)
  const own = { name: row.line, families: [row.family], panel: address, printer }
  return { ...persistentTarget({ ...own, ...(reset && { reset }) }), name: target, profile: row.profile }
}

const fleetRows = z.array(
  z.object({
    name: z.string(),
    family: z.enum(FAMILIES as readonly [Family, ...Family[]]),
    profile: z.string(),
    line: z.string().nullable(),
    why: z.string().optional(),
  }),
)
const panelState = z.object({
  family: z.enum(FAMILIES as readonly [Family, ...Family[]]),
  profile: z.string().optional(),
})

/**
 * Returns the JSON response of a control panel; `undefined` for any other response. Throws Exit if the control panel
 * cannot be reached.
 */
async function askPanel(panel: string, path: string): Promise<unknown> {
  const http = httpClient()
  try {
    return await jsonAt(http, panel, path)
  } catch (error) {
    const why = error instanceof TargetUnreachable ? error.reason : messageOf(error)
    throw new Exit(
      EXIT_ENVIRONMENT,
      `The control panel ${panel} cannot be reached: ${why}. Start it, or name another with --panel URL.`,
    )
  } finally {
    http.close()
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function jsonAt(http: HttpClient, base: string, path: string): Promise<unknown> {
  const answer = await http.send(base, { method: 'GET', path }).answer
  return answer?.status === 200 ? parsedJson(answer.text) : undefined
}

/**
 * Returns the address of the control panel of a service's emulated device; `undefined` if there is none. `--reset`
 * erases that device. For safety, service and panel must be on this machine, and the panel must have the serial number
 * that the service reports.
 */
export async function panelOf(name: string): Promise<string | undefined> {
  if (!isThisMachine(new URL(name))) return undefined
  const http = httpClient()
  try {
    const read = async (base: string, path: string): Promise<Readonly<Record<string, unknown>>> => {
      const value = await jsonAt(http, base, path).catch(() => undefined)
      return isRecord(value) ? value : {}
    }
    const { panel, serialNumber } = await read(new URL(name).origin, '/emulator/address')
    if (typeof panel !== 'string' || !URL.canParse(panel)) return undefined
    const url = new URL(panel)
    if (url.protocol !== 'http:' || !isThisMachine(url)) return undefined
    const device = await read(url.origin, '/emulator')
    return typeof serialNumber === 'string' && device['serialNumber'] === serialNumber ? url.origin : undefined
  } finally {
    http.close()
  }
}

interface PersistentDevice {
  readonly family: Family
  readonly profile?: string | undefined
}

async function persistentDevice(
  name: string,
  families: readonly Family[] | undefined,
  panel: string | undefined,
): Promise<PersistentDevice> {
  if (panel === undefined) {
    const [family, ...otherFamilies] = families ?? []
    if (family !== undefined && otherFamilies.length === 0) return { family }
    throw new Exit(EXIT_USAGE, `--family: ${name} is one device; name its family: ${oneOfFamilies(FAMILIES)}`)
  }
  const { data: device } = panelState.safeParse(await askPanel(trimEndOf(panel, '/'), '/emulator'))
  if (!device)
    throw new Exit(
      EXIT_ENVIRONMENT,
      `${panel} is not the control panel of one emulated device: name it with --panel URL, or a printer of a fleet with --target fleet:NAME`,
    )
  const { family, profile } = device
  if (families && !families.includes(family))
    throw new Exit(EXIT_USAGE, `--family: the device of ${name} is of family ${family}; omit --family`)
  return { family, profile }
}
