/** Creates OpenAPI 3.1 from the endpoints, with the limits of every field and the differences between the families. */

import type { AdjustmentLimit, BarcodeSupport, Capabilities } from '../drivers/model/capabilities.ts'
import { cannotPrint } from '../drivers/model/errors.ts'
import type { Family } from '../drivers/model/families.ts'
import { readJson } from '../drivers/model/json.ts'
import { formatPercent } from '../drivers/model/money.ts'
import { BASE_PATH } from './app.ts'
import type { Endpoint } from './endpoint.ts'
import { BARCODE_NAMES } from './endpoints/bodies.ts'
import { invalid } from './envelope.ts'
import { withFamilies } from './family-words.ts'
import { infoOf, type JsonSchema } from './fields.ts'
import { outcomeOf } from './operations/outcome.ts'
import { sentenceOf } from './operations/sentences.ts'
import { BUSY_TEXT } from './printer-queue.ts'
import type { Route } from './route.ts'
import { API_VERSION } from './version.ts'

type FamilyTable = ReadonlyMap<Family, Capabilities>

const TAGS: Readonly<Record<string, string>> = {
  '4.1': 'Network',
  '4.2': 'Non-fiscal receipt',
  '4.3': 'Fiscal receipt and reports',
  '4.4': 'Barcodes, separating lines, customer display',
  '4.5': 'Complete receipt in one request',
  '4.6': 'Platform orders',
  '4.7': 'Legacy compatibility',
  own: 'State of the service',
}

const tagOf = (endpoint: Endpoint): string => TAGS[endpoint.section] ?? endpoint.section

const nameOf = (endpoint: Endpoint): string =>
  endpoint.path
    .replace(/\/\{\w+\}/g, '')
    .slice(1)
    .replace(/[-/](\w)/g, (_, letter: string) => letter.toUpperCase())

export function describeApi(
  endpoints: readonly Endpoint[],
  families: FamilyTable,
  routes: readonly Route[] = [],
): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const endpoint of endpoints) {
    const described = operation(endpoint, families)
    const common = endpoint.method === 'post' ? { ...READING, ...described.responses } : described.responses
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: { ...described, responses: common } }
  }
  for (const { endpoint, plainAnswer, streams } of routes) {
    const described = operation(endpoint, families)
    const whole = streams ? streamed(described) : described
    paths[endpoint.path] = { [endpoint.method]: plainAnswer ? { ...whole, ...plain(plainAnswer) } : whole }
  }
  const description: JsonSchema = {
    openapi: '3.1.0',
    info: { title: 'Local fiscal printer control service', version: API_VERSION, description: introduction(families) },
    servers: serversAt([`https://localhost:65401${BASE_PATH}`, `http://127.0.0.1:65400${BASE_PATH}`]),
    tags: [...new Set([...endpoints, ...routes.map((route) => route.endpoint)].map(tagOf))].map((name) => ({ name })),
    security: [{}, { apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'Only when the configuration sets apiKey.' },
        session: { type: 'http', scheme: 'bearer', description: "The platform's session token." },
      },
      schemas: { Failure: FAILURE },
    },
  }
  return JSON.parse(withFamilies(JSON.stringify(description), families)) as JsonSchema
}

/**
 * Returns the schema of an endpoint without the envelope: the body is a list of texts, and the status is always 200.
 */
const plain = (answer: JsonSchema): JsonSchema => ({
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { type: 'array', items: { type: 'string' } },
        example: ['S^Bread^350^1000^pcs^1^1^', 'P^1^0^'],
      },
    },
  },
  responses: {
    200: { description: 'Success and failure alike.', content: { 'application/json': { schema: answer } } },
    401: failure(NO_KEY, 401),
    403: failure(FOREIGN, 403),
  },
})

const streamed = (described: Operation): Operation => {
  const answer = {
    description: 'A stream that does not end.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  }
  return { ...described, responses: { ...described.responses, 200: answer } }
}

const FAILURE: JsonSchema = {
  type: 'object',
  examples: [
    {
      StatusCode: 400,
      Message: 'Price is required: a number with at most 2 decimals from 0.00 to 9999999.99.',
      Errors: [
        { Path: 'Price', Message: 'Price is required: a number with at most 2 decimals from 0.00 to 9999999.99.' },
      ],
    },
  ],
  required: ['StatusCode', 'Message'],
  properties: {
    StatusCode: { type: 'integer' },
    Message: { type: 'string' },
    Errors: {
      type: 'array',
      description: 'All problems of a request that failed validation.',
      items: {
        type: 'object',
        required: ['Path', 'Message'],
        properties: { Path: { type: 'string' }, Message: { type: 'string' } },
      },
    },
  },
}

function introduction(families: FamilyTable): string {
  return [
    'Field names are matched without regard to case; unknown fields are ignored; null is the same as absent. Numbers are',
    'JSON numbers, not strings, and are never rounded: more decimals than allowed are rejected. The whole request is validated',
    'before any byte reaches the device.',
    '',
    "Every answer has an X-Request-Id, the caller's own (1 to 64 letters, digits and . : _ -) or a new one. The log",
    'contains it, too.',
    '',
    `| | ${[...families.keys()].map((family) => `Family ${family}`).join(' | ')} |`,
    `| --- |${' --- |'.repeat(families.size)}`,
    row(families, 'Free sale', (one) => (one.freeSale === true ? 'yes' : 'no')),
    row(families, 'Invoice', (one) => (one.invoice ? 'yes' : 'flag ignored')),
    row(families, 'Text formatting', (one) => (one.textFormatting === 'full' ? 'all options' : 'Message only')),
    row(families, 'Operator for a non-fiscal receipt', (one) => (one.nonFiscalNeedsOperator ? 'required' : 'no')),
    row(families, 'Characters of a line', (one) => String(one.lineWidth)),
    row(families, 'Characters of a display line', (one) => String(one.displayWidth)),
    row(families, 'Payment modes', (one) => one.paymentModes.map(({ mode, name }) => `${mode} ${name}`).join(', ')),
    row(families, 'Payments of a receipt', ({ limits }) => `at most ${limits.payments}`),
    row(families, 'Largest percentage on a sale', ({ limits }) => percentages(limits.rowPercent)),
    row(families, 'Largest percentage on the subtotal', ({ limits }) => percentages(limits.subtotalPercent)),
    row(families, 'Amount on the subtotal', ({ limits }) => SUBTOTAL_AMOUNT[limits.subtotalAmount ?? 'always']),
    row(families, 'Adjusted subtotals of a receipt', ({ limits: { adjustedSubtotals: most } }) =>
      most === undefined ? 'any number' : `${most}, and nothing can be voided after it`,
    ),
    row(families, 'Digits of a quantity', ({ limits }) => String(limits.quantityDigits ?? 9)),
    row(families, 'Digits of a payment', ({ limits }) => String(limits.paymentDigits ?? 9)),
  ].join('\n')
}

const row = (families: FamilyTable, title: string, cell: (capabilities: Capabilities) => string): string =>
  `| ${title} | ${[...families.values()].map(cell).join(' | ')} |`

const SUBTOTAL_AMOUNT = {
  always: 'yes',
  oneTaxGroup: 'while all that was sold is of one tax group',
  never: 'no',
} as const

const percentages = ({ surcharge, discount }: AdjustmentLimit): string =>
  surcharge === discount
    ? formatPercent(discount)
    : `discount ${formatPercent(discount)}, surcharge ${formatPercent(surcharge)}`

function barcodeTable(families: FamilyTable): string {
  const sizes = ({ height, scale }: BarcodeSupport): string =>
    (height ? `; Height ${height.min} to ${height.max} mm` : '') + (scale ? `; Scale ${scale.min} to ${scale.max}` : '')
  const cell = (type: number) => (capabilities: Capabilities) => {
    const support = capabilities.barcodes.find((one) => one.type === type)
    return support ? support.data + sizes(support) : '-'
  }
  return [
    `| Type | ${[...families.keys()].map((family) => `Family ${family}`).join(' | ')} |`,
    `| --- |${' --- |'.repeat(families.size)}`,
    ...Object.entries(BARCODE_NAMES).map(([type, name]) => row(families, `${type} ${name}`, cell(Number(type)))),
  ].join('\n')
}

export const serversAt = (urls: readonly string[]): readonly JsonSchema[] =>
  urls.map((url) => ({ url, description: url.startsWith('https:') ? 'HTTPS' : 'HTTP, local only' }))

type Operation = JsonSchema & { readonly responses: Record<string, JsonSchema> }

function operation(endpoint: Endpoint, families: FamilyTable): Operation {
  const table = endpoint.path === '/print-bar-code' ? barcodeTable(families) : undefined
  const description = [endpoint.notes, table].filter((part) => part !== undefined).join('\n\n')
  const parameters = [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint),
    ...(endpoint.prints ? [IDEMPOTENCY_KEY] : []),
  ]
  return {
    operationId: nameOf(endpoint),
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    ...(description !== '' && { description }),
    ...(endpoint.guard === 'session' && { security: [{ session: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && {
      requestBody: {
        required: endpoint.bodyOptional !== true,
        content: {
          'application/json': {
            schema: infoOf(endpoint.body).schema,
            ...(endpoint.example && { example: endpoint.example }),
          },
        },
      },
    }),
    responses: responses(endpoint, families),
  }
}

const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 128 },
  description: 'The same key and body within 24 hours return the first answer without touching the device.',
}

const pathParameters = (endpoint: Endpoint): readonly JsonSchema[] =>
  Object.entries(endpoint.params?.schema ?? {}).map(([name, schema]) => ({ name, in: 'path', required: true, schema }))

const queryParameters = ({ query = {} }: Endpoint): readonly JsonSchema[] =>
  Object.entries(query).map(([name, schema]) => ({ name, in: 'query', required: false, schema }))

const failure = (description: string, status: number, message = STATUS_TEXTS[status] ?? description): JsonSchema => ({
  description,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Failure' },
      example: { StatusCode: status, Message: message },
    },
  },
})

/** Examples of messages. Status 424 has many; this is one of them. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  401: 'This service requires its API key: send the header Authorization: Bearer KEY.',
  403: 'Pages of https://pos.example may not call this service. To allow them, add this origin to listen.origins.',
  413: 'The body is larger than 1 MiB.',
  415: 'Content-Type text/plain is not supported. Set the header Content-Type: application/json, and send UTF-8.',
  424: sentenceOf({ status: 424, effect: 'nothing', reasons: [cannotPrint('noPaper')] }),
  500: sentenceOf(outcomeOf(new Error())),
  503: BUSY_TEXT,
}

const INVALID = 'Invalid request, or refused by the device'
const BROKEN_BODY =
  'The body is not valid JSON: expected the name of a field in double quotes, the text ends at line 1, column 2.'

/**
 * Returns the schema with an example: the answer to an empty body. If that body is valid, the example is the answer to
 * a malformed one.
 */
function invalidRequest(endpoint: Endpoint, families: FamilyTable): JsonSchema {
  const params = Object.fromEntries(Object.keys(endpoint.params?.schema ?? {}).map((name) => [name, 'x']))
  const capabilities = [...families.values()].find((one) => endpoint.refuses?.(one) === undefined)
  const prepared = capabilities && endpoint.prepare({ params, body: endpoint.body && readJson('{}') }, capabilities)
  const refusal = failure(INVALID, 400, BROKEN_BODY)
  if (!prepared || prepared.ok || prepared.problems.length === 0) return refusal
  const example = JSON.parse(invalid(prepared.problems).body) as JsonSchema
  return { ...refusal, content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, example } } }
}

const NO_KEY = 'The configured API key is missing'
const FOREIGN = 'The Host does not name this service, or pages of the Origin may not call it'
const READING = { 413: failure('Body larger than 1 MiB', 413), 415: failure('Body is not JSON', 415) }

function responses(endpoint: Endpoint, families: FamilyTable): Record<string, JsonSchema> {
  const success: JsonSchema = {
    type: 'object',
    required: ['StatusCode', 'Data'],
    properties: { StatusCode: { const: 200 }, Data: endpoint.data },
  }
  const device = endpoint.reaches === 'device'
  return {
    200: { description: 'Success', content: { 'application/json': { schema: success } } },
    ...(device && { 400: invalidRequest(endpoint, families) }),
    401: failure(NO_KEY, 401),
    403: failure(FOREIGN, 403),
    ...(device && {
      424: failure('The device does not answer, is not connected, or cannot print', 424),
      503: failure('More than 64 requests are waiting', 503),
    }),
    500: failure('Unexpected error', 500),
    ...Object.fromEntries(
      Object.entries(endpoint.answers ?? {}).map(([status, text]) => [status, failure(text, Number(status), text)]),
    ),
  }
}
