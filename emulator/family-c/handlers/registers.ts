/** Registers of the day and of receipts (sheet 4.14). */
import { printType } from '../../../drivers/family-c/protocol/commands/receipt.ts'
import type { CountAndSum, Registers } from '../../../drivers/family-c/protocol/commands/registers.ts'
import { sha1 } from '../../../drivers/host/digest.ts'
import { formatMoney } from '../../../drivers/model/money.ts'
import { onHand } from '../../fiscal/day.ts'
import { NO_GROUPS } from '../../fiscal/totals.ts'
import type { FiscalReceipt } from '../../fiscal/types/receipt.ts'
import type { CountedAmount, OperatorTotals } from '../../fiscal/types/registers.ts'
import { CONDITIONS_REFUSAL, type Context, done, type Handlers, openReceipt, refused, syntax } from '../context.ts'
import { REASONS } from '../refusals.ts'

/** Payment types of this wire protocol have the same numbers as payment modes. */
const byPayment = ({ edition }: Context, amounts: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: edition.payments }, (_, mode) => amounts[mode] ?? 0)

const sum = ({ count, amount }: CountedAmount): CountAndSum => ({ count, sum: amount })

function dayRegisters(context: Context, option: Registers['option']): Registers {
  const { device, edition, switches } = context
  const { day, memory } = device
  switch (option) {
    case '0': {
      const reversalsOnHand = (mode: number) =>
        switches.stornoOnHand === 'keeps' ? (day.reversalPayments[mode] ?? 0) : 0
      const onHandIn = (_: unknown, mode: number) => onHand(day, mode) + reversalsOnHand(mode)
      return { option, payments: Array.from({ length: edition.payments }, onHandIn) }
    }
    case '1':
      return {
        option,
        customers: day.receipts,
        discounts: sum(day.discounts),
        surcharges: sum(day.surcharges),
        corrections: sum(day.voids),
      }
    case '2':
      return { option, payments: byPayment(context, { 0: day.cashIn.amount }), ...sum(day.cashIn) }
    case '3':
      return { option, payments: byPayment(context, { 0: day.cashOut.amount }), ...sum(day.cashOut) }
    case '4':
      return { option, payments: byPayment(context, day.tendered) }
    case '5': {
      const at = memory.lastRecordAt
      const counters = { reports: device.counters.lastZ, lastBlock: memory.used, journal: 1 }
      return at === undefined ? { option, ...counters } : { option, ...counters, at }
    }
    case '6':
      return { option, payments: byPayment(context, day.change) }
    case '7': {
      const { turnover, tax, reversal, reversalTax } = memory.grand
      const sums = { option, turnover, vat: tax }
      return edition.name === 'c6' ? { ...sums, reversalTurnover: reversal, reversalVat: reversalTax } : sums
    }
    case '9':
      return {
        option,
        signature: memory.lastZ ? sha1(JSON.stringify(memory.lastZ)) : '',
      }
  }
}

function operatorRegisters(
  context: Context,
  option: '1' | '2' | '3' | '4' | '5' | '6',
  totals: OperatorTotals,
): Registers {
  switch (option) {
    case '1':
      return {
        option,
        customers: totals.receipts,
        discounts: sum(totals.discounts),
        surcharges: sum(totals.surcharges),
        corrections: sum(totals.voids),
      }
    case '2':
      return { option, payments: byPayment(context, { 0: totals.cashIn.amount }), ...sum(totals.cashIn) }
    case '3':
      return { option, payments: byPayment(context, { 0: totals.cashOut.amount }), ...sum(totals.cashOut) }
    case '4':
      return { option, payments: byPayment(context, totals.tendered ?? {}) }
    case '5': {
      const mark = context.session.reports.get('operators')
      const counters = { option, reports: mark.number, lastBlock: context.device.memory.used, journal: 1 }
      return mark.at === undefined ? counters : { ...counters, at: mark.at }
    }
    case '6':
      return { option, payments: byPayment(context, totals.change ?? {}) }
  }
}

/** Returns the type in 72h: 0 receipt, 1 invoice; in c6 also 2 and 3 postponed, 4 to 7 reversal and credit note. */
function receiptType({ edition }: Context, receipt: FiscalReceipt | undefined): number {
  if (!receipt) return 0
  const invoice = receipt.invoice ? 1 : 0
  if (edition.name !== 'c6') return invoice
  const postponed = printType(receipt.extra?.print ?? '0').postponed ? 2 : 0
  return invoice + postponed + (receipt.kind === 'reversal' ? 4 : 0)
}

/** Returns the type of change in 72h: 0 cash, 1 the mode of the payment, 2 currency (sheet 4.11 and 4.14). */
function changeTypeOf(
  { edition }: Context,
  payment: { readonly mode: number; readonly changeMode?: number } | undefined,
): number {
  const changeMode = payment?.changeMode ?? 0
  if (changeMode === 0) return 0
  return changeMode === edition.payments - 1 ? 2 : 1
}

/** Returns the type in 73h: 0 sale, 1 invoice, 2 non-fiscal, 4 reversal, 5 credit note. */
function lastTypeOf({ device: { lastFiscal }, session }: Context): number {
  if (session.persistentCells.lastNonFiscal > (lastFiscal?.document ?? 0)) return 2
  return (lastFiscal?.invoice ? 1 : 0) + (lastFiscal?.reversal ? 4 : 0)
}

export const registers = {
  daySums({ device: { day }, edition }) {
    const classAmounts = (amounts: readonly number[]) => amounts.slice(0, edition.taxClasses)
    const total = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)
    const sums = { turnover: classAmounts(day.taxes), total: total(day.taxes) }
    return done(
      edition.name === 'c6'
        ? { ...sums, reversals: classAmounts(day.reversals), reversalTotal: total(day.reversals) }
        : sums,
    )
  },
  dayRegisters(context, { option }) {
    if (option !== ':') return done(dayRegisters(context, option))
    const { device } = context
    if (!device.display.attached) return refused(REASONS.noDisplay)
    device.display.show(1, 'TURNOVER')
    device.display.show(2, formatMoney(device.day.total).padStart(device.profile.displayWidth))
    return done()
  },
  operatorRegisters: (context, { option, operator }) =>
    done({ ...operatorRegisters(context, option, context.device.registers.operatorTotals(operator)), operator }),
  lastDocument: ({ device }) => done({ document: device.counters.lastDocument }),
  transactionStatus(context) {
    const { device, edition, session } = context
    const receipt = openReceipt(context)
    const started = (receipt?.payments.length ?? 0) > 0
    return done({
      open: receipt !== undefined,
      sales: Math.min(receipt?.items ?? 0, 999),
      turnover: (receipt?.groups ?? NO_GROUPS).slice(0, edition.taxClasses),
      voidForbidden: false,
      vatPrinted: receipt?.extra?.vat === '1',
      detailed: receipt?.extra?.detailed === '1',
      payStarted: started,
      payFinished: started && receipt?.rest === 0,
      powerDown: session.powerCut,
      type: receiptType(context, receipt),
      change: receipt ? receipt.change : (device.lastFiscal?.change ?? 0),
      changeType: changeTypeOf(context, (receipt ?? device.lastFiscal)?.payments.at(-1)),
      ...(edition.name === 'c6' ? { current: device.counters.lastDocument } : {}),
    })
  },
  receiptPayments(context) {
    const receipt = openReceipt(context)
    const paid: Record<number, number> = {}
    for (const { mode, tendered } of receipt?.payments ?? []) paid[mode] = (paid[mode] ?? 0) + tendered
    if (!receipt)
      for (const { mode, amount } of context.device.lastFiscal?.payments ?? []) paid[mode] = (paid[mode] ?? 0) + amount
    return done({ open: receipt !== undefined, payments: byPayment(context, paid) })
  },
  receiptCode({ device }, { document }) {
    const memory = device.numbers.fiscalMemoryNumber
    if (document === undefined) {
      const last = device.lastFiscal
      if (!last) return CONDITIONS_REFUSAL
      const amount = last.cancelled ? 0 : last.total
      return done({ memory, document: last.document, at: device.localTime(last.closedAt), amount })
    }
    const receipt = device.journal.receipt?.(document)
    if (!receipt) return syntax
    const [entry] = device.journal.documents({ from: document, to: document })
    const amount = entry?.kind === 'cancelled' ? 0 : receipt.total
    return done({ memory, document, at: entry?.at ?? device.localTime(receipt.openedAt), amount })
  },
  lastZ(context) {
    const { device, edition } = context
    const { counters, memory } = device
    const last = memory.lastZ
    return done({
      ...(last ? { day: last.at.slice(0, 10) } : {}),
      number: counters.lastZ,
      ramResets: counters.ramResets,
      ...(edition.name === 'c6'
        ? {
            receipts: counters.lastDocument,
            journal: 1,
            lastType: lastTypeOf(context),
            ...(counters.lastReceiptAt === null ? {} : { lastReceiptAt: device.localTime(counters.lastReceiptAt) }),
          }
        : {}),
    })
  },
} satisfies Partial<Handlers>
