import type { Money, Percent } from '../../../drivers/model/money.ts'
import type { TaxCode } from '../../../drivers/model/receipt.ts'
import type { ByTaxGroup, CountedAmount } from './registers.ts'

export interface DayTotals extends CashDrawer {
  /** Sales after adjustments, gross, by tax group. */
  readonly taxes: ByTaxGroup<Money>
  readonly reversals: ByTaxGroup<Money>
  /** Payments by PaymentMode, minus change. Their sum equals the turnover of sales. */
  readonly payments: Readonly<Record<number, Money>>
  readonly reversalPayments: Readonly<Record<number, Money>>
  /** Amounts handed over by customers, before change was given. */
  readonly tendered: Readonly<Record<number, Money>>
  readonly change: Readonly<Record<number, Money>>
  readonly paymentCounts: Readonly<Record<number, number>>
  readonly total: Money
  readonly discounts: CountedAmount
  /** The part of `discounts` that was given on rows; the remainder was given on subtotals. */
  readonly rowDiscounts?: CountedAmount
  readonly surcharges: CountedAmount
  readonly voids: CountedAmount
  /** No other sum of the day contains cancelled receipts. */
  readonly cancelled: CountedAmount
  /** `null` if no foreign currency was paid in since the last Z report. */
  readonly foreign: CashDrawer | null
  /** Fiscal receipts since the last Z report: sales, reversals and invoices. */
  readonly receipts: number
  readonly reversalReceipts: number
  readonly invoices: number
  /** The part of `taxes` that comes from invoices. */
  readonly invoiceTaxes?: ByTaxGroup<Money>
  readonly documents: number
  readonly firstReceipt: number | null
  readonly lastReceipt: number | null
  /** Device time in ms of the first fiscal receipt after the last Z report, when the 24 hours begin. */
  readonly since: number | null
}

export interface CashDrawer {
  readonly cashIn: CountedAmount
  readonly cashOut: CountedAmount
  readonly drawerCash: Money
}

export interface ZRecord {
  readonly number: number
  readonly document: number
  /** Device local time, ISO without zone: `2025-07-14T21:03:00`. */
  readonly at: string
  readonly firstReceipt: number | null
  readonly lastReceipt: number | null
  readonly receiptsCount: number
  readonly reversalReceiptsCount: number
  readonly total: Money
  readonly taxes: readonly {
    readonly taxCode: TaxCode
    readonly rate: Percent | null
    readonly turnover: Money
    readonly tax: Money
    readonly reversal: Money
    readonly reversalTax: Money
  }[]
  /** Turnover of invoices and the tax in it, for rules that account for invoices separately (sheet A 9.1). */
  readonly invoiced?: { readonly turnover: Money; readonly tax: Money }
  readonly payments: Readonly<Record<number, Money>>
  readonly discounts: CountedAmount
  readonly surcharges: CountedAmount
  readonly voids: CountedAmount
  readonly cancelled: CountedAmount
  readonly cashIn: Money
  readonly cashOut: Money
  readonly drawerCash: Money
  /** Absent if no foreign currency was paid in that day. */
  readonly foreign?: {
    readonly mode: number
    readonly cashIn: Money
    readonly cashOut: Money
    readonly drawerCash: Money
  }
  readonly journalDocuments: { readonly first: number | null; readonly last: number | null }
}

export interface GrandTotals {
  readonly turnover: Money
  readonly tax: Money
  readonly reversal: Money
  readonly reversalTax: Money
}

export type FiscalMemoryEvent =
  | { readonly kind: 'fiscalised'; readonly at: string; readonly serialNumber: string; readonly taxNumber: string }
  | {
      readonly kind: 'taxRates'
      readonly at: string
      readonly fromZ: number
      readonly rates: ByTaxGroup<Percent | null>
    }
  /** Header lines that are programmed into the fiscal memory (sheet A 9.1). */
  | { readonly kind: 'header'; readonly at: string; readonly fromZ: number; readonly lines: readonly string[] }
  /** `dropped` is the number of the receipt that was open. */
  | { readonly kind: 'ramReset'; readonly at: string; readonly dropped?: number }
  | ({ readonly kind: 'z' } & { readonly z: ZRecord })

/**
 * A record of an action that real devices do not have: a tester restored another state, or made a new device with the
 * same memory. The wire protocols do not report these records.
 */
type TesterEvent = { readonly kind: 'tester'; readonly at: string } & (
  | {
      readonly act: 'restored'
      readonly replaced: { readonly records: number; readonly lastZ: number; readonly lastDocument: number }
    }
  | { readonly act: 'reset'; readonly dropped?: number }
)

export type MemoryRecord = FiscalMemoryEvent | TesterEvent

export type FiscalMemoryEventOf<Kind extends FiscalMemoryEvent['kind']> = Extract<
  FiscalMemoryEvent,
  { readonly kind: Kind }
>

export type DocumentKind = 'fiscal' | 'invoice' | 'nonFiscal' | 'x' | 'z' | 'copy' | 'cancelled' | 'memory' | 'service'

export interface JournalDocument {
  readonly document: number
  readonly kind: DocumentKind
  /** Reversals and cash movements are counted in separate series; a Z report has its Z number. */
  readonly kindNumber: number
  readonly reversal: boolean
  readonly cash?: CashMovement
  readonly at: string
  /** Number of the Z report that contains the document. For a Z report, its own number. */
  readonly z: number
}

export interface CashMovement {
  readonly direction: 'in' | 'out'
  readonly amount: Money
  readonly mode: number
}

export interface JournalLine {
  readonly id: number
  readonly at: string
  readonly document: number
  readonly line: string
  /** SHA-256 of the previous line's chain value, the document number and this line, in hexadecimal. */
  readonly chain: string
}

export interface Counters {
  /** Running number of the last document of any kind, which never restarts. */
  readonly lastDocument: number
  readonly lastReceipt: number
  readonly lastReceiptAt: number | null
  readonly lastZ: number
  readonly lastZAt: number | null
  readonly fiscalReceipts: number
  readonly nonFiscal: number
  readonly invoices: number
  readonly taxRateChanges: number
  readonly ramResets: number
  /** Number of printed documents, which is the id of the last one. */
  readonly papers: number
}
