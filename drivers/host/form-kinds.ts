/** Kinds of values in files that people write, with their messages for wrong values. */
import { z } from 'zod'

export const expected = (what: string) => ({ error: `expected ${what}` })

/** A text that YAML may have read as a number. */
export const quotedText = (what: string) =>
  z.string(expected(`${what} (in quotes, if it looks like a number)`)).min(1, expected(what))

export function wholeNumber(min: number, max: number) {
  const say = expected(min === max ? String(min) : `a whole number from ${min} to ${max}`)
  return z.int(say).min(min, say).max(max, say)
}

export const trueOrFalse = z.boolean(expected('true or false'))

export const strictMembers = <S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `expected one of ${Object.keys(shape).join(', ')}; this key is unknown`
        : 'expected an object',
  })
