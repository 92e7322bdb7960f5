/** Differences between the families that the model knows, with sections of the protocol specifications. */
import type { Family } from '../../drivers/model/families.ts'
import type { TaxCode } from '../../drivers/model/receipt.ts'

export interface Traits {
  readonly family: Family
  /** True if the service sells free rows. On family B it does not (decisions 3). */
  readonly freeSale: boolean
  /**
   * Condition that a void must meet. `quantity`: rows of the same name, price and group have enough remaining quantity
   * (A 6.4). `line`: an earlier row has the same number, price and quantity; the void includes its discount (B 10.4).
   * `turnover`: the group has enough turnover and, for an article, the same quantity was sold (C 4.8).
   */
  readonly voidedBy: 'quantity' | 'line' | 'turnover'
  /** C refuses an amount on a subtotal of several groups (4.9). */
  readonly subtotalAmount: 'any' | 'one group'
  /** B allows one adjustment of the subtotal per receipt, and no void after it (10.4, 10.5). */
  readonly allowsOneSubtotal: boolean
  /** B reports a subtotal without an adjustment in every fiscal state (9). */
  readonly subtotalWhilePaying: boolean
  /** C opens a non-fiscal receipt with an operator (specification 4.2). */
  readonly nonFiscalBody: object | undefined
  readonly barcodes: boolean
  readonly password: (operator: number) => string
  readonly modes: readonly number[]
  /** C prints one copy, directly after the receipt (4.12). */
  readonly copyOnce: boolean
  /** True if a cancelled receipt counts among the receipts (B 10.5). */
  readonly cancelledCounts: boolean
  readonly zeroBill: boolean
  readonly invoice: boolean
  /** Largest quantity of the protocol, in thousandths (B: eight digits). */
  readonly largestQuantity: bigint
  /** On B the department determines the tax group (10.8). */
  readonly departmentOf: (taxCode: TaxCode) => number
}

const TRAITS: readonly Traits[] = [
  {
    family: 'A',
    freeSale: true,
    voidedBy: 'quantity',
    subtotalAmount: 'any',
    allowsOneSubtotal: false,
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
    allowsOneSubtotal: true,
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
    allowsOneSubtotal: false,
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

/** Returns `undefined` if the model does not know the family. */
export const traitsOf = (family: Family): Traits | undefined => TRAITS.find((traits) => traits.family === family)
