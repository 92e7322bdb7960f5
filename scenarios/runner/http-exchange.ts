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

/**
 * Status codes of requests that were refused before their body was read. A replay would send neither their credentials
 * nor their body, and might print.
 */
const REFUSED_UNREAD: readonly number[] = [401, 403, 413, 415]

export const isReadRequest = ({ end }: Exchange): boolean => end === 'gaveUp' || !REFUSED_UNREAD.includes(end.status)

/** Returns how the answer depends on an earlier request with the same `Idempotency-Key`. */
export const keyUseOf = ({ method, path, key, isReplay, end }: Exchange): KeyUse => ({
  key,
  needsEarlier: isReplay || (end !== 'gaveUp' && end.answer.includes(OTHER_REQUEST)),
  title: `${method} ${path}`,
})

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
        path: request.originalUrl.replace(/^\/api/i, ''),
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
