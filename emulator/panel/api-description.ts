/** The description of the control API as OpenAPI 3.1, generated from the contract. */
import { z } from 'zod'
import { planSchemaText } from '../faults/fault-plan.ts'
import { fault } from './call-input.ts'
import { type Call, EVENTS } from './contract.ts'

type Json = Readonly<Record<string, unknown>>

const jsonOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return described
}

/** The contract has no schema for fault rules, because the device parses them with the schema of a plan. */
function faultRules(): Json {
  const { $schema: _dialect, ...plan } = JSON.parse(planSchemaText()) as Json
  return { anyOf: [plan['items'], plan] }
}

const REFUSAL: Json = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string', description: 'One sentence.' } },
}

const answered = (description: string, type: string, schema: Json): Json => ({
  description,
  content: { [type]: { schema } },
})
const refused = (description: string): Json =>
  answered(description, 'application/json', { $ref: '#/components/schemas/Refusal' })

const bodyOf = (body: z.ZodType): Json => (body === fault ? faultRules() : jsonOf(body, 'input'))

/** `GET /emulator/documents/{id}.png` yields `getDocumentsIdPng`. */
const nameOf = (method: string, path: string): string =>
  `${method}${path
    .replace(/^\/emulator(?=\/)/, '')
    .replace(/[^a-zA-Z]+(\w)?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '')}`

function parametersOf({ params, query }: Call): readonly Json[] {
  const all = [
    { where: 'path', shape: params?.shape ?? {} },
    { where: 'query', shape: query?.shape ?? {} },
  ]
  return all.flatMap(({ where, shape }) =>
    Object.entries(shape).map(([name, schema]) => ({
      name,
      in: where,
      required: where === 'path',
      schema: jsonOf(schema as z.ZodType, 'input'),
    })),
  )
}

function operation(method: string, path: string, call: Call): Json {
  const { summary, body, answer, errors = {} } = call
  const parameters = parametersOf(call)
  const takes = body !== undefined || parameters.length > 0
  const isOptional = body?.safeParse(undefined).success === true
  const reasons: Readonly<Record<string, string>> = {
    ...(takes && { 400: 'Invalid request.' }),
    ...errors,
    403: 'The request comes from a page of another site, from another machine (allow it with --panel-host), or has a host name that is not one of this device (add it with --name).',
  }
  return {
    operationId: nameOf(method, path),
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: !isOptional, content: { 'application/json': { schema: bodyOf(body) } } },
    }),
    responses: {
      200:
        typeof answer === 'string'
          ? answered('Done.', answer, answer === 'image/png' ? {} : { type: 'string' })
          : answered('Done.', 'application/json', jsonOf(answer, 'output')),
      ...Object.fromEntries(Object.entries(reasons).map(([status, why]) => [status, refused(why)])),
    },
  }
}

const EVENT_STREAM: Json = {
  operationId: 'getEvents',
  summary: 'Events from now on, as server-sent events',
  description: `Events: ${Object.keys(EVENTS).join(', ')}. The data of each is JSON; its schema is \`Event.NAME\`.`,
  responses: { 200: answered('A stream that does not end.', 'text/event-stream', { type: 'string' }) },
}

/** Version of the control API. A breaking change of a call requires a new major version. */
const VERSION = '1.0.0'

export const callsOfEachPrinter = (calls: Readonly<Record<string, Call>>): Readonly<Record<string, Call>> =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name.replace(' /emulator', ' /emulator/fleet/{printer}'),
      { ...call, params: z.object({ printer: z.string(), ...call.params?.shape }) },
    ]),
  )

/** `address` is the base URL of the control API, without a path. */
export function describeControl(calls: Readonly<Record<string, Call>>, address: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, call] of Object.entries(calls)) {
    const [method = '', path = ''] = name.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(method.toLowerCase(), path, call) }
  }
  const isFleet = '/emulator/fleet' in paths
  paths[isFleet ? '/emulator/fleet/events' : '/events'] = { get: EVENT_STREAM }
  const events = Object.entries(EVENTS).map(([name, schema]) => [`Event.${name}`, jsonOf(schema, 'output')])
  return {
    openapi: '3.1.0',
    info: {
      title: `Control API of ${isFleet ? 'emulated fiscal printers' : 'an emulated fiscal printer'}`,
      version: VERSION,
      description:
        'Control of an emulated device: manual actions, clock, faults, and everything that it stores. Amounts are decimal text. By default it listens on loopback only.',
    },
    servers: [{ url: address }],
    paths,
    components: { schemas: { Refusal: REFUSAL, ...Object.fromEntries(events) } },
  }
}
