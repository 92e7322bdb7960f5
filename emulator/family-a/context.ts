import type { ErrorKey } from '../../drivers/family-a/protocol/errors.ts'
import type { CommandName, Commands } from '../../drivers/family-a/protocol/index.ts'
import type { RequestOf, ResponseOf } from '../../drivers/wire/command.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import type { DeviceProfile, FiscalReceipt, Outcome } from '../fiscal/types.ts'
import type { National } from './profile.ts'
import { KEY_OF } from './refusals.ts'
import type { Quirks } from './switches.ts'

/** What every handler of a command is given, and what it gives back. */
export interface Context {
  readonly device: FiscalDevice
  readonly profile: DeviceProfile
  readonly national: National
  readonly quirks: Quirks
  readonly wire: WireState
}

/** What the wire remembers between commands; gone when the power goes. */
export interface WireState {
  /** The journal document selected by 125/0, and what of it has been read. */
  reading:
    | { readonly lines: readonly string[]; line: number; readonly pieces: readonly string[]; piece: number }
    | undefined
  /** Rows of 125/9 that 125/8 hands out. */
  rows: CsvRow[]
  /** Where 107 N and n, and 140 N, go on. */
  articleCursor: { readonly at: number; readonly direction: 'up' | 'down' } | undefined
  soldCursor: { readonly at: number; readonly direction: 'up' | 'down' } | undefined
  clientCursor: { readonly at: number; readonly direction: 'up' | 'down' } | undefined
  /** Lines of 122 that are not printed yet. */
  rotated: string[]
  /** Pictures being sent by 202 and 203: base64 so far. */
  uploads: Partial<Record<'logo' | 'stampPicture', string>>
  /** 96 has been answered with the right password since the power came. */
  unlocked: boolean
}

export interface CsvRow {
  readonly document: number
  readonly kind: string
  readonly receipt: FiscalReceipt
  readonly row: number
}

export const newWireState = (): WireState => ({
  reading: undefined,
  rows: [],
  articleCursor: undefined,
  soldCursor: undefined,
  clientCursor: undefined,
  rotated: [],
  uploads: {},
  unlocked: false,
})

export type Result<T> = { readonly ok: true; readonly values: T } | Failure
export interface Failure {
  readonly ok: false
  readonly key: ErrorKey
}

export const ok = <T>(values: T): Result<T> => ({ ok: true, values })
export const done: Result<Record<never, never>> = { ok: true, values: {} }
export const fail = (key: ErrorKey): Failure => ({ ok: false, key })

/** The outcome of the books as an answer; `say` makes the fields, `codes` overrides the usual code of a refusal. */
export function from<T, R>(
  outcome: Outcome<T>,
  say: (value: T) => R,
  codes: Partial<Record<keyof typeof KEY_OF, ErrorKey>> = {},
): Result<R> {
  if (outcome.ok) return ok(say(outcome.value))
  return fail(codes[outcome.refusal] ?? KEY_OF[outcome.refusal])
}

/** Success without fields. */
export const plain = (): Record<never, never> => ({})

export type Handler<Name extends CommandName> = (
  context: Context,
  ask: RequestOf<Commands[Name]>,
) => Result<ResponseOf<Commands[Name]>>

/** A command without a handler does not compile. */
export type Handlers<Names extends CommandName = CommandName> = { readonly [Name in Names]: Handler<Name> }
