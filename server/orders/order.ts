/**
 * An order as the platform reports it, and the part of it in the answers of the service (specification 2.5). The
 * members have the shapes of platform orders 3. Members that only the service reads are optional, because a relay may
 * lack them.
 */
import { z } from 'zod'
import type { Data } from '../answer-data.ts'

const oneCurrency = z.object({ amount: z.string(), currencyCode: z.string() })
/** `presentmentMoney` is requested only if `mapping.money` is `presentment`. */
const money = z.object({ shopMoney: oneCurrency, presentmentMoney: oneCurrency.nullish() })
export type MoneySet = z.output<typeof money>

const taxLine = z.object({
  title: z.string().nullish(),
  rate: z.number().nullish(),
  ratePercentage: z.number().nullish(),
  priceSet: money,
})
export type TaxLine = z.output<typeof taxLine>

const allocation = z.object({ allocatedAmountSet: money, discountApplication: z.object({ index: z.number() }) })

const edges = <T extends z.ZodType>(node: T) => z.object({ edges: z.array(z.object({ node })) })

const lineItem = z.object({
  id: z.string(),
  title: z.string(),
  quantity: z.int(),
  originalUnitPriceSet: money,
  discountedUnitPriceSet: money,
  taxLines: z.array(taxLine),
  discountAllocations: z.array(allocation),
  currentQuantity: z.int().nullish(),
  isGiftCard: z.boolean().nullish(),
  sku: z.string().nullish(),
  variantTitle: z.string().nullish(),
})
export type LineItem = z.output<typeof lineItem>

const shippingLine = z.object({
  id: z.string().nullish(),
  title: z.string(),
  originalPriceSet: money,
  discountedPriceSet: money,
  discountAllocations: z.array(allocation),
  taxLines: z.array(taxLine).nullish(),
  currentDiscountedPriceSet: money.nullish(),
  isRemoved: z.boolean().nullish(),
})
export type ShippingLine = z.output<typeof shippingLine>

/** A transaction with a money set, or, from a relay, with the text of the public answer. */
const transaction = z
  .object({
    id: z.string().nullish(),
    parentTransaction: z.object({ id: z.string() }).nullish(),
    gateway: z.string().nullish(),
    kind: z.string(),
    status: z.string().nullish(),
    amount: z.string().optional(),
    amountSet: money.optional(),
  })
  .transform(({ id, parentTransaction, gateway, kind, status, amount, amountSet }, context) => {
    const text = amountSet?.shopMoney.amount ?? amount
    if (text === undefined) {
      context.issues.push({ code: 'custom', message: 'a transaction without an amount', input: amount })
      return z.NEVER
    }
    const currency = amountSet?.shopMoney.currencyCode
    return {
      id: id ?? undefined,
      parent: parentTransaction?.id,
      gateway: gateway ?? '',
      amount: text,
      currency,
      presentment: amountSet?.presentmentMoney ?? undefined,
      kind,
      status: status ?? undefined,
    }
  })
export type Transaction = z.output<typeof transaction>

const discountApplication = z.looseObject({ index: z.number() })

const additionalFee = z.object({ name: z.string(), price: money, taxLines: z.array(taxLine).nullish() })
export type AdditionalFee = z.output<typeof additionalFee>

const refundLineItem = z.object({
  quantity: z.int(),
  lineItem: z.object({ id: z.string() }),
  subtotalSet: money,
  totalTaxSet: money,
})
/** Units of a line that a refund or an edit removed from the order. */
export type RefundLine = z.output<typeof refundLineItem>

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() })

export const refundPage = z.object({ refundLineItems: edges(refundLineItem).extend({ pageInfo }) })
export const transactionsAlone = z.object({ transactions: z.array(transaction) })

const lineItemsPage = edges(lineItem).extend({
  pageInfo,
})

export const orderSchema = z.object({
  id: z.string(),
  legacyResourceId: z.string(),
  name: z.string(),
  note: z.string().nullable(),
  totalPriceSet: money,
  totalDiscountsSet: money,
  taxesIncluded: z.boolean().nullish(),
  cancelledAt: z.string().nullish(),
  test: z.boolean().nullish(),
  totalTipReceivedSet: money.nullish(),
  currentTotalPriceSet: money.nullish(),
  currentTotalDiscountsSet: money.nullish(),
  currentTotalDutiesSet: money.nullish(),
  currentTotalAdditionalFeesSet: money.nullish(),
  additionalFees: z.array(additionalFee).nullish(),
  totalCashRoundingAdjustment: z.object({ paymentSet: money, refundSet: money }).nullish(),
  refunds: z.array(z.object({ id: z.string() })).nullish(),
  transactions: z.array(transaction),
  discountApplications: edges(discountApplication),
  shippingLines: edges(shippingLine),
  lineItems: edges(lineItem),
})
export type PlatformOrder = z.output<typeof orderSchema> & {
  /** Lines of all refunds, if they were read (platform orders 3.1). */
  readonly refundLines?: readonly RefundLine[]
}

export const firstPage = orderSchema.extend({ lineItems: lineItemsPage })
export const furtherPage = z.object({
  totalPriceSet: money,
  currentTotalPriceSet: money.nullish(),
  lineItems: lineItemsPage,
})

const moneyOut = ({ shopMoney: { amount, currencyCode } }: MoneySet) => ({ shopMoney: { amount, currencyCode } })

const allocationsOut = (list: readonly z.output<typeof allocation>[]) =>
  list.map(({ allocatedAmountSet, discountApplication: { index } }) => ({
    allocatedAmountSet: moneyOut(allocatedAmountSet),
    discountApplication: { index },
  }))

const taxLineOut = ({ title, rate, ratePercentage, priceSet }: TaxLine) => ({
  title: title ?? null,
  rate: rate ?? null,
  ratePercentage: ratePercentage ?? null,
  priceSet: moneyOut(priceSet),
})

const edgesOut = <T, R>({ edges: list }: { readonly edges: readonly { readonly node: T }[] }, out: (node: T) => R) => ({
  edges: list.map(({ node }) => ({ node: out(node) })),
})

/** Returns the members of specification 2.5 and no others. */
export function publicOrder(order: PlatformOrder) {
  return {
    id: order.id,
    legacyResourceId: order.legacyResourceId,
    name: order.name,
    totalPriceSet: moneyOut(order.totalPriceSet),
    totalDiscountsSet: moneyOut(order.totalDiscountsSet),
    note: order.note,
    lineItems: edgesOut(order.lineItems, (line) => ({
      id: line.id,
      title: line.title,
      quantity: line.quantity,
      originalUnitPriceSet: moneyOut(line.originalUnitPriceSet),
      discountedUnitPriceSet: moneyOut(line.discountedUnitPriceSet),
      taxLines: line.taxLines.map(taxLineOut),
      discountAllocations: allocationsOut(line.discountAllocations),
    })),
    transactions: order.transactions.map(({ gateway, amount, kind }) => ({ gateway, amount, kind })),
    discountApplications: edgesOut(order.discountApplications, (node) => node as unknown as Data),
    shippingLines: edgesOut(order.shippingLines, (line) => ({
      id: line.id ?? null,
      title: line.title,
      originalPriceSet: moneyOut(line.originalPriceSet),
      discountedPriceSet: moneyOut(line.discountedPriceSet),
      discountAllocations: allocationsOut(line.discountAllocations),
    })),
  }
}
