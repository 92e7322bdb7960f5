import { EDITION, EDITIONS, type Edition, type EditionName } from '../../drivers/family-a/protocol/edition.ts'
import type { BookRules, DeviceProfile } from '../fiscal/types/profile.ts'
import { ENGLISH_WORDS, type PaperWords } from '../print/paper-words.ts'

export const PROFILES = EDITIONS

const PRICE_MAX = 999_999_999

const rules: BookRules = {
  // Sheet 6.4: a void needs an earlier sale with the same name, tax code and unit price, and with enough remaining
  // quantity.
  voidMatches: 'row',
  // Sheet 6.4 and 7 define no limit on adjustments of the subtotal.
  voidAfterSubtotalAdjustment: true,
  subtotalAdjustments: 'any',
  subtotalAmountOneGroupOnly: false,
  // Sheet 6.4: a payment other than cash above the remaining amount is refused.
  nonCashChange: false,
  // Sheet 6.4: a total of zero is refused with -111065.
  zeroTotal: false,
  cancelledCounts: false,
  // Sheet 6.6: a Z report on an empty day is allowed.
  zOnEmptyDay: true,
  rowMaximum: PRICE_MAX,
  receiptMaximum: PRICE_MAX,
  // Sheet 8: the device blocks sales 24 hours after the opening of the day.
  dayBlock: true,
  // Sheet 6.12: every document number belongs to a document of the journal.
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

/** Romanian words, without the letters that the code pages of these devices lack. */
const ROMANIAN_WORDS: PaperWords = {
  fiscalReceipt: 'BON FISCAL',
  nonFiscalReceipt: 'BON NEFISCAL',
  invoice: 'FACTURA SIMPLIFICATA',
  reversal: 'STORNO',
  copy: 'COPIE',
  cancelled: 'BON ANULAT',
  subtotal: 'SUBTOTAL',
  total: 'TOTAL LEI',
  change: 'REST',
  operator: 'OPERATOR',
  correction: 'CORECTIE',
  discount: 'REDUCERE',
  surcharge: 'MAJORARE',
  reportX: 'RAPORT X',
  reportZ: 'RAPORT FISCAL DE INCHIDERE ZILNICA',
  cashIn: 'SUME INTRODUSE',
  cashOut: 'SUME EXTRASE',
  more: {
    document: 'NR',
    taxNumber: 'CIF',
    items: 'ARTICOLE',
    nothingDue: 'FARA PLATA',
    customer: 'CLIENT',
    receipts: 'BONURI FISCALE',
    reversalReceipts: 'BONURI STORNO',
    firstReceipt: 'PRIMUL BON',
    lastReceipt: 'ULTIMUL BON',
    turnover: 'TOTAL',
    tax: 'TVA',
    net: 'NET',
    discounts: 'REDUCERI',
    surcharges: 'MAJORARI',
    voids: 'CORECTII',
    cancelledReceipts: 'BONURI ANULATE',
    drawerCash: 'NUMERAR IN SERTAR',
    documents: 'DOCUMENTE',
    memoryReport: 'RAPORT MEMORIE FISCALA',
    memoryRecord: 'INREGISTRARE MEMORIE',
    memoryLeft: 'INREGISTRARI RAMASE',
    taxRates: 'COTE TVA',
    disabled: 'inactiv',
    originalDocument: 'DOCUMENT ORIGINAL',
    department: 'DEPARTAMENT',
    journal: 'JURNAL',
    lastDocument: 'ULTIMUL DOCUMENT',
    grandTotal: 'GENERAL',
  },
}

/**
 * Properties of all profiles. Known clients require a model name (sheet 6.8) without blanks that ends in X. `EMULATOR`
 * in the name selects the emulator's own layouts (sheet 6.12).
 */
const common = {
  family: 'A',
  model: 'FPA-EMULATOR-100X',
  lineWidth: 42,
  displayWidth: 20,
  displayLines: 2,
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
} as const

const paper = { commentMarks: false, taxBlock: 'always', itemLayout: 'nameFirst' } as const

/** Properties that differ by country (sheet 9). */
type CountryProperties = Pick<
  DeviceProfile,
  'firmware' | 'serialNumber' | 'fiscalMemoryNumber' | 'taxNumber' | 'factoryPassword'
> & {
  readonly payments: readonly string[]
  readonly words: PaperWords
  readonly rules?: Partial<BookRules>
  readonly factory?: NonNullable<DeviceProfile['factory']>
}

/**
 * Returns the numbers of a device that is not fiscalised. A real device replaces the letters and all but eight digits
 * with blanks (frame `a-090-cap-unfiscalised`).
 */
const unset: NonNullable<DeviceProfile['unset']> = ({ serialNumber, fiscalMemoryNumber }) => ({
  serialNumber: serialNumber.replace(/\D/g, '').slice(-8).padStart(serialNumber.length),
  fiscalMemoryNumber,
})

const profileOf = (
  edition: Edition,
  { payments, words, rules: extraRules, ...own }: CountryProperties,
): DeviceProfile => ({
  ...common,
  ...own,
  profile: edition.name,
  taxGroups: edition.taxGroups,
  payments: payments.map((name, mode) => ({ mode, name })),
  foreignPayment: edition.currencyMode,
  rules: { ...rules, ...extraRules },
  unset,
  ratesUnset: true,
  paper: { ...paper, words },
})

const table: Readonly<Record<EditionName, DeviceProfile>> = {
  bg: profileOf(EDITION.bg, {
    firmware: '1.00BG',
    serialNumber: 'DT000123',
    fiscalMemoryNumber: '02000123',
    taxNumber: '123456789',
    // Sheet 6.3: the factory default of printers.
    factoryPassword: () => '0000',
    payments: ['CASH', 'CARD', 'CREDIT', 'CHEQUE', 'VOUCHER 1', 'VOUCHER 2', 'CURRENCY'],
    words,
  }),
  ro: profileOf(EDITION.ro, {
    firmware: '1.00RO',
    // Sheet 9.1: identity.
    serialNumber: 'DB4100000123',
    fiscalMemoryNumber: '4100000123',
    taxNumber: 'RO12345674',
    factoryPassword: (operator) => String(operator).padStart(4, '0'),
    payments: [
      'NUMERAR',
      'CARD',
      'CREDIT',
      'TICHETE MASA',
      'TICHETE VALORICE',
      'VOUCHER',
      'PLATA MODERNA',
      'CARD CU AVANS',
      'ALTE METODE',
      'VALUTA',
    ],
    words: ROMANIAN_WORDS,
    // Sheet 9.1: 48 with `I`; 53 with mode 7.
    rules: { simplifiedInvoices: true, cashAdvance: 7 },
    // Decisions 4: A, B and C with the rates of a shop, D and E disabled, F and G fixed.
    factory: { taxRates: [2_100, 1_100, 0, null, null, 0, 0, null], articles: { 4: 3 } },
  }),
}

export function profile(name: string): DeviceProfile {
  if (Object.hasOwn(table, name)) return table[name as EditionName]
  throw new RangeError(`family A has no profile ${name}, only ${PROFILES.join(' and ')}`)
}
