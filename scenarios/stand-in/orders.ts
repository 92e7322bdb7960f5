import { present } from '../../drivers/model/present.ts'
/**
 * The orders that the stand-in serves (platform orders 6.8). A file holds cases `{case, order, internal?,
 * broken?}`, or plain orders; `order` has the members that the service hands out, `internal` what the platform knows
 * besides. Each must add up by the check below, which shares nothing with the service's mapping, unless it is marked as
 * broken or expected to be refused.
 */
export interface StoredOrder {
  /** Numeric id. */
  readonly id: string
  readonly node: OrderNode
  /** Host name of the only shop that has it; undefined: every shop. */
  readonly shop: string | undefined
  /** Milliseconds; undefined: just now. */
  readonly createdAt: number | undefined
}

export type OrderNode = Readonly<Record<string, unknown>> & {
  readonly lineItems: { readonly edges: readonly { readonly node: Readonly<Record<string, unknown>> }[] }
}

interface MoneySet {
  readonly shopMoney: { readonly amount: string; readonly currencyCode: string }
}

interface Internal {
  readonly taxesIncluded?: boolean
  readonly transactionStatuses?: readonly string[]
  /** One list per shipping line. */
  readonly shippingTaxLines?: readonly (readonly unknown[])[]
  readonly cancelledAt?: string | null
  readonly test?: boolean
  readonly totalTip?: string
  readonly skus?: readonly (string | null)[]
  readonly shop?: string
  readonly createdAt?: string
}

interface Case {
  readonly case?: string
  readonly order: RawOrder
  readonly internal?: Internal
  readonly broken?: boolean
  readonly expected?: { readonly status?: number }
}

interface RawLine {
  readonly title: string
  readonly quantity: number
  readonly originalUnitPriceSet: MoneySet
  readonly taxLines: readonly { readonly priceSet: MoneySet }[]
  readonly discountAllocations: readonly { readonly allocatedAmountSet: MoneySet }[]
}

interface RawShipping {
  readonly originalPriceSet: MoneySet
  readonly discountedPriceSet: MoneySet
  readonly discountAllocations: readonly { readonly allocatedAmountSet: MoneySet }[]
}

interface RawOrder {
  readonly id: string
  readonly legacyResourceId: string
  readonly totalPriceSet: MoneySet
  readonly lineItems: { readonly edges: readonly { readonly node: RawLine }[] }
  readonly shippingLines: { readonly edges: readonly { readonly node: RawShipping }[] }
  readonly transactions: readonly { readonly gateway: string; readonly amount: string; readonly kind: string }[]
}

/** Reads a file's content. Throws a sentence when an order that should add up does not. */
export function readOrders(content: unknown): readonly StoredOrder[] {
  return casesIn(content).map((one) => {
    const isBroken = one.broken === true || (one.expected?.status ?? 200) !== 200
    if (!isBroken) checkSum(one)
    return stored(one)
  })
}

function casesIn(content: unknown): readonly Case[] {
  if (Array.isArray(content)) return content.flatMap(casesIn)
  if (typeof content !== 'object' || content === null) throw new TypeError('an order file holds objects and lists only')
  if ('order' in content) return [content as unknown as Case]
  if ('lineItems' in content) return [{ order: content as unknown as RawOrder }]
  const lists = ['fixtures', 'rejections', 'orders'].flatMap((name) => {
    const list = (content as Record<string, unknown>)[name]
    return list === undefined ? [] : casesIn(list)
  })
  if (lists.length === 0) throw new TypeError('no order found: expected cases, orders, or lists of them')
  return lists
}

/** The order with what the platform knows besides. */
function stored({ order, internal = {} }: Case): StoredOrder {
  const zero = { shopMoney: { amount: '0.0', currencyCode: order.totalPriceSet.shopMoney.currencyCode } }
  const currency = order.totalPriceSet.shopMoney.currencyCode
  const tip =
    internal.totalTip === undefined ? zero : { shopMoney: { amount: internal.totalTip, currencyCode: currency } }
  const node = {
    taxesIncluded: true,
    cancelledAt: null,
    test: false,
    totalTipReceivedSet: tip,
    ...order,
    ...present({ taxesIncluded: internal.taxesIncluded, cancelledAt: internal.cancelledAt, test: internal.test }),
    transactions: order.transactions.map(({ gateway, amount, kind, ...rest }, index) => ({
      status: internal.transactionStatuses?.[index] ?? 'SUCCESS',
      ...rest,
      gateway,
      kind,
      amount,
      amountSet: { shopMoney: { amount, currencyCode: currency } },
    })),
    lineItems: {
      edges: order.lineItems.edges.map(({ node: line }, index) => ({
        node: { sku: internal.skus?.[index] ?? null, isGiftCard: false, currentQuantity: line.quantity, ...line },
      })),
    },
    shippingLines: {
      edges: order.shippingLines.edges.map(({ node: line }, index) => ({
        node: { taxLines: internal.shippingTaxLines?.[index] ?? [], ...line },
      })),
    },
  }
  return {
    id: order.legacyResourceId,
    node,
    shop: internal.shop,
    createdAt: internal.createdAt === undefined ? undefined : Date.parse(internal.createdAt),
  }
}

/** Millionths, so that no amount of the platform's is cut. */
function micros(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.padEnd(6, '0').slice(0, 6)}`)
}

const amount = ({ shopMoney }: MoneySet): bigint => micros(shopMoney.amount)
const total = (parts: readonly bigint[]): bigint => parts.reduce((sum, part) => sum + part, 0n)
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

function checkSum({ case: name, order, internal = {} }: Case): void {
  const lines = order.lineItems.edges.map(({ node }) => {
    const gross = amount(node.originalUnitPriceSet) * BigInt(node.quantity)
    const off = total(node.discountAllocations.map((one) => amount(one.allocatedAmountSet)))
    const tax = internal.taxesIncluded === false ? total(node.taxLines.map((one) => amount(one.priceSet))) : 0n
    return gross - off + tax
  })
  const shipping = order.shippingLines.edges.map(({ node }, index) => {
    const off = total(node.discountAllocations.map((one) => amount(one.allocatedAmountSet)))
    const taxes = (internal.shippingTaxLines?.[index] ?? []) as readonly { readonly priceSet: MoneySet }[]
    const tax = internal.taxesIncluded === false ? total(taxes.map((one) => amount(one.priceSet))) : 0n
    return least(amount(node.discountedPriceSet), amount(node.originalPriceSet) - off) + tax
  })
  const tip = order.lineItems.edges.some(({ node }) => node.title === 'Tip') ? 0n : micros(internal.totalTip ?? '0')
  if (total([...lines, ...shipping, tip]) !== amount(order.totalPriceSet)) {
    throw new TypeError(`order ${name ?? order.legacyResourceId} does not add up, and is not marked as broken`)
  }
}
