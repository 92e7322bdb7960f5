/** Orders of the platform as a run prints them, told apart by their sums, which nothing else comes to. */

/** Stand for the routes: how a client got there is not what is simulated. */
export const ORDER = '/print-platform-order'
export const LEGACY = '/Receipt'

export interface OrderBody {
  readonly order: number
  readonly token: string
  readonly again: boolean
}

const ORDERS_MAX = 9
/** Hundredths. */
export const orderTotal = (order: number): bigint => 432_100n + BigInt(order)

export const isOrderTotal = (total: bigint | undefined): boolean =>
  total !== undefined && total > orderTotal(0) && total <= orderTotal(ORDERS_MAX)

/** As the platform tells it: one row, paid in cash. */
export function platformOrder(order: number): object {
  const amount = `${orderTotal(order) / 100n}.${String(orderTotal(order) % 100n).padStart(2, '0')}`
  const money = { shopMoney: { amount, currencyCode: 'RON' } }
  const none = { shopMoney: { amount: '0.0', currencyCode: 'RON' } }
  const line = {
    id: 'gid://platform/LineItem/1',
    title: 'Goods',
    quantity: 1,
    originalUnitPriceSet: money,
    discountedUnitPriceSet: money,
    taxLines: [{ title: 'VAT', rate: 0.21, ratePercentage: 21, priceSet: none }],
    discountAllocations: [],
  }
  return {
    id: `gid://platform/Order/${order}`,
    legacyResourceId: String(order),
    name: `#${order}`,
    totalPriceSet: money,
    totalDiscountsSet: none,
    note: null,
    lineItems: { edges: [{ node: line }] },
    transactions: [{ gateway: 'cash', amount, kind: 'SALE', status: 'SUCCESS' }],
    discountApplications: { edges: [] },
    shippingLines: { edges: [] },
    taxesIncluded: true,
  }
}
