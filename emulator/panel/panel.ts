/**
 * The control panel of an emulated device: control API and page. It listens on loopback unless the user configures
 * another address. Pages of other sites cannot use it, because foreign Host and Origin headers are refused.
 */
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { DOCS_HERE, DOCS_PATH, type DocumentationHere } from '../../drivers/host/documentation.ts'
import { createEventStreams, type EventStreams } from '../../drivers/host/event-streams.ts'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import { hostOf, hostWords, NO_EMBED_HEADERS, whyForeignPage, whyNotLocal } from '../../drivers/host/request-origin.ts'
import {
  basicKey,
  bearerKey,
  hostCheck,
  inUrl,
  isLoopbackAddress,
  keyCheck,
  LOOPBACK,
  outsideHost,
} from '../../drivers/host/server-access.ts'
import type { Emulator } from '../emulator.ts'
import { callsOfEachPrinter, describeControl } from './api-description.ts'
import { WrongCall } from './call-input.ts'
import { CALLS, type Call, type CallName, type FleetCallName, type Method } from './contract.ts'
import { type ControlOptions, type Controls, controlsOf, type HttpCallInput, nothingAt, readCall } from './controls.ts'
import { BODY_MAX_MIB, failed } from './failed-call.ts'
import { type FleetView, fleetHandlers } from './fleet.ts'
import { FLEET_CALLS } from './fleet-contract.ts'

export interface PanelAccess {
  readonly host: string
  readonly names: readonly string[]
  /** Calls without this key are refused; `undefined` if no key is required. */
  readonly apiKey?: string | undefined
}

const LOCAL: PanelAccess = { host: LOOPBACK, names: [] }

export interface Panel {
  readonly app: Express
  whenUnwatched(signal: AbortSignal): Promise<void>
  /** Ends the event streams. The caller must close the server. */
  close(): void
}

export interface ListeningPanel {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Maximum number of unread event bytes before a page is disconnected. */
const UNREAD_MAX = 8 * 1024 * 1024

const PAGE = join(import.meta.dirname, 'dist')
const FONTS = join(import.meta.dirname, '..', 'print', 'fonts')
const NOT_BUILT =
  'The control panel is not built. Run "npm start", or "npm run page" in the checkout; the control API works without it.\n'

function pageFiles(): Map<string, string> {
  if (!existsSync(PAGE)) return new Map()
  const names = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  const files = names.filter((name) => /\.(?:html|js|css|svg|ttf)$/.test(name))
  return new Map([
    ...files.map((name) => [`/${name}`, name] as const),
    ['/', 'index.html'] as const,
    ['/favicon.ico', 'favicon.svg'] as const,
  ])
}

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const hasDocs = async (): Promise<boolean> =>
  (await import('../../drivers/host/documentation-files.ts')).isDocumentationBuilt()

export const createPanel = (emulator: Emulator, options: ControlOptions, access: PanelAccess = LOCAL): Panel =>
  createControlsPanel(controlsOf(emulator, { hasDocs, ...options }), access, options.service)

export function createControlsPanel(
  controls: Controls,
  access: PanelAccess = LOCAL,
  service?: ControlOptions['service'],
): Panel {
  const serve = (app: Express, events: EventStreams) => {
    serveDescription(app, CALLS)
    serveControls(app, '/emulator', () => controls, events)
    serveEvents(app, '/events', events, () => controls.listen)
  }
  return panelOf(['/'], serve, access, service)
}

export function createFleetPanel(fleet: FleetView, access: PanelAccess = LOCAL): Panel {
  const printerOf = (request: Request): Controls => {
    const controls = fleet.controls(String(request.params['printer']))
    if (controls) return controls
    throw new WrongCall(`there is no printer ${request.params['printer']}`, 404)
  }
  const serve = (app: Express, events: EventStreams) => {
    app.get('/', (_request, response) => response.redirect('/floor'))
    app
      .route('/metrics')
      .get(metrics(fleet))
      .all(notAllowed(['get']))
    serveDescription(app, { ...FLEET_CALLS, ...callsOfEachPrinter(CALLS) })
    serveEvents(app, '/emulator/fleet/events', events, () => fleet.listen)
    const handlers = fleetHandlers(fleet)
    for (const [path, calls] of byPath(FLEET_CALLS)) {
      serveCalls(app, path, calls, (name) => {
        const handler = handlers[name] as (input: object) => unknown
        return async (_request, call) => handler(readCall(FLEET_CALLS[name], call))
      })
    }
    serveControls(app, '/emulator/fleet/:printer', printerOf, events)
  }
  return panelOf(['/floor', '/floor/:printer'], serve, access)
}

function panelOf(
  pages: readonly string[],
  serve: (app: Express, events: EventStreams) => void,
  access: PanelAccess,
  service: ControlOptions['service'] = () => undefined,
): Panel {
  const app = express()
  const events = createEventStreams({ unreadMax: UNREAD_MAX, listenersMax: Number.POSITIVE_INFINITY })
  app.disable('x-powered-by')
  app.set('etag', false)
  app.use(guardOf(access))
  app.use(withReadablePath)
  app.use(
    express.text({ type: () => true, limit: BODY_MAX_MIB * 1024 * 1024, inflate: false, defaultCharset: 'utf-8' }),
  )
  serve(app, events)
  servePage(app, pages)
  app.get(DOCS_HERE, (_request, response) => {
    const address = service()
    const here: DocumentationHere = {
      panel: '/',
      ...(address !== undefined && { service: new URL(DOCS_PATH, address).href }),
    }
    response.json(here)
  })
  app
    .route([DOCS_PATH, `${DOCS_PATH}/*path`])
    .get(sendDocumentation)
    .all(notAllowed(['get']))
  app.get('/*path', sendMissingPage)
  app.use((request: Request) => {
    throw nothingAt(request.originalUrl.split('?')[0] ?? '')
  })
  app.use(failed)
  return { app, whenUnwatched: events.whenUnwatched, close: events.close }
}

/**
 * Reads a path that is not valid percent-encoding as it was typed, so that the address is answered as any other that
 * does not exist.
 */
function withReadablePath(request: Request, _response: Response, next: NextFunction): void {
  try {
    decodeURIComponent(request.path)
  } catch {
    const [path = '', ...query] = request.url.split('?')
    request.url = [path.replaceAll('%', '%25'), ...query].join('?')
  }
  next()
}

function serveDescription(app: Express, calls: Readonly<Record<string, Call>>): void {
  app
    .route('/emulator/openapi.json')
    .get(({ headers: { host = 'localhost' } }, response) => {
      response.json(describeControl(calls, `http://${host}`))
    })
    .all(notAllowed(['get']))
}

/** Serves the calls of a device below `at` instead of `/emulator`. */
function serveControls(app: Express, at: string, controlsOf: (request: Request) => Controls, events: EventStreams) {
  serveEvents(app, `${at}/events`, events, (request) => controlsOf(request).listen)
  for (const [path, calls] of byPath(CALLS)) {
    serveCalls(app, at + path.slice('/emulator'.length), calls, (name) => async (request, call) => {
      return controlsOf(request).answer(name, call)
    })
  }
}

function serveEvents(
  app: Express,
  path: string,
  events: EventStreams,
  listen: (request: Request) => Parameters<EventStreams['serve']>[1],
): void {
  app
    .route(path)
    .get((request, response) => void events.serve(response, listen(request)))
    .all(notAllowed(['get']))
}

function serveCalls<Name extends CallName | FleetCallName>(
  app: Express,
  path: string,
  calls: ReadonlyMap<Method, Name>,
  answering: (name: Name) => (request: Request, call: HttpCallInput) => Promise<unknown>,
): void {
  const route = app.route(path)
  for (const [method, name] of calls) {
    const { answer: type }: Call = { ...CALLS, ...FLEET_CALLS }[name]
    const answer = answering(name)
    route[method](async (request: Request, response: Response) => {
      const { params, query, body } = request
      const reply = await answer(request, {
        path: request.path,
        params,
        query,
        text: typeof body === 'string' ? body : '',
      })
      if (typeof type === 'string') response.type(type).send(reply)
      else response.json(reply)
    })
  }
  route.all(notAllowed([...calls.keys()]))
}

/** The Prometheus library is loaded at the first request. */
const metrics = (fleet: FleetView) => async (_request: Request, response: Response) => {
  const { exposition } = await import('./metrics.ts')
  const { type, text } = await exposition(await fleet.figures())
  response.set('Content-Type', type).send(text)
}

/** The folder is read at each request, so that a rebuilt page is found while the control panel runs. */
function servePage(app: Express, pages: readonly string[]): void {
  const send = (response: Response, path: string): boolean => {
    const built = pageFiles().get(path)
    // The package contains the fonts only once, with their licence.
    const font = /^\/assets\/(head|head-bold|paper|paper-bold)-[\w-]{8}\.ttf$/.exec(path)?.[1]
    const [file, root] = built === undefined && font !== undefined ? [`${font}.ttf`, FONTS] : [built, PAGE]
    if (file !== undefined)
      response.type(file.slice(file.lastIndexOf('.'))).sendFile(file, { root, cacheControl: false })
    return file !== undefined
  }
  for (const path of pages) {
    app
      .route(path)
      .get((_request, response) => {
        if (!send(response, '/')) response.status(503).type('text').send(NOT_BUILT)
      })
      .all(notAllowed(['get']))
  }
  for (const path of ['/favicon.ico', '/favicon.svg', '/assets/:file']) {
    app
      .route(path)
      .get((request, response, next) => {
        if (!send(response, request.path)) next('route')
      })
      .all(notAllowed(['get']))
  }
}

async function sendDocumentation(request: Request, response: Response, next: NextFunction): Promise<void> {
  const { documentationFile, missingPage } = await import('../../drivers/host/documentation-files.ts')
  const found = await documentationFile(request.path, request.get('Accept-Encoding'))
  const file = found ?? missingPage(request.get('Accept'))
  if (file) response.status(file.status).set(file.headers).send(file.bytes)
  else next('route')
}

async function sendMissingPage(request: Request, response: Response, next: NextFunction): Promise<void> {
  const { missingPage } = await import('../../drivers/host/documentation-files.ts')
  const page = missingPage(request.get('Accept'), 'panel')
  if (page) response.status(page.status).set(page.headers).send(page.bytes)
  else next('route')
}

/** Starts the control panel of a device. Port 0 is any free port. Rejects if the port is in use. */
export function listenPanel(
  emulator: Emulator,
  port: number,
  options: ControlOptions,
  access: PanelAccess = LOCAL,
): Promise<ListeningPanel> {
  // A session begins with a copy of the whole state. For a device that was in use, the copy is made only on request.
  const keepsSession = emulator.device.counters.lastDocument === 0
  return listenOn(createPanel(emulator, { keepsSession, ...options }, access), port, access)
}

/** Starts a control panel. Port 0 is any free port. Rejects if the port is in use. */
export async function listenOn(
  panel: Panel,
  port: number,
  { host }: Pick<PanelAccess, 'host'> = LOCAL,
): Promise<ListeningPanel> {
  const server = createServer(panel.app)
  const bound = await listenLocally(server, port, host)
  return {
    url: `http://${inUrl(outsideHost(host))}:${bound}`,
    port: bound,
    async close() {
      panel.close()
      await closeAtOnce(server)
    },
  }
}

/**
 * Returns true if a browser opens the page in a tab: neither a script nor a frame of another page has sent the request.
 */
const opensPage = ({ method, path, headers }: Request): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document' &&
  /^\/(?:$|floor(?:\/[^/]+)?$)/.test(path)

/** The documentation requires no key, because its pages contain nothing of the device. */
const isDocumentation = (path: string): boolean => path === DOCS_PATH || path.startsWith(`${DOCS_PATH}/`)

function guardOf({ host, names, apiKey }: PanelAccess) {
  const isLocal = isLoopbackAddress(host) && names.length === 0
  const namesThisPanel = hostCheck(names)
  const whyForeign = (request: Request): string | undefined => {
    const { 'sec-fetch-site': site, ...otherHeaders } = request.headers
    // The documentation of the service, on another port, links to the page. Such requests may only open a page.
    const headers = site === 'same-site' && opensPage(request) ? otherHeaders : request.headers
    if (isLocal) return whyNotLocal(headers)
    if (namesThisPanel(hostOf(headers.host))) return whyForeignPage(headers)
    return `${hostWords(headers)}: it does not name this device; add the name with --name`
  }
  const isKey = apiKey === undefined ? undefined : keyCheck(apiKey)
  return (request: Request, response: Response, next: NextFunction): void => {
    response.set({ ...NO_EMBED_HEADERS, 'Content-Security-Policy': CONTENT_SECURITY_POLICY })
    const refusal = whyForeign(request)
    if (refusal !== undefined) return void response.status(403).json({ error: refusal })
    const { authorization } = request.headers
    const isAllowed =
      !isKey || isDocumentation(request.path) || isKey(bearerKey(authorization)) || isKey(basicKey(authorization))
    if (isAllowed) return void next()
    // The browser asks its user for a password, and sends it with every call of the page.
    response
      .set('WWW-Authenticate', 'Basic realm="fiscal-rig", charset="UTF-8"')
      .status(401)
      .json({ error: 'this device requires the API key: send Authorization: Bearer KEY, or KEY as the password' })
  }
}

/** Returns the calls by path in the syntax of express, in the order of the contract. */
function byPath<Name extends string>(calls: Readonly<Record<Name, Call>>): Map<string, Map<Method, Name>> {
  const paths = new Map<string, Map<Method, Name>>()
  for (const name of Object.keys(calls) as Name[]) {
    const [method = '', path = ''] = name.replace(/\{(\w+)\}/g, ':$1').split(' ')
    const methods = paths.get(path) ?? new Map<Method, Name>()
    paths.set(path, methods.set(method.toLowerCase() as Method, name))
  }
  return paths
}

/** Answers other methods with 405. Handlers of GET also answer HEAD. */
const notAllowed = (methods: readonly string[]) => (request: Request, response: Response) => {
  const allowed = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ')
  response
    .set('Allow', allowed)
    .status(405)
    .json({ error: `${request.method} ${request.path}: allowed are ${allowed}` })
}
