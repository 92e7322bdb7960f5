/**
 * A request to an express app inside this process, without a socket: nothing but turns of the event loop lies between
 * question and answer, so simulated time can tell waiting from working.
 */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Express } from 'express'

export interface HttpCall {
  readonly method: string
  /** With `/api` or `/emulator`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface Injected {
  /** Undefined: the client hung up before. */
  readonly answer: Promise<HttpAnswer | undefined>
  hangUp(): void
}

export function inject(app: Express, { method, path, headers = {}, body }: HttpCall): Injected {
  const request = new IncomingMessage(new Socket())
  const bytes = body === undefined ? undefined : Buffer.from(body, 'utf8')
  request.method = method.toUpperCase()
  request.url = path
  request.httpVersionMajor = 1
  request.httpVersionMinor = 1
  request.headers = { host: '127.0.0.1', ...lowerCased(headers) }
  if (bytes) request.headers['content-length'] = String(bytes.length)
  const response = new ServerResponse(request)
  const parts: Buffer[] = []
  let end: (answer: HttpAnswer | undefined) => void = () => undefined
  const answer = new Promise<HttpAnswer | undefined>((resolve) => (end = resolve))
  const take = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') parts.push(Buffer.from(chunk, (encoding as BufferEncoding | undefined) ?? 'utf8'))
    else if (chunk instanceof Uint8Array) parts.push(Buffer.from(chunk))
  }
  Object.assign(response, {
    write(chunk: unknown, encoding?: unknown): boolean {
      take(chunk, encoding)
      return true
    },
    end(chunk?: unknown, encoding?: unknown) {
      take(chunk, encoding)
      end({ status: response.statusCode, headers: headersOf(response), text: Buffer.concat(parts).toString('utf8') })
      response.emit('finish')
      response.emit('close')
      return response
    },
  })
  app(request as Parameters<Express>[0], response as Parameters<Express>[1])
  if (bytes) request.push(bytes)
  request.push(null)
  request.complete = true
  return {
    answer,
    hangUp() {
      end(undefined)
      response.destroy()
      response.emit('close')
    },
  }
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const headersOf = (response: ServerResponse): Record<string, string> =>
  Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name.toLowerCase(), String(value)]))
