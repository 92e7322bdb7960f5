/**
 * The three editions of family C as data (sheet 0.2). They share the framing and the command bytes, and differ in
 * widths, the number of tax classes and payments, the code page and a few layouts.
 */

export const EDITIONS = ['c4', 'c6', 'cr'] as const
export type EditionName = (typeof EDITIONS)[number]

export interface Edition {
  readonly name: EditionName
  readonly codePage: string
  /** Exact width of operator passwords in 2Eh, 30h, 3Bh, 4Ah, 6Ah. */
  readonly passwordWidth: 4 | 6
  readonly taxClasses: 8 | 6
  /** Form in which the driver writes a tax class: C0h to C7h of the page, or Latin A to F. */
  readonly taxLetters: 'cyrillic' | 'latin'
  /** Number of payment types, from 0 on; the last type is currency. */
  readonly payments: 5 | 12 | 10
  readonly paymentNames: readonly string[]
  /** Number of symbols of right-aligned amounts in answers; 0 for no fixed width. */
  readonly amountWidth: 11 | 0
  /** The last field of a register answer has its separator too. */
  readonly closedAnswers: boolean
  /** Form of the answer to 71h: `nnnn;`, `nnnnnn`, or `nnnn;nnnnnnn` (sheet 4.14). */
  readonly lastDocument: 'four' | 'six' | 'fourAndSeven'
  readonly articleNameWidth: 20 | 34
  /** Number of header lines, 1 to n of 69h and 49h; the lines after them are the footer. */
  readonly headerLines: 7 | 8
  readonly footerLines: 1 | 3
  /** Maximum number of symbols of 37h, besides the limit of the line less two; c4: up to 46. */
  readonly textLimit: number
  /**
   * Form of the customer of an invoice: five fields of free data, those with an id type, or a Romanian customer
   * receipt.
   */
  readonly invoiceForm: 'five' | 'six' | 'customerReceipt'
  /** 31h accepts `!` and a department byte (sheet 4.8). */
  readonly departmentMarker: boolean
  /** The unit follows the name in 31h (`cr`). */
  readonly saleUnit: boolean
}

export const C4: Edition = {
  name: 'c4',
  codePage: 'windows-1251',
  passwordWidth: 4,
  taxClasses: 8,
  taxLetters: 'cyrillic',
  payments: 5,
  paymentNames: ['In cash', 'Card', 'Check', 'Voucher', 'Currency'],
  amountWidth: 11,
  closedAnswers: true,
  lastDocument: 'four',
  articleNameWidth: 20,
  headerLines: 7,
  footerLines: 1,
  textLimit: 46,
  invoiceForm: 'five',
  departmentMarker: false,
  saleUnit: false,
}

export const C6: Edition = {
  name: 'c6',
  codePage: 'windows-1251',
  passwordWidth: 6,
  taxClasses: 8,
  taxLetters: 'cyrillic',
  payments: 12,
  paymentNames: [
    'In cash', 'Check', 'Coupon', 'Voucher', 'Packaging', 'Service', 'Damage', 'Card', 'Bank', 'Reserve 1', 'Reserve 2',
    'Currency',
  ], // biome-ignore format: one table
  amountWidth: 0,
  closedAnswers: false,
  lastDocument: 'six',
  articleNameWidth: 34,
  headerLines: 7,
  footerLines: 1,
  textLimit: 64,
  invoiceForm: 'six',
  departmentMarker: true,
  saleUnit: false,
}

export const CR: Edition = {
  name: 'cr',
  codePage: 'windows-1250',
  passwordWidth: 4,
  taxClasses: 6,
  taxLetters: 'latin',
  payments: 10,
  paymentNames: [
    'Numerar', 'Card', 'Credit', 'Tichete masa', 'Tichete val', 'Voucher', 'Plata moderna', 'Alte metode', 'Rezervat',
    'Valuta',
  ], // biome-ignore format: one table
  amountWidth: 0,
  closedAnswers: true,
  lastDocument: 'fourAndSeven',
  articleNameWidth: 34,
  headerLines: 8,
  footerLines: 3,
  textLimit: 46,
  invoiceForm: 'customerReceipt',
  departmentMarker: false,
  saleUnit: true,
}

export const EDITION: Readonly<Record<EditionName, Edition>> = { c4: C4, c6: C6, cr: CR }
