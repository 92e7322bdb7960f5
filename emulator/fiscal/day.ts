/** Changes of the day totals by a closed receipt, a cancelled receipt, and cash in or out. All functions are pure. */
import type { Money } from '../../drivers/model/money.ts'
import { TAX_CODES } from '../../drivers/model/receipt.ts'
import { type BookState, ZERO_COUNTED } from './books.ts'
import { NEW_OPERATOR_TOTALS } from './factory-state.ts'
import { includedTax } from './rounding.ts'
import { addGroups, NO_GROUPS, sum } from './totals.ts'
import type { CashDrawer, ZRecord } from './types/day.ts'
import type { DeviceProfile } from './types/profile.ts'
import type { FiscalReceipt, PaymentRow } from './types/receipt.ts'
import type { CountedAmount, OperatorTotals, RegisterTotals } from './types/registers.ts'

type Day = BookState['day']
type ByMode = Readonly<Record<number, Money>>
export const CASH = 0

const add = (counted: CountedAmount, amount: Money, count = 1): CountedAmount => ({
  count: counted.count + count,
  amount: counted.amount + amount,
})

const addMode = (modes: ByMode, mode: number, amount: Money): ByMode => ({
  ...modes,
  [mode]: (modes[mode] ?? 0) + amount,
})

/** The adjustments and voids of a receipt. Adjustments of rows that were voided later are included. */
interface ReceiptCounts {
  readonly discounts: CountedAmount
  readonly rowDiscounts: CountedAmount
  readonly surcharges: CountedAmount
  readonly voids: CountedAmount
}

/** A void with an adjustment counts only as a void. */
export function countsOf(receipt: FiscalReceipt): ReceiptCounts {
  let [discounts, surcharges, voids] = [ZERO_COUNTED, ZERO_COUNTED, ZERO_COUNTED]
  const adjust = (amount: Money): void => {
    if (amount < 0) discounts = add(discounts, -amount)
    if (amount > 0) surcharges = add(surcharges, amount)
  }
  for (const row of receipt.rows) {
    if (row.void) voids = add(voids, -row.amount)
    else adjust(row.adjusted)
  }
  const rowDiscounts = discounts
  for (const { amount } of receipt.subtotalAdjustments) adjust(amount)
  return { discounts, rowDiscounts, surcharges, voids }
}

const rowDiscounts = (
  old: { readonly rowDiscounts?: CountedAmount },
  { rowDiscounts: { amount, count } }: ReceiptCounts,
) => (count === 0 ? {} : { rowDiscounts: add(old.rowDiscounts ?? ZERO_COUNTED, amount, count) })

/**
 * Returns the amount that the payments put into the drawer of a mode: the amounts tendered in this mode, minus the
 * change given in this mode.
 */
export const cashOf = (payments: readonly PaymentRow[], mode: number = CASH): Money =>
  payments.reduce(
    (cash, payment) =>
      cash +
      (payment.mode === mode ? payment.tendered : 0) -
      ((payment.changeMode ?? CASH) === mode ? payment.change : 0),
    0,
  )

const EMPTY_DRAWER: CashDrawer = { cashIn: ZERO_COUNTED, cashOut: ZERO_COUNTED, drawerCash: 0 }

export const drawerOf = (day: Day, mode: number): CashDrawer => (mode === CASH ? day : (day.foreign ?? EMPTY_DRAWER))

function throughDrawers(day: Day, payments: readonly PaymentRow[], sign: 1 | -1, foreign: number | undefined) {
  const cash = { drawerCash: day.drawerCash + sign * cashOf(payments) }
  if (foreign === undefined || !payments.some(({ mode }) => mode === foreign)) return cash
  const drawer = drawerOf(day, foreign)
  return { ...cash, foreign: { ...drawer, drawerCash: drawer.drawerCash + sign * cashOf(payments, foreign) } }
}

function netByMode(modes: ByMode, payments: readonly PaymentRow[]): ByMode {
  let net = modes
  for (const payment of payments) {
    net = addMode(net, payment.mode, payment.tendered)
    if (payment.change !== 0) net = addMode(net, payment.changeMode ?? CASH, -payment.change)
  }
  return net
}

function handedOver(
  { tendered = {}, change = {} }: { readonly tendered?: ByMode; readonly change?: ByMode },
  payments: readonly PaymentRow[],
): { readonly tendered: ByMode; readonly change: ByMode } {
  for (const payment of payments) {
    tendered = addMode(tendered, payment.mode, payment.tendered)
    if (payment.change !== 0) change = addMode(change, payment.changeMode ?? CASH, payment.change)
  }
  return { tendered, change }
}

/** Returns the amount on hand of a mode: the drawer for cash, otherwise the sum received minus the sum paid back. */
export const onHand = (
  { drawerCash, payments, reversalPayments }: Pick<Day, 'drawerCash' | 'payments' | 'reversalPayments'>,
  mode: number,
): Money => (mode === CASH ? drawerCash : (payments[mode] ?? 0) - (reversalPayments[mode] ?? 0))

/**
 * Adds a closed receipt. Reversals have separate sums and take cash out of the drawer. `foreign` is the profile's
 * payment mode for foreign currency.
 */
export function addReceipt(day: Day, receipt: FiscalReceipt, counts: ReceiptCounts, foreign?: number): Day {
  const common = {
    ...issued(day, receipt),
    discounts: add(day.discounts, counts.discounts.amount, counts.discounts.count),
    ...rowDiscounts(day, counts),
    surcharges: add(day.surcharges, counts.surcharges.amount, counts.surcharges.count),
    voids: add(day.voids, counts.voids.amount, counts.voids.count),
  }
  if (receipt.kind === 'reversal') {
    return {
      ...common,
      reversals: addGroups(day.reversals, receipt.groups),
      reversalPayments: netByMode(day.reversalPayments, receipt.payments),
      ...throughDrawers(day, receipt.payments, -1, foreign),
    }
  }
  let { paymentCounts } = day
  for (const payment of receipt.payments) paymentCounts = addMode(paymentCounts, payment.mode, 1)
  return {
    ...common,
    ...handedOver(day, receipt.payments),
    taxes: addGroups(day.taxes, receipt.groups),
    ...(receipt.invoice && { invoiceTaxes: addGroups(day.invoiceTaxes ?? NO_GROUPS, receipt.groups) }),
    total: day.total + receipt.total,
    payments: netByMode(day.payments, receipt.payments),
    paymentCounts,
    ...throughDrawers(day, receipt.payments, 1, foreign),
  }
}

/** A cancelled receipt has a separate counter and changes no total (decisions 3). Family B also counts it as issued. */
export function addCancelled(day: Day, receipt: FiscalReceipt, countsAsIssued: boolean): Day {
  const cancelled = add(day.cancelled, receipt.total)
  return countsAsIssued ? { ...issued(day, { ...receipt, invoice: false }), cancelled } : { ...day, cancelled }
}

function issued(day: Day, receipt: FiscalReceipt): Day {
  return {
    ...day,
    receipts: day.receipts + 1,
    reversalReceipts: day.reversalReceipts + (receipt.kind === 'reversal' ? 1 : 0),
    invoices: day.invoices + (receipt.invoice ? 1 : 0),
    firstReceipt: day.firstReceipt ?? receipt.document,
    lastReceipt: receipt.document,
    since: day.since ?? receipt.openedAt,
  }
}

export function addCash(day: Day, direction: 'in' | 'out', amount: Money, mode: number): Day {
  const { cashIn, cashOut, drawerCash } = drawerOf(day, mode)
  const drawer =
    direction === 'in'
      ? { cashIn: add(cashIn, amount), cashOut, drawerCash: drawerCash + amount }
      : { cashIn, cashOut: add(cashOut, amount), drawerCash: drawerCash - amount }
  return mode === CASH ? { ...day, ...drawer } : { ...day, foreign: drawer }
}

export function addOperatorReceipt(
  totals: OperatorTotals | undefined,
  receipt: FiscalReceipt,
  counts: ReceiptCounts,
): OperatorTotals {
  const old = totals ?? NEW_OPERATOR_TOTALS
  if (receipt.kind === 'reversal') return { ...old, receipts: old.receipts + 1, reversals: (old.reversals ?? 0) + 1 }
  const sold = receipt.rows.filter((row) => !row.void)
  const amount = sold.reduce((total, row) => total + row.amount, 0)
  return {
    ...old,
    sales: add(old.sales ?? ZERO_COUNTED, amount, sold.length),
    receipts: old.receipts + 1,
    total: old.total + receipt.total,
    payments: netByMode(old.payments, receipt.payments),
    ...handedOver(old, receipt.payments),
    discounts: add(old.discounts, counts.discounts.amount, counts.discounts.count),
    ...rowDiscounts(old, counts),
    surcharges: add(old.surcharges, counts.surcharges.amount, counts.surcharges.count),
    voids: add(old.voids, counts.voids.amount, counts.voids.count),
  }
}

export function addOperatorCash(totals: OperatorTotals | undefined, direction: 'in' | 'out', amount: Money) {
  const old = totals ?? NEW_OPERATOR_TOTALS
  return direction === 'in'
    ? { ...old, cashIn: add(old.cashIn, amount) }
    : { ...old, cashOut: add(old.cashOut, amount) }
}

export function addRegister(
  totals: RegisterTotals | undefined,
  kind: FiscalReceipt['kind'],
  amount: Money,
  count: number,
  pieces: number,
): RegisterTotals {
  const old = totals ?? { sales: ZERO_COUNTED, reversals: ZERO_COUNTED }
  const { quantity = 0 } = old
  return kind === 'sale'
    ? { ...old, sales: add(old.sales, amount, count), quantity: quantity + pieces }
    : { ...old, reversals: add(old.reversals, amount, count), quantity: quantity - pieces }
}

function foreignOf(day: Day, { foreignPayment: mode }: DeviceProfile): Pick<ZRecord, 'foreign'> {
  if (mode === undefined || !day.foreign) return {}
  const { cashIn, cashOut, drawerCash } = day.foreign
  return { foreign: { mode, cashIn: cashIn.amount, cashOut: cashOut.amount, drawerCash } }
}

function invoicedOf({ invoiceTaxes = NO_GROUPS }: Day, rates: BookState['registers']['taxRates']) {
  const taxes = invoiceTaxes.map((turnover, index) => includedTax(turnover, rates[index] ?? null))
  return { turnover: sum(invoiceTaxes), tax: taxes.reduce((total, tax) => total + tax, 0) }
}

/**
 * Returns the Z record as it would be written now. Taxes are computed from the sums of the day, not by receipt (sheet A
 * 7, rule 7).
 */
export function closureOf(
  day: Day,
  rates: BookState['registers']['taxRates'],
  profile: DeviceProfile,
  facts: { readonly number: number; readonly document: number; readonly at: string; readonly lastDocument: number },
): ZRecord {
  const taxes = TAX_CODES.slice(0, profile.taxGroups).map((taxCode) => {
    const rate = rates[taxCode - 1] ?? null
    const turnover = day.taxes[taxCode - 1] ?? 0
    const reversal = day.reversals[taxCode - 1] ?? 0
    return {
      taxCode,
      rate,
      turnover,
      tax: includedTax(turnover, rate),
      reversal,
      reversalTax: includedTax(reversal, rate),
    }
  })
  return {
    number: facts.number,
    document: facts.document,
    at: facts.at,
    firstReceipt: day.firstReceipt,
    lastReceipt: day.lastReceipt,
    receiptsCount: day.receipts,
    reversalReceiptsCount: day.reversalReceipts,
    total: day.total,
    taxes,
    ...(profile.rules.simplifiedInvoices && { invoiced: invoicedOf(day, rates) }),
    payments: day.payments,
    discounts: day.discounts,
    surcharges: day.surcharges,
    voids: day.voids,
    cancelled: day.cancelled,
    cashIn: day.cashIn.amount,
    cashOut: day.cashOut.amount,
    drawerCash: day.drawerCash,
    ...foreignOf(day, profile),
    journalDocuments: { first: day.firstDocument, last: day.firstDocument === null ? null : facts.lastDocument },
  }
}
