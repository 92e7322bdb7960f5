import type { ByteText, CodePage } from '../drivers/wire/charset.ts'
import type { Change } from '../drivers/wire/command.ts'
import type { Deframed, FrameShape } from '../drivers/wire/deframer.ts'
import type { OperatorLogin, Questionnaire } from '../drivers/wire/questionnaire.ts'
import type { FieldTable } from '../drivers/wire/row.ts'
import type { Advice } from './advice.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import type { DeviceProfile } from './fiscal/types/profile.ts'

/**
 * A family as the device loop uses it: converts received bytes into answers, by way of the books. The loop controls
 * time, faults, the interval of busy bytes and the port; the wire protocol defines the meaning. It has no timers and
 * sends nothing itself.
 */
export interface Wire<Frame = unknown> {
  readonly shape: FrameShape<Frame>
  readonly timing: DeviceTiming
  /** All commands, for `--list-commands` and for checking the `on` of fault rules. */
  readonly commands: readonly {
    readonly name: string
    readonly code: number
    readonly source: string
    readonly changes: Change
  }[]

  /** Returns how to react to a frame, a single byte or a damaged piece. Executes nothing yet. */
  meet(event: Deframed<Frame>): FrameReaction
  /** Returns the immediate answer while a command is running (busy bytes continue), if any. */
  meetWhileBusy(event: Deframed<Frame>): Uint8Array | undefined
  /** Returns the answer to a partial frame after the gap limit, if any. */
  expired(piece: Uint8Array): Uint8Array | undefined

  /** Returns the current speed of the line in baud, if the wire protocol has a command that changes it. */
  baud?(): number
  /** Sets the configured speed of the device, which a power cut restores. */
  setUpBaud?(baud: number): void

  /** Handles a power cut: the volatile state of the wire protocol (stored answer, half-read streams) is lost. */
  restart(): void
  /** Decodes a frame of either direction for the frame log; never throws. `question`: the frame that it may answer. */
  describe(direction: 'toDevice' | 'toHost', bytes: Uint8Array, question?: Uint8Array): FrameDescription
}

export interface DeviceTiming {
  /**
   * Interval of the busy byte while a command runs, and the time of the first one; undefined: the wire protocol has
   * none.
   */
  readonly busy?: { readonly byte: number; readonly everyMs: number; readonly firstMs?: number }
  /** Longest gap inside a frame, in ms. */
  readonly gapMs: number
  /**
   * Returns the next action of the device without a command, such as ending a postponed receipt (C 4.7); called after
   * every command.
   */
  readonly idle?: () => { readonly afterMs: number; readonly act: () => void } | undefined
}

export type FrameReaction =
  | { readonly kind: 'ignore' }
  /** NAK, a ping's answer, a stored answer: sent unchanged, nothing is executed. */
  | { readonly kind: 'reply'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'run'
      /** Name of the command, the same in every family (decisions 8); `unknown` for an unknown command. */
      readonly command: string
      /** Executes once, synchronously. Throws nothing but PowerCut. */
      run(): Answer
      /**
       * Returns the answer when a fault rule makes the device refuse this command (the family's "not possible now").
       */
      refuse(): Answer
    }

export interface Answer {
  /** The frames of the answer, in order; usually one. */
  readonly frames: readonly Uint8Array[]
  /** Returns the frames after the command's duration, with the status at that time. Absent: they do not change. */
  readonly later?: () => readonly Uint8Array[]
  /** Lines that the host acknowledges one by one (B 153, 195): sent before `frames`. */
  readonly stream?: LineStream
  /** Number of lines that this command printed, for the realistic printing time. */
  readonly printedLines?: number
  /** True if the device has refused the command. */
  readonly isRefusal?: boolean
  /** True: the device does not answer until the mechanism is unblocked (B, C); A answers with the paper bit. */
  readonly waitsForPaper?: boolean
}

export interface LineStream {
  readonly lines: readonly Uint8Array[]
  acknowledges(byte: number): boolean
}

export interface FrameDescription {
  readonly command: string
  readonly fields: Fields
  /** Meaning of these fields; absent: no layout has read them. */
  readonly fieldMeanings?: FieldTable | undefined
  /** Names of the set status bits, in an answer. */
  readonly status: readonly string[]
}

export type Fields = Readonly<Record<string, unknown>>

export const frameDescription = (
  command: string,
  fields: Fields = {},
  fieldMeanings?: FieldTable,
): FrameDescription => ({
  command,
  fields,
  fieldMeanings,
  status: [],
})

/** A family of emulated devices: the export of `emulator/family-x/index.ts`. */
export interface EmulatedFamily {
  /** The first is the default. */
  readonly profiles: readonly string[]
  /** Throws RangeError with a readable message for an unknown profile. */
  profile(name: string): DeviceProfile
  /** Parts of the sheet that the devices do not have, each with the reason. */
  readonly notModelled: readonly (readonly [what: string, why: string])[]
  /** Instructions for programs in case of faults; the first matching entry applies. Absent: none are known. */
  readonly advice?: readonly Advice[]
  /**
   * Returns the questionnaire for recording a device of this profile (`fiscal-rig passport`). Absent: there is none.
   */
  readonly questionnaire?: (profile: string, asker: OperatorLogin) => Questionnaire
  /** The possible values of each switch, the default first. */
  readonly switches?: Readonly<Record<string, readonly string[]>>
  /** Throws RangeError with a readable message for a switch that the family does not have. */
  wire(device: FiscalDevice, options?: SwitchOptions): Wire
}

/** Named switches of the sheets that imitate particular firmware, e.g. `duplicateMatch=frame` of A 2.6. */
export type SwitchOptions = Readonly<Record<string, string>>

/** Returns data without fields in the letters of the device's code page; bytes that are not text are unchanged. */
export const inLetters = (data: ByteText, page: CodePage): string =>
  /[\x00-\x08\x0e-\x1f\x7f-\x9f]/.test(data) ? data : page.decode(data)
