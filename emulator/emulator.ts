import { type Clock, type SimulatedClock, systemClock } from '../drivers/model/clock.ts'
import type { Family } from '../drivers/model/families.ts'
import type { FaultRules } from './faults/injector.ts'
import type { FaultReport, Hands, Injector } from './faults/points.ts'
import { createFaults } from './faults/reach.ts'
import type { Rule } from './faults/rule.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import { createDevice } from './fiscal/device.ts'
import type { Store } from './fiscal/store.ts'
import { type DeviceEvent, type PaperState, PowerCut } from './fiscal/types/events.ts'
import type { Outcome } from './fiscal/types/outcome.ts'
import type { DeviceProfile, FactorySettings } from './fiscal/types/profile.ts'
import { FRAMES_KEPT } from './frames-kept.ts'
import { storedIdentity } from './identity.ts'
import type { EmulatedBinding } from './line/binding.ts'
import { DeviceLoop, type LoopOptions } from './line/device-loop.ts'
import type { RealisticTimes } from './line/durations.ts'
import { type DecodedFrame, decodeFrame, type FrameEntry, FrameLog } from './line/frame-log.ts'
import { createLines } from './line/lines.ts'
import type { PtyLine } from './line/pty.ts'
import type { TcpLine } from './line/tcp.ts'
import { createListeners } from './listeners.ts'
import { momentNotes } from './moment-notes.ts'
import type { Moment } from './moments.ts'
import { paceOf } from './pace.ts'
import type { Passport } from './passport/form.ts'
import { teachAs, wireAs, withPassport } from './passport/passport-device.ts'
import { type DeviceChoice, familyOf, profileOf, storePath } from './profiles.ts'
import type { SwitchOptions, Wire } from './wire.ts'

export { factorySettings, profilesOf, storePath } from './profiles.ts'

/** The only door to an emulated device: books, wire and lines put together, and the hands that may touch it. */

export interface EmulatorOptions extends DeviceChoice {
  readonly clock?: Clock
  /**
   * What the device's own clock runs on, in place of `clock`: it moves by what commands take and when it is told to,
   * while lines, pauses and the time of commands pass on `clock`.
   */
  readonly deviceClock?: SimulatedClock
  /** Everything random of the faults comes from it. */
  readonly seed?: number
  readonly settings?: FactorySettings
  /** Where its books are kept, in place of the folder for them. */
  readonly store?: Store
  /** Switches that imitate particular firmware. */
  readonly options?: SwitchOptions
  /** Somebody's device, which this one is to be: its profile, numbers, switches, settings, and all that it says otherwise. */
  readonly passport?: Passport
  /** Trouble on command: rules that hold from the start. Throws PlanError for one that cannot be. */
  readonly plan?: readonly Rule[]
  /** An injector of the caller's own in place of the rules. */
  readonly faults?: (hands: Hands, random: () => number) => Injector
  /** Times of its mechanism, from the start; without, commands take none beyond their books. */
  readonly times?: RealisticTimes
  /** Time that commands take besides. */
  readonly durationMs?: LoopOptions['durationMs']
  /** True speed of all lines, 8N1; without it bytes pass as fast as they can. */
  readonly baud?: number
  /** Hears of every command: whether the device refused it, and for how long it was busy with it. */
  readonly onCommand?: (isRefusal: boolean, busyMs: number) => void
  /** After a power cut by a fault; without it somebody has to switch the device on. */
  readonly powerReturnsAfterMs?: number
  /** What the lines give when the power comes back: a switch that is thrown is seldom silent. */
  readonly powerOnNoise?: Uint8Array
  /** Frames kept for the panel. */
  readonly framesKept?: number
  readonly log?: (line: string) => void
}

export type EmulatorEvent =
  | DeviceEvent
  | { readonly type: 'frame'; readonly entry: FrameEntry }
  | ({ readonly type: 'fault' } & FaultReport)

export interface Emulator {
  readonly family: Family
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
  /** Those of its mechanism as they are now; undefined: it prints at once. */
  readonly times: RealisticTimes | undefined
  /** With the times that it was started with, else those of its passport, else the usual ones. */
  setRealistic(on: boolean): void
  /** Device time, `YYYY-MM-DDThh:mm:ss`; refused as by the device's own command. */
  setClock(local: string): Outcome
  /** A new, fiscalised device; the wire starts anew too. */
  reset(options?: { readonly keep?: 'fiscalMemory' }): void
  /** Throws when the document does not fit; then nothing has changed. */
  restore(snapshot: unknown): void

  /** Decoded traffic, oldest first, behind the given id. */
  frames(after?: number): DecodedFrame[]
  decode(entry: FrameEntry): DecodedFrame
  /** What happened, oldest first, behind the given id. */
  moments(after?: number): readonly Moment[]
  /** A hand did this through the control interface. */
  noteHand(call: string, body: unknown): void
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

/** Throws RangeError with a sentence for a family or profile that is not there, and for a data folder of another user. */
export function createEmulator(own: EmulatorOptions): Emulator {
  const options = withPassport(own)
  const { profile, clock, log, listeners, tell, frameLog, moments, faults, device, wire, loop, pace } = assemble(
    options,
    () => lines.binding.connected,
  )
  const lines = createLines({ profile, loop, wire, clock, baud: options.baud, log })
  const stateChanged = () => tell({ type: 'state' })
  const cutPower = () => loop.cutPower()
  const setCable = async (connected: boolean): Promise<void> => {
    if (connected === lines.binding.connected) return
    log(connected ? 'cable connected' : 'cable disconnected')
    await lines.setConnected(connected)
    stateChanged()
  }

  moments.begin(device, loop)
  const decode = (entry: FrameEntry): DecodedFrame => decodeFrame(entry, wire, frameLog)
  let generation = 1
  const becomeAnother = () => {
    generation++
    wire.restart()
    frameLog.forgetDocuments()
    moments.forget()
    stateChanged()
  }

  return {
    family: options.family,
    profile,
    clock,
    device,
    wire,
    loop,
    binding: lines.binding,
    path: lines.binding.path,
    faults: faults.rules,
    get power() {
      return loop.power
    },
    setPower: (on) => loop.setPower(on),
    get cable() {
      return lines.binding.connected
    },
    setCable,
    setPaper: (state) => whilePrinting(() => device.mechanism.setPaper(state), cutPower),
    setCover: (open) => whilePrinting(() => device.mechanism.setCover(open), cutPower),
    get times() {
      return pace.times
    },
    setRealistic(on) {
      if (pace.set(on)) stateChanged()
    },
    setClock(local) {
      const outcome = device.setClock(local)
      loop.clockMoved()
      return outcome
    },
    reset(keep) {
      device.reset(keep)
      teachAs(options, { device, wire })
      becomeAnother()
      // A new device is switched on and plugged in.
      loop.setPower(true)
      setCable(true).catch((problem: unknown) => log(`cable: ${problem}`))
    },
    restore(snapshot) {
      device.restore(snapshot)
      becomeAnother()
    },
    get generation() {
      return generation
    },
    frames: (after) => frameLog.after(after).map(decode),
    decode,
    moments: (after) => moments.after(after),
    noteHand: (call, body) => moments.noteHand(call, body),
    framesOf: (document) => frameLog.ofDocument(document).map(decode),
    get lines() {
      return lines.open
    },
    subscribe: listeners.subscribe,
    openPty: lines.openPty,
    listenTcp: lines.listenTcp,
    async close() {
      await lines.close()
      loop.close()
      device.close()
    },
  }
}

/** A device in a folder keeps its numbers, unless the caller or a passport names a serial number. */
function withStoredNumbers(options: EmulatorOptions): EmulatorOptions {
  const { identity, store } = options
  if (store !== undefined || identity?.serialNumber !== undefined) return options
  return { ...options, identity: { ...storedIdentity(options), ...identity } }
}

/** Books, faults, wire and loop, each knowing those before it. */
function assemble(options: EmulatorOptions, isPluggedIn: () => boolean) {
  const { clock = systemClock, deviceClock, log = () => undefined } = options
  const profile = profileOf(withStoredNumbers(options))
  const listeners = createListeners<EmulatorEvent>()
  const frameLog = new FrameLog(options.framesKept ?? FRAMES_KEPT)
  const moments = momentNotes(clock, frameLog, isPluggedIn)
  const tell = (event: Exclude<EmulatorEvent, { type: 'frame' }>): void => {
    moments.note(event)
    listeners.emit(event)
  }
  const faults = createFaults(options, (report) => tell({ type: 'fault', ...report }))
  const device = createDevice({
    profile,
    clock: deviceClock ?? clock,
    store: options.store ?? storePath(options),
    settings: options.settings ?? {},
    points: faults.injector,
    onEvent(event) {
      if (event.type === 'document') frameLog.mark(event.id)
      tell(event)
    },
  })
  const wire = wireAs(options, device, familyOf(options).wire(device, options.options))
  teachAs(options, { device, wire })
  faults.reach(device, wire)
  if (options.plan) faults.rules.addAll(options.plan)
  const pace = paceOf(options)
  const loop: DeviceLoop = new DeviceLoop({
    wire,
    clock,
    idleClock: deviceClock ?? clock,
    onWorked: (ms) => deviceClock?.advance(ms),
    injector: faults.injector,
    mechanism: device.mechanism,
    durationMs: pace.durationMs,
    powerReturnsAfterMs: options.powerReturnsAfterMs,
    powerOnNoise: options.powerOnNoise,
    onCommand: options.onCommand,
    onFrame(direction, bytes, host) {
      const entry = frameLog.add({ at: clock.wallTime(), direction, bytes, moment: moments.nextFrame(), host })
      if (listeners.isHeard()) listeners.emit({ type: 'frame', entry })
    },
    // The line that tells of the last power cut may meet the next one, once the device is on.
    powerOn: () =>
      whilePrinting(
        () => device.powerOn(),
        () => void clock.after(0, () => loop.cutPower()),
      ),
    onPower(on) {
      log(on ? 'power on' : 'power off')
      tell({ type: 'state' })
    },
    onTrouble: (problem, command) => log(`${command}: ${problem instanceof Error ? problem.stack : problem}`),
  })
  return { profile, clock, log, listeners, tell, frameLog, moments, faults, device, wire, loop, pace }
}

/** What waited for paper is printed now, and a fault may strike at it. */
function whilePrinting(act: () => void, cut: () => void): void {
  try {
    act()
  } catch (problem) {
    if (!(problem instanceof PowerCut)) throw problem
    cut()
  }
}
