import type { ByteText, CodePage } from '../drivers/wire/charset.ts'
import type { Change } from '../drivers/wire/command.ts'
import type { Deframed, FrameShape } from '../drivers/wire/deframer.ts'
import type { OperatorLogin, Questionnaire } from '../drivers/wire/questionnaire.ts'
import type { FieldTable } from '../drivers/wire/row.ts'
import type { Advice } from './advice.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import type { DeviceProfile } from './fiscal/types/profile.ts'

/**
 * The wire protocol of a family, as the device loop uses it: executes received bytes in the books and returns answers.
 * The loop controls time, faults, busy bytes and the port; the wire protocol has no timers and sends nothing itself.
 */
export interface Wire<Frame = unknown> {
  readonly shape: FrameShape<Frame>
  readonly timing: DeviceTiming
  /** All commands, for `--list-commands` and for the check of `on` in fault rules. */
  readonly commands: readonly {
    readonly name: string
    readonly code: number
    readonly source: string
    readonly changes: Change
  }[]

  /** Returns the reaction to a frame, a single byte or a damaged piece. Nothing is executed yet. */
  meet(event: Deframed<Frame>): FrameReaction
  /** Returns the immediate answer while a command is running, if any. Busy bytes continue. */
  meetWhileBusy(event: Deframed<Frame>): Uint8Array | undefined
  /** Returns the answer to a partial frame after the gap limit, if any. */
  expired(piece: Uint8Array): Uint8Array | undefined

  /** Returns the current speed of the line in baud. Absent if the wire protocol cannot change the speed. */
  baud?(): number
  setUpBaud?(baud: number): void

  /** Drops the volatile state of the wire protocol after a power cut, such as the stored answer. */
  restart(): void
  /**
   * Decodes a frame of either direction for the frame log. Never throws. `question` is the last request before an
   * answer.
   */
  describe(direction: 'toDevice' | 'toHost', bytes: Uint8Array, question?: Uint8Array): FrameDescription
}

export interface DeviceTiming {
  /**
   * The busy byte, its interval while a command runs, and the time of the first one. Absent if the wire protocol has
   * none.
   */
  readonly busy?: { readonly byte: number; readonly everyMs: number; readonly firstMs?: number }
  /** Longest gap inside a frame, in ms. */
  readonly gapMs: number
  /**
   * Returns the next action of the device without a command, such as closing a postponed receipt (sheet C 4.7). Called
   * after every command.
   */
  readonly idle?: () => { readonly afterMs: number; readonly act: () => void } | undefined
}

export type FrameReaction =
  | { readonly kind: 'ignore' }
  /** A NAK, the answer to a ping, or a stored answer. It is sent without executing anything. */
  | { readonly kind: 'reply'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'run'
      /** Name of the command, the same in all families (decisions 8); `unknown` for an unknown command. */
      readonly command: string
      /** Executes the command once, synchronously. Throws only PowerCut, except for internal errors. */
      run(): Answer
      /** Returns the answer if a fault rule makes the device refuse this command (the family's "not possible now"). */
      refuse(): Answer
    }

export interface Answer {
  readonly frames: readonly Uint8Array[]
  /** Returns the frames after the command's duration, with the status at that time. Absent: the frames are the same. */
  readonly later?: () => readonly Uint8Array[]
  /**
   * Lines that are sent before `frames`, and that the host acknowledges one by one (commands 153 and 195 of family B).
   */
  readonly stream?: LineStream
  readonly printedLines?: number
  readonly isRefusal?: boolean
  /**
   * True if the device does not answer until the mechanism can print (families B and C). A device of family A answers
   * with the paper bit.
   */
  readonly waitsForPaper?: boolean
}

export interface LineStream {
  readonly lines: readonly Uint8Array[]
  acknowledges(byte: number): boolean
}

export interface FrameDescription {
  readonly command: string
  readonly fields: Fields
  /** Meanings of the fields. Absent if no layout has read them. */
  readonly fieldMeanings?: FieldTable | undefined
  /** Names of the status bits that are set in an answer. */
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
  /** The names of the profiles, the default first. */
  readonly profiles: readonly string[]
  /** Throws RangeError for an unknown profile. */
  profile(name: string): DeviceProfile
  /** Parts of the sheet that the devices do not have, each with the reason. */
  readonly notModelled: readonly (readonly [what: string, why: string])[]
  /** Advice for programs after faults. The first matching entry applies. */
  readonly advice?: readonly Advice[]
  /**
   * Returns the questionnaire for recording a device of this profile (`fiscal-rig passport`). Absent if there is none.
   */
  readonly questionnaire?: (profile: string, asker: OperatorLogin) => Questionnaire
  /** The possible values of each switch, the default first. */
  readonly switches?: Readonly<Record<string, readonly string[]>>
  /** Throws RangeError for a switch that the family does not have. */
  wire(device: FiscalDevice, options?: SwitchOptions): Wire
}

/** Named switches of the sheets that imitate particular firmware, such as `duplicateMatch=frame` of sheet A 2.6. */
export type SwitchOptions = Readonly<Record<string, string>>

/** Returns data without fields as text in the device's code page. Data with control bytes is returned unchanged. */
export const inLetters = (data: ByteText, page: CodePage): string =>
  /[\x00-\x08\x0e-\x1f\x7f-\x9f]/.test(data) ? data : page.decode(data)
