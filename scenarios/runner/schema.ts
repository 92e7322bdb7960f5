/**
 * A scenario file, declared once: the loader checks against it, editors check against the JSON Schema that is generated
 * from it (`scenarios/scenario.schema.json`). Nothing is transformed here: what stands in the file is what is played.
 */
import { z } from 'zod'
import { FAMILIES } from '../../drivers/model/receipt.ts'
import { ruleSchema } from '../../emulator/faults/plan.ts'
import { configFile } from '../../server/config-schema.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { FAULTS } from '../stand-in/faults.ts'
import { WRONG } from '../stand-in/session-token.ts'
import { nearest, unknownWord } from './nearest.ts'

// ---------------------------------------------------------------- words of the declaration

const expected = (what: string) => ({ error: `expected ${what}` })

/** Separates the messages of several unknown keys of one object. */
export const EACH_KEY = '\u0000'

/** An object whose keys are all known; an unknown one is answered with the nearest. */
function members<S extends z.core.$ZodLooseShape>(what: string, shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownWord(`key of ${what}`, key, known)).join(EACH_KEY)
        : `expected ${what}: an object with ${known.slice(0, 6).join(', ')}${known.length > 6 ? ', ...' : ''}`,
  })
}

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, {
    error: ({ input }) => {
      const near = typeof input === 'string' ? nearest(input, values) : undefined
      return `expected ${values.join(', ')}${near === undefined ? '' : `; nearest: ${near}`}`
    },
  })

const words = (what: string) => z.string(expected(what)).min(1, expected(what))
const whole = (min: number, max: number) => {
  const say = expected(`a whole number from ${min} to ${max}`)
  return z.int(say).min(min, say).max(max, say)
}

const DURATION = /^(?:\d{1,9}(?:ms|s|m|h|d)|P(?!$)(?:\d{1,6}D)?(?:T(?!$)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}S)?)?)$/
const duration = z
  .string(expected('a duration such as 500ms, 10s, 2m, 24h or PT24H'))
  .regex(DURATION, expected('a duration such as 500ms, 10s, 2m, 24h or PT24H'))

const NAME = /^[A-Za-z_]\w*$/
/** A value, a name for it, or a matcher such as {oneOf: [200, 424]}. */
const orMatcher = <T extends z.ZodType>(schema: T, what: string) =>
  z.union(
    [
      z.string(expected(what)).regex(/^\$[\w{}.]+$/, expected(what)),
      z.strictObject({ oneOf: z.array(z.unknown()) }),
      z.strictObject({ not: z.unknown() }),
      z.strictObject({ present: z.boolean() }),
      schema,
    ],
    expected(what),
  )

const name = z
  .string(expected('a name of letters, digits and _'))
  .regex(NAME, expected('a name of letters, digits and _'))

/** A value in place of which `$name` may stand. */
const orVariable = <T extends z.ZodType>(schema: T, what: string) =>
  z.union([z.string(expected(what)).regex(/^\$[\w{}.]+$/, expected(what)), schema], expected(what))

const families = z
  .array(oneOf(FAMILIES as ['A', 'B', 'C']), expected('a list such as [A, B]'))
  .min(1, expected('a family'))

/** Decimal text or number, exact; on the device's side amounts are decimal text. */
const amount = z.union([z.number(), z.string().regex(/^-?\d+(?:\.\d{1,2})?$|^\$/)], expected('an amount such as 12.50'))
const anything = z.unknown()

// ---------------------------------------------------------------- needs

export const NEEDS = {
  config: 'a configuration of its own for the service',
  profile: 'a chosen profile of the device',
  fresh: 'a new device',
  articles: 'articles programmed from outside',
  clock: "the device's clock moved from outside",
  hands: 'hands on the device: paper, cover, power, cable',
  displayCable: 'the display plugged in and out',
  faults: 'faults on command, on the line and inside the device',
  linkFaults: 'faults on command, on the line alone',
  snapshot: 'a snapshot put into the device',
  paper: 'the printed paper read back',
  journal: 'the electronic journal read back',
  state: "the device's own counters, totals and archive read back",
  display: 'the display read back',
  frames: 'the frames on the wire read back',
  platform: "the order platform's stand-in",
  restart: 'the service started anew over the same device',
  wire: 'bytes of our own on a line to the device',
} as const
export type Need = keyof typeof NEEDS
const NEED_NAMES = Object.keys(NEEDS) as [Need, ...Need[]]

// ---------------------------------------------------------------- checks

const text = words('a text, or a pattern such as /TOTAL +1\\.20/')
const texts = z.union([text, z.array(text, expected('a list of texts'))], expected('a text or a list of texts'))
const times = z.record(
  z.string(),
  orMatcher(whole(0, 1_000_000), 'a number of times'),
  expected('texts with a number each: {"TOTAL": 1}'),
)

const DOCUMENT_KINDS = ['fiscal', 'invoice', 'nonFiscal', 'x', 'z', 'copy', 'cancelled', 'memory', 'service'] as const

const paperCheck = z.union(
  [
    words('the name of a golden file'),
    members('a check of the paper', {
      golden: words('the name of a golden file')
        .optional()
        .describe('Text file that the paper must be equal to; dates and times are left out of the comparison.'),
      has: texts.optional().describe('Lines (or parts of lines) that must be there.'),
      hasNot: texts.optional(),
      times: times.optional().describe('How many lines contain each text.'),
      of: z.union([oneOf(['all', 'last', ...DOCUMENT_KINDS])], expected('all, last or a kind of document')).optional(),
    }),
  ],
  expected('the name of a golden file, or {golden, has, hasNot, times, of}'),
)

const journalCheck = members('a check of the journal', {
  has: texts.optional(),
  hasNot: texts.optional(),
  times: times.optional(),
  saleLines: orMatcher(whole(0, 1_000_000), 'a number of lines')
    .optional()
    .describe('Lines of sales: an amount that is not negative, and the letter of its tax group.'),
  intact: z.boolean(expected('true or false')).optional().describe('Each line is chained to the one before.'),
})

const counted = members('a count and its amount', {
  count: orVariable(whole(0, 1_000_000), 'a count').optional(),
  amount: amount.optional(),
})
const sums = {
  taxes: z
    .partialRecord(z.enum(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']), amount, expected('amounts by tax group, A to H'))
    .optional(),
  total: amount.optional(),
  discounts: counted.optional(),
  surcharges: counted.optional(),
  voids: counted.optional(),
  cashIn: amount.optional(),
  cashOut: amount.optional(),
}
const payments = z.record(
  z.string().regex(/^\d{1,2}$|^\$/),
  amount,
  expected('amounts by payment mode, such as {0: 12.50}'),
)
const dayCheck = members('the totals of the day', {
  ...sums,
  payments: payments.optional(),
  drawerCash: amount.optional(),
})
const zCheck = members('a Z report in the archive', {
  ...sums,
  payments: payments.optional(),
  number: orVariable(whole(1, 1_000_000), 'the number of a Z report').optional().describe('The last one without.'),
  receiptsCount: orVariable(whole(0, 1_000_000), 'a number of receipts').optional(),
  firstReceipt: anything.optional(),
  lastReceipt: anything.optional(),
})

const framesCheck = members('a check of the frames', {
  count: z
    .record(
      z.string(),
      orVariable(whole(0, 1_000_000), 'a number of frames'),
      expected('numbers by command, such as {sale: 1}'),
    )
    .optional()
    .describe('Frames from the host, by the name of their command.'),
  has: z
    .array(
      members('a frame', {
        direction: oneOf(['toDevice', 'toHost']).optional(),
        command: words('the name of a command').optional(),
        fields: anything.optional(),
        status: z.array(z.string()).optional(),
      }),
    )
    .optional(),
})

const whole0 = orVariable(whole(0, 1_000_000), 'a whole number')
const documentCounts = z.partialRecord(
  z.enum(DOCUMENT_KINDS),
  whole0,
  expected(`numbers by kind: ${DOCUMENT_KINDS.join(', ')}`),
)

export const checkSchema = members('check', {
  paper: paperCheck.optional(),
  journal: journalCheck.optional(),
  receipts: whole0.optional().describe('Exactly so many fiscal receipts and invoices were printed by this scenario.'),
  documents: documentCounts.optional().describe('Exactly so many documents of each kind named.'),
  counters: members('the counters', {
    fiscalReceipts: whole0.optional(),
    nonFiscal: whole0.optional(),
    lastReceiptNumber: whole0.optional(),
    lastZ: whole0.optional(),
  }).optional(),
  day: dayCheck.optional(),
  z: zCheck.optional(),
  display: z
    .array(z.string(expected('a line of text')), expected('the lines of the display: [upper, lower]'))
    .optional(),
  frames: framesCheck.optional(),
  receipt: z
    .union(
      [
        z.null(),
        members('the open receipt', {
          kind: oneOf(['fiscal', 'invoice', 'nonFiscal']).optional(),
          items: whole0.optional(),
          total: amount.optional(),
          paid: amount.optional(),
        }),
      ],
      expected('null, or {kind, items, total, paid} of the open receipt'),
    )
    .optional(),
  device: members('the state of the device', {
    power: z.boolean(expected('true or false')).optional(),
    paper: oneOf(['ok', 'low', 'out']).optional(),
    cover: z.boolean(expected('true (open) or false')).optional(),
    cable: z.boolean(expected('true or false')).optional(),
  }).optional(),
  books: oneOf(['balanced']).optional().describe('An independent calculation over the frames agrees with the device.'),
  faults: oneOf(['used', 'any'])
    .optional()
    .describe('At the end: every rule must have struck (used, the default), or not.'),
})
export type Check = z.input<typeof checkSchema>
export const CHECKS = Object.keys(checkSchema.shape)

// ---------------------------------------------------------------- steps

const onoff = (on: string, off: string) => oneOf([on, off])

/** `post /open-fiscal-receipt`, with its parameters as `{type}`. */
const requestKeys = [
  ...endpoints.map(({ method, path }) => `${method} ${path}`),
  'post /Receipt',
  'get /get-platform-order/{orderId}',
  'post /print-platform-order/{orderId}',
  'get /openapi.json',
]
export const REQUESTS: readonly string[] = requestKeys
/** The keys that a request step may have besides the literal ones. */
const parameterised = requestKeys.filter((key) => key.includes('{'))
export const REQUEST_PATTERN = new RegExp(
  `^(?:${parameterised.map((key) => key.replace(/\{\w+\}/g, '[^/ ]+')).join('|')})(?:\\?\\S*)?$`,
)
export const isRequestKey = (key: string): boolean =>
  (requestKeys.includes(key) && !key.includes('{')) || REQUEST_PATTERN.test(key)

const body = anything.describe('The body of the request; nothing: no body.')
const requests = Object.fromEntries(
  requestKeys.filter((key) => !key.includes('{')).map((key) => [key, body.optional()]),
) as Record<string, z.ZodOptional<z.ZodUnknown>>

const expectation = z.union(
  [
    z.literal('no answer'),
    members('expect', {
      StatusCode: orMatcher(whole(100, 599), 'a status such as 200').optional(),
      Data: anything.optional(),
      Message: anything.optional(),
      Errors: anything.optional(),
      ReceiptStatus: anything.optional(),
      ReceiptNumber: anything.optional(),
      ErrorCode: anything.optional(),
      ErrorInfo: anything.optional(),
      status: orMatcher(whole(100, 599), 'a status such as 200')
        .optional()
        .describe('HTTP status, where it differs from StatusCode.'),
      headers: z.record(z.string(), anything, expected('headers by name')).optional(),
      statuses: z
        .record(z.string().regex(/^\d{3}$/), whole0, expected('numbers by status, such as {200: 3}'))
        .optional()
        .describe('Of together: how many answers of each status.'),
    }),
  ],
  expected('"no answer" or an object such as {StatusCode: 200}'),
)
export type Expectation = z.input<typeof expectation>

const clockStep = z.union(
  [
    members('clock', { set: words('a date and time such as "2026-07-14T12:30:00"') }),
    members('clock', { advance: duration }),
  ],
  expected('{set: "2026-07-14T12:30:00"} or {advance: 24h}'),
)

const article = members('an article', {
  plu: orVariable(whole(1, 2_147_483_647), 'the number of an article'),
  name: words('the name of the article'),
  taxCode: orVariable(whole(1, 8), '1 to 8'),
  price: amount,
  department: orVariable(whole(0, 99), '0 to 99').optional(),
})

const keep = z.union(
  [name, z.record(name, words('where it stands, such as Data.Total'))],
  expected('a name (keeps Data), or {name: Data.Total}'),
)

const steps = z.array(
  z.lazy((): z.ZodType<Step> => stepSchema),
  expected('a list of steps'),
)

const { at, on, skip, times: strikes, do: effect, ...otherRule } = ruleSchema.shape
/** A rule of emulator/faults/plan.ts, in which names may stand. */
const faultRule = members('a fault rule', {
  at: orVariable(at, 'link.toDevice, link.toHost, command.before, command.after, memory.write or paper.line'),
  on: on.describe('Name of a command, the same in every family.'),
  skip: orVariable(skip.unwrap(), 'a number of occasions').optional(),
  times: orVariable(strikes.unwrap(), 'a number of times').optional(),
  ...otherRule,
  do: orVariable(effect, 'drop, duplicate, refuse, {flip: BIT}, {delayMs: N}, powerCut ...'),
})

const stepShape = {
  ...requests,
  get: words('a path such as /get-local-api-address').optional(),
  post: words('a path such as /report-x').optional(),
  put: words('a path').optional(),
  delete: words('a path').optional(),
  patch: words('a path').optional(),
  legacy: orVariable(
    z.array(z.string(expected('a line of text')), expected('a list of command lines')),
    'a list of command lines',
  )
    .optional()
    .describe('Lines of legacy format 1 or 2 for POST /Receipt.'),

  paper: oneOf(['ok', 'low', 'out']).optional(),
  cover: onoff('open', 'closed').optional(),
  power: onoff('on', 'off').optional(),
  cable: onoff('in', 'out').optional(),
  display: onoff('in', 'out').optional(),
  clock: clockStep.optional(),
  articles: z.array(article, expected('a list of articles')).optional(),
  reset: members('reset', { keep: oneOf(['fiscalMemory']).optional() }).optional(),
  fault: z
    .union([faultRule, z.array(faultRule)], expected('a rule such as {at: link.toHost, on: sale, times: 1, do: drop}'))
    .optional(),
  clearFaults: z.literal(true, expected('true')).optional(),
  platformFault: members('a fault of the platform', {
    do: oneOf(FAULTS),
    on: oneOf(['exchange', 'graphql', 'relay']).optional(),
    times: whole(1, 1000).optional(),
    skip: whole(0, 1000).optional(),
    ms: whole(0, 600_000).optional(),
    retryAfterS: whole(0, 600).optional(),
    hundredths: whole(-1_000_000, 1_000_000).optional(),
  }).optional(),
  wire: members('wire', {
    send: z
      .string(expected('bytes such as "01 30 30"'))
      .regex(/^[0-9A-Fa-f]{2}(?: [0-9A-Fa-f]{2})*$|^\$/, expected('bytes such as "01 30 30"')),
    answer: anything.optional().describe('Bytes as text, or {command, fields, status} of the decoded answer.'),
  }).optional(),
  restart: oneOf(['service']).optional(),

  wait: z
    .union(
      [duration, members('wait', { until: checkSchema, atMost: duration.optional() })],
      expected('a duration such as 2s, or {until: CHECK, atMost: 10s}'),
    )
    .optional(),
  repeat: members('repeat', {
    times: orVariable(whole(1, 10_000), 'a number of times'),
    as: name.optional(),
    steps,
  }).optional(),
  together: members('together', { times: orVariable(whole(1, 500), 'a number of times').optional(), steps }).optional(),
  check: checkSchema.optional(),
  include: words('a file with steps').optional(),

  body: body.optional(),
  raw: z.string(expected('the body as text')).optional().describe('A body as it stands, in place of JSON.'),
  headers: z.record(z.string(), z.string(), expected('headers by name')).optional(),
  key: words('an Idempotency-Key').optional(),
  session: z
    .union(
      [
        z.literal(true),
        members('session', {
          wrong: oneOf(Object.keys(WRONG) as [string, ...string[]]).optional(),
          jti: words('a token id').optional(),
          user: words('a user').optional(),
          shop: words('a shop').optional(),
        }),
      ],
      expected('true, or {wrong: expired}'),
    )
    .optional()
    .describe("Sends a session token of the platform's stand-in."),
  giveUpAfter: duration.optional().describe('The client hangs up.'),
  expect: expectation.optional(),
  keep: keep.optional(),
  with: z
    .record(name, anything, expected('names with values'))
    .optional()
    .describe('Of include: values for its names.'),
  families: families.optional().describe('Only on these families.'),
  note: z.string().optional(),
}

/** What a step does; exactly one of them stands in a step. The others only modify it. */
export const MODIFIERS = ['body', 'raw', 'headers', 'key', 'session', 'giveUpAfter', 'expect', 'keep', 'with', 'families', 'note'] as const // biome-ignore format: a list
export const VERBS = Object.keys(stepShape).filter((key) => !(MODIFIERS as readonly string[]).includes(key))
export const GENERIC = ['get', 'post', 'put', 'delete', 'patch'] as const

/** Written out, because a step may hold steps. */
export interface Step {
  readonly [verb: string]: unknown
}

export const stepSchema: z.ZodType<Step> = members('a step', stepShape).meta({
  description: 'One thing that is done: a request, a hand on the device, a fault, a check.',
  patternProperties: { [REQUEST_PATTERN.source]: {} },
}) as unknown as z.ZodType<Step>

// ---------------------------------------------------------------- the scenario

const given = members('given', {
  articles: z.array(article, expected('a list of articles')).optional(),
  clock: words('a date and time such as "2026-07-14T12:30:00"').optional(),
  paper: oneOf(['ok', 'low', 'out']).optional(),
  receipts: z
    .union(
      [whole(0, 10_000), z.array(anything)],
      expected('a number of receipts, or a list of bodies for /print-fiscal-receipt'),
    )
    .optional()
    .describe('Fiscal receipts printed before the first step.'),
  snapshot: words('a file with a snapshot').optional(),
  config: configFile
    .pick({ payments: true, taxRates: true, operators: true, defaults: true, legacy: true })
    .optional()
    .describe("Members of the service's configuration."),
  platform: members('the platform', {
    orders: words('a file with orders'),
    mapping: anything.optional().describe('The member `platform.mapping` of the configuration.'),
  }).optional(),
  mechanism: oneOf(['instant', 'realistic'])
    .optional()
    .describe('realistic: printing takes the time of a real mechanism.'),
  powerReturns: duration.optional().describe('After a power cut by a fault the power comes back by itself.'),
})
export type Given = z.input<typeof given>

const familyTable = z.partialRecord(
  z.enum(['A', 'B', 'C']),
  words('a profile'),
  expected('a profile, or profiles by family'),
)

export const scenarioSchema = members('a scenario', {
  name: words('a sentence that names the scenario'),
  purpose: words('what the scenario shows').optional(),
  families: families.optional().describe('All three without.'),
  needs: z
    .array(oneOf(NEED_NAMES), expected('a list of needs'))
    .optional()
    .describe('Beyond what the steps and checks say by themselves.'),
  profile: z.union([words('a profile'), familyTable], expected('a profile, or profiles by family')).optional(),
  tags: z.array(words('a tag'), expected('a list of tags')).optional(),
  let: z.record(name, anything, expected('names with values')).optional(),
  examples: z
    .array(z.record(z.string(), anything, expected('a row: names with values')), expected('a list of rows'))
    .min(1, expected('at least one row'))
    .optional()
    .describe('The scenario is played once for each row; `families` in a row limits it.'),
  given: given.optional(),
  steps: z.array(stepSchema, expected('a list of steps')).min(1, expected('at least one step')),
  check: checkSchema.optional(),
})
export type Scenario = z.input<typeof scenarioSchema>

/** A file for `include`. */
export const includeSchema = members('a file of steps', { steps: z.array(stepSchema, expected('a list of steps')) })

/** The published JSON Schema, as it stands in `scenarios/scenario.schema.json`. */
export function scenarioSchemaText(): string {
  const schema = z.toJSONSchema(z.union([scenarioSchema, includeSchema]), {
    io: 'input',
    unrepresentable: 'any',
    reused: 'ref',
  })
  return `${JSON.stringify({ $id: 'scenario.schema.json', title: 'Scenarios of fiscal-rig', ...schema }, null, 2)}\n`
}
