import type { Money, Quantity } from '../../drivers/model/money.ts'
import type { Adjustment } from '../../drivers/model/receipt.ts'
import type { DrawingOperation } from '../print/drawing-operations.ts'
import { paperText } from '../print/text-paper.ts'
import type { Row } from './store.ts'
import { addGroups, addToGroup, applyPayment, NO_GROUPS, sum } from './totals.ts'
import type { PrintedStep, PrintRequest } from './types/print-request.ts'
import type { BookRules } from './types/profile.ts'
import type { CustomerData, FiscalReceipt, OpenFiscal, OpenReceipt, PaymentRow, SaleRow } from './types/receipt.ts'
import type { ByTaxGroup } from './types/registers.ts'

/**
 * The open receipt as a list of entries. Each entry is a row of the store, so that the receipt can be restored after a
 * power cut or a killed process.
 */
export type Entry = { readonly operations: readonly DrawingOperation[]; readonly asked?: PrintRequest } & (
  | { readonly entry: 'fiscal'; readonly receipt: FiscalReceipt; readonly postponed: boolean }
  | {
      readonly entry: 'nonFiscal'
      readonly receipt: OpenReceipt & { readonly kind: 'nonFiscal' }
      readonly postponed: boolean
      readonly header: boolean
    }
  | { readonly entry: 'row'; readonly row: SaleRow; readonly voidsRow?: number }
  | { readonly entry: 'subtotal'; readonly adjustment: Adjustment; readonly shares: ByTaxGroup<Money> }
  | { readonly entry: 'payment'; readonly payment: PaymentRow }
  | { readonly entry: 'voidPayments' }
  | { readonly entry: 'customer'; readonly customer: CustomerData }
  | { readonly entry: 'paper' }
)

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type WorkingReceipt = Mutable<Omit<FiscalReceipt, 'rows' | 'payments' | 'subtotalAdjustments'>> & {
  rows: SaleRow[]
  payments: PaymentRow[]
  subtotalAdjustments: { readonly adjustment: Adjustment; readonly amount: Money }[]
}

export class OpenDocument {
  readonly receipt: OpenReceipt
  readonly fiscal: WorkingReceipt | undefined
  readonly number: number
  readonly postponed: boolean
  readonly header: boolean
  readonly operations: DrawingOperation[] = []
  readonly lines: string[] = []
  readonly steps: PrintedStep[] = []
  /** Indexes of rows that a void has reversed completely (sheet B 10.4). */
  readonly voidedRows = new Set<number>()
  readonly articles = new Map<number, Quantity>()
  readonly #remaining = new Map<string, Quantity>()
  readonly #rules: BookRules
  readonly #width: number

  constructor(first: Entry, rules: BookRules, width: number) {
    if (first.entry !== 'fiscal' && first.entry !== 'nonFiscal') throw new Error('a receipt begins with its opening')
    this.#rules = rules
    this.#width = width
    this.postponed = first.postponed
    if (first.entry === 'fiscal') {
      this.fiscal = { ...first.receipt, rows: [], payments: [], subtotalAdjustments: [] }
      this.receipt = { kind: 'fiscal', fiscal: this.fiscal }
      this.number = first.receipt.document
      this.header = true
    } else {
      this.fiscal = undefined
      this.receipt = first.receipt
      this.number = first.receipt.document
      this.header = first.header
    }
  }

  apply(entry: Entry): readonly string[] {
    switch (entry.entry) {
      case 'fiscal':
      case 'nonFiscal':
      case 'paper':
        break
      case 'row':
        this.#addRow(this.#working(), entry.row, entry.voidsRow)
        break
      case 'subtotal':
        this.#adjust(this.#working(), entry.adjustment, entry.shares)
        break
      case 'payment':
        addPayment(this.#working(), entry.payment)
        break
      case 'voidPayments':
        Object.assign(this.#working(), { payments: [], paid: 0, change: 0, rest: this.#working().total })
        break
      case 'customer':
        this.#working().customer = entry.customer
        break
    }
    const lines = paperText(entry.operations, this.#width)
    for (const operation of entry.operations) this.operations.push(operation)
    for (const line of lines) this.lines.push(line)
    this.steps.push({ asked: askedIn(entry), lines: lines.length })
    return lines
  }

  /**
   * Returns the quantity that has not been voided of this article or, in a free sale, of this name, tax group and
   * price.
   */
  voidableQuantity(row: Pick<SaleRow, 'plu' | 'name' | 'taxCode' | 'price'>): Quantity {
    return this.#remaining.get(this.#key(row)) ?? 0
  }

  #addRow(receipt: WorkingReceipt, row: SaleRow, voidsRow: number | undefined): void {
    const signed = row.void ? -row.quantity : row.quantity
    const key = this.#key(row)
    this.#remaining.set(key, (this.#remaining.get(key) ?? 0) + signed)
    if (row.plu !== 0) this.articles.set(row.plu, (this.articles.get(row.plu) ?? 0) + signed)
    if (voidsRow !== undefined) this.voidedRows.add(voidsRow)
    receipt.rows.push(row)
    receipt.items += 1
    receipt.groups = addToGroup(receipt.groups, row.taxCode, row.amount)
    receipt.total += row.amount
    receipt.rest = receipt.total
  }

  #adjust(receipt: WorkingReceipt, adjustment: Adjustment, shares: ByTaxGroup<Money>): void {
    const amount = sum(shares)
    receipt.subtotalAdjustments.push({ adjustment, amount })
    receipt.groups = addGroups(receipt.groups, shares)
    receipt.total += amount
    receipt.rest = receipt.total
  }

  #key(row: Pick<SaleRow, 'plu' | 'name' | 'taxCode' | 'price'>): string {
    if (row.plu === 0) return `${row.taxCode}|${row.price}|${row.name}`
    return this.#rules.voidMatches === 'group' ? `#${row.plu}` : `#${row.plu}|${row.price}`
  }

  #working(): WorkingReceipt {
    if (!this.fiscal) throw new Error('not a fiscal receipt')
    return this.fiscal
  }
}

function askedIn(entry: Entry): PrintRequest | null {
  switch (entry.entry) {
    case 'fiscal': {
      const { kind, invoice, operator, pointOfSale } = entry.receipt
      return { ask: 'fiscal', kind, invoice, operator, pointOfSale }
    }
    case 'nonFiscal':
      return { ask: 'nonFiscal', operator: entry.receipt.operator }
    case 'payment':
      return { ask: 'payment', mode: entry.payment.mode, amount: entry.payment.tendered }
    case 'voidPayments':
      return { ask: 'voidPayments' }
    case 'customer':
      return { ask: 'customer', customer: entry.customer }
    case 'row':
      return entry.asked ?? { ask: 'sale', row: entry.row }
    case 'subtotal':
    case 'paper':
      return entry.asked ?? null
  }
}

function addPayment(receipt: WorkingReceipt, payment: PaymentRow): void {
  receipt.payments.push(payment)
  receipt.paid += payment.tendered
  receipt.rest = applyPayment(receipt.rest, payment.tendered).rest
  receipt.change += payment.change
}

export function rebuild(rows: readonly Row[], rules: BookRules, width: number): OpenDocument | undefined {
  const entries = rows.map((row) => JSON.parse(String(row['body'])) as Entry)
  const [first] = entries
  if (!first) return undefined
  const open = new OpenDocument(first, rules, width)
  for (const entry of entries) open.apply(entry)
  return open
}

export function newReceipt(
  { kind, reason, invoice, operator, pointOfSale, saleNumber, customer, extra }: OpenFiscal,
  document: number,
  openedAt: number,
  invoiceNumber: number | undefined,
): FiscalReceipt {
  return {
    kind,
    ...(reason ? { reason } : {}),
    invoice,
    ...(invoiceNumber === undefined ? {} : { invoiceNumber }),
    document,
    openedAt,
    operator,
    pointOfSale,
    ...(saleNumber ? { saleNumber } : {}),
    ...(customer ? { customer } : {}),
    rows: [],
    subtotalAdjustments: [],
    groups: NO_GROUPS,
    total: 0,
    payments: [],
    paid: 0,
    rest: 0,
    change: 0,
    items: 0,
    ...(extra ? { extra } : {}),
  }
}
