import { z } from 'zod'
import type { Clock } from '../../drivers/model/clock.ts'
import { type Answer, type Patience, PlatformHttp } from './http.ts'
import { firstPage, furtherPage, orderSchema, type PlatformOrder } from './order.ts'
import type { PlatformProfile } from './profile.ts'
import { FIRST_PAGE, FURTHER_PAGE } from './query.ts'
import { noPlatform, notConfigured, orderNotFound, platformLimits, platformRefused } from './refusal.ts'
import type { Session } from './token.ts'

/**
 * Reading an order (platform orders 2 and 3). `direct`: the session token is exchanged for an access token of
 * this user, kept until shortly before its end, and the order is read page by page. `relay`: a vendor's server does
 * both, and gets the session token as it is.
 */
export interface OrderSource {
  /** Rejects with a ServiceError: 401, 404, 400 or 500 as in the table of the sheet. */
  read(session: Session, orderId: string): Promise<PlatformOrder>
}

export type Warn = (line: string) => void

export function createOrderSource(profile: PlatformProfile, clock: Clock, warn: Warn): OrderSource {
  const http = new PlatformHttp(clock, profile.timeoutS * 1000)
  return profile.arrangement === 'direct'
    ? new DirectSource(profile, clock, http, warn)
    : { read: (session, orderId) => readByRelay(profile, http, session, orderId) }
}

const PAGE_SIZE = 50
const RESTARTS_MAX = 3
/** More lines than any receipt can have; an endless list of pages must end somewhere. */
const LINES_MAX = 5_000
const TOKEN_MARGIN_MS = 60_000

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().optional() })

class DirectSource implements OrderSource {
  readonly #profile: PlatformProfile
  readonly #clock: Clock
  readonly #http: PlatformHttp
  readonly #warn: Warn
  readonly #tokens = new Map<string, { readonly token: string; readonly until: number }>()

  constructor(profile: PlatformProfile, clock: Clock, http: PlatformHttp, warn: Warn) {
    this.#profile = profile
    this.#clock = clock
    this.#http = http
    this.#warn = warn
  }

  async read(session: Session, orderId: string): Promise<PlatformOrder> {
    const patience = this.#http.patience()
    const kept = this.#kept(session)
    if (kept !== undefined) {
      const order = await this.#readOrder(session, orderId, kept, patience)
      if (order !== 'token refused') return order
      this.#tokens.delete(keyOf(session))
    }
    const order = await this.#readOrder(session, orderId, await this.#exchange(session, patience), patience)
    if (order !== 'token refused') return order
    this.#tokens.delete(keyOf(session))
    if (kept !== undefined) throw platformRefused('application not installed')
    // The very first token was refused at once: one more exchange, then it is final.
    const again = await this.#readOrder(session, orderId, await this.#exchange(session, patience), patience)
    if (again !== 'token refused') return again
    this.#tokens.delete(keyOf(session))
    throw platformRefused('application not installed')
  }

  #kept(session: Session): string | undefined {
    const entry = this.#tokens.get(keyOf(session))
    return entry && entry.until > this.#clock.now() ? entry.token : undefined
  }

  async #exchange(session: Session, patience: Patience): Promise<string> {
    const { clientId, clientSecrets, grantType, subjectTokenType, requestedTokenType, shopUrl } = this.#profile
    const answer = await patience.ask({
      method: 'POST',
      url: `${shopUrl(session.shop)}/admin/oauth/access_token`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        client_id: clientId,
        client_secret: clientSecrets[0],
        grant_type: grantType,
        subject_token: session.token,
        subject_token_type: subjectTokenType,
        requested_token_type: requestedTokenType,
      }),
    })
    if (answer.status !== 200) throw exchangeRefusal(answer)
    const result = tokenAnswer.safeParse(answer.json)
    if (!result.success) throw noPlatform()
    const { access_token: token, expires_in: lifetimeS } = result.data
    if (lifetimeS !== undefined) {
      this.#tokens.set(keyOf(session), { token, until: this.#clock.now() + lifetimeS * 1000 - TOKEN_MARGIN_MS })
    }
    return token
  }

  /** All pages as one order; starts over when the total has changed between two of them. */
  async #readOrder(
    session: Session,
    orderId: string,
    token: string,
    patience: Patience,
  ): Promise<PlatformOrder | 'token refused'> {
    const ask = new Graph(this.#profile, this.#warn, patience, session, token, orderId)
    for (let attempt = 0; attempt <= RESTARTS_MAX; attempt++) {
      const order = await readPages(ask)
      if (order !== 'changed') return order
    }
    throw noPlatform('the order kept changing while it was read')
  }
}

const keyOf = ({ shop, user }: Session): string => `${shop} ${user}`

async function readPages(ask: Graph): Promise<PlatformOrder | 'changed' | 'token refused'> {
  const first = await ask.page(FIRST_PAGE, firstPage, undefined)
  if (first === 'token refused') return first
  const edges = [...first.lineItems.edges]
  let { hasNextPage, endCursor } = first.lineItems.pageInfo
  while (hasNextPage) {
    if (edges.length > LINES_MAX || !endCursor) throw noPlatform('its list of lines does not end')
    const next = await ask.page(FURTHER_PAGE, furtherPage, endCursor)
    if (next === 'token refused') return next
    if (next.totalPriceSet.shopMoney.amount !== first.totalPriceSet.shopMoney.amount) return 'changed'
    edges.push(...next.lineItems.edges)
    const info = next.lineItems.pageInfo
    if (info.hasNextPage && info.endCursor === endCursor) throw noPlatform('its list of lines does not end')
    ;({ hasNextPage, endCursor } = info)
  }
  return { ...first, lineItems: { edges } }
}

const graphAnswer = z.object({
  data: z.object({ order: z.unknown().optional() }).nullish(),
  errors: z
    .union([z.string(), z.array(z.looseObject({ message: z.string().optional() })), z.looseObject({})])
    .nullish(),
  extensions: z
    .looseObject({
      cost: z
        .looseObject({
          requestedQueryCost: z.number().nullish(),
          throttleStatus: z.looseObject({ currentlyAvailable: z.number(), restoreRate: z.number() }).nullish(),
        })
        .nullish(),
      requestId: z.unknown().optional(),
    })
    .nullish(),
})
type GraphAnswer = z.output<typeof graphAnswer>

/** Questions about one order with one access token; the page shrinks when the platform finds it too dear. */
class Graph {
  readonly #profile: PlatformProfile
  readonly #warn: Warn
  readonly #patience: Patience
  readonly #session: Session
  readonly #token: string
  readonly #orderId: string
  #pageSize = PAGE_SIZE

  constructor(
    profile: PlatformProfile,
    warn: Warn,
    patience: Patience,
    session: Session,
    token: string,
    orderId: string,
  ) {
    this.#profile = profile
    this.#warn = warn
    this.#patience = patience
    this.#session = session
    this.#token = token
    this.#orderId = orderId
  }

  async page<T>(query: string, schema: z.ZodType<T>, after: string | undefined): Promise<T | 'token refused'> {
    for (;;) {
      const answer = await this.#ask(query, after)
      if (answer.status === 401) return 'token refused'
      if (answer.status !== 200) throw statusRefusal(answer.status)
      const result = graphAnswer.safeParse(answer.json)
      if (!result.success) throw noPlatform()
      this.#noteVersion(answer)
      const next = await this.#judge(result.data)
      if (next === 'again') continue
      const order = result.data.data?.order
      // Only an order that is said to be null does not exist (sheet, errors of the platform).
      if (order === null) throw orderNotFound(this.#orderId)
      const read = schema.safeParse(order)
      if (!read.success) throw noPlatform('its order has not the members asked for')
      return read.data
    }
  }

  #ask(query: string, after: string | undefined): Promise<Answer> {
    const { apiVersion, accessTokenHeader, shopUrl, orderGid } = this.#profile
    const variables = { id: orderGid(this.#orderId), n: this.#pageSize, ...(after !== undefined && { after }) }
    return this.#patience.ask({
      method: 'POST',
      url: `${shopUrl(this.#session.shop)}/admin/api/${apiVersion}/graphql.json`,
      headers: { 'Content-Type': 'application/json', [accessTokenHeader]: this.#token },
      body: JSON.stringify({ query, variables }),
    })
  }

  /** Errors come with HTTP 200; some of them only want another try. */
  async #judge({ errors, extensions }: GraphAnswer): Promise<'fine' | 'again'> {
    if (errors === null || errors === undefined || (Array.isArray(errors) && errors.length === 0)) return 'fine'
    const codes = codesOf(errors)
    if (codes.includes('THROTTLED')) {
      await this.#patience.wait(throttleMs(extensions?.cost))
      return 'again'
    }
    if (codes.includes('MAX_COST_EXCEEDED') && this.#pageSize > 1) {
      this.#pageSize = Math.floor(this.#pageSize / 2)
      return 'again'
    }
    if (codes.includes('ACCESS_DENIED')) throw platformRefused('no permission to read orders')
    const requestId = requestIdOf(errors, extensions)
    this.#warn(`the platform reported an error: ${codes.join(', ') || 'without a code'}, request ${requestId}`)
    throw noPlatform(`it reported an error (request ${requestId})`)
  }

  #noteVersion(answer: Answer): void {
    const { versionHeader, apiVersion } = this.#profile
    const used = answer.header(versionHeader)
    if (used !== null && used !== apiVersion) {
      this.#warn(`the platform answered with version ${used} of its interface instead of ${apiVersion}`)
    }
  }
}

/** The platform sends a text, a list or an object, depending on what went wrong. */
function codesOf(errors: NonNullable<GraphAnswer['errors']>): readonly string[] {
  const list = typeof errors === 'string' ? [{ message: errors }] : Array.isArray(errors) ? errors : [errors]
  return list.flatMap((error) => {
    const { extensions, message } = error as { extensions?: { code?: unknown }; message?: unknown }
    if (typeof extensions?.code === 'string') return [extensions.code]
    return message === 'Throttled' ? ['THROTTLED'] : []
  })
}

function requestIdOf(errors: NonNullable<GraphAnswer['errors']>, extensions: GraphAnswer['extensions']): string {
  const first = Array.isArray(errors) ? (errors[0] as { extensions?: { requestId?: unknown } } | undefined) : undefined
  const id = first?.extensions?.requestId ?? extensions?.requestId
  return typeof id === 'string' && /^[\w-]{1,80}$/.test(id) ? id : 'without an id'
}

type Cost = NonNullable<GraphAnswer['extensions']>['cost']

function throttleMs(cost: Cost): number | undefined {
  const status = cost?.throttleStatus
  if (!status || status.restoreRate <= 0) return undefined
  return (((cost?.requestedQueryCost ?? 0) - status.currentlyAvailable) / status.restoreRate) * 1000
}

function exchangeRefusal({ status, json }: Answer): Error {
  if (status === 402 || status === 423) return platformRefused('shop locked')
  const error = z.looseObject({ error: z.string() }).safeParse(json)
  if (error.success && error.data.error === 'invalid_subject_token') {
    return platformRefused('it did not accept the session token')
  }
  if (status >= 400 && status < 500) return notConfigured('the platform refuses the client id, its secret or the shop')
  return noPlatform()
}

function statusRefusal(status: number): Error {
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

/** What a vendor's server answers: the order as it is, or wrapped once. */
const relayAnswer = z.union([
  orderSchema,
  z.object({ order: orderSchema }).transform(({ order }) => order),
  z.object({ Data: orderSchema }).transform(({ Data }) => Data),
  z.object({ data: z.object({ order: orderSchema }) }).transform(({ data }) => data.order),
])

async function readByRelay(
  { shopUrl }: PlatformProfile,
  http: PlatformHttp,
  session: Session,
  orderId: string,
): Promise<PlatformOrder> {
  const answer = await http.patience().ask({
    method: 'GET',
    url: `${shopUrl(session.shop)}/orders/${orderId}`,
    headers: { Authorization: `Bearer ${session.token}` },
  })
  if (answer.status === 401) throw platformRefused('application not installed')
  if (answer.status === 404) throw orderNotFound(orderId)
  if (answer.status !== 200) throw statusRefusal(answer.status)
  const result = relayAnswer.safeParse(answer.json)
  if (!result.success) throw noPlatform()
  return result.data
}
