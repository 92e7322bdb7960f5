import { openPrinter } from '../../drivers/index.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { compose, printerConfig } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import { sampleOf } from './sample.ts'
import { answerTable, type Lookup, lookupIn, memberTable, rowsOf, type Schema, wordsOf } from './schema-table.ts'
import { blocks, code, table } from './table.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } }
  }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly content?: {
          readonly 'application/json': { readonly schema: Schema; readonly example?: { readonly Message?: string } }
        }
      }
    >
  >
}

interface ApiDescription {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export async function apiDescription(): Promise<ApiDescription> {
  const settings = settingsOf({})
  const printer = openPrinter(printerConfig(settings))
  const { description, stores } = compose({ settings, printer, clock: systemClock })
  try {
    return JSON.parse(await description()) as ApiDescription
  } finally {
    stores.close()
  }
}

const ADDRESS = 'http://127.0.0.1:65400/api'

function example(method: string, path: string, { parameters = [], requestBody }: Operation): string {
  const body = requestBody?.content['application/json'].example
  const inPath = parameters.filter((one) => one.in === 'path')
  const whole = inPath.reduce(
    (so, { name, schema }) => so.replace(`{${name}}`, String(schema.enum?.[0] ?? schema.minimum ?? 1)),
    path,
  )
  const post = method === 'post' && body === undefined ? '-X POST ' : ''
  const data =
    body === undefined ? '' : ` -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body, null, 2)}'`
  return `\`\`\`sh\ncurl -s ${post}${ADDRESS}${whole}${data}\n\`\`\``
}

type CommonStatuses = ReadonlyMap<string, string>

function commonStatuses(operations: readonly Operation[]): CommonStatuses {
  const counts = new Map<string, number>()
  for (const { responses } of operations) {
    for (const [status, { description }] of Object.entries(responses)) {
      const pair = `${status} ${description}`
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
    }
  }
  const most = [...counts].filter(([pair, count]) => count * 2 > operations.length && !pair.startsWith('200 '))
  return new Map(most.map(([pair]) => [pair.slice(0, 3), pair.slice(4)] as const).toSorted())
}

const eventsExample = (content: object | undefined): string =>
  content && 'text/event-stream' in content
    ? 'An answer:\n\n```\nevent: status\ndata: {"Connected": true, "Busy": null, "Waiting": 0}\n```'
    : ''

function answerExample(schema: Schema | undefined, lookup: Lookup): string {
  if (!schema) return ''
  const data = schema.properties?.['Data']
  const answer = data ? { StatusCode: 200, Data: sampleOf(data, lookup) } : sampleOf(schema, lookup)
  return `An answer:\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\``
}

function refusedExample(response: Operation['responses'][string] | undefined): string {
  const example = response?.content?.['application/json'].example
  return example && 'Errors' in example ? `\`\`\`json\n${JSON.stringify(example)}\n\`\`\`` : ''
}

function section(method: string, path: string, operation: Operation, lookup: Lookup, common: CommonStatuses): string {
  const { operationId, tags, summary, description, parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json'].schema
  const success = responses['200']?.content?.['application/json']?.schema
  const data = success?.properties?.['Data']
  const refusals = Object.entries(responses).filter(
    ([status, one]) => status !== '200' && common.get(status) !== one.description,
  )
  const tryIt = `./try-it.md#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`
  return blocks(
    `### ${code(`${method.toUpperCase()} ${path}`)}`,
    `${summary}. [Try it](${tryIt})`,
    description,
    table(
      ['parameter', 'in', 'value', 'meaning'],
      parameters.map((one) => [
        code(one.name),
        one.in,
        wordsOf(one.schema, lookup),
        one.description ?? one.schema.description ?? '',
      ]),
    ),
    body &&
      blocks(
        `**Body**${requestBody?.required ? '' : ', optional'}: ${wordsOf(body, lookup)}`,
        memberTable(rowsOf(body, lookup)),
      ),
    example(method, path, operation),
    data
      ? blocks(
          `**Data**: ${[wordsOf(data, lookup), data.description].filter((part) => part).join('. ')}`,
          answerTable(rowsOf(data, lookup)),
        )
      : success && blocks('**Answer**', answerTable(rowsOf(success, lookup))),
    answerExample(success, lookup) || eventsExample(responses['200']?.content),
    refusals.map(([status, one]) => `- ${code(status)}: ${one.description}`).join('\n'),
    refusedExample(responses['400']),
  )
}

/**
 * Statuses that depend on the address, the method or the body of a request before any endpoint reads it. No operation
 * describes them.
 */
const OF_ADDRESSES: Readonly<Record<string, string>> = {
  400: 'The request cannot be read, or does not fit the endpoint: `Message` says why.',
  401: 'The API key is missing or wrong.',
  403: 'The request comes from a page or a host name that may not call this service.',
  404: 'There is no endpoint at this address, or the document, report or order that the request names does not exist.',
  405: 'The endpoint does not accept this method; the header `Allow` lists those that it accepts.',
  413: 'Body larger than 1 MiB.',
  415: 'Body is not JSON, or is compressed.',
  500: 'A mistake of the service, which its log describes.',
}

const INTRODUCTION = `Requests are JSON, with \`Content-Type: application/json\`. Answers are \`{"StatusCode": 200, "Data": ...}\` or
\`{"StatusCode": 400, "Message": "One sentence."}\`, with the same HTTP status. If a request has several mistakes, \`Errors\`
lists them. A running service shows its own addresses on this page; otherwise they are those of \`npx fiscal-rig serve\` without
options. [Try it](./try-it.md) prints with
the running service. The description for programs is at \`/api/openapi.json\`. [Refusals](./refusals.md) lists the refusals of
a device, and [Outcomes of 424](./outcomes.md) what to do after a 424.`

export async function restText(): Promise<string> {
  const api = await apiDescription()
  const lookup = lookupIn(api)
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const common = commonStatuses(operations.map(({ operation }) => operation))
  const statuses = table(
    ['status', 'means'],
    [...new Map([...Object.entries(OF_ADDRESSES), ...common])]
      .toSorted()
      .map(([status, words]) => [code(status), words]),
  )
  const sections = api.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return blocks(
      `## ${name}`,
      ...own.map(({ method, path, operation }) => section(method, path, operation, lookup, common)),
    )
  })
  return blocks(INTRODUCTION, '## Common to all', api.info.description, '### Statuses', statuses, ...sections)
}
