import { EDITIONS, type EditionName } from '../../drivers/family-a/protocol/index.ts'
import type { BookRules, DeviceProfile, PaperWords } from '../fiscal/types/profile.ts'
import { ENGLISH_WORDS } from '../print/words.ts'

/** A profile for each edition. */
export const PROFILES = EDITIONS

const PRICE_MAX = 999_999_999

const rules: BookRules = {
  // 6.4: same name, tax code and unit price as an earlier sale, quantity at most what is left of it.
  voidMatches: 'row',
  // 6.4 and 7 know no limit on adjustments of the subtotal.
  voidAfterSubtotalAdjustment: true,
  subtotalAdjustments: 'any',
  subtotalAmountOneGroupOnly: false,
  // 6.4: a payment other than cash above the rest is refused.
  nonCashChange: false,
  // 6.4: -111065.
  zeroTotal: false,
  cancelledCounts: false,
  // 6.6: Z on an empty day is allowed.
  zOnEmptyDay: true,
  rowMaximum: PRICE_MAX,
  receiptMaximum: PRICE_MAX,
  // 8: the 24-hour block.
  dayBlock: true,
  // 6.12: a document number is that of a document in the journal.
  memoryReportsInJournal: true,
}

const words: PaperWords = {
  ...ENGLISH_WORDS,
  nonFiscalReceipt: 'NON-FISCAL RECEIPT',
  reversal: 'REVERSAL RECEIPT',
  correction: 'VOID',
  reportX: 'DAILY FINANCIAL REPORT X',
  reportZ: 'DAILY FINANCIAL REPORT',
}

/** Name (sheet 6.8): no blank, ends in X, as known clients want it; `EMULATOR` in it unlocks the house layouts (sheet 6.12). */
const common = {
  family: 'A',
  model: 'FPA-EMULATOR-100X',
  serialNumber: 'DT000123',
  fiscalMemoryNumber: '02000123',
  taxNumber: '123456789',
  lineWidth: 42,
  displayWidth: 20,
  displayLines: 2,
  taxGroups: 8,
  operators: 30,
  departments: 99,
  articles: { capacity: 100_000, maxNumber: 100_000, nameLength: 72 },
  fiscalMemoryCapacity: 3_650,
  fiscalMemoryWarning: 60,
  taxRateChanges: 30,
  journalCapacity: 5_000_000,
  journalWarning: 50_000,
  maxSales: 1_000,
  maxPayments: 100,
  headerLines: 10,
  footerLines: 10,
  foreignPayment: 6,
  rules,
  paper: { words, commentMarks: false, taxBlock: 'always', itemLayout: 'nameFirst' },
} as const

const PAYMENTS = ['CASH', 'CARD', 'CREDIT', 'CHEQUE', 'VOUCHER 1', 'VOUCHER 2', 'CURRENCY']
const payments = PAYMENTS.map((name, mode) => ({ mode, name }))

const table: Readonly<Record<EditionName, DeviceProfile>> = {
  bg: { ...common, profile: 'bg', firmware: '1.00BG', payments, factoryPassword: () => '0000' },
  ro: { ...common, profile: 'ro', firmware: '1.00RO', payments, factoryPassword: () => '0001' },
}

export function profile(name: string): DeviceProfile {
  if (Object.hasOwn(table, name)) return table[name as EditionName]
  throw new RangeError(`family A has no profile ${name}, only ${PROFILES.join(' and ')}`)
}
