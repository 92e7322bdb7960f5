import type { ErrorNumber } from '../../drivers/family-b/protocol/errors.ts'
import type { CommandName, Commands } from '../../drivers/family-b/protocol/index.ts'
import type { Status, StatusName } from '../../drivers/family-b/protocol/status.ts'
import type { ByteText } from '../../drivers/wire/charset.ts'
import type { RequestOf, ResponseOf } from '../../drivers/wire/command.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import type { Outcome } from '../fiscal/types.ts'
import type { WireEdition } from './profile.ts'
import { failureOf } from './refusals.ts'
import type { Switches } from './switches.ts'

/** What a command's handler works with, and what it hands back. */
export interface Context {
  readonly device: FiscalDevice
  readonly edition: WireEdition
  readonly switches: Switches
  readonly wire: WireState
  /** The status as it would be sent with a good answer. */
  status(): Status
}

/** What the wire remembers between commands; gone with the power. */
export interface WireState {
  /** 107 F and N: the number read last, and whether only sold ones are wanted. */
  cursor: { readonly plu: number; readonly sold: boolean } | undefined
  /** 153: until when the next report is sent instead of printed, in device time. */
  textUntil: number | undefined
  /** 192 was right. */
  memoryUnlocked: boolean
}

export const newWireState = (): WireState => ({ cursor: undefined, textUntil: undefined, memoryUnlocked: false })

/** How a command is refused: the channels of sheet 8. `state` is 1.1, `error` byte 3. */
export type Failure =
  | { readonly channel: 'invalid' }
  | { readonly channel: 'syntax' }
  | { readonly channel: 'state'; readonly error?: ErrorNumber }
  | { readonly channel: 'error'; readonly error: ErrorNumber; readonly flag?: StatusName }
  /** No paper, or the mechanism does not work: the status says it by itself. */
  | { readonly channel: 'mechanism' }

export type Reply<T> =
  | {
      readonly ok: true
      readonly values: T
      /** Lines that go before the answer and are acknowledged one by one (sheet 10.9). */
      readonly stream?: readonly ByteText[]
      readonly error?: ErrorNumber
    }
  | { readonly ok: false; readonly failure: Failure }

export const ok = <T>(values: T): Reply<T> => ({ ok: true, values })
export const plain: Reply<Record<never, never>> = { ok: true, values: {} }
/** 8, channel 5: the answer says `F`, and byte 3 why. */
export const failedAnswer = <T>(values: T, error: ErrorNumber): Reply<T> => ({ ok: true, values, error })

export const fail = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({ ok: false, failure })
export const error = (number: ErrorNumber) => fail({ channel: 'error', error: number })
export const notNow = (number?: ErrorNumber) =>
  fail({ channel: 'state', ...(number === undefined ? {} : { error: number }) })

/** The outcome of the books as a reply. */
export function from<T, R>(outcome: Outcome<T>, say: (value: T) => R): Reply<R> {
  return outcome.ok ? ok(say(outcome.value)) : fail(failureOf(outcome.refusal))
}

export const done = (): Record<never, never> => ({})

export type Handler<Name extends CommandName> = (
  context: Context,
  ask: RequestOf<Commands[Name]>,
) => Reply<ResponseOf<Commands[Name]>>

/** A command without a handler does not compile. */
export type Handlers<Names extends CommandName = CommandName> = { readonly [Name in Names]: Handler<Name> }
