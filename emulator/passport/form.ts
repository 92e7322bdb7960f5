import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import type { Depth, DeviceFacts } from '../../drivers/wire/questionnaire.ts'

/** What is known of somebody's device, as `fiscal-rig passport` writes it down and an emulated device takes it up. */

export interface Passport {
  readonly passport: 1
  /** False: it ended before its end, by an interrupt or because the device stopped answering. */
  readonly complete: boolean
  /** Version of the rig that wrote it. */
  readonly rig: string
  readonly depth: Depth
  readonly device: PassportDevice
  readonly line: PassportLine
  /** Those that were seen, also at their default. */
  readonly switches: Readonly<Record<string, string>>
  /** The others of the family: nothing that was asked can tell them, or another one hides them. */
  readonly notSeen: readonly string[]
  readonly facts: DeviceFacts
  readonly overrides: readonly Override[]
  readonly differences: readonly Difference[]
  /** Probes that agree. */
  readonly same: number
}

interface PassportDevice {
  readonly family: string
  readonly profile: string
  readonly model?: string
  readonly firmware?: string
  readonly serialNumber?: string
  readonly fiscalMemoryNumber?: string
}

/** Milliseconds; times are never differences. */
export interface PassportLine {
  readonly baud?: number
  readonly firstByteMs?: { readonly median: number; readonly p95: number }
  readonly perPrintedLineMs?: number
  /** By command, where it takes far longer than the others. */
  readonly slow?: Readonly<Record<string, number>>
}

/** What of an answer is otherwise than the emulated device says it. */
export interface AnswerChange {
  /** By the name of the field; pieces that have no name by their place from 1. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Digits of a number, by the place of its piece from 1. */
  readonly widths?: Readonly<Record<string, number>>
  /** Pieces behind the last one. */
  readonly added?: readonly string[]
  /** Names, or places from 1, of what is not there. */
  readonly missing?: readonly (string | number)[]
  /** The whole data, where there is nothing to change. */
  readonly data?: string
  /** Status bits: `+name` is set besides, `-name` is not set. */
  readonly status?: readonly string[]
}

/** A difference that no switch explains, imitated as it is. */
export interface Override {
  /** Name in the catalogue; the number of one that nobody knows (`0xE0`); `link` for what is no command, and for repeated numbers. */
  readonly command: string
  /** Absent: in every state. */
  readonly state?: ReceiptPhase
  /**
   * Data of the request; `{lastZ}` and `{nextZ}`: the question for the archived Z of the device's last and its coming
   * number; the name of the probe where `command` is `link`. Absent: whatever they are.
   */
  readonly request?: string
  /** What the emulated device does, where it depends on that: its refusal, or `done`. */
  readonly instead?: string
  readonly refusal?: { readonly code: string | number; readonly status?: readonly string[]; readonly data?: string }
  readonly answer?: AnswerChange
  /** Nothing is said, and nothing done. */
  readonly silent?: true
  /** What is said, byte by byte. */
  readonly bytes?: string
}

export interface Difference {
  readonly probe: string
  readonly request: string
  readonly device: string
  readonly emulator: string
  readonly meaning: string
  /** A switch and its value. */
  readonly explainedBy: string | null
}
