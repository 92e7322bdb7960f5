/** Where the three devices differ in what the model must expect of the service, with the section of the sheet. */
import type { Family } from '../../drivers/model/receipt.ts'

export interface Traits {
  readonly family: Family
  /** B has none in the service (decisions 3). */
  readonly freeSale: boolean
  /**
   * `quantity`: of the same name, price and group, at most what is left (A 6.4).
   * `line`: an earlier row of the same number, price and quantity, with its discount (B 10.4).
   * `turnover`: whatever the group still holds (C 4.8).
   */
  readonly takesBack: 'quantity' | 'line' | 'turnover'
  /** C has no amount on a subtotal that holds several groups (4.9). */
  readonly subtotalAmount: 'any' | 'one group'
  /** B has one adjustment of the subtotal a receipt, and no void after it (10.4, 10.5). */
  readonly subtotalOnce: boolean
  /** Text that a non-fiscal receipt is opened with. */
  readonly nonFiscalBody: object | undefined
  readonly barcodes: boolean
  readonly password: string
  /** Modes whose payments count, from the factory. */
  readonly modes: readonly number[]
  /** The wire tells how much was handed over. */
  readonly tellsPaid: boolean
  /** Turnover of a group may fall to zero and below a row of zero is refused at once. */
  readonly invoice: boolean
}

export const TRAITS: Readonly<Partial<Record<Family, Traits>>> = {
  A: {
    family: 'A',
    freeSale: true,
    takesBack: 'quantity',
    subtotalAmount: 'any',
    subtotalOnce: false,
    nonFiscalBody: undefined,
    barcodes: true,
    password: '0000',
    modes: [0, 1, 2, 3, 4, 5],
    tellsPaid: true,
    invoice: true,
  },
}
