import { type Clock, type SimulatedClock, systemClock } from '../drivers/model/clock.ts'
import type { Family } from '../drivers/model/families.ts'
import { dice } from './faults/dice.ts'
import { type FaultRules, RuleInjector } from './faults/injector.ts'
import type { FaultReport, Hands, Injector } from './faults/points.ts'
import type { Rule } from './faults/rule.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import { createDevice } from './fiscal/device.ts'
import type { Store } from './fiscal/store.ts'
import { type DeviceEvent, type PaperState, PowerCut } from './fiscal/types/events.ts'
import type { Outcome } from './fiscal/types/outcome.ts'
import type { DeviceProfile, FactorySettings } from './fiscal/types/profile.ts'
import type { OpenReceipt } from './fiscal/types/receipt.ts'
import type { EmulatedBinding } from './line/binding.ts'
import { DeviceLoop, type LoopOptions } from './line/device-loop.ts'
import { measuredTimes, type RealisticTimes, realisticDuration } from './line/durations.ts'
import { type DecodedFrame, decodeFrame, type FrameEntry, FrameLog } from './line/frame-log.ts'
import { createLines } from './line/lines.ts'
import type { PtyLine } from './line/pty.ts'
import type { TcpLine } from './line/tcp.ts'
import { type Happening, type Moment, MomentLog, type Standing } from './moments.ts'
import type { Passport } from './passport/form.ts'
import { teachAs, wireAs, withPassport } from './passport/taken.ts'
import { type DeviceChoice, familyOf, profileOf, storePath } from './profiles.ts'
import type { Answer, SwitchOptions, Wire } from './wire.ts'

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
  /** What happened, oldest first, behind the given id; at most `limit` of it. */
  moments(after?: number, limit?: number): readonly Moment[]
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

const FRAMES_KEPT = 2000
/** Beside the frames themselves: lines, displays and states that come of them. */
const MOMENTS_A_FRAME = 3

/** Throws RangeError with a sentence for a family or profile that is not there. */
export function createEmulator(asked: EmulatorOptions): Emulator {
  const options = withPassport(asked)
  const { profile, clock, log, listeners, frameLog, moments, note, faults, device, wire, loop, pace } = assemble(
    options,
    () => lines.binding.connected,
  )
  const lines = createLines({ profile, loop, wire, clock, baud: options.baud, log })
  const stateChanged = () => {
    note({ type: 'state' })
    listeners.emit({ type: 'state' })
  }
  const cutPower = () => loop.cutPower()
  const setCable = async (connected: boolean): Promise<void> => {
    if (connected === lines.binding.connected) return
    log(connected ? 'cable connected' : 'cable disconnected')
    await lines.setConnected(connected)
    stateChanged()
  }

  /** How it stands before anything happens. */
  const begin = () => note({ type: 'display', lines: device.display.lines })
  begin()
  const decode = (entry: FrameEntry): DecodedFrame => decodeFrame(entry, wire, frameLog)
  let generation = 1
  const becomeAnother = () => {
    generation++
    wire.restart()
    frameLog.forgetDocuments()
    moments.forget()
    begin()
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
    moments: (after, limit) => moments.after(after, limit),
    noteHand: (call, body) => moments.add(clock.wallTime(), { is: 'hand', call, body }),
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

/** Books, faults, wire and loop, each knowing those before it. */
function assemble(options: EmulatorOptions, isPluggedIn: () => boolean) {
  const { clock = systemClock, deviceClock, log = () => undefined } = options
  const profile = profileOf(options)
  const listeners = createListeners()
  const { emit } = listeners
  const framesKept = options.framesKept ?? FRAMES_KEPT
  const frameLog = new FrameLog(framesKept)
  const moments = new MomentLog(MOMENTS_A_FRAME * framesKept)
  const note = (event: Exclude<EmulatorEvent, { type: 'frame' }>) => {
    // What the books tell while they are made is no moment of the device yet.
    if (!made) return
    const frame = made.loop.executing ? frameLog.lastAsked : undefined
    const at = clock.wallTime()
    const happening = happeningOf(event)
    if (happening) moments.add(at, happening, frame)
    moments.stand(at, standingOf(made.device, made.loop.power, isPluggedIn()), frame)
  }
  let made: { readonly device: FiscalDevice; readonly loop: DeviceLoop } | undefined
  const faults = createFaults(options, (report) => {
    note({ type: 'fault', ...report })
    emit({ type: 'fault', ...report })
  })
  const device = createDevice({
    profile,
    clock: deviceClock ?? clock,
    store: options.store ?? storePath(options),
    settings: options.settings ?? {},
    points: faults.injector,
    onEvent(event) {
      if (event.type === 'document') frameLog.mark(event.id)
      note(event)
      emit(event)
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
    onCommand: options.onCommand,
    onFrame(direction, bytes) {
      const entry = frameLog.add(clock.wallTime(), direction, bytes)
      moments.add(entry.at, { is: 'frame', direction }, entry.id)
      if (listeners.isHeard()) emit({ type: 'frame', entry })
    },
    // The line that tells of the last power cut may meet the next one, once the device is on.
    powerOn: () =>
      whilePrinting(
        () => device.powerOn(),
        () => void clock.after(0, () => loop.cutPower()),
      ),
    onPower(on) {
      log(on ? 'power on' : 'power off')
      note({ type: 'state' })
      emit({ type: 'state' })
    },
    onTrouble: (problem, command) => log(`${command}: ${problem instanceof Error ? problem.stack : problem}`),
  })
  made = { device, loop }
  return { profile, clock, log, listeners, frameLog, moments, note, faults, device, wire, loop, pace }
}

function happeningOf(event: Exclude<EmulatorEvent, { type: 'frame' }>): Happening | undefined {
  switch (event.type) {
    case 'line':
      return { is: 'line', document: event.document, line: event.line, text: event.text }
    case 'document':
      return { is: 'document', document: event.id, kind: event.kind, number: event.number }
    case 'display':
      return { is: 'display', lines: event.lines }
    case 'fault': {
      const { type: _type, ...report } = event
      return { is: 'fault', ...report }
    }
    case 'state':
    case 'drawer':
      return undefined
  }
}

function standingOf({ mechanism, receipt }: FiscalDevice, power: boolean, cable: boolean): Standing {
  const { paper, coverOpen: cover } = mechanism
  return { power, paper, cover, cable, receipt: receipt && sumsOf(receipt) }
}

function sumsOf(receipt: OpenReceipt): Standing['receipt'] {
  if (receipt.kind === 'nonFiscal') return { number: receipt.document, items: 0, total: 0, paid: 0 }
  const { document: number, items, total, paid } = receipt.fiscal
  return { number, items, total, paid }
}

/** How fast the mechanism is, which a hand may change. */
function paceOf({ times: own, durationMs, passport }: EmulatorOptions) {
  let times = own
  return {
    get times() {
      return times
    },
    /** Whether it is another one now. */
    set(isRealistic: boolean): boolean {
      const before = times
      times = isRealistic ? (own ?? measuredTimes(passport?.line)) : undefined
      return (before === undefined) !== (times === undefined)
    },
    durationMs: (command: string, answer: Answer) =>
      (durationMs?.(command, answer) ?? 0) + (times ? realisticDuration(times)(command, answer) : 0),
  }
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

function createListeners() {
  const listeners = new Set<(event: EmulatorEvent) => void>()
  return {
    emit(event: EmulatorEvent) {
      for (const listener of listeners) listener(event)
    },
    isHeard: () => listeners.size > 0,
    subscribe(listener: (event: EmulatorEvent) => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** The books ask the injector, and the injector's hands touch the books: it is made first, and then reaches them. */
function createFaults({ seed = 0, faults }: EmulatorOptions, report: (fault: FaultReport) => void) {
  let reached: { readonly device: FiscalDevice; readonly wire: Wire } | undefined
  const hands: Hands = {
    setPaper: (state) => reached?.device.mechanism.setPaper(state),
    setCover: (open) => reached?.device.mechanism.setCover(open),
    refusal() {
      const meeting = reached?.wire.meet({ kind: 'damaged', bytes: new Uint8Array(0) })
      return meeting?.kind === 'reply' ? meeting.bytes : undefined
    },
    busy: () => reached?.wire.timing.busy,
    report,
  }
  const random = dice(seed)
  const rules = new RuleInjector(hands, random, () => new Set(reached?.wire.commands.map(({ name }) => name)))
  return {
    rules,
    injector: faults?.(hands, random) ?? rules,
    reach(device: FiscalDevice, wire: Wire) {
      reached = { device, wire }
    },
  }
}
