import type { BookRules, DeviceProfile } from '../../../emulator/fiscal/types/profile.ts'
import type { PaperWords } from '../../../emulator/print/paper-words.ts'

export const PROFILES = ['d1'] as const

const AMOUNT_MAX = 9_999_999

const rules: BookRules = {
  voidMatches: 'row',
  voidAfterSubtotalAdjustment: false,
  subtotalAdjustments: 'once',
  subtotalAmountOneGroupOnly: false,
  nonCashChange: false,
  zeroTotal: false,
  cancelledCounts: false,
  zOnEmptyDay: true,
  rowMaximum: AMOUNT_MAX,
  receiptMaximum: AMOUNT_MAX,
  dayBlock: true,
}

const words: PaperWords = {
  fiscalReceipt: 'RECEIPT OF SALE',
  nonFiscalReceipt: 'NOTE',
  invoice: 'BILL',
  reversal: 'RETURN',
  copy: 'SECOND PRINT',
  cancelled: 'ABANDONED',
  subtotal: 'SO FAR',
  total: 'TO PAY',
  change: 'BACK',
  operator: 'CLERK',
  correction: 'TAKEN BACK',
  discount: 'LESS',
  surcharge: 'MORE',
  reportX: 'SUMS OF THE DAY',
  reportZ: 'CLOSURE',
  cashIn: 'PUT IN',
  cashOut: 'TAKEN OUT',
}

const device: DeviceProfile = {
  family: 'D',
  profile: 'd1',
  model: 'EmuD40',
  firmware: '1.0',
  serialNumber: 'DD000001',
  fiscalMemoryNumber: '99000001',
  taxNumber: '123456789',
  lineWidth: 40,
  displayWidth: 20,
  displayLines: 2,
  taxGroups: 8,
  operators: 8,
  departments: 9,
  articles: { capacity: 999, maxNumber: 999, nameLength: 30 },
  payments: [
    { mode: 0, name: 'COINS' },
    { mode: 1, name: 'BANK CARD' },
  ],
  fiscalMemoryCapacity: 500,
  fiscalMemoryWarning: 20,
  taxRateChanges: 10,
  journalCapacity: 1_000_000,
  journalWarning: 10_000,
  maxSales: 200,
  maxPayments: 10,
  headerLines: 4,
  footerLines: 2,
  factoryPassword: (operator) => `d${operator}`,
  rules,
  paper: { words, commentMarks: false, taxBlock: 'always', itemLayout: 'nameFirst' },
}

export function profile(name: string): DeviceProfile {
  if (name === 'd1') return device
  throw new RangeError(`family D has no profile ${name}, only ${PROFILES.join(' and ')}`)
}
