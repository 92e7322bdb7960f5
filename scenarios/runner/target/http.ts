/** Requests over sockets, to a service or a control API in another process. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { hostOf, isLoopback } from '../../../drivers/host/request-origin.ts'
import type { CallTime, HttpAnswer, HttpCall, Pending } from '../inject.ts'
import { TargetUnreachable } from './target.ts'

export interface HttpClient {
  /**
   * `base`: an address without a path at its end. The answer rejects with TargetUnreachable, or with TimeOver if the
   * scenario's time ends before the answer is complete.
   */
  send(base: string, call: HttpCall, time?: CallTime): Pending
  close(): void
}

interface HttpClientOptions {
  /** Certificate of an additional trusted authority, in PEM. */
  readonly ca?: string
  readonly lookup?: LookupFunction
}

/** Maximum size of an answer, in bytes: more than any device or service sends. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024

/** Time of a call that belongs to no scenario. */
const USUAL_TIME: CallTime = { ms: 30_000, why: 'it had 30 s' }

/** The scenario's time is over while its target still answers: the scenario has failed, but the target is reachable. */
export class TimeOver extends Error {}

/** Returns true if the address names this machine, whatever a name server answers. */
export const isThisMachine = (url: URL): boolean => isLoopback(hostOf(url.host) ?? '')

/** Redirects are not followed: they would lead to a host that the caller has not named. */
export function httpClient({ ca, lookup }: HttpClientOptions = {}): HttpClient {
  const seams = { keepAlive: true, ...(lookup && { lookup }) }
  const plain = new HttpAgent(seams)
  // Plain HTTP is accepted on this machine, so a self-signed certificate is accepted too.
  const local = new HttpsAgent({ ...seams, rejectUnauthorized: false })
  const verified = new HttpsAgent({ ...seams, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) })
  return {
    send(base, call, time = USUAL_TIME) {
      const url = new URL(base + call.path)
      const disconnected = new AbortController()
      const answer = new Promise<HttpAnswer | undefined>((resolve, reject) => {
        const late = setTimeout(() => {
          const why = `${base} sends no whole answer: ${time.why}`
          request.destroy(time.isGrace === false ? new TimeOver(why) : new TargetUnreachable(why))
        }, time.ms).unref()
        const onError = (error: NodeJS.ErrnoException) => {
          clearTimeout(late)
          if (disconnected.signal.aborted) resolve(undefined)
          else if (error instanceof TargetUnreachable || error instanceof TimeOver) reject(error)
          else reject(new TargetUnreachable(`${base} cannot be reached: ${whyLost(error)}`))
        }
        const { method, headers = {}, body } = call
        const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
        const options = { method, signal: disconnected.signal, headers: { ...headers, ...length } }
        const request =
          url.protocol === 'https:'
            ? httpsRequest(url, { ...options, agent: isThisMachine(url) ? local : verified })
            : httpRequest(url, { ...options, agent: plain })
        request.on('error', onError)
        request.on('response', (response) => {
          const parts: Buffer[] = []
          let length = 0
          response.on('data', (part: Buffer) => {
            length += part.length
            parts.push(part)
            if (length <= ANSWER_MAX_BYTES) return
            parts.length = 0
            const most = ANSWER_MAX_BYTES / 1024 / 1024
            response.destroy(new TargetUnreachable(`${base} sends an answer of more than ${most} MiB`))
          })
          response.on('error', onError)
          response.on('end', () => {
            clearTimeout(late)
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(Object.entries(response.headers).map(([key, value]) => [key, String(value)])),
              text: Buffer.concat(parts).toString('utf8'),
            })
          })
        })
        request.end(body)
      })
      return { answer, hangUp: () => disconnected.abort() }
    },
    close() {
      plain.destroy()
      local.destroy()
      verified.destroy()
    },
  }
}

/** Adds the remedy for a certificate that is not trusted. */
function whyLost({ code, message }: NodeJS.ErrnoException): string {
  const why = code ?? message
  if (!/CERT|SIGNATURE/.test(why)) return why
  return `its certificate is not trusted (${why}); --ca FILE names the certificate of the authority that signed it`
}
