/**
 * Targets that keep what they are left with: a device at a port (the service runs in this process), or a service that
 * somebody else started. With `--panel` an emulated device's control interface lends them hands and eyes.
 */
import { driverFamilies } from '../../../drivers/families.ts'
import { messageOf, parseDevice, serialPort, tcpPort } from '../../../drivers/link/port.ts'
import { systemClock } from '../../../drivers/model/clock.ts'
import type { Family } from '../../../drivers/model/families.ts'
import type { Client } from '../../../emulator/panel/contract.ts'
import type { Piece } from '../../oracle/books.ts'
import type { Need } from '../needs.ts'
import { realTime } from '../time.ts'
import { type HttpClient, httpClient } from './http.ts'
import { panelClient } from './panel.ts'
import { openService } from './service.ts'
import { type Rig, type Setup, type Target, Unreachable } from './target.ts'

export interface LastingOptions {
  /** A path, `tcp://HOST:PORT`, or the address of a service. */
  readonly name: string
  readonly families: readonly Family[]
  readonly baud?: number
  /** `http://127.0.0.1:65402` */
  readonly panel?: string
}

const USUAL_BAUD = 115_200

const NO_PANEL = 'without --panel nobody can see or touch the device'
const AS_IT_IS = 'a device is what it is'

interface Lack {
  /** Whatever there is. */
  readonly always?: string
  /** With a service that somebody else started. */
  readonly withService?: string
  readonly withoutPanel?: string
}

/** Why a need cannot be met. */
const LACKS: Readonly<Record<Need, Lack>> = {
  config: { withService: 'a running service keeps its own configuration' },
  restart: { withService: 'a service that somebody else started' },
  profile: { always: AS_IT_IS },
  displayCable: { always: 'nobody can pull the plug of its display' },
  wire: { always: 'its line is taken by the service' },
  platform: { always: 'the service has its own platform' },
  fresh: { withoutPanel: 'a real device cannot be made new' },
  clock: { withoutPanel: "a real device's clock cannot be moved" },
  articles: { withoutPanel: NO_PANEL },
  hands: { withoutPanel: NO_PANEL },
  faults: { withoutPanel: NO_PANEL },
  linkFaults: { withoutPanel: NO_PANEL },
  snapshot: { withoutPanel: NO_PANEL },
  paper: { withoutPanel: NO_PANEL },
  journal: { withoutPanel: NO_PANEL },
  state: { withoutPanel: NO_PANEL },
  display: { withoutPanel: NO_PANEL },
  frames: { withoutPanel: NO_PANEL },
}

export function lastingTarget(options: LastingOptions): Target {
  const isService = /^https?:\/\//.test(options.name)
  const http = httpClient()
  return {
    name: options.name,
    families: options.families,
    device: 'lasting',
    reach: () =>
      isService
        ? http.send(baseOf(options.name), { method: 'GET', path: '/api/openapi.json' }).answer.then(() => undefined)
        : reachDevice(options.name, options.families[0], options.baud),
    lacks: (need, { given }) => lacks(need, given, isService, options.panel !== undefined),
    open: (setup) => openRig(options, setup, isService, http),
    close: async () => http.close(),
  }
}

/** The address of a service, with or without its `/api`. */
const baseOf = (name: string): string => name.replace(/\/+$/, '').replace(/\/api$/, '')

/** Opens the port of a device once. Throws Unreachable when that cannot be done, RangeError for an address that is none. */
export async function reachDevice(name: string, family: Family | undefined, baud?: number): Promise<void> {
  const usual = family === undefined ? undefined : driverFamilies.get(family)
  const device = parseDevice(name, usual?.defaultTcpPort ?? Number.NaN)
  const opener =
    device.kind === 'tcp'
      ? tcpPort(device.host, device.port, systemClock)
      : serialPort(device.path, baud ?? usual?.bauds[0] ?? USUAL_BAUD, systemClock)
  try {
    const port = await opener({ heard: () => undefined, lost: () => undefined })
    await port.close()
  } catch (error) {
    throw new Unreachable(`${name} cannot be reached: ${messageOf(error)}`)
  }
}

function lacks(need: Need, given: Setup['given'], isService: boolean, hasPanel: boolean): string | undefined {
  const { always, withService, withoutPanel } = LACKS[need]
  if (need === 'fresh' && (given.mechanism !== undefined || given.powerReturns !== undefined)) return AS_IT_IS
  return always ?? (isService ? withService : undefined) ?? (hasPanel ? undefined : withoutPanel)
}

async function openRig(options: LastingOptions, setup: Setup, isService: boolean, http: HttpClient): Promise<Rig> {
  const troubles: string[] = []
  const address = options.panel?.replace(/\/+$/, '')
  const panel = address === undefined ? undefined : panelClient((call) => http.send(address, call).answer)
  const service = isService
    ? undefined
    : openService({
        setup,
        device: options.name,
        seams: { clock: systemClock },
        clock: systemClock,
        platform: undefined,
        trouble: (line) => troubles.push(line),
      })
  const base = baseOf(options.name)
  // A new device, as far as an emulated one can be made new from outside.
  await panel?.('POST /emulator/reset', { body: {} })
  await panel?.('DELETE /emulator/faults')
  const since = panel ? ((await panel('GET /emulator/frames')).at(-1)?.id ?? 0) : 0
  return {
    family: setup.family,
    profile: undefined,
    time: realTime,
    troubles,
    panel,
    call: (call) => service?.call(call) ?? http.send(base, call),
    pieces: async () => panel && piecesAfter(panel, since),
    ...(service && { restart: () => service.restart() }),
    close: async () => service?.close(),
  }
}

/** Undefined: some are not kept any more. */
async function piecesAfter(panel: Client, since: number): Promise<readonly Piece[] | undefined> {
  const frames = await panel('GET /emulator/frames', { query: { after: since } })
  if (frames[0] && frames[0].id > since + 1) return undefined
  return frames.map(({ direction, hex }) => ({ direction, bytes: Buffer.from(hex.replaceAll(' ', ''), 'hex') }))
}
