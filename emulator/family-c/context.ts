import { taxCodeOf } from '../../drivers/family-c/protocol/cells.ts'
import { ILLEGAL_STATE, type Nibbles, SYNTAX } from '../../drivers/family-c/protocol/errors.ts'
import type { Requests, Responses } from '../../drivers/family-c/protocol/index.ts'
import { TAX_CODES, type TaxCode } from '../../drivers/model/receipt.ts'
import type { ByteText } from '../../drivers/wire/charset.ts'
import type { FiscalReceipt } from '../fiscal/types/receipt.ts'
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
import { REASONS } from './refusals.ts'
import type { Session } from './session.ts'
import type { Switches } from './switches.ts'

export type Context = HandlerContext<Edition, Switches, Session>

export interface ReplyExtras {
  /**
   * The answer is an ACK frame, a message frame for each line, and `@`. Unless `raw` is set, lines are padded to the
   * width of the paper.
   */
  readonly stream?: { readonly lines: readonly string[]; readonly raw?: boolean; readonly end?: ByteText }
  readonly valuesAtEnd?: () => unknown
}

/**
 * The result of a handler. Success without values becomes an ACK frame without an error, success with values a message
 * frame, and a refusal an ACK frame with nibbles.
 */
export type Reply<Values> = AnyReply<Values, Nibbles, ReplyExtras>
export type Refused = AnyRefused<Nibbles>
export { done, refused } from '../handler.ts'
export const from = replies(REASONS)

export const streamedAnswer = (
  lines: readonly string[],
  streamOptions: Omit<NonNullable<ReplyExtras['stream']>, 'lines'> = {},
) => ({
  ...done(),
  stream: { lines, ...streamOptions },
})

export const syntax: Refused = refused(SYNTAX)
export const ILLEGAL_STATE_REFUSAL: Refused = refused(ILLEGAL_STATE)
/** Insufficient conditions (error 3Fh). */
export const CONDITIONS_REFUSAL: Refused = refused({ device: 15, command: 2 })
/** Refusal of an amount above the largest price of fiscal-rig (sheet 5.4), or of an input register overflow. */
export const tooLarge: Refused = refused(REASONS.rowTooLarge)
export const notZeroed: Refused = refused({ device: 0, command: 3 })

/** Every command may also answer with a bare ACK (`undefined`). */
type Answers = { readonly [Name in keyof Responses]: Responses[Name] | undefined }
export type Handlers = HandlersOf<Context, Requests, Answers, Nibbles, ReplyExtras>

export const openReceipt = ({ device }: Context): FiscalReceipt | undefined =>
  device.receipt?.kind === 'fiscal' ? device.receipt.fiscal : undefined

/** The customer display does not show sales automatically in manual mode (65h). */
export const showsByItself = ({ session }: Context): boolean => !session.persistentCells.parameters.display

/** Returns `undefined` for a letter that the edition does not have. */
export function taxGroupOf(letter: string, { edition }: Context): TaxCode | undefined {
  const code = taxCodeOf(letter)
  return code !== undefined && code <= edition.taxClasses ? TAX_CODES[code - 1] : undefined
}

/**
 * Compares passwords without trailing blanks (sheet 4.6). Passwords of zeros match in every width: some clients send
 * four zeros to devices whose password has six.
 */
function samePassword(input: string, password: string): boolean {
  const [one, other] = [input.trimEnd(), password.trimEnd()]
  return one === other || (/^0+$/.test(one) && /^0+$/.test(other))
}

export function operatorRefusal({ device }: Context, operator: number, password: string): Refused | undefined {
  const record = device.registers.operator(operator)
  if (!record) return syntax
  return samePassword(password, record.password) ? undefined : refused(REASONS.wrongPassword)
}

export function serviceRefusal({ session }: Context, password: string): Refused | undefined {
  return samePassword(password, session.persistentCells.servicePassword) ? undefined : refused(REASONS.wrongPassword)
}
