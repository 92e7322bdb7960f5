import { systemClock } from '../drivers/model/clock.ts'
import { messageOf } from '../drivers/model/errors.ts'
import { createFaults } from './faults/create-faults.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import { createDevice } from './fiscal/device.ts'
import { PowerCut } from './fiscal/types/events.ts'
import { done, type Outcome } from './fiscal/types/outcome.ts'
import { FRAME_HISTORY_SIZE } from './frame-history.ts'
import { storedIdentity } from './identity.ts'
import { DeviceLoop } from './line/device-loop.ts'
import { type DecodedFrame, decodeFrame, type FrameEntry, FrameLog } from './line/frame-log.ts'
import { createLines } from './line/lines.ts'
import { createListeners } from './listeners.ts'
import { configureAs, wireAs, withPassport } from './passport/passport-device.ts'
import { familyOf, profileOf, storePath } from './profiles.ts'
import { paceOf } from './response-times.ts'
import { createTimelineRecorder } from './timeline-recorder.ts'
import type { Emulator, EmulatorEvent, EmulatorOptions } from './types.ts'

export { factorySettings, profilesOf, storePath } from './profiles.ts'
export type { Emulator, EmulatorEvent, EmulatorOptions } from './types.ts'

/** Creates a device. Throws RangeError for an unknown family or profile. */
export function createEmulator(own: EmulatorOptions): Emulator {
  const options = withPassport(own)
  const { profile, clock, log, listeners, emit, frameLog, timeline, faults, device, wire, loop, pace } = assemble(
    options,
    () => lines.binding.connected,
  )
  const lines = createLines({ profile, loop, wire, clock, baud: options.baud, log })
  const stateChanged = () => emit({ type: 'state' })
  const cutPower = () => loop.cutPower()
  const setCable = async (connected: boolean): Promise<void> => {
    if (connected === lines.binding.connected) return
    log(connected ? 'cable connected' : 'cable disconnected')
    await lines.setConnected(connected)
    stateChanged()
  }

  timeline.begin(device, loop)
  const decode = (entry: FrameEntry): DecodedFrame => decodeFrame(entry, wire, frameLog)
  let generation = 1
  const deviceReplaced = () => {
    generation++
    wire.restart()
    frameLog.forgetDocuments()
    timeline.forget()
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
      configureAs(options, { device, wire })
      deviceReplaced()
      // A new device starts with power on and cable connected.
      loop.setPower(true)
      setCable(true).catch((problem: unknown) => log(`cable: ${messageOf(problem)}`))
    },
    setFiscalised: (on) => makeFiscalised(device, on, deviceReplaced),
    restore(snapshot, by = 'tester') {
      device.restore(snapshot, by)
      deviceReplaced()
    },
    get generation() {
      return generation
    },
    frames: (after) => frameLog.after(after).map(decode),
    decode,
    timeline: (after) => timeline.after(after),
    noteControl: (call, body) => timeline.noteControl(call, body),
    noteRequest: (request) => timeline.noteRequest(request),
    get lastFrame() {
      return frameLog.last ?? 0
    },
    framesOf: (document) => frameLog.framesOf(document).map(decode),
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

function makeFiscalised(device: FiscalDevice, on: boolean, deviceReplaced: () => void): Outcome {
  if (on === device.fiscalised) return done(undefined)
  if (on) return device.fiscaliseAsFactory()
  device.reset({ fiscalised: false })
  deviceReplaced()
  return done(undefined)
}

/** A stored device keeps its serial number unless the caller or a passport defines one. */
function withStoredNumbers(options: EmulatorOptions): EmulatorOptions {
  const { identity, store } = options
  if (store !== undefined || identity?.serialNumber !== undefined) return options
  return { ...options, identity: { ...storedIdentity(options), ...identity } }
}

function assemble(options: EmulatorOptions, isPluggedIn: () => boolean) {
  const { clock = systemClock, deviceClock, log = () => undefined } = options
  const profile = profileOf(withStoredNumbers(options))
  const listeners = createListeners<EmulatorEvent>()
  const frameLog = new FrameLog(options.frameHistorySize ?? FRAME_HISTORY_SIZE)
  const timeline = createTimelineRecorder(clock, frameLog, isPluggedIn)
  const emit = (event: Exclude<EmulatorEvent, { type: 'frame' }>): void => {
    timeline.note(event)
    listeners.emit(event)
  }
  const faults = createFaults(options, (report) => emit({ type: 'fault', ...report }))
  const device = createDevice({
    profile,
    clock: deviceClock ?? clock,
    store: options.store ?? storePath(options),
    settings: options.settings ?? {},
    points: faults.injector,
    onEvent(event) {
      if (event.type === 'document') frameLog.mark(event.id)
      emit(event)
    },
  })
  const wire = wireAs(options, device, familyOf(options).wire(device, options.options))
  configureAs(options, { device, wire })
  faults.connect(device, wire)
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
      const entry = frameLog.add({ at: clock.wallTime(), direction, bytes, moment: timeline.nextFrame(), host })
      if (listeners.hasListeners()) listeners.emit({ type: 'frame', entry })
    },
    // A line printed at power-on may trigger another power cut. The cut is postponed until power-on is complete.
    powerOn: () =>
      whilePrinting(
        () => device.powerOn(),
        () => void clock.after(0, () => loop.cutPower()),
      ),
    onPower(on) {
      log(on ? 'power on' : 'power off')
      emit({ type: 'state' })
    },
    onTrouble: (problem, command) => log(`${command}: ${problem instanceof Error ? problem.stack : problem}`),
  })
  return { profile, clock, log, listeners, emit, frameLog, timeline, faults, device, wire, loop, pace }
}

function whilePrinting(act: () => void, cut: () => void): void {
  try {
    act()
  } catch (problem) {
    if (!(problem instanceof PowerCut)) throw problem
    cut()
  }
}
