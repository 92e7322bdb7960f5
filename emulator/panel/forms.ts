import { z } from 'zod'
import { JsonNumber, plainJson, readJson } from '../../drivers/model/json.ts'
import { MONEY_MAX, parseDecimal } from '../../drivers/model/money.ts'
import type { TaxCode } from '../../drivers/model/receipt.ts'
import type { DeviceProfile } from '../fiscal/types.ts'

/** What the control interface accepts (decisions 6): every form checked, every refusal says what and where. */

/** A call that cannot be carried out as it is; answered with `{error}`. */
export class WrongCall extends Error {
  readonly status: 400 | 404

  constructor(message: string, status: 400 | 404 = 400) {
    super(message)
    this.name = 'WrongCall'
    this.status = status
  }
}

/** JSON with its numbers as they were written, so that an amount is read exactly. Throws WrongCall. */
export function readBody(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return plainJson(readJson(text))
  } catch (problem) {
    throw new WrongCall(`the body is not JSON: ${problem instanceof Error ? problem.message : problem}`)
  }
}

/** Throws WrongCall that names the first problem and where it is. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, whole: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = (issue?.path ?? []).reduce<string>(
    (so, step) => (typeof step === 'number' ? `${so}[${step}]` : so === '' ? String(step) : `${so}.${String(step)}`),
    '',
  )
  throw new WrongCall(`${path === '' ? whole : path}: ${issue?.message ?? 'not understood'}`)
}

/** `absent`: what stands for a member that is not there. */
function whole(min: number, max: number, absent?: number) {
  return z.unknown().transform((value, context) => {
    if (value === undefined && absent !== undefined) return absent
    const number = value instanceof JsonNumber ? Number(value.source) : Number.NaN
    if (Number.isInteger(number) && number >= min && number <= max) return number
    context.addIssue({ code: 'custom', message: `expected a whole number from ${min} to ${max}` })
    return z.NEVER
  })
}

/** Decimal text or a JSON number, exactly; hundredths. */
const price = z.unknown().transform((value, context) => {
  const text = value instanceof JsonNumber ? value.source : value
  const amount = typeof text === 'string' ? parseDecimal(text, 2) : 'not a decimal number'
  if (typeof amount === 'number' && amount >= 0 && amount <= MONEY_MAX) return amount
  const why = typeof amount === 'string' ? amount : 'outside 0.00 to 9999999.99'
  context.addIssue({ code: 'custom', message: `${why}: expected an amount like "1.50" or 1.50` })
  return z.NEVER
})

const said = (message: string) => ({ error: message })

export const powerForm = z.strictObject(
  { on: z.boolean(said('expected true or false')) },
  said('expected {"on": true} or {"on": false}'),
)
export const paperForm = z.strictObject(
  { state: z.enum(['ok', 'low', 'out'], said('expected "ok", "low" or "out"')) },
  said('expected {"state": "ok"}, "low" or "out"'),
)
export const coverForm = z.strictObject(
  { open: z.boolean(said('expected true or false')) },
  said('expected {"open": true} or {"open": false}'),
)
export const cableForm = z.strictObject(
  { connected: z.boolean(said('expected true or false')) },
  said('expected {"connected": true} or {"connected": false}'),
)
export const resetForm = z
  .strictObject(
    { keep: z.literal('fiscalMemory', said('expected "fiscalMemory"')).optional() },
    said('expected nothing or {"keep": "fiscalMemory"}'),
  )
  .optional()

const DAY_MS = 86_400_000
const UNITS_MS = [7 * DAY_MS, DAY_MS, 3_600_000, 60_000, 1000] as const
const DURATION = /^P(?!$)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?!$)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/

const duration = z.unknown().transform((value, context) => {
  const match = typeof value === 'string' ? DURATION.exec(value) : null
  if (match) return UNITS_MS.reduce((sum, unit, index) => sum + unit * Number(match[index + 1] ?? 0), 0)
  context.addIssue({
    code: 'custom',
    message: 'expected an ISO 8601 duration in weeks, days, hours, minutes or seconds, like "PT24H"',
  })
  return z.NEVER
})

const LOCAL = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?$/

/** The device has a wall clock without a zone: what is given is what it shows. */
const wallTime = z.unknown().transform((value, context) => {
  const match = typeof value === 'string' ? LOCAL.exec(value) : null
  const text = match ? `${match[1]}T${match[2]?.padEnd(8, ':00')}` : ''
  const at = Date.parse(`${text}Z`)
  if (match && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)) return text
  context.addIssue({ code: 'custom', message: 'expected a date and time like "2026-07-14T12:30:00"' })
  return z.NEVER
})

export const clockForm = z.union(
  [z.strictObject({ set: wallTime }), z.strictObject({ advance: duration })],
  said('expected {"set": "2026-07-14T12:30:00"} or {"advance": "PT24H"}'),
)

export interface ArticleForm {
  readonly plu: number
  readonly name: string
  readonly taxCode: TaxCode
  readonly price: number
  readonly department: number
}

/** As many as the device takes, with the limits of its profile. */
export function articlesForm(profile: DeviceProfile): z.ZodType<ArticleForm[]> {
  const { capacity, maxNumber, nameLength } = profile.articles
  const text = `expected text of 1 to ${nameLength} characters without control characters`
  const article = z.strictObject(
    {
      plu: whole(1, maxNumber),
      name: z
        .string(said(text))
        .min(1, text)
        .max(nameLength, text)
        .regex(/^\P{Cc}*$/u, text),
      taxCode: whole(1, profile.taxGroups).transform((code) => code as TaxCode),
      price,
      department: whole(0, profile.departments, 0)
        .optional()
        .transform((value) => value ?? 0),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys' ? undefined : 'expected {plu, name, taxCode, price, department}',
    },
  )
  return z
    .array(article, said('expected a list of articles'))
    .max(capacity, `the device has room for ${capacity} articles`)
    .superRefine((articles, context) => {
      const seen = new Set<number>()
      articles.forEach(({ plu }, index) => {
        if (seen.has(plu)) context.addIssue({ code: 'custom', path: [index, 'plu'], message: `${plu} is there twice` })
        seen.add(plu)
      })
    })
}

/** A whole number in a query or a path; undefined when it is absent. Throws WrongCall. */
export function wholeParameter(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  throw new WrongCall(`${name}: expected a whole number`)
}
