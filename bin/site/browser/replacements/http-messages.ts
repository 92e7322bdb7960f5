/** Request and response as express's handlers use them, without a socket. */
import { ByteBuffer } from './buffer.ts'

export type Next = (error?: unknown) => void
export type Handler = (request: Request, response: Response, next: Next) => unknown

export interface RequestParts {
  readonly method: string
  readonly path: string
  /** Order is significant; a name may appear twice. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array | string | undefined
}

/** Headers of which Node drops a second value. */
const SINGLE_HEADERS = new Set(['authorization', 'content-length', 'content-type', 'host', 'referer', 'user-agent'])

export class Request {
  readonly method: string
  readonly originalUrl: string
  readonly url: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly rawHeaders: readonly string[]
  readonly httpVersion = '1.1'
  readonly socket = { remoteAddress: '127.0.0.1' }
  readonly query: Readonly<Record<string, string | string[]>>
  readonly bytes: ByteBuffer | undefined
  params: Readonly<Record<string, string>> = {}
  body: unknown

  constructor({ method, path, headers, body }: RequestParts) {
    this.method = method.toUpperCase()
    this.originalUrl = path
    this.url = path
    const [place = '', search = ''] = path.split(/\?(.*)/s)
    this.path = place
    this.query = queryOf(search)
    this.bytes = body === undefined ? undefined : ByteBuffer.from(body)
    const all = this.bytes === undefined ? headers : [...headers, ['Content-Length', `${this.bytes.length}`] as const]
    this.rawHeaders = all.flat()
    this.headers = headersOf(all)
  }

  get(name: string): string | undefined {
    return this.headers[name.toLowerCase()]
  }
}

function headersOf(all: RequestParts['headers']): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [givenName, value] of all) {
    const name = givenName.toLowerCase()
    const before = headers[name]
    if (before === undefined) headers[name] = value
    else if (!SINGLE_HEADERS.has(name)) headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`
  }
  return headers
}

function queryOf(search: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(search)) {
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}

export interface Receiver {
  head(status: number, headers: readonly (readonly [name: string, value: string])[]): void
  piece(bytes: Uint8Array): void
  end(): void
}

const STATUS_WORDS: Readonly<Record<number, string>> = { 302: 'Found' }
const TYPES: Readonly<Record<string, string>> = { json: 'application/json', text: 'text/plain', html: 'text/html' }
/** Types to which express adds a charset. */
const HAS_LETTERS = /^(?:text\/|application\/(?:json|javascript)$)/

export class Response {
  statusCode = 200
  headersSent = false
  destroyed = false
  writableFinished = false
  /** Always 0, because data are passed on immediately. */
  readonly writableLength = 0
  readonly locals: Record<string, unknown> = {}
  readonly #headers = new Map<string, readonly [name: string, value: string]>()
  readonly #listeners: { readonly event: string; readonly call: () => void }[] = []
  readonly #request: Request
  readonly #receiver: Receiver

  constructor(request: Request, receiver: Receiver) {
    this.#request = request
    this.#receiver = receiver
  }

  on(event: string, call: () => void): this {
    this.#listeners.push({ event, call })
    return this
  }

  #emit(event: string): void {
    for (const { event: own, call } of this.#listeners) if (own === event) call()
  }

  status(status: number): this {
    this.statusCode = status
    return this
  }

  set(name: string | Readonly<Record<string, unknown>>, value?: unknown): this {
    if (typeof name !== 'string') {
      for (const [own, one] of Object.entries(name)) this.set(own, one)
      return this
    }
    const text = String(value)
    const isType = name.toLowerCase() === 'content-type'
    const needsCharset = isType && HAS_LETTERS.test(text)
    this.#headers.set(name.toLowerCase(), [name, needsCharset ? `${text}; charset=utf-8` : text])
    return this
  }

  get(name: string): string | undefined {
    return this.#headers.get(name.toLowerCase())?.[1]
  }

  vary(name: string): this {
    const before = this.get('Vary')
    const names = before?.split(',').map((name) => name.trim()) ?? []
    return names.includes(name) ? this : this.set('Vary', [...names, name].join(', '))
  }

  type(type: string): this {
    const own = type.replace(/^\./, '')
    return this.set('Content-Type', type.includes('/') ? type : (TYPES[own] ?? 'application/octet-stream'))
  }

  json(value: unknown): this {
    if (this.get('Content-Type') === undefined) this.type('json')
    return this.send(JSON.stringify(value))
  }

  send(body: string | Uint8Array = ''): this {
    const type = this.get('Content-Type')
    if (typeof body !== 'string') {
      if (type === undefined) this.set('Content-Type', 'application/octet-stream')
    } else if (type === undefined) this.type('html')
    else this.#headers.set('content-type', ['Content-Type', `${type.replace(/;\s*charset=[^;]*/i, '')}; charset=utf-8`])
    const bytes = ByteBuffer.from(body)
    this.set('Content-Length', bytes.length)
    if (this.statusCode !== 204) return this.end(bytes)
    for (const name of ['content-type', 'content-length']) this.#headers.delete(name)
    return this.end()
  }

  redirect(address: string): this {
    this.status(302).set('Location', address).vary('Accept')
    const words = `${STATUS_WORDS[302]}. Redirecting to ${address}`
    return this.type('text').send(words)
  }

  writeHead(status: number, headers: Readonly<Record<string, string>>): this {
    this.statusCode = status
    for (const [name, value] of Object.entries(headers)) this.#headers.set(name.toLowerCase(), [name, value])
    this.#sendHead()
    return this
  }

  write(piece: string | Uint8Array): boolean {
    this.#sendHead()
    this.#push(ByteBuffer.from(piece))
    return true
  }

  end(piece?: string | Uint8Array): this {
    if (this.destroyed || this.writableFinished) return this
    this.#sendHead()
    if (piece !== undefined) this.#push(ByteBuffer.from(piece))
    this.writableFinished = true
    this.#receiver.end()
    // Events are emitted after the handler has returned, as with a socket.
    queueMicrotask(() => {
      this.#emit('finish')
      this.#emit('close')
    })
    return this
  }

  destroy(): void {
    if (this.destroyed || this.writableFinished) return
    this.destroyed = true
    this.#emit('close')
  }

  #sendHead(): void {
    if (this.headersSent) return
    this.headersSent = true
    this.#receiver.head(this.statusCode, [...this.#headers.values()])
  }

  #push(bytes: Uint8Array): void {
    if (!this.destroyed && bytes.length > 0 && this.#request.method !== 'HEAD') this.#receiver.piece(bytes)
  }
}
