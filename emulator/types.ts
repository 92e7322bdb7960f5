import type { Clock, SimulatedClock } from '../drivers/model/clock.ts'
import type { Family } from '../drivers/model/families.ts'
import type { FaultRules } from './faults/injector.ts'
import type { DeviceControls, FaultReport, Injector } from './faults/points.ts'
import type { Rule } from './faults/rule.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import type { Store } from './fiscal/store.ts'
import type { DeviceEvent, PaperState } from './fiscal/types/events.ts'
import type { Outcome } from './fiscal/types/outcome.ts'
import type { DeviceProfile, FactorySettings } from './fiscal/types/profile.ts'
import type { EmulatedBinding } from './line/binding.ts'
import type { DeviceLoop } from './line/device-loop.ts'
import type { RealisticTimes } from './line/durations.ts'
import type { DecodedFrame, FrameEntry } from './line/frame-log.ts'
import type { LoopOptions } from './line/loop-options.ts'
import type { PtyLine } from './line/pty.ts'
import type { TcpLine } from './line/tcp.ts'
import type { Passport } from './passport/form.ts'
import type { DeviceChoice } from './profiles.ts'
import type { RequestNote, TimelineEntry } from './timeline.ts'
import type { SwitchOptions, Wire } from './wire.ts'

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
  readonly faults?: (hands: DeviceControls, random: () => number) => Injector
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
  readonly frameHistorySize?: number
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
  /** A new device, fiscalised as at the start; the wire starts anew too. */
  reset(options?: { readonly keep?: 'fiscalMemory' }): void
  /** Fiscalises it as the works would, or makes it a new device that was never fiscalised. */
  setFiscalised(on: boolean): Outcome
  /** Throws when the document does not fit; then nothing has changed. */
  /** `tester` (the default): a record of the fiscal memory says so; `rig`: none does. */
  restore(snapshot: unknown, by?: 'tester' | 'rig'): void

  /** Decoded traffic, oldest first, behind the given id. */
  frames(after?: number): DecodedFrame[]
  decode(entry: FrameEntry): DecodedFrame
  /** What happened, oldest first, behind the given id. */
  moments(after?: number): readonly TimelineEntry[]
  /** A hand did this through the control interface. */
  noteHand(call: string, body: unknown): void
  /** Adds a request of the service over the device to the moments. */
  noteRequest(request: RequestNote): void
  /** Id of the last frame; 0: none has passed. */
  readonly lastFrame: number
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
