/**
 * Targets that keep what they are left with: a device at a port (the service runs in this process), or a service that
 * somebody else started. With `--panel` an emulated device's control interface lends them hands and eyes.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { driverFamilies } from '../../../drivers/families.ts'
import { messageOf, parseDevice, serialPort, tcpPort } from '../../../drivers/link/port.ts'
import { systemClock } from '../../../drivers/model/clock.ts'
import type { Family } from '../../../drivers/model/receipt.ts'
import type { Piece } from '../../oracle/books.ts'
import type { HttpAnswer, HttpCall } from '../inject.ts'
import type { Need } from '../schema.ts'
import { realTime } from '../time.ts'
import { panelAnswer } from './emulated.ts'
import { openService } from './service.ts'
import { type Pending, type Rig, type Setup, type Target, Unreachable } from './target.ts'

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

/** What only the own process can do. */
const OWN_ONLY: Partial<Record<Need, string>> = {
  displayCable: 'nobody can pull the plug of its display',
  wire: 'its line is taken by the service',
  platform: 'the service has its own platform',
}

export function lastingTarget(options: LastingOptions): Target {
  const isService = /^https?:\/\//.test(options.name)
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true, rejectUnauthorized: false }),
  }
  return {
    name: options.name,
    families: options.families,
    device: 'lasting',
    reach: () =>
      isService
        ? send(baseOf(options.name), { method: 'GET', path: '/api/openapi.json' }, agents).answer.then(() => undefined)
        : reachDevice(options.name, options.families[0], options.baud),
    lacks: (need, { given }) => lacks(need, given, isService, options.panel !== undefined),
    open: (setup) => openRig(options, setup, isService, agents),
    close: async () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** The address of a service, with or without its `/api`. */
const baseOf = (name: string): string => name.replace(/\/+$/, '').replace(/\/api$/, '')

/** Opens the port of a device once. Throws Unreachable when that cannot be done, RangeError for an address that is none. */
export async function reachDevice(name: string, family: Family | undefined, baud?: number): Promise<void> {
  const usual = family && driverFamilies.get(family)
  const device = parseDevice(name, usual?.defaultTcpPort ?? Number.NaN)
  const opener =
    device.kind === 'tcp'
      ? tcpPort(device.host, device.port, systemClock)
      : serialPort(device.path, baud ?? usual?.defaultBaud ?? USUAL_BAUD, systemClock)
  try {
    const port = await opener({ heard: () => undefined, lost: () => undefined })
    await port.close()
  } catch (error) {
    throw new Unreachable(`${name} cannot be reached: ${messageOf(error)}`)
  }
}

function lacks(need: Need, given: Setup['given'], isService: boolean, hasPanel: boolean): string | undefined {
  const own = OWN_ONLY[need]
  if (own !== undefined) return own
  switch (need) {
    case 'config':
      return isService ? 'a running service keeps its own configuration' : undefined
    case 'profile':
      return 'a device is what it is'
    case 'restart':
      return isService ? 'a service that somebody else started' : undefined
    case 'fresh':
      if (given.mechanism !== undefined || given.powerReturns !== undefined) return 'a device is what it is'
      return hasPanel ? undefined : 'a real device cannot be made new'
    case 'clock':
      return hasPanel ? undefined : "a real device's clock cannot be moved"
    default:
      return hasPanel ? undefined : NO_PANEL
  }
}

type Agents = { readonly http: HttpAgent; readonly https: HttpsAgent }

async function openRig(options: LastingOptions, setup: Setup, isService: boolean, agents: Agents): Promise<Rig> {
  const troubles: string[] = []
  const panelBase = options.panel?.replace(/\/+$/, '')
  const panel =
    panelBase === undefined
      ? undefined
      : async (method: string, path: string, body?: unknown) => {
          const text = body === undefined ? undefined : JSON.stringify(body)
          return panelAnswer(
            await send(panelBase, { method, path, ...(text !== undefined && { body: text }) }, agents).answer,
          )
        }
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
  await panel?.('POST', '/emulator/reset', {})
  await panel?.('DELETE', '/emulator/faults')
  const since = panel ? await lastFrame(panel) : 0
  return {
    family: setup.family,
    profile: undefined,
    time: realTime,
    troubles,
    panel,
    call: (call) => service?.call(call) ?? send(base, call, agents),
    pieces: async () => panel && piecesAfter(panel, since),
    ...(service && { restart: () => service.restart() }),
    close: async () => service?.close(),
  }
}

type Panel = NonNullable<Rig['panel']>
interface Frame {
  readonly id: number
  readonly direction: 'toDevice' | 'toHost'
  readonly hex: string
}

const lastFrame = async (panel: Panel): Promise<number> =>
  ((await panel('GET', '/emulator/frames')) as readonly Frame[]).at(-1)?.id ?? 0

/** Undefined: some are not kept any more. */
async function piecesAfter(panel: Panel, since: number): Promise<readonly Piece[] | undefined> {
  const frames = (await panel('GET', `/emulator/frames?after=${since}`)) as readonly Frame[]
  if (frames[0] && frames[0].id > since + 1) return undefined
  return frames.map(({ direction, hex }) => ({ direction, bytes: Buffer.from(hex.replaceAll(' ', ''), 'hex') }))
}

/** One request over a socket. A certificate of our own making on this machine is as good as none at all. */
function send(base: string, { method, path, headers = {}, body }: HttpCall, agents: Agents): Pending {
  const url = new URL(base + path)
  const isSecure = url.protocol === 'https:'
  const gone = new AbortController()
  const answer = new Promise<HttpAnswer | undefined>((resolve, reject) => {
    const asked = (isSecure ? httpsRequest : httpRequest)(
      url,
      {
        method,
        agent: isSecure ? agents.https : agents.http,
        signal: gone.signal,
        headers: { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(given),
            text: Buffer.concat(parts).toString('utf8'),
          })
        })
      },
    )
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (gone.signal.aborted) resolve(undefined)
      else reject(new Unreachable(`${base} cannot be reached: ${error.code ?? error.message}`))
    })
    asked.end(body)
  })
  return { answer, hangUp: () => gone.abort() }
}
