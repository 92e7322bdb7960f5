/** A request of a client and its answer: the content of recordings and sessions. */
import type { RequestHandler, Response } from 'express'

export interface Exchange {
  readonly method: string
  /** Path below `/api`. */
  readonly path: string
  /** The URL as received. */
  readonly url: string
  /** `X-Request-Id`. */
  readonly name: string
  readonly type: string | undefined
  readonly key: string | undefined
  readonly hasSession: boolean
  readonly body: string | undefined
  /** Time from its beginning to the answer, or until its client gave up. */
  readonly tookMs: number
  readonly end: { readonly status: number; readonly answer: string } | 'gaveUp'
}

/**
 * The client was refused, or the body was not read: replayed without its credentials and its body, the request might
 * print.
 */
const REFUSED_UNREAD: readonly number[] = [401, 403, 413, 415]

/** Returns true if a recording may repeat the request: the client was admitted, and the body was read. */
export const isReadRequest = ({ end }: Exchange): boolean => end === 'gaveUp' || !REFUSED_UNREAD.includes(end.status)

type ExchangeObserver = (exchange: Exchange, response: Response) => void

/**
 * Calls `onExchange` for each request when it has been answered, or when its client has disconnected. `now`: ms from
 * any origin.
 */
export const observeRequests =
  (onExchange: ExchangeObserver, now: () => number = () => performance.now()): RequestHandler =>
  (request, response, next) => {
    const answer = tap(response)
    const began = now()
    let isTold = false
    const report = (end: Exchange['end']) => {
      if (isTold) return
      isTold = true
      const body: unknown = request.body
      const exchange: Exchange = {
        method: request.method.toLowerCase(),
        path: request.originalUrl.replace(/^\/api/i, ''),
        url: request.originalUrl,
        name: String(response.get('X-Request-Id')),
        type: request.get('Content-Type'),
        key: request.get('Idempotency-Key'),
        hasSession: /-order\//.test(request.path),
        body: Buffer.isBuffer(body) && body.length > 0 ? body.toString('utf8') : undefined,
        tookMs: now() - began,
        end,
      }
      onExchange(exchange, response)
    }
    response.on('finish', () => {
      report({ status: response.statusCode, answer: answer() })
    })
    // The service may continue the request, but its client has disconnected.
    response.on('close', () => {
      if (!response.writableFinished) report('gaveUp')
    })
    next()
  }

/** Collects the text of the response while it is sent. */
function tap(response: Response): () => string {
  const parts: Buffer[] = []
  const { write, end } = response
  // If `end` calls `write` for its chunk, the chunk is collected once.
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
