import type { ErrorKey } from '../../drivers/family-a/protocol/errors.ts'
import type { CommandName, Requests, Responses } from '../../drivers/family-a/protocol/index.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { type Refused as AnyRefused, type Reply as AnyReply, replies, type ValuesOf } from '../wire.ts'
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

export type Reply<Values> = AnyReply<Values, ErrorKey>
export type Refused = AnyRefused<ErrorKey>
export { done, refused } from '../wire.ts'
export const from = replies(REASONS)

export type Handler<Name extends CommandName> = (
  context: Context,
  ask: Requests[Name],
) => Reply<ValuesOf<Responses[Name]>>

/** A command without a handler does not compile. */
export type Handlers = { readonly [Name in CommandName]: Handler<Name> }
