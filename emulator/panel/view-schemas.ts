/** Answers of the control API (decisions 6 and 8). Amounts are decimal text; lists are ordered oldest first. */
import { z } from 'zod'
import { ruleForm } from '../faults/rule.ts'
import { BOOKS_FORMAT } from '../fiscal/tables.ts'
import type { DocumentKind } from '../fiscal/types/day.ts'
import * as forms from './call-input.ts'

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
export const amount = z.string().meta({ description: 'An amount as decimal text.', examples: ['12.50'] })
const counted = z.object({ count: z.int(), amount })
export const wallTime = z
  .string()
  .meta({ description: "The device's own wall clock.", examples: ['2026-07-14T12:30:00'] })

const corrections = { discounts: counted, surcharges: counted, voids: counted, cashIn: amount, cashOut: amount }

const day = z.object({
  taxes: z.record(z.string(), amount).meta({ description: 'By tax group, A to H.' }),
  payments: z.record(z.string(), amount).meta({ description: 'By PaymentMode; cash is net of change.' }),
  total: amount,
  ...corrections,
  drawerCash: amount,
})

const receipt = z.object({
  kind: z.enum(['fiscal', 'invoice', 'nonFiscal']),
  number: z.int(),
  items: z.int(),
  total: amount,
  paid: amount,
})

export const device = z.object({
  family: z.string(),
  profile: z.string(),
  model: z.string(),
  serialNumber: z.string(),
  fiscalMemoryNumber: z.string(),
  fiscalised: z.boolean(),
  power: z.boolean(),
  paper: forms.paper.shape.state,
  cover: z.boolean().meta({ description: 'true: the cover is open.' }),
  cable: z.boolean(),
  lineMs: z.number().nullable().meta({ description: 'Time to print a line, in ms; null: no time.' }),
  clock: wallTime,
  display: list(z.string()),
  receipt: receipt.nullable().meta({ description: 'The open receipt.' }),
  counters: z.object({
    fiscalReceipts: z.int(),
    nonFiscal: z.int(),
    lastReceiptNumber: z.int(),
    lastZ: z.int(),
  }),
  day,
  fiscalMemory: z.object({ used: z.int(), capacity: z.int() }),
  run: z.string().meta({
    description:
      'Differs after each start of the program. Ids of frames, timeline entries and requests are valid within one run.',
  }),
  generation: z.int().meta({ description: 'Counts how often the device was replaced by a new or restored one.' }),
})

export const DOCUMENT_KINDS = [
  'fiscal', 'invoice', 'nonFiscal', 'x', 'z', 'copy', 'cancelled', 'memory', 'service',
] as const satisfies readonly DocumentKind[] // biome-ignore format: a list

export const room = z.object({
  fiscalMemory: z.int().meta({ description: 'Number of Z reports.' }),
  journal: z.int().meta({ description: 'Number of lines.' }),
})

export const documentHead = z.object({
  id: z.int(),
  kind: z.enum(DOCUMENT_KINDS),
  number: z.int().meta({ description: 'Document number that the device assigned (sequential).' }),
  zNumber: z.int().exactOptional().meta({ description: 'For a Z report: its number.' }),
  at: wallTime,
  total: amount.exactOptional().meta({ description: 'For a receipt with items: its total.' }),
  paymentModes: list(z.int())
    .exactOptional()
    .meta({ description: 'PaymentModes of the receipt, in the order of payment.' }),
  reversalReason: z
    .enum(['operatorError', 'refund', 'taxBaseReduction'])
    .exactOptional()
    .meta({ description: 'For a reversal: its reason.' }),
})
export const document = documentHead.extend({ text: list(z.string()) })

export const zReport = z.object({
  number: z.int(),
  at: wallTime,
  firstReceipt: z.int().nullable(),
  lastReceipt: z.int().nullable(),
  receiptsCount: z.int(),
  total: amount,
  taxes: list(
    z.object({
      taxCode: z.int(),
      letter: z.string(),
      rate: z.string().nullable().meta({ description: 'In percent; null: the group is disabled.' }),
      turnover: amount,
      tax: amount,
    }),
  ),
  payments: list(z.object({ paymentMode: z.int(), amount })),
  ...corrections,
})

export const journalLine = z.object({
  id: z.int(),
  at: wallTime,
  document: z.int(),
  line: z.string(),
  chain: z.string().meta({ description: 'Hash of the line before and this line.' }),
})

export const frame = z.object({
  id: z.int(),
  at: z.string().meta({ description: 'UTC.', examples: ['2026-07-14T12:30:00.000Z'] }),
  direction: z.enum(['toDevice', 'toHost']),
  hex: z.string().meta({ examples: ['01 30 30'] }),
  command: z.string(),
  fields: z.record(z.string(), z.unknown()),
  status: list(z.string()),
})

const timelineSchema = <const Is extends string, Shape extends z.core.$ZodLooseShape>(is: Is, shape: Shape) =>
  z.object({
    id: z.int(),
    at: z.string().meta({ description: 'UTC.', examples: ['2026-07-14T12:30:00.000Z'] }),
    frame: z.int().exactOptional().meta({
      description: 'Id of the frame: the entry itself, its cause, or the frame in which a fault was injected.',
    }),
    is: z.literal(is),
    ...shape,
  })

const ruleSchema = ruleForm(z)
export const rule = ruleSchema.extend({ id: z.int(), hits: z.int() })
export const hit = z.object({
  at: ruleSchema.shape.at,
  time: wallTime.meta({ description: 'When the fault was injected.' }),
  what: z.string(),
  on: z.string().exactOptional(),
  rule: z.int().exactOptional(),
})

export const timelineEntry = z.discriminatedUnion('is', [
  timelineSchema('frame', { direction: z.enum(['toDevice', 'toHost']) }),
  timelineSchema('line', {
    document: z.int().meta({ description: 'The running number of its document.' }),
    line: z.int().meta({ description: 'Which line of the document, from 1.' }),
    text: z.string(),
  }),
  timelineSchema('document', {
    document: z.int().meta({ description: 'The id of the document.' }),
    kind: z.enum(DOCUMENT_KINDS),
    number: z.int(),
  }),
  timelineSchema('display', { lines: list(z.string()) }),
  timelineSchema('fault', {
    time: wallTime.meta({ description: "On the device's own clock." }),
    point: ruleSchema.shape.at,
    what: z.string(),
    on: z.string().exactOptional(),
    rule: z.int().exactOptional(),
  }),
  timelineSchema('state', {
    power: z.boolean(),
    paper: forms.paper.shape.state,
    cover: z.boolean(),
    cable: z.boolean(),
    receipt: z.object({ number: z.int(), items: z.int(), total: amount, paid: amount }).nullable(),
  }),
  timelineSchema('hand', {
    call: z.string().meta({ description: 'The call of the control API.' }),
    body: z.unknown().meta({ description: 'Body of the call, as parsed.' }),
  }),
  timelineSchema('request', {
    request: z.int().meta({ description: 'The id of the request.' }),
    method: z.string(),
    path: z.string(),
    status: z.int().nullable(),
    ms: z.number(),
    message: z.string().nullable(),
  }),
])

export const requestHead = z.object({
  id: z.int(),
  at: z
    .string()
    .meta({ description: 'Time at which the request was received, UTC.', examples: ['2026-07-14T12:30:00.000Z'] }),
  method: z.string().meta({ examples: ['POST'] }),
  path: z.string().meta({ examples: ['/api/print-fiscal-receipt'] }),
  status: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status of the answer; null: the client disconnected before the answer.' }),
  ms: z.number().meta({ description: 'Duration of the request, in ms.' }),
  message: z.string().nullable().meta({ description: 'Message of the answer, if it has one.' }),
  documents: list(z.int()).meta({
    description: 'Ids of the documents that were printed while the device executed the request.',
  }),
  isOfReplaced: z.boolean().meta({
    description:
      'Whether a reset or a restored state has replaced the device since: the documents of the request are no longer stored.',
  }),
  isReplay: z.boolean().meta({
    description:
      'Whether an earlier request with the same Idempotency-Key, or for the same order, got this answer first. The request printed nothing.',
  }),
})
export const request = requestHead.extend({
  name: z.string().meta({ description: 'X-Request-Id.' }),
  type: z.string().nullable().meta({ description: 'Content-Type.' }),
  key: z.string().nullable().meta({ description: 'Idempotency-Key.' }),
  body: z.string().nullable().meta({
    description: 'Body as it was sent; null: the request had none, or was rejected before its body was read.',
  }),
  answer: z.string().nullable().meta({ description: 'The body of the answer.' }),
  frames: z
    .object({
      after: z.int(),
      to: z.int().nullable().meta({ description: 'null: the device is still executing the request.' }),
    })
    .nullable()
    .meta({
      description:
        'Ids of the frames on the wire while the device executed the request; null: the request did not reach the device.',
    }),
  again: z.boolean().meta({ description: 'Whether the request can be sent again, because it is stored completely.' }),
})

export const service = z.object({
  address: z
    .string()
    .nullable()
    .meta({
      description: 'Address of the REST service of this device; null: no service is running.',
      examples: ['http://127.0.0.1:65400/api'],
    }),
  needsKey: z.boolean().meta({ description: 'Whether callers need the API key.' }),
  hasRequests: z.boolean().meta({ description: 'Whether the requests of the service are listed.' }),
  hasDocs: z.boolean().meta({ description: 'Whether the documentation is built and available at /docs.' }),
})

export const session = z.object({
  since: wallTime,
  steps: z.int(),
  isWhole: z
    .boolean()
    .meta({ description: 'Whether the session is complete; false: it became too long to be stored.' }),
})

export const documentSum = z.object({ name: z.string(), amount })

export const article = z.object({
  plu: z.int(),
  name: z.string(),
  taxCode: z.int(),
  price: amount,
  department: z.int(),
})

export const registers = z.object({
  taxRates: list(z.object({ taxCode: z.int(), letter: z.string(), rate: z.string().nullable() })),
  payments: list(z.object({ paymentMode: z.int(), name: z.string() })),
  lineWidth: z.int(),
  departments: z.int(),
  nameLength: z.int(),
  composes: z
    .boolean()
    .meta({ description: 'Whether the control panel can compose receipts; a service must be running to print them.' }),
  zeroTotal: z.boolean().meta({ description: 'Whether the device closes a receipt with a total of 0.00.' }),
  freeRows: z
    .boolean()
    .meta({ description: 'Whether composed receipts can contain items without a programmed article.' }),
})

export const lines = z.object({
  ptys: list(z.string()),
  tcps: list(z.int()),
  baud: z.int().nullable().meta({ description: 'Line speed; null: unlimited, whichever speed a program sets.' }),
})

export const openReceiptPaper = z.object({ number: z.int(), svg: z.string() })

export const printed = z.object({
  document: z.int().nullable().meta({ description: 'Id of the new document; null: nothing was printed.' }),
  documents: list(z.int()).meta({
    description:
      'Ids of all documents that were printed meanwhile, also of a receipt that the service completed first.',
  }),
  message: z.string().nullable(),
  errors: list(z.object({ path: z.string(), message: z.string() })).meta({
    description: 'Problems that the service found, each with the member of the receipt.',
  }),
})

export const snapshot = z.object({
  format: z.literal('fiscal-rig device'),
  version: z.literal(BOOKS_FORMAT),
  family: z.string(),
  profile: z.string(),
  tables: z.record(z.string(), list(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))),
})

export const exam = z.object({
  till: z.string(),
  family: z.string(),
  depth: z.string(),
  case: z.string().nullable().meta({ description: 'The case that runs on this device; null: none is running.' }),
  planned: z.int().nullable().meta({ description: 'null: the baseline case is still running.' }),
  counts: z.record(z.string(), z.int()),
  cases: list(z.object({ id: z.string(), verdict: z.string(), why: z.string() })),
  ended: z
    .object({
      sentences: list(z.string()).meta({ description: 'Sentences of the result, the worst first.' }),
      report: z.string().nullable().meta({ description: 'Address of the report on this server.' }),
    })
    .nullable()
    .meta({ description: 'null: the exam is still running.' }),
})

export type ExamView = z.output<typeof exam>
export type DeviceView = z.output<typeof device>
export type DayView = z.output<typeof day>
export type ReceiptView = z.output<typeof receipt>
export type CountedView = z.output<typeof counted>
export type DocumentHead = z.output<typeof documentHead>
export type DocumentView = z.output<typeof document>
export type ZView = z.output<typeof zReport>
export type FrameView = z.output<typeof frame>
export type RuleView = z.output<typeof rule>
export type ArticleView = z.output<typeof article>
export type RegistersView = z.output<typeof registers>
export type LinesView = z.output<typeof lines>
export type HitView = z.output<typeof hit>
export type PrintedView = z.output<typeof printed>
export type OpenReceiptPaper = z.output<typeof openReceiptPaper>
export type TimelineEntryView = z.output<typeof timelineEntry>
export type RequestHead = z.output<typeof requestHead>
export type RequestView = z.output<typeof request>
export type ServiceView = z.output<typeof service>
export type SessionView = z.output<typeof session>
export type DocumentSum = z.output<typeof documentSum>
export type PaperState = DeviceView['paper']
