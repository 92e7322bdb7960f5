/** Paths that `RequestChannel` handles without a route: orders and legacy jobs. */
export const ORDER = '/print-platform-order'
export const LEGACY = '/Receipt'

export interface OrderBody {
  readonly order: number
  readonly token: string
  readonly again: boolean
}

const ORDERS_MAX = 9
export const orderTotal = (order: number): bigint => 432_100n + BigInt(order)

export const isOrderTotal = (total: bigint | undefined): boolean =>
  total !== undefined && total > orderTotal(0) && total <= orderTotal(ORDERS_MAX)

/**
 * Returns the order as the platform reports it. An odd order has one row, paid in cash. An even order has two rows, a
 * discount, shipping, a note and two payments.
 */
export function platformOrder(order: number): object {
  const total = orderTotal(order)
  const { rows, discount, shipping, paid } = order % 2 === 1 ? plainParts(total) : richParts(total)
  return {
    id: `gid://platform/Order/${order}`,
    legacyResourceId: String(order),
    name: `#${order}`,
    totalPriceSet: moneySet(total),
    totalDiscountsSet: moneySet(discount),
    note: order % 2 === 1 ? null : 'Leave it at the door',
    lineItems: { edges: rows.map((row, index) => ({ node: rowOf(row, index) })) },
    transactions: paid.map(([gateway, amount]) => ({
      gateway,
      amount: units(amount),
      kind: 'SALE',
      status: 'SUCCESS',
    })),
    discountApplications: { edges: discount === 0n ? [] : [{ node: DISCOUNT }] },
    shippingLines: { edges: shipping === 0n ? [] : [{ node: shippingOf(shipping) }] },
    taxesIncluded: true,
  }
}

interface Row {
  readonly title: string
  readonly price: bigint
  readonly quantity: number
  readonly discount: bigint
}

/** Amounts in hundredths. */
interface Parts {
  readonly rows: readonly Row[]
  readonly discount: bigint
  readonly shipping: bigint
  readonly paid: readonly (readonly [gateway: string, amount: bigint])[]
}

const plainParts = (total: bigint): Parts => ({
  rows: [{ title: 'Goods', price: total, quantity: 1, discount: 0n }],
  discount: 0n,
  shipping: 0n,
  paid: [['cash', total]],
})

function richParts(total: bigint): Parts {
  const [cheap, discount, shipping, card] = [12_345n, 345n, 1_500n, 100_000n]
  const rest = total - shipping - 2n * cheap + discount
  return {
    rows: [
      { title: 'Cup', price: cheap, quantity: 2, discount },
      { title: 'Kettle', price: rest, quantity: 1, discount: 0n },
    ],
    discount,
    shipping,
    paid: [
      ['platform_payments', card],
      ['cash', total - card],
    ],
  }
}

const units = (amount: bigint): string => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`
const moneySet = (amount: bigint) => ({ shopMoney: { amount: units(amount), currencyCode: 'RON' } })
const TAX = { title: 'VAT', rate: 0.21, ratePercentage: 21, priceSet: moneySet(0n) }
const DISCOUNT = {
  __typename: 'ManualDiscountApplication',
  index: 0,
  allocationMethod: 'ACROSS',
  targetSelection: 'EXPLICIT',
  targetType: 'LINE_ITEM',
  value: { __typename: 'MoneyV2', amount: '3.45', currencyCode: 'RON' },
  title: 'Regular customer',
}

const rowOf = ({ title, price, quantity, discount }: Row, index: number) => ({
  id: `gid://platform/LineItem/${index + 1}`,
  title,
  quantity,
  originalUnitPriceSet: moneySet(price),
  discountedUnitPriceSet: moneySet(price),
  taxLines: [TAX],
  discountAllocations:
    discount === 0n ? [] : [{ allocatedAmountSet: moneySet(discount), discountApplication: { index: 0 } }],
})

const shippingOf = (amount: bigint) => ({
  id: 'gid://platform/ShippingLine/1',
  title: 'Courier',
  originalPriceSet: moneySet(amount),
  discountedPriceSet: moneySet(amount),
  taxLines: [TAX],
  discountAllocations: [],
})
