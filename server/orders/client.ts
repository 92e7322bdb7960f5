/**
 * Reads an order (platform orders 2 and 3). `direct`: the service exchanges the session token for an access token of
 * the user, stores it until shortly before it expires, and reads the order page by page. `relay`: a vendor's server
 * does both, and gets the session token unchanged.
 */
import { z } from 'zod'
import type { Clock } from '../../drivers/model/clock.ts'
import { Graph, type Warn } from './graphql-client.ts'
import { type Queries, queriesFor, REFUNDS_MAX, TRANSACTIONS_FIRST } from './graphql-queries.ts'
import { type Answer, type Deadline, PlatformHttp, type RetryBudget } from './http.ts'
import {
  firstPage,
  furtherPage,
  orderSchema,
  type PlatformOrder,
  type RefundLine,
  refundPage,
  transactionsAlone,
} from './order.ts'
import type { PlatformProfile } from './profile.ts'
import { badRequest, noPlatform, notConfigured, orderNotFound, platformRefused, statusRefusal } from './refusal.ts'
import type { Session } from './token.ts'

export interface OrderSource {
  /** Rejects with ServiceError: 401, 404, 400 or 500 (platform orders 5.7). */
  read(session: Session, orderId: string, deadline: Deadline): Promise<PlatformOrder>
}

/** `money`: the currency in which the amounts are printed. */
export function createOrderSource(
  profile: PlatformProfile,
  clock: Clock,
  warn: Warn,
  money: 'shop' | 'presentment' = 'shop',
): OrderSource {
  const http = new PlatformHttp(clock, profile.timeoutS * 1000)
  const source: OrderSource =
    profile.arrangement === 'direct'
      ? directSource(profile, clock, http, warn, queriesFor(money))
      : { read: (session, orderId, deadline) => readByRelay(profile, http.retryBudget(deadline), session, orderId) }
  return {
    async read(session, orderId, deadline) {
      const order = await source.read(session, orderId, deadline)
      if (!isNumbered(order, orderId)) throw noPlatform('it sent another order')
      return order
    },
  }
}

/**
 * Returns whether both numbers of the order match: `legacyResourceId`, and the number in the global id
 * `gid://.../Order/NUMBER`.
 */
function isNumbered({ id, legacyResourceId }: PlatformOrder, orderId: string): boolean {
  const [, global = orderId] = /\/Order\/(\d+)/.exec(id) ?? []
  return legacyResourceId === orderId && global === orderId
}

const RESTARTS_MAX = 3
/** Maximum number of lines, against an endless list of pages. No receipt can have as many. */
const LINES_MAX = 5_000
const TOKEN_MARGIN_MS = 60_000

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().optional() })

function directSource(
  profile: PlatformProfile,
  clock: Clock,
  http: PlatformHttp,
  warn: Warn,
  queries: Queries,
): OrderSource {
  const tokens = new Map<string, { readonly token: string; readonly until: number }>()

  async function read(session: Session, orderId: string, deadline: Deadline): Promise<PlatformOrder> {
    const retryBudget = http.retryBudget(deadline)
    // If the token is refused, it is exchanged once more.
    for (let attempt = 0; attempt < 2; attempt++) {
      const token = tokenFor(session) ?? (await exchange(session, retryBudget))
      const order = await readOrder(session, orderId, token, retryBudget)
      if (order !== 'token refused') return order
      tokens.delete(keyOf(session))
    }
    throw platformRefused('application not installed')
  }

  function tokenFor(session: Session): string | undefined {
    const entry = tokens.get(keyOf(session))
    return entry && entry.until > clock.now() ? entry.token : undefined
  }

  async function exchange(session: Session, retryBudget: RetryBudget): Promise<string> {
    const { clientId, clientSecrets, grantType, subjectTokenType, requestedTokenType, shopUrl } = profile
    const answer = await retryBudget.ask({
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
      tokens.set(keyOf(session), { token, until: clock.now() + lifetimeS * 1000 - TOKEN_MARGIN_MS })
    }
    return token
  }

  /** Reads all pages as one order. Starts again if the total changes between two pages. */
  async function readOrder(
    session: Session,
    orderId: string,
    token: string,
    retryBudget: RetryBudget,
  ): Promise<PlatformOrder | 'token refused'> {
    const graph = new Graph({ profile, warn, retryBudget, session, token, orderId })
    for (let attempt = 0; attempt <= RESTARTS_MAX; attempt++) {
      const order = await readPages(graph, queries)
      if (order !== 'changed') return order
    }
    throw noPlatform('the order kept changing while it was read')
  }

  return { read }
}

const keyOf = ({ shop, user }: Session): string => `${shop} ${user}`

async function readPages(graph: Graph, queries: Queries): Promise<PlatformOrder | 'changed' | 'token refused'> {
  const first = await graph.page(queries.firstPage, firstPage, undefined)
  if (first === 'token refused') return first
  const lines = await readAll(async (after) => {
    if (after === undefined) return first.lineItems
    const next = await graph.page(queries.furtherPage, furtherPage, after)
    if (next === 'token refused') return next
    return totalsOf(next) === totalsOf(first) ? next.lineItems : 'changed'
  })
  if (typeof lines === 'string') return lines
  return withRefundLines({ ...first, lineItems: { edges: lines.map((node) => ({ node })) } }, graph, queries)
}

interface Page<T> {
  readonly edges: readonly { readonly node: T }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined }
}

async function readAll<T, Word extends string>(
  page: (after: string | undefined) => Promise<Page<T> | Word>,
): Promise<readonly T[] | Word> {
  const nodes: T[] = []
  for (let after: string | undefined; ; ) {
    const read = await page(after)
    if (typeof read === 'string') return read
    nodes.push(...read.edges.map(({ node }) => node))
    const { hasNextPage, endCursor } = read.pageInfo
    if (!hasNextPage) return nodes
    if (nodes.length > LINES_MAX)
      throw badRequest(`the order has more than ${LINES_MAX} lines, which is more than the service reads`)
    if (!endCursor || endCursor === after)
      throw noPlatform('its list of lines does not end: the cursor of the next page is missing or repeated')
    after = endCursor
  }
}

type Totals = Pick<PlatformOrder, 'totalPriceSet' | 'currentTotalPriceSet'>

const totalsOf = ({ totalPriceSet, currentTotalPriceSet }: Totals): string =>
  `${totalPriceSet.shopMoney.amount} ${currentTotalPriceSet?.shopMoney.amount}`

/** Adds the remaining transactions. Adds the lines of refunds if discounts or taxes have to be divided. */
async function withRefundLines(
  order: PlatformOrder,
  graph: Graph,
  queries: Queries,
): Promise<PlatformOrder | 'token refused'> {
  const all =
    order.transactions.length < TRANSACTIONS_FIRST
      ? order
      : await graph.page(queries.transactions, transactionsAlone, undefined)
  if (all === 'token refused') return all
  const complete = { ...order, transactions: all.transactions }
  const refunds = order.refunds ?? []
  if (!needsRefundLines(order) || refunds.length > REFUNDS_MAX) return complete
  const refundLines: RefundLine[] = []
  for (const { id } of refunds) {
    const lines = await readAll(async (after) => {
      const page = await graph.refund(id, queries.refund, refundPage, after)
      return page === 'token refused' ? page : page.refundLineItems
    })
    if (lines === 'token refused') return lines
    refundLines.push(...lines)
  }
  return { ...complete, refundLines }
}

/**
 * Returns whether a line has removed units, and has a discount or an added tax. These must then be divided between
 * removed and remaining units.
 */
const needsRefundLines = ({ lineItems, taxesIncluded }: PlatformOrder): boolean =>
  lineItems.edges.some(({ node: { quantity, currentQuantity, discountAllocations, taxLines } }) => {
    const current = currentQuantity ?? quantity
    const isShared = discountAllocations.length > 0 || (taxesIncluded === false && taxLines.length > 0)
    return current > 0 && current < quantity && isShared
  })

function exchangeRefusal({ status, json }: Answer): Error {
  if (status === 402 || status === 423) return platformRefused('shop locked')
  const error = z.looseObject({ error: z.string() }).safeParse(json)
  if (error.success && error.data.error === 'invalid_subject_token') {
    return platformRefused('it did not accept the session token')
  }
  if (status >= 400 && status < 500) return notConfigured('the platform refuses the client id, its secret or the shop')
  return noPlatform()
}

const relayAnswer = z.union([
  orderSchema,
  z.object({ order: orderSchema }).transform(({ order }) => order),
  z.object({ Data: orderSchema }).transform(({ Data }) => Data),
  z.object({ data: z.object({ order: orderSchema }) }).transform(({ data }) => data.order),
])

async function readByRelay(
  { shopUrl }: PlatformProfile,
  retryBudget: RetryBudget,
  session: Session,
  orderId: string,
): Promise<PlatformOrder> {
  const answer = await retryBudget.ask({
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
