import type { ErrorKey } from '../../drivers/family-a/protocol/errors.ts'
import type { Requests, Responses } from '../../drivers/family-a/protocol/index.ts'
import { type Reply as AnyReply, type HandlerContext, type HandlersOf, replies } from '../handler.ts'
import type { Edition } from './edition.ts'
import { REASONS } from './refusals.ts'
import type { Session } from './session.ts'
import type { Switches } from './switches.ts'

export type Context = HandlerContext<Edition, Switches, Session>

export type Reply<Values> = AnyReply<Values, ErrorKey>

export { done, refused } from '../handler.ts'
export const from = replies(REASONS)

export type Handlers = HandlersOf<Context, Requests, Responses, ErrorKey>
