/**
 * The three editions of family C as data (sheet 0.2). They share the frames and the command codes. They differ in
 * widths, in the numbers of tax classes and payments, in the code page and in a few layouts.
 */

export const EDITIONS = ['c4', 'c6', 'cr'] as const
export type EditionName = (typeof EDITIONS)[number]

export interface Edition {
  readonly name: EditionName
  readonly codePage: string
  readonly passwordWidth: 4 | 6
  readonly taxClasses: 8 | 6
  readonly taxLetters: 'cyrillic' | 'latin'
  /** Number of payment types, counted from 0. The last type is foreign currency. */
  readonly payments: 5 | 12 | 10
  readonly paymentNames: readonly string[]
  /** Number of symbols of right-aligned amounts in answers; 0 means no fixed width. */
  readonly amountWidth: 11 | 0
  readonly closedAnswers: boolean
  readonly lastDocument: 'four' | 'six' | 'fourAndSeven'
  readonly articleNameWidth: 20 | 34
  /** Number of header lines in the commands 69h and 49h. The footer lines follow them. */
  readonly headerLines: 7 | 8
  readonly footerLines: 1 | 3
  /** Maximum length of the text of command 37h. The width of the line minus two is another limit. */
  readonly textLimit: number
  /**
   * Customer data of an invoice: five fields, five fields with an id type, or the fields of a Romanian customer
   * receipt.
   */
  readonly invoiceForm: 'five' | 'six' | 'customerReceipt'
  /** Command 31h accepts a department byte after `!` (sheet 4.8). */
  readonly departmentMarker: boolean
  /** The unit follows the name in command 31h. */
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
