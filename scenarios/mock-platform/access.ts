/** Exchanges session tokens for access tokens, and stores the scopes of access tokens (platform orders 2). */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../drivers/model/clock.ts'
import { GRANT_EXCHANGE, ID_TOKEN, type MockPlatformProfile } from './profile.ts'
import { checkSessionToken, type Subject } from './session-token.ts'

interface AccessToken extends Subject {
  readonly token: string
  readonly scopes: readonly string[]
  /** Expiry time on the clock in ms, or `undefined` if the token does not expire. */
  readonly until: number | undefined
}

export interface Shop {
  readonly installed: boolean
  readonly scopes: readonly string[]
  readonly withoutPermission: readonly string[]
  readonly locked: boolean
}

export const ORDINARY_SHOP: Shop = { installed: true, scopes: ['read_orders'], withoutPermission: [], locked: false }

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const ONLINE_LIFETIME_S = 86_399
const OFFLINE_LIFETIME_S = 3_600
const REFRESH_LIFETIME_S = 7_776_000

const refuse = (error: string, description: string): Answer => ({
  status: 400,
  body: { error, error_description: description },
})

export class Access {
  readonly #profile: MockPlatformProfile
  readonly #clock: Clock
  readonly #live = new Map<string, AccessToken>()
  readonly #refresh = new Map<
    string,
    { readonly subject: Subject; readonly scopes: readonly string[]; until: number }
  >()

  constructor(profile: MockPlatformProfile, clock: Clock) {
    this.#profile = profile
    this.#clock = clock
  }

  find(token: string, shop: string): AccessToken | undefined {
    const entry = this.#live.get(token)
    if (!entry || entry.shop !== shop) return undefined
    return entry.until === undefined || entry.until > this.#clock.now() ? entry : undefined
  }

  revokeAll(): void {
    this.#live.clear()
  }

  exchange(form: Readonly<Record<string, unknown>>, shop: string, rules: Shop): Answer {
    if (form['client_id'] !== this.#profile.clientId || form['client_secret'] !== this.#profile.clientSecret) {
      return { status: 401, body: { error: 'invalid_client', error_description: 'Client authentication failed' } }
    }
    if (form['grant_type'] === 'refresh_token') return this.#refreshed(form)
    if (form['grant_type'] !== GRANT_EXCHANGE) return refuse('unsupported_grant_type', 'Unknown grant type')
    if (form['subject_token_type'] !== ID_TOKEN) return refuse('invalid_request', 'Unknown subject token type')
    const subject = checkSessionToken(String(form['subject_token'] ?? ''), this.#profile, shop, this.#clock.wallTime())
    if (!subject) return refuse('invalid_subject_token', 'The session token is invalid or has expired')
    const kind = form['requested_token_type']
    const prefix = this.#profile.tokenTypePrefix
    if (kind === `${prefix}online-access-token`) return this.#online(subject, rules)
    if (kind !== undefined && kind !== `${prefix}offline-access-token`) {
      return refuse('invalid_request', 'Unknown requested token type')
    }
    return this.#offline(subject, rules.scopes, String(form['expiring'] ?? '0') === '1')
  }

  #issue(subject: Subject, scopes: readonly string[], lifetimeS: number | undefined): string {
    const token = `at_${randomBytes(24).toString('hex')}`
    const until = lifetimeS === undefined ? undefined : this.#clock.now() + lifetimeS * 1000
    this.#live.set(token, { ...subject, token, scopes, until })
    return token
  }

  #online(subject: Subject, { scopes }: Shop): Answer {
    return {
      status: 200,
      body: {
        access_token: this.#issue(subject, scopes, ONLINE_LIFETIME_S),
        scope: scopes.join(','),
        expires_in: ONLINE_LIFETIME_S,
        associated_user_scope: scopes.join(','),
        associated_user: {
          id: Number(subject.user),
          first_name: 'Demo',
          last_name: 'Cashier',
          email: 'cashier@demo.example',
          email_verified: true,
          account_owner: false,
          locale: 'en',
          collaborator: false,
        },
      },
    }
  }

  #offline(subject: Subject, scopes: readonly string[], expiring: boolean): Answer {
    const token = this.#issue(subject, scopes, expiring ? OFFLINE_LIFETIME_S : undefined)
    const body = { access_token: token, scope: scopes.join(',') }
    if (!expiring) return { status: 200, body }
    const refresh = `rt_${randomBytes(24).toString('hex')}`
    this.#refresh.set(refresh, { subject, scopes, until: this.#clock.now() + REFRESH_LIFETIME_S * 1000 })
    const rest = {
      expires_in: OFFLINE_LIFETIME_S,
      refresh_token: refresh,
      refresh_token_expires_in: REFRESH_LIFETIME_S,
    }
    return { status: 200, body: { ...body, ...rest } }
  }

  #refreshed(form: Readonly<Record<string, unknown>>): Answer {
    const token = String(form['refresh_token'] ?? '')
    const entry = this.#refresh.get(token)
    this.#refresh.delete(token)
    if (!entry || entry.until <= this.#clock.now()) return refuse('invalid_grant', 'The refresh token is not valid')
    return this.#offline(entry.subject, entry.scopes, true)
  }
}
