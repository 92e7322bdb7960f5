import type { DeviceProblem } from '../model/errors.ts'
import type { Condition, DeviceIdentity } from '../model/printer.ts'
import type { ByteText, CodePage } from '../wire/charset.ts'
import type { AnyCommand, Facts } from '../wire/command.ts'
import type { AskOptions, Link } from './types.ts'

export interface WireTypes {
  readonly frame: unknown
  readonly requests: object
  readonly responses: object
  readonly status: unknown
  readonly edition: unknown
  readonly refusal: string
  readonly facts: StartupFacts
}

export interface StartupFacts {
  readonly identity: Omit<DeviceIdentity, 'family'>
}

export type NameOf<W extends WireTypes> = keyof W['requests'] & keyof W['responses'] & string

export interface Answer<W extends WireTypes> {
  readonly data: ByteText | undefined
  readonly status: W['status']
}

export interface ProtocolAdapter<W extends WireTypes> {
  /** `before` returns the number before the first one after an opening, `next` the successor of a number. */
  readonly number: { before(): number; next(before: number): number }
  /** The edition that is assumed until the device has reported its edition. */
  readonly edition: W['edition']
  page(edition: W['edition']): CodePage
  command(name: NameOf<W>, edition: W['edition']): AnyCommand
  times?(
    command: { readonly name: string; readonly limitMs: number | undefined },
    streams: boolean,
  ): Pick<AskOptions<W['frame']>, 'totalMs' | 'firstByteMs'>
  /** Resolves when the device accepts a command. For wire protocols that do not report this in the exchange itself. */
  ready?(): Promise<unknown>
  write(number: number, code: number, data: ByteText): Uint8Array
  read(frame: W['frame'], command: AnyCommand, request: ByteText): Answer<W>
  judge(answer: Answer<W>, facts: Facts, device: DeviceClient<W>): Verdict | Promise<Verdict>
  /** Returns the conditions that the answer reports; `undefined` if answers to this command contain none. */
  conditions?(answer: Answer<W>, command: AnyCommand): ReadonlySet<Condition> | undefined
  text(decoded: string): string
  /**
   * Returns whether the frame is the last one. Present only if an answer may have several frames. `streams`: the
   * request was for lines.
   */
  isLast?(frame: W['frame'], streams: boolean): boolean
  readonly lineAcknowledgement?: Uint8Array
  lines?(frame: W['frame'], page: CodePage): readonly string[] | undefined
  readStartupFacts(device: StartupClient<W>): Promise<W['facts']>
}

/**
 * The judgement of an answer; `undefined` if the command was executed. `again`: the device has not executed it and the
 * session sends it again.
 */
export type Verdict = DeviceProblem | 'again' | undefined

export interface CommandResult<Values, Status> {
  readonly values: Values
  readonly text: string
  readonly status: Status
}

export type ResultOf<W extends WireTypes, Name extends NameOf<W>> = CommandResult<W['responses'][Name], W['status']>

/** A device that accepts commands and queries. Methods reject with DeviceError only. */
export interface DeviceClient<W extends WireTypes> {
  readonly link: Link<W['frame']>
  readonly edition: W['edition']
  readonly page: CodePage
  /**
   * Sends a command and waits for the answer. Rejects with `badValue`, before any byte is sent, if the wire protocol
   * cannot represent a value.
   */
  ask<Name extends NameOf<W>>(name: Name, values: W['requests'][Name]): Promise<ResultOf<W, Name>>
  /** Resolves to `undefined` if the device refuses with one of these keys. */
  askUnlessRefused<Name extends NameOf<W>>(
    refusals: readonly W['refusal'][] | 'any',
    name: Name,
    values: W['requests'][Name],
  ): Promise<ResultOf<W, Name> | undefined>
  lines<Name extends NameOf<W>>(name: Name, values: W['requests'][Name]): Promise<readonly string[]>
}

export interface StartupClient<W extends WireTypes> extends DeviceClient<W> {
  useEdition(edition: W['edition']): void
}

/** A device during one operation. If the port is lost, the start-up is repeated before the next command. */
export interface Device<W extends WireTypes> extends DeviceClient<W> {
  readonly facts: W['facts']
  /** A client that sends commands without a start-up before them, for queries about the outcome of a command. */
  readonly withoutStartup: DeviceClient<W>
  /** True if no other program can have used the line since this operation began. */
  readonly isHeld: boolean
  assertSameDevice(): void
}
