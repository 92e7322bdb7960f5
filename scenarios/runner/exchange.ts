/** A request of a client and its answer, as they pass: what recordings and sessions are made of. */
import type { RequestHandler, Response } from 'express'

export interface Exchange {
  readonly method: string
  /** Below `/api`. */
  readonly path: string
  /** Unchanged. */
  readonly url: string
  /** `X-Request-Id`. */
  readonly name: string
  readonly type: string | undefined
  readonly key: string | undefined
  readonly hasSession: boolean
  readonly body: string | undefined
  /** From its beginning to the answer, or until its client gave it up. */
  readonly tookMs: number
  readonly end: { readonly status: number; readonly answer: string } | 'gaveUp'
}

/** Who asked may not, or the body was not looked at: played without its credentials and its body it might print. */
const REFUSED_UNREAD: readonly number[] = [401, 403, 413, 415]

/** A recording may repeat it: its client was let in, and its body was read. */
export const isReadRequest = ({ end }: Exchange): boolean => end === 'gaveUp' || !REFUSED_UNREAD.includes(end.status)

type Hear = (exchange: Exchange, response: Response) => void

/** Tells of each request when it has been answered, or when its client has gone. `now`: milliseconds from any moment on. */
export const hearRequests =
  (hear: Hear, now: () => number = () => performance.now()): RequestHandler =>
  (request, response, next) => {
    const answer = tap(response)
    const began = now()
    let isTold = false
    const tell = (end: Exchange['end']) => {
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
      hear(exchange, response)
    }
    response.on('finish', () => {
      tell({ status: response.statusCode, answer: answer() })
    })
    // Whatever the service still does with it: its client has gone.
    response.on('close', () => {
      if (!response.writableFinished) tell('gaveUp')
    })
    next()
  }

/** The text that is sent, as it passes. */
function tap(response: Response): () => string {
  const parts: Buffer[] = []
  const { write, end } = response
  // An `end` that writes its piece by `write` is heard once.
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
