/**
 * Targets that keep their state: a device at a port, whose service runs in this process, or a running service. The
 * device is read through the control API if it is emulated, and otherwise through its own answers.
 */

import { driverFamilies } from '../../../drivers/families.ts'
import type { PrinterSeams } from '../../../drivers/index.ts'
import { openerOf, parseDevice } from '../../../drivers/link/device-address.ts'
import type { Binding } from '../../../drivers/link/port.ts'
import { systemClock } from '../../../drivers/model/clock.ts'
import { DeviceError, portMessage, withPortAdvice } from '../../../drivers/model/errors.ts'
import type { Family } from '../../../drivers/model/families.ts'
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import { trimEndOf } from '../../../drivers/model/trim-end.ts'
import { createEmulator } from '../../../emulator/emulator.ts'
import type { Client } from '../../../emulator/panel/contract.ts'
import { printerAt } from '../../../emulator/panel/http-calls.ts'
import { KEY_LENGTH_MAX } from '../../../server/operations/log/answers.ts'
import { type FrameDecoder, meaningOf } from '../../line/frames.ts'
import type { Piece as ReceivedPiece } from '../../line/piece.ts'
import type { Piece } from '../../oracle/ledger.ts'
import { type FaultyBinding, withLineFaults } from '../../simulation/line-faults.ts'
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
  readonly name: string
  readonly families: readonly Family[]
  readonly baud?: number
  /** Address of the control API, such as `http://127.0.0.1:65402`. */
  readonly panel?: string
  readonly ca?: string
  readonly printer?: string
  readonly reset?: boolean
  readonly person?: Person
  /** Timeline of the driver and the steps. The default is real time. */
  readonly time?: Timeline
}

const USUAL_BAUD = 115_200

const OWN_PROFILE = 'a device keeps the profile that it has'
const BY_HAND = 'by hand'
const personNeeded = (hand: string | undefined): string =>
  `this step needs a person to ${hand ?? 'operate the device'}; use --by-hand to be prompted at the terminal`
const RESET = 'the device is in use, and its day, documents and articles would be lost; --reset allows it'

interface UnsupportedNeed {
  readonly always?: string
  readonly withService?: string
  readonly withoutReset?: string
  readonly withoutPanel?: string
  /** Set if a person at the terminal can meet the need. */
  readonly byHand?: true
  /** Set if the runner's own end of a serial line can meet the need. */
  readonly onLine?: true
}

const UNSUPPORTED_REASONS: Readonly<Record<Need, UnsupportedNeed>> = {
  config: { withService: 'a running service keeps its own configuration' },
  restart: { withService: 'a service that this run did not start' },
  profile: { always: OWN_PROFILE },
  displayCable: { always: BY_HAND, byHand: true },
  wire: { always: 'the service uses the line of the device' },
  platform: { withService: 'the service has its own platform' },
  fresh: { withoutReset: RESET, withoutPanel: 'a real device cannot be reset' },
  clock: { withoutReset: RESET, withoutPanel: BY_HAND, byHand: true },
  articles: { withoutReset: RESET, withoutPanel: BY_HAND, byHand: true },
  snapshot: { withoutReset: RESET, withoutPanel: 'a saved state cannot be loaded into a real device' },
  hands: { withoutPanel: BY_HAND, byHand: true },
  cable: { withoutPanel: BY_HAND, byHand: true, onLine: true },
  faults: { withoutPanel: 'nothing can cause faults inside a real device' },
  linkFaults: { withoutPanel: 'the run does not control the line to the device', onLine: true },
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
    whyUnsupported(need, { given, hand }) {
      const why = whyUnsupported(need, given, options, isService)
      return why === BY_HAND ? personNeeded(hand) : why
    },
    open: (setup) => openRig(options, setup, isService, http),
    close: async () => http.close(),
  }
}

const baseOf = (name: string): string => trimEndOf(name, '/').replace(/\/api$/, '')

/**
 * Opens and closes the port of a device. Throws TargetUnreachable if that fails, and RangeError for an invalid address.
 */
export async function reachDevice(name: string, family: Family | undefined, baud?: number): Promise<void> {
  const usual = family === undefined ? undefined : driverFamilies.get(family)
  const device = parseDevice(name, usual?.defaultTcpPort ?? Number.NaN)
  const opener = openerOf(device, baud ?? usual?.bauds[0] ?? USUAL_BAUD, systemClock)
  try {
    const port = await opener({ onData: () => undefined, onLost: () => undefined })
    await port.close()
  } catch (error) {
    throw new TargetUnreachable(`${name} cannot be reached: ${withPortAdvice(portMessage(error))}`)
  }
}

function whyUnsupported(
  need: Need,
  given: Setup['given'],
  options: PersistentOptions,
  isService: boolean,
): string | undefined {
  const { panel, reset, person, name } = options
  const { always, withService, withoutReset, withoutPanel, byHand, onLine } = UNSUPPORTED_REASONS[need]
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
      trouble: (trouble) => troubles.push(trouble),
    })
  const base = baseOf(name)
  const call = (one: HttpCall) => service?.call(one) ?? send(base, one)
  if (options.reset) {
    await panel?.('POST /emulator/reset', { body: {} })
    await panel?.('DELETE /emulator/faults')
  }
  const after = panel ? ((await panel('GET /emulator/frames')).at(-1)?.id ?? 0) : 0
  const reader =
    service && line
      ? readerOfDriver((question) => retryAfterNoise(() => service.ask(question)), line.receivedPieces, line.meaning)
      : readerOverRest(call)
  return {
    family: setup.family,
    profile: setup.profile,
    time,
    troubles,
    panel,
    call,
    ...(isService && { ownKey: keysOfRun(clock.wallTime()) }),
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

/**
 * A running service stores its answers for 24 hours. The key of an earlier run would get the answer of that run, and
 * print nothing.
 */
const keysOfRun =
  (beganAt: number) =>
  (key: string): string => {
    const own = `${key} ${new Date(beganAt).toISOString()}`
    return key === '' || own.length > KEY_LENGTH_MAX ? key : own
  }

const QUERY_ATTEMPTS = 3

/**
 * Retries a query after a device error. A query changes nothing, and faults of the scenario may still disturb the line.
 */
async function retryAfterNoise<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof DeviceError) || tries === QUERY_ATTEMPTS) throw error
    }
  }
}

interface OwnLine {
  readonly seams: PrinterSeams
  readonly tap?: FaultyBinding
  readonly meaning: FrameDecoder
  receivedPieces(): readonly ReceivedPiece[]
  isWhole(): boolean
}

/** Maximum size of the recorded traffic of one scenario, in bytes. */
const TRAFFIC_MAX_BYTES = 32 * 1024 * 1024
const PIECE_COST = 256

/**
 * Records the traffic. On a serial port without a control API, the record is made on the device's side of injected
 * faults. Otherwise the trace of the driver is recorded.
 */
async function ownLine(
  { name, panel, time: { clock } = realTime }: PersistentOptions,
  { family, profile, seed }: Setup,
): Promise<OwnLine> {
  const pieces: ReceivedPiece[] = []
  const receivedPieces = () => pieces
  let size = 0
  const meaning = meaningOf(family, profile)
  const note = (direction: ReceivedPiece['direction'], bytes: Uint8Array) => {
    size += bytes.length + PIECE_COST
    if (size <= TRAFFIC_MAX_BYTES) pieces.push({ at: clock.now(), direction, bytes: Uint8Array.from(bytes) })
  }
  const isWhole = () => size <= TRAFFIC_MAX_BYTES
  if (panel !== undefined || !isSerial(name)) {
    return { seams: { trace: ({ direction, bytes }) => note(direction, bytes) }, meaning, receivedPieces, isWhole }
  }
  const { autoDetect } = await import('@serialport/bindings-cpp')
  const tap = withLineFaults(
    autoDetect() as Binding,
    createEmulator({ family, ...omitUndefined({ profile }) }).wire,
    seed,
    note,
  )
  return { seams: { binding: tap }, tap, meaning, receivedPieces, isWhole }
}

/** Resolves to `undefined` if the device no longer retains all frames. */
async function piecesAfter(panel: Client, since: number): Promise<readonly Piece[] | undefined> {
  const frames = await panel('GET /emulator/frames', { query: { after: since } })
  if (frames[0] && frames[0].id > since + 1) return undefined
  return frames.map(({ direction, hex }) => ({ direction, bytes: Buffer.from(hex.replaceAll(' ', ''), 'hex') }))
}
