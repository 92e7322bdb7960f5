/** What `fiscal-rig run` plays on: made of its options. */
import { FAMILIES } from '../drivers/families.ts'
import { messageOf } from '../drivers/model/errors.ts'
import { type Family, oneOfFamilies } from '../drivers/model/families.ts'
import { present } from '../drivers/model/present.ts'
import { withoutEnd } from '../drivers/model/without-end.ts'
import type { FloorRow } from '../emulator/panel/contract.ts'
import type { Passport } from '../emulator/passport/form.ts'
import { emulatedTarget } from '../scenarios/runner/target/emulated.ts'
import { lastingTarget } from '../scenarios/runner/target/lasting.ts'
import type { Target } from '../scenarios/runner/target/target.ts'
import { DEFAULT_LISTEN } from '../server/config.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit } from './exit.ts'
import { io } from './io.ts'
import { passportFrom } from './passport-file.ts'
import { personAt } from './person-at-terminal.ts'
import { tell } from './say.ts'
import { targetKind } from './target.ts'

export interface TargetOptions {
  readonly target: string
  readonly family?: readonly Family[]
  readonly profile?: string
  readonly baud?: number
  readonly panel?: string
  readonly reset?: boolean
  readonly byHand?: boolean
  readonly passport?: string
}

/** One that contradicts `--family` or `--profile` is wrong usage. */
function passportOf({ passport: file, family, profile }: TargetOptions): Passport | undefined {
  if (file === undefined) return undefined
  const passport = passportFrom(file)
  const { device } = passport
  if ((family && !family.includes(device.family)) || (profile !== undefined && profile !== device.profile))
    throw new Exit(EXIT_USAGE, `${file} is of a device of family ${device.family}, profile ${device.profile}`)
  return passport
}

export async function targetOf(options: TargetOptions): Promise<Target> {
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
  const device = await lastingDevice(name, family, panel)
  if (reset) tell(`The device of ${name} is reset before each scenario: everything it has printed and sold is lost.`)
  const target = lastingTarget({
    name,
    families: [device.family],
    ...present({ baud, panel }),
    ...(reset && { reset }),
    ...(byHand && { person: personAt(io().input, io().err) }),
  })
  return { ...target, ...present({ profile: device.profile }) }
}

/** A printer of `emulate --fleet` or `--count`: its line and its control interface are asked of the panel. */
async function printerOfFleet(target: string, { panel, family, reset }: TargetOptions): Promise<Target> {
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
  return { ...lastingTarget({ ...own, ...(reset && { reset }) }), name: target, profile: row.profile }
}

/** A service tells callers on its own machine where its emulated device is. Undefined: a real device, or not there. */
const panelOf = (name: string): Promise<string | undefined> =>
  fetch(new URL('/emulator/address', name)).then(
    async (answer) => (answer.ok ? ((await answer.json()) as { readonly panel?: string }).panel : undefined),
    () => undefined,
  )

interface LastingDevice {
  readonly family: Family
  readonly profile?: string | undefined
}

/** A lasting device is of one family: its panel says which, and of which profile, or the caller. */
async function lastingDevice(
  name: string,
  families: readonly Family[] | undefined,
  panel: string | undefined,
): Promise<LastingDevice> {
  if (panel === undefined) {
    const [family, ...others] = families ?? []
    if (family !== undefined && others.length === 0) return { family }
    throw new Exit(EXIT_USAGE, `--family: ${name} is one device; say of which family it is: ${oneOfFamilies(FAMILIES)}`)
  }
  const state = await fetch(`${withoutEnd(panel, '/')}/emulator`).then(
    async (answer) => (await answer.json()) as { readonly family?: Family; readonly profile?: string },
    (error: unknown) => {
      throw new Exit(EXIT_ENVIRONMENT, `the panel ${panel} cannot be reached: ${messageOf(error)}`)
    },
  )
  const family = FAMILIES.find((one) => one === state.family)
  if (!family) throw new Exit(EXIT_ENVIRONMENT, `${panel} is not the panel of an emulated device`)
  if (families && !families.includes(family)) throw new Exit(EXIT_USAGE, `--family: the device is of family ${family}`)
  return { family, profile: state.profile }
}
