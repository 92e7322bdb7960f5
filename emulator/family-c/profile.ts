import { C4, C6, CR, EDITIONS, type Edition } from '../../drivers/family-c/protocol/edition.ts'
import type { BookRules, DeviceProfile } from '../fiscal/types/profile.ts'
import { ENGLISH_WORDS, type PaperWords } from '../print/paper-words.ts'

export const PROFILES = EDITIONS

/** Price and value have ten symbols (sheet 5.4), but the limit of fiscal-rig is 9 999 999.99. */
const AMOUNT_MAX = 999_999_999

const rules: BookRules = {
  // Sheet 4.8: a correction requires only enough turnover of its tax class in this receipt.
  voidMatches: 'group',
  voidAfterSubtotalAdjustment: true,
  subtotalAdjustments: 'any',
  // Sheet 4.9: a value on the subtotal is possible only if all sales are of one tax class.
  subtotalAmountOneGroupOnly: true,
  // Sheet 4.11: the wire protocol computes change for every payment type. Only the service requires cash for an amount
  // above the remaining one.
  nonCashChange: true,
  // Sheet 4.11 and 5.1: a receipt of 0 can be paid, and closes with total 0.
  zeroTotal: true,
  emptyReceipt: true,
  cancelledCounts: false,
  // Sheet 4.13: only turnover and syntax prevent a change of an article. 6Bh reports amount and quantity of reversals
  // separately.
  articleNamesUnique: false,
  articleBarcodesUnique: false,
  articleReversalsApart: true,
  // Sheet 4.12: a Z report without turnover is a short zero report.
  zOnEmptyDay: true,
  rowMaximum: AMOUNT_MAX,
  receiptMaximum: AMOUNT_MAX,
  dayBlock: true,
}

/** Words on paper (sheet 5.5). */
const words: PaperWords = {
  ...ENGLISH_WORDS,
  reversal: 'STORNO',
  copy: 'DUPLICATE',
  cancelled: 'RECEIPT VOIDED',
  more: { original: 'ORIGINAL' },
}

const common = {
  family: 'C',
  // Known clients require a serial number of 8 characters that begins with ZK, and a model that does not end in V2
  // (sheet 4.1).
  serialNumber: 'ZK123456',
  fiscalMemoryNumber: '50123456',
  taxNumber: '123456789',
  displayWidth: 20,
  displayLines: 2,
  operators: 20,
  departments: 99,
  fiscalMemoryCapacity: 2_000,
  fiscalMemoryWarning: 50,
  taxRateChanges: 50,
  journalCapacity: 5_000_000,
  journalWarning: 30_000,
  // Sheet 4.8: the counter of 72h has three digits.
  maxSales: 999,
  maxPayments: 100,
  rules,
  paper: {
    words,
    commentMarks: true,
    taxBlock: 'onRequest',
    itemLayout: 'nameFirst',
    nameBreak: '|',
    fullReports: true,
  },
} as const

const profileOf = (edition: Edition, own: Pick<DeviceProfile, 'model' | 'firmware' | 'lineWidth'>): DeviceProfile => ({
  ...common,
  ...own,
  profile: edition.name,
  taxGroups: edition.taxClasses,
  payments: edition.paymentNames.map((name, mode) => ({ mode, name })),
  articles: { capacity: 10_000, maxNumber: 99_999, nameLength: edition.articleNameWidth },
  headerLines: edition.headerLines,
  footerLines: edition.footerLines,
  factoryPassword: () => '0'.repeat(edition.passwordWidth),
})

const table: Readonly<Record<string, DeviceProfile>> = {
  c4: profileOf(C4, { model: 'C-FP01', firmware: 'Ver. 1.01 CFP01 C.S. 2541', lineWidth: 38 }),
  c6: profileOf(C6, { model: 'C-FP05', firmware: 'Ver. 2.08 CFP05 C.S. 7A1C', lineWidth: 48 }),
  cr: profileOf(CR, { model: 'C-FP01 KL', firmware: 'Ver. 1.04 CFPRO C.S. 19E2', lineWidth: 32 }),
}

export function profile(name: string): DeviceProfile {
  const device = Object.hasOwn(table, name) ? table[name] : undefined
  if (!device) throw new RangeError(`family C has no profile ${name}, only ${PROFILES.join(', ')}`)
  return device
}
