/**
 * The part of express that the service and the control API use, over messages instead of sockets. The contract suite
 * compares the responses of both.
 */
import type { Handler, Next, Request, Response } from './http-messages.ts'

type Layer = { readonly matches: (path: string) => Params | undefined; readonly method?: string | undefined } & (
  | { readonly kind: 'handler'; readonly run: Handler }
  | { readonly kind: 'errors'; readonly run: (error: unknown, ...rest: Parameters<Handler>) => unknown }
)
type Params = Readonly<Record<string, string>>
type AnyHandler = Handler | Extract<Layer, { kind: 'errors' }>['run']
type Path = string | readonly string[]

class HttpProblem extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const METHODS = ['get', 'post', 'put', 'delete'] as const
type Adding = (path: Path, ...handlers: AnyHandler[]) => App
type Routing = (...handlers: AnyHandler[]) => Route
type Route = { readonly all: Routing } & { readonly [Method in (typeof METHODS)[number]]: Routing }
export type App = ((request: Request, response: Response) => void) & {
  use(handler: AnyHandler): App
  disable(name: string): App
  set(name: string, value: unknown): App
  route(path: Path): Route
} & { readonly [Method in (typeof METHODS)[number]]: Adding }

function express(): App {
  const layers: Layer[] = []
  const add = (path: Path | undefined, method: string | undefined, handlers: readonly AnyHandler[]): void => {
    const matches = path === undefined ? () => ({}) : matcher(path)
    for (const run of handlers)
      layers.push({
        matches,
        method,
        ...(run.length === 4 ? { kind: 'errors', run } : { kind: 'handler', run }),
      } as Layer)
  }
  const app = ((request: Request, response: Response) => walk(layers, request, response)) as App
  const adding =
    (method: string): Adding =>
    (path, ...handlers) => {
      add(path, method, handlers)
      return app
    }
  return Object.assign(app, {
    ...(Object.fromEntries(METHODS.map((method) => [method, adding(method)])) as Pick<App, (typeof METHODS)[number]>),
    use(handler: AnyHandler) {
      add(undefined, undefined, [handler])
      return app
    },
    // The headers that these settings control are never written by this module.
    disable: () => app,
    set: () => app,
    route(path: Path) {
      const routing =
        (method?: string): Routing =>
        (...handlers) => {
          add(path, method, handlers)
          return route
        }
      const route = { all: routing(), ...Object.fromEntries(METHODS.map((name) => [name, routing(name)])) } as Route
      return route
    },
  })
}

// biome-ignore lint/style/noDefaultExport: the package that it takes the place of has one
export default Object.assign(express, { raw: bodyAs((bytes) => bytes), text: bodyAs(textOf) })

/** Calls the matching handlers in order; after an error, the next error handler. */
function walk(layers: readonly Layer[], request: Request, response: Response): void {
  const onward = (from: number, before: unknown): void => {
    let error = before
    for (let at = from; at < layers.length; at++) {
      const layer = layers[at] as Layer
      if ((layer.kind === 'errors') !== (error !== undefined) || !isFor(layer, request.method)) continue
      try {
        const params = layer.matches(request.path)
        if (!params) continue
        request.params = params
      } catch (problem) {
        error = problem
        continue
      }
      run(layer, { error, request, response, next: (problem) => onward(at + 1, problem) })
      return
    }
    response.status(error === undefined ? 404 : 500).end()
  }
  onward(0, undefined)
}

const isFor = ({ method }: Layer, own: string): boolean =>
  method === undefined || method === own.toLowerCase() || (method === 'get' && own === 'HEAD')

interface Turn {
  readonly error: unknown
  readonly request: Request
  readonly response: Response
  readonly next: Next
}

function run(layer: Layer, { error, request, response, next }: Turn): void {
  try {
    const work =
      layer.kind === 'errors' ? layer.run(error, request, response, next) : layer.run(request, response, next)
    if (work instanceof Promise) work.catch((problem: unknown) => next(problem ?? new Error('a handler failed')))
  } catch (problem) {
    next(problem)
  }
}

/**
 * Returns a matcher for paths such as `/docs/*path` and `/shop/:order`: case-insensitive, with or without a final
 * slash.
 */
function matcher(path: Path): Layer['matches'] {
  const forms = [path].flat().map((form) => {
    const names: string[] = []
    const source = form
      .replace(/[.$()+?^|[\]\\]/g, '\\$&')
      .replace(/\/$/, '')
      .replace(/([:*])(\w+)/g, (_match, kind: string, name: string) => {
        names.push(name)
        return kind === ':' ? '([^/]+?)' : '(.+)'
      })
    return { names, pattern: new RegExp(`^${source}/?$`, 'i') }
  })
  return (text) => {
    for (const { names, pattern } of forms) {
      const found = pattern.exec(text)
      if (found) return Object.fromEntries(names.map((name, index) => [name, decodeParam(found[index + 1] ?? '')]))
    }
    return undefined
  }
}

function decodeParam(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new HttpProblem(400, `Failed to decode param '${text}'`)
  }
}

interface BodyOptions {
  readonly limit: number
  /** Compressed bodies are always refused, because this module cannot decompress. */
  readonly inflate?: boolean
}

function bodyAs(read: (bytes: Uint8Array, request: Request) => unknown) {
  return ({ limit }: BodyOptions): Handler =>
    (request, _response, next) => {
      const { bytes } = request
      if (bytes === undefined) return next()
      const encoding = (request.get('Content-Encoding') ?? 'identity').toLowerCase()
      if (encoding !== 'identity') return next(new HttpProblem(415, 'content encoding unsupported'))
      if (bytes.length > limit) return next(new HttpProblem(413, 'request entity too large'))
      request.body = read(bytes, request)
      next()
    }
}

function textOf(bytes: Uint8Array, request: Request): string {
  const charset = /;\s*charset="?([^";\s]+)"?/i.exec(request.get('Content-Type') ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    throw new HttpProblem(415, `unsupported charset "${charset.toUpperCase()}"`)
  }
}
