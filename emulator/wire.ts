import type { ByteText, CodePage } from '../drivers/wire/charset.ts'
import type { Change } from '../drivers/wire/command.ts'
import type { Deframed, FrameShape } from '../drivers/wire/deframer.ts'
import type { OperatorLogin, Questionnaire } from '../drivers/wire/questionnaire.ts'
import type { FieldTable } from '../drivers/wire/row.ts'
import type { Advice } from './advice.ts'
import type { FiscalDevice } from './fiscal/api.ts'
import type { DeviceProfile } from './fiscal/types/profile.ts'

/**
 * A family as the device loop sees it: bytes of its wire in, bytes out, the books in between. The loop owns time,
 * faults, the busy byte's rhythm and the port; a wire owns meaning. It holds no timers and sends nothing itself.
 */
export interface Wire<Frame = unknown> {
  readonly shape: FrameShape<Frame>
  readonly timing: DeviceTiming
  /** Every command it knows, for `--list-commands` and for checking the `on` of fault rules. */
  readonly commands: readonly {
    readonly name: string
    readonly code: number
    readonly source: string
    readonly changes: Change
  }[]

  /** What to do about a frame, a single byte or a damaged piece. Executes nothing yet. */
  meet(event: Deframed<Frame>): Meeting
  /** The same while a command is still running (SYN goes on meanwhile): what to send at once, if anything. */
  meetWhileBusy(event: Deframed<Frame>): Uint8Array | undefined
  /** Half a frame, and the gap limit has passed: what to send, if anything. */
  expired(piece: Uint8Array): Uint8Array | undefined

  /** Speed of the line now, on a wire that has a command for it. */
  baud?(): number
  /** The speed that a person chose on such a device; it comes back with the power. */
  setUpBaud?(baud: number): void

  /** The power went and came back: what the wire remembers (stored answer, half-read streams) is gone. */
  restart(): void
  /** Decodes a frame of either direction for the frame log; never throws. `question`: the frame that it may answer. */
  describe(direction: 'toDevice' | 'toHost', bytes: Uint8Array, question?: Uint8Array): FrameDescription
}

export interface DeviceTiming {
  /** Rhythm of the busy byte while a command runs, and when the first comes; undefined: this wire stays silent. */
  readonly busy?: { readonly byte: number; readonly everyMs: number; readonly firstMs?: number }
  /** Longest gap inside a frame. */
  readonly gapMs: number
  /** Silence after which a postponed receipt is ended by the device (C 4.7): asked after every command. */
  readonly idle?: () => { readonly afterMs: number; readonly act: () => void } | undefined
}

export type Meeting =
  | { readonly kind: 'ignore' }
  /** NAK, a ping's answer, a stored answer: sent as it is, nothing executed. */
  | { readonly kind: 'reply'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'run'
      /** Name of the command, the same in every family (decisions 8); `unknown` for what the wire does not know. */
      readonly command: string
      /** Executes once, synchronously. Throws nothing but PowerCut. */
      run(): Answer
      /** What to answer when a fault rule says that the device refuses this command (its own "not possible now"). */
      refuse(): Answer
    }

export interface Answer {
  /** The frames of the answer, in order; usually one. */
  readonly frames: readonly Uint8Array[]
  /** The same once the work has taken its time: with the status that the device has by then. */
  readonly later?: () => readonly Uint8Array[]
  /** With lines that the host acknowledges one by one (B 153, 195): sent before `frames`. */
  readonly stream?: LineStream
  /** Lines printed by this command, for the realistic printing time. */
  readonly printedLines?: number
  /** The device has refused the command. */
  readonly isRefusal?: boolean
  /** This wire does not answer until the mechanism is unblocked (B, C); A answers with the paper bit. */
  readonly waitsForPaper?: boolean
}

export interface LineStream {
  readonly lines: readonly Uint8Array[]
  acknowledges(byte: number): boolean
}

export interface FrameDescription {
  readonly command: string
  readonly fields: Fields
  /** What is known of these fields; absent: no layout read them. */
  readonly known?: FieldTable | undefined
  /** Names of the status bits that are set, of an answer. */
  readonly status: readonly string[]
}

export type Fields = Readonly<Record<string, unknown>>

export const described = (command: string, fields: Fields = {}, known?: FieldTable): FrameDescription => ({
  command,
  fields,
  known,
  status: [],
})

/** A family of emulated devices: what `emulator/family-x/index.ts` exports. */
export interface EmulatedFamily {
  /** The first is the default. */
  readonly profiles: readonly string[]
  /** Throws RangeError with a sentence for an unknown profile. */
  profile(name: string): DeviceProfile
  /** What the sheet speaks of and the devices do not do, each with the reason. */
  readonly notModelled: readonly (readonly [what: string, why: string])[]
  /** What a program has to do in trouble; the first that fits. Absent: nothing is known of it. */
  readonly advice?: readonly Advice[]
  /** How a device of this profile is got to know (`fiscal-rig passport`). Absent: nobody has written it down. */
  readonly questionnaire?: (profile: string, asker: OperatorLogin) => Questionnaire
  /** What each of its switches may be, the default first. */
  readonly switches?: Readonly<Record<string, readonly string[]>>
  /** Throws RangeError with a sentence for a switch that the family does not have. */
  wire(device: FiscalDevice, options?: SwitchOptions): Wire
}

/** Named switches of the sheets that imitate particular firmware, e.g. `duplicateMatch=frame` of A 2.6. */
export type SwitchOptions = Readonly<Record<string, string>>

/** What no field takes apart, in the letters of the device's page; bytes that are no text stay as they are. */
export const inLetters = (data: ByteText, page: CodePage): string =>
  /[\x00-\x08\x0e-\x1f\x7f-\x9f]/.test(data) ? data : page.decode(data)
