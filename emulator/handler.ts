import type { FiscalDevice } from './fiscal/api.ts'
import type { Outcome, Refusal } from './fiscal/types/outcome.ts'

/** What carries out a command: the same words in every family, with the family's own edition, switches and session. */
export interface HandlerContext<Edition, Switches, Session> {
  readonly device: FiscalDevice
  readonly edition: Edition
  /** Named departures of particular firmware. */
  readonly switches: Switches
  /** What the wire remembers between commands. */
  readonly session: Session
}

/** By the command's name; one without a handler does not compile. */
export type HandlersOf<Context, Requests, Responses extends Record<keyof Requests, unknown>, Reason, More = unknown> = {
  readonly [Name in keyof Requests]: (
    context: Context,
    ask: Requests[Name],
  ) => Reply<ValuesOf<Responses[Name]>, Reason, More>
}

/** Done, with the values of the answer and what the family has `More` to say; or refused for the family's reason. */
export type Reply<Values, Reason, More = unknown> = (Done<Values> & More) | Refused<Reason>

export interface Done<Values> {
  readonly ok: true
  readonly values: Values
}

export interface Refused<Reason> {
  readonly ok: false
  readonly reason: Reason
}

/** An answer without fields may leave its values out. */
type ValuesOf<Response> = Record<never, never> extends Response ? Response | undefined : Response

export function done(): Done<undefined>
export function done<const Values>(values: Values): Done<Values>
export function done(values?: unknown): Done<unknown> {
  return { ok: true, values }
}

export const refused = <const Reason>(reason: Reason): Refused<Reason> => ({ ok: false, reason })

/** What a family makes of the outcome of the books: `say` makes the values, `reasons` are its answers to a refusal. */
export function replies<Reason>(reasons: Readonly<Record<Refusal, Reason>>) {
  function from(outcome: Outcome<unknown>): Done<undefined> | Refused<Reason>
  function from<T, const Values>(outcome: Outcome<T>, say: (value: T) => Values): Done<Values> | Refused<Reason>
  function from<T>(outcome: Outcome<T>, say?: (value: T) => unknown): Done<unknown> | Refused<Reason> {
    return outcome.ok ? done(say?.(outcome.value)) : refused(reasons[outcome.refusal])
  }
  return from
}
