/**
 * Access rules (decisions 4). The Host must name this machine, against DNS rebinding. The Origin must be that of the
 * service or a configured one. Callers must send the API key if one is configured.
 */
import type { Request, RequestHandler, Response } from 'express'
import { hostOf, isFromOtherSite, isLoopback, isOwnOrigin } from '../drivers/host/request-origin.ts'
import { bearerKey, hostCheck, keyCheck } from '../drivers/host/server-access.ts'
import { REPLAYED_HEADER } from './envelope.ts'

export interface AccessRules {
  readonly hosts: readonly string[]
  /** Accepted browser origins besides that of the service, for example `https://pos.example`. */
  readonly origins: readonly string[]
  readonly apiKey?: string
}

type SendRefusal = (response: Response, status: number, message: string) => void

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
const EXPOSED_HEADERS = `Api-Version, Retry-After, Allow, Link, X-Unknown-Fields, X-Warnings, X-Request-Id, ${REPLAYED_HEADER}`

const isSameOrigin = ({ socket, headers }: Request, origin: string): boolean =>
  isOwnOrigin(origin, 'encrypted' in socket ? 'https' : 'http', headers.host)

/**
 * Checks the Origin. For images, frames and links of other sites, browsers send no Origin; other headers reveal those
 * requests, which are refused. Errors have the CORS headers, too, because without them a page would see only a network
 * error.
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
      return refuse(
        response,
        403,
        `Pages of ${origin.slice(0, 100)} may not call this service. To allow them, add this origin to listen.origins.`,
      )
    }
    response.set('Access-Control-Allow-Origin', origin).set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (isPreflight) answerPreflight(request, response)
    else next()
  }
}

/** Must run before the check of the API key, because a preflight request contains no credentials. */
function answerPreflight(request: Request, response: Response): void {
  response
    .set('Access-Control-Allow-Methods', 'GET, POST, OPTIONS')
    .set('Access-Control-Allow-Headers', ALLOWED_HEADERS)
    .set('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_S)
  // Private Network Access and its successor, Local Network Access, have different headers.
  for (const kind of ['Private', 'Local']) {
    if (request.headers[`access-control-request-${kind.toLowerCase()}-network`] === 'true') {
      response.set(`Access-Control-Allow-${kind}-Network`, 'true')
    }
  }
  response.status(204).end()
}

export function checkApiKey({ apiKey }: AccessRules, refuse: SendRefusal): RequestHandler {
  if (apiKey === undefined) return (_request, _response, next) => next()
  const isKey = keyCheck(apiKey)
  return (request, response, next) => {
    if (isKey(bearerKey(request.headers.authorization))) return next()
    response.set('WWW-Authenticate', 'Bearer')
    refuse(response, 401, 'This service requires its API key: send the header Authorization: Bearer KEY.')
  }
}
