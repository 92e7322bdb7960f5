/** Sends requests over sockets, to a service or a control API in another process. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { hostOf, isLoopback } from '../../../drivers/host/request-origin.ts'
import type { CallTime, HttpAnswer, HttpCall, Pending } from '../inject.ts'
import { TargetUnreachable } from './target.ts'

export interface HttpClient {
  /**
   * Sends a call to `base`, an address without a path at the end. The answer rejects with TargetUnreachable, or with
   * TimeOver if the time of the scenario ends first.
   */
  send(base: string, call: HttpCall, time?: CallTime): Pending
  close(): void
}

interface HttpClientOptions {
  readonly ca?: string
  readonly lookup?: LookupFunction
}

/** Maximum size of an answer: more than any device or service sends. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024

const USUAL_TIME: CallTime = { ms: 30_000, why: 'it had 30 s' }

/** Thrown if the time of the scenario ends while its target is still answering. */
export class TimeOver extends Error {}

/** Recognizes loopback addresses without asking a name server. */
export const isThisMachine = (url: URL): boolean => isLoopback(hostOf(url.host) ?? '')

/** The client does not follow redirects, because they would lead to a host that the user has not named. */
export function httpClient({ ca, lookup }: HttpClientOptions = {}): HttpClient {
  const seams = { keepAlive: true, ...(lookup && { lookup }) }
  const plain = new HttpAgent(seams)
  // On this machine plain HTTP is accepted, so self-signed certificates are accepted too.
  const local = new HttpsAgent({ ...seams, rejectUnauthorized: false })
  const verified = new HttpsAgent({ ...seams, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) })
  return {
    send(base, call, time = USUAL_TIME) {
      const url = new URL(base + call.path)
      const disconnected = new AbortController()
      const answer = new Promise<HttpAnswer | undefined>((resolve, reject) => {
        const late = setTimeout(() => {
          const why = `${base} has not sent a complete answer: ${time.why}`
          request.destroy(time.isGrace === false ? new TimeOver(why) : new TargetUnreachable(why))
        }, time.ms).unref()
        const onError = (error: NodeJS.ErrnoException) => {
          clearTimeout(late)
          if (disconnected.signal.aborted) resolve(undefined)
          else if (error instanceof TargetUnreachable || error instanceof TimeOver) reject(error)
          else reject(unreachable(base, error))
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

/** Reason and remedy of each code, separated by a semicolon. */
const LOST: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program listens there; start it, or correct the address',
  ECONNRESET: 'it closed the connection; see its log',
  EPIPE: 'it closed the connection; see its log',
  ENOTFOUND: 'the host name is unknown; correct the address',
  EAI_AGAIN: 'the host name cannot be looked up now; check the network',
  EHOSTUNREACH: 'there is no route to this host; check the network',
  ENETUNREACH: 'there is no route to this host; check the network',
  ETIMEDOUT: 'the host does not respond; check the address and the network',
}

function unreachable(base: string, { code, message }: NodeJS.ErrnoException): TargetUnreachable {
  const why = code ?? message
  const because = (text: string, reason: string) => new TargetUnreachable(`${base} cannot be reached: ${text}`, reason)
  const known = LOST[why]
  if (known !== undefined) return because(`${known} (${why})`, `${known.split(';')[0]} (${why})`)
  if (!/CERT|SIGNATURE/.test(why)) return because(why, why)
  const untrusted = `its certificate is not trusted (${why}); --ca FILE names the certificate of the authority that signed it`
  return because(untrusted, `its certificate is not trusted (${why})`)
}
