import type { ErrorNumber } from '../../drivers/family-b/protocol/errors.ts'
import type { Requests, Responses } from '../../drivers/family-b/protocol/index.ts'
import type { ByteText } from '../../drivers/wire/charset.ts'
import {
  type Refused as AnyRefused,
  type Reply as AnyReply,
  done,
  type HandlerContext,
  type HandlersOf,
  refused,
  replies,
} from '../handler.ts'
import type { Edition } from './edition.ts'
import { REASONS, type Reason } from './refusals.ts'
import type { Session } from './session.ts'
import type { Switches } from './switches.ts'

export type Context = HandlerContext<Edition, Switches, Session>

export interface ReplyExtras {
  /** Lines that are sent before the answer; the host acknowledges each one (sheet 10.9). */
  readonly stream?: readonly ByteText[]
  /** The error number in byte 3 of an answer with `F` (sheet 8, channel 5). */
  readonly error?: ErrorNumber
}

export type Reply<Values> = AnyReply<Values, Reason, ReplyExtras>
export type Refused = AnyRefused<Reason>
export { done, refused } from '../handler.ts'
export const from = replies(REASONS)

export const failedAnswer = <const Values>(values: Values, error: ErrorNumber) => ({ ...done(values), error })
export const error = (number: ErrorNumber): Refused => refused({ channel: 'error', error: number })
export const refusedInState = (number?: ErrorNumber): Refused =>
  refused({ channel: 'state', ...(number === undefined ? {} : { error: number }) })

export type Handlers = HandlersOf<Context, Requests, Responses, Reason, ReplyExtras>
