/**
 * Checks the platform's session token (platform orders 1), in this order: form, algorithm, signature, times, audience,
 * shop. No address is built from a claim before all checks have succeeded, because `dest` names the host to which the
 * service sends requests.
 */
import { z } from 'zod'
import type { PlatformProfile } from './profile.ts'
import { tokenMissing, tokenRejected } from './refusal.ts'

export interface Session {
  readonly shop: string
  readonly user: string
  /** Identity of this token. A token prints an order only once. */
  readonly id: string
  /** The token itself, for the exchange. Must never be logged. */
  readonly token: string
}

const TOKEN_MAX_BYTES = 4 * 1024
const ALGORITHM = 'HS256'

const claimsSchema = z.object({
  iss: z.string(),
  dest: z.string(),
  aud: z.string(),
  sub: z.string(),
  exp: z.number(),
  nbf: z.number(),
  iat: z.number().optional(),
  jti: z.string().min(1).max(200),
})
type Claims = z.output<typeof claimsSchema>

/**
 * Returns the token of `Authorization: Bearer TOKEN`. The case of `Bearer` does not matter. Throws 401 if there is
 * none.
 */
export function bearerToken(authorization: string | undefined): string {
  const token = /^bearer[ \t]+(\S+)[ \t]*$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw tokenMissing()
  return token
}

/** Rejects with a 401 that names the failed check. `now` is in ms. */
export async function verifySession(token: string, profile: PlatformProfile, now: number): Promise<Session> {
  checkForm(token)
  const claims = readClaims(
    profile.arrangement === 'direct' ? await verifiedPayload(token, profile.clientSecrets) : unverifiedPayload(token),
  )
  checkTimes(claims, profile.clockToleranceS, now / 1000)
  if (profile.clientId !== undefined && claims.aud !== profile.clientId) throw tokenRejected('audience')
  return { shop: shopOf(claims, profile), user: claims.sub, id: claims.jti, token }
}

function checkForm(token: string): void {
  if (Buffer.byteLength(token) > TOKEN_MAX_BYTES) throw tokenRejected('malformed')
  const parts = token.split('.')
  if (parts.length !== 3 || !parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) throw tokenRejected('malformed')
  const header = decodeJson(parts[0] ?? '')
  if (typeof header !== 'object' || header === null || !('alg' in header)) throw tokenRejected('malformed')
  // `none` and asymmetric algorithms are refused before anything is computed.
  if (header.alg !== ALGORITHM) throw tokenRejected('signature')
}

function decodeJson(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    throw tokenRejected('malformed')
  }
}

const unverifiedPayload = (token: string): unknown => decodeJson(token.split('.')[1] ?? '')

/**
 * Verifies the signature, during a rotation also with the previous secret. jose compares in constant time; it is loaded
 * with the first token.
 */
async function verifiedPayload(token: string, secrets: readonly string[]): Promise<unknown> {
  const { compactVerify, errors } = await import('jose')
  for (const secret of secrets) {
    try {
      const key = new TextEncoder().encode(secret)
      const { payload } = await compactVerify(token, key, { algorithms: [ALGORITHM] })
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw tokenRejected('malformed')
    }
  }
  throw tokenRejected('signature')
}

function readClaims(payload: unknown): Claims {
  const result = claimsSchema.safeParse(payload)
  if (!result.success) throw tokenRejected('malformed')
  return result.data
}

function checkTimes({ exp, nbf, iat }: Claims, toleranceS: number, nowS: number): void {
  if (exp <= nowS - toleranceS) throw tokenRejected('expired')
  // The message mentions the clock, because a wrong clock of the till is the most likely cause.
  if (nbf > nowS + toleranceS || (iat !== undefined && iat > nowS + toleranceS)) {
    throw tokenRejected('not yet valid (check the clock of this computer)')
  }
}

/**
 * Returns the shop. `dest` must be exactly `https://SHOP`, `iss` an address of the same host, and the configuration
 * must allow SHOP.
 */
function shopOf({ iss, dest }: Claims, { shopSuffix, allowedShops }: PlatformProfile): string {
  const host = /^https:\/\/([a-z0-9][a-z0-9.-]{0,252})\/?$/i.exec(dest)?.[1]?.toLowerCase()
  const issuer = /^https:\/\/([a-z0-9][a-z0-9.-]{0,252})(?:\/[\w./-]*)?$/i.exec(iss)?.[1]?.toLowerCase()
  if (host === undefined || host !== issuer) throw tokenRejected('shop')
  if (shopSuffix !== undefined && !isUnder(host, shopSuffix)) throw tokenRejected('shop')
  if (allowedShops.length > 0 && !allowedShops.includes(host)) throw tokenRejected('shop')
  if (shopSuffix === undefined && allowedShops.length === 0) throw tokenRejected('shop')
  return host
}

function isUnder(host: string, suffix: string): boolean {
  if (!host.endsWith(`.${suffix}`)) return false
  return /^[a-z0-9][a-z0-9-]*$/.test(host.slice(0, -suffix.length - 1))
}
