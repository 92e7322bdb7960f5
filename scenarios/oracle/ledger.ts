/**
 * Sales, payments and receipts, rebuilt from recorded traffic. The replays (replay-a, -b, -c) turn frames into calls of
 * the ledger, which knows neither bytes nor families. Callers compare each number that the device reports with the
 * ledger's own. Differences are added to `disagreements`.
 */
import { money } from './decimal.ts'
import {
  type Adjustment,
  adjustmentOf,
  type DaySums,
  daySums,
  type Entry,
  letter,
  type Movement,
  type Receipt,
  type ReceiptSums,
  rowAmount,
  smallerOf,
  sumsOf,
  type Tender,
} from './totals.ts'

interface ClosedDay {
  readonly number: number
  readonly sums: DaySums
  readonly receipts: readonly Receipt[]
}

interface Article {
  readonly group: number
  readonly price: bigint
}

interface SoldLine {
  readonly key: string
  readonly quantity: bigint
  readonly amount: bigint
  readonly group: number
  remaining: bigint
}

interface OpenReceipt {
  readonly number: number
  readonly kind: Receipt['kind']
  readonly entries: Entry[]
  readonly payments: Tender[]
  readonly lines: SoldLine[]
}

export interface Sale {
  readonly key: string
  readonly group: number
  readonly price: bigint
  readonly quantity: bigint
  readonly adjustment?: Adjustment
}

export class Ledger {
  readonly closedDays: ClosedDay[] = []
  readonly disagreements: string[] = []
  readonly articles = new Map<number, Article>()
  rates: bigint[]
  nonFiscalOpen = false
  nonFiscalReceipts = 0
  open: OpenReceipt | undefined
  last: Receipt | undefined
  #opened = 0
  #receipts: Receipt[] = []
  #movements: Movement[] = []

  constructor(rates: readonly bigint[]) {
    this.rates = [...rates]
  }

  disagree(where: string, device: string | number | bigint | undefined, books: string | number | bigint): void {
    if (String(device) === String(books)) return
    this.disagreements.push(`${where}: the device says ${device ?? 'nothing'}, the books say ${books}`)
  }

  day(): DaySums {
    return daySums(this.#receipts, this.#movements, this.rates)
  }

  sums(): ReceiptSums {
    return sumsOf(this.open ?? { entries: [], payments: [] }, this.rates)
  }

  /** The default number is a count, because some protocols report no number at the opening. */
  openReceipt(kind: Receipt['kind'], number = ++this.#opened): void {
    if (this.open) this.disagreements.push(`receipt ${number} was opened inside receipt ${this.open.number}`)
    this.open = { number, kind, entries: [], payments: [], lines: [] }
  }

  sell(sale: Sale): void {
    const open = this.#need('a sale')
    if (!open) return
    const { key, group, price, quantity, adjustment } = sale
    open.entries.push({ what: 'row', group, price, quantity, ...(adjustment ? { adjustment } : {}) })
    const bare = rowAmount(price, quantity)
    const amount = bare + (adjustment ? adjustmentOf(bare, adjustment) : 0n)
    open.lines.push({ key, quantity, amount, group, remaining: quantity })
    if (amount <= 0n) this.disagreements.push(`a row of ${money(amount)} was accepted, although it must be positive`)
    this.#possible()
  }

  voidQuantity(key: string, quantity: bigint, group: number, amount: bigint): void {
    const open = this.#need('a void')
    if (!open) return
    let want = quantity
    for (const line of [...open.lines].reverse()) {
      if (line.key !== key || want === 0n) continue
      const taken = smallerOf(line.remaining, want)
      line.remaining -= taken
      want -= taken
    }
    if (want !== 0n) this.disagreements.push(`a void of ${key} that was not sold was accepted`)
    open.entries.push({ what: 'void', group, amount })
    this.#possible()
  }

  /** Voids the last row with this key and exactly this quantity, with its discount (family B). */
  voidLine(key: string, quantity: bigint): void {
    const open = this.#need('a void')
    const line = open?.lines.findLast(
      (one) => one.key === key && one.quantity === quantity && one.remaining === quantity,
    )
    if (!open) return
    if (!line) {
      this.disagreements.push(`a void of ${key} that was not sold was accepted`)
      return
    }
    line.remaining = 0n
    open.entries.push({ what: 'void', group: line.group, amount: line.amount })
    this.#possible()
  }

  adjustSubtotal(adjustment: Adjustment): void {
    const open = this.#need('a subtotal')
    open?.entries.push({ what: 'subtotal', adjustment })
    this.#possible()
  }

  /** `amount` is the remaining amount by default. */
  pay(mode: number, amount: bigint | undefined, isAdvance = false): void {
    const open = this.#need('a payment')
    if (!open) return
    const due = this.sums().due
    if (due <= 0n && open.payments.length > 0)
      this.disagreements.push('a payment after the receipt was paid was accepted')
    open.payments.push({ mode, amount: amount ?? due, ...(isAdvance && { cashAdvance: true }) })
    this.#possible()
  }

  dropPayments(): void {
    if (this.open) this.open.payments.length = 0
  }

  closeReceipt(): void {
    const open = this.#need('a close')
    if (!open) return
    if (this.sums().due > 0n)
      this.disagreements.push(`receipt ${open.number} was closed with ${money(this.sums().due)} due`)
    this.#file(open, false)
  }

  cancelReceipt(): void {
    const open = this.#need('a cancel')
    if (!open) return
    if (open.payments.length > 0) this.disagreements.push(`receipt ${open.number} was cancelled after a payment`)
    this.#file(open, true)
  }

  openNonFiscal(): void {
    if (this.open || this.nonFiscalOpen) this.disagreements.push('a non-fiscal receipt was opened inside a receipt')
    this.nonFiscalOpen = true
  }

  closeNonFiscal(): void {
    if (!this.nonFiscalOpen) this.disagreements.push('a non-fiscal receipt was closed and none was open')
    this.nonFiscalOpen = false
    this.nonFiscalReceipts += 1
  }

  moveCash(cash: bigint): void {
    this.#movements.push({ cash })
    if (this.day().drawer < 0n) this.disagreements.push('the drawer went below zero')
  }

  closeDay(number: number): void {
    const last = this.closedDays.at(-1)
    if (last) this.disagree('number of Z', number, last.number + 1)
    if (this.open || this.nonFiscalOpen) this.disagreements.push('a Z was made with a receipt open')
    this.closedDays.push({ number, sums: this.day(), receipts: this.#receipts })
    this.#receipts = []
    this.#movements = []
  }

  /** Compares eight groups. If the device has seven groups, the eighth must be 0. */
  compareGroups(where: string, groups: readonly (bigint | undefined)[], books: readonly bigint[]): void {
    books.forEach((sum, group) => {
      const reportedAmount = groups.length === 7 && group === 7 ? 0n : groups[group]
      this.disagree(
        `${where}, group ${letter(group)}`,
        reportedAmount === undefined ? undefined : money(reportedAmount),
        money(sum),
      )
    })
  }

  compareMoney(where: string, amount: bigint | undefined, books: bigint): void {
    this.disagree(where, amount === undefined ? undefined : money(amount), money(books))
  }

  #need(what: string): OpenReceipt | undefined {
    if (!this.open) this.disagreements.push(`${what} was accepted and no receipt is open`)
    return this.open
  }

  #possible(): void {
    for (const what of this.sums().impossible) {
      const sentence = `receipt ${this.open?.number}: ${what}`
      if (!this.disagreements.includes(sentence)) this.disagreements.push(sentence)
    }
  }

  #file(open: OpenReceipt, cancelled: boolean): void {
    const { number, kind, entries, payments } = open
    this.last = { number, kind, entries, payments, cancelled }
    this.#receipts.push(this.last)
    this.open = undefined
  }
}

export interface Piece {
  readonly direction: 'toDevice' | 'toHost'
  readonly bytes: Uint8Array
}

export interface ReplayOptions {
  readonly rates: readonly bigint[]
  readonly articles?: Readonly<Record<number, Article>>
  readonly ledger?: Ledger
}

export function beginLedger(listening: ReplayOptions): Ledger {
  const ledger = listening.ledger ?? new Ledger(listening.rates)
  for (const [number, article] of Object.entries(listening.articles ?? {})) ledger.articles.set(Number(number), article)
  return ledger
}
