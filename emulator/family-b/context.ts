import type { ErrorNumber } from '../../drivers/family-b/protocol/errors.ts'
import type { CommandName, Requests, Responses } from '../../drivers/family-b/protocol/index.ts'
import type { StatusName } from '../../drivers/family-b/protocol/status.ts'
import type { ByteText } from '../../drivers/wire/charset.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { type Refused as AnyRefused, type Reply as AnyReply, done, refused, replies, type ValuesOf } from '../wire.ts'
import type { Edition } from './edition.ts'
import { REASONS } from './refusals.ts'
import type { Session } from './session.ts'
import type { Switches } from './switches.ts'

/** What every handler of a command works with, and what it hands back. */
export interface Context {
  readonly device: FiscalDevice
  readonly edition: Edition
  readonly switches: Switches
  readonly session: Session
}

/** How a command is refused: the channels of sheet 8. `state` is 1.1, `error` byte 3. */
export type Reason =
  | { readonly channel: 'invalid' }
  | { readonly channel: 'syntax' }
  | { readonly channel: 'state'; readonly error?: ErrorNumber }
  | { readonly channel: 'error'; readonly error: ErrorNumber; readonly flag?: StatusName }
  /** No paper, or the mechanism does not work: the status says it by itself. */
  | { readonly channel: 'mechanism' }

export interface More {
  /** Lines that go before the answer and are acknowledged one by one (sheet 10.9). */
  readonly stream?: readonly ByteText[]
  /** 8, channel 5: the answer says `F`, and byte 3 why. */
  readonly error?: ErrorNumber
}

export type Reply<Values> = AnyReply<Values, Reason, More>
export type Refused = AnyRefused<Reason>
export { done, refused } from '../wire.ts'
export const from = replies(REASONS)

export const failedAnswer = <const Values>(values: Values, error: ErrorNumber) => ({ ...done(values), error })
export const error = (number: ErrorNumber): Refused => refused({ channel: 'error', error: number })
export const notNow = (number?: ErrorNumber): Refused =>
  refused({ channel: 'state', ...(number === undefined ? {} : { error: number }) })

export type Handler<Name extends CommandName> = (
  context: Context,
  ask: Requests[Name],
) => Reply<ValuesOf<Responses[Name]>>

/** A command without a handler does not compile. */
export type Handlers = { readonly [Name in CommandName]: Handler<Name> }
