/** What the platform is asked for an order (platform orders 3): the first page, and further pages of lines. */

const FRAGMENTS = `
fragment m on MoneyBag { shopMoney { amount currencyCode } }
fragment t on TaxLine { title rate ratePercentage priceSet { ...m } }
fragment a on DiscountAllocation { allocatedAmountSet { ...m } discountApplication { index } }`

const LINES = `
    lineItems(first: $n, after: $after) { pageInfo { hasNextPage endCursor } edges { node {
      id title quantity currentQuantity isGiftCard sku
      originalUnitPriceSet { ...m } discountedUnitPriceSet { ...m }
      taxLines { ...t } discountAllocations { ...a } } } }`

export const FIRST_PAGE = `query OrderForReceipt($id: ID!, $n: Int!, $after: String) {
  order(id: $id) {
    id legacyResourceId name note
    totalPriceSet { ...m } totalDiscountsSet { ...m }
    taxesIncluded cancelledAt test
    totalTipReceivedSet { ...m }
    transactions(first: 100) { gateway kind status amountSet { ...m } }
    discountApplications(first: 50) { edges { node {
      __typename index allocationMethod targetSelection targetType
      value { __typename ... on MoneyV2 { amount currencyCode } ... on PricingPercentageValue { percentage } }
      ... on DiscountCodeApplication { code }
      ... on ManualDiscountApplication { title description }
      ... on AutomaticDiscountApplication { title }
      ... on ScriptDiscountApplication { title } } } }
    shippingLines(first: 20) { edges { node {
      id title originalPriceSet { ...m } discountedPriceSet { ...m }
      taxLines { ...t }
      discountAllocations { ...a } } } }${LINES}
  }
}
${FRAGMENTS}`

/** The total again: when it has changed meanwhile, the reading starts over. */
export const FURTHER_PAGE = `query FurtherLines($id: ID!, $n: Int!, $after: String) {
  order(id: $id) {
    totalPriceSet { ...m }${LINES}
  }
}
${FRAGMENTS}`
