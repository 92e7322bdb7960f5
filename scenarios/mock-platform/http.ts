import type { IncomingMessage, ServerResponse } from 'node:http'
import { NO_EMBED_HEADERS } from '../../drivers/host/request-origin.ts'
import type { Answer } from './access.ts'
import type { FaultRule } from './faults.ts'

export type EndpointName = 'exchange' | 'graphql' | 'relay'

const BODY_MAX_BYTES = 1024 * 1024
export const INVALID_KEY = '[API] Invalid API key or access token (unrecognized login or wrong password)'

export interface Question {
  readonly method: string
  readonly shop: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export function addressOf(pathname: string, host: string): { readonly shop: string; readonly path: string } {
  const match = /^\/([^/]+)(\/.*)$/.exec(pathname)
  if (match && /[^.]\.[^.]/.test(match[1] ?? '')) return { shop: (match[1] ?? '').toLowerCase(), path: match[2] ?? '/' }
  return { shop: host.replace(/:\d+$/, '').toLowerCase(), path: pathname }
}

export function placeOf(path: string): EndpointName | undefined {
  if (path === '/admin/oauth/access_token') return 'exchange'
  if (/^\/admin\/api\/[^/]+\/graphql\.json$/.test(path)) return 'graphql'
  return /^\/orders\/\d+$/.test(path) ? 'relay' : undefined
}

export const refusal = (message: string, extensions: object, extraMembers?: object): Answer => ({
  status: 200,
  body: { errors: [{ message, extensions }], ...(extraMembers && { extensions: extraMembers }) },
})

export function brokenAnswer(fault: FaultRule | undefined): Answer | undefined {
  switch (fault?.do) {
    case 'error500':
      return { status: 500, body: { errors: 'Internal Server Error' } }
    case 'error502':
      return { status: 502, body: '<html><body>Bad Gateway</body></html>' }
    case 'html':
      return { status: 200, body: '<html><body>Be right back</body></html>' }
    case 'tooMany':
      return { status: 429, body: { errors: 'Throttled' }, headers: { 'Retry-After': String(fault.retryAfterS ?? 1) } }
    case 'unauthorized':
      return { status: 401, body: { errors: INVALID_KEY } }
    // These faults do not replace the answer.
    case 'delay':
    case 'hang':
    case 'reset':
    case 'truncated':
    case 'changedTotal':
    case undefined:
      return undefined
  }
}

export function send(response: ServerResponse, { status, body, headers }: Answer, fault?: FaultRule): void {
  const isText = typeof body === 'string'
  const text = isText ? body : JSON.stringify(body)
  const type = isText ? (body.startsWith('<') ? 'text/html' : 'text/plain') : 'application/json'
  response.writeHead(status, { ...NO_EMBED_HEADERS, 'Content-Type': type, ...headers })
  response.end(fault?.do === 'truncated' ? text.slice(0, Math.floor(text.length / 2)) : text)
}

export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export function formOf(type: string, body: string): Readonly<Record<string, unknown>> | undefined {
  if (/^application\/json\b/i.test(type)) return parseJson(body)
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return Object.fromEntries(new URLSearchParams(body))
  return undefined
}
