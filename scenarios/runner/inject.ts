/**
 * Sends requests to an Express app in this process, without a socket. Only turns of the event loop separate request and
 * answer, so simulated time can distinguish waiting from working.
 */
import type { ServerResponse } from 'node:http'
import type { Express } from 'express'
import { inject as injectInto, type Response } from 'light-my-request'

export interface HttpCall {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface CallTime {
  readonly ms: number
  readonly why: string
  /**
   * True after the end of the scenario, while the device is restored. A target that remains silent then is unreachable.
   */
  readonly isGrace?: boolean
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface Pending {
  /** Resolves to `undefined` if the client hung up first. Rejects if the service cannot be reached. */
  readonly answer: Promise<HttpAnswer | undefined>
  hangUp(): void
}

export function inject(app: Express, { method, path, headers = {}, body }: HttpCall): Pending {
  let response: ServerResponse | undefined
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const answer = injectInto(
    (request, plain) => {
      // Express replaces the prototypes of both objects, so the methods that collect the answer must be own members.
      const { write, end, writeHead, destroy } = plain
      response = Object.assign(plain, { write, end, writeHead, destroy })
      app(request, response)
    },
    { method, url: path, headers: { host: '127.0.0.1', ...headers, ...length }, payload: body ?? '' },
  )
  return { answer: answer.then(answerOf, hungUp), hangUp: () => response?.destroy() }
}

const answerOf = ({ statusCode, headers, payload }: Response): HttpAnswer => ({
  status: statusCode,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  text: payload,
})

function hungUp(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'LIGHT_ECONNRESET') throw error
}
