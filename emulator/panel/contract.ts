/**
 * The control API, declared once (decisions 6 and 8): input and answer of every call, and the events. Routes, control
 * panel and scenario runner derive their types from these declarations. Calls for several printers are in
 * fleet-contract.ts.
 */
import { z } from 'zod'
import type { Call, Method } from './call-declaration.ts'
import * as forms from './call-input.ts'
import type { FLEET_CALLS } from './fleet-contract.ts'
import * as views from './view-schemas.ts'

export type * from './call-declaration.ts'
export type * from './fleet-contract.ts'
export type * from './view-schemas.ts'
export { DOCUMENT_KINDS } from './view-schemas.ts'

const id = z.object({ id: forms.number })
const NO_DOCUMENT = { 404: 'There is no such document.' }
const NO_REQUEST = { 404: 'There is no such request, or it is no longer stored.' }
const NO_RULE = { 404: 'There is no such rule.' }
const number = forms.number.optional()
const word = z.string().optional().catch(undefined)

export const CALLS = {
  'GET /emulator': { summary: 'The state of the device', answer: views.device },

  'GET /emulator/documents': {
    summary:
      'Printed documents after one, at most `limit`; as heads without their text, also by a text on paper, or the newest before one',
    query: z.object({ after: number, before: number, limit: number, content: word, search: word }),
    answer: z.union([views.list(views.document), views.list(views.documentHead)]),
  },
  'GET /emulator/documents/{id}.txt': {
    summary: 'A document as plain text',
    params: id,
    answer: 'text/plain',
    errors: NO_DOCUMENT,
  },
  'GET /emulator/documents/{id}.svg': {
    summary: 'A document as an SVG picture; `lines`: only its first N lines',
    params: id,
    query: z.object({ lines: number }),
    answer: 'image/svg+xml',
    errors: NO_DOCUMENT,
  },
  'GET /emulator/documents/{id}.png': {
    summary: 'A document as a PNG picture',
    params: id,
    answer: 'image/png',
    errors: NO_DOCUMENT,
  },
  'GET /emulator/documents/{id}.curl': {
    summary: 'The calls of the service that print this document, as lines for a shell',
    params: id,
    answer: 'text/plain',
    errors: { 404: 'There is no such document, or the service has no call for it.' },
  },
  'GET /emulator/documents/{id}.yaml': {
    summary: 'A scenario that prints this document, by calls of the service or by the stored frames',
    params: id,
    answer: 'text/plain',
    errors: { 404: 'There is no such document, or neither calls nor frames for it.' },
  },
  'GET /emulator/documents/{id}.wire': {
    summary: 'The frames that produced a document, annotated',
    params: id,
    answer: 'text/plain',
    errors: NO_DOCUMENT,
  },
  'GET /emulator/documents/{id}': { summary: 'A document', params: id, answer: views.document, errors: NO_DOCUMENT },
  'GET /emulator/documents/{id}/sums': {
    summary: 'The amounts of a document by their names, in the order of the paper; none of a document without sums',
    params: id,
    answer: views.list(views.documentSum),
    errors: NO_DOCUMENT,
  },
  'GET /emulator/z-reports': { summary: 'The Z reports in the fiscal memory', answer: views.list(views.zReport) },
  'GET /emulator/z-reports/{id}': {
    summary: 'A Z report by its number',
    params: id,
    answer: views.zReport,
    errors: { 404: 'There is no such Z report.' },
  },
  'GET /emulator/journal': {
    summary: 'Lines of the electronic journal by their ids, at most `limit`; or those of one document by its number',
    query: z.object({ from: number, to: number, limit: number, document: number }),
    answer: views.list(views.journalLine),
  },
  'GET /emulator/frames': {
    summary: 'Decoded frames after an id, or the frames that produced a document, by its id',
    query: z.object({ after: number, document: number }),
    answer: views.list(views.frame),
  },
  'GET /emulator/timeline': {
    summary:
      'Entries of the timeline after an id, at most `limit`: wire, paper, display, manual actions and faults in their order; or the lines of a document, by its number, or the consequences of a frame, or the faults alone',
    query: z.object({
      after: number,
      limit: number,
      document: number,
      frame: number,
      is: z.literal('fault').optional(),
    }),
    answer: views.list(views.timelineEntry),
  },
  'GET /emulator/session': {
    summary: 'The session that is being recorded as a scenario, and its start; null: no recording is in progress',
    answer: views.session.nullable(),
  },
  'POST /emulator/session': {
    summary:
      'Starts a new session: records requests, manual actions, clock and faults from now on. Discards the previous session',
    answer: views.session,
  },
  'GET /emulator/session.yaml': {
    summary: 'The session as a scenario that reproduces it',
    answer: 'text/plain',
    errors: { 404: 'No session is recorded, or it has become too long.' },
  },
  'GET /emulator/requests': {
    summary: 'Requests of the REST service after an id, at most `limit`; also rejected ones',
    query: z.object({ after: number, limit: number }),
    answer: views.list(views.requestHead),
  },
  'GET /emulator/requests/{id}.curl': {
    summary: 'A request as a curl command',
    params: id,
    answer: 'text/plain',
    errors: { 404: 'There is no such request, or no service that listens.' },
  },
  'GET /emulator/requests/{id}.yaml': {
    summary: 'A request with its answer as a step of a scenario',
    params: id,
    answer: 'text/plain',
    errors: NO_REQUEST,
  },
  'GET /emulator/requests/{id}': {
    summary: 'A request of the REST service with its body, its answer and its frames',
    params: id,
    answer: views.request,
    errors: NO_REQUEST,
  },
  'POST /emulator/requests/{id}/again': {
    summary: 'Sends a request again, with its key if it has one; answers with the new request',
    params: id,
    answer: views.request,
    errors: { ...NO_REQUEST, 400: 'The request was not stored completely and cannot be sent again.' },
  },
  'GET /emulator/service': {
    summary: 'The REST service of this device, and whether the documentation is available',
    answer: views.service,
  },
  'GET /emulator/receipt': {
    summary: 'The paper of the open receipt as an SVG picture; `lines`: only its first N lines',
    query: z.object({ lines: number }),
    answer: views.openReceiptPaper.nullable(),
  },
  'GET /emulator/commands': {
    summary: "The commands of the device's wire protocol",
    answer: views.list(z.object({ name: z.string(), code: z.int() })),
  },
  'GET /emulator/registers': { summary: 'Tax rates, payment modes and widths', answer: views.registers },
  'GET /emulator/exam': {
    summary: 'The exam on this device, with its cases so far; null: no exam is running',
    answer: views.exam.nullable(),
  },
  'GET /emulator/lines': { summary: 'The ports and links to which programs connect', answer: views.lines },

  'GET /emulator/power': { summary: 'Whether the device is switched on', answer: forms.power },
  'POST /emulator/power': { summary: 'Switches the device on or off', body: forms.power, answer: forms.power },
  'GET /emulator/paper': { summary: 'How much paper there is', answer: forms.paper },
  'POST /emulator/paper': { summary: 'Loads or removes paper', body: forms.paper, answer: forms.paper },
  'GET /emulator/cover': { summary: 'Whether the cover is open', answer: forms.cover },
  'POST /emulator/cover': { summary: 'Opens or closes the cover', body: forms.cover, answer: forms.cover },
  'GET /emulator/display': { summary: 'Whether a customer display is connected', answer: forms.display },
  'POST /emulator/display': {
    summary: 'Connects or disconnects the customer display',
    body: forms.display,
    answer: forms.display,
  },
  'GET /emulator/room': {
    summary: 'Remaining capacity: Z reports in the fiscal memory, lines in the electronic journal',
    answer: views.room,
  },
  'POST /emulator/room': {
    summary:
      'Limits the remaining capacity to this number of Z reports or lines, as on a nearly full device; null: the full capacity',
    body: forms.room,
    answer: views.room,
  },
  'GET /emulator/cable': { summary: 'Whether the cable of the device is plugged in', answer: forms.cable },
  'POST /emulator/cable': {
    summary: 'Plugs the cable of the device in or pulls it out',
    body: forms.cable,
    answer: forms.cable,
  },
  'GET /emulator/mechanism': { summary: 'Whether printing takes as long as on a real device', answer: forms.mechanism },
  'POST /emulator/mechanism': {
    summary: 'Sets whether printing takes as long as on a real device, or no time',
    body: forms.mechanism,
    answer: forms.mechanism,
  },

  'GET /emulator/clock': { summary: "The device's clock", answer: z.object({ clock: views.wallTime }) },
  'POST /emulator/clock': {
    summary: 'Sets the clock, advances it, or loses its time as with an empty battery',
    body: forms.clock,
    answer: z.object({ clock: views.wallTime }),
    errors: { 400: 'The device rejects this time.' },
  },
  'GET /emulator/articles': { summary: 'The programmed articles', answer: views.list(views.article) },
  'POST /emulator/articles': {
    summary: 'Programs articles',
    body: forms.articles,
    answer: views.list(views.article),
    errors: { 400: 'The device rejects one of the articles; the articles before it are programmed.' },
  },
  'GET /emulator/fiscalised': { summary: 'Whether the device is fiscalised', answer: forms.fiscalised },
  'POST /emulator/fiscalised': {
    summary: 'Fiscalises the device, or resets it to a new device that was never fiscalised',
    body: forms.fiscalised,
    answer: forms.fiscalised,
    errors: { 400: 'A receipt is open.' },
  },
  'POST /emulator/reset': {
    summary: 'Resets the device to a new one, with the settings of its start',
    body: forms.reset,
    answer: views.device,
  },
  'GET /emulator/snapshot': { summary: 'The whole state as one document', answer: views.snapshot },
  'PUT /emulator/snapshot': {
    summary: 'Replaces the whole state by a saved one',
    body: forms.snapshot,
    plain: true,
    answer: views.device,
    errors: { 400: 'The body is not a saved state, or it is the state of another kind of device.' },
  },
  'POST /emulator/sample': {
    summary: 'Prints a sample receipt',
    answer: z.object({ number: z.int() }),
    errors: { 400: 'The device cannot print now.' },
  },
  'POST /emulator/receipts': {
    summary:
      'Prints a receipt with the REST service of this device; `errors` lists the problems that the service found',
    body: forms.receipt,
    answer: views.printed,
    errors: { 400: 'No REST service runs on this device.' },
  },
  'POST /emulator/receipt': {
    summary:
      'Cancels or closes the open receipt with the REST service of this device, also a receipt of another program',
    body: forms.receiptEnd,
    answer: views.printed,
    errors: { 400: 'No receipt is open, or no REST service runs on this device.' },
  },
  'GET /emulator/documents/{id}/again': {
    summary: 'Whether a document can be printed again',
    params: id,
    answer: z.object({
      refusal: z
        .string()
        .nullable()
        .meta({ description: 'Reason why the document cannot be printed again; null: it can.' }),
    }),
    errors: NO_DOCUMENT,
  },
  'POST /emulator/documents/{id}/again': {
    summary: 'Prints a new document with the content of this one',
    params: id,
    answer: views.printed,
    errors: { ...NO_DOCUMENT, 400: 'The document cannot be printed again.' },
  },

  'GET /emulator/faults': { summary: 'The fault rules', answer: views.list(views.rule) },
  'POST /emulator/faults': {
    summary: 'Adds a fault rule, or several',
    body: forms.fault,
    plain: true,
    answer: z.union([views.rule, views.list(views.rule)]),
    errors: { 400: 'The rule is invalid; the error lists each mistake.' },
  },
  'DELETE /emulator/faults': { summary: 'Clears all fault rules', answer: views.list(views.rule) },
  'GET /emulator/faults/{id}': { summary: 'A fault rule', params: id, answer: views.rule, errors: NO_RULE },
  'DELETE /emulator/faults/{id}': {
    summary: 'Clears a fault rule, and answers with the others',
    params: id,
    answer: views.list(views.rule),
    errors: NO_RULE,
  },
} as const satisfies Readonly<Record<`${Uppercase<Method>} /${string}`, Call>>

export const EVENTS = {
  state: views.device,
  document: views.document,
  frame: views.frame,
  line: z.object({ text: z.string() }),
  display: z.object({ lines: views.list(z.string()) }),
  fault: views.hit,
  request: views.requestHead,
  exam: views.exam,
  drawer: z.object({}).meta({ description: 'A command opened the drawer.' }),
} as const satisfies Readonly<Record<string, z.ZodType>>

export type CallName = keyof typeof CALLS
export type FleetCallName = keyof typeof FLEET_CALLS
type Calls = typeof CALLS & typeof FLEET_CALLS
export type AnyCallName = keyof Calls
export type Answer<Name extends AnyCallName> = Calls[Name] extends { readonly answer: infer View }
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

/** The input of a call as the caller provides it; `HandlerInput` is the parsed form. */
export type CallInput<Name extends AnyCallName> = Member<'params', z.input<Part<Calls[Name], 'params'>>> &
  Member<'query', z.input<Part<Calls[Name], 'query'>>> &
  Member<'body', z.input<Part<Calls[Name], 'body'>>>

export interface HandlerInput<Name extends AnyCallName> {
  readonly params: z.output<Part<Calls[Name], 'params'>>
  readonly query: z.output<Part<Calls[Name], 'query'>>
  readonly body: z.output<Part<Calls[Name], 'body'>>
}

/** Makes a call. Rejects with the message of a refusal. */
export type Client = <Name extends AnyCallName>(
  name: Name,
  ...input: unknown extends CallInput<Name>
    ? []
    : Record<never, never> extends CallInput<Name>
      ? [input?: CallInput<Name>]
      : [input: CallInput<Name>]
) => Promise<Answer<Name>>

export type EventName = keyof typeof EVENTS
export type EventData<Name extends EventName> = z.output<(typeof EVENTS)[Name]>
export type PanelEvent = { readonly [Name in EventName]: readonly [Name, EventData<Name>] }[EventName]
