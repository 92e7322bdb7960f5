import { describeControl } from '../../emulator/panel/api-description.ts'
import { CALLS } from '../../emulator/panel/contract.ts'
import { FLEET_CALLS } from '../../emulator/panel/fleet-contract.ts'
import { sampleOf } from './sample.ts'
import { answerTable, type Lookup, lookupIn, memberTable, rowsOf, type Schema, wordsOf } from './schema-table.ts'
import { blocks, code, table } from './table.ts'

interface Operation {
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: { readonly 'application/json': { readonly schema: Schema } }
  }
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
    >
  >
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const ADDRESS = 'http://127.0.0.1:65402'

/** Example bodies that any device accepts. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  'POST /emulator/power': { on: true },
  'POST /emulator/paper': { state: 'ok' },
  'POST /emulator/cover': { open: false },
  'POST /emulator/cable': { connected: true },
  'POST /emulator/mechanism': { realistic: true },
  'POST /emulator/clock': { advance: 'PT1H' },
  'POST /emulator/articles': [{ plu: 90, name: 'Bread', taxCode: 1, price: '1.50', department: 1 }],
  'POST /emulator/receipts': { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] },
  'POST /emulator/receipt': { end: 'cancel' },
  'POST /emulator/faults': { at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' },
  'POST /emulator/display': { attached: false },
  'POST /emulator/room': { fiscalMemory: 20 },
  'POST /emulator/fiscalised': { fiscalised: false },
  'POST /emulator/reset': { keep: 'fiscalMemory' },
  'POST /emulator/fleet/controls': { names: ['shop-1-*'], paper: 'out' },
  'POST /emulator/fleet/faults': { names: ['*'], at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' },
}

const inPath = (path: string): string => path.replaceAll('{id}', '1').replaceAll('{printer}', 'shop-1-till-1')

function example(method: string, path: string): string {
  const name = `${method.toUpperCase()} ${path}`
  if (name === 'PUT /emulator/snapshot')
    return `\`\`\`sh\ncurl -s ${ADDRESS}${path} -o device.json\ncurl -s -X PUT ${ADDRESS}${path} -H 'Content-Type: application/json' -d @device.json\n\`\`\``
  if (path === '/events' || path === '/emulator/fleet/events') return `\`\`\`sh\ncurl -sN ${ADDRESS}${path}\n\`\`\``
  const body = EXAMPLES[name]
  const verb = method === 'get' || (method === 'post' && body !== undefined) ? '' : `-X ${method.toUpperCase()} `
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`
  return `\`\`\`sh\ncurl -s ${verb}${ADDRESS}${inPath(path)}${data}\n\`\`\``
}

const TEXTS: Readonly<Record<string, string>> = {
  '/emulator/documents/{id}.txt':
    'Bread                               1.20 A\nTOTAL                               1.20',
  '/emulator/documents/{id}.curl':
    'curl --silent --show-error --fail-with-body -X POST http://127.0.0.1:65400/api/report-x',
  '/emulator/documents/{id}.yaml': 'name: "x 1 of a device of family A"\nfamilies: [A]\nsteps:\n  - post /report-x:',
  '/emulator/documents/{id}.wire': '12:30:00.000 to device  report x    option X\n    01 30 30',
  '/emulator/requests/{id}.curl': 'curl --silent --show-error -X POST http://127.0.0.1:65400/api/report-x',
  '/emulator/requests/{id}.yaml': '  - post /report-x:\n    expect: { StatusCode: 200, Data: "" }',
  '/emulator/session.yaml': 'name: "session of 2026-07-14 12:30:00"\nfamilies: [A]\nsteps:\n  - paper: out',
}

function answerExample(path: string, type: string | undefined, schema: Schema | undefined, lookup: Lookup): string {
  if (type === 'application/json' && schema)
    return `An answer:\n\n\`\`\`json\n${JSON.stringify(sampleOf(schema, lookup), null, 2)}\n\`\`\``
  if (type === 'text/event-stream') return 'An answer:\n\n```\nid: 1\nevent: drawer\ndata: {}\n```'
  if (type === 'image/svg+xml')
    return 'An answer:\n\n```xml\n<svg xmlns="http://www.w3.org/2000/svg" width="80mm" height="64mm">…</svg>\n```'
  const text = TEXTS[path]
  return text === undefined ? '' : `An answer:\n\n\`\`\`\n${text}\n\`\`\``
}

function section(method: string, path: string, operation: Operation, lookup: Lookup): string {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json'].schema
  const [type, answer] = Object.entries(responses['200']?.content ?? {})[0] ?? []
  const refusals = Object.entries(responses).filter(([status]) => status !== '200' && status !== '403')
  const rows = answer && type === 'application/json' ? rowsOf(answer.schema, lookup) : []
  return blocks(
    `### ${code(`${method.toUpperCase()} ${path}`)}`,
    `${summary}. ${description ?? ''}`.trim(),
    table(
      ['parameter', 'in', 'value'],
      parameters.map((one) => [code(one.name), one.in, wordsOf(one.schema, lookup)]),
    ),
    body &&
      blocks(
        `**Body**: ${requestBody?.required ? '' : 'optional; '}${wordsOf(body, lookup)}`,
        memberTable(rowsOf(body, lookup)),
      ),
    `**Answer**: ${type === 'application/json' ? wordsOf(answer?.schema ?? {}, lookup) || 'JSON' : code(type ?? '')}`,
    answerTable(rows),
    refusals.length === 0 ? '' : refusals.map(([status, one]) => `- ${code(status)}: ${one.description}`).join('\n'),
    example(method, path),
    answerExample(path, type, answer?.schema, lookup),
  )
}

function sections(description: Description): string[] {
  const lookup = lookupIn(description)
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(method, path, operation, lookup)),
  )
}

const INTRODUCTION = `Control of an emulated device, as JSON over HTTP: paper, cover, power, cable, clock, articles, [fault rules](./faults.md),
and everything that the device stores. \`serve\` and \`emulate\` open it with the control panel (default port 65402). By
default it listens on loopback only ([other machines](./other-machines.md)). It always refuses requests from pages of other
sites. Amounts are decimal text, and a refusal is \`{"error": "One sentence."}\`. The description for generators of clients is at
\`/emulator/openapi.json\`.`

/** Statuses that any call can have; a call lists those that it gives a special reason. */
const STATUSES: Readonly<Record<string, string>> = {
  200: 'Done.',
  400: 'The parameters or the body are invalid, or the device refuses.',
  401: 'The API key is missing or wrong, if the control panel listens beyond this machine.',
  403: 'The request comes from a page of another site, from another machine, or has an unknown host name.',
  404: 'There is nothing at this address, or no printer, document, request or rule with this name or number.',
  405: 'The address does not accept this method; the header `Allow` lists those that it accepts.',
  413: 'The body is larger than 32 MiB.',
  500: 'A mistake of the program.',
  503: 'The control panel, which this address shows, is not built.',
}

const FLEET = `\`emulate --fleet\` and \`emulate --count\` run many printers with one control API. Every call above, and the events, exist for
each printer at \`/emulator/fleet/PRINTER/...\` in place of \`/emulator/...\`. These calls are for all printers:`

export function controlText(): string {
  const device = describeControl(CALLS, ADDRESS) as unknown as Description
  const fleet = describeControl(FLEET_CALLS, ADDRESS) as unknown as Description
  const lookup = lookupIn(device)
  const events = Object.entries(device.components.schemas)
    .filter(([name]) => name.startsWith('Event.'))
    .map(([name, schema]) => blocks(`### ${code(name.slice('Event.'.length))}`, answerTable(rowsOf(schema, lookup))))
  return blocks(
    INTRODUCTION,
    '### Statuses',
    table(
      ['status', 'means'],
      Object.entries(STATUSES).map(([status, words]) => [code(status), words]),
    ),
    '## One device',
    ...sections(device),
    '## Events',
    'Server-sent events at `/events`: the name of the event, and its data as JSON.',
    ...events,
    '## Many printers',
    FLEET,
    ...sections(fleet),
  )
}
