/** Kinds of values in a scenario file, with their messages for wrong values. */
import { z } from 'zod'
import { FAMILIES } from '../../drivers/families.ts'
import { expected, wholeNumber } from '../../drivers/host/form-kinds.ts'
import { nearest, unknownWord } from './nearest.ts'

export { expected, wholeNumber }

/** Separator between the messages for several unknown keys of one object. */
export const EACH_KEY = '\u0000'

/**
 * Returns a strict object schema whose message for an unknown key names the nearest known key. `synonyms` maps unknown
 * keys to known ones.
 */
export function members<S extends z.core.$ZodLooseShape>(
  what: string,
  shape: S,
  synonyms?: Readonly<Record<string, string>>,
): z.ZodObject<S, z.core.$strict> {
  const names = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownWord(`key of ${what}`, key, names, synonyms)).join(EACH_KEY)
        : (keyAlone(what, issue.input, names) ??
          `expected ${what}: an object with ${names.slice(0, 6).join(', ')}${names.length > 6 ? ', ...' : ''}`),
  })
}

/** Returns the message for a text in place of an object, as in `- post /report-z` without its colon. */
function keyAlone(what: string, input: unknown, names: readonly string[]): string | undefined {
  if (typeof input !== 'string') return undefined
  if (names.includes(input)) return `expected a colon after it: ${JSON.stringify(`${input}:`)}`
  return nearest(input, names) === undefined ? undefined : unknownWord(`key of ${what}`, input, names)
}

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, {
    error: ({ input }) => {
      const near = typeof input === 'string' ? nearest(input, values) : undefined
      return `expected ${values.join(', ')}${near === undefined ? '' : `; nearest: ${near}`}`
    },
  })

export const words = (what: string) => z.string(expected(what)).min(1, expected(what))
const DURATION = /^(?:\d{1,9}(?:ms|s|m|h|d)|P(?!$)(?:\d{1,6}D)?(?:T(?!$)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}S)?)?)$/
export const duration = z
  .string(expected('a duration such as 500ms, 10s, 2m, 24h or PT24H'))
  .regex(DURATION, expected('a duration such as 500ms, 10s, 2m, 24h or PT24H'))

const NAME = /^[A-Za-z_]\w*$/
export const isName = (text: string): boolean => NAME.test(text)

/** Accepts a value of the schema, a name such as `$total`, or a matcher such as `{oneOf: [200, 424]}`. */
export const orMatcher = <T extends z.ZodType>(schema: T, what: string) =>
  z.union(
    [
      z.string(expected(what)).regex(/^\$[\w{}.]+$/, expected(what)),
      z.strictObject({ oneOf: z.array(z.unknown()) }),
      z.strictObject({ not: z.unknown() }),
      z.strictObject({ present: z.boolean() }),
      z.strictObject({ number: z.boolean() }),
      schema,
    ],
    expected(what),
  )

export const name = z
  .string(expected('a name of letters, digits and _'))
  .regex(NAME, expected('a name of letters, digits and _'))

/**
 * Accepts a value of the schema or a name such as `$total`. The message for a wrong text names the nearest of `names`.
 */
export function orVariable<T extends z.ZodType>(schema: T, what: string, names: readonly string[] = []) {
  const say = {
    error: ({ input }: { readonly input?: unknown }) => {
      const near = typeof input === 'string' ? nearest(input, names) : undefined
      return `expected ${what}${near === undefined ? '' : `; nearest: ${near}`}`
    },
  }
  return z.union([z.string(say).regex(/^\$[\w{}.]+$/, say), schema], say)
}

export const families = z
  .array(oneOf(FAMILIES as [string, ...string[]]), expected('a list such as [A, B]'))
  .min(1, expected('a family'))

export const amount = z.union(
  [z.number(), z.string().regex(/^-?\d+(?:\.\d{1,2})?$|^\$/)],
  expected('an amount such as 12.50'),
)
export const anything = z.unknown()

export const count = wholeNumber(0, 1_000_000)
export const countOrVariable = orVariable(count, 'a whole number')

const article = members('an article', {
  plu: orVariable(wholeNumber(1, 2_147_483_647), 'the number of an article'),
  name: words('the name of the article'),
  taxCode: orVariable(wholeNumber(1, 8), '1 to 8'),
  price: amount,
  department: orVariable(wholeNumber(0, 99), '0 to 99').optional(),
})
export const articleList = z.array(article, expected('a list of articles'))
export const paperState = oneOf(['ok', 'low', 'out'])
