import type { DeviceProblem } from '../model/errors.ts'
import type { Condition, DeviceIdentity } from '../model/printer.ts'
import type { ByteText, CodePage } from '../wire/charset.ts'
import type { AnyCommand, Facts } from '../wire/command.ts'
import type { AskOptions, Link } from './types.ts'

/** What a family tells the session (session.ts), and what the session offers to the operations of a family. */

/** The types of a family's wire. */
export interface WireTypes {
  readonly frame: unknown
  /** What its commands ask and are answered, by name. */
  readonly requests: object
  readonly responses: object
  /** What every answer tells besides its data. */
  readonly status: unknown
  readonly edition: unknown
  /** Keys of what a device refuses with, as far as a driver asks for them. */
  readonly refusal: string
  readonly facts: StartupFacts
}

/** What the start-up finds out about a device of every family. */
export interface StartupFacts {
  readonly identity: Omit<DeviceIdentity, 'family'>
}

export type NameOf<W extends WireTypes> = keyof W['requests'] & keyof W['responses'] & string

/** An answer taken apart. `data` undefined: it has none, not even an empty one. */
export interface Answer<W extends WireTypes> {
  readonly data: ByteText | undefined
  readonly status: W['status']
}

/** What a family gives: `drivers/family-x/session.ts`. */
export interface ProtocolAdapter<W extends WireTypes> {
  /** What the number of the first message after an opening follows, and what follows a number. */
  readonly number: { before(): number; next(before: number): number }
  /** What is taken for the edition until the device has told. */
  readonly edition: W['edition']
  page(edition: W['edition']): CodePage
  command(name: NameOf<W>, edition: W['edition']): AnyCommand
  /** Other times than `limitMs` for the whole. */
  times?(
    command: { readonly name: string; readonly limitMs: number | undefined },
    streams: boolean,
  ): Pick<AskOptions<W['frame']>, 'totalMs' | 'firstByteMs'>
  /** Waits until the device takes a command, where it does not tell that in the exchange itself. */
  ready?(): Promise<unknown>
  write(number: number, code: number, data: ByteText): Uint8Array
  /** `asked` is the data of the request. */
  read(frame: W['frame'], command: AnyCommand, request: ByteText): Answer<W>
  /** `facts`: of the command with these values. */
  judge(answer: Answer<W>, facts: Facts, device: DeviceClient<W>): Verdict | Promise<Verdict>
  /** Returns the conditions of the device that the answer reports; undefined: none are in it. */
  conditions?(answer: Answer<W>, command: AnyCommand): ReadonlySet<Condition> | undefined
  /** The device's own answer as text, without separators at the end. */
  text(decoded: string): string
  /** Where several frames may come behind one request; `streams`: because lines were asked for. */
  isLast?(frame: W['frame'], streams: boolean): boolean
  /** Written for every line of a stream before the next one comes. */
  readonly lineAcknowledgement?: Uint8Array
  /** The lines that a frame of a stream holds; undefined: it is the answer. */
  lines?(frame: W['frame'], page: CodePage): readonly string[] | undefined
  /** All that is asked before the first operation. */
  readStartupFacts(device: StartupClient<W>): Promise<W['facts']>
}

/** Undefined: it was carried out. `again`: the device had something else to say first, and is asked once more. */
export type Verdict = DeviceProblem | 'again' | undefined

export interface CommandResult<Values, Status> {
  readonly values: Values
  /** The device's own answer as text. */
  readonly text: string
  readonly status: Status
}

export type ResultOf<W extends WireTypes, Name extends NameOf<W>> = CommandResult<W['responses'][Name], W['status']>

/** Asks a device. Everything here rejects with DeviceError only. */
export interface DeviceClient<W extends WireTypes> {
  readonly link: Link<W['frame']>
  readonly edition: W['edition']
  readonly page: CodePage
  /** A value that the wire cannot carry is `badValue`, before any byte. */
  ask<Name extends NameOf<W>>(name: Name, values: W['requests'][Name]): Promise<ResultOf<W, Name>>
  /** Undefined when the device refused with one of these. */
  askUnlessRefused<Name extends NameOf<W>>(
    refusals: readonly W['refusal'][] | 'any',
    name: Name,
    values: W['requests'][Name],
  ): Promise<ResultOf<W, Name> | undefined>
  /** The lines that the device sends for its answer. */
  lines<Name extends NameOf<W>>(name: Name, values: W['requests'][Name]): Promise<readonly string[]>
}

/** A device that is being found out. */
export interface StartupClient<W extends WireTypes> extends DeviceClient<W> {
  /** From now on the device is spoken to in this edition. */
  useEdition(edition: W['edition']): void
}

/** A device during one operation. What it asks for is answered only after the start-up, also where the port was lost. */
export interface Device<W extends WireTypes> extends DeviceClient<W> {
  readonly facts: W['facts']
  /** The same without the start-up: to see what became of a command, before anything else is asked. */
  readonly withoutStartup: DeviceClient<W>
  /** Nobody else can have had the line since this operation began. */
  readonly isHeld: boolean
  /** Throws where another device was found at the line since this operation began: what it tells is not about this one. */
  assertSameDevice(): void
}
