import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { SHUT_HEADERS, whyNotLocal } from '../../drivers/model/caller.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { Emulator } from '../emulator.ts'
import { CALLS, type Call, type CallName, type ExamView, type Method } from './contract.ts'
import { createEventStreams } from './events.ts'
import { checked, readBody, WrongCall } from './forms.ts'
import { createHandlers } from './handlers.ts'

/**
 * The panel of an emulated device: control interface and page, on loopback only, never a part of the service's API.
 * A browser's page from anywhere else cannot reach it: foreign Host and Origin headers are refused.
 */

export interface Panel {
  readonly app: Express
  /** Ends the event streams; the server around the app is the caller's. */
  close(): void
}

export interface ListeningPanel {
  /** `http://127.0.0.1:65402` */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** The built page (sources in `page/`). */
const PAGE = join(import.meta.dirname, 'dist')
const NOT_BUILT =
  'The page is not built. Run "npm start", or "npm run page" in the checkout; the calls work without it.\n'

/** Address and file of everything that the page is made of. */
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

/** A snapshot of a device with a full fiscal memory is large. What is compressed could be anything, and is not read. */
const BODY_MAX_MIB = 32

/** Hears of every call that was carried out, with its body. */
export type CallListener = (name: CallName, body: unknown) => void

/** `exam`: the exam that the device takes part in. */
export function createPanel(emulator: Emulator, carriedOut?: CallListener, exam?: () => ExamView): Panel {
  const app = express()
  const events = createEventStreams(emulator)
  app.disable('x-powered-by')
  app.set('etag', false)
  app.use(guard)
  app.use(
    express.text({ type: () => true, limit: BODY_MAX_MIB * 1024 * 1024, inflate: false, defaultCharset: 'utf-8' }),
  )

  const handlers = createHandlers(emulator, exam)
  for (const [path, calls] of callsByPath) {
    const route = app.route(path)
    for (const [method, name] of calls) route[method](answering(name, handlers[name] as AnyHandler, carriedOut))
    route.all(notAllowed([...calls.keys()]))
  }
  for (const path of ['/events', '/emulator/events']) {
    app
      .route(path)
      .get(events.serve)
      .all(notAllowed(['get']))
  }
  servePage(app)
  app.use((request: Request) => {
    throw nothingAt(request)
  })
  app.use(failed)
  return { app, close: events.close }
}

/** Built anew while the panel runs, the page is found as it is now. */
function servePage(app: Express): void {
  const serve = (request: Request, response: Response, next: NextFunction) => {
    const file = pageFiles().get(request.path)
    if (file === undefined && request.path === '/') response.status(503).type('text').send(NOT_BUILT)
    else if (file === undefined) next()
    else response.type(file.slice(file.lastIndexOf('.'))).sendFile(file, { root: PAGE, cacheControl: false })
  }
  for (const path of ['/', '/favicon.ico', '/favicon.svg', '/assets/:file']) {
    app
      .route(path)
      .get(serve)
      .all(notAllowed(['get']))
  }
}

/** Port 0: any free one. Rejects when the port is taken. */
export async function listenPanel(
  emulator: Emulator,
  port: number,
  carriedOut?: CallListener,
): Promise<ListeningPanel> {
  const panel = createPanel(emulator, carriedOut)
  const server = createServer(panel.app)
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', fail)
      done()
    })
  })
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    async close() {
      panel.close()
      await new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
    },
  }
}

function guard(request: Request, response: Response, next: NextFunction): void {
  response.set({ ...SHUT_HEADERS, 'Content-Security-Policy': CONTENT_SECURITY_POLICY })
  const refusal = whyNotLocal(request.headers)
  if (refusal === undefined) next()
  else response.status(403).json({ error: refusal })
}

/** The calls of each address as express writes it, in the order of the contract. */
const callsByPath = new Map<string, Map<Method, CallName>>()
for (const name of Object.keys(CALLS) as CallName[]) {
  const [method = '', path = ''] = name.replace(/\{(\w+)\}/g, ':$1').split(' ')
  const calls = callsByPath.get(path) ?? new Map<Method, CallName>()
  callsByPath.set(path, calls.set(method.toLowerCase() as Method, name))
}

type AnyHandler = (input: object) => unknown

function answering(name: CallName, handler: AnyHandler, carriedOut: CallListener | undefined) {
  const { params, query, body, plain, answer }: Call = CALLS[name]
  return async (request: Request, response: Response) => {
    const path = params?.safeParse(request.params)
    if (path?.success === false) throw nothingAt(request)
    const text: string = typeof request.body === 'string' ? request.body : ''
    const input = body && checked(body, readBody(text, plain), 'the body')
    const reply = await handler({
      params: path?.data,
      query: query && checked(query, request.query, 'the query'),
      body: input,
    })
    carriedOut?.(name, input)
    if (typeof answer === 'string') response.type(answer).send(reply)
    else response.json(reply)
  }
}

const nothingAt = ({ path }: Request): WrongCall => new WrongCall(`there is nothing at ${path}`, 404)

/** GET answers HEAD as well. */
const notAllowed = (methods: readonly string[]) => (request: Request, response: Response) => {
  const allowed = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ')
  response
    .set('Allow', allowed)
    .status(405)
    .json({ error: `${request.method} ${request.path}: allowed are ${allowed}` })
}

/**
 * Who asks for it by `Prefer` (RFC 7240) gets a refusal as 200 with the same `{error}`, and `Preference-Applied` says
 * that it is one: the page has no error line in the console for what it explains itself (decisions 8).
 */
const REFUSAL = 'refusal=ok'
const prefersOk = ({ headers: { prefer } }: Request): boolean =>
  [prefer].flat().some((value) => value?.split(',').some((one) => one.trim() === REFUSAL))

function failed(problem: unknown, request: Request, response: Response, next: NextFunction): void {
  if (response.headersSent) {
    next(problem)
    return
  }
  const isRefusal = problem instanceof WrongCall
  if (isRefusal && prefersOk(request)) {
    response.set('Preference-Applied', REFUSAL).json({ error: problem.message })
    return
  }
  const status = isRefusal ? problem.status : clientStatus(problem)
  response.status(status).json({ error: wordsOf(problem) })
}

/** What the body reader refuses it says in its own words. */
const UNREAD: Readonly<Record<number, string>> = {
  413: `the body is larger than ${BODY_MAX_MIB} MiB`,
  415: 'the body must not be compressed',
}

function wordsOf(problem: unknown): string {
  const status = problem instanceof Error && 'status' in problem ? Number(problem.status) : 0
  return UNREAD[status] ?? messageOf(problem)
}

/** express and its body reader say by `status` what is the caller's fault. */
function clientStatus(problem: unknown): number {
  const status = problem instanceof Error && 'status' in problem ? problem.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? 400 : 500
}
