/**
 * Targets that keep what they are left with: a device at a port (the service runs in this process), or a service that
 * somebody else started. An emulated device's control interface lends them hands and eyes; without one the device is
 * judged by its own answers.
 */

import { driverFamilies } from '../../../drivers/families.ts'
import type { PrinterSeams } from '../../../drivers/index.ts'
import { openerOf, parseDevice } from '../../../drivers/link/device-reach.ts'
import type { Binding } from '../../../drivers/link/port.ts'
import { systemClock } from '../../../drivers/model/clock.ts'
import { DeviceError, messageOf } from '../../../drivers/model/errors.ts'
import type { Family } from '../../../drivers/model/families.ts'
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import { trimEndOf } from '../../../drivers/model/trim-end.ts'
import { createEmulator } from '../../../emulator/emulator.ts'
import type { Client } from '../../../emulator/panel/contract.ts'
import { printerAt } from '../../../emulator/panel/request.ts'
import { type Meaning, meaningOf } from '../../line/frames.ts'
import type { Piece as HeardPiece } from '../../line/piece.ts'
import type { Piece } from '../../oracle/ledger.ts'
import { type Tap, tapped } from '../../simulation/tap.ts'
import type { HttpCall } from '../inject.ts'
import type { Need } from '../need-names.ts'
import { realTime, type Timeline } from '../time.ts'
import { type HttpClient, httpClient } from './http.ts'
import { panelClient } from './panel.ts'
import { openPlatform } from './platform.ts'
import { readerOfDriver, readerOverRest } from './reader.ts'
import { openService } from './service.ts'
import { type Person, type Rig, type Setup, type Target, TargetUnreachable } from './target.ts'

interface PersistentOptions {
  /** A path, `tcp://HOST:PORT`, or the address of a service. */
  readonly name: string
  readonly families: readonly Family[]
  readonly baud?: number
  /** `http://127.0.0.1:65402` */
  readonly panel?: string
  /** Certificate of an authority that is trusted for a service beyond this machine, in PEM. */
  readonly ca?: string
  /** One printer of many behind that panel. */
  readonly printer?: string
  /** The emulated device is made new before each scenario. */
  readonly reset?: boolean
  /** Somebody sits at the terminal. */
  readonly person?: Person
  /** By which the driver and the steps of a scenario wait. Default: the system's. */
  readonly time?: Timeline
}

const USUAL_BAUD = 115_200

const AS_IT_IS = 'a device keeps the profile that it has'
const BY_HAND = 'by hand'
const nobody = (hand: string | undefined): string =>
  `this step needs a person to ${hand ?? 'lend the device a hand'}; use --by-hand to be prompted at the terminal`
const RESET = 'the device is in use, and its day, documents and articles would be lost; --reset allows it'

interface Lack {
  /** Whatever there is. */
  readonly always?: string
  /** With a service that somebody else started. */
  readonly withService?: string
  /** With a control interface, where the device must not be reset. */
  readonly withoutReset?: string
  readonly withoutPanel?: string
  /** A person at the terminal is as good as a control interface. */
  readonly byHand?: true
  /** Our own end of a serial line is enough. */
  readonly onLine?: true
}

/** Why a need cannot be met; a need with nothing here can, everywhere. */
const LACKS: Readonly<Record<Need, Lack>> = {
  config: { withService: 'a running service keeps its own configuration' },
  restart: { withService: 'a service that somebody else started' },
  profile: { always: AS_IT_IS },
  displayCable: { always: BY_HAND, byHand: true },
  wire: { always: 'the service holds the line of the device' },
  platform: { withService: 'the service has its own platform' },
  fresh: { withoutReset: RESET, withoutPanel: 'a real device cannot be reset' },
  clock: { withoutReset: RESET, withoutPanel: BY_HAND, byHand: true },
  articles: { withoutReset: RESET, withoutPanel: BY_HAND, byHand: true },
  snapshot: { withoutReset: RESET, withoutPanel: 'a real device takes no saved state' },
  hands: { withoutPanel: BY_HAND, byHand: true },
  cable: { withoutPanel: BY_HAND, byHand: true, onLine: true },
  faults: { withoutPanel: 'nothing can cause faults inside a real device' },
  linkFaults: { withoutPanel: 'the line is not our own', onLine: true },
  frames: {},
  paper: {},
  journal: {},
  state: {},
  display: {},
}

export function persistentTarget(options: PersistentOptions): Target {
  const isService = /^https?:\/\//.test(options.name)
  const http = httpClient(omitUndefined({ ca: options.ca }))
  return {
    name: options.name,
    families: options.families,
    device: 'persistent',
    reach: () =>
      isService
        ? http.send(baseOf(options.name), { method: 'GET', path: '/api/openapi.json' }).answer.then(() => undefined)
        : reachDevice(options.name, options.families[0], options.baud),
    lacks(need, { given, hand }) {
      const why = lacks(need, given, options, isService)
      return why === BY_HAND ? nobody(hand) : why
    },
    open: (setup) => openRig(options, setup, isService, http),
    close: async () => http.close(),
  }
}

/** The address of a service, with or without its `/api`. */
const baseOf = (name: string): string => trimEndOf(name, '/').replace(/\/api$/, '')

/** Opens the port of a device once. Throws Unreachable when that cannot be done, RangeError for an address that is none. */
export async function reachDevice(name: string, family: Family | undefined, baud?: number): Promise<void> {
  const usual = family === undefined ? undefined : driverFamilies.get(family)
  const device = parseDevice(name, usual?.defaultTcpPort ?? Number.NaN)
  const opener = openerOf(device, baud ?? usual?.bauds[0] ?? USUAL_BAUD, systemClock)
  try {
    const port = await opener({ onData: () => undefined, onLost: () => undefined })
    await port.close()
  } catch (error) {
    throw new TargetUnreachable(`${name} cannot be reached: ${messageOf(error)}`)
  }
}

function lacks(need: Need, given: Setup['given'], options: PersistentOptions, isService: boolean): string | undefined {
  const { panel, reset, person, name } = options
  const { always, withService, withoutReset, withoutPanel, byHand, onLine } = LACKS[need]
  if (need === 'fresh' && given.powerReturns !== undefined) return 'its power does not come back by itself'
  if (need === 'config' && (given.config?.taxRates || given.config?.operators))
    return 'a device keeps its own tax rates and operators'
  if (person && byHand) return undefined
  const why = always ?? (isService ? withService : undefined)
  if (why !== undefined) return why
  if (panel !== undefined) return reset ? undefined : withoutReset
  return onLine && isSerial(name) ? undefined : withoutPanel
}

const isSerial = (name: string): boolean => !/^(?:tcp|https?):\/\//.test(name)

async function openRig(options: PersistentOptions, setup: Setup, isService: boolean, http: HttpClient): Promise<Rig> {
  const { name, person, time = realTime } = options
  const { clock } = time
  const send = (to: string, one: HttpCall) => http.send(to, one, setup.callTime?.())
  const troubles: string[] = []
  const address = options.panel === undefined ? undefined : trimEndOf(options.panel, '/')
  const at = options.printer === undefined ? undefined : printerAt(options.printer)
  const panel = address === undefined ? undefined : panelClient((call) => send(address, call).answer, at)
  const line = isService ? undefined : await ownLine(options, setup)
  const platform = isService ? undefined : await openPlatform(setup, clock)
  const service =
    line &&
    openService({
      setup,
      device: name,
      seams: { clock, ...line.seams },
      clock,
      platform: platform?.settings,
      trouble: (told) => troubles.push(told),
    })
  const base = baseOf(name)
  const call = (one: HttpCall) => service?.call(one) ?? send(base, one)
  // A new device, as far as an emulated one can be made new from outside, and only when it was asked for.
  if (options.reset) {
    await panel?.('POST /emulator/reset', { body: {} })
    await panel?.('DELETE /emulator/faults')
  }
  const after = panel ? ((await panel('GET /emulator/frames')).at(-1)?.id ?? 0) : 0
  const reader =
    service && line
      ? readerOfDriver((question) => againOnNoise(() => service.ask(question)), line.receivedPieces, line.meaning)
      : readerOverRest(call)
  return {
    family: setup.family,
    profile: setup.profile,
    time,
    troubles,
    panel,
    call,
    ...(!panel && { reader }),
    ...omitUndefined({ tap: line?.tap, person, platform, panelAddress: address }),
    pieces: async () => (panel ? piecesAfter(panel, after) : line?.isWhole() ? line.receivedPieces() : undefined),
    ...(service && { restart: () => service.restart() }),
    async close() {
      await service?.close()
      await platform?.close()
    },
  }
}

const QUESTION_TRIES = 3

/** A question changes nothing: where what the scenario has done to the line still sounds, it is asked again. */
async function againOnNoise<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof DeviceError) || tries === QUESTION_TRIES) throw error
    }
  }
}

interface OwnLine {
  readonly seams: PrinterSeams
  readonly tap?: Tap
  readonly meaning: Meaning
  receivedPieces(): readonly HeardPiece[]
  /** False after a device has sent more than is kept. */
  isWhole(): boolean
}

/** What is kept of the line in one scenario: a device that floods it sends gigabytes. */
const HEARD_MAX_BYTES = 32 * 1024 * 1024
/** Memory of a piece besides its bytes. */
const PIECE_COST = 256

/** Over a serial port the tap listens on the device's side of its faults; over TCP the driver's own trace has to do. */
async function ownLine(
  { name, panel, time: { clock } = realTime }: PersistentOptions,
  { family, profile, seed }: Setup,
): Promise<OwnLine> {
  const pieces: HeardPiece[] = []
  const receivedPieces = () => pieces
  let size = 0
  const meaning = meaningOf(family, profile)
  const note = (direction: HeardPiece['direction'], bytes: Uint8Array) => {
    size += bytes.length + PIECE_COST
    if (size <= HEARD_MAX_BYTES) pieces.push({ at: clock.now(), direction, bytes: Uint8Array.from(bytes) })
  }
  const isWhole = () => size <= HEARD_MAX_BYTES
  if (panel !== undefined || !isSerial(name)) {
    return { seams: { trace: ({ direction, bytes }) => note(direction, bytes) }, meaning, receivedPieces, isWhole }
  }
  const { autoDetect } = await import('@serialport/bindings-cpp')
  const tap = tapped(
    autoDetect() as Binding,
    createEmulator({ family, ...omitUndefined({ profile }) }).wire,
    seed,
    note,
  )
  return { seams: { binding: tap }, tap, meaning, receivedPieces, isWhole }
}

/** Undefined: some are not kept any more. */
async function piecesAfter(panel: Client, since: number): Promise<readonly Piece[] | undefined> {
  const frames = await panel('GET /emulator/frames', { query: { after: since } })
  if (frames[0] && frames[0].id > since + 1) return undefined
  return frames.map(({ direction, hex }) => ({ direction, bytes: Buffer.from(hex.replaceAll(' ', ''), 'hex') }))
}
