import { z } from 'zod'
import { ruleSchema } from '../faults/plan.ts'
import type { DocumentKind } from '../fiscal/types.ts'
import {
  articlesForm,
  cableForm,
  clockForm,
  coverForm,
  faultForm,
  number,
  paperForm,
  powerForm,
  resetForm,
  snapshotForm,
} from './forms.ts'

/**
 * The control interface, declared once (decisions 6 and 8): what every call takes and answers, and the events. Routes,
 * page and scenario runner have their types from here. Amounts are decimal text, lists stand oldest first.
 */

// ---------------------------------------------------------------- what is shown

const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
const amount = z.string().meta({ description: 'An amount as decimal text.', examples: ['12.50'] })
const counted = z.object({ count: z.int(), amount })
const wallTime = z.string().meta({ description: "The device's own wall clock.", examples: ['2026-07-14T12:30:00'] })

const corrections = { discounts: counted, surcharges: counted, voids: counted, cashIn: amount, cashOut: amount }

const dayView = z.object({
  taxes: z.record(z.string(), amount).meta({ description: 'By tax group, A to H.' }),
  payments: z.record(z.string(), amount).meta({ description: 'By PaymentMode; cash is net of change.' }),
  total: amount,
  ...corrections,
  drawerCash: amount,
})

const receiptView = z.object({
  kind: z.enum(['fiscal', 'invoice', 'nonFiscal']),
  number: z.int(),
  items: z.int(),
  total: amount,
  paid: amount,
})

const deviceView = z.object({
  family: z.string(),
  profile: z.string(),
  model: z.string(),
  serialNumber: z.string(),
  fiscalMemoryNumber: z.string(),
  power: z.boolean(),
  paper: paperForm.shape.state,
  cover: z.boolean().meta({ description: 'true: it is open.' }),
  cable: z.boolean(),
  clock: wallTime,
  display: list(z.string()),
  receipt: receiptView.nullable().meta({ description: 'The open receipt.' }),
  counters: z.object({
    fiscalReceipts: z.int(),
    nonFiscal: z.int(),
    lastReceiptNumber: z.int(),
    lastZ: z.int(),
  }),
  day: dayView,
  fiscalMemory: z.object({ used: z.int(), capacity: z.int() }),
  generation: z.int().meta({ description: 'Goes up when the device becomes another one.' }),
})

export const DOCUMENT_KINDS = [
  'fiscal', 'invoice', 'nonFiscal', 'x', 'z', 'copy', 'cancelled', 'memory', 'service',
] as const satisfies readonly DocumentKind[] // biome-ignore format: a list

const documentHead = z.object({
  id: z.int(),
  kind: z.enum(DOCUMENT_KINDS),
  number: z.int().meta({ description: "The device's running number of documents." }),
  zNumber: z.int().exactOptional().meta({ description: 'Of a Z report: the number of the closure.' }),
  at: wallTime,
})
const documentView = documentHead.extend({ text: list(z.string()) })

const zView = z.object({
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

const journalLine = z.object({
  id: z.int(),
  at: wallTime,
  document: z.int(),
  line: z.string(),
  chain: z.string().meta({ description: 'Hash of the line before and this line.' }),
})

const frameView = z.object({
  id: z.int(),
  at: z.string().meta({ description: 'UTC.', examples: ['2026-07-14T12:30:00.000Z'] }),
  direction: z.enum(['toDevice', 'toHost']),
  hex: z.string().meta({ examples: ['01 30 30'] }),
  command: z.string(),
  fields: z.record(z.string(), z.unknown()),
  status: list(z.string()),
})

const ruleView = ruleSchema.extend({ id: z.int(), hits: z.int() })
const hitView = z.object({
  at: ruleSchema.shape.at,
  what: z.string(),
  on: z.string().exactOptional(),
  rule: z.int().exactOptional(),
})

const articleView = z.object({
  plu: z.int(),
  name: z.string(),
  taxCode: z.int(),
  price: amount,
  department: z.int(),
})

const registersView = z.object({
  taxRates: list(z.object({ taxCode: z.int(), letter: z.string(), rate: z.string().nullable() })),
  payments: list(z.object({ paymentMode: z.int(), name: z.string() })),
  lineWidth: z.int(),
  departments: z.int(),
  nameLength: z.int(),
})

const linesView = z.object({
  ptys: list(z.string()),
  tcps: list(z.int()),
  baud: z.int().nullable().meta({ description: 'null: as fast as bytes pass, whatever speed a program sets.' }),
})

const openReceiptPaper = z.object({ number: z.int(), svg: z.string() })

const snapshotView = z.object({
  format: z.literal('fiscal-rig device'),
  version: z.literal(1),
  family: z.string(),
  profile: z.string(),
  tables: z.record(z.string(), list(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))),
})

// ---------------------------------------------------------------- the calls

export type Method = 'get' | 'post' | 'put' | 'delete'
export type ContentType = 'text/plain' | 'image/svg+xml' | 'image/png'

export interface Call {
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** JSON. */
  readonly body?: z.ZodType
  /** A document without amounts, which the device checks itself: plain JSON, and not read number by number. */
  readonly plain?: true
  /** JSON, or the type of what is answered instead. */
  readonly answer: z.ZodType | ContentType
  /** When it is refused, besides a body, query or path of a wrong form. */
  readonly errors?: Readonly<Partial<Record<400 | 404, string>>>
}

const id = z.object({ id: number })
const NO_DOCUMENT = { 404: 'There is no such document.' }
const NO_RULE = { 404: 'There is no such rule.' }
const after = number.optional()
const word = z.string().optional().catch(undefined)

/** By method and address. */
export const CALLS = {
  'GET /emulator': { summary: 'The device as it stands', answer: deviceView },

  'GET /emulator/documents': {
    summary: 'Printed documents, behind one, at most so many; without their text, also by a text on paper',
    query: z.object({ after, limit: number.optional(), content: word, search: word }),
    answer: z.union([list(documentView), list(documentHead)]),
  },
  'GET /emulator/documents/{id}.txt': {
    summary: 'A document as plain text',
    params: id,
    answer: 'text/plain',
    errors: NO_DOCUMENT,
  },
  'GET /emulator/documents/{id}.svg': {
    summary: 'A document as a drawing',
    params: id,
    answer: 'image/svg+xml',
    errors: NO_DOCUMENT,
  },
  'GET /emulator/documents/{id}.png': {
    summary: 'A document as a picture',
    params: id,
    answer: 'image/png',
    errors: NO_DOCUMENT,
  },
  'GET /emulator/documents/{id}': {
    summary: 'A document',
    params: id,
    answer: documentView,
    errors: NO_DOCUMENT,
  },
  'GET /emulator/z-reports': { summary: 'The Z reports in the fiscal memory', answer: list(zView) },
  'GET /emulator/z-reports/{id}': {
    summary: 'A Z report by its number',
    params: id,
    answer: zView,
    errors: { 404: 'There is no such Z report.' },
  },
  'GET /emulator/journal': {
    summary: 'Lines of the electronic journal, or those of one document by its number',
    query: z.object({ from: number.optional(), to: number.optional(), document: number.optional() }),
    answer: list(journalLine),
  },
  'GET /emulator/frames': {
    summary: 'Frames of the wire, decoded, behind one; or those that made a document, by its id',
    query: z.object({ after, document: number.optional() }),
    answer: list(frameView),
  },
  'GET /emulator/receipt': {
    summary: 'The paper of the open receipt as a drawing',
    answer: openReceiptPaper.nullable(),
  },
  'GET /emulator/commands': {
    summary: "The commands of the device's wire",
    answer: list(z.object({ name: z.string(), code: z.int() })),
  },
  'GET /emulator/registers': { summary: 'Tax rates, payment modes and widths', answer: registersView },
  'GET /emulator/lines': { summary: 'Where programs attach', answer: linesView },

  'GET /emulator/power': { summary: 'Whether it is switched on', answer: powerForm },
  'POST /emulator/power': { summary: 'Switches it on or off', body: powerForm, answer: powerForm },
  'GET /emulator/paper': { summary: 'How much paper there is', answer: paperForm },
  'POST /emulator/paper': { summary: 'Loads paper or takes it out', body: paperForm, answer: paperForm },
  'GET /emulator/cover': { summary: 'Whether the cover is open', answer: coverForm },
  'POST /emulator/cover': { summary: 'Opens or closes the cover', body: coverForm, answer: coverForm },
  'GET /emulator/cable': { summary: 'Whether its lines are plugged in', answer: cableForm },
  'POST /emulator/cable': { summary: 'Plugs its lines in or pulls them out', body: cableForm, answer: cableForm },

  'GET /emulator/clock': { summary: "The device's clock", answer: z.object({ clock: wallTime }) },
  'POST /emulator/clock': {
    summary: 'Sets the clock or moves it on',
    body: clockForm,
    answer: z.object({ clock: wallTime }),
    errors: { 400: 'The device does not take this time.' },
  },
  'GET /emulator/articles': { summary: 'The programmed articles', answer: list(articleView) },
  'POST /emulator/articles': {
    summary: 'Programs articles',
    body: articlesForm,
    answer: list(articleView),
    errors: { 400: 'The device does not take one of them; those before it are programmed.' },
  },
  'POST /emulator/reset': { summary: 'Makes it a new, fiscalised device', body: resetForm, answer: deviceView },
  'GET /emulator/snapshot': { summary: 'The whole state as one document', answer: snapshotView },
  'PUT /emulator/snapshot': {
    summary: 'Takes a whole state',
    body: snapshotForm,
    plain: true,
    answer: deviceView,
    errors: { 400: 'The document is none, or of another device.' },
  },
  'POST /emulator/sample': {
    summary: 'Prints a receipt to look at',
    answer: z.object({ number: z.int() }),
    errors: { 400: 'The device cannot print now.' },
  },

  'GET /emulator/faults': { summary: 'The fault rules', answer: list(ruleView) },
  'POST /emulator/faults': {
    summary: 'Adds a fault rule, or several',
    body: faultForm,
    plain: true,
    answer: z.union([ruleView, list(ruleView)]),
    errors: { 400: 'The rule cannot be: everything that is wrong with it.' },
  },
  'DELETE /emulator/faults': { summary: 'Clears all fault rules', answer: list(ruleView) },
  'GET /emulator/faults/{id}': { summary: 'A fault rule', params: id, answer: ruleView, errors: NO_RULE },
  'DELETE /emulator/faults/{id}': {
    summary: 'Clears a fault rule; the others are answered',
    params: id,
    answer: list(ruleView),
    errors: NO_RULE,
  },
} as const satisfies Readonly<Record<`${Uppercase<Method>} /${string}`, Call>>

/** Server-sent events, by their names. */
export const EVENTS = {
  state: deviceView,
  document: documentView,
  frame: frameView,
  line: z.object({ text: z.string() }),
  display: z.object({ lines: list(z.string()) }),
  fault: hitView,
} as const satisfies Readonly<Record<string, z.ZodType>>

// ---------------------------------------------------------------- types

type Calls = typeof CALLS
export type CallName = keyof Calls
export type Answer<Name extends CallName> = Calls[Name] extends { readonly answer: infer View }
  ? View extends z.ZodType
    ? z.output<View>
    : View extends 'image/png'
      ? Uint8Array
      : string
  : never

type Part<Of, Name extends string> = Of extends { readonly [Key in Name]: infer Schema extends z.ZodType }
  ? Schema
  : never
type Member<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [Key in Name]?: Value }
    : undefined extends Value
      ? { readonly [Key in Name]?: Value }
      : { readonly [Key in Name]: Value }

/** What the caller of a call gives. */
export type Given<Name extends CallName> = Member<'params', z.input<Part<Calls[Name], 'params'>>> &
  Member<'query', z.input<Part<Calls[Name], 'query'>>> &
  Member<'body', z.input<Part<Calls[Name], 'body'>>>

/** The same as its handler has it. */
export interface Taken<Name extends CallName> {
  readonly params: z.output<Part<Calls[Name], 'params'>>
  readonly query: z.output<Part<Calls[Name], 'query'>>
  readonly body: z.output<Part<Calls[Name], 'body'>>
}

/** Makes a call. Rejects with the sentence of a refusal. */
export type Client = <Name extends CallName>(
  name: Name,
  ...given: unknown extends Given<Name>
    ? []
    : Record<never, never> extends Given<Name>
      ? [given?: Given<Name>]
      : [given: Given<Name>]
) => Promise<Answer<Name>>

export type EventName = keyof typeof EVENTS
export type EventData<Name extends EventName> = z.output<(typeof EVENTS)[Name]>

export type DeviceView = z.output<typeof deviceView>
export type DayView = z.output<typeof dayView>
export type ReceiptView = z.output<typeof receiptView>
export type CountedView = z.output<typeof counted>
export type DocumentHead = z.output<typeof documentHead>
export type DocumentView = z.output<typeof documentView>
export type ZView = z.output<typeof zView>
export type FrameView = z.output<typeof frameView>
export type RuleView = z.output<typeof ruleView>
export type ArticleView = z.output<typeof articleView>
export type RegistersView = z.output<typeof registersView>
export type LinesView = z.output<typeof linesView>
export type HitView = z.output<typeof hitView>
export type JournalLineView = z.output<typeof journalLine>
export type OpenReceiptPaper = z.output<typeof openReceiptPaper>
export type PaperState = DeviceView['paper']
