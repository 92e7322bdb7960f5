/**
 * The rig of the suites, composed of the parts that a test needs:
 *
 *   createBooks        a device's books on a simulated clock
 *   startWire          books with a family's wire: bytes in, bytes out, commands executed at once
 *   startPrinter       the library's printer over a device with the seams that a suite needs, and drivers to it
 *   composeService     the REST service over any driver
 *   startService       the REST service over its own device
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { printerOver } from '../../bin/library/printer.ts'
import type { Printer } from '../../bin/library/types.ts'
import { type DriverFamilies, openPrinter, type PrinterConfig, type PrinterSeams } from '../../drivers/index.ts'
import { type Clock, SimulatedClock, systemClock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { memoize } from '../../drivers/model/memoize.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { createDevice, type DeviceOptions } from '../../emulator/fiscal/device.ts'
import type { EmulatedFamily, FrameReaction, SwitchOptions, Wire } from '../../emulator/wire.ts'
import { type ComposedService, compose, openStores, type Stores } from '../../server/compose.ts'
import { type Settings, settingsOf } from '../../server/config.ts'
import type { RequestLine } from '../../server/log.ts'

export const START = Date.UTC(2026, 6, 15, 9, 0, 0)

export interface Books {
  readonly clock: SimulatedClock
  readonly device: FiscalDevice
}

export function createBooks(options: Omit<DeviceOptions, 'clock'>, start = START): Books {
  const clock = new SimulatedClock(start)
  return { clock, device: createDevice({ clock, ...options }) }
}

export interface WireOptions {
  /** The default is the first profile of the family. */
  readonly profile?: string
  readonly switches?: SwitchOptions | undefined
  readonly device?: Partial<DeviceOptions>
  readonly start?: number
}

export interface BareWire extends Books {
  readonly wire: Wire
  /** Returns the device's reactions to these bytes, without executing the commands. */
  meet(bytes: Uint8Array): readonly FrameReaction[]
  /** Returns the device's responses to these bytes, message by message: streamed lines, then frames. */
  messages(bytes: Uint8Array): readonly Uint8Array[]
  hear(bytes: Uint8Array): Uint8Array
  /** Reports that an incomplete frame has waited longer than the gap limit. */
  expire(): Uint8Array | undefined
}

export function startWire(family: EmulatedFamily, options: WireOptions = {}): BareWire {
  const profile = family.profile(options.profile ?? (family.profiles[0] as string))
  const { clock, device } = createBooks({ profile, ...options.device }, options.start)
  const wire = family.wire(device, options.switches)
  const deframer = new Deframer(wire.shape)
  const meet = (bytes: Uint8Array) => deframer.push(bytes).map((event) => wire.meet(event))
  const messages = (bytes: Uint8Array) => meet(bytes).flatMap(spoken)
  return {
    clock,
    device,
    wire,
    meet,
    messages,
    hear: (bytes) => Buffer.concat(messages(bytes)),
    expire() {
      const piece = deframer.expire()
      return piece && wire.expired(piece)
    },
  }
}

function spoken(meeting: FrameReaction): readonly Uint8Array[] {
  if (meeting.kind === 'ignore') return []
  if (meeting.kind === 'reply') return [meeting.bytes]
  const { frames, stream } = meeting.run()
  return [...(stream?.lines ?? []), ...frames]
}

export type Way = 'embedded' | 'pty' | 'tcp'

export interface Paper {
  readonly kind: string
  readonly text: string
}

export interface PrinterRig {
  readonly emulator: Emulator
  readonly printer: Printer
  /** The driver is embedded and makes no random pauses. Closing the device disconnects the driver. */
  driver(config?: Partial<PrinterConfig>, seams?: PrinterSeams): FiscalPrinter
  reach(way: Way): Promise<FiscalPrinter>
  /** Opens a line without a driver. `onBytes` receives the device's bytes. */
  attach(onBytes: (bytes: Uint8Array) => void): { receive(bytes: Uint8Array): void }
  /** The oldest document comes first. */
  papers(): readonly Paper[]
  /** `mark` returns the number of the newest frame. `framesSince` returns the number of frames after `mark`. */
  mark(): number
  framesSince(mark: number): number
  close(): Promise<void>
}

export interface PrinterOptions extends EmulatorOptions {
  /** A test sets this member if it adds its own family of drivers. */
  readonly drivers?: DriverFamilies
}

export function startPrinter({ drivers: known, ...options }: PrinterOptions): PrinterRig {
  const emulator = createEmulator(options)
  const printer = printerOver(emulator)
  const families = known && { families: known }
  const { family, clock } = emulator
  const drivers: FiscalPrinter[] = []
  const folders: string[] = []
  const driver = (config: Partial<PrinterConfig> = {}, seams: PrinterSeams = {}): FiscalPrinter => {
    const own = { ...families, binding: printer.binding, clock, random: () => 0.5 }
    const opened = openPrinter({ family, device: printer.path, ...config }, { ...own, ...seams })
    drivers.push(opened)
    return opened
  }
  return {
    emulator,
    printer,
    driver,
    async reach(way) {
      if (way === 'embedded') return driver()
      if (way === 'tcp') return driver({ device: `tcp://127.0.0.1:${(await printer.listen({ port: 0 })).port}` })
      const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-printer-'))
      folders.push(folder)
      const link = await printer.link(join(folder, 'printer'))
      const drivenOver = openPrinter({ family, device: link }, { ...families, clock })
      drivers.push(drivenOver)
      return drivenOver
    },
    attach: (onBytes) => emulator.loop.attach({ send: onBytes, unplug: () => undefined }),
    papers: () => printer.documents().map(({ id, kind }) => ({ kind, text: printer.paper(id) })),
    mark: () => printer.frames().at(-1)?.id ?? 0,
    framesSince: (mark) => printer.frames().filter(({ id }) => id > mark).length,
    async close() {
      for (const opened of drivers) await opened.disconnect()
      await printer.close()
      for (const folder of folders) rmSync(folder, { recursive: true })
    },
  }
}

export interface Answer {
  readonly StatusCode: number
  // biome-ignore lint/suspicious/noExplicitAny: each endpoint has its own Data; the tests compare it whole.
  readonly Data?: any
  readonly Message?: string
}

export interface ServiceOptions<C extends Clock = Clock> {
  /** The settings replace the defaults. Those of `listen` replace them member by member. */
  readonly settings?: Partial<Omit<Settings, 'listen'>> & { readonly listen?: Partial<Settings['listen']> }
  readonly clock?: C
  /** The stores come from an earlier service over the same device. The test closes them. */
  readonly stores?: Partial<Stores>
  readonly description?: () => Promise<string>
  readonly families?: DriverFamilies
}

export interface ServiceRig<C extends Clock = Clock> extends ComposedService {
  readonly clock: C
  readonly printer: FiscalPrinter
  readonly warnings: readonly string[]
  readonly requests: readonly RequestLine[]
  /** The list contains the `X-Request-Id` of requests that failed with an unexpected error. */
  readonly troubles: readonly (string | undefined)[]
  /** `path` is as in the specification, without `/api`. */
  post(path: string, body?: object, key?: string): Promise<Answer>
  raw(path: string, body: string): Promise<Answer>
  get(path: string): Promise<Answer>
  close(): Promise<void>
}

const usualSettings = memoize((family: Family) => settingsOf({}, { family }))

/** The service runs over a driver of the test, by default on simulated time. */
export function composeService<C extends Clock = SimulatedClock>(
  printer: FiscalPrinter,
  options: ServiceOptions<C> = {},
): ServiceRig<C> {
  const clock = options.clock ?? (new SimulatedClock(START) as Clock as C)
  const usual = usualSettings(printer.family)
  const settings = { ...usual, ...options.settings, listen: { ...usual.listen, ...options.settings?.listen } }
  const { answers, prints } = options.stores ?? {}
  const own = answers && prints ? undefined : openStores(clock)
  const warnings: string[] = []
  const requests: RequestLine[] = []
  const troubles: (string | undefined)[] = []
  const composed = compose({
    ...{ settings, printer, clock, stores: { close: () => undefined, ...own, ...options.stores } as Stores },
    log: {
      warn: (line) => void warnings.push(line),
      request: (line) => void requests.push(line),
      trouble: (_error, request) => void troubles.push(request),
    },
    ...(options.description && { description: options.description }),
    ...(options.families && { families: options.families }),
  })
  const agent = () => supertest(composed.app)
  return {
    ...{ clock, printer, warnings, requests, troubles, service: composed.service, stores: composed.stores },
    checkTaxCodes: () => composed.checkTaxCodes(),
    ...{ description: composed.description, endStreams: composed.endStreams },
    // `composed.app` is created at the first use.
    get app() {
      return composed.app
    },
    async post(path, body, key) {
      const request = agent().post(`/api${path}`)
      if (key !== undefined) request.set('Idempotency-Key', key)
      return (await (body === undefined ? request : request.send(body))).body
    },
    raw: async (path, body) => (await agent().post(`/api${path}`).type('json').send(body)).body,
    get: async (path) => (await agent().get(`/api${path}`)).body,
    close: async () => own?.close(),
  }
}

export interface PrintingService extends ServiceRig, Omit<PrinterRig, 'driver' | 'reach' | 'attach' | 'printer'> {}

/**
 * Starts a service over its own device. Both run on the system's time by default. `clock` applies to the service only.
 */
export async function startService(
  device: PrinterOptions & { readonly way?: Way },
  options: ServiceOptions = {},
): Promise<PrintingService> {
  const { way = 'embedded', ...emulated } = device
  const { emulator, papers, mark, framesSince, ...printer } = startPrinter(emulated)
  const known = device.drivers && { families: device.drivers }
  const composed = composeService(await printer.reach(way), { clock: systemClock, ...known, ...options })
  return {
    ...composed,
    ...{ emulator, papers, mark, framesSince },
    async close() {
      await printer.close()
      await composed.close()
    },
  }
}
