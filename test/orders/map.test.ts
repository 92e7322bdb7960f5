import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spread } from '../../drivers/model/amounts.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import { rowsOf } from '../../server/orders/lines.ts'
import { type MappedOrder, mapOrder } from '../../server/orders/map.ts'
import { mappingOf } from '../../server/orders/mapping.ts'
import { orderSchema } from '../../server/orders/order.ts'
import { productName } from '../../server/orders/platform-values.ts'
import { CASES, FILE, mappingConfig, platformOrder } from './cases.ts'

const map = (order: unknown, override: object = {}): MappedOrder =>
  mapOrder(orderSchema.parse(order), mappingOf(mappingConfig(override)))

const decimal = (text: unknown) => Number(text)

/** Returns a mapped order in the format of print-fiscal-receipt, with decimals as numbers. */
function shapeOf(mapped: MappedOrder, department: number, unit: string) {
  return {
    receiptItems: mapped.lines.flatMap((line) =>
      rowsOf(line).map((row) => ({
        Type: 0,
        FreeSale: {
          ProductName: line.name,
          TaxCode: line.taxCode,
          Price: row.price / 100,
          Department: department,
          Unit: unit,
          Quantity: row.pieces,
          ...(row.adjustment && {
            DiscountType: row.adjustment.kind === 'discount' ? 4 : 3,
            DiscountValue: row.adjustment.amount / 100,
          }),
        },
      })),
    ),
    lineTotals: mapped.lines.map((line) => formatMoney(line.total)),
    payments: mapped.payments.map(({ mode, amount }) => ({ PaymentMode: mode, Amount: formatMoney(amount) })),
    total: formatMoney(mapped.total),
  }
}

describe('the examples of orders', () => {
  it('are complete', () => expect([FILE.fixtures.length, FILE.rejections.length]).toEqual([12, 8]))

  it.each(CASES.filter(({ expected }) => expected.status === 200).map((one) => [one.case, one] as const))(
    'include %s, which becomes its receipt',
    (_case, one) => {
      if (one.expected.status !== 200) return
      const { receiptItems, lineTotals, payments, total } = one.expected
      const unit = String(one.configOverride?.['unit'] ?? 'buc')
      expect(shapeOf(map(platformOrder(one), one.configOverride), 1, unit)).toEqual({
        receiptItems: receiptItems.map(({ Type, FreeSale }) => ({
          Type,
          FreeSale: {
            ...FreeSale,
            Price: decimal(FreeSale['Price']),
            Quantity: decimal(FreeSale['Quantity']),
            ...('DiscountValue' in FreeSale && { DiscountValue: decimal(FreeSale['DiscountValue']) }),
          },
        })),
        lineTotals,
        payments,
        total,
      })
    },
  )

  it.each(CASES.filter(({ expected }) => expected.status === 400).map((one) => [one.case, one] as const))(
    'include %s, which is refused with its reason',
    (_case, one) => {
      if (one.expected.status !== 400) return
      expect(() => map(platformOrder(one), one.configOverride)).toThrow(one.expected.message)
    },
  )
})

// ---------------------------------------------------------------- made-up orders

const set = (amount: string) => ({ shopMoney: { amount, currencyCode: 'RON' } })
const tax = (rate: number, amount: string) => ({
  title: 'VAT',
  rate,
  ratePercentage: rate * 100,
  priceSet: set(amount),
})
const off = (amount: string) => ({ allocatedAmountSet: set(amount), discountApplication: { index: 0 } })

interface Line {
  readonly price: string
  readonly quantity?: number
  readonly taxLines?: readonly unknown[]
  readonly off?: string
  readonly title?: string
}

const item = ({ price, quantity = 1, taxLines = [tax(0.21, '0.0')], off: amount, title = 'Produs' }: Line) => ({
  node: {
    id: 'gid://platform/LineItem/1',
    title,
    quantity,
    originalUnitPriceSet: set(price),
    discountedUnitPriceSet: set(price),
    taxLines,
    discountAllocations: amount === undefined ? [] : [off(amount)],
  },
})

const order = (total: string, lines: readonly Line[], more: object = {}) => ({
  id: 'gid://platform/Order/1',
  legacyResourceId: '1',
  name: '#1',
  note: null,
  totalPriceSet: set(total),
  totalDiscountsSet: set('0.0'),
  taxesIncluded: true,
  transactions: [{ gateway: 'cash', amount: total, kind: 'SALE', status: 'SUCCESS' }],
  discountApplications: { edges: [] },
  shippingLines: { edges: [] },
  lineItems: { edges: lines.map(item) },
  ...more,
})

const inEuro = (original: ReturnType<typeof order>) => {
  const edges = original.lineItems.edges.map(({ node }) => ({
    node: { ...node, originalUnitPriceSet: { shopMoney: { amount: '5.00', currencyCode: 'EUR' } } },
  }))
  return { ...original, lineItems: { edges } }
}

const rowsIn = (mapped: MappedOrder) =>
  mapped.lines.flatMap((line) =>
    rowsOf(line).map(({ price, pieces, adjustment }) => [
      price,
      pieces,
      adjustment?.kind ?? '',
      adjustment?.amount ?? 0,
    ]),
  )

describe('of the lines of an order,', () => {
  it('tax on top of the price is added, so that the price is what the customer paid', () => {
    const lines = [{ price: '10.00', quantity: 2, taxLines: [tax(0.21, '4.20')] }]
    expect(rowsIn(map(order('24.20', lines, { taxesIncluded: false })))).toEqual([[1210, 2, '', 0]])
  })

  it('rounded tax on top of the price makes a line whole pieces at two prices', () => {
    const lines = [{ price: '0.99', quantity: 3, taxLines: [tax(0.21, '0.62')] }]
    // 1.20 x 3 = 3.60, but 2.97 + 0.62 = 3.59
    expect(rowsIn(map(order('3.59', lines, { taxesIncluded: false })))).toEqual([
      [119, 1, '', 0],
      [120, 2, '', 0],
    ])
  })

  it('a line of quantity 0 is skipped', () => {
    expect(map(order('5.00', [{ price: '5.00' }, { price: '7.00', quantity: 0 }])).lines.length).toBe(1)
  })

  it('several taxes of one line are added before their code is determined', () => {
    const lines = [{ price: '5.00', taxLines: [tax(0.1, '0.4'), tax(0.11, '0.5')] }]
    expect(map(order('5.00', lines)).lines[0]?.taxCode).toBe(1)
  })

  it.each<[string, object, object, string]>([
    ['a cancelled order', order('5.00', [{ price: '5.00' }], { cancelledAt: '2026-01-01T00:00:00Z' }), {}, 'order was cancelled'],
    ['an untaxed line', order('5.00', [{ price: '5.00', taxLines: [] }]), { noTaxCode: undefined }, 'no tax on line 1 and no code configured for untaxed lines'],
    ['a discount too large', order('5.00', [{ price: '5.00' }, { price: '1.00', off: '1.01' }]), {}, 'discount of line 2 exceeds its price'],
    ['a quantity too large', order('5.00', [{ price: '0.01', quantity: 1_000_000 }]), {}, 'quantity 1000000 of line 1 is out of range'],
    ['a negative price', order('5.00', [{ price: '5.00' }, { price: '-5.0' }]), {}, 'price -5.00 of line 2 is out of range'],
    ['a price with an exponent', order('10.00', [{ price: '1e1' }]), {}, 'amount 1e1 cannot be expressed with 2 decimals'],
    ['a total with an exponent', order('1e1', [{ price: '10.00' }]), {}, 'amount 1e1 cannot be expressed with 2 decimals'],
    ['a negative discount', order('5.00', [{ price: '5.00', off: '-1.0' }]), {}, 'amount -1.00 is negative'],
    ['a total beyond any', order('99999999999.00', [{ price: '5.00' }]), {}, 'amount 99999999999.00 of the order total is out of range'],
    ['a discount beyond any', order('5.00', [{ price: '5.00', off: '9999999999999.99' }]), {}, 'amount 9999999999999.99 of a discount of line 1 is out of range'],
    ['a tax beyond any', order('5.00', [{ price: '5.00', taxLines: [tax(0.21, '9999999999999999.0')] }], { taxesIncluded: false }), {}, 'amount 9999999999999999.0 of a tax of line 1 is out of range'],
    ['a price beyond any', order('5.00', [{ price: '99999999999999999.99' }]), {}, 'price 99999999999999999.99 of line 1 is out of range'],
    ['transactions beyond what can be added', order('5.00', [{ price: '5.00' }], { transactions: Array(2000).fill(
      { gateway: 'cash', amount: '9999999999999.99', kind: 'SALE', status: 'SUCCESS' }) }), {}, 'amount 9999999999999.99 of a transaction (SALE) is out of range'],
    ['transactions that can be added', order('5.00', [{ price: '5.00' }], { transactions: Array(2000).fill(
      { gateway: 'card_terminal', amount: '99999999.00', kind: 'SALE', status: 'SUCCESS' }) }), {}, 'payments 199999998000.00 exceed the order total 5.00'],
    ['a line in another currency', inEuro(order('5.00', [{ price: '5.00' }])), {}, 'order currency EUR differs from the device currency RON'],
    ['a line in another currency than the order', inEuro(order('5.00', [{ price: '5.00' }])), {}, 'order currency EUR differs from the device currency RON'],
    ['a full refund', order('5.00', [{ price: '5.00' }], { transactions: [
      { gateway: 'cash', amount: '5.00', kind: 'SALE', status: 'SUCCESS' },
      { gateway: 'cash', amount: '5.00', kind: 'REFUND', status: 'SUCCESS' }] }), {}, 'order was fully refunded'],
    ['a card above the total', order('5.00', [{ price: '5.00' }], { transactions: [
      { gateway: 'card_terminal', amount: '6.00', kind: 'SALE', status: 'SUCCESS' }] }), {}, 'payments 6.00 exceed the order total 5.00'],
    ['a failed payment', order('5.00', [{ price: '5.00' }], { transactions: [
      { gateway: 'cash', amount: '5.00', kind: 'SALE', status: 'FAILURE' }] }), {}, 'order is not fully paid: 0.00 of 5.00'],
  ])('%s is refused', (_, node, override, message) => expect(() => map(node, override)).toThrow(message)) // biome-ignore format: a table
})

describe('the difference between lines and total', () => {
  it('is printed as a line if it is a tip without a line', () => {
    const mapped = map(order('6.50', [{ price: '5.00' }], { totalTipReceivedSet: set('1.50') }))
    expect(mapped.lines.map(({ name, total, taxCode }) => [name, total, taxCode])).toEqual([
      ['Produs', 500, 1],
      ['Tip', 150, 4],
    ])
  })

  it('is not printed if it is a tip that has a line already', () => {
    const lines = [{ price: '5.00' }, { price: '1.50', title: 'Tip', taxLines: [] }]
    expect(map(order('6.50', lines, { totalTipReceivedSet: set('1.50') })).lines.length).toBe(2)
  })

  it('is distributed over the lines if it is an order discount', () => {
    const mapped = map(order('13.00', [{ price: '10.00' }, { price: '5.00' }], { totalDiscountsSet: set('2.0') }))
    expect(rowsIn(mapped)).toEqual([
      [1000, 1, 'discount', 133],
      [500, 1, 'discount', 67],
    ])
    expect(mapped.healings).toEqual([{ rule: 'unallocated discount', amount: -200 }])
  })

  it('is added to the most expensive line if it is a few hundredths', () => {
    expect(rowsIn(map(order('15.03', [{ price: '10.00' }, { price: '5.00' }])))).toEqual([
      [1000, 1, 'surcharge', 3],
      [500, 1, '', 0],
    ])
    expect(rowsIn(map(order('14.03', [{ price: '10.00', off: '1.00' }, { price: '5.00' }])))).toEqual([
      [1000, 1, 'discount', 97],
      [500, 1, '', 0],
    ])
  })

  it('is refused if it exceeds the tolerance', () => {
    const message = 'order does not add up: lines and shipping give 15.00, order total is 15.06'
    expect(() => map(order('15.06', [{ price: '10.00' }, { price: '5.00' }]))).toThrow(message)
  })

  it('decides whether tax is included if the order does not say so', () => {
    const lines = [{ price: '10.00', taxLines: [tax(0.21, '2.10')] }]
    expect(map(order('10.00', lines, { taxesIncluded: undefined })).lines[0]?.total).toBe(1000)
    expect(map(order('12.10', lines, { taxesIncluded: undefined })).lines[0]?.total).toBe(1210)
    expect(() => map(order('12.00', lines, { taxesIncluded: undefined }))).toThrow('does not add up')
  })
})

describe('for the payments of an order,', () => {
  const paid = (transactions: readonly object[], override: object = {}) =>
    map(order('10.00', [{ price: '10.00' }], { transactions }), override).payments.map(({ mode, amount }) => [
      mode,
      amount,
    ])
  const t = (gateway: string, amount: string, kind = 'SALE', status = 'SUCCESS') => ({ gateway, amount, kind, status })

  it.each<[string, readonly object[], object, readonly (readonly number[])[]]>([
    ['change is deducted from the cash', [t('cash', '15.00'), t('cash', '5.00', 'CHANGE')], {}, [[0, 1000]]],
    ['an excess is deducted from the cash', [t('card_terminal', '4.00'), t('cash', '7.00')], {}, [[1, 400], [0, 600]]],
    ['cash is the handed-over amount if so configured', [t('cash', '15.00'), t('cash', '5.00', 'CHANGE')], { cashTendered: 'tendered' }, [[0, 1500]]],
    ['a capture counts, an authorization does not', [t('platform_payments', '10.00', 'AUTHORIZATION'), t('platform_payments', '10.00', 'CAPTURE')], {}, [[1, 1000]]],
    ['cash on delivery counts while it is pending', [t('Cash on Delivery (COD)', '10.00', 'SALE', 'PENDING')], {}, [[0, 1000]]],
    ['a gateway is recognized with other capital letters and blanks', [t(' Gift_Card ', '10.00')], {}, [[5, 1000]]],
    ['an unknown gateway gets the default mode', [t('Crypto', '10.00')], { defaultGateway: 'card' }, [[1, 1000]]],
    ['an unpaid order with automatic payment has no payments', [], { unpaidPolicy: 'auto' }, []],
    ['two cards are one sum', [t('card_terminal', '4.00'), t('platform_payments', '6.00')], {}, [[1, 1000]]],
  ])('%s', (_, transactions, override, payments) => expect(paid(transactions, override)).toEqual(payments)) // biome-ignore format: a table

  it('a partial refund is not deducted, or the order is refused if so configured', () => {
    const transactions = [t('cash', '10.00'), t('cash', '4.00', 'REFUND')]
    expect(paid(transactions)).toEqual([[0, 1000]])
    expect(() => paid(transactions, { refundPolicy: 'reject' })).toThrow('order was partly refunded')
  })
})

describe('an amount in hundredths that is distributed', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 99_999_999 }), { minLength: 1, maxLength: 30 })
  const cases = weights.chain((list) => {
    const total = list.reduce((sum, weight) => sum + weight, 0)
    return fc.tuple(fc.constant(list), fc.integer({ min: 0, max: total }))
  })

  it('has shares that add up to the amount, and no share exceeds its weight', () => {
    fc.assert(
      fc.property(cases, ([list, amount]) => {
        const shares = spread(amount, list)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount)
        for (const [index, share] of shares.entries()) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(list[index] ?? 0)
        }
      }),
    )
  })

  it('has equal shares for equal amounts, and the order of equal lines changes no sum', () => {
    fc.assert(
      fc.property(cases, ([list, amount]) => {
        expect(spread(amount, list)).toEqual(spread(amount, list))
        const sorted = (shares: readonly number[]) => [...shares].sort((one, other) => one - other)
        const reversed = [...list].reverse()
        const sums = (weights: readonly number[]) => sorted(spread(amount, weights))
        expect(sums(reversed).reduce((sum, share) => sum + share, 0)).toBe(amount)
      }),
    )
  })

  it.each<[number, readonly number[], readonly number[]]>([
    [4, [100, 100, 100], [2, 1, 1]],
    [10, [0, 5, 5], [0, 5, 5]],
    [1, [10, 30], [0, 1]],
    [0, [0, 0], [0, 0]],
  ])('of %s over %s has the shares %s', (amount, list, shares) => expect(spread(amount, list)).toEqual(shares))
})

describe('any order whose lines add up', () => {
  it('is sold and paid for exactly its total', () => {
    const line = fc
      .record({
        price: fc.integer({ min: 1, max: 100_000 }),
        quantity: fc.integer({ min: 1, max: 9 }),
        part: fc.integer({ min: 0, max: 99 }),
      })
      .map(({ price, quantity, part }) => ({ price, quantity, off: Math.floor((price * quantity * part) / 100) }))
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.integer({ min: -4, max: 4 }), (lines, cents) => {
        const total = lines.reduce((sum, one) => sum + one.price * one.quantity - one.off, 0) + cents
        fc.pre(total > 0)
        const lineItems = lines.map((one) => ({
          price: formatMoney(one.price),
          quantity: one.quantity,
          off: formatMoney(one.off),
        }))
        const mapped = map(order(formatMoney(total), lineItems))
        const sold = mapped.lines.flatMap(rowsOf).reduce((sum, { price, pieces, adjustment }) => {
          const change = adjustment ? (adjustment.kind === 'discount' ? -adjustment.amount : adjustment.amount) : 0
          return sum + price * pieces + change
        }, 0)
        expect(sold).toBe(total)
        expect(mapped.payments.reduce((sum, { amount }) => sum + amount, 0)).toBe(total)
      }),
    )
  })
})

describe('the name of an order line', () => {
  it.each([
    ['  a \t b\n', 'a b'],
    ['\u2028', 'Item 1'],
    ['x'.repeat(80), 'x'.repeat(72)],
    [`${'x'.repeat(71)}👨‍👩‍👧`, 'x'.repeat(71)],
    ['e\u0301', 'é'],
  ])('%j is printed as %j', (title, name) => expect(productName(title, 'Item 1')).toBe(name))
})
