import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
/**
 * Orders of the mock platform (platform orders 6.8). A file contains cases `{case, order, internal?, broken?}` or plain
 * orders. `order` has the members that the service prints from, and `internal` the other data of the platform.
 */
export interface StoredOrder {
  readonly id: string
  readonly node: OrderNode
  /** Host name of the only shop with the order, or `undefined` for all shops. */
  readonly shop: string | undefined
  readonly createdAt: number | undefined
}

export type OrderNode = Readonly<Record<string, unknown>> & {
  readonly lineItems: { readonly edges: readonly { readonly node: Readonly<Record<string, unknown>> }[] }
}

interface MoneySet {
  readonly shopMoney: { readonly amount: string; readonly currencyCode: string }
}

export interface RefundedUnits {
  readonly line: number
  readonly quantity: number
  readonly subtotal: string
  readonly tax: string
}

export interface Internal {
  readonly taxesIncluded?: boolean
  readonly transactionStatuses?: readonly string[]
  readonly transactionParents?: readonly (number | null)[]
  readonly shippingTaxLines?: readonly (readonly unknown[])[]
  readonly cancelledAt?: string | null
  readonly test?: boolean
  readonly totalTip?: string
  readonly skus?: readonly (string | null)[]
  readonly variants?: readonly (string | null)[]
  readonly shop?: string
  readonly createdAt?: string
  readonly currentTotal?: string
  readonly currentQuantities?: readonly number[]
  readonly currentDiscounts?: string
  readonly cashRounding?: { readonly payment: string; readonly refund: string }
  readonly refunds?: readonly { readonly lines: readonly RefundedUnits[] }[]
  readonly shippingCurrent?: readonly string[]
  readonly shippingRemoved?: readonly boolean[]
  readonly duties?: string
  readonly fees?: readonly {
    readonly name: string
    readonly price: string
    readonly taxLines: readonly TaxLineNode[]
  }[]
  /** Currency of the customer. `amounts` maps an amount of the shop to the amount in that currency. */
  readonly presentment?: { readonly currencyCode: string; readonly amounts: Readonly<Record<string, string>> }
  /** Omits members about the current state, as an old relay does. */
  readonly relay?: boolean
}

interface TaxLineNode {
  readonly priceSet: MoneySet
}

export interface OrderCase {
  readonly order: RawOrder
  readonly internal?: Internal
}

interface Case extends OrderCase {
  readonly case?: string
  readonly broken?: boolean
  readonly expected?: { readonly status?: number }
  /** `refundPolicy: gross`: the order is printed as it was sold. */
  readonly configOverride?: Readonly<Record<string, unknown>>
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
  readonly totalDiscountsSet: MoneySet
  readonly lineItems: { readonly edges: readonly { readonly node: RawLine }[] }
  readonly shippingLines: { readonly edges: readonly { readonly node: RawShipping }[] }
  readonly transactions: readonly { readonly gateway: string; readonly amount: string; readonly kind: string }[]
}

/**
 * Throws an Error for the user if an order does not add up. Orders that are marked as broken or expected to be refused
 * are not checked. The check shares no code with the mapping of the service.
 */
export function readOrders(content: unknown): readonly StoredOrder[] {
  return casesIn(content).map((one) => {
    const isBroken = one.broken === true || (one.expected?.status ?? 200) !== 200
    checkMembers(one.order)
    if (!isBroken) checkSum(one)
    return storedOrder(one)
  })
}

const ORDER = [
  ...['id', 'legacyResourceId', 'totalPriceSet.shopMoney.amount', 'totalDiscountsSet.shopMoney.amount'],
  ...['lineItems.edges', 'shippingLines.edges', 'transactions'],
]
const LINE_FIELDS = ['title', 'quantity', 'originalUnitPriceSet.shopMoney.amount', 'taxLines', 'discountAllocations']
const SHIPPING_LINE = [
  'originalPriceSet.shopMoney.amount',
  'discountedPriceSet.shopMoney.amount',
  'discountAllocations',
]

/** Throws TypeError with the first missing member. */
function checkMembers(order: RawOrder): void {
  const checkPresent = (value: unknown, members: readonly string[], at = ''): void => {
    const missing = members.find((path) => path.split('.').reduce(memberOf, value) === undefined)
    if (missing !== undefined)
      throw new TypeError(
        `${order?.legacyResourceId === undefined ? 'an order' : `order ${order.legacyResourceId}`} has no ${at}${missing}`,
      )
  }
  checkPresent(order, ORDER)
  for (const [place, edge] of order.lineItems.edges.entries())
    checkPresent(edge?.node, LINE_FIELDS, `lineItems.edges[${place}].node.`)
  for (const [place, edge] of order.shippingLines.edges.entries())
    checkPresent(edge?.node, SHIPPING_LINE, `shippingLines.edges[${place}].node.`)
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

function casesIn(content: unknown): readonly Case[] {
  if (Array.isArray(content)) return content.flatMap(casesIn)
  if (typeof content !== 'object' || content === null)
    throw new TypeError('an order file must contain only objects and lists of them')
  if ('order' in content) return [content as unknown as Case]
  if ('lineItems' in content) return [{ order: content as unknown as RawOrder }]
  const lists = ['fixtures', 'rejections', 'cases', 'orders'].flatMap((name) => {
    const list = (content as Record<string, unknown>)[name]
    return list === undefined ? [] : casesIn(list)
  })
  if (lists.length === 0) throw new TypeError('no order found: expected cases, orders, or lists of them')
  return lists
}

export function storedOrder({ order, internal = {} }: OrderCase): StoredOrder {
  const currency = order.totalPriceSet.shopMoney.currencyCode
  const money = (amount: string) => ({ shopMoney: { amount, currencyCode: currency } })
  const namespace = /^gid:\/\/([\w-]+)\//.exec(order.id)?.[1] ?? 'platform'
  const gid = (type: string, place: number) =>
    `gid://${namespace}/${type}/${order.legacyResourceId}0${String(place).padStart(2, '0')}`
  const lines = order.lineItems.edges.map(({ node: line }, index) => ({
    sku: internal.skus?.[index] ?? null,
    variantTitle: internal.variants?.[index] ?? null,
    isGiftCard: false,
    currentQuantity: internal.currentQuantities?.[index] ?? line.quantity,
    ...line,
  }))
  const node = {
    taxesIncluded: true,
    cancelledAt: null,
    test: false,
    totalTipReceivedSet: money(internal.totalTip ?? '0.0'),
    ...order,
    ...omitUndefined({ taxesIncluded: internal.taxesIncluded, cancelledAt: internal.cancelledAt, test: internal.test }),
    currentTotalPriceSet: internal.currentTotal === undefined ? order.totalPriceSet : money(internal.currentTotal),
    currentTotalDiscountsSet:
      internal.currentDiscounts === undefined ? order.totalDiscountsSet : money(internal.currentDiscounts),
    currentTotalDutiesSet: internal.duties === undefined ? null : money(internal.duties),
    currentTotalAdditionalFeesSet: internal.fees === undefined ? null : money(feeSum(internal.fees)),
    additionalFees: (internal.fees ?? []).map(({ name, price, taxLines }) => ({ name, price: money(price), taxLines })),
    totalCashRoundingAdjustment: {
      paymentSet: money(internal.cashRounding?.payment ?? '0.0'),
      refundSet: money(internal.cashRounding?.refund ?? '0.0'),
    },
    refunds: (internal.refunds ?? []).map((refund, index) => ({
      id: gid('Refund', index),
      lines: refund.lines.map(({ line, quantity, subtotal, tax }) => ({
        quantity,
        lineItem: lines[line],
        subtotalSet: money(subtotal),
        totalTaxSet: money(tax),
      })),
    })),
    transactions: order.transactions.map(({ gateway, amount, kind, ...rest }, index) => {
      const parent = internal.transactionParents?.[index]
      return {
        status: internal.transactionStatuses?.[index] ?? 'SUCCESS',
        id: gid('OrderTransaction', index),
        parentTransaction: typeof parent === 'number' ? { id: gid('OrderTransaction', parent) } : null,
        ...rest,
        gateway: gateway === '' ? null : gateway,
        kind,
        amount,
        amountSet: money(amount),
      }
    }),
    lineItems: { edges: lines.map((line) => ({ node: line })) },
    shippingLines: {
      edges: order.shippingLines.edges.map(({ node: line }, index) => ({
        node: {
          taxLines: internal.shippingTaxLines?.[index] ?? [],
          currentDiscountedPriceSet:
            internal.shippingCurrent?.[index] === undefined
              ? line.discountedPriceSet
              : money(internal.shippingCurrent[index]),
          isRemoved: internal.shippingRemoved?.[index] ?? false,
          ...line,
        },
      })),
    },
  }
  return {
    id: order.legacyResourceId,
    node: served(node, internal),
    shop: internal.shop,
    createdAt: internal.createdAt === undefined ? undefined : Date.parse(internal.createdAt),
  }
}

function served(node: OrderNode, { presentment, relay }: Internal): OrderNode {
  const full = (presentment ? withPresentment(node, presentment) : node) as OrderNode
  if (relay !== true) return full
  return Object.fromEntries(Object.entries(full).filter(([name]) => !name.startsWith('current'))) as OrderNode
}

function withPresentment(value: unknown, presentment: NonNullable<Internal['presentment']>): unknown {
  if (Array.isArray(value)) return value.map((part) => withPresentment(part, presentment))
  if (typeof value !== 'object' || value === null) return value
  if ('shopMoney' in value) {
    const { shopMoney } = value as MoneySet
    const [, text = shopMoney.amount] =
      Object.entries(presentment.amounts).find(([shop]) => micros(shop) === micros(shopMoney.amount)) ?? []
    return { shopMoney, presentmentMoney: { amount: text, currencyCode: presentment.currencyCode } }
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withPresentment(part, presentment)]))
}

function feeSum(fees: NonNullable<Internal['fees']>): string {
  return moneyText(total(fees.map(({ price }) => micros(price))))
}

function moneyText(sum: bigint): string {
  const digits = String((sum < 0n ? -sum : sum) / HUNDREDTH).padStart(3, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Parses an amount in millionths, so that no digit is lost. */
function micros(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.padEnd(6, '0').slice(0, 6)}`)
}

const amount = ({ shopMoney }: MoneySet): bigint => micros(shopMoney.amount)
const total = (parts: readonly bigint[]): bigint => parts.reduce((sum, part) => sum + part, 0n)
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** How the value of removed units is computed: from their refunds, with or without tax, or from their number. */
const VALUATIONS = ['subtotal', 'subtotal and tax', 'number'] as const
type Valuation = (typeof VALUATIONS)[number]

/**
 * A net order adds up if its current units come to its current total. A gross order adds up if all its units come to
 * its total.
 */
function checkSum(one: Case): void {
  if (VALUATIONS.some((valuation) => addsUp(sumsOf(one, valuation)))) return
  const { sum, expected, name } = sumsOf(one, 'subtotal')
  throw new TypeError(
    `order ${one.case ?? one.order.legacyResourceId}: lines, shipping and refunds come to ${moneyText(sum)}, but ${name} is ${moneyText(expected)}. Correct one of them, or set "broken": true in the case.`,
  )
}

interface Sums {
  readonly sum: bigint
  readonly expected: bigint
  /** Name of the field that contains `expected`. */
  readonly name: string
  readonly slack: bigint
  /** Sums of duties and fees that the total may contain besides `sum`, in millionths. */
  readonly extras: readonly bigint[]
}

const addsUp = ({ sum, expected, slack, extras }: Sums): boolean =>
  extras.some((extra) => sum + extra - expected <= slack && expected - sum - extra <= slack)

function sumsOf({ order, internal = {}, configOverride }: Case, valuation: Valuation): Sums {
  const isNet = configOverride?.['refundPolicy'] !== 'gross'
  const isOnTop = internal.taxesIncluded === false
  const lines = order.lineItems.edges.map(({ node }, index) => {
    const units = isNet ? (internal.currentQuantities?.[index] ?? node.quantity) : node.quantity
    const off = total(node.discountAllocations.map((allocation) => amount(allocation.allocatedAmountSet)))
    const tax = isOnTop ? total(node.taxLines.map((line) => amount(line.priceSet))) : 0n
    const whole = amount(node.originalUnitPriceSet) * BigInt(node.quantity) - off + tax
    if (units === 0 || units === node.quantity) return units === 0 ? 0n : whole
    if (valuation === 'number') return roundedShare(whole, units, node.quantity)
    const removedLines = (internal.refunds ?? []).flatMap((refund) => refund.lines.filter(({ line }) => line === index))
    const goneTax =
      isOnTop || valuation === 'subtotal and tax' ? total(removedLines.map((units) => micros(units.tax))) : 0n
    return whole - total(removedLines.map(({ subtotal }) => micros(subtotal))) - goneTax
  })
  const shipping = order.shippingLines.edges.map(({ node }, index) => {
    if (isNet && internal.shippingRemoved?.[index]) return 0n
    const off = total(node.discountAllocations.map((allocation) => amount(allocation.allocatedAmountSet)))
    const taxes = (internal.shippingTaxLines?.[index] ?? []) as readonly TaxLineNode[]
    const tax = isOnTop ? total(taxes.map((line) => amount(line.priceSet))) : 0n
    const sold = least(amount(node.discountedPriceSet), amount(node.originalPriceSet) - off)
    const current = isNet ? internal.shippingCurrent?.[index] : undefined
    return current === undefined ? sold + tax : micros(current) + (tax * micros(current)) / sold
  })
  const tip = order.lineItems.edges.some(({ node }) => node.title === 'Tip') ? 0n : micros(internal.totalTip ?? '0')
  const duties = micros(internal.duties ?? '0')
  const fees = total((internal.fees ?? []).map(({ price }) => micros(price)))
  const sum = total([...lines, ...shipping, tip])
  // A share by number may differ from the platform's value by a hundredth.
  const slack = valuation === 'number' ? HUNDREDTH * BigInt(lines.length) : 0n
  const currentTotal = isNet ? internal.currentTotal : undefined
  return {
    sum,
    expected: micros(currentTotal ?? order.totalPriceSet.shopMoney.amount),
    name: currentTotal === undefined ? 'totalPriceSet' : 'currentTotalPriceSet',
    slack,
    extras: [0n, duties, fees, duties + fees],
  }
}

const HUNDREDTH = 10_000n
function roundedShare(whole: bigint, part: number, parts: number): bigint {
  return (((whole / HUNDREDTH) * BigInt(part) * 2n + BigInt(parts)) / (BigInt(parts) * 2n)) * HUNDREDTH
}
