import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import { whyForeignPage, whyNotLocal } from '../../drivers/host/request-origin.ts'
import { type Clock, systemClock } from '../../drivers/model/clock.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { Access, type Answer, ORDINARY_SHOP, type Shop } from './access.ts'
import { type ControlRequest, controlAnswer } from './control.ts'
import { type BucketRules, CostBucket, QUERY_COST_MAX, STANDARD_PLAN } from './cost-bucket.ts'
import { FaultPlan, type FaultRule } from './faults.ts'
import { prepareQuery } from './graphql.ts'
import {
  addressOf,
  brokenAnswer,
  type EndpointName,
  formOf,
  INVALID_KEY,
  parseJson,
  placeOf,
  type Question,
  readBody,
  refusal,
  send,
} from './http.ts'
import { changeLife, newLife } from './order-changes.ts'
import { OrderChangeError, type OrderLife } from './order-life.ts'
import { type StoredOrder, storedOrder } from './orders.ts'
import { DEFAULT_PROFILE, DEMO_SHOP, type MockPlatformProfile, versionFor } from './profile.ts'
import { checkSessionToken, type MintOptions, mintSessionToken } from './session-token.ts'
import type { LoggedRequest, MockPlatform } from './types.ts'

export type { MockPlatform } from './types.ts'

/**
 * The mock server of the platform (platform orders 6): token exchange, orders over GraphQL, throttling, faults and a
 * request log. It was written from documentation and public client code, without access to the platform. The first
 * segment of the path (`http://127.0.0.1:4010/demo.myshop.example/admin/...`) or the Host header names the shop.
 * `/mock-platform/...` is the control API.
 */
export interface MockPlatformOptions {
  readonly orders: readonly StoredOrder[]
  readonly profile?: Partial<MockPlatformProfile>
  readonly clock?: Clock
  readonly shops?: Readonly<Record<string, Partial<Shop>>>
  readonly bucket?: BucketRules
  readonly queryCostMax?: number
}

const SIXTY_DAYS_MS = 60 * 24 * 60 * 60 * 1000

export async function startMockPlatform(port: number, options: MockPlatformOptions): Promise<MockPlatform> {
  const mockPlatform = new Platform(options)
  await mockPlatform.listen(port)
  return mockPlatform
}

class Platform implements MockPlatform {
  readonly profile: MockPlatformProfile
  readonly faults = new FaultPlan()
  readonly #log: LoggedRequest[] = []
  readonly #options: MockPlatformOptions
  readonly #clock: Clock
  readonly #access: Access
  readonly #orders: Map<string, StoredOrder>
  readonly #lives = new Map<string, OrderLife>()
  readonly #buckets = new Map<string, CostBucket>()
  readonly #server: Server

  constructor(options: MockPlatformOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.profile = { ...DEFAULT_PROFILE, ...options.profile }
    this.#access = new Access(this.profile, this.#clock)
    this.#orders = new Map(options.orders.map((order) => [order.id, order]))
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy())
    })
  }

  get orders(): readonly StoredOrder[] {
    return [...this.#orders.values()]
  }

  put(order: StoredOrder): void {
    this.#orders.set(order.id, order)
  }

  live(id: string | undefined, input: unknown): StoredOrder {
    const life = id === undefined ? newLife(input) : this.#lives.get(id)
    if (!life) {
      throw new OrderChangeError(
        `order ${id} was not created by POST /mock-platform/orders: only such orders can be changed`,
      )
    }
    if (id !== undefined) changeLife(life, input)
    const order = storedOrder(life.toOrderCase())
    this.#lives.set(order.id, life)
    this.put(order)
    return order
  }

  get log(): readonly LoggedRequest[] {
    return this.#log
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async listen(port: number): Promise<void> {
    await listenLocally(this.#server, port)
  }

  close(): Promise<void> {
    return closeAtOnce(this.#server)
  }

  mint(options: Partial<MintOptions> = {}): string {
    return mintSessionToken(this.profile, {
      shop: `${DEMO_SHOP}.${this.profile.shopSuffix}`,
      now: this.#clock.wallTime(),
      ...options,
    })
  }

  revokeAccessTokens(): void {
    this.#access.revokeAll()
  }

  emptyBucket(shop: string): void {
    this.#bucket(shop).empty()
  }

  #control(request: ControlRequest): Answer {
    return controlAnswer(this, [...this.#orders.values()], this.#clock.wallTime(), request)
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '/', 'http://mock-platform')
    if (!url) return send(response, { status: 400, body: { error: 'no address' } })
    // Control requests must use a local host name. A web page could otherwise read a token by DNS rebinding. Platform
    // requests use the names of shops.
    const isControl = url.pathname.startsWith('/mock-platform/')
    const why = isControl ? whyNotLocal(request.headers) : whyForeignPage(request.headers)
    if (why !== undefined) return send(response, { status: 403, body: { error: why } })
    const body = await readBody(request)
    if (body === undefined) return send(response, { status: 413, body: { error: 'body too large' } })
    if (isControl) return send(response, this.#control({ method: request.method ?? 'GET', url, body }))
    const { shop, path } = addressOf(url.pathname, request.headers.host ?? '')
    const question: Question = { method: request.method ?? 'GET', shop, path, headers: request.headers, body }
    const place = placeOf(path)
    if (!place) return send(response, { status: 404, body: { errors: 'Not Found' } })
    const fault = this.faults.take(place)
    if (fault?.do === 'hang') return this.#note(place, question, 0, fault)
    if (fault?.do === 'reset') {
      this.#note(place, question, 0, fault)
      return void request.socket.resetAndDestroy()
    }
    if (fault?.do === 'delay') await new Promise<void>((resolve) => this.#clock.after(fault.ms ?? 1000, resolve))
    const answer = brokenAnswer(fault) ?? (await this.#answer(place, question, fault))
    this.#note(place, question, answer.status, fault)
    send(response, answer, fault)
  }

  #answer(place: EndpointName, question: Question, fault: FaultRule | undefined): Answer | Promise<Answer> {
    switch (place) {
      case 'exchange':
        return this.#exchange(question)
      case 'graphql':
        return this.#graphql(question, fault)
      case 'relay':
        return this.#relay(question)
    }
  }

  #note(place: EndpointName, { shop, path, body }: Question, status: number, fault?: FaultRule): void {
    const version = /\/api\/([^/]+)\//.exec(path)?.[1]
    const variables = place === 'graphql' ? parseJson(body)?.['variables'] : undefined
    this.#log.push({
      at: this.#clock.wallTime(),
      place,
      shop,
      status,
      ...omitUndefined({ fault: fault?.do, version, variables }),
    })
  }

  #shop(host: string): Shop | undefined {
    const suffix = `.${this.profile.shopSuffix}`
    if (!host.endsWith(suffix) || !/^[a-z0-9][a-z0-9-]*$/.test(host.slice(0, -suffix.length))) return undefined
    return { ...ORDINARY_SHOP, ...this.#options.shops?.[host] }
  }

  #bucket(shop: string): CostBucket {
    let bucket = this.#buckets.get(shop)
    if (!bucket) {
      bucket = new CostBucket(this.#options.bucket ?? STANDARD_PLAN, this.#clock)
      this.#buckets.set(shop, bucket)
    }
    return bucket
  }

  #exchange({ method, shop, headers, body }: Question): Answer {
    const rules = this.#shop(shop)
    if (!rules) return { status: 404, body: { errors: 'Not Found' } }
    if (method !== 'POST') return { status: 405, body: { errors: 'Method Not Allowed' } }
    if (rules.locked) return { status: 423, body: { errors: 'Locked' } }
    const form = formOf(headers['content-type'] ?? '', body)
    if (!form) return { status: 415, body: { error: 'invalid_request' } }
    return this.#access.exchange(form, shop, rules)
  }

  async #graphql({ method, shop, path, headers, body }: Question, fault: FaultRule | undefined): Promise<Answer> {
    const rules = this.#shop(shop)
    const version = versionFor(this.profile, /^\/admin\/api\/([^/]+)\/graphql\.json$/.exec(path)?.[1] ?? '')
    if (!rules || version === undefined) return { status: 404, body: { errors: 'Not Found' } }
    if (method !== 'POST') return { status: 405, body: { errors: 'Method Not Allowed' } }
    if (rules.locked) return { status: 423, body: { errors: 'Locked' } }
    const token = headers[this.profile.accessTokenHeader.toLowerCase()]
    const access = this.#access.find(String(token ?? ''), shop)
    if (!access || !rules.installed) return { status: 401, body: { errors: INVALID_KEY } }
    if (rules.withoutPermission.includes(access.user)) return { status: 403, body: { errors: 'Forbidden' } }
    const answer = await this.#query(shop, version, access.scopes, body, fault)
    return { ...answer, headers: { [this.profile.versionHeader]: version } }
  }

  async #query(
    shop: string,
    version: string,
    scopes: readonly string[],
    body: string,
    fault: FaultRule | undefined,
  ): Promise<Answer> {
    const question = parseJson(body)
    if (typeof question?.['query'] !== 'string')
      return { status: 400, body: { errors: 'Required parameter missing: query' } }
    const prepared = prepareQuery({
      query: question['query'],
      variables: (question['variables'] ?? {}) as Record<string, unknown>,
      version,
      gidNamespace: this.profile.gidNamespace,
      find: (id) => this.#find(id, shop, scopes),
      totalShift: (isFurther) => (fault?.do === 'changedTotal' && isFurther ? (fault.hundredths ?? 100) : 0),
    })
    if (!prepared.ok) return { status: 200, body: { errors: prepared.errors.map((error) => error.toJSON()) } }
    const bucket = this.#bucket(shop)
    const cost = (actual: number | null) => ({
      cost: { requestedQueryCost: prepared.cost, actualQueryCost: actual, throttleStatus: bucket.status },
    })
    const maxCost = this.#options.queryCostMax ?? QUERY_COST_MAX
    if (prepared.cost > maxCost) {
      const message = `Query cost is ${prepared.cost}, which exceeds the single query max cost limit (${maxCost}).`
      return refusal(message, { code: 'MAX_COST_EXCEEDED', cost: prepared.cost, maxCost })
    }
    if (!scopes.some((scope) => scope === 'read_orders' || scope === 'read_all_orders')) {
      const message = 'Access denied for order field. Required access: `read_orders` access scope.'
      return refusal(message, { code: 'ACCESS_DENIED', requiredAccess: '`read_orders` access scope.' })
    }
    if (!bucket.take(prepared.cost)) return refusal('Throttled', { code: 'THROTTLED' }, cost(null))
    const result = await prepared.run()
    bucket.giveBack(prepared.cost - result.cost)
    return { status: 200, body: { ...result.body, extensions: cost(result.cost) } }
  }

  #find(id: string, shop: string, scopes: readonly string[]): StoredOrder | undefined {
    const order = this.#orders.get(id)
    if (!order || (order.shop !== undefined && order.shop !== shop)) return undefined
    const isOld = order.createdAt !== undefined && order.createdAt < this.#clock.wallTime() - SIXTY_DAYS_MS
    return isOld && !scopes.includes('read_all_orders') ? undefined : order
  }

  /** Imitates a vendor's server that holds the secret: accepts a session token and returns the order. */
  #relay({ shop, path, headers }: Question): Answer {
    const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    const subject = checkSessionToken(token, this.profile, shop, this.#clock.wallTime())
    const rules = this.#shop(shop)
    if (!subject || !rules?.installed) return { status: 401, body: { error: 'session token rejected' } }
    if (rules.withoutPermission.includes(subject.user)) return { status: 403, body: { error: 'no permission' } }
    const order = this.#find(/\/orders\/(\d+)$/.exec(path)?.[1] ?? '', shop, rules.scopes)
    return order ? { status: 200, body: { order: order.node } } : { status: 404, body: { error: 'no such order' } }
  }
}
