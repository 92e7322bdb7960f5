import type { ReceiptPhase } from '../model/receipt.ts'
import type { ByteText, CodePage } from './charset.ts'
import type { Catalogue } from './command.ts'
import type { FrameShape } from './deframer.ts'

/**
 * How a family is asked (`fiscal-rig passport`): what it says of itself in `protocol/passport.ts`. The probes (probe.ts)
 * follow from that and from the catalogue.
 */

/** How deep a device may be asked: questions, what prints, what is counted. Each covers those before it. */
export const DEPTHS = ['read', 'print', 'fiscal'] as const
export type Depth = (typeof DEPTHS)[number]

export const covers = (depth: Depth, other: Depth): boolean => DEPTHS.indexOf(depth) >= DEPTHS.indexOf(other)

/** A request as it stands in a frame. */
export interface Request {
  readonly number: number
  readonly code: number
  readonly data: ByteText
}

/** An answer taken apart. */
export interface ResponseParts {
  /** How it was refused, in the family's own code; absent: it was carried out. */
  readonly refusal?: string
  readonly data: ByteText
  /** Names of the status bits that are set. */
  readonly flags: readonly string[]
  /** Lines or messages that came before the end of a longer answer. */
  readonly lines: number
}

/** How a device stands, as its answer to the question for it tells. */
export interface OpenReceiptStatus {
  readonly receipt: 'none' | 'nonFiscal' | 'fiscal'
  /** False: nothing that it prints is fiscal. */
  readonly isFiscal: boolean
}

/** What keeps the mechanism from printing, and only hands can mend. */
export type PrintBlocker = 'paperOut' | 'coverOpen'

/** One command with its data. */
export type CommandCall = readonly [command: string, data: ByteText]

/** From one state of the receipt to others and back; a state is reached when all before it was carried out. */
export interface StatePath {
  readonly id: string
  readonly depth: Depth
  /** Commands, and the state in which the device is behind them. */
  readonly steps: readonly (readonly [...CommandCall, then?: Exclude<ReceiptPhase, 'idle'>])[]
  /** What ends it from wherever it stands; the first that is carried out is enough. */
  readonly ends: readonly (readonly CommandCall[])[]
}

/** Bytes that are no good frame of a command: what does the line itself do? */
export interface LinkProbe {
  readonly id: string
  readonly section: string
  /** Written one behind the other, each answered before the next. `number`: of a message that comes next. */
  bytes(number: number): readonly Uint8Array[]
}

/** A question that is asked again until it is refused, e.g. for the lines of a document. */
export interface RepeatedQuery {
  readonly id: string
  readonly first: CommandCall
  readonly again: CommandCall
}

/** Who opens receipts. */
export interface OperatorLogin {
  readonly operator: number
  readonly password: string
}

/** The values of the answer to a command with such data; undefined: it was not asked, or was refused. */
export type Answers = (command: string, data: ByteText) => Readonly<Record<string, unknown>> | undefined

/** What a device is, as its answers tell. */
interface Identity {
  readonly model?: string
  readonly firmware?: string
  readonly serialNumber?: string
  readonly fiscalMemoryNumber?: string
}

/** How a device is set: what another one must be given to answer alike. */
export interface DeviceFacts {
  /** By the letter of the group, in percent; null: switched off. */
  readonly taxRates?: Readonly<Record<string, string | null>>
  /** Names by the number of the mode. */
  readonly payments?: Readonly<Record<string, string>>
  readonly operators?: number
  readonly header?: readonly string[]
  readonly footer?: readonly string[]
  /** `known`: the articles that were asked for, as the wire told them; null: it has none of that number. */
  readonly articles?: {
    readonly first?: number
    readonly last?: number
    readonly known?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>
  }
  readonly textWidth?: { readonly nonFiscalText?: number; readonly fiscalText?: number }
  readonly parameters?: Readonly<Record<string, string>>
}

/** What a used device has behind it. */
interface History {
  readonly closures: number
  readonly documents: number
  /** There is a last fiscal receipt. */
  readonly hasReceipt: boolean
  /** An article has been sold since its sales were cleared. */
  readonly hasSold: boolean
  /** The day has begun: fiscal receipts since the last closure. */
  readonly isDayOpen: boolean
}

export interface DiscoveredDevice {
  readonly identity: Identity
  readonly facts: DeviceFacts
  readonly history: History
  /** The device's clock, `YYYY-MM-DDThh:mm:ss`. */
  readonly clock?: string
}

/** How an edition of a family is asked. */
export interface Questionnaire {
  readonly edition: string
  readonly catalogue: Catalogue
  readonly page: CodePage
  /** Frames as the device hears them, and as it says them. */
  readonly hears: FrameShape<unknown>
  readonly says: FrameShape<unknown>
  readonly busyByte?: number
  /** "Ask again later." */
  readonly laterByte?: number
  /** Written for every line of a longer answer. */
  readonly lineAcknowledgement?: number
  readonly numbers: { readonly first: number; readonly last: number; readonly skipped?: number }
  readonly separator: ByteText

  writeRequest(request: Request): Uint8Array
  /** What a frame holds as the device would read it; undefined: no frame of a command. */
  readRequest(frame: Uint8Array): Request | undefined
  isLast(frame: Uint8Array, request: Request): boolean
  /** Undefined: this is no answer of the family to that request. */
  readAnswer(frames: readonly Uint8Array[], request: Request): ResponseParts | undefined
  /** A refusal in words; undefined: nobody has said what it means. */
  meaning(refusal: string): string | undefined
  /** The one frame that says it. */
  writeAnswer(answer: ResponseParts, request: Request): Uint8Array
  /** Status bits that tell of the command and not of the device. */
  readonly commandFlags: readonly string[]

  /** Status bits that tell what a device has been through, how much paper is left, and how it is connected. */
  readonly ownFlags: readonly string[]
  /** The one of them that tells of a roll near its end, in the answer to `state`. */
  readonly lowPaper: string
  /** What the answer to this request tells is the device's own, whatever the field. */
  isOwn?(request: Request): boolean

  /** Questions that go on from one answer to the next: they are asked once. */
  readonly goingOn: readonly CommandCall[]

  readonly state: CommandCall
  /** Reads the answer to `state`. */
  standing(answer: ResponseParts): OpenReceiptStatus
  /** The question that tells what keeps the mechanism from printing. */
  readonly mechanism: CommandCall
  /** As any answer tells it; undefined: this one does not. */
  printBlockers(answer: ResponseParts, request: Request): readonly PrintBlocker[] | undefined
  /** Good requests by the name of their command. What has none here is never carried out. */
  readonly examples: Readonly<Record<string, readonly ByteText[]>>
  /** Requests of good form that a device is expected to refuse for what they say. */
  readonly refused: Readonly<Record<string, readonly ByteText[]>>
  /** Commands after which the receipt is another one, or the day. */
  readonly moving: readonly string[]
  readonly statePaths: readonly StatePath[]
  readonly readings: readonly RepeatedQuery[]
  /** The question for the archived Z of such a number. */
  archivedZ(closure: number): CommandCall
  readonly link: readonly LinkProbe[]
  /** Numbers of commands that no family and no edition has. */
  readonly unknown: readonly number[]
  /** Section of the sheet on unknown commands. */
  readonly unknownSection: string
  /** The closure of the day, sent with a consent of its own. */
  readonly closing: CommandCall
  /** A frame that holds no command and changes nothing, whoever hears it. */
  isHarmless?(frame: Uint8Array): boolean
  learn(answers: Answers): DiscoveredDevice
  /** Characters of a line of paper, where the facts tell them. */
  lineWidth?(facts: DeviceFacts): number | undefined
  /** What brings a new device of the family into the same state. */
  configureCommands(facts: DeviceFacts): readonly CommandCall[]
  /** Text of so many characters, in the receipts in which such a text may be refused for its length. */
  readonly widest?: Readonly<Partial<Record<'nonFiscal' | 'selling', (length: number) => CommandCall>>>
}

/** By the status bits that tell which receipt is open. */
export const openReceiptStatusBy =
  (fiscal: string, nonFiscal: string) =>
  ({ flags }: ResponseParts): OpenReceiptStatus => ({
    receipt: flags.includes(fiscal) ? 'fiscal' : flags.includes(nonFiscal) ? 'nonFiscal' : 'none',
    isFiscal: flags.includes('fiscalised'),
  })

/** Whole numbers, both ends included. */
export const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** All letters of a page that has them behind ASCII, in pieces that fit on paper. */
export const PAGE_LETTERS: readonly string[] = [0xc0, 0xd0, 0xe0, 0xf0].map((first) =>
  String.fromCharCode(...range(first, first + 15)),
)

/** The frame with the bits `by` of its byte `at` the other way round; below zero: counted from its end. */
export const withBits = (frame: Uint8Array, at: number, by: number): Uint8Array =>
  frame.map((byte, index) => (index === (at < 0 ? frame.length + at : at) ? byte ^ by : byte))
