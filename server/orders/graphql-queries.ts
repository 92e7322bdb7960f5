export interface Queries {
  readonly firstPage: string
  /** A further page, with the totals. If a total has changed since the first page, the reading starts again. */
  readonly furtherPage: string
  readonly transactions: string
  readonly refund: string
}

export const TRANSACTIONS_FIRST = 30
const TRANSACTIONS_MAX = 100
export const REFUNDS_MAX = 50

const MONEY = {
  shop: 'fragment m on MoneyBag { shopMoney { amount currencyCode } }',
  presentment: 'fragment m on MoneyBag { shopMoney { amount currencyCode } presentmentMoney { amount currencyCode } }',
}
const TAX = 'fragment t on TaxLine { title rate ratePercentage priceSet { ...m } }'
const ALLOCATION = 'fragment a on DiscountAllocation { allocatedAmountSet { ...m } discountApplication { index } }'

const LINES = `
    lineItems(first: $n, after: $after) { pageInfo { hasNextPage endCursor } edges { node {
      id title variantTitle quantity currentQuantity isGiftCard sku
      originalUnitPriceSet { ...m } discountedUnitPriceSet { ...m }
      taxLines { ...t } discountAllocations { ...a } } } }`

const transactions = (first: number): string =>
  `transactions(first: ${first}) { id parentTransaction { id } gateway kind status amountSet { ...m } }`

/** `presentment` doubles the cost of each amount, so the query contains it only if it is printed. */
export function queriesFor(money: keyof typeof MONEY): Queries {
  const m = MONEY[money]
  const all = [m, TAX, ALLOCATION].join('\n')
  return {
    firstPage: `query OrderForReceipt($id: ID!, $n: Int!, $after: String) {
  order(id: $id) {
    id legacyResourceId name note
    totalPriceSet { ...m } totalDiscountsSet { ...m }
    currentTotalPriceSet { ...m } currentTotalDiscountsSet { ...m }
    currentTotalDutiesSet { ...m } currentTotalAdditionalFeesSet { ...m }
    additionalFees { name price { ...m } taxLines { ...t } }
    totalCashRoundingAdjustment { paymentSet { ...m } refundSet { ...m } }
    taxesIncluded cancelledAt test
    totalTipReceivedSet { ...m }
    refunds(first: ${REFUNDS_MAX + 1}) { id }
    ${transactions(TRANSACTIONS_FIRST)}
    discountApplications(first: 50) { edges { node {
      __typename index allocationMethod targetSelection targetType
      value { __typename ... on MoneyV2 { amount currencyCode } ... on PricingPercentageValue { percentage } }
      ... on DiscountCodeApplication { code }
      ... on ManualDiscountApplication { title description }
      ... on AutomaticDiscountApplication { title }
      ... on ScriptDiscountApplication { title } } } }
    shippingLines(first: 10) { edges { node {
      id title originalPriceSet { ...m } discountedPriceSet { ...m }
      currentDiscountedPriceSet { ...m } isRemoved
      taxLines { ...t }
      discountAllocations { ...a } } } }${LINES}
  }
}
${all}`,
    furtherPage: `query FurtherLines($id: ID!, $n: Int!, $after: String) {
  order(id: $id) {
    totalPriceSet { ...m } currentTotalPriceSet { ...m }${LINES}
  }
}
${all}`,
    transactions: `query Transactions($id: ID!) {
  order(id: $id) { ${transactions(TRANSACTIONS_MAX)} }
}
${m}`,
    refund: `query RefundLines($id: ID!, $n: Int!, $after: String) {
  refund(id: $id) {
    refundLineItems(first: $n, after: $after) { pageInfo { hasNextPage endCursor } edges { node {
      quantity lineItem { id } subtotalSet { ...m } totalTaxSet { ...m } } } }
  }
}
${m}`,
  }
}
