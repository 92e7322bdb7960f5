/** The words on paper. English by default; a profile overrides what its family prints otherwise. */

/** Words that most profiles leave as they are. The labels of the Z report are read back by people and programs. */
const MORE_WORDS = {
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
  operatorError: 'OPERATOR ERROR',
  refund: 'RETURN OF GOODS',
  taxBaseReduction: 'TAX BASE REDUCTION',
  /** On an invoice, where a copy has the word for a copy; empty: none. */
  original: '',
  department: 'DEPARTMENT',
  journal: 'JOURNAL',
  lastDocument: 'LAST DOCUMENT',
  grandTotal: 'GRAND',
}
export type MoreWords = Readonly<typeof MORE_WORDS>

export const ENGLISH_WORDS = {
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

/** The words of a family; a profile begins with `ENGLISH_WORDS`. */
export interface PaperWords extends Readonly<typeof ENGLISH_WORDS> {
  /** What documents of a device without fiscalisation end with; absent: the words of a service receipt. */
  readonly notFiscalised?: string
  /** Printed into the open receipt when the power is back; absent: nothing is. */
  readonly powerLoss?: string
  /** Absent ones are English. */
  readonly more?: Partial<MoreWords>
}

export const moreWords = (words: PaperWords): MoreWords => ({ ...MORE_WORDS, ...words.more })
