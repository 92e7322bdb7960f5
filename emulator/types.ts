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
import type { Passport } from './passport/passport.ts'
import type { DeviceChoice } from './profiles.ts'
import type { RequestNote, TimelineEntry } from './timeline.ts'
import type { SwitchOptions, Wire } from './wire.ts'

export interface EmulatorOptions extends DeviceChoice {
  readonly clock?: Clock
  /**
   * Clock of the device instead of `clock`. It advances by the duration of commands and by explicit calls, while lines,
   * pauses and the durations of commands use `clock`.
   */
  readonly deviceClock?: SimulatedClock
  readonly seed?: number
  readonly settings?: FactorySettings
  /** Store of the books, instead of the data folder. */
  readonly store?: Store
  readonly options?: SwitchOptions
  /** The recorded device to emulate: its profile, numbers, switches and settings, and its differences in answers. */
  readonly passport?: Passport
  /** Fault rules from the start. `createEmulator` throws PlanError if one is invalid. */
  readonly plan?: readonly Rule[]
  readonly faults?: (controls: DeviceControls, random: () => number) => Injector
  /** Durations of printing. Absent: commands take no time, except for `durationMs`. */
  readonly times?: RealisticTimes
  readonly durationMs?: LoopOptions['durationMs']
  /** Simulated speed of all lines in baud, 8N1. Absent: bytes pass without delay. */
  readonly baud?: number
  readonly onCommand?: (isRefusal: boolean, busyMs: number) => void
  /** Time in ms until the power returns after a fault has cut it. Absent: the device must be switched on. */
  readonly powerReturnsAfterMs?: number
  /** Bytes that all lines send when the power returns, because switching on often produces noise. */
  readonly powerOnNoise?: Uint8Array
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
  /** A serialport binding with `path` as the only port. */
  readonly binding: EmulatedBinding
  readonly path: string
  readonly faults: FaultRules

  readonly power: boolean
  setPower(on: boolean): void
  readonly cable: boolean
  setCable(connected: boolean): Promise<void>
  setPaper(state: PaperState): void
  setCover(open: boolean): void
  /** The current durations of printing; `undefined` if the device prints without delay. */
  readonly times: RealisticTimes | undefined
  /**
   * Enables durations (those of the options, otherwise of the passport, otherwise the usual ones), or disables them.
   */
  setRealistic(on: boolean): void
  /** Sets the device time, `YYYY-MM-DDThh:mm:ss`. Refuses under the same conditions as the command of the device. */
  setClock(local: string): Outcome
  /** Makes a new device, fiscalised as at the start, with power and cable connected. */
  reset(options?: { readonly keep?: 'fiscalMemory' }): void
  /** Fiscalises the device with the factory numbers, or makes it a new device that was never fiscalised. */
  setFiscalised(on: boolean): Outcome
  /**
   * Restores a snapshot. Throws without a change if the document does not fit. With `tester` (the default), the fiscal
   * memory records the restore; with `rig`, it does not.
   */
  restore(snapshot: unknown, by?: 'tester' | 'rig'): void

  frames(after?: number): DecodedFrame[]
  decode(entry: FrameEntry): DecodedFrame
  timeline(after?: number): readonly TimelineEntry[]
  noteControl(call: string, body: unknown): void
  noteRequest(request: RequestNote): void
  /** Id of the last frame; 0 if there was none. */
  readonly lastFrame: number
  framesOf(document: number): DecodedFrame[]
  /** Number that increases when the device is replaced by a reset or a restored state. */
  readonly generation: number
  /** Where a program can connect: links of pseudo-terminals, TCP ports, and their speed in baud (`null` without delay). */
  readonly lines: { readonly ptys: readonly string[]; readonly tcps: readonly number[]; readonly baud: number | null }
  /** Adds a listener, which must not throw. The returned function removes it. */
  subscribe(listener: (event: EmulatorEvent) => void): () => void

  openPty(link: string): Promise<PtyLine>
  /** Port 0 is any free port. */
  listenTcp(port: number, host?: string): Promise<TcpLine>
  close(): Promise<void>
}
