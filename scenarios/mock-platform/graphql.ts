/**
 * The GraphQL queries of the mock platform (platform orders 6.3 to 6.6): parsed, validated against the schema of their
 * version, priced and executed.
 */
import {
  type DocumentNode,
  defaultFieldResolver,
  execute,
  type FieldNode,
  GraphQLError,
  getNamedType,
  isCompositeType,
  parse,
  type SelectionSetNode,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { OrderNode, StoredOrder } from './orders.ts'
import { PAGE_MAX, REMOVED_FIELDS, SCHEMA } from './schema.ts'

interface GraphQuery {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly version: string
  readonly find: (id: string) => StoredOrder | undefined
  readonly gidNamespace: string
  /** Returns the amount that a fault adds to the current total, in hundredths. */
  readonly totalShift: (isFurtherPage: boolean) => number
}

type PreparedQuery =
  | { readonly ok: true; readonly cost: number; run(): Promise<Result> }
  | { readonly ok: false; readonly errors: readonly GraphQLError[] }

interface Result {
  readonly body: Readonly<Record<string, unknown>>
  readonly cost: number
}

/** First version in which the discounted price of shipping includes discounts on the whole cart. */
const SHIPPING_KNOWS_CART_DISCOUNTS = '2024-07'

export function prepareQuery(question: GraphQuery): PreparedQuery {
  let document: DocumentNode
  try {
    document = parse(question.query)
  } catch (error) {
    return { ok: false, errors: [error instanceof GraphQLError ? error : new GraphQLError(String(error))] }
  }
  const errors = [...validate(SCHEMA, document), ...removedFields(document, question.version)]
  if (errors.length > 0) return { ok: false, errors }
  const costs = costsOf(document, question.variables)
  return { ok: true, cost: costs.requested, run: () => answer(document, question, costs) }
}

async function answer(document: DocumentNode, question: GraphQuery, costs: Costs): Promise<Result> {
  const result = await execute({
    schema: SCHEMA,
    document,
    rootValue: {
      order: ({ id }: { id: string }) => orderOf(id, question),
      refund: ({ id }: { id: string }) => refundOf(id, question),
    },
    variableValues: question.variables,
    fieldResolver: (source, values, context, info) =>
      info.fieldName === 'presentmentMoney'
        ? (source.presentmentMoney ?? source.shopMoney)
        : defaultFieldResolver(source, values, context, info),
    typeResolver: (value) => (value as { __typename?: string }).__typename,
  })
  const body = {
    ...(result.errors && { errors: result.errors.map((error) => error.toJSON()) }),
    ...(result.data !== undefined && { data: result.data }),
  }
  return { body, cost: costs.actual(result.data) }
}

function orderOf(gid: string, question: GraphQuery): unknown {
  const match = /^gid:\/\/([\w-]+)\/(\w+)\/(\d+)$/.exec(gid)
  if (!match || match[1] !== question.gidNamespace || match[2] !== 'Order') {
    throw new GraphQLError(`Invalid global id '${gid}'`, { extensions: { code: 'INVALID_GLOBAL_ID' } })
  }
  const order = question.find(match[3] ?? '')
  return order ? resolvable(order.node, question) : null
}

/** The id of a refund is the id of the order, a zero and a two-digit index. */
function refundOf(gid: string, question: GraphQuery): unknown {
  const match = /^gid:\/\/([\w-]+)\/Refund\/(\d+)0(\d\d)$/.exec(gid)
  if (!match || match[1] !== question.gidNamespace) {
    throw new GraphQLError(`Invalid global id '${gid}'`, { extensions: { code: 'INVALID_GLOBAL_ID' } })
  }
  const refunds = question.find(match[2] ?? '')?.node['refunds'] as readonly RefundNode[] | undefined
  const refund = refunds?.find(({ id }) => id === gid)
  return refund ? { ...refund, refundLineItems: connection(refund.lines) } : null
}

interface RefundNode {
  readonly id: string
  readonly lines: readonly unknown[]
}

interface Paging {
  readonly first?: number | null
  readonly last?: number | null
  readonly after?: string | null
}

function resolvable(node: OrderNode, question: GraphQuery): unknown {
  const isFurther = typeof question.variables['after'] === 'string'
  const applications = edgesOf(node['discountApplications']) as readonly Application[]
  return {
    ...node,
    // An edit changes the current total, and not always the original one.
    currentTotalPriceSet: shifted(node['currentTotalPriceSet'], question.totalShift(isFurther)),
    transactions: ({ first }: Paging) => (node['transactions'] as readonly unknown[]).slice(0, first ?? undefined),
    refunds: ({ first }: Paging) => (node['refunds'] as readonly unknown[]).slice(0, first ?? undefined),
    lineItems: connection(edgesOf(node.lineItems).map((line) => withApplications(line, applications))),
    shippingLines: connection(
      edgesOf(node['shippingLines']).map((line) => withApplications(shipping(line, question.version), applications)),
    ),
    discountApplications: connection(applications),
  }
}

interface Application {
  readonly __typename: string
  readonly index: number
}

function withApplications(line: unknown, applications: readonly Application[]): unknown {
  const { discountAllocations = [] } = line as {
    discountAllocations?: readonly { readonly discountApplication: { readonly index: number } }[]
  }
  return {
    ...(line as object),
    discountAllocations: discountAllocations.map((one) => {
      const { index } = one.discountApplication
      const application = applications.find((other) => other.index === index)
      return { ...one, discountApplication: application ?? { __typename: 'ScriptDiscountApplication', index } }
    }),
  }
}

const edgesOf = (value: unknown): readonly unknown[] =>
  ((value as { edges?: readonly { node: unknown }[] } | undefined)?.edges ?? []).map(({ node }) => node)

/** Versions before `SHIPPING_KNOWS_CART_DISCOUNTS` contain discounts on the cart only in the allocations. */
function shipping(line: unknown, version: string): unknown {
  if (version >= SHIPPING_KNOWS_CART_DISCOUNTS) return line
  const { originalPriceSet } = line as { originalPriceSet: unknown }
  return { ...(line as object), discountedPriceSet: originalPriceSet }
}

function shifted(set: unknown, hundredths: number): unknown {
  if (hundredths === 0) return set
  const { shopMoney } = set as { shopMoney: { amount: string; currencyCode: string } }
  const [whole = '0', fraction = ''] = shopMoney.amount.split('.')
  const cents = Number(`${whole}${fraction.padEnd(2, '0').slice(0, 2)}`) + hundredths
  const text = String(cents).padStart(3, '0')
  return { shopMoney: { ...shopMoney, amount: `${text.slice(0, -2)}.${text.slice(-2)}` } }
}

const cursorOf = (index: number): string => Buffer.from(`cursor ${index}`).toString('base64url')
const indexOf = (cursor: string): number => {
  const index = /^cursor (\d+)$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1]
  if (index === undefined) throw new GraphQLError(`Invalid cursor '${cursor}'`)
  return Number(index)
}

const connection =
  (nodes: readonly unknown[]) =>
  ({ first, last, after }: Paging): unknown => {
    const size = first ?? last
    if (size === null || size === undefined) {
      throw new GraphQLError('you must provide one of first or last', { extensions: { code: 'BAD_REQUEST' } })
    }
    if (size < 1 || size > PAGE_MAX) throw new GraphQLError(`first must be 1 to ${PAGE_MAX}`)
    const start = first ? (after ? indexOf(after) + 1 : 0) : Math.max(0, nodes.length - size)
    const page = nodes.slice(start, start + size)
    return {
      edges: page.map((node, index) => ({ cursor: cursorOf(start + index), node })),
      pageInfo: {
        hasNextPage: start + page.length < nodes.length,
        hasPreviousPage: start > 0,
        startCursor: page.length > 0 ? cursorOf(start) : null,
        endCursor: page.length > 0 ? cursorOf(start + page.length - 1) : null,
      },
    }
  }

function removedFields(document: DocumentNode, version: string): readonly GraphQLError[] {
  const errors: GraphQLError[] = []
  const info = new TypeInfo(SCHEMA)
  visit(
    document,
    visitWithTypeInfo(info, {
      Field(node) {
        const type = info.getParentType()?.name
        const isGone = REMOVED_FIELDS.some(
          (one) => one.type === type && one.field === node.name.value && version >= one.from,
        )
        if (isGone) {
          const message = `Field '${node.name.value}' doesn't exist on type '${type}'`
          errors.push(new GraphQLError(message, { extensions: { code: 'undefinedField' } }))
        }
      },
    }),
  )
  return errors
}

interface Costs {
  /** Cost before execution: each connection counts at its maximum size. */
  readonly requested: number
  /** Returns the cost of an answer: each connection counts at its actual size. */
  actual(data: unknown): number
}

type ResultData = Readonly<Record<string, unknown>>

/**
 * Scalars cost nothing and objects 1. Lists and connections with `first` or `last` cost as much as their nodes, and
 * other lists as much as one object.
 */
function costsOf(document: DocumentNode, variables: Readonly<Record<string, unknown>>): Costs {
  const fragments = new Map(
    document.definitions.flatMap((one) => (one.kind === 'FragmentDefinition' ? [[one.name.value, one] as const] : [])),
  )
  const info = new TypeInfo(SCHEMA)
  const objects = new Set<FieldNode>()
  visit(
    document,
    visitWithTypeInfo(info, {
      Field(node) {
        const type = info.getType()
        if (type && isCompositeType(getNamedType(type))) objects.add(node)
      },
    }),
  )
  const sizeOf = (node: FieldNode): number => {
    const argument = node.arguments?.find((one) => ['first', 'last'].includes(one.name.value))?.value
    if (!argument) return 1
    if (argument.kind === 'IntValue') return Number(argument.value)
    return argument.kind === 'Variable' ? Number(variables[argument.name.value] ?? 1) : 1
  }
  const isConnection = (node: FieldNode): boolean =>
    node.selectionSet?.selections.some((one) => one.kind === 'Field' && one.name.value === 'edges') ?? false
  const fieldsOf = (set: SelectionSetNode | undefined): readonly FieldNode[] =>
    (set?.selections ?? []).flatMap((one) => {
      if (one.kind === 'FragmentSpread') return fieldsOf(fragments.get(one.name.value)?.selectionSet)
      if (one.kind === 'InlineFragment') return fieldsOf(one.selectionSet)
      return objects.has(one) && one.name.value !== 'pageInfo' ? [one] : []
    })
  const own = (field: FieldNode): number => (field.name.value === 'edges' ? 0 : 1)
  const requested = (set: SelectionSetNode | undefined): number =>
    fieldsOf(set).reduce((sum, field) => {
      const size = sizeOf(field)
      const inner = requested(field.selectionSet)
      return sum + (size > 1 ? size * (inner + (isConnection(field) ? 0 : 1)) : own(field) + inner)
    }, 0)
  const actual = (set: SelectionSetNode | undefined, answered: ResultData): number =>
    fieldsOf(set).reduce((sum, field) => {
      const value = answered[field.alias?.value ?? field.name.value] as
        | ResultData
        | readonly ResultData[]
        | null
        | undefined
      if (value === null || value === undefined) return sum
      const parts = (Array.isArray(value) ? value : [value]).map((part: ResultData) => actual(field.selectionSet, part))
      if (field.name.value === 'edges') return sum + parts.reduce((all, part) => all + part, 0)
      if (sizeOf(field) > 1 && !isConnection(field)) return sum + parts.reduce((all, part) => all + part + 1, 0)
      if (sizeOf(field) > 1) return sum + (parts[0] ?? 0)
      return parts.length === 0 ? sum : sum + own(field) + Math.max(...parts)
    }, 0)
  const query = document.definitions.find((one) => one.kind === 'OperationDefinition')?.selectionSet
  return {
    requested: requested(query),
    actual: (data) => (data === null || data === undefined ? 0 : actual(query, data as ResultData)),
  }
}
