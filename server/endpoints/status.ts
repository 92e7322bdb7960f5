/** Endpoints that answer without the device. They are additions to the specification. */
import type { Request, RequestHandler, Response } from 'express'
import { createEventStreams, type EventStreams } from '../../drivers/host/event-streams.ts'
import type { ServiceStatus } from '../activity.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { failed } from '../envelope.ts'
import type { Route } from '../route.ts'
import type { Service } from '../service.ts'
import { view } from './shared.ts'

const ADDITION = "An addition of this service, not part of the interface's specification. "
const TEXT = { type: 'string' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const TIME = { type: 'string', format: 'date-time' }
const REQUEST = { ...TEXT_OR_NULL, description: 'X-Request-Id of the request.' }
const ENDPOINT = { ...TEXT, description: 'Path of the request, such as /print-fiscal-receipt.' }
const WARNING = {
  type: 'object',
  required: ['Name', 'Message'],
  properties: { Name: { ...TEXT, examples: ['PaperNearlyOut'] }, Message: TEXT },
}

const members = (properties: Readonly<Record<string, object>>, type: string | readonly string[] = 'object') => ({
  type,
  required: Object.keys(properties),
  properties,
})

const STATUS = view<ServiceStatus>({
  Device: [
    members({ Family: TEXT, Model: TEXT, Firmware: TEXT, SerialNumber: TEXT, FiscalMemoryNumber: TEXT }, [
      'object',
      'null',
    ]),
    ({ Device }) =>
      Device && {
        Family: Device.family,
        Model: Device.model,
        Firmware: Device.firmware,
        SerialNumber: Device.serialNumber,
        FiscalMemoryNumber: Device.fiscalMemoryNumber,
      },
  ],
  Connected: [
    { type: 'boolean', description: 'The device was identified and responded to the last command.' },
    ({ Connected }) => Connected,
  ],
  Busy: [
    {
      ...members({ Request: REQUEST, Endpoint: ENDPOINT, Since: TIME, WaitsFor: TEXT_OR_NULL }, ['object', 'null']),
      description:
        'The request that the device is executing. `WaitsFor`: what the device waits for, for example paper.',
    },
    ({ Busy }) => Busy && { ...Busy },
  ],
  Waiting: [{ type: 'integer', description: 'Number of requests in the queue.' }, ({ Waiting }) => Waiting],
  Warnings: [{ type: 'array', items: WARNING }, ({ Warnings }) => Warnings.map((one) => ({ ...one }))],
  LastError: [
    members({ Request: REQUEST, Endpoint: ENDPOINT, At: TIME, StatusCode: { type: 'integer' }, Message: TEXT }, [
      'object',
      'null',
    ]),
    ({ LastError }) => LastError && { ...LastError },
  ],
})

export const statusEndpoints = [
  endpoint({
    method: 'get',
    path: '/status',
    section: 'own',
    summary: 'The state of the device and of the requests, answered at once',
    notes:
      `${ADDITION}It sends nothing to the device and does not wait in the queue, so it is answered while a receipt is printed. ` +
      '`Device` is null until the device was reached for the first time. `Warnings` are from the last answers of the device. ' +
      '`LastError` is the last request that failed on the device, also if later requests succeeded.',
    data: { type: 'object', required: Object.keys(STATUS.schemas), properties: STATUS.schemas },
    reaches: 'service',
    isUnrecorded: true,
    run: async ({ facts }) => STATUS.of(facts.status()),
  }),
]

/** All event streams together occupy at most 8 MiB. */
const STREAM_LIMITS = { unreadMax: 256 * 1024, listenersMax: 32 }

const eventsEndpoint: Endpoint = {
  method: 'get',
  path: '/events',
  section: 'own',
  summary: 'Server-sent events: requests that begin, print and fail, and warnings of the device',
  notes:
    `${ADDITION}The first event is \`status\`, the Data of /status; then \`begun\` {Request, Endpoint, At}, \`printed\` ` +
    '{Request, Endpoint, At, TookMs, ReceiptNumber}, `failed` {Request, Endpoint, At, StatusCode, Message} of requests that ' +
    'print, and `warning` {Name, Message, At}. Nothing is stored for a listener that connects later. One that leaves more than ' +
    `256 KiB unread is disconnected; ${STREAM_LIMITS.listenersMax} may listen at once.`,
  data: TEXT,
  reaches: 'service',
  isUnrecorded: true,
  answers: { 503: `There are ${STREAM_LIMITS.listenersMax} listeners already` },
  prepare: () => ({ ok: false, problems: [] }),
}

interface EventsRoute extends Route {
  close(): void
}

export function eventsRoute(): EventsRoute {
  const streams = createEventStreams(STREAM_LIMITS)
  return {
    endpoint: eventsEndpoint,
    streams: true,
    handlers: (service) => [sendEvents(service, streams)],
    close: () => streams.close(),
  }
}

const sendEvents =
  ({ activity }: Service, streams: EventStreams): RequestHandler =>
  (_request: Request, response: Response) => {
    const isServed = streams.serve(response, (listener) => {
      listener(['status', STATUS.of(activity.status)])
      return activity.listen(listener)
    })
    if (isServed) return
    const { status, body } = failed(
      503,
      `${STREAM_LIMITS.listenersMax} callers listen to events already; close one first.`,
    )
    response.status(status).set('Retry-After', '5').type('json').send(body)
  }
