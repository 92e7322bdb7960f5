/**
 * The questionnaire of a family for `fiscal-rig passport`, declared in `protocol/passport.ts`; probe.ts derives the
 * probes.
 */
import type { ReceiptPhase } from '../model/receipt.ts'
import type { ByteText, CodePage } from './charset.ts'
import type { Catalogue } from './command.ts'
import type { FrameShape } from './deframer.ts'

/** Depths of a recording: queries, printing commands, fiscal commands. Each includes those before it. */
export const DEPTHS = ['read', 'print', 'fiscal'] as const
export type Depth = (typeof DEPTHS)[number]

export const covers = (depth: Depth, other: Depth): boolean => DEPTHS.indexOf(depth) >= DEPTHS.indexOf(other)

export interface Request {
  readonly number: number
  readonly code: number
  readonly data: ByteText
}

export interface ResponseParts {
  /** The refusal in the family's own code; absent if the command was executed. */
  readonly refusal?: string
  readonly data: ByteText
  readonly flags: readonly string[]
  /** Number of lines or messages before the end of a longer answer. */
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

/**
 * A sequence of commands through the states of the receipt and back; a state is reached if all commands before it were
 * executed.
 */
export interface StatePath {
  readonly id: string
  readonly depth: Depth
  readonly steps: readonly (readonly [...CommandCall, then?: Exclude<ReceiptPhase, 'idle'>])[]
  /** Command sequences that end the path from any state; the first one that is executed is sufficient. */
  readonly ends: readonly (readonly CommandCall[])[]
}

/** Bytes that are not a valid frame of a command, to test the line itself. */
export interface LinkProbe {
  readonly id: string
  readonly section: string
  /** Returns the writes, each sent after the answer to the previous one. `number`: number of the next message. */
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

/** Settings that another device needs to answer in the same way. */
export interface DeviceFacts {
  /** Rates by the letter of the tax group, in percent; null if the group is disabled. */
  readonly taxRates?: Readonly<Record<string, string | null>>
  /** Names by the number of the mode. */
  readonly payments?: Readonly<Record<string, string>>
  readonly operators?: number
  readonly header?: readonly string[]
  readonly footer?: readonly string[]
  /**
   * `known`: the articles that were queried, as the device returned them; null if the device has no article with that
   * number.
   */
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
  /** An article has been sold since its sales were cleared. */
  readonly hasSold: boolean
  /** The day is open: fiscal receipts were issued since the last Z report. */
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
  /** Frames that the device receives, and frames that it sends. */
  readonly framesToDevice: FrameShape<unknown>
  readonly says: FrameShape<unknown>
  readonly busyByte?: number
  /** The byte that means "ask again later". */
  readonly laterByte?: number
  /** Byte that acknowledges every line of a longer answer. */
  readonly lineAcknowledgement?: number
  readonly numbers: { readonly first: number; readonly last: number; readonly skipped?: number }
  readonly separator: ByteText

  writeRequest(request: Request): Uint8Array
  readRequest(frame: Uint8Array): Request | undefined
  isLast(frame: Uint8Array, request: Request): boolean
  /** Returns a parsed answer; `undefined` if the frames are not an answer of the family to that request. */
  readAnswer(frames: readonly Uint8Array[], request: Request): ResponseParts | undefined
  /** Returns the text of a refusal; `undefined` if its meaning is unknown. */
  meaning(refusal: string): string | undefined
  writeAnswer(answer: ResponseParts, request: Request): Uint8Array
  /** Status bits that describe the command and not the device. */
  readonly commandFlags: readonly string[]

  /** Status bits that describe the history of a device, its remaining paper, and its connection. */
  readonly ownFlags: readonly string[]
  /** The status bit for a roll near its end, in the answer to `state`. */
  readonly lowPaper: string
  isOwn?(request: Request): boolean

  /** Queries that continue from one answer to the next: each is sent once. */
  readonly continuingQueries: readonly CommandCall[]

  readonly state: CommandCall
  readReceiptStatus(answer: ResponseParts): OpenReceiptStatus
  readonly mechanism: CommandCall
  /** Returns the blockers from any answer; `undefined` if this answer does not report them. */
  printBlockers(answer: ResponseParts, request: Request): readonly PrintBlocker[] | undefined
  /** Valid requests by the name of their command. A command without an entry is never executed. */
  readonly examples: Readonly<Record<string, readonly ByteText[]>>
  /** Requests of valid form that a device is expected to refuse for their content. */
  readonly refused: Readonly<Record<string, readonly ByteText[]>>
  /** Commands that change the receipt or the day. */
  readonly moving: readonly string[]
  readonly statePaths: readonly StatePath[]
  readonly readings: readonly RepeatedQuery[]
  archivedZ(closure: number): CommandCall
  readonly link: readonly LinkProbe[]
  /** Numbers of commands that no family and no edition has. */
  readonly unknown: readonly number[]
  readonly unknownSection: string
  /** The Z report command, sent only with a separate consent. */
  readonly closing: CommandCall
  /** Returns whether a frame contains no command and changes nothing on any device. */
  isHarmless?(frame: Uint8Array): boolean
  learn(answers: Answers): DiscoveredDevice
  /** Returns the number of characters of a line of paper, if the facts contain it. */
  lineWidth?(facts: DeviceFacts): number | undefined
  /** Returns the commands that bring a new device of the family into the same state. */
  configureCommands(facts: DeviceFacts): readonly CommandCall[]
  /**
   * Functions that return a command with a text of this length, for receipts in which the device may refuse a text for
   * its length.
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

/** All letters of a page that has letters after ASCII, in pieces that fit on paper. */
export const PAGE_LETTERS: readonly string[] = [0xc0, 0xd0, 0xe0, 0xf0].map((first) =>
  String.fromCharCode(...range(first, first + 15)),
)

/** Returns the frame with the bits `by` of its byte `at` inverted; a negative `at` counts from the end. */
export const withBits = (frame: Uint8Array, at: number, by: number): Uint8Array =>
  frame.map((byte, index) => (index === (at < 0 ? frame.length + at : at) ? byte ^ by : byte))
