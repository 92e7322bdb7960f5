/**
 * The receipt that legacy lines describe. Before any command to the device, the ledger finds the sale of each void and
 * the target of each adjustment, and computes the total and the remaining amount (legacy formats 1.6, 1.8, 2.2, 3.2).
 * The ledger decides about refusals, but the printed sum is computed by the device.
 */
import { adjustmentOf, rowAmount } from '../../drivers/model/amounts.ts'
import { formatMoney, MONEY_MAX, type Money, type Quantity } from '../../drivers/model/money.ts'
import type { Adjustment } from '../../drivers/model/receipt.ts'
import { type Command, type LegacyItem, type LegacyTax, printSteps, type ReceiptStep } from './job.ts'
import { fail } from './problem.ts'

interface Row {
  readonly item: LegacyItem
  readonly step: number
  remaining: Quantity
  net: Money
  adjustment?: Adjustment
}

type Target =
  | { readonly of: 'sale'; readonly row: Row; readonly step: number }
  | { readonly of: 'subtotal'; readonly step: number }

type Content = Extract<
  Command,
  { readonly word: 'sale' | 'void' | 'subtotal' | 'adjustment' | 'text' | 'barcode' | 'payment' }
>

export class Ledger {
  readonly steps: ReceiptStep[] = []
  total: Money = 0
  paid: Money = 0
  change: Money = 0
  payments = 0
  sales = 0
  #rows: Row[] = []
  #target: Target | undefined
  #adjusted = false

  get isPaid(): boolean {
    return this.payments > 0 && this.paid >= this.total
  }

  take(command: Content): void {
    const { line } = command
    switch (command.word) {
      case 'sale':
        this.sell(line, command.item)
        break
      case 'void':
        this.void(line, command.item)
        break
      case 'subtotal':
        this.subtotal(line)
        break
      case 'adjustment':
        this.adjust(line, command.adjustment)
        break
      case 'text':
      case 'barcode':
        this.print(...printSteps(command))
        break
      case 'payment':
        this.pay(line, command.mode, command.amount)
        break
    }
  }

  sell(line: number, item: LegacyItem): void {
    const amount = rowAmount(item.price, item.quantity)
    const row: Row = { item, step: this.steps.length, remaining: item.quantity, net: amount }
    this.#raise(line, amount)
    this.#rows.push(row)
    this.sales++
    this.#aim({ of: 'sale', row, step: row.step })
    this.steps.push({ do: 'sale', item, void: false })
  }

  /** Voids the latest matching sale. A sale with an adjustment can only be voided as a whole. */
  void(line: number, item: LegacyItem): void {
    const row = this.#rows.findLast(
      (earlier) =>
        sameArticle(earlier.item, item) &&
        (earlier.adjustment ? item.quantity === earlier.remaining : item.quantity <= earlier.remaining),
    )
    if (!row) fail('305', line, 'no earlier sale of this name, price, VAT, department and quantity remains to void')
    const amount = row.adjustment ? row.net : rowAmount(item.price, item.quantity)
    if (amount > this.total) fail('304', line, 'the void is larger than the total so far')
    row.remaining -= item.quantity
    row.net -= amount
    this.total -= amount
    this.#aim(undefined)
    const { step, remaining, net, adjustment } = row
    const voids = { step, remaining, net }
    this.steps.push({ do: 'sale', item, void: true, ...(adjustment && { adjustment }), voids })
  }

  subtotal(line: number): void {
    if (this.sales === 0) fail('301', line, 'a subtotal without a sale')
    this.#aim({ of: 'subtotal', step: this.steps.length })
    this.steps.push({ do: 'subtotal' })
  }

  adjust(line: number, adjustment: Adjustment): void {
    const target = this.#target
    if (!target) {
      if (this.#adjusted) fail('303', line, 'a second adjustment of the same sale or subtotal')
      fail('302', line, 'an adjustment must follow a sale or a subtotal directly')
    }
    const base = target.of === 'sale' ? target.row.net : this.total
    const change = adjustmentOf(base, adjustment)
    if (base + change < 0) {
      fail('304', line, `the discount of ${formatMoney(-change)} is larger than ${formatMoney(base)}`)
    }
    this.#raise(line, change)
    if (target.of === 'sale') {
      target.row.net += change
      target.row.adjustment = adjustment
    }
    this.#attach(target.step, adjustment)
    this.#aim(undefined)
    this.#adjusted = true
  }

  /** Adds steps without an amount. An adjustment after them is an error, because it has no target. */
  print(...steps: ReceiptStep[]): void {
    this.#aim(undefined)
    this.steps.push(...steps)
  }

  pay(line: number, mode: number, amount: Money | undefined): void {
    if (this.sales === 0) fail('301', line, 'a payment without a sale')
    if (this.total === 0) fail('314', line, 'the total is 0.00')
    const rest = this.total - this.paid
    const tendered = amount ?? rest
    if (tendered > rest && mode !== 0) {
      fail('311', line, `a payment other than cash exceeds the remaining ${formatMoney(rest)}`)
    }
    this.#aim(undefined)
    this.payments++
    this.paid += Math.min(tendered, rest)
    this.change += Math.max(0, tendered - rest)
    this.steps.push({ do: 'payment', mode, amount: tendered, rest: amount === undefined })
  }

  /** Checks the payments after the last line. `last`: the number of the last line that is not blank. */
  checkPaid(last: number): void {
    if (this.payments === 0) fail('309', last, 'the receipt has no payment')
    if (this.paid < this.total) {
      fail('310', last, `paid ${formatMoney(this.paid)} of ${formatMoney(this.total)}`)
    }
  }

  #raise(line: number, by: Money): void {
    if (by > MONEY_MAX || this.total + by > MONEY_MAX) {
      fail('211', line, `price: the receipt would exceed ${formatMoney(MONEY_MAX)}`)
    }
    this.total += by
  }

  #aim(target: Target | undefined): void {
    this.#target = target
    this.#adjusted = false
  }

  #attach(step: number, adjustment: Adjustment): void {
    const before = this.steps[step]
    if (before && (before.do === 'sale' || before.do === 'subtotal')) this.steps[step] = { ...before, adjustment }
  }
}

const sameArticle = (left: LegacyItem, right: LegacyItem): boolean =>
  left.name === right.name &&
  left.price === right.price &&
  left.department === right.department &&
  sameTax(left.tax, right.tax)

const sameTax = (left: LegacyTax, right: LegacyTax): boolean =>
  'code' in left ? 'code' in right && left.code === right.code : 'percent' in right && left.percent === right.percent
