/**
 * Access rules (decisions 4): the Host must name this machine (DNS rebinding), a browser's Origin must be the service's
 * own or a configured one, and with a configured API key the caller must send it.
 */
import type { Request, RequestHandler, Response } from 'express'
import { hostOf, isFromOtherSite, isLoopback, isOwnOrigin } from '../drivers/host/request-origin.ts'
import { bearerKey, hostCheck, keyCheck } from '../drivers/host/server-access.ts'

export interface AccessRules {
  /** Host names that are accepted besides this machine's own. */
  readonly hosts: readonly string[]
  /** Browser origins that are accepted besides the service's own, e.g. `https://pos.example`. */
  readonly origins: readonly string[]
  readonly apiKey?: string
}

type SendRefusal = (response: Response, status: number, message: string) => void

/** Returns whether the caller is on this machine, by the address of the socket. */
export const isOwnMachine = ({ socket }: Request): boolean =>
  isLoopback(String(socket.remoteAddress).replace(/^::ffff:/, ''))

export function checkHost({ hosts }: AccessRules, refuse: SendRefusal): RequestHandler {
  const namesThisService = hostCheck(hosts)
  return (request, response, next) => {
    if (namesThisService(hostOf(request.headers.host))) return next()
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      return refuse(response, 400, 'The request has no Host header.')
    }
    const name = (request.headers.host ?? 'none').slice(0, 100)
    refuse(
      response,
      403,
      `The Host header (${name}) does not name this service; add the name to listen.hosts, or with --name.`,
    )
  }
}

const PREFLIGHT_MAX_AGE_S = '7200'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id'
const EXPOSED_HEADERS = 'Api-Version, Retry-After, Allow, Link, X-Unknown-Fields, X-Warnings, X-Request-Id'

const isSameOrigin = ({ socket, headers }: Request, origin: string): boolean =>
  isOwnOrigin(origin, 'encrypted' in socket ? 'https' : 'http', headers.host)

/**
 * Checks the Origin. A page of another site gets access by a configured Origin only: its requests for images, frames
 * and links carry none. Errors carry the headers too; otherwise the calling page would see only a network error.
 */
export function checkOrigin({ origins }: AccessRules, refuse: SendRefusal): RequestHandler {
  const configured = new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')))
  return (request, response, next) => {
    response.vary('Origin')
    const origin = request.headers.origin
    if (origin === undefined || isSameOrigin(request, origin)) {
      if (!isFromOtherSite(request.headers)) return next()
      return refuse(
        response,
        403,
        'Requests from other origins are not allowed. To allow an origin, add it to listen.origins.',
      )
    }
    if (!configured.has(origin.toLowerCase())) {
      return refuse(response, 403, `Pages of ${origin.slice(0, 100)} may not call this service; see listen.origins.`)
    }
    response.set('Access-Control-Allow-Origin', origin).set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (isPreflight) answerPreflight(request, response)
    else next()
  }
}

/** Answers a preflight. Runs before authentication: a preflight carries no credentials. */
function answerPreflight(request: Request, response: Response): void {
  response
    .set('Access-Control-Allow-Methods', 'GET, POST, OPTIONS')
    .set('Access-Control-Allow-Headers', ALLOWED_HEADERS)
    .set('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_S)
  // Private Network Access and its successor Local Network Access use different headers.
  for (const kind of ['Private', 'Local']) {
    if (request.headers[`access-control-request-${kind.toLowerCase()}-network`] === 'true') {
      response.set(`Access-Control-Allow-${kind}-Network`, 'true')
    }
  }
  response.status(204).end()
}

/** Checks the API key. Passes every request if no key is configured. */
export function checkApiKey({ apiKey }: AccessRules, refuse: SendRefusal): RequestHandler {
  if (apiKey === undefined) return (_request, _response, next) => next()
  const isKey = keyCheck(apiKey)
  return (request, response, next) => {
    if (isKey(bearerKey(request.headers.authorization))) return next()
    response.set('WWW-Authenticate', 'Bearer')
    refuse(response, 401, 'This service requires its API key: send the header Authorization: Bearer KEY.')
  }
}
