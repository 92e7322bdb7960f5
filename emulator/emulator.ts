import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, systemClock } from '../drivers/model/clock.ts'
import { emulatedFamilies } from './families.ts'
import { dice } from './faults/dice.ts'
import { type FaultRules, RuleInjector } from './faults/injector.ts'
import type { Rule } from './faults/plan.ts'
import type { FaultReport, Hands, Injector } from './faults/points.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import { createDevice } from './fiscal/device.ts'
import {
  type DeviceEvent,
  type DeviceProfile,
  type FactorySettings,
  type Outcome,
  type PaperState,
  PowerCut,
} from './fiscal/types.ts'
import { EmulatedBinding } from './line/binding.ts'
import { DeviceLoop, type LoopOptions } from './line/device-loop.ts'
import { type DecodedFrame, decodeFrame, type FrameEntry, FrameLog } from './line/frame-log.ts'
import { type Attach, paced } from './line/pacing.ts'
import { openPty, type PtyLine } from './line/pty.ts'
import { listenTcp, type TcpLine } from './line/tcp.ts'
import type { EmulatedFamily, SwitchOptions, Wire } from './wire.ts'

/** The only door to an emulated device: books, wire and lines put together, and the hands that may touch it. */

export interface EmulatorOptions {
  readonly family: 'A' | 'B' | 'C'
  /** The family's first without. */
  readonly profile?: string
  readonly clock?: Clock
  /** Everything random of the faults comes from it. */
  readonly seed?: number
  /** A folder, where the same device is found again; or `memory`, the default. */
  readonly data?: string
  /** Keeps several devices of one kind in one folder. */
  readonly deviceName?: string
  readonly settings?: FactorySettings
  /** Switches that imitate particular firmware. */
  readonly options?: SwitchOptions
  /** Trouble on command: rules that hold from the start. Throws PlanError for one that cannot be. */
  readonly plan?: readonly Rule[]
  /** An injector of the caller's own in place of the rules. */
  readonly faults?: (hands: Hands, random: () => number) => Injector
  /** Time that commands take beyond their books, as a real mechanism does; without it they are instant. */
  readonly durationMs?: LoopOptions['durationMs']
  /** True speed of all lines, 8N1; without it bytes pass as fast as they can. */
  readonly baud?: number
  /** After a power cut by a fault; without it somebody has to switch the device on. */
  readonly powerReturnsAfterMs?: number
  /** Frames kept for the panel. */
  readonly framesKept?: number
  readonly log?: (line: string) => void
}

export type EmulatorEvent =
  | DeviceEvent
  | { readonly type: 'frame'; readonly entry: FrameEntry }
  | ({ readonly type: 'fault' } & FaultReport)

export interface Emulator {
  readonly family: 'A' | 'B' | 'C'
  readonly profile: DeviceProfile
  readonly clock: Clock
  readonly device: FiscalDevice
  readonly wire: Wire
  readonly loop: DeviceLoop
  /** A serialport binding on which `path` is this device. */
  readonly binding: EmulatedBinding
  readonly path: string
  /** The fault rules: list, add, remove. */
  readonly faults: FaultRules

  readonly power: boolean
  setPower(on: boolean): void
  readonly cable: boolean
  /** All lines at once. */
  setCable(connected: boolean): Promise<void>
  setPaper(state: PaperState): void
  setCover(open: boolean): void
  /** Device time, `YYYY-MM-DDThh:mm:ss`; refused as by the device's own command. */
  setClock(local: string): Outcome
  /** A new, fiscalised device; the wire starts anew too. */
  reset(options?: { readonly keep?: 'fiscalMemory' }): void
  /** Throws when the document does not fit; then nothing has changed. */
  restore(snapshot: unknown): void

  /** Decoded traffic, oldest first, behind the given id. */
  frames(after?: number): DecodedFrame[]
  decode(entry: FrameEntry): DecodedFrame
  /** The traffic that made a document, as far as it is still kept. */
  framesOf(document: number): DecodedFrame[]
  /** Goes up when the device becomes another one, by a reset or a restored state. */
  readonly generation: number
  /** Where programs attach: links of pseudo terminals, ports on TCP; their speed, null: as fast as bytes pass. */
  readonly lines: { readonly ptys: readonly string[]; readonly tcps: readonly number[]; readonly baud: number | null }
  /** What is returned ends it. A listener must not throw. */
  subscribe(listener: (event: EmulatorEvent) => void): () => void

  openPty(link: string): Promise<PtyLine>
  /** Port 0: any free one. */
  listenTcp(port: number, host?: string): Promise<TcpLine>
  close(): Promise<void>
}

const FRAMES_KEPT = 2000

/** Throws RangeError with a sentence for a family or profile that is not there. */
export function createEmulator(options: EmulatorOptions): Emulator {
  const family = familyOf(options.family)
  const profile = profileOf(options)
  const clock = options.clock ?? systemClock
  const log = options.log ?? (() => undefined)
  const listeners = new Set<(event: EmulatorEvent) => void>()
  const emit = (event: EmulatorEvent) => {
    for (const listener of listeners) listener(event)
  }

  // The books ask the injector and the injector's hands touch the books: the later one is reached through here.
  const late: { device?: FiscalDevice; wire?: Wire } = {}
  const hands: Hands = {
    setPaper: (state) => late.device?.mechanism.setPaper(state),
    setCover: (open) => late.device?.mechanism.setCover(open),
    refusal() {
      const meeting = late.wire?.meet({ kind: 'damaged', bytes: new Uint8Array(0) })
      return meeting?.kind === 'reply' ? meeting.bytes : undefined
    },
    busy: () => late.wire?.timing.busy,
    report: (fault) => emit({ type: 'fault', ...fault }),
  }
  const random = dice(options.seed ?? 0)
  const commandNames = () => new Set(late.wire?.commands.map(({ name }) => name))
  const rules = new RuleInjector(hands, random, commandNames)
  const injector = options.faults?.(hands, random) ?? rules
  const frameLog = new FrameLog(options.framesKept ?? FRAMES_KEPT)
  const device = createDevice({
    profile,
    clock,
    store: storePath(options),
    settings: options.settings ?? {},
    points: injector,
    onEvent(event) {
      if (event.type === 'document') frameLog.mark(event.id)
      emit(event)
    },
  })
  late.device = device
  const wire = family.wire(device, options.options)
  late.wire = wire
  if (options.plan) rules.addAll(options.plan)
  const loop = new DeviceLoop({
    wire,
    clock,
    injector,
    mechanism: device.mechanism,
    durationMs: options.durationMs,
    powerReturnsAfterMs: options.powerReturnsAfterMs,
    onFrame(direction, bytes) {
      const entry = frameLog.add(clock.now(), direction, bytes)
      if (listeners.size > 0) emit({ type: 'frame', entry })
    },
    // The line that tells of the last power cut may meet the next one, once the device is on.
    powerOn: () =>
      byHand(
        () => device.powerOn(),
        () => void clock.after(0, () => loop.cutPower()),
      ),
    onPower(on) {
      log(on ? 'power on' : 'power off')
      emit({ type: 'state' })
    },
    onTrouble: (problem, command) => log(`${command}: ${problem instanceof Error ? problem.stack : problem}`),
  })

  const { baud } = options
  if (baud !== undefined) wire.setUpBaud?.(baud)
  const straight: Attach = (end) => loop.attach(end)
  /** A host can give the device another speed than it was set to. */
  const speedOf = (set: number): number => wire.baud?.() ?? set
  const attach = baud === undefined ? straight : paced(straight, { baud: () => speedOf(baud), clock, log })
  let generation = 1
  const setCable = async (connected: boolean): Promise<void> => {
    if (connected === lines.binding.connected) return
    log(connected ? 'cable connected' : 'cable disconnected')
    await lines.setConnected(connected)
    emit({ type: 'state' })
  }
  const renewed = () => {
    generation++
    wire.restart()
    frameLog.forgetDocuments()
    emit({ type: 'state' })
  }
  /** What waited for paper is printed now, and a fault may strike at it. */
  const byHand = (act: () => void, cut = () => loop.cutPower()) => {
    try {
      act()
    } catch (problem) {
      if (!(problem instanceof PowerCut)) throw problem
      cut()
    }
  }

  const lines = createLines({ family: options.family, profile, loop, attach, baud, log })
  return {
    family: options.family,
    profile,
    clock,
    device,
    wire,
    loop,
    binding: lines.binding,
    path: lines.binding.path,
    faults: rules,
    get power() {
      return loop.power
    },
    setPower: (on) => loop.setPower(on),
    get cable() {
      return lines.binding.connected
    },
    setCable,
    setPaper: (state) => byHand(() => device.mechanism.setPaper(state)),
    setCover: (open) => byHand(() => device.mechanism.setCover(open)),
    setClock(local) {
      const outcome = device.setClock(local)
      loop.clockMoved()
      return outcome
    },
    reset(keep) {
      device.reset(keep)
      renewed()
      // A new device is switched on and plugged in.
      loop.setPower(true)
      setCable(true).catch((problem: unknown) => log(`cable: ${problem}`))
    },
    restore(snapshot) {
      device.restore(snapshot)
      renewed()
    },
    frames: (after) => frameLog.after(after).map((entry) => decodeFrame(entry, wire, frameLog)),
    decode: (entry) => decodeFrame(entry, wire, frameLog),
    framesOf: (document) => frameLog.ofDocument(document).map((entry) => decodeFrame(entry, wire, frameLog)),
    get lines() {
      return { ...lines.open, baud: baud === undefined ? null : speedOf(baud) }
    },
    get generation() {
      return generation
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    openPty: lines.openPty,
    listenTcp: lines.listenTcp,
    async close() {
      await lines.close()
      loop.close()
      device.close()
    },
  }
}

/** The profiles of a family, the default first. Throws RangeError for an unknown family. */
export const profilesOf = (family: 'A' | 'B' | 'C'): readonly string[] => familyOf(family).profiles

function familyOf(name: 'A' | 'B' | 'C'): EmulatedFamily {
  const family = emulatedFamilies.get(name)
  if (family) return family
  throw new RangeError(
    `there is no emulated device of family ${name}: there are ${[...emulatedFamilies.keys()].join(', ')}`,
  )
}

function profileOf({ family, profile }: EmulatorOptions): DeviceProfile {
  const { profiles, profile: byName } = familyOf(family)
  return byName(profile ?? (profiles[0] as string))
}

/** The device of this family, profile and name: one file of the data folder (decisions 7). */
export function storePath(options: EmulatorOptions): string {
  const { data = 'memory', deviceName } = options
  if (data === 'memory') return ':memory:'
  mkdirSync(data, { recursive: true })
  const profile = profileOf(options)
  const words = ['device', profile.family.toLowerCase(), profile.profile, ...(deviceName ? [deviceName] : [])]
  return join(data, `${words.map((word) => encodeURIComponent(word).replaceAll('.', '%2E')).join('-')}.sqlite`)
}

interface LinesOptions {
  readonly family: string
  readonly profile: DeviceProfile
  readonly loop: DeviceLoop
  readonly attach: Attach
  readonly baud: number | undefined
  readonly log: (line: string) => void
}

/** The three ways to reach one device; their cable is pulled together. */
function createLines({ family, profile, loop, attach, baud, log }: LinesOptions) {
  const ptys = new Set<PtyLine>()
  const tcps = new Set<TcpLine>()
  const binding: EmulatedBinding = new EmulatedBinding(
    `emulator-${family.toLowerCase()}`,
    { manufacturer: `fiscal-rig ${profile.model}`, serialNumber: profile.serialNumber },
    {
      powered: () => loop.power,
      opened(port) {
        const line = attach({
          send: (bytes) => port.emit(bytes),
          unplug: () => port.disconnect(),
          speed: () => port.baudRate,
        })
        return { receive: line.receive, closed: line.detach }
      },
    },
  )
  return {
    binding,
    get open() {
      return { ptys: [...ptys].map(({ link }) => link), tcps: [...tcps].map(({ port }) => port) }
    },
    async openPty(link: string): Promise<PtyLine> {
      // A plug that a fault pulls out is put back at once, as on the two other lines: the port can be opened again.
      const plugAgain = async () => {
        await pty.setConnected(false)
        if (binding.connected) await pty.setConnected(true)
      }
      const unplug = () => void plugAgain().catch((problem: unknown) => log(`${link}: ${problem}`))
      const pty: PtyLine = await openPty({
        link,
        attach: (end) => attach({ ...end, unplug }),
        log,
        ...(baud !== undefined && { baud }),
      })
      ptys.add(pty)
      return pty
    },
    async listenTcp(port: number, host = '127.0.0.1'): Promise<TcpLine> {
      const tcp = await listenTcp({ port, host, attach, log })
      tcps.add(tcp)
      return tcp
    },
    async setConnected(connected: boolean): Promise<void> {
      if (connected) binding.connect()
      else binding.disconnect()
      for (const tcp of tcps) tcp.setConnected(connected)
      await Promise.all([...ptys].map((pty) => pty.setConnected(connected)))
    },
    async close(): Promise<void> {
      binding.disconnect()
      await Promise.all([...ptys, ...tcps].map((line) => line.close()))
    },
  }
}
