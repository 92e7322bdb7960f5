import type { FiscalDevice } from './fiscal/api.ts'
import type { Outcome, Refusal } from './fiscal/types/outcome.ts'

export interface HandlerContext<Edition, Switches, Session> {
  readonly device: FiscalDevice
  readonly edition: Edition
  readonly switches: Switches
  readonly session: Session
}

/** Handlers by the name of the command. A missing handler is a compile-time error. */
export type HandlersOf<Context, Requests, Responses extends Record<keyof Requests, unknown>, Reason, More = unknown> = {
  readonly [Name in keyof Requests]: (
    context: Context,
    ask: Requests[Name],
  ) => Reply<ValuesOf<Responses[Name]>, Reason, More>
}

/** The result of a handler. `More` are members that only one family has. */
export type Reply<Values, Reason, More = unknown> = (Done<Values> & More) | Refused<Reason>

export interface Done<Values> {
  readonly ok: true
  readonly values: Values
}

export interface Refused<Reason> {
  readonly ok: false
  readonly reason: Reason
}

/** The values of an answer; an answer without fields needs none. */
type ValuesOf<Response> = Record<never, never> extends Response ? Response | undefined : Response

export function done(): Done<undefined>
export function done<const Values>(values: Values): Done<Values>
export function done(values?: unknown): Done<unknown> {
  return { ok: true, values }
}

export const refused = <const Reason>(reason: Reason): Refused<Reason> => ({ ok: false, reason })

export function replies<Reason>(reasons: Readonly<Record<Refusal, Reason>>) {
  function from(outcome: Outcome<unknown>): Done<undefined> | Refused<Reason>
  function from<T, const Values>(outcome: Outcome<T>, say: (value: T) => Values): Done<Values> | Refused<Reason>
  function from<T>(outcome: Outcome<T>, say?: (value: T) => unknown): Done<unknown> | Refused<Reason> {
    return outcome.ok ? done(say?.(outcome.value)) : refused(reasons[outcome.refusal])
  }
  return from
}
