import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { MockPlatformProfile } from './profile.ts'

/** Options of a session token as the platform's point of sale issues it (platform orders 1). */
export interface MintOptions {
  readonly shop: string
  readonly user?: string
  readonly now: number
  readonly lifetimeS?: number
  /** Shifts `exp`, `nbf` and `iat`. */
  readonly shiftS?: number
  readonly jti?: string
  readonly secret?: string
  /** Algorithm in the header. `none` also omits the signature. */
  readonly alg?: string
  readonly audience?: string
  /** Claims that replace the default ones. The value `undefined` removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function mintSessionToken(profile: MockPlatformProfile, options: MintOptions): string {
  const issued = Math.floor(options.now / 1000) + (options.shiftS ?? 0)
  const alg = options.alg ?? 'HS256'
  const claims = {
    iss: `https://${options.shop}/admin`,
    dest: `https://${options.shop}`,
    aud: options.audience ?? profile.clientId,
    sub: options.user ?? '42',
    exp: issued + (options.lifetimeS ?? 60),
    nbf: issued,
    iat: issued,
    jti: options.jti ?? randomUUID(),
    sid: randomUUID(),
    sig: 'ignored',
    ...options.claims,
  }
  const signed = `${base64url({ alg, typ: 'JWT' })}.${base64url(claims)}`
  if (alg === 'none') return `${signed}.`
  return `${signed}.${signature(signed, options.secret ?? profile.clientSecret)}`
}

const signature = (signed: string, secret: string): string =>
  createHmac('sha256', secret).update(signed).digest('base64url')

export interface Subject {
  readonly shop: string
  readonly user: string
}

/**
 * Returns `undefined` if the platform would not accept the token for this shop. The code shares nothing with the check
 * of the service.
 */
export function checkSessionToken(
  token: string,
  profile: MockPlatformProfile,
  shop: string,
  now: number,
): Subject | undefined {
  const [head, body, sign, ...otherParts] = token.split('.')
  if (!head || !body || !sign || otherParts.length > 0) return undefined
  const header = decode(head)
  if (header?.['alg'] !== 'HS256') return undefined
  const expected = Buffer.from(signature(`${head}.${body}`, profile.clientSecret))
  const actual = Buffer.from(sign)
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined
  const claims = decode(body)
  if (!claims) return undefined
  const { exp, nbf, aud, dest, sub } = claims
  const seconds = now / 1000
  if (typeof exp !== 'number' || exp + 10 < seconds) return undefined
  if (typeof nbf !== 'number' || nbf - 10 > seconds) return undefined
  if (aud !== profile.clientId || dest !== `https://${shop}` || typeof sub !== 'string') return undefined
  return { shop, user: sub }
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Converts the query of a token request: `?shop=`, `?user=`, `?jti=`, `?wrong=expired`. */
export function mintOptions(
  query: Readonly<Record<string, string>>,
  profile: MockPlatformProfile,
  now: number,
): Partial<MintOptions> {
  const { shop, user, jti, wrong } = query
  return {
    now,
    ...(shop !== undefined && { shop: shop.includes('.') ? shop : `${shop}.${profile.shopSuffix}` }),
    ...omitUndefined({ user, jti }),
    ...(wrong !== undefined && REFUSED_TOKENS[wrong]),
  }
}

export const REFUSED_TOKENS: Readonly<Record<string, Partial<MintOptions>>> = {
  expired: { shiftS: -3600 },
  future: { shiftS: 3600 },
  secret: { secret: 'somebody-elses-secret-somebody-elses' },
  none: { alg: 'none' },
  algorithm: { alg: 'RS256' },
  audience: { audience: 'another-app' },
  issuer: { claims: { iss: 'https://other.myshop.example/admin' } },
  host: { claims: { iss: 'https://evil.example/admin', dest: 'https://evil.example' } },
  claims: { claims: { exp: undefined, jti: undefined } },
}
