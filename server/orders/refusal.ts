import { busy, refusal, type ServiceError } from '../operations/outcome.ts'
import { REQUEST_MAX_MS } from '../printer-queue.ts'

const NOT_CONFIGURED = 'platform is not configured'
const TOKEN_MISSING =
  "The platform's session token is missing: send it in the header Authorization, as Bearer and the token."

export const badRequest = (message: string): ServiceError => refusal(400, message)

export const tokenMissing = (): ServiceError => refusal(401, TOKEN_MISSING)

type TokenProblem =
  | 'malformed'
  | 'signature'
  | 'expired'
  | 'not yet valid (check the clock of this computer)'
  | 'audience'
  | 'shop'
  | 'already used for another order'

export const tokenRejected = (why: TokenProblem): ServiceError =>
  refusal(401, `platform session token was rejected: ${why}`)

export const platformRefused = (why: string): ServiceError => refusal(401, `the platform refused the request: ${why}`)

export const orderNotFound = (orderId: string): ServiceError => refusal(404, `platform order ${orderId} was not found`)

export const notConfigured = (why?: string): ServiceError =>
  badRequest(why === undefined ? NOT_CONFIGURED : `${NOT_CONFIGURED}: ${why}`)

export const noPlatform = (why?: string): ServiceError =>
  refusal(500, why === undefined ? 'the platform did not answer' : `the platform did not answer: ${why}`)

export const platformTooSlow = (): ServiceError =>
  noPlatform(`not within the ${REQUEST_MAX_MS / 1000} seconds that a request may take`)

export const callerDisconnected = (): ServiceError =>
  busy('Nothing was printed: the client disconnected while the service was waiting for the platform.')

export const platformLimits = (): ServiceError => refusal(500, 'the platform is limiting requests')

export function statusRefusal(status: number): ServiceError {
  switch (status) {
    case 403:
      return platformRefused('no permission to read orders')
    case 402:
    case 423:
      return platformRefused('shop locked')
    case 404:
      return notConfigured('the platform knows no such shop or version')
    case 429:
      return platformLimits()
    default:
      return noPlatform()
  }
}
