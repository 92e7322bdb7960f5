import { taxCodeOf } from '../../drivers/family-c/protocol/cells.ts'
import type { Dialect } from '../../drivers/family-c/protocol/dialect.ts'
import { ILLEGAL_STATE, type Nibbles, SYNTAX } from '../../drivers/family-c/protocol/errors.ts'
import type { CommandName, Requests, Responses } from '../../drivers/family-c/protocol/index.ts'
import { TAX_CODES, type TaxCode } from '../../drivers/model/receipt.ts'
import type { ByteText } from '../../drivers/wire/charset.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import type { Outcome } from '../fiscal/types.ts'
import { NIBBLES_OF } from './refusals.ts'
import type { Quirks } from './switches.ts'

/** What every handler of a command is given, and what it gives back. */
export interface Context {
  readonly device: FiscalDevice
  readonly dialect: Dialect
  readonly quirks: Quirks
  readonly wire: WireState
}

/** What the wire remembers between commands. */
export interface WireState {
  /** The power was cut inside a fiscal receipt, and nobody has read the status since (sheet 2.3, 3Dh). */
  powerCut: boolean
  /** 3D has been told. */
  powerCutTold: boolean
  /** The open non-fiscal receipt prints only when it is closed. */
  postponedNonFiscal: boolean
  /** 1Dh `=0F`: silent until it is called again. */
  silent: boolean
  baud: number
}

export const newWireState = (): WireState => ({
  powerCut: false,
  powerCutTold: false,
  postponedNonFiscal: false,
  silent: false,
  baud: 115_200,
})

export type Reply<T> =
  /** An ACK frame without error. */
  | { readonly kind: 'ack' }
  /** A message frame. */
  | { readonly kind: 'values'; readonly values: T }
  /** An ACK frame, then a message per line, then `@`. Lines of text are padded to the paper's width. */
  | { readonly kind: 'stream'; readonly lines: readonly string[]; readonly raw?: boolean; readonly end?: ByteText }
  | { readonly kind: 'refused'; readonly nibbles: Nibbles }

export const acknowledged: Reply<never> = { kind: 'ack' }
export const values = <T>(told: T): Reply<T> => ({ kind: 'values', values: told })
export const refusedWith = (nibbles: Nibbles): Reply<never> => ({ kind: 'refused', nibbles })
export const syntax: Reply<never> = refusedWith(SYNTAX)
export const illegal: Reply<never> = refusedWith(ILLEGAL_STATE)
/** 3Fh: insufficient conditions. */
export const notMet: Reply<never> = refusedWith({ device: 15, command: 2 })
/** The rig's largest price and value (sheet 5.4), or an input register that overflows. */
export const tooLarge: Reply<never> = refusedWith(NIBBLES_OF.rowTooLarge)
export const notZeroed: Reply<never> = refusedWith({ device: 0, command: 3 })

/** The outcome of the books as an ACK. */
export const told = (outcome: Outcome<unknown>): Reply<never> =>
  outcome.ok ? acknowledged : refusedWith(NIBBLES_OF[outcome.refusal])

export type Handler<Name extends CommandName> = (context: Context, ask: Requests[Name]) => Reply<Responses[Name]>

/** A command without a handler does not compile. */
export type Handlers<Names extends CommandName> = { readonly [Name in Names]: Handler<Name> }

/** The tax group of a class letter, if the device has it. */
export function taxGroupOf(letter: string, { dialect }: Context): TaxCode | undefined {
  const code = taxCodeOf(letter)
  return code !== undefined && code <= dialect.taxClasses ? TAX_CODES[code - 1] : undefined
}

/**
 * 4.6: blanks behind are stripped on both sides, one to six symbols are taken. The factory's zeros are the same
 * password in every width, since clients send four of them to devices of six and one padded to four.
 */
export function samePassword(given: string, kept: string): boolean {
  const [one, other] = [given.trimEnd(), kept.trimEnd()]
  return one === other || (/^0+$/.test(one) && /^0+$/.test(other))
}

export function operatorRefusal({ device }: Context, operator: number, password: string): Reply<never> | undefined {
  const record = device.registers.operator(operator)
  if (!record) return syntax
  return samePassword(password, record.password) ? undefined : refusedWith(NIBBLES_OF.wrongPassword)
}

const SERVICE_PASSWORD = '000000'
export function serviceRefusal({ device }: Context, password: string): Reply<never> | undefined {
  const kept = device.registers.parameter('servicePassword') ?? SERVICE_PASSWORD
  return samePassword(password, kept) ? undefined : refusedWith(NIBBLES_OF.wrongPassword)
}
