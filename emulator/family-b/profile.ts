import { EDITIONS, type EditionName } from '../../drivers/family-b/protocol/index.ts'
import type { BookRules, DeviceProfile } from '../fiscal/types/profile.ts'
import { ENGLISH_WORDS, type PaperWords } from '../print/paper-words.ts'

export const PROFILES = EDITIONS

const AMOUNT_MAX = 9_999_999_999

const rules: BookRules = {
  // Sheet 10.4: a void reverses the latest sale of the same article, price and quantity, including its adjustment.
  voidMatches: 'row',
  voidRepeatsRow: true,
  // Sheet 8.1: a void after an adjustment of the subtotal is error 23.
  voidAfterSubtotalAdjustment: false,
  // Sheet 10.5: a second adjustment of the subtotal is error 22.
  subtotalAdjustments: 'once',
  subtotalAmountOneGroupOnly: false,
  // Sheet 9: a subtotal without a discount is possible in any fiscal receipt.
  subtotalWhilePaying: true,
  // Sheet 10.5: change only in cash.
  nonCashChange: false,
  // Sheet 9: after voids, the total may be 0.00; then 53 answers R0.00.
  zeroTotal: true,
  // Sheet 10.5: 130 issues a fiscal document.
  cancelledCounts: true,
  // Sheet 10.7: a Z report without turnover is accepted.
  zOnEmptyDay: true,
  // Sheet 10.4: a sale of more than the stock is error 26.
  stockChecked: true,
  articleNamesUnique: false,
  // Sheet 10.5: a refund is paid in cash only.
  reversalInCash: true,
  // Sheet 10.8: 61 does not accept a time before the last document.
  clockBehindJournal: true,
  // Frame calc-107-read-plu: with 5 % discount on the subtotal, a sale of 2.46 adds 2.34 to the sums of the article.
  subtotalReachesRows: true,
  // Sheet 6.3: sums have ten digits.
  rowMaximum: AMOUNT_MAX,
  receiptMaximum: AMOUNT_MAX,
  // Sheet 13: after 24 hours without a Z report, sales are blocked with error 82.
  dayBlock: true,
}

const words: PaperWords = {
  ...ENGLISH_WORDS,
  reversal: 'REFUND',
  copy: 'DUPLICATE',
  correction: '*** CORRECTION ***',
  // Sheet 10.2 and 10.3: the last line of every receipt while the device is not fiscalised.
  notFiscalised: 'NON-FISCAL RECEIPT',
  // Sheet 13: printed when the power returns.
  powerLoss: '*** VOLTAGE DROP ***',
}

const PAYMENTS = ['CASH', 'PAYMENT 1', 'PAYMENT 2', 'PAYMENT 3', 'PAYMENT 4']

const common = {
  family: 'B',
  displayWidth: 20,
  displayLines: 2,
  operators: 20,
  departments: 50,
  articlesOnly: true,
  payments: PAYMENTS.map((name, mode) => ({ mode, name })),
  // Sheet 11: a sample Z report prints "record 0001, free 1199".
  fiscalMemoryCapacity: 1_200,
  fiscalMemoryWarning: 50,
  taxRateChanges: 30,
  journalCapacity: 46_000_000,
  journalWarning: 460_000,
  maxSales: 500,
  maxPayments: 20,
  rules,
  factoryPassword: (operator: number) => String(operator),
} as const

// Sheet 11: "PLU number with free price: above 100".
const articles = { capacity: 30_000, maxNumber: 30_000, freePriceAbove: 100 } as const

const paper = {
  words,
  commentMarks: true,
  taxBlock: 'never',
  itemLayout: 'quantityFirst',
  // Sheet 6.4 and 14.1.
  documentDigits: 6,
  documentHash: true,
} as const

const table: Readonly<Record<EditionName, DeviceProfile>> = {
  b8: {
    ...common,
    profile: 'b8',
    model: 'EmuB58',
    firmware: 'ONL-1.00BG',
    // Sheet 14: clients require eight characters that begin with two letters.
    serialNumber: 'DY000001',
    fiscalMemoryNumber: '36000001',
    taxNumber: '123456789',
    lineWidth: 32,
    taxGroups: 8,
    articles: { ...articles, nameLength: 20 },
    headerLines: 6,
    footerLines: 2,
    paper,
  },
  b5: {
    ...common,
    profile: 'b5',
    model: 'EmuB80',
    firmware: '1.00GE',
    serialNumber: 'DY00000001',
    fiscalMemoryNumber: '3600000001',
    taxNumber: '123456789',
    lineWidth: 48,
    taxGroups: 5,
    articles: { ...articles, nameLength: 32 },
    headerLines: 8,
    footerLines: 6,
    paper: { ...paper, taxLetters: ' ABCD   ' },
  },
}

export function profile(name: string): DeviceProfile {
  if (name === 'b8' || name === 'b5') return table[name]
  throw new RangeError(`family B has no profile ${name}, only ${PROFILES.join(' and ')}`)
}
