import type { PaperStyle, PaperWords } from '../fiscal/types/profile.ts'

/** The words on paper. English by default; a profile overrides what its family prints otherwise. */

/** Words that most profiles leave as they are. The labels of the Z report are read back by people and programs. */
export interface MoreWords {
  readonly document: string
  readonly taxNumber: string
  readonly items: string
  readonly serialNumber: string
  readonly fiscalMemory: string
  readonly nothingDue: string
  readonly customer: string
  readonly receipts: string
  readonly reversalReceipts: string
  readonly firstReceipt: string
  readonly lastReceipt: string
  readonly turnover: string
  readonly tax: string
  readonly net: string
  readonly reversals: string
  readonly discounts: string
  readonly surcharges: string
  readonly voids: string
  readonly cancelledReceipts: string
  readonly drawerCash: string
  readonly documents: string
  readonly memoryReport: string
  readonly memoryRecord: string
  readonly memoryLeft: string
  readonly taxRates: string
  readonly disabled: string
  readonly originalDocument: string
  /** On an invoice, where a copy has the word for a copy; empty: none. */
  readonly original: string
  readonly department: string
  readonly journal: string
  readonly lastDocument: string
  readonly grandTotal: string
}

export const MORE_WORDS: MoreWords = {
  document: 'No',
  taxNumber: 'TAX No',
  items: 'ITEMS',
  serialNumber: 'SN',
  fiscalMemory: 'FM',
  nothingDue: 'NO PAYMENT DUE',
  customer: 'CUSTOMER',
  receipts: 'RECEIPTS',
  reversalReceipts: 'REVERSAL RECEIPTS',
  firstReceipt: 'FIRST RECEIPT',
  lastReceipt: 'LAST RECEIPT',
  turnover: 'TURNOVER',
  tax: 'TAX',
  net: 'NET',
  reversals: 'REVERSALS',
  discounts: 'DISCOUNTS',
  surcharges: 'SURCHARGES',
  voids: 'VOIDS',
  cancelledReceipts: 'CANCELLED RECEIPTS',
  drawerCash: 'CASH IN DRAWER',
  documents: 'DOCUMENTS',
  memoryReport: 'FISCAL MEMORY REPORT',
  memoryRecord: 'FISCAL MEMORY RECORD',
  memoryLeft: 'RECORDS LEFT',
  taxRates: 'TAX RATES',
  disabled: 'disabled',
  originalDocument: 'ORIGINAL DOCUMENT',
  original: '',
  department: 'DEPARTMENT',
  journal: 'JOURNAL',
  lastDocument: 'LAST DOCUMENT',
  grandTotal: 'GRAND',
}

export const ENGLISH_WORDS: PaperWords = {
  fiscalReceipt: 'FISCAL RECEIPT',
  nonFiscalReceipt: 'SERVICE RECEIPT',
  invoice: 'INVOICE',
  reversal: 'REVERSAL',
  copy: 'COPY',
  cancelled: 'CANCELLED',
  subtotal: 'SUBTOTAL',
  total: 'TOTAL',
  change: 'CHANGE',
  operator: 'OPERATOR',
  correction: 'CORRECTION',
  discount: 'DISCOUNT',
  surcharge: 'SURCHARGE',
  reportX: 'X REPORT',
  reportZ: 'Z REPORT',
  cashIn: 'CASH IN',
  cashOut: 'CASH OUT',
}

/** A base for profiles: `{...ENGLISH_PAPER, taxBlock: 'always'}`. */
export const ENGLISH_PAPER: PaperStyle = {
  words: ENGLISH_WORDS,
  commentMarks: false,
  taxBlock: 'never',
  itemLayout: 'nameFirst',
}

export const moreWords = (words: PaperWords): MoreWords => ({ ...MORE_WORDS, ...words.more })
