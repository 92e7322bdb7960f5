/** The facts about a recorded device. `fiscal-rig passport` writes them, and an emulated device uses them. */
import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import type { Depth, DeviceFacts } from '../../drivers/wire/questionnaire.ts'

export interface Passport {
  readonly passport: 1
  /** False if the recording ended early, by an interrupt or because the device stopped answering. */
  readonly complete: boolean
  /** Version of fiscal-rig that wrote the passport. */
  readonly rig: string
  readonly depth: Depth
  readonly device: PassportDevice
  readonly line: PassportLine
  readonly switches: Readonly<Record<string, string>>
  /** The other switches of the family: no probe reveals their value, or another switch hides it. */
  readonly notSeen: readonly string[]
  readonly facts: DeviceFacts
  readonly overrides: readonly Override[]
  readonly differences: readonly Difference[]
  /** Number of probes with the same result on both devices. */
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

/** Times in ms, which never count as differences. */
export interface PassportLine {
  readonly baud?: number
  readonly firstByteMs?: { readonly median: number; readonly p95: number }
  readonly perPrintedLineMs?: number
  /** Times of commands that take much longer than the others. */
  readonly slow?: Readonly<Record<string, number>>
}

export interface AnswerChange {
  /** Values by field name. If the answer is unreadable, by position of the piece, from 1. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Number of digits of a number, by the position of its piece in the answer, from 1. */
  readonly widths?: Readonly<Record<string, number>>
  readonly added?: readonly string[]
  /** Names of missing fields, or their positions from 1. */
  readonly missing?: readonly (string | number)[]
  /** The whole data, if they replace the emulated data. */
  readonly data?: string
  /** Status bits: `+name` is set in addition, `-name` is not set. */
  readonly status?: readonly string[]
}

/** A difference that no switch explains, which the emulated device reproduces unchanged. */
export interface Override {
  /**
   * Name in the catalogue; the number of an unknown command (`0xE0`); `link` for bytes that are not a command, and for
   * retransmitted numbers.
   */
  readonly command: string
  /** Absent: in every state. */
  readonly state?: ReceiptPhase
  /**
   * Data of the request; absent: any data. `{lastZ}` and `{nextZ}` are the query of an archived Z report with the
   * device's last and next number. If `command` is `link`, the name of the probe.
   */
  readonly request?: string
  /** The result of the emulated device (a refusal, or `done`) that the override replaces. Absent: any result. */
  readonly instead?: string
  readonly refusal?: { readonly code: string | number; readonly status?: readonly string[]; readonly data?: string }
  readonly answer?: AnswerChange
  /** The device neither answers nor executes the command. */
  readonly silent?: true
  /** The answer's bytes, in hexadecimal. */
  readonly bytes?: string
}

export interface Difference {
  readonly probe: string
  readonly request: string
  readonly device: string
  readonly emulator: string
  readonly meaning: string
  readonly explainedBy: string | null
}
