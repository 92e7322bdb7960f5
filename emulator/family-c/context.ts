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
  /** An ACK frame is followed by a message per line, and `@`. Lines of text are padded to the width of the paper. */
  readonly stream?: { readonly lines: readonly string[]; readonly raw?: boolean; readonly end?: ByteText }
  /** Returns the values at the time when the answer is sent. */
  readonly valuesAtEnd?: () => unknown
}

/**
 * The result of a handler. Done without values is an ACK frame without an error; done with values is a message frame;
 * refused is an ACK frame with nibbles.
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
/** Insufficient conditions (3Fh). */
export const CONDITIONS_REFUSAL: Refused = refused({ device: 15, command: 2 })
/** Refusal of amounts above fiscal-rig's largest price and value (sheet 5.4), or of an input register overflow. */
export const tooLarge: Refused = refused(REASONS.rowTooLarge)
export const notZeroed: Refused = refused({ device: 0, command: 3 })

/** The answers of the commands. Every command may also answer with a bare ACK. */
type Answers = { readonly [Name in keyof Responses]: Responses[Name] | undefined }
export type Handlers = HandlersOf<Context, Requests, Answers, Nibbles, ReplyExtras>

export const openReceipt = ({ device }: Context): FiscalReceipt | undefined =>
  device.receipt?.kind === 'fiscal' ? device.receipt.fiscal : undefined

/** Returns false if the display is in manual mode (65h), in which the device shows nothing automatically. */
export const showsByItself = ({ session }: Context): boolean => !session.persistentCells.parameters.display

/** Returns the tax group of a class letter; `undefined` if the device does not have it. */
export function taxGroupOf(letter: string, { edition }: Context): TaxCode | undefined {
  const code = taxCodeOf(letter)
  return code !== undefined && code <= edition.taxClasses ? TAX_CODES[code - 1] : undefined
}

/**
 * Compares passwords (4.6). Trailing blanks are ignored, and one to six symbols are accepted. The factory password of
 * zeros matches in every width: clients send four zeros to devices with six, and one client pads to four.
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
