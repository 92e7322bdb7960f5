/** Where the three devices differ in what the model must expect of the service, with the section of the sheet. */
import type { Family } from '../../drivers/model/families.ts'
import type { TaxCode } from '../../drivers/model/receipt.ts'

export interface Traits {
  readonly family: Family
  /** B has none in the service (decisions 3). */
  readonly freeSale: boolean
  /**
   * `quantity`: of the same name, price and group, at most what is left (A 6.4).
   * `line`: an earlier row of the same number, price and quantity, with its discount (B 10.4).
   * `turnover`: a free sale whatever the group still holds; an article the same quantity (C 4.8).
   */
  readonly voidedBy: 'quantity' | 'line' | 'turnover'
  /** C has no amount on a subtotal that holds several groups (4.9). */
  readonly subtotalAmount: 'any' | 'one group'
  /** B has one adjustment of the subtotal a receipt, and no void after it (10.4, 10.5). */
  readonly subtotalOnce: boolean
  /** B tells the subtotal in every fiscal state, without a discount (9). */
  readonly subtotalWhilePaying: boolean
  /** C opens a non-fiscal receipt with an operator (specification 4.2). */
  readonly nonFiscalBody: object | undefined
  readonly barcodes: boolean
  readonly password: (operator: number) => string
  /** Modes that pay in the local currency. */
  readonly modes: readonly number[]
  /** C gives one copy, directly behind the receipt (4.12). */
  readonly copyOnce: boolean
  /** A cancelled receipt is an issued document and counts among the receipts (B 10.5). */
  readonly cancelledCounts: boolean
  /** A receipt without a sale may be paid with nothing (C 5.1). */
  readonly zeroBill: boolean
  /** The invoice flag means something. */
  readonly invoice: boolean
  /** The longest quantity that the wire carries, in thousandths (B: eight digits). */
  readonly largestQuantity: bigint
  /** Department of the test's articles: on B the tax group is the department's (10.8). */
  readonly departmentOf: (taxCode: TaxCode) => number
}

const TRAITS: readonly Traits[] = [
  {
    family: 'A',
    freeSale: true,
    voidedBy: 'quantity',
    subtotalAmount: 'any',
    subtotalOnce: false,
    subtotalWhilePaying: false,
    nonFiscalBody: undefined,
    barcodes: true,
    password: () => '0000',
    modes: [0, 1, 2, 3, 4, 5],
    copyOnce: false,
    cancelledCounts: false,
    zeroBill: false,
    invoice: true,
    largestQuantity: 999_999_999n,
    departmentOf: () => 0,
  },
  {
    family: 'B',
    freeSale: false,
    voidedBy: 'line',
    subtotalAmount: 'any',
    subtotalOnce: true,
    subtotalWhilePaying: true,
    nonFiscalBody: undefined,
    barcodes: true,
    password: String,
    modes: [0, 1, 2, 3, 4],
    copyOnce: false,
    cancelledCounts: true,
    zeroBill: false,
    invoice: false,
    largestQuantity: 99_999_999n,
    departmentOf: (taxCode) => taxCode,
  },
  {
    family: 'C',
    freeSale: true,
    voidedBy: 'turnover',
    subtotalAmount: 'one group',
    subtotalOnce: false,
    subtotalWhilePaying: false,
    nonFiscalBody: { OperatorCode: 1, OperatorPassword: '0000' },
    barcodes: false,
    password: () => '0000',
    modes: [0, 1, 2, 3],
    copyOnce: true,
    cancelledCounts: false,
    zeroBill: true,
    invoice: true,
    largestQuantity: 999_999_999n,
    departmentOf: () => 0,
  },
]

/** Undefined: there is no model of this family. */
export const traitsOf = (family: Family): Traits | undefined => TRAITS.find((traits) => traits.family === family)
