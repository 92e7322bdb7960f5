/** A device of no family, with the strictest rules of all families, for tests of the documents and totals alone. */
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { DeviceOptions } from '../../emulator/fiscal/device.ts'
import type { Outcome } from '../../emulator/fiscal/types/outcome.ts'
import type { BookRules, DeviceProfile } from '../../emulator/fiscal/types/profile.ts'
import type { FiscalReceipt, OpenFiscal, PaymentIntent, Sale } from '../../emulator/fiscal/types/receipt.ts'
import { ENGLISH_WORDS } from '../../emulator/print/paper-words.ts'
import { type Books, createBooks } from '../support/rig.ts'

export const ENGLISH_PAPER = {
  words: ENGLISH_WORDS,
  commentMarks: false,
  taxBlock: 'never',
  itemLayout: 'nameFirst',
} as const

const RULES: BookRules = {
  voidMatches: 'row',
  voidAfterSubtotalAdjustment: true,
  subtotalAdjustments: 'any',
  subtotalAmountOneGroupOnly: false,
  nonCashChange: false,
  zeroTotal: false,
  cancelledCounts: false,
  zOnEmptyDay: true,
  rowMaximum: 999_999_999,
  receiptMaximum: 999_999_999,
  dayBlock: true,
}

export const PROFILE: DeviceProfile = {
  family: 'A',
  profile: 'test',
  model: 'TEST-1',
  firmware: '1.0',
  serialNumber: 'TT000001',
  fiscalMemoryNumber: '02000001',
  taxNumber: '123456789',
  lineWidth: 42,
  displayWidth: 20,
  displayLines: 2,
  taxGroups: 8,
  operators: 30,
  departments: 99,
  articles: { capacity: 12, maxNumber: 100, nameLength: 32 },
  payments: [
    { mode: 0, name: 'CASH' },
    { mode: 1, name: 'CARD' },
    { mode: 2, name: 'CREDIT' },
  ],
  fiscalMemoryCapacity: 5,
  fiscalMemoryWarning: 2,
  taxRateChanges: 2,
  journalCapacity: 100_000,
  journalWarning: 100,
  maxSales: 20,
  maxPayments: 5,
  headerLines: 3,
  footerLines: 2,
  factoryPassword: () => '0000',
  rules: RULES,
  paper: { ...ENGLISH_PAPER, taxBlock: 'always' },
}

export const profileWith = (rules: Partial<BookRules> = {}, change: Partial<DeviceProfile> = {}): DeviceProfile => ({
  ...PROFILE,
  ...change,
  rules: { ...RULES, ...rules },
})

/** The clock of the device begins at ten. `rules` override the strictest rules. */
export function plainDevice(options: Partial<DeviceOptions> & { readonly rules?: Partial<BookRules> } = {}): Books {
  const { rules, ...rest } = options
  return createBooks({ profile: profileWith(rules), ...rest }, Date.parse('2025-07-14T10:00:00Z'))
}

export const SALE_RECEIPT: OpenFiscal = { kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 }

export const REVERSAL: OpenFiscal = { ...SALE_RECEIPT, kind: 'reversal', reason: 'refund' }
export const INVOICE: OpenFiscal = { ...SALE_RECEIPT, invoice: true, customer: { name: 'Buyer Ltd', fields: [] } }

export const bread = (change: Partial<Sale> = {}): Sale => ({
  name: 'Bread',
  taxCode: 1,
  price: 120,
  quantity: 1000,
  void: false,
  ...change,
})

export function ok<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`refused: ${outcome.refusal}`)
  return outcome.value
}

export const answerOf = (outcome: Outcome<unknown>): string => (outcome.ok ? 'ok' : outcome.refusal)

export function inHand(device: FiscalDevice): FiscalReceipt {
  if (device.receipt?.kind !== 'fiscal') throw new Error('no fiscal receipt is open')
  return device.receipt.fiscal
}

export function issue(
  device: FiscalDevice,
  opening: OpenFiscal,
  sales: readonly Sale[],
  payments: readonly PaymentIntent[] = [{ mode: 0 }],
): number {
  ok(device.openFiscal(opening))
  for (const sale of sales) ok(device.sell(sale))
  for (const payment of payments) ok(device.pay(payment))
  return ok(device.closeFiscal()).document
}

export const sellReceipt = (device: FiscalDevice, sales: readonly Sale[], mode = 0, amount?: number): number =>
  issue(device, SALE_RECEIPT, sales, [amount === undefined ? { mode } : { mode, amount }])

export const plain = (lines: readonly string[]): string[] => lines.map((line) => line.trim().replace(/ {2,}/g, ' '))

export function lastPaper(device: FiscalDevice) {
  const paper = device.documents().at(-1)
  if (!paper) throw new Error('nothing was printed')
  return { ...paper, text: plain(paper.text) }
}

export const books = (device: FiscalDevice) => JSON.parse(JSON.stringify(device.snapshot().tables))
