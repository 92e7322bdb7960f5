/**
 * A small model of a fiscal printer: the open receipt and the receipts of the day. The model decides whether a call
 * must be accepted. Its sums are those of the oracle, which shares no code with the device.
 */
import {
  type Adjustment,
  adjustmentOf,
  type DaySums,
  daySums,
  type Entry,
  type Receipt,
  rowAmount,
  smallerOf,
  sumsOf,
  type Tender,
} from '../oracle/totals.ts'
import type { Traits } from './family-traits.ts'

export const LARGEST = 999_999_999n
/** Factory rates of the emulated device (decisions 4). */
export const RATES: readonly bigint[] = [2000n, 2000n, 2000n, 900n, 0n, 0n, 0n, 0n]

interface ModelArticle {
  readonly plu: number
  readonly name: string
  /** Index of the tax group: 0 is group A. */
  readonly group: number
  readonly price: bigint
}
export const ARTICLES: readonly ModelArticle[] = [
  { plu: 21, name: 'Test bread', group: 0, price: 150n },
  { plu: 22, name: 'Test milk', group: 1, price: 335n },
  { plu: 23, name: 'Test book', group: 3, price: 1999n },
  { plu: 24, name: 'Test stamp', group: 4, price: 7n },
  { plu: 25, name: 'Test coffee', group: 2, price: 1n },
]

export interface Line {
  readonly key: string
  readonly group: number
  readonly price: bigint
  readonly quantity: bigint
  readonly amount: bigint
  /** Body of the call that sold the row. A void repeats it. */
  readonly call: Readonly<Record<string, unknown>>
  remaining: bigint
}

/** `unclear`: the protocol specifications do not define the result, so the call is skipped. */
export type Expectation = 'accepted' | 'refused' | 'unclear'

interface ClosedZ {
  readonly receipts: readonly Receipt[]
  readonly number: number
  readonly sums: DaySums
}

export class Model {
  readonly traits: Traits
  state: 'none' | 'nonFiscal' | 'fiscal' = 'none'
  invoice = false
  number = 0
  entries: Entry[] = []
  lines: Line[] = []
  payments: Tender[] = []
  subtotals = 0
  receipts: Receipt[] = []
  zs: ClosedZ[] = []
  documents: string[] = []
  lastReceipt: number | undefined
  copied = false
  lastDocument = 0
  display = ['', '']

  constructor(traits: Traits) {
    this.traits = traits
  }

  sums(): ReturnType<typeof sumsOf> {
    return sumsOf({ entries: this.entries, payments: this.payments }, RATES)
  }

  day(): DaySums {
    return daySums(this.receipts, [], RATES)
  }

  openFiscal(number: number, invoice: boolean): void {
    this.state = 'fiscal'
    this.invoice = invoice && this.traits.invoice
    this.number = number
    this.entries = []
    this.lines = []
    this.payments = []
    this.subtotals = 0
  }

  mayFill(): boolean {
    return this.state === 'fiscal' && this.payments.length === 0
  }

  maySell(price: bigint, quantity: bigint, adjustment: Adjustment | undefined): Expectation {
    if (!this.mayFill()) return 'refused'
    if (quantity > this.traits.largestQuantity) return 'unclear'
    const bare = rowAmount(price, quantity)
    if (bare === 0n || bare > LARGEST) return 'refused'
    const amount = bare + (adjustment ? adjustmentOf(bare, adjustment) : 0n)
    if (amount < 0n) return 'refused'
    if (amount === 0n || this.sums().total + amount > LARGEST) return 'unclear'
    return 'accepted'
  }

  sell(line: Omit<Line, 'amount' | 'remaining'>, adjustment: Adjustment | undefined): void {
    const { group, price, quantity } = line
    const bare = rowAmount(price, quantity)
    this.entries.push({ what: 'row', group, price, quantity, ...(adjustment ? { adjustment } : {}) })
    const amount = bare + (adjustment ? adjustmentOf(bare, adjustment) : 0n)
    this.lines.push({ ...line, amount, remaining: quantity })
  }

  /** Returns the amount that a void deducts from the group, or `refused` or `unclear`. */
  voidAmount(line: Line, quantity: bigint): bigint | 'refused' | 'unclear' {
    if (!this.mayFill()) return 'refused'
    if (quantity > this.traits.largestQuantity) return 'unclear'
    const held = this.sums().groups[line.group] ?? 0n
    const bare = rowAmount(line.price, quantity)
    if (this.traits.voidedBy === 'line') {
      const whole = this.#wholeLine(line, quantity)
      if (!whole || this.subtotals > 0) return 'refused'
      return whole.amount > held ? 'refused' : whole.amount
    }
    if (bare === 0n || bare > held) return 'refused'
    if (this.traits.voidedBy === 'turnover') {
      if ('ProductName' in line.call) return bare
      // The specification does not define the amount for an article that was sold with an adjustment.
      const whole = this.#wholeLine(line, quantity)
      if (whole) return whole.amount === bare ? bare : 'unclear'
      // The specification requires "the same quantity", and does not define a void of a part.
      const sold = this.lines.filter(({ key }) => key === line.key).reduce((sum, one) => sum + one.quantity, 0n)
      return quantity > sold ? 'refused' : 'unclear'
    }
    const remaining = this.lines.filter(({ key }) => key === line.key).reduce((sum, one) => sum + one.remaining, 0n)
    return quantity <= remaining ? bare : 'refused'
  }

  voidSale(line: Line, quantity: bigint, amount: bigint): void {
    this.entries.push({ what: 'void', group: line.group, amount })
    if (this.traits.voidedBy !== 'quantity') {
      const whole = this.#wholeLine(line, quantity)
      if (whole) whole.remaining = 0n
      return
    }
    let want = quantity
    for (const one of [...this.lines].reverse()) {
      if (one.key !== line.key) continue
      const taken = smallerOf(one.remaining, want)
      one.remaining -= taken
      want -= taken
    }
  }

  #wholeLine(line: Line, quantity: bigint): Line | undefined {
    return this.lines.findLast((one) => one.key === line.key && one.quantity === quantity && one.remaining === quantity)
  }

  mayAdjustSubtotal(adjustment: Adjustment | undefined): Expectation {
    if (!adjustment && this.traits.subtotalWhilePaying && this.state === 'fiscal') return 'accepted'
    if (!this.mayFill()) return 'refused'
    if (!adjustment) return 'accepted'
    if (this.lines.length === 0) return 'refused'
    if (this.traits.allowsOneSubtotal && this.subtotals > 0) return 'refused'
    const before = this.sums()
    if (before.total === 0n) return 'unclear'
    if (this.traits.subtotalAmount === 'one group' && 'amount' in adjustment) {
      if (before.groups.filter((group) => group !== 0n).length > 1) return 'refused'
    }
    const entries: Entry[] = [...this.entries, { what: 'subtotal', adjustment }]
    const after = sumsOf({ entries, payments: [] }, RATES)
    if (after.impossible.length > 0) return 'refused'
    if (after.total === 0n || after.total > LARGEST) return 'unclear'
    return 'accepted'
  }

  adjustSubtotal(adjustment: Adjustment): void {
    this.entries.push({ what: 'subtotal', adjustment })
    this.subtotals += 1
  }

  mayPay(mode: number, amount: bigint): Expectation {
    if (this.state !== 'fiscal' || !this.traits.modes.includes(mode)) return 'refused'
    if (this.lines.length === 0) return this.traits.zeroBill ? 'unclear' : 'refused'
    const { total, due } = this.sums()
    // The families differ for a receipt whose rows were all voided, and the specification of the service does not
    // define it.
    if (total === 0n) return 'unclear'
    return amount > 0n && due > 0n && (mode === 0 || amount <= due) ? 'accepted' : 'refused'
  }

  mayClose(): boolean {
    return this.state === 'fiscal' && this.payments.length > 0 && this.sums().due === 0n
  }

  mayCopy(): Expectation {
    if (this.state !== 'none') return 'refused'
    const last = this.documents.findLast((kind) => ['fiscal', 'invoice', 'cancelled'].includes(kind))
    // The specifications do not define whether a cancelled receipt counts as the last one.
    if (last === 'cancelled') return 'unclear'
    if (this.lastReceipt === undefined) return 'refused'
    if (!this.traits.copyOnce) return 'accepted'
    if (this.copied) return 'refused'
    return this.documents.at(-1) === last ? 'accepted' : 'unclear'
  }

  mayCancel(): boolean {
    return this.state === 'fiscal' && this.payments.length === 0
  }

  endFiscal(cancelled: boolean): void {
    const kind = this.invoice ? 'invoice' : 'sale'
    const { number, entries, payments } = this
    this.receipts.push({ number, kind, entries, payments, cancelled })
    this.documents.push(cancelled ? 'cancelled' : this.invoice ? 'invoice' : 'fiscal')
    if (!cancelled) this.lastReceipt = number
    this.copied = false
    this.state = 'none'
  }

  endNonFiscal(): void {
    this.documents.push('nonFiscal')
    this.state = 'none'
  }

  closeDay(): void {
    this.zs.push({ number: this.zs.length + 1, sums: this.day(), receipts: this.receipts })
    this.receipts = []
    this.documents.push('z')
  }
}
