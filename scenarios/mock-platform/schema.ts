import { buildSchema, type GraphQLSchema } from 'graphql'

/** The part of the platform's schema that concerns orders (platform orders 3). */
export const SCHEMA: GraphQLSchema = buildSchema(`
  scalar Decimal
  scalar DateTime
  scalar UnsignedInt64

  type QueryRoot { order(id: ID!): Order refund(id: ID!): Refund }
  schema { query: QueryRoot }

  type MoneyV2 { amount: Decimal! currencyCode: String! }
  type MoneyBag { shopMoney: MoneyV2! presentmentMoney: MoneyV2! }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }

  type TaxLine { title: String! rate: Float ratePercentage: Float priceSet: MoneyBag! }
  type DiscountAllocation { allocatedAmountSet: MoneyBag! discountApplication: DiscountApplication! }

  type PricingPercentageValue { percentage: Float! }
  union PricingValue = MoneyV2 | PricingPercentageValue
  enum DiscountApplicationAllocationMethod { ACROSS EACH ONE }
  enum DiscountApplicationTargetSelection { ALL ENTITLED EXPLICIT }
  enum DiscountApplicationTargetType { LINE_ITEM SHIPPING_LINE }

  interface DiscountApplication {
    index: Int!
    allocationMethod: DiscountApplicationAllocationMethod!
    targetSelection: DiscountApplicationTargetSelection!
    targetType: DiscountApplicationTargetType!
    value: PricingValue!
  }
  type DiscountCodeApplication implements DiscountApplication {
    index: Int! allocationMethod: DiscountApplicationAllocationMethod!
    targetSelection: DiscountApplicationTargetSelection! targetType: DiscountApplicationTargetType!
    value: PricingValue! code: String!
  }
  type ManualDiscountApplication implements DiscountApplication {
    index: Int! allocationMethod: DiscountApplicationAllocationMethod!
    targetSelection: DiscountApplicationTargetSelection! targetType: DiscountApplicationTargetType!
    value: PricingValue! title: String! description: String
  }
  type AutomaticDiscountApplication implements DiscountApplication {
    index: Int! allocationMethod: DiscountApplicationAllocationMethod!
    targetSelection: DiscountApplicationTargetSelection! targetType: DiscountApplicationTargetType!
    value: PricingValue! title: String!
  }
  type ScriptDiscountApplication implements DiscountApplication {
    index: Int! allocationMethod: DiscountApplicationAllocationMethod!
    targetSelection: DiscountApplicationTargetSelection! targetType: DiscountApplicationTargetType!
    value: PricingValue! title: String!
  }
  type DiscountApplicationEdge { cursor: String! node: DiscountApplication! }
  type DiscountApplicationConnection { edges: [DiscountApplicationEdge!]! pageInfo: PageInfo! }

  enum OrderTransactionKind { SALE AUTHORIZATION CAPTURE VOID REFUND CHANGE EMV_AUTHORIZATION SUGGESTED_REFUND }
  enum OrderTransactionStatus { SUCCESS PENDING FAILURE ERROR AWAITING_RESPONSE UNKNOWN }
  type OrderTransaction {
    id: ID! parentTransaction: OrderTransaction
    gateway: String kind: OrderTransactionKind! status: OrderTransactionStatus!
    amount: Decimal! amountSet: MoneyBag!
  }

  type LineItem {
    id: ID! title: String! quantity: Int! currentQuantity: Int! isGiftCard: Boolean! sku: String
    variantTitle: String
    originalUnitPriceSet: MoneyBag! discountedUnitPriceSet: MoneyBag!
    taxLines: [TaxLine!]! discountAllocations: [DiscountAllocation!]!
  }
  type LineItemEdge { cursor: String! node: LineItem! }
  type LineItemConnection { edges: [LineItemEdge!]! pageInfo: PageInfo! }

  type ShippingLine {
    id: ID title: String! originalPriceSet: MoneyBag! discountedPriceSet: MoneyBag!
    currentDiscountedPriceSet: MoneyBag! isRemoved: Boolean!
    taxLines: [TaxLine!]! discountAllocations: [DiscountAllocation!]!
  }
  type ShippingLineEdge { cursor: String! node: ShippingLine! }
  type ShippingLineConnection { edges: [ShippingLineEdge!]! pageInfo: PageInfo! }

  type AdditionalFee { name: String! price: MoneyBag! taxLines: [TaxLine!]! }
  type CashRoundingAdjustment { paymentSet: MoneyBag! refundSet: MoneyBag! }

  type RefundLineItem { quantity: Int! lineItem: LineItem! subtotalSet: MoneyBag! totalTaxSet: MoneyBag! }
  type RefundLineItemEdge { cursor: String! node: RefundLineItem! }
  type RefundLineItemConnection { edges: [RefundLineItemEdge!]! pageInfo: PageInfo! }
  type Refund { id: ID! refundLineItems(first: Int, last: Int, after: String): RefundLineItemConnection! }

  type Order {
    id: ID! legacyResourceId: UnsignedInt64! name: String! note: String
    totalPriceSet: MoneyBag! totalDiscountsSet: MoneyBag! totalTipReceivedSet: MoneyBag!
    currentTotalPriceSet: MoneyBag! currentTotalDiscountsSet: MoneyBag!
    currentTotalDutiesSet: MoneyBag currentTotalAdditionalFeesSet: MoneyBag
    additionalFees: [AdditionalFee!]! totalCashRoundingAdjustment: CashRoundingAdjustment!
    refunds(first: Int): [Refund!]!
    taxesIncluded: Boolean! cancelledAt: DateTime test: Boolean!
    transactions(first: Int): [OrderTransaction!]!
    discountApplications(first: Int, last: Int, after: String): DiscountApplicationConnection!
    shippingLines(first: Int, last: Int, after: String): ShippingLineConnection!
    lineItems(first: Int, last: Int, after: String): LineItemConnection!
  }
`)

export const REMOVED_FIELDS: readonly { readonly type: string; readonly field: string; readonly from: string }[] = [
  { type: 'OrderTransaction', field: 'amount', from: '2025-01' },
]

export const PAGE_MAX = 250
