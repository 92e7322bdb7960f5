/**
 * The express app of all endpoints. Each request passes access checks, body reader, validation and queue, and is
 * answered in the envelope (decisions 1).
 */
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { DOCS_HERE, DOCS_PATH, type DocumentationHere } from '../drivers/host/documentation.ts'
import { NO_EMBED_HEADERS } from '../drivers/host/request-origin.ts'
import { type Json, JsonSyntaxError, readJson } from '../drivers/model/json.ts'
import { type AccessRules, checkApiKey, checkHost, checkOrigin, isOwnMachine, keyRule } from './access.ts'
import { callerOf } from './departed-caller.ts'
import type { Endpoint } from './endpoint.ts'
import { failed, failure, type Reply } from './envelope.ts'
import { readKey } from './key-header.ts'
import type { ServiceLog } from './log.ts'
import { outcomeOf } from './operations/outcome.ts'
import { REQUEST_MAX_MS } from './printer-queue.ts'
import { nameOfRequest, nameRequest, notePrinted, watch } from './request-log.ts'
import type { Route } from './route.ts'
import type { Service } from './service.ts'
import { API_VERSION } from './version.ts'

export const BASE_PATH = '/api'
const isDocumentation = (path: string): boolean => `${path.toLowerCase()}/`.startsWith(`${DOCS_PATH}/`)
const BODY_MAX_BYTES = 1024 * 1024

/** Address of an emulated device's control panel, and the serial number by which callers recognize the device. */
export interface PanelAddress {
  readonly panel: string
  readonly serialNumber: string
}

interface AppParts {
  readonly service: Service
  readonly endpoints: readonly Endpoint[]
  readonly routes: readonly Route[]
  readonly access: AccessRules
  readonly description: () => Promise<string>
  readonly log: ServiceLog
  /** Handles every request before its checks. */
  readonly observed?: RequestHandler | undefined
  /** Handles every request after its checks, before its body is read. */
  readonly admitted?: RequestHandler | undefined
  readonly warnings?: ((body: unknown) => string | undefined) | undefined
  readonly panel?: PanelAddress | undefined
}

export function createApp(parts: AppParts): Express {
  const { service, endpoints, routes, access, description, log, observed, admitted, panel, warnings } = parts
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((request, response, next) => {
    response.set('Api-Version', API_VERSION).set(NO_EMBED_HEADERS)
    nameRequest(request, response)
    if (log.request) watch(request, response, log.request)
    next()
  })
  if (observed) app.use(observed)
  app.use(checkHost(access, refuse))
  // The documentation is served before the check of the Origin, because other pages link to it. It needs no API key,
  // because it contains no data of this service.
  const here: DocumentationHere = { api: BASE_PATH, needsKey: access.apiKey !== undefined }
  app.get(DOCS_HERE, (request, response) => {
    response.json(panel !== undefined && isOwnMachine(request) ? { ...here, panel: panel.panel } : here)
  })
  app.use(sendDocumentation)
  app.use(checkOrigin(access, refuse))

  const guard = checkApiKey(access, refuse)
  // Bodies are read after the check of the key, so that callers without the key cannot occupy memory.
  const recorders = admitted ? [admitted] : []
  const body = express.raw({ type: () => true, limit: BODY_MAX_BYTES, inflate: false })
  for (const endpoint of endpoints) {
    const path = BASE_PATH + expressPath(endpoint.path)
    const guards = endpoint.guard === 'session' ? [] : [guard]
    const recorded = endpoint.isUnrecorded ? [] : recorders
    app[endpoint.method](path, ...guards, ...recorded, body, answerWith(service, endpoint, warnings))
  }
  for (const { endpoint, handlers } of routes) {
    const guards = endpoint.guard === 'session' ? [] : [guard]
    const path = BASE_PATH + expressPath(endpoint.path)
    const recorded = endpoint.isUnrecorded ? [] : recorders
    app[endpoint.method](path, ...guards, ...recorded, ...handlers(service))
  }
  app.get(`${BASE_PATH}/openapi.json`, guard, async (_request, response) => {
    response.type('json').send(await description())
  })
  app.get(['/', BASE_PATH], (_request, response) => response.redirect(DOCS_PATH))
  if (panel !== undefined) sendPanelAddress(app, panel)
  // No endpoint answers these requests. They are recorded, as those that an endpoint refuses, if they have the key.
  const hasKey = keyRule(access)
  app.use((request, response, next) => {
    if (admitted && request.method !== 'OPTIONS' && hasKey(request)) admitted(request, response, next)
    else next()
  })
  refuseOtherMethods(app, [...endpoints, ...routes.map((route) => route.endpoint)])
  app.use((request, response) =>
    refuse(response, 404, `No endpoint ${request.path.slice(0, 200)}. See ${DOCS_PATH} for all endpoints.`),
  )
  app.use(answerErrors(log))
  return app
}

/** No route, because express refuses an address that is not valid percent-encoding with 400 before the handler runs. */
const sendDocumentation: RequestHandler = async (request, response, next) => {
  if (!['GET', 'HEAD'].includes(request.method) || !isDocumentation(request.path)) return next()
  const { documentationFile, missingPage } = await import('../drivers/host/documentation-files.ts')
  const found = await documentationFile(request.path, request.get('Accept-Encoding'))
  const file = found ?? missingPage(request.get('Accept'))
  if (file) response.status(file.status).set(file.headers).send(file.bytes)
  else next()
}

/** Answers with the address of the control API, but only to callers on this machine (decisions 9). */
function sendPanelAddress(app: Express, { panel, serialNumber }: PanelAddress): void {
  app.get('/emulator/address', (request, response) => {
    if (isOwnMachine(request)) response.json({ panel, serialNumber })
    else refuse(response, 403, 'The address of the control API is reported to callers on this machine only.')
  })
}

const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Answers other methods of an existing path with 405 and `Allow`. OPTIONS outside CORS gets 204 with the same list. */
function refuseOtherMethods(app: Express, endpoints: readonly Endpoint[]): void {
  const all = [...endpoints, { method: 'get', path: '/openapi.json' }]
  for (const path of new Set(all.map((one) => one.path))) {
    const methods = all.filter((one) => one.path === path).map((one) => one.method.toUpperCase())
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    // A single layer for all methods, because `app.all` would create one for each of thirty methods.
    app.route(BASE_PATH + expressPath(path)).all((request, response) => {
      response.set('Allow', allow)
      if (request.method === 'OPTIONS') response.status(204).end()
      else refuse(response, 405, `Method ${request.method} is not allowed here; use ${methods.join(' or ')}.`)
    })
  }
}

function answerWith(service: Service, endpoint: Endpoint, warnings: AppParts['warnings']): RequestHandler {
  return async (request, response) => {
    const until = service.clock.now() + REQUEST_MAX_MS
    const body = endpoint.method === 'post' ? readBody(request) : { ok: true as const, json: undefined }
    if (!body.ok) return send(response, body.reply)
    const header = readKey(request)
    if (!header.ok) return refuse(response, 400, header.message)
    const caller = callerOf(response)
    const params = request.params as Record<string, string>
    const reply = await service.handle(endpoint, { params, body: body.json }, header.key, {
      until,
      ...caller,
      request: nameOfRequest(response),
    })
    if (endpoint.prints && reply.status === 200) notePrinted(response)
    send(response, withWarning(reply, warnings?.(body.json)))
  }
}

function withWarning(reply: Reply, warning: string | undefined): Reply {
  if (warning === undefined) return reply
  const { 'X-Warnings': own, ...headers } = reply.headers ?? {}
  return { ...reply, headers: { ...headers, 'X-Warnings': own === undefined ? warning : `${warning}; ${own}` } }
}

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)$/i
const UTF8 = /^utf-?8$/i

type ReadBody = { readonly ok: true; readonly json: Json | undefined } | { readonly ok: false; readonly reply: Reply }

/** Reads the body. An empty body of any type counts as no body. */
function readBody(request: Request): ReadBody {
  const bytes: unknown = request.body
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return { ok: true, json: undefined }
  const [type = '', ...parameters] = (request.get('Content-Type') ?? '').split(';').map((part) => part.trim())
  const charset = parameters.map((one) => /^charset="?([^"]*)"?$/i.exec(one)?.[1]).find((one) => one !== undefined)
  if (!JSON_TYPE.test(type) || (charset !== undefined && !UTF8.test(charset))) {
    const came = request.get('Content-Type')?.slice(0, 100)
    const message = came
      ? `Content-Type ${came} is not supported. Set the header Content-Type: application/json, and send UTF-8.`
      : 'The body has no Content-Type. Set the header Content-Type: application/json.'
    return { ok: false, reply: failed(415, message) }
  }
  try {
    return { ok: true, json: readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch (error) {
    const why = error instanceof JsonSyntaxError ? error.message : 'it is not valid UTF-8'
    return { ok: false, reply: failed(400, `The body is not valid JSON: ${why}.`) }
  }
}

function send(response: Response, { status, body, headers }: Reply): void {
  if (response.destroyed) return
  response
    .status(status)
    .set(headers ?? {})
    .type('json')
    .send(body)
}

function refuse(response: Response, status: number, message: string): void {
  send(response, failed(status, message))
}

interface HttpProblem {
  readonly status: number
  readonly type?: string
}

const isHttpProblem = (error: unknown): error is HttpProblem =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'

/**
 * Answers the client errors of express and its body reader with their status, and all other errors according to their
 * outcome, with 500 if they are unexpected.
 */
function answerErrors(log: ServiceLog): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    if (isHttpProblem(error) && error.status >= 400 && error.status < 500) {
      // The connection is closed, so that the rest of an unread body is not parsed as the next request.
      response.set('Connection', 'close')
      if (error.status === 413) return refuse(response, 413, 'The body is larger than 1 MiB.')
      if (error.status === 415) {
        const came = request.get('Content-Encoding')?.slice(0, 100)
        return refuse(response, 415, `Content-Encoding ${came} is not supported. Send the body uncompressed.`)
      }
      return refuse(response, 400, 'The request cannot be read: check its path and its headers.')
    }
    log.trouble?.(error, nameOfRequest(response))
    send(response, failure(outcomeOf(error)))
  }
}
