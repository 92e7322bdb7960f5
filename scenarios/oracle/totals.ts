/**
 * The arithmetic of the oracle: receipts, X and Z reports, recalculated exactly with BigInt from sheet A 7 (sheet C
 * 5.3a refers to it, sheet B 6.5 agrees). The code shares only the protocol specification with the project. Amounts are
 * in hundredths, quantities in thousandths, percentages and rates in hundredths of a percent.
 */

/** Positive for a surcharge, negative for a discount. */
export type Adjustment = { readonly percent: bigint } | { readonly amount: bigint }

export type Entry =
  | {
      readonly what: 'row'
      /** 0 is group A, and 7 is group H. */
      readonly group: number
      readonly price: bigint
      readonly quantity: bigint
      readonly adjustment?: Adjustment
    }
  /** A voided row. `amount` is positive, and is deducted from the group. */
  | { readonly what: 'void'; readonly group: number; readonly amount: bigint }
  | { readonly what: 'subtotal'; readonly adjustment: Adjustment }

export interface Tender {
  readonly mode: number
  readonly amount: bigint
  /** Set if the excess is handed out in cash, and the whole amount remains in its mode (sheet A 9.1, mode 7). */
  readonly cashAdvance?: true
}

export interface Receipt {
  readonly number: number
  readonly kind: 'sale' | 'invoice' | 'reversal'
  readonly entries: readonly Entry[]
  /** Tendered amounts, in order. Only the last one may exceed the amount due. */
  readonly payments: readonly Tender[]
  readonly cancelled: boolean
}

export interface CountedAmount {
  count: number
  amount: bigint
}

export interface ReceiptSums {
  readonly rows: readonly bigint[]
  readonly groups: readonly bigint[]
  readonly total: bigint
  readonly taxes: readonly bigint[]
  readonly discounts: CountedAmount
  readonly surcharges: CountedAmount
  readonly voids: CountedAmount
  readonly paid: ReadonlyMap<number, bigint>
  readonly tendered: bigint
  readonly due: bigint
  readonly change: bigint
  readonly impossible: readonly string[]
}

const GROUPS = 8

/** Rounds halves away from zero. Throws RangeError unless the denominator is positive. */
export function roundHalfAway(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('the denominator is above zero here')
  const magnitude = numerator < 0n ? -numerator : numerator
  const whole = magnitude / denominator
  const rest = magnitude - whole * denominator
  const rounded = rest + rest >= denominator ? whole + 1n : whole
  return numerator < 0n ? -rounded : rounded
}

/** Rule 1: hundredths times thousandths, in hundredths. */
export const rowAmount = (price: bigint, quantity: bigint): bigint => roundHalfAway(price * quantity, 1000n)

/** Rule 2: the amount that an adjustment adds, negative for a discount. */
export const adjustmentOf = (amount: bigint, adjustment: Adjustment): bigint =>
  'percent' in adjustment ? roundHalfAway(amount * adjustment.percent, 10_000n) : adjustment.amount

/** Rule 6: the tax in a gross amount. */
export const taxOf = (group: bigint, rate: bigint): bigint => roundHalfAway(group * rate, 10_000n + rate)

/**
 * Rules 4 and 5 distribute an adjustment of the subtotal over the groups. A percentage applies to each group
 * separately. An amount is divided in proportion to the groups. The groups with a turnover, from A upward, receive the
 * remaining hundredths one by one.
 */
export function spread(groups: readonly bigint[], adjustment: Adjustment): bigint[] {
  if ('percent' in adjustment) return groups.map((group) => adjustmentOf(group, adjustment))
  let total = 0n
  for (const group of groups) total += group
  if (total === 0n) return groups.map(() => 0n)
  const shares = groups.map((group) => roundHalfAway(group * adjustment.amount, total))
  let remaining = adjustment.amount
  for (const share of shares) remaining -= share
  while (remaining !== 0n) {
    for (let index = 0; index < groups.length && remaining !== 0n; index++) {
      if (groups[index] === 0n) continue
      const step = remaining > 0n ? 1n : -1n
      shares[index] = (shares[index] ?? 0n) + step
      remaining -= step
    }
  }
  return shares
}

export function sumsOf(receipt: Pick<Receipt, 'entries' | 'payments'>, rates: readonly bigint[]): ReceiptSums {
  const groups: bigint[] = new Array<bigint>(GROUPS).fill(0n)
  const rows: bigint[] = []
  const discounts: CountedAmount = { count: 0, amount: 0n }
  const surcharges: CountedAmount = { count: 0, amount: 0n }
  const voids: CountedAmount = { count: 0, amount: 0n }
  const impossible: string[] = []

  const note = (value: bigint): void => {
    const book = value < 0n ? discounts : surcharges
    if (value === 0n) return
    book.count += 1
    book.amount += value < 0n ? -value : value
  }

  for (const entry of receipt.entries) {
    if (entry.what === 'row') {
      const bare = rowAmount(entry.price, entry.quantity)
      const change = entry.adjustment ? adjustmentOf(bare, entry.adjustment) : 0n
      note(change)
      if (bare + change < 0n) impossible.push(`row ${rows.length + 1} is below zero`)
      rows.push(bare + change)
      groups[entry.group] = (groups[entry.group] ?? 0n) + bare + change
    } else if (entry.what === 'void') {
      voids.count += 1
      voids.amount += entry.amount
      groups[entry.group] = (groups[entry.group] ?? 0n) - entry.amount
      if ((groups[entry.group] ?? 0n) < 0n) impossible.push(`group ${letter(entry.group)} is below zero`)
    } else {
      const shares = spread(groups, entry.adjustment)
      let whole = 0n
      for (let index = 0; index < GROUPS; index++) {
        groups[index] = (groups[index] ?? 0n) + (shares[index] ?? 0n)
        whole += shares[index] ?? 0n
        if ((groups[index] ?? 0n) < 0n) impossible.push(`group ${letter(index)} is below zero`)
      }
      note(whole)
    }
  }

  let total = 0n
  for (const group of groups) total += group
  const taxes = groups.map((group, index) => taxOf(group, rates[index] ?? 0n))

  const paid = new Map<number, bigint>()
  let due = total
  let change = 0n
  let tendered = 0n
  for (const payment of receipt.payments) {
    const taken = smallerOf(payment.amount, due)
    const above = payment.amount - taken
    change += above
    if (above > 0n && payment.mode !== 0 && !payment.cashAdvance)
      impossible.push(`payment ${payment.mode} gives change`)
    paid.set(payment.mode, (paid.get(payment.mode) ?? 0n) + (payment.cashAdvance ? payment.amount : taken))
    if (payment.cashAdvance && above > 0n) paid.set(0, (paid.get(0) ?? 0n) - above)
    tendered += payment.amount
    due -= taken
  }
  return { rows, groups, total, taxes, discounts, surcharges, voids, paid, tendered, due, change, impossible }
}

export interface Movement {
  readonly cash: bigint
}

export interface DaySums {
  readonly groups: readonly bigint[]
  readonly reversals: readonly bigint[]
  readonly total: bigint
  /** Tax of the groups' sums, not of the single receipts (rule 7). */
  readonly taxes: readonly bigint[]
  /** The part of `groups` on invoices, and the tax in it. */
  readonly invoices: readonly bigint[]
  readonly invoiceTaxes: readonly bigint[]
  readonly payments: ReadonlyMap<number, bigint>
  readonly reversalPayments: ReadonlyMap<number, bigint>
  readonly discounts: CountedAmount
  readonly surcharges: CountedAmount
  readonly voids: CountedAmount
  readonly cancelled: CountedAmount
  readonly cashIn: CountedAmount
  readonly cashOut: CountedAmount
  readonly drawer: bigint
  readonly receipts: number
  readonly firstReceipt: number | undefined
  readonly lastReceipt: number | undefined
}

export function daySums(
  receipts: readonly Receipt[],
  movements: readonly Movement[],
  rates: readonly bigint[],
): DaySums {
  const groups: bigint[] = new Array<bigint>(GROUPS).fill(0n)
  const reversals: bigint[] = new Array<bigint>(GROUPS).fill(0n)
  const invoices: bigint[] = new Array<bigint>(GROUPS).fill(0n)
  const payments = new Map<number, bigint>()
  const reversalPayments = new Map<number, bigint>()
  const discounts: CountedAmount = { count: 0, amount: 0n }
  const surcharges: CountedAmount = { count: 0, amount: 0n }
  const voids: CountedAmount = { count: 0, amount: 0n }
  const cancelled: CountedAmount = { count: 0, amount: 0n }
  const cashIn: CountedAmount = { count: 0, amount: 0n }
  const cashOut: CountedAmount = { count: 0, amount: 0n }
  let drawer = 0n
  let counted = 0
  let firstReceipt: number | undefined
  let lastReceipt: number | undefined

  for (const receipt of receipts) {
    const sums = sumsOf(receipt, rates)
    if (receipt.cancelled) {
      cancelled.count += 1
      cancelled.amount += sums.total
      continue
    }
    counted += 1
    firstReceipt ??= receipt.number
    lastReceipt = receipt.number
    const back = receipt.kind === 'reversal'
    const turnover = back ? reversals : groups
    const money = back ? reversalPayments : payments
    for (let index = 0; index < GROUPS; index++) turnover[index] = (turnover[index] ?? 0n) + (sums.groups[index] ?? 0n)
    if (receipt.kind === 'invoice') {
      for (let index = 0; index < GROUPS; index++)
        invoices[index] = (invoices[index] ?? 0n) + (sums.groups[index] ?? 0n)
    }
    for (const [mode, amount] of sums.paid) money.set(mode, (money.get(mode) ?? 0n) + amount)
    drawer += back ? -(sums.paid.get(0) ?? 0n) : (sums.paid.get(0) ?? 0n)
    add(discounts, sums.discounts)
    add(surcharges, sums.surcharges)
    add(voids, sums.voids)
  }
  for (const movement of movements) {
    drawer += movement.cash
    if (movement.cash >= 0n) add(cashIn, { count: 1, amount: movement.cash })
    else add(cashOut, { count: 1, amount: -movement.cash })
  }
  let total = 0n
  for (const group of groups) total += group
  return {
    groups,
    reversals,
    total,
    taxes: groups.map((group, index) => taxOf(group, rates[index] ?? 0n)),
    invoices,
    invoiceTaxes: invoices.map((group, index) => taxOf(group, rates[index] ?? 0n)),
    payments,
    reversalPayments,
    discounts,
    surcharges,
    voids,
    cancelled,
    cashIn,
    cashOut,
    drawer,
    receipts: counted,
    firstReceipt,
    lastReceipt,
  }
}

function add(book: CountedAmount, added: CountedAmount): void {
  book.count += added.count
  book.amount += added.amount
}

export function smallerOf(one: bigint, other: bigint): bigint {
  if (one < other) return one
  return other
}

export const letter = (group: number): string => 'ABCDEFGH'.charAt(group)
