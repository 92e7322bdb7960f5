/** Input of the control API (decisions 6). Every refusal contains the problem and its location. */
import { z } from 'zod'
import { messageOf } from '../../drivers/model/errors.ts'
import { JsonNumber, plainJson, readJson } from '../../drivers/model/json.ts'
import { MONEY_MAX, parseDecimal } from '../../drivers/model/money.ts'
import type { TaxCode } from '../../drivers/model/receipt.ts'
import { DURATION_EXPECTED, durationMs, LOCAL_TIME_EXPECTED, localTime } from '../../drivers/model/time-text.ts'
import type { Rule } from '../faults/rule.ts'
import type { DeviceSnapshot } from '../fiscal/api.ts'
import type { DeviceProfile } from '../fiscal/types/profile.ts'

export class WrongCall extends Error {
  readonly status: 400 | 404

  constructor(message: string, status: 400 | 404 = 400) {
    super(message)
    this.name = 'WrongCall'
    this.status = status
  }
}

/** Parses JSON with exact numbers, unless it is `plain`. Throws WrongCall. */
export function readBody(text: string, plain = false): unknown {
  if (text.trim() === '') return undefined
  try {
    return plain ? JSON.parse(text) : plainJson(readJson(text))
  } catch (problem) {
    throw new WrongCall(`the body is not JSON: ${messageOf(problem)}`)
  }
}

/** Returns the checked value. Throws WrongCall with the first problem and its location. */
export function parseForm<Schema extends z.ZodType>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = (issue?.path ?? []).reduce<string>(
    (so, step) => (typeof step === 'number' ? `${so}[${step}]` : so === '' ? String(step) : `${so}.${String(step)}`),
    '',
  )
  throw new WrongCall(`${path === '' ? whole : path}: ${issue?.message ?? 'not understood'}`)
}

/** Creates a schema with its description for the API. Callers provide an `In`, the handler receives an `Out`. */
function kind<In, Out>(description: Readonly<Record<string, unknown>>, read: (value: unknown) => Out | Error) {
  const schema = z
    .unknown()
    .meta(description)
    .transform((value, context) => {
      const result = read(value)
      if (!(result instanceof Error)) return result
      context.addIssue({ code: 'custom', message: result.message })
      return z.NEVER
    })
  return schema as unknown as z.ZodType<Out, In>
}

const whole = (min: number, max: number) =>
  kind<number, number>({ type: 'integer', minimum: min, maximum: max }, (value) => {
    const number = value instanceof JsonNumber ? Number(value.source) : Number.NaN
    const fits = Number.isInteger(number) && number >= min && number <= max
    return fits ? number : new Error(`expected a whole number from ${min} to ${max}`)
  })

/** An exact amount as decimal text or JSON number, in hundredths. */
const price = kind<string | number, number>({ type: ['string', 'number'], examples: ['1.50'] }, (value) => {
  const text = value instanceof JsonNumber ? value.source : value
  const amount = typeof text === 'string' ? parseDecimal(text, 2) : 'not a decimal number'
  if (typeof amount === 'number' && amount >= 0 && amount <= MONEY_MAX) return amount
  const why = typeof amount === 'string' ? amount : 'outside 0.00 to 9999999.99'
  return new Error(`${why}: expected an amount like 1.50`)
})

export const number = kind<number | string, number>({ type: 'integer', minimum: 0 }, (value) =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : new Error('expected a whole number'),
)

/** Returns the schema of a form that the device checks, because its rules depend on the family. */
const byDevice = <Form>(description: Readonly<Record<string, unknown>>) =>
  kind<Form, unknown>(description, (value) => value)

const sentence = (error: string) => ({ error })

const yesOrNo = z.boolean(sentence('expected true or false'))

export const power = z.strictObject({ on: yesOrNo }, sentence('expected {"on": true} or {"on": false}'))
export const paper = z.strictObject(
  { state: z.enum(['ok', 'low', 'out'], sentence('expected "ok", "low" or "out"')) },
  sentence('expected {"state": "ok"}, "low" or "out"'),
)
export const cover = z.strictObject({ open: yesOrNo }, sentence('expected {"open": true} or {"open": false}'))
export const display = z.strictObject(
  { attached: yesOrNo },
  sentence('expected {"attached": true} or {"attached": false}'),
)
const ROOM = 'expected {"fiscalMemory": 20}, {"journal": 500}, or null for all the room'
const roomLeft = whole(0, 100_000_000).nullable().optional()
export const room = z
  .strictObject({ fiscalMemory: roomLeft, journal: roomLeft }, sentence(ROOM))
  .refine(({ fiscalMemory, journal }) => fiscalMemory !== undefined || journal !== undefined, sentence(ROOM))
export const cable = z.strictObject(
  { connected: yesOrNo },
  sentence('expected {"connected": true} or {"connected": false}'),
)
export const mechanism = z.strictObject(
  { realistic: yesOrNo },
  sentence('expected {"realistic": true} or {"realistic": false}'),
)
export const fiscalised = z.strictObject(
  { fiscalised: yesOrNo },
  sentence('expected {"fiscalised": true} or {"fiscalised": false}'),
)
export const reset = z
  .strictObject(
    { keep: z.literal('fiscalMemory', sentence('expected "fiscalMemory"')).optional() },
    sentence('expected nothing or {"keep": "fiscalMemory"}'),
  )
  .optional()

const duration = kind<string, number>({ type: 'string', format: 'duration' }, (value) => {
  const ms = typeof value === 'string' ? durationMs(value) : undefined
  return ms ?? new Error(DURATION_EXPECTED)
})

const wallTime = kind<string, string>({ type: 'string', examples: ['2026-07-14T12:30:00'] }, (value) => {
  const text = typeof value === 'string' ? localTime(value) : undefined
  return text ?? new Error(LOCAL_TIME_EXPECTED)
})

export const clock = z.union(
  [z.strictObject({ set: wallTime }), z.strictObject({ advance: duration }), z.strictObject({ lost: z.literal(true) })],
  sentence('expected {"set": "2026-07-14T12:30:00"}, {"advance": "PT24H"} or {"lost": true}'),
)

const nameText = (longest: number) => `expected text of 1 to ${longest} characters without control characters`
const NAME_LONGEST = 72

const articleForm = z.strictObject(
  {
    plu: whole(1, 2_147_483_647),
    name: z
      .string(sentence(nameText(NAME_LONGEST)))
      .min(1, nameText(NAME_LONGEST))
      .regex(/^\P{Cc}*$/u, nameText(NAME_LONGEST)),
    taxCode: whole(1, 8).transform((code) => code as TaxCode),
    price,
    department: whole(0, 99).optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? undefined : 'expected {plu, name, taxCode, price, department}',
  },
)
export type ArticleForm = z.output<typeof articleForm>

export const articles = z
  .array(articleForm, sentence('expected a list of articles'))
  .superRefine((articles, context) => {
    const seenNumbers = new Set<number>()
    articles.forEach(({ plu }, index) => {
      if (seenNumbers.has(plu))
        context.addIssue({ code: 'custom', path: [index, 'plu'], message: `PLU ${plu} occurs twice in the list` })
      seenNumbers.add(plu)
    })
  })

/**
 * Throws WrongCall if there are more articles than the device has room for, or if a value of an article exceeds the
 * limits of the device.
 */
export function checkLimits(
  articles: readonly ArticleForm[],
  { articles: limits, taxGroups, departments }: DeviceProfile,
) {
  const { capacity, maxNumber, nameLength } = limits
  if (articles.length > capacity) throw new WrongCall(`the body: the device has room for ${capacity} articles`)
  articles.forEach(({ plu, name, taxCode, department = 0 }, index) => {
    const upTo = (member: string, value: number, min: number, max: number) => {
      if (value > max) throw new WrongCall(`[${index}].${member}: expected a whole number from ${min} to ${max}`)
    }
    upTo('plu', plu, 1, maxNumber)
    if (name.length > nameLength) throw new WrongCall(`[${index}].name: ${nameText(nameLength)}`)
    upTo('taxCode', taxCode, 1, taxGroups)
    upTo('department', department, 0, departments)
  })
}

export const fault = byDevice<Rule | readonly Rule[]>({
  description: 'A rule {at, on, skip, times, probability, containing, after, byte, do}, or a list of rules.',
})
export const receipt = kind<object, unknown>(
  { type: 'object', description: 'A receipt as in the body of POST /api/print-fiscal-receipt.' },
  (value) => (value === undefined ? new Error('expected a receipt') : value),
)
export const receiptEnd = z.strictObject({
  end: z.enum(['cancel', 'close'], sentence('expected "cancel" or "close"')).meta({
    description: 'The remaining amount is paid in cash before a receipt is closed.',
  }),
})
export type ReceiptEnd = z.output<typeof receiptEnd>['end']
export const snapshot = byDevice<DeviceSnapshot>({ type: 'object', description: 'A snapshot as returned by GET.' })

const NAMES = 'expected a list of names, such as ["till-1", "kiosk-*"]'
const names = z.array(z.string(sentence(NAMES)), sentence(NAMES)).min(1, NAMES)

export const controls = z
  .strictObject({
    names,
    paper: paper.shape.state.optional(),
    cover: yesOrNo.optional().meta({ description: 'true: the cover is opened.' }),
    power: yesOrNo.optional(),
    cable: yesOrNo.optional(),
  })
  .refine(({ names: _names, ...values }) => Object.values(values).some((value) => value !== undefined), {
    error: 'expected paper, cover, power or cable in addition to names',
  })

const rule = z.looseObject({ names }, sentence('expected a rule with "names" in addition to its members'))
/** A rule with names of printers. Each device checks the rule. */
export const fleetFault = z.union(
  [rule, z.array(rule)],
  sentence('expected a rule with names, or a list of such rules'),
)
