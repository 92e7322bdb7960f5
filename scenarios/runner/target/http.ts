/** Requests over sockets, to a service or a control interface in another process. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { HttpAnswer, HttpCall, Pending } from '../inject.ts'
import { Unreachable } from './target.ts'

export interface HttpClient {
  /** `base`: an address without a path at its end. The answer rejects with Unreachable. */
  send(base: string, call: HttpCall): Pending
  close(): void
}

export function httpClient(): HttpClient {
  const plain = new HttpAgent({ keepAlive: true })
  // A certificate of our own making on this machine is as good as none at all.
  const secure = new HttpsAgent({ keepAlive: true, rejectUnauthorized: false })
  return {
    send(base, call) {
      const url = new URL(base + call.path)
      const gone = new AbortController()
      const answer = new Promise<HttpAnswer | undefined>((resolve, reject) => {
        const lost = (error: NodeJS.ErrnoException) => {
          if (gone.signal.aborted) resolve(undefined)
          else reject(new Unreachable(`${base} cannot be reached: ${error.code ?? error.message}`))
        }
        const { method, headers = {}, body } = call
        const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
        const options = { method, signal: gone.signal, headers: { ...headers, ...length } }
        const request =
          url.protocol === 'https:'
            ? httpsRequest(url, { ...options, agent: secure })
            : httpRequest(url, { ...options, agent: plain })
        request.on('error', lost)
        request.on('response', (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(Object.entries(response.headers).map(([key, value]) => [key, String(value)])),
              text: Buffer.concat(parts).toString('utf8'),
            }),
          )
        })
        request.end(body)
      })
      return { answer, hangUp: () => gone.abort() }
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}
