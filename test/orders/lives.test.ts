/**
 * Random lives of orders: sold, discounted, edited, paid in parts, refunded. The mock platform's own model
 * (order-life.ts), which counts unit by unit and shares nothing with the mapping, says what must be printed.
 */
import { expect, it } from 'vitest'
import { dice } from '../../emulator/faults/dice.ts'
import { OrderLife } from '../../scenarios/stand-in/order-life.ts'
import { stored } from '../../scenarios/stand-in/orders.ts'
import { rowsOf } from '../../server/orders/lines.ts'
import { mapOrder } from '../../server/orders/map.ts'
import { mappingOf } from '../../server/orders/mapping.ts'
import { orderSchema, type PlatformOrder, type RefundLine } from '../../server/orders/order.ts'
import { ServiceError } from '../../server/outcome.ts'
import { rotatingRuns, rotatingSeed } from '../support/slice.ts'
import { mappingConfig } from './cases.ts'

const RATES = [2_100, 1_100, 900, 0]
const MAPPING = mappingOf(mappingConfig({ refundPolicy: 'net', roundingToleranceMinor: 0 }))
const GATEWAYS = ['card_terminal', 'cash', 'gift_card', 'manual']
const COD = 'Cash on Delivery (COD)'

interface Lived {
  readonly life: OrderLife
  readonly isEdited: boolean
  /** Counted when the order is printed, collected or not. */
  readonly pending: number
  readonly isTaxIncluded: boolean
}

function live(seed: number): Lived {
  const random = dice(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const oneIn = (count: number): boolean => below(count) === 0
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const line = () => {
    const price = 1 + below(20_000)
    const units = 1 + below(5)
    return {
      title: `Article ${below(1000)}`,
      price,
      units,
      rate: oneIn(6) ? null : pick(RATES),
      discount: oneIn(2) ? below(Math.floor((price * units) / 2) + 1) : 0,
    }
  }
  const isTaxIncluded = !oneIn(3)
  const life = new OrderLife({
    id: String(1 + seed),
    taxesIncluded: isTaxIncluded,
    lines: Array.from({ length: 1 + below(4) }, line),
    ...(oneIn(2) && { shipping: { price: 1 + below(5_000), rate: pick(RATES) } }),
  })
  // Paid before the edits, in one or several parts, by a way that may be collected later.
  const total = life.currentTotal
  const gateway = pick(GATEWAYS)
  let payments = 0
  let pending = 0
  const pay = (by: string, amount: number, isPending = false): void => {
    if (amount === 0) return
    life.pay(by, amount, isPending)
    payments++
  }
  const paidBefore = !oneIn(4)
  if (paidBefore) {
    if (oneIn(3)) {
      pay(COD, total, true)
      if (oneIn(2)) life.capture(0, total)
      else pending = total
    } else {
      const first = oneIn(3) ? 1 + below(total) : total
      pay(gateway, first)
      pay(pick(GATEWAYS), total - first)
    }
  }
  let isEdited = false
  for (let edits = below(4); edits > 0; edits--) {
    const place = below(life.lines.length)
    const { units = 0 } = life.lines[place] ?? {}
    if (oneIn(3)) {
      life.addLine(line())
      isEdited = true
    } else if (units > 0) {
      life.setUnits(place, below(units))
      isEdited = true
    }
  }
  // Mostly settled: the rest is paid, or the excess goes back by the way it came.
  if (!oneIn(5)) {
    const now = life.currentTotal
    if (pending === 0 && life.paid < now) pay(pick(GATEWAYS), now - life.paid)
    if (pending === 0 && life.paid > now && payments === 1) life.refund([], life.paid - now, 0)
  }
  return { life, isEdited, pending, isTaxIncluded }
}

/** As the service reads it from the platform; refunds are told line by line. */
function read(life: OrderLife): PlatformOrder {
  const { node } = stored(life.told())
  const refunds = node['refunds'] as readonly { readonly lines: readonly RefundLine[] }[]
  return { ...orderSchema.parse(node), refundLines: refunds.flatMap(({ lines }) => lines) }
}

function reasonFor({ life, isEdited, pending }: Lived): RegExp | undefined {
  const total = life.currentTotal
  const refunded = life.refunded
  const received = life.paid + refunded
  if (refunded > 0 && refunded >= received) return /fully refunded/
  if (total === 0) return /nothing is left|order total is zero/
  const paid = life.paid + Math.min(pending, Math.max(0, total - life.paid))
  if (paid < total) return refunded > 0 && paid + refunded >= total ? /without goods being taken off/ : /not fully paid/
  return paid > total && isEdited ? /still to be given back/ : undefined
}

function judge(seed: number): 'printed' | 'refused' {
  const lived = live(seed)
  const { life } = lived
  const reason = reasonFor(lived)
  try {
    const { lines, payments, total } = mapOrder(read(life), MAPPING)
    expect(reason, `seed ${seed} was printed`).toBeUndefined()
    expect(total).toBe(life.currentTotal)
    expect(payments.reduce((sum, { amount }) => sum + amount, 0)).toBe(total)
    const turnovers = new Map<number, number>()
    let printed = 0
    for (const line of lines) {
      const sum = rowsOf(line).reduce((all, { price, pieces, adjustment }) => {
        const off =
          adjustment === undefined ? 0 : adjustment.kind === 'discount' ? adjustment.amount : -adjustment.amount
        return all + price * pieces - off
      }, 0)
      expect(sum).toBe(line.total)
      printed += sum
      const rate = line.rate === 'none' || line.rate === undefined ? 0 : line.rate
      turnovers.set(rate, (turnovers.get(rate) ?? 0) + sum)
    }
    expect(printed).toBe(total)
    checkTax(lived, turnovers)
    return 'printed'
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    expect(reason, `seed ${seed}: ${error.message}`).toBeDefined()
    expect(error.message).toMatch(reason as RegExp)
    return 'refused'
  }
}

/**
 * The device rounds once for each rate, the platform once for each line: half a hundredth for each line, and half for
 * the rate, is all that may be between them.
 */
function checkTax({ life }: Lived, turnovers: ReadonlyMap<number, number>): void {
  for (const [rate, tax] of life.currentTax) {
    const turnover = turnovers.get(rate) ?? 0
    const reckoned = Math.floor((2 * turnover * rate + 10_000 + rate) / (2 * (10_000 + rate)))
    const roundings = life.lines.filter((line) => line.rate === rate && line.units > 0).length + 2
    expect(Math.abs(reckoned - tax) * 2).toBeLessThanOrEqual(roundings)
  }
}

it('an order is printed as the platform has it now, or refused for the reason that is true', {
  timeout: 600_000,
}, () => {
  const seed = rotatingSeed()
  const runs = rotatingRuns(1_000, 100_000)
  const counts = { printed: 0, refused: 0 }
  for (let run = 0; run < runs; run++) counts[judge(seed + run)]++
  expect(counts.printed).toBeGreaterThan(runs / 3)
  expect(counts.refused).toBeGreaterThan(runs / 50)
})
