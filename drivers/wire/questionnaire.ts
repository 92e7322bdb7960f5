/**
 * The questionnaire of a family for `fiscal-rig passport`. Each family declares one in `protocol/passport.ts`, and
 * passport-probes.ts derives the probes from it.
 */
import type { ReceiptPhase } from '../model/receipt.ts'
import type { ByteText, CodePage } from './charset.ts'
import type { Catalogue } from './command.ts'
import type { FrameShape } from './deframer.ts'

/** Depths of a recording: queries, printing commands, fiscal commands. Each depth includes those before it. */
export const DEPTHS = ['read', 'print', 'fiscal'] as const
export type Depth = (typeof DEPTHS)[number]

export const covers = (depth: Depth, other: Depth): boolean => DEPTHS.indexOf(depth) >= DEPTHS.indexOf(other)

export interface Request {
  readonly number: number
  readonly code: number
  readonly data: ByteText
}

export interface ResponseParts {
  readonly refusal?: string
  readonly data: ByteText
  readonly flags: readonly string[]
  readonly lines: number
}

export interface OpenReceiptStatus {
  readonly receipt: 'none' | 'nonFiscal' | 'fiscal'
  /** False if the device prints no fiscal documents. */
  readonly isFiscal: boolean
}

/** A condition that blocks printing and that only a person can clear. */
export type PrintBlocker = 'paperOut' | 'coverOpen'

export type CommandCall = readonly [command: string, data: ByteText]

export interface StatePath {
  readonly id: string
  readonly depth: Depth
  readonly steps: readonly (readonly [...CommandCall, then?: Exclude<ReceiptPhase, 'idle'>])[]
  /** Command sequences that lead from any state to the end. The first one that the device executes is sufficient. */
  readonly ends: readonly (readonly CommandCall[])[]
}

export interface LinkProbe {
  readonly id: string
  readonly section: string
  /** Returns the writes. Each is sent after the answer to the one before it. `number`: the next frame number. */
  bytes(number: number): readonly Uint8Array[]
}

/** A query that is sent again until the device refuses it, for example for the lines of a document. */
export interface RepeatedQuery {
  readonly id: string
  readonly first: CommandCall
  readonly again: CommandCall
}

export interface OperatorLogin {
  readonly operator: number
  readonly password: string
}

export type Answers = (command: string, data: ByteText) => Readonly<Record<string, unknown>> | undefined

interface Identity {
  readonly model?: string
  readonly firmware?: string
  readonly serialNumber?: string
  readonly fiscalMemoryNumber?: string
}

/** Settings that another device needs in order to answer in the same way. */
export interface DeviceFacts {
  /** Rates in percent by the letter of the tax group; null if the group is disabled. */
  readonly taxRates?: Readonly<Record<string, string | null>>
  readonly payments?: Readonly<Record<string, string>>
  readonly operators?: number
  readonly header?: readonly string[]
  readonly footer?: readonly string[]
  /** `known`: the queried articles, as the device returned them; null for numbers without an article. */
  readonly articles?: {
    readonly first?: number
    readonly last?: number
    readonly known?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>
  }
  readonly textWidth?: { readonly nonFiscalText?: number; readonly fiscalText?: number }
  readonly parameters?: Readonly<Record<string, string>>
}

interface History {
  readonly closures: number
  readonly documents: number
  readonly hasReceipt: boolean
  /** An article has been sold since the sales of articles were cleared. */
  readonly hasSold: boolean
  /** Fiscal receipts were issued since the last Z report. */
  readonly isDayOpen: boolean
}

export interface DiscoveredDevice {
  readonly identity: Identity
  readonly facts: DeviceFacts
  readonly history: History
  readonly clock?: string
}

export interface Questionnaire {
  readonly edition: string
  readonly catalogue: Catalogue
  readonly page: CodePage
  readonly framesToDevice: FrameShape<unknown>
  readonly framesFromDevice: FrameShape<unknown>
  readonly busyByte?: number
  readonly laterByte?: number
  readonly lineAcknowledgement?: number
  readonly numbers: { readonly first: number; readonly last: number; readonly skipped?: number }
  readonly separator: ByteText

  writeRequest(request: Request): Uint8Array
  readRequest(frame: Uint8Array): Request | undefined
  isLast(frame: Uint8Array, request: Request): boolean
  readAnswer(frames: readonly Uint8Array[], request: Request): ResponseParts | undefined
  meaning(refusal: string): string | undefined
  writeAnswer(answer: ResponseParts, request: Request): Uint8Array
  /** Status bits that describe the command rather than the device. */
  readonly commandFlags: readonly string[]

  /** Status bits that describe the history of a device, its remaining paper, and its connections. */
  readonly ownFlags: readonly string[]
  /** Status bit for a roll near its end, in the answer to `state`. */
  readonly lowPaper: string
  isOwn?(request: Request): boolean

  /** Queries that continue from answer to answer. Each is sent once. */
  readonly continuingQueries: readonly CommandCall[]

  readonly state: CommandCall
  readReceiptStatus(answer: ResponseParts): OpenReceiptStatus
  readonly mechanism: CommandCall
  /** Returns the conditions that prevent printing; `undefined` if this answer does not report them. */
  printBlockers(answer: ResponseParts, request: Request): readonly PrintBlocker[] | undefined
  /** Valid requests by the name of their command. A command without an entry is never executed. */
  readonly examples: Readonly<Record<string, readonly ByteText[]>>
  /** Requests in valid form whose content the device is expected to refuse. */
  readonly refused: Readonly<Record<string, readonly ByteText[]>>
  /** Commands that change the phase of the receipt, or the day. */
  readonly moving: readonly string[]
  readonly statePaths: readonly StatePath[]
  readonly readings: readonly RepeatedQuery[]
  archivedZ(closure: number): CommandCall
  readonly link: readonly LinkProbe[]
  readonly unknown: readonly number[]
  readonly unknownSection: string
  readonly closing: CommandCall
  isHarmless?(frame: Uint8Array): boolean
  learn(answers: Answers): DiscoveredDevice
  lineWidth?(facts: DeviceFacts): number | undefined
  configureCommands(facts: DeviceFacts): readonly CommandCall[]
  /**
   * Functions that return a command with a text of this length. They are used in receipts in which the device may
   * refuse a text for its length.
   */
  readonly widest?: Readonly<Partial<Record<'nonFiscal' | 'selling', (length: number) => CommandCall>>>
}

export const openReceiptStatusBy =
  (fiscal: string, nonFiscal: string) =>
  ({ flags }: ResponseParts): OpenReceiptStatus => ({
    receipt: flags.includes(fiscal) ? 'fiscal' : flags.includes(nonFiscal) ? 'nonFiscal' : 'none',
    isFiscal: flags.includes('fiscalised'),
  })

export const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** Letters of code pages whose letters follow ASCII, in pieces that fit on the paper. */
export const PAGE_LETTERS: readonly string[] = [0xc0, 0xd0, 0xe0, 0xf0].map((first) =>
  String.fromCharCode(...range(first, first + 15)),
)

/** Returns the frame with the bits `by` of byte `at` inverted. A negative `at` counts from the end. */
export const withBits = (frame: Uint8Array, at: number, by: number): Uint8Array =>
  frame.map((byte, index) => (index === (at < 0 ? frame.length + at : at) ? byte ^ by : byte))
