/** A request of a client and its answer, as recordings and sessions contain them. */
import type { RequestHandler, Response } from 'express'
import type { KeyUse } from '../../emulator/panel/document-export/earlier-keys.ts'
import { REPLAYED_HEADER } from '../../server/envelope.ts'
import { OTHER_REQUEST } from '../../server/operations/keys.ts'

export interface Exchange {
  readonly method: string
  /** Path below `/api`. */
  readonly path: string
  readonly url: string
  readonly name: string
  readonly type: string | undefined
  readonly key: string | undefined
  readonly hasSession: boolean
  /** True if an earlier request got this answer first. */
  readonly isReplay: boolean
  readonly body: string | undefined
  /** Time until the answer, or until the client disconnected, in ms. */
  readonly tookMs: number
  readonly end: { readonly status: number; readonly answer: string } | 'gaveUp'
}

const API = /^\/api(?=\/)/i

/**
 * Status codes of requests that were refused before their body was read. A replay would send neither their credentials
 * nor their body, and might print.
 */
const REFUSED_UNREAD: readonly number[] = [401, 403, 413, 415]

export const isReadRequest = ({ end }: Exchange): boolean => end === 'gaveUp' || !REFUSED_UNREAD.includes(end.status)

/** Methods that a step of a scenario can have (scenarios/runner/steps). */
const STEP_METHODS: readonly string[] = ['get', 'post', 'put', 'delete', 'patch']

/**
 * Returns why no step of a scenario repeats the request; `undefined` if a step does. `isAdmitted`: the request has
 * passed the checks of the service.
 */
export function whyNoStep(exchange: Exchange, isAdmitted = true): string | undefined {
  const { method, url, end, body, hasSession } = exchange
  if (!/^\/api\//i.test(url)) return 'steps send requests below /api only'
  if (!STEP_METHODS.includes(method)) return `no step sends ${method.toUpperCase()}`
  if (end === 'gaveUp') return undefined
  // A body of an unsupported type was read, and is sent again with its type.
  const isRead = isAdmitted && (isReadRequest(exchange) || (end.status === 415 && body !== undefined))
  if (!isRead) return `it was answered ${end.status} before it was read`
  return hasSession ? 'it needs the platform' : undefined
}

/** Returns whether a recording contains the request, as a step or as a remark. */
export const isRecorded = ({ end }: Exchange, isAdmitted: boolean): boolean =>
  isAdmitted || (end !== 'gaveUp' && end.status >= 400)

export const titleOf = ({ method, url }: Pick<Exchange, 'method' | 'url'>): string =>
  `${method} ${(url.split('?')[0] ?? '').replace(API, '')}`

/** Returns whether a browser sent the request while a user read the documentation. */
export const isOfReader = (method: string, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /^\/(?:$|docs\b|favicon\.ico$|emulator\/|api\/?$|api\/openapi\.json$)/.test(path)

/** Returns how the answer depends on an earlier request with the same `Idempotency-Key`. */
export const keyUseOf = ({ method, url, key, isReplay, end }: Exchange): KeyUse => ({
  key,
  needsEarlier: isReplay || (end !== 'gaveUp' && end.answer.includes(OTHER_REQUEST)),
  title: titleOf({ method, url }),
})

const ADMITTED = 'admitted'

/** Marks a request that has passed the checks of the service. Recordings need this handler after the checks. */
export const admitted: RequestHandler = (_request, response, next) => {
  response.locals[ADMITTED] = true
  next()
}

export const wasAdmitted = (response: Response): boolean => response.locals[ADMITTED] === true

type ExchangeObserver = (exchange: Exchange, response: Response) => void

/** Calls `onExchange` when a request has been answered or its client has disconnected. `now` may be any clock in ms. */
export const observeRequests =
  (onExchange: ExchangeObserver, now: () => number = () => performance.now()): RequestHandler =>
  (request, response, next) => {
    const answer = tap(response)
    const began = now()
    let isReported = false
    const report = (end: Exchange['end']) => {
      if (isReported) return
      isReported = true
      const body: unknown = request.body
      const exchange: Exchange = {
        method: request.method.toLowerCase(),
        path: request.originalUrl.replace(API, ''),
        url: request.originalUrl,
        name: String(response.get('X-Request-Id')),
        type: request.get('Content-Type'),
        key: request.get('Idempotency-Key'),
        hasSession: /-order\//.test(request.path),
        isReplay: response.get(REPLAYED_HEADER) !== undefined,
        body: Buffer.isBuffer(body) && body.length > 0 ? body.toString('utf8') : undefined,
        tookMs: now() - began,
        end,
      }
      onExchange(exchange, response)
    }
    response.on('finish', () => {
      report({ status: response.statusCode, answer: answer() })
    })
    // The client has disconnected. The service may still continue the request.
    response.on('close', () => {
      if (!response.writableFinished) report('gaveUp')
    })
    next()
  }

function tap(response: Response): () => string {
  const parts: Buffer[] = []
  const { write, end } = response
  // `end` may call `write` for its chunk.
  let isEnding = false
  const take = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string')
      parts.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'))
    else if (chunk instanceof Uint8Array) parts.push(Buffer.from(chunk))
  }
  response.write = ((...args: Parameters<typeof write>) => {
    if (!isEnding) take(args[0], args[1])
    return write.apply(response, args)
  }) as typeof write
  response.end = ((...args: Parameters<typeof end>) => {
    if (!isEnding) take(args[0], args[1])
    isEnding = true
    return end.apply(response, args)
  }) as typeof end
  return () => Buffer.concat(parts).toString('utf8')
}
