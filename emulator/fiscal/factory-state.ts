/** The factory state of a new device (decisions 4, "Factory state"). */
import type { Money, Percent } from '../../drivers/model/money.ts'
import { TAX_CODES, type TaxCode } from '../../drivers/model/receipt.ts'
import { type BookState, ZERO_COUNTED } from './books.ts'
import { NO_GROUPS } from './totals.ts'
import type { DeviceNumbers, DeviceProfile, FactorySettings } from './types/profile.ts'
import type { Article, ByTaxGroup, OperatorTotals } from './types/registers.ts'

/** The clock of an emulated device cannot be set to an earlier time. */
const FISCALISED_AT = '2024-01-01T08:00:00'
const DEFAULT_RATES: ByTaxGroup<Percent> = [2000, 2000, 2000, 900, 0, 0, 0, 0]
const INVOICE_RANGE = { start: 1, end: 9_999_999_999, next: 1 }
const HEADER = ['CORNER SHOP', '12 MARKET STREET']
const FOOTER = ['THANK YOU']
const DISPLAY_GREETING = ['WELCOME']

const goods = (plu: number, name: string, taxCode: TaxCode, price: Money, group: number): Article => ({
  plu,
  name,
  taxCode,
  department: 0,
  group,
  priceType: 'fixed',
  price,
  stock: null,
  barcodes: [],
  unit: 0,
  turnover: 0,
  sold: 0,
})

const ARTICLES: readonly Article[] = [
  goods(1, 'Bread', 1, 120, 1),
  goods(2, 'Milk 1 l', 1, 150, 1),
  goods(3, 'Butter', 1, 320, 1),
  goods(4, 'Coffee 250 g', 2, 450, 2),
  goods(5, 'Mineral water', 2, 90, 2),
  goods(6, 'Orange juice', 2, 210, 2),
  goods(7, 'Newspaper', 4, 250, 3),
  goods(8, 'Book', 4, 1290, 3),
  goods(9, 'Batteries', 3, 599, 4),
  goods(10, 'Carrier bag', 3, 20, 4),
]

export const factoryArticles = ({ factory }: DeviceProfile): readonly Article[] =>
  ARTICLES.map((article) => ({ ...article, taxCode: factory?.articles[article.taxCode] ?? article.taxCode }))

export const fiscalisedAt = (now: string): string => (now < FISCALISED_AT ? now : FISCALISED_AT)

export const NEW_COUNTERS: BookState['counters'] = {
  lastDocument: 0,
  lastReceipt: 0,
  lastReceiptAt: null,
  lastZ: 0,
  lastZAt: null,
  fiscalReceipts: 0,
  nonFiscal: 0,
  invoices: 0,
  taxRateChanges: 0,
  ramResets: 0,
  journalLines: 0,
  chain: '',
  kinds: {},
  papers: 0,
  records: 0,
  memorySeal: '',
  journalSeal: '',
}

export const NEW_DAY: BookState['day'] = {
  taxes: NO_GROUPS,
  reversals: NO_GROUPS,
  invoiceTaxes: NO_GROUPS,
  payments: {},
  reversalPayments: {},
  tendered: {},
  change: {},
  paymentCounts: {},
  total: 0,
  discounts: ZERO_COUNTED,
  rowDiscounts: ZERO_COUNTED,
  surcharges: ZERO_COUNTED,
  voids: ZERO_COUNTED,
  cancelled: ZERO_COUNTED,
  cashIn: ZERO_COUNTED,
  cashOut: ZERO_COUNTED,
  drawerCash: 0,
  foreign: null,
  receipts: 0,
  reversalReceipts: 0,
  invoices: 0,
  documents: 0,
  firstReceipt: null,
  lastReceipt: null,
  since: null,
  firstDocument: null,
}

export const NEW_OPERATOR_TOTALS: OperatorTotals = {
  receipts: 0,
  total: 0,
  discounts: ZERO_COUNTED,
  surcharges: ZERO_COUNTED,
  voids: ZERO_COUNTED,
  payments: {},
  cashIn: ZERO_COUNTED,
  cashOut: ZERO_COUNTED,
}

export function factoryRegisters(profile: DeviceProfile, settings: FactorySettings): BookState['registers'] {
  const operators: BookState['registers']['operators'] = {}
  for (let code = 1; code <= profile.operators; code++) {
    const password = settings.operators?.[code]?.password ?? profile.factoryPassword(code)
    operators[code] = { code, name: `Operator ${code}`, password }
  }
  const lines = (texts: readonly string[], count: number) =>
    Array.from({ length: count }, (_, index) => texts[index] ?? '')
  return {
    taxRates: settings.fiscalised === false && profile.ratesUnset ? NO_RATES : factoryRates(profile, settings),
    header: lines(settings.header ?? HEADER, profile.headerLines),
    footer: lines(settings.footer ?? FOOTER, profile.footerLines),
    operators,
    payments: Object.fromEntries(profile.payments.map(({ mode, name }) => [mode, { name, enabled: true }])),
    departments: {},
    invoiceRange: { ...INVOICE_RANGE },
    parameters: {},
  }
}

const NO_RATES: ByTaxGroup<null> = [null, null, null, null, null, null, null, null]

export function factoryRates(profile: DeviceProfile, settings: FactorySettings): ByTaxGroup<Percent | null> {
  const rates = TAX_CODES.map((code) => {
    if (code > profile.taxGroups) return null
    const rate = settings.taxRates?.[code]
    return rate === undefined ? (profile.factory?.taxRates ?? DEFAULT_RATES)[code - 1] : rate
  })
  return rates as unknown as ByTaxGroup<Percent | null>
}

const NO_NUMBERS: DeviceNumbers = { serialNumber: '', fiscalMemoryNumber: '' }

export function numbersOf({ unset }: DeviceProfile, device: BookState['device']): DeviceNumbers {
  const { serialNumber, fiscalMemoryNumber, fiscalised } = device
  return fiscalised
    ? { serialNumber, fiscalMemoryNumber }
    : (unset?.({ serialNumber, fiscalMemoryNumber }) ?? NO_NUMBERS)
}

export function factoryState(profile: DeviceProfile, settings: FactorySettings): BookState {
  return {
    device: {
      family: profile.family,
      profile: profile.profile,
      serialNumber: profile.serialNumber,
      fiscalMemoryNumber: profile.fiscalMemoryNumber,
      taxNumber: settings.fiscalised === false ? '' : profile.taxNumber,
      fiscalised: settings.fiscalised !== false,
      clockSet: true,
      lineWidth: profile.lineWidth,
      clockOffset: 0,
    },
    counters: NEW_COUNTERS,
    day: NEW_DAY,
    registers: factoryRegisters(profile, settings),
    totals: { operators: {}, departments: {}, groups: {} },
    last: { fiscal: null },
    mechanism: { paper: 'ok', coverOpen: false, waiting: [] },
    display: { attached: true, lines: displayLines(profile) },
  }
}

const displayLines = (profile: DeviceProfile): string[] =>
  Array.from({ length: profile.displayLines }, (_, index) =>
    (DISPLAY_GREETING[index] ?? '').slice(0, profile.displayWidth).padEnd(profile.displayWidth),
  )
