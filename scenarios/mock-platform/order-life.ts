/**
 * The life of one order on the platform: sold, edited, paid, refunded. Amounts are in hundredths. The code shares
 * nothing with the mapping of the service, which it checks.
 */
import { countText } from '../../drivers/model/count-text.ts'
import type { Internal, OrderCase, RefundedUnits } from './orders.ts'

export interface NewLine {
  readonly title: string
  readonly variant?: string
  readonly sku?: string
  readonly price: number
  readonly units: number
  /** Tax rate in hundredths of a percent, or null for no tax. */
  readonly rate: number | null
  readonly discount?: number
}

export interface NewOrder {
  readonly id: string
  readonly name?: string
  readonly currency?: string
  readonly taxesIncluded?: boolean
  readonly test?: boolean
  readonly lines: readonly NewLine[]
  /** Discount on the whole order, in hundredths. It is distributed over the lines by their cost. */
  readonly discount?: number
  readonly shipping?: NewShipping
}

export interface NewShipping {
  readonly title?: string
  readonly price: number
  /** Tax rate in hundredths of a percent, or how to blend it from the rates of the goods. */
  readonly rate: number | 'by price' | 'by quantity'
}

interface ShippingShare {
  readonly rate: number | null
  readonly price: number
}

interface Unit {
  readonly discount: number
}

interface Line extends Pick<NewLine, 'title' | 'variant' | 'sku' | 'price' | 'rate'> {
  /** All units that were ever sold. The first `current` units are not refunded or removed. */
  readonly units: Unit[]
  current: number
}

interface Transaction {
  readonly gateway: string
  readonly kind: string
  readonly amount: number
  status: string
  readonly parent: number | null
}

/** The message is for users. */
export class OrderChangeError extends Error {}

export class OrderLife {
  readonly #order: NewOrder
  readonly #lines: Line[]
  readonly #transactions: Transaction[] = []
  readonly #refunds: { readonly lines: readonly RefundedUnits[] }[] = []
  readonly #shippingShares: readonly ShippingShare[]
  #shippingLeft: number
  #isCancelled = false

  constructor(order: NewOrder) {
    this.#order = order
    this.#lines = discounted(order).map(lineOf)
    this.#shippingShares = order.shipping ? sharesOf(order.shipping, this.#lines) : []
    this.#shippingLeft = order.shipping?.price ?? 0
  }

  get currentTotal(): number {
    return (
      this.#lines.reduce((sum, line) => sum + this.#grossOf(line, line.current), 0) + this.#shipping(this.#shippingLeft)
    )
  }

  get lines(): readonly { readonly units: number; readonly total: number; readonly rate: number | null }[] {
    return this.#lines.map((line) => ({
      units: line.current,
      total: this.#grossOf(line, line.current),
      rate: line.rate,
    }))
  }

  /** Amount that was paid and not refunded, in hundredths. */
  get paid(): number {
    return this.#transactions.reduce((sum, { kind, status, amount }) => {
      if (status !== 'SUCCESS') return sum
      return kind === 'REFUND' ? sum - amount : kind === 'SALE' || kind === 'CAPTURE' ? sum + amount : sum
    }, 0)
  }

  get refunded(): number {
    return this.#transactions.reduce((sum, { kind, amount }) => (kind === 'REFUND' ? sum + amount : sum), 0)
  }

  get goodsTax(): ReadonlyMap<number, number> {
    const taxes = new Map<number, number>()
    for (const line of this.#lines) {
      if (line.rate === null) continue
      taxes.set(line.rate, (taxes.get(line.rate) ?? 0) + this.#taxOf(line.rate, unitsValue(line, line.current)))
    }
    return taxes
  }

  addLine(line: NewLine): void {
    this.#lines.push(lineOf(line))
  }

  /** Removed units become a refund without money. Throws OrderChangeError if removed units would be added again. */
  setUnits(place: number, units: number): void {
    const line = this.#line(place)
    if (units > line.current) {
      if (line.current < line.units.length)
        throw new OrderChangeError('removed units of an order cannot be added again')
      while (line.units.length < units) line.units.push({ discount: 0 })
      line.current = units
      return
    }
    this.#takeOff([{ line: place, units: line.current - units }])
  }

  refund(lines: readonly { readonly line: number; readonly units: number }[], amount: number, payment: number): void {
    const parent = this.#transactions[payment]
    if (!parent) throw new OrderChangeError(`the order has no payment ${payment + 1}`)
    if (lines.length > 0) this.#takeOff(lines)
    if (amount > 0) this.#transactions.push({ ...parent, kind: 'REFUND', amount, status: 'SUCCESS', parent: payment })
  }

  /** Marks `amount` of the shipping cost as refunded. `refund` without lines returns the money. */
  refundShipping(amount: number): void {
    if (amount > this.#shippingLeft)
      throw new OrderChangeError('the refund is more than the remaining cost of shipping')
    this.#shippingLeft -= amount
  }

  pay(gateway: string, amount: number, isPending = false): void {
    this.#transactions.push({ gateway, kind: 'SALE', amount, status: isPending ? 'PENDING' : 'SUCCESS', parent: null })
  }

  /** Captures a pending payment, or a part of it, possibly through another gateway. */
  capture(payment: number, amount: number, gateway?: string): void {
    const pending = this.#transactions[payment]
    if (!pending) throw new OrderChangeError(`the order has no payment ${payment + 1}`)
    if (pending.status !== 'PENDING') throw new OrderChangeError(`payment ${payment + 1} is not pending`)
    const by = gateway ?? pending.gateway
    this.#transactions.push({ gateway: by, kind: 'CAPTURE', amount, status: 'SUCCESS', parent: payment })
  }

  void(payment: number): void {
    const pending = this.#transactions[payment]
    if (!pending) throw new OrderChangeError(`the order has no payment ${payment + 1}`)
    this.#transactions.push({ ...pending, kind: 'VOID', status: 'SUCCESS', parent: payment })
  }

  cancel(): void {
    this.#isCancelled = true
  }

  toOrderCase(): OrderCase {
    const { id, name = `#${id}`, currency = 'RON', taxesIncluded = true, test = false, shipping } = this.#order
    const set = (hundredths: number) => ({ shopMoney: { amount: decimal(hundredths), currencyCode: currency } })
    const taxLine = (rate: number, tax: number) => ({
      title: 'VAT',
      rate: rate / 10_000,
      ratePercentage: rate / 100,
      priceSet: set(tax),
    })
    const sold = this.#lines.reduce((sum, line) => sum + this.#grossOf(line, line.units.length), 0)
    const internal: Internal = {
      taxesIncluded,
      test,
      cancelledAt: this.#isCancelled ? '2026-07-01T11:00:00Z' : null,
      transactionStatuses: this.#transactions.map(({ status }) => status),
      transactionParents: this.#transactions.map(({ parent }) => parent),
      currentTotal: decimal(this.currentTotal),
      currentQuantities: this.#lines.map(({ current }) => current),
      currentDiscounts: decimal(this.#lines.reduce((sum, line) => sum + discountOf(line, line.current), 0)),
      refunds: this.#refunds,
      skus: this.#lines.map(({ sku }) => sku ?? null),
      variants: this.#lines.map(({ variant }) => variant ?? null),
      ...(shipping && {
        shippingTaxLines: [
          this.#isShippingTaxed ? [taxLine(this.#shippingRate, this.#shippingTax(shipping.price))] : [],
        ],
        shippingCurrent: [decimal(this.#shippingLeft)],
      }),
    }
    const order = {
      id: `gid://platform/Order/${id}`,
      legacyResourceId: id,
      name,
      note: null,
      totalPriceSet: set(sold + this.#shipping(shipping?.price ?? 0)),
      totalDiscountsSet: set(this.#lines.reduce((sum, line) => sum + discountOf(line, line.units.length), 0)),
      lineItems: {
        edges: this.#lines.map((line, index) => {
          const discount = discountOf(line, line.units.length)
          return {
            node: {
              id: `gid://platform/LineItem/${id}0${index}`,
              title: line.title,
              quantity: line.units.length,
              originalUnitPriceSet: set(line.price),
              discountedUnitPriceSet: set(line.price),
              taxLines:
                line.rate === null
                  ? []
                  : [taxLine(line.rate, this.#taxOf(line.rate, unitsValue(line, line.units.length)))],
              discountAllocations:
                discount === 0 ? [] : [{ allocatedAmountSet: set(discount), discountApplication: { index: 0 } }],
            },
          }
        }),
      },
      transactions: this.#transactions.map(({ gateway, kind, amount }) => ({ gateway, kind, amount: decimal(amount) })),
      discountApplications: { edges: [] },
      shippingLines: {
        edges: shipping
          ? [
              {
                node: {
                  id: `gid://platform/ShippingLine/${id}`,
                  title: shipping.title ?? 'Shipping',
                  originalPriceSet: set(shipping.price),
                  discountedPriceSet: set(shipping.price),
                  discountAllocations: [],
                },
              },
            ]
          : [],
      },
    }
    return { order, internal }
  }

  #line(place: number): Line {
    const line = this.#lines[place]
    if (!line) throw new OrderChangeError(`the order has no line ${place + 1}`)
    return line
  }

  #takeOff(lines: readonly { readonly line: number; readonly units: number }[]): void {
    const taken = lines.map(({ line: place, units }): RefundedUnits => {
      const line = this.#line(place)
      if (units < 0 || units > line.current)
        throw new OrderChangeError(`line ${place + 1} has only ${countText(line.current, 'unit')} left, not ${units}`)
      const [before, after] = [unitsValue(line, line.current), unitsValue(line, line.current - units)]
      line.current -= units
      const tax = this.#taxOf(line.rate, before) - this.#taxOf(line.rate, after)
      return { line: place, quantity: units, subtotal: decimal(before - after), tax: decimal(tax) }
    })
    this.#refunds.push({ lines: taken.filter(({ quantity }) => quantity > 0) })
  }

  #grossOf(line: Line, units: number): number {
    const value = unitsValue(line, units)
    return this.#order.taxesIncluded === false ? value + this.#taxOf(line.rate, value) : value
  }

  #taxOf(rate: number | null, value: number): number {
    if (rate === null) return 0
    const base = this.#order.taxesIncluded === false ? 10_000 : 10_000 + rate
    return halfUp(value * rate, base)
  }

  #shippingTax(part: number): number {
    const { shipping } = this.#order
    if (!shipping || shipping.price === 0) return 0
    const whole = this.#shippingShares.reduce((sum, { rate, price }) => sum + this.#taxOf(rate, price), 0)
    return halfUp(whole * part, shipping.price)
  }

  get #isShippingTaxed(): boolean {
    return this.#shippingShares.some(({ rate }) => rate !== null)
  }

  /** The rate that the platform reports for shipping. A blended rate is computed from the tax. */
  get #shippingRate(): number {
    const { shipping } = this.#order
    if (!shipping || shipping.price === 0) return 0
    const [first, ...otherShares] = this.#shippingShares.filter(({ price }) => price > 0)
    if (first?.rate && otherShares.every(({ rate }) => rate === first.rate)) return first.rate
    const tax = this.#shippingTax(shipping.price)
    const base = this.#order.taxesIncluded === false ? shipping.price : shipping.price - tax
    return base === 0 ? 0 : halfUp(tax * 10_000, base)
  }

  #shipping(part: number): number {
    return this.#order.taxesIncluded === false ? part + this.#shippingTax(part) : part
  }
}

function sharesOf({ price, rate }: NewShipping, lines: readonly Line[]): readonly ShippingShare[] {
  if (typeof rate === 'number') return [{ rate, price }]
  const weights = lines.map((line) => (rate === 'by price' ? unitsValue(line, line.current) : line.current))
  if (sumOf(weights) === 0)
    throw new OrderChangeError(
      `shipping needs its own rate: the goods ${rate === 'by price' ? 'cost nothing' : 'have no units'}`,
    )
  const shares = dividedBy(price, weights)
  return lines.map((line, index) => ({ rate: line.rate, price: shares[index] ?? 0 }))
}

function discounted({ lines, discount = 0 }: NewOrder): readonly NewLine[] {
  const costs = lines.map((line) => line.price * line.units - (line.discount ?? 0))
  if (discount === 0) return lines
  if (discount > sumOf(costs)) throw new OrderChangeError('the discount of the order is more than its lines cost')
  const shares = dividedBy(discount, costs)
  return lines.map((line, index) => ({ ...line, discount: (line.discount ?? 0) + (shares[index] ?? 0) }))
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** Distributes the amount by weight. Rounding never changes the sum. */
function dividedBy(amount: number, weights: readonly number[]): readonly number[] {
  const all = sumOf(weights)
  const upTo = (count: number): number => Math.floor((amount * sumOf(weights.slice(0, count))) / all)
  return weights.map((_, index) => upTo(index + 1) - upTo(index))
}

function lineOf({ units, discount = 0, ...line }: NewLine): Line {
  if (discount > line.price * units) throw new OrderChangeError(`the discount of ${line.title} is more than it costs`)
  // The first units receive the indivisible hundredths.
  const whole = units === 0 ? 0 : Math.floor(discount / units)
  const remainder = units === 0 ? 0 : discount % units
  const list = Array.from({ length: units }, (_, index) => ({ discount: whole + (index < remainder ? 1 : 0) }))
  return { ...line, units: list, current: units }
}

const discountOf = (line: Line, units: number): number =>
  line.units.slice(0, units).reduce((sum, { discount }) => sum + discount, 0)

const unitsValue = (line: Line, units: number): number => line.price * units - discountOf(line, units)

const halfUp = (product: number, divisor: number): number => Math.floor((2 * product + divisor) / (2 * divisor))

function decimal(hundredths: number): string {
  const text = String(hundredths).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}
