/** Words that most profiles do not change. Programs parse the labels of the Z report. */
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
  /** Printed on an invoice where a copy has the word for a copy. If empty, nothing is printed. */
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

export interface PaperWords extends Readonly<typeof ENGLISH_WORDS> {
  /** The last words on documents of a device that is not fiscalised. Absent: the words of a service receipt. */
  readonly notFiscalised?: string
  /** Printed on the open receipt when the power returns. Absent: nothing is printed. */
  readonly powerLoss?: string
  readonly more?: Partial<MoreWords>
}

export const moreWords = (words: PaperWords): MoreWords => ({ ...MORE_WORDS, ...words.more })
