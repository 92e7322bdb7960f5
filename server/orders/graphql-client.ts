/** Queries to the platform, with its errors, limits and pages (platform orders 3). */
import { z } from 'zod'
import type { Answer, RetryBudget } from './http.ts'
import type { PlatformProfile } from './profile.ts'
import { noPlatform, orderNotFound, platformRefused, statusRefusal } from './refusal.ts'
import type { Session } from './token.ts'

export type Warn = (line: string) => void

/**
 * Number of lines per page. The first query also has other members, and with more lines it would exceed the cost limit.
 */
const PAGE_SIZE = 40

const graphAnswer = z.object({
  data: z.object({ order: z.unknown().optional(), refund: z.unknown().optional() }).nullish(),
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

interface Query {
  readonly profile: PlatformProfile
  readonly warn: Warn
  readonly retryBudget: RetryBudget
  readonly session: Session
  readonly token: string
  readonly orderId: string
}

/** Queries about one order with one access token. The pages become smaller if the platform rejects their cost. */
export class Graph {
  readonly #query: Query
  #pageSize = PAGE_SIZE

  constructor(query: Query) {
    this.#query = query
  }

  page<T>(query: string, schema: z.ZodType<T>, after: string | undefined): Promise<T | 'token refused'> {
    return this.#read('order', this.#query.profile.orderGid(this.#query.orderId), query, schema, after)
  }

  refund<T>(id: string, query: string, schema: z.ZodType<T>, after: string | undefined): Promise<T | 'token refused'> {
    return this.#read('refund', id, query, schema, after)
  }

  async #read<T>(
    member: 'order' | 'refund',
    id: string,
    query: string,
    schema: z.ZodType<T>,
    after: string | undefined,
  ): Promise<T | 'token refused'> {
    for (;;) {
      const answer = await this.#ask(query, id, after)
      if (answer.status === 401) return 'token refused'
      if (answer.status !== 200) throw statusRefusal(answer.status)
      const result = graphAnswer.safeParse(answer.json)
      if (!result.success) throw noPlatform()
      this.#noteVersion(answer)
      const next = await this.#judge(result.data)
      if (next === 'again') continue
      const node = result.data.data?.[member]
      if (node === null && member === 'order') throw orderNotFound(this.#query.orderId)
      const read = schema.safeParse(node)
      if (!read.success) throw noPlatform(`its ${member} has no usable value for ${memberOf(read.error.issues[0])}`)
      return read.data
    }
  }

  #ask(query: string, id: string, after: string | undefined): Promise<Answer> {
    const { apiVersion, accessTokenHeader, shopUrl } = this.#query.profile
    const variables = { id, n: this.#pageSize, ...(after !== undefined && { after }) }
    return this.#query.retryBudget.ask({
      method: 'POST',
      url: `${shopUrl(this.#query.session.shop)}/admin/api/${apiVersion}/graphql.json`,
      headers: { 'Content-Type': 'application/json', [accessTokenHeader]: this.#query.token },
      body: JSON.stringify({ query, variables }),
    })
  }

  /** Evaluates errors, which arrive with HTTP 200. `again`: the query must be sent again. */
  async #judge({ errors, extensions }: GraphAnswer): Promise<'fine' | 'again'> {
    if (errors === null || errors === undefined || (Array.isArray(errors) && errors.length === 0)) return 'fine'
    const codes = codesOf(errors)
    if (codes.includes('THROTTLED')) {
      await this.#query.retryBudget.wait(throttleMs(extensions?.cost))
      return 'again'
    }
    if (codes.includes('MAX_COST_EXCEEDED') && this.#pageSize > 1) {
      this.#pageSize = Math.floor(this.#pageSize / 2)
      return 'again'
    }
    if (codes.includes('ACCESS_DENIED')) throw platformRefused('no permission to read orders')
    const requestId = requestIdOf(errors, extensions)
    this.#query.warn(`the platform reported an error: ${codes.join(', ') || 'without a code'}, request ${requestId}`)
    throw noPlatform(`it reported an error (request ${requestId})`)
  }

  #noteVersion(answer: Answer): void {
    const { versionHeader, apiVersion } = this.#query.profile
    const used = answer.header(versionHeader)
    if (used !== null && used !== apiVersion) {
      this.#query.warn(`the platform answered with version ${used} of its interface instead of ${apiVersion}`)
    }
  }
}

/** Returns the codes of errors. The platform sends errors as a text, a list or an object. */
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

const memberOf = (issue: { readonly path: readonly PropertyKey[] } | undefined): string =>
  issue?.path.map(String).join('.') || 'requested members'
