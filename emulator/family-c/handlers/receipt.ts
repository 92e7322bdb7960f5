/** Receipts: opening (sheet 4.5 and 4.7), subtotal (4.9), payment and closing (4.11), copy and cash (4.12). */
import { changeType } from '../../../drivers/family-c/protocol/commands/payment.ts'
import { type FiscalOpeningAsk, printType } from '../../../drivers/family-c/protocol/commands/receipt.ts'
import { MONEY_MAX } from '../../../drivers/model/money.ts'
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import { showPayment } from '../../fiscal/customer-display.ts'
import { receiptPhase } from '../../fiscal/receipt-phase.ts'
import type { CustomerData, OpenFiscal, PaymentIntent, ReversalReason } from '../../fiscal/types/receipt.ts'
import {
  CONDITIONS_REFUSAL,
  type Context,
  done,
  from,
  type Handlers,
  openReceipt,
  operatorRefusal,
  type Reply,
  showsByItself,
  syntax,
  tooLarge,
} from '../context.ts'
import { overflow, paidWith, turnoverWith } from '../register-overflow.ts'
import { duplicateOf } from '../status.ts'
import { paymentCode } from './queries.ts'
import { adjustmentOf, receiptOverflow, zeroInput } from './sale.ts'
import { closeNonFiscal } from './text.ts'

const REVERSAL_REASONS: readonly ReversalReason[] = ['operatorError', 'refund', 'taxBaseReduction']

function customerOf({ session }: Context, ask: FiscalOpeningAsk): CustomerData | 'unknown' | undefined {
  if (ask.customerNumber !== undefined) {
    const customer = session.customers.get(ask.customerNumber)
    return customer ? customerData(customer.fields) : 'unknown'
  }
  if (ask.customer !== undefined) return customerData(ask.customer)
  // Sheet 4.7: the shortest form of an invoice contains no customer, and no other command sets one.
  return printType(ask.print ?? '0').invoice ? { fields: [] } : undefined
}

/**
 * Five fields are company, buyer, VAT number, id and address. Seven fields are VAT number, recipient, four lines and
 * address.
 */
function customerData(fields: readonly string[]): CustomerData {
  const [first = '', second = '', third = ''] = fields
  const address = fields.at(-1) ?? ''
  return fields.length === 7
    ? { fields, taxNumber: first, name: second, address }
    : { fields, name: first, taxNumber: third, address }
}

function openFiscal(context: Context, ask: FiscalOpeningAsk): Reply<undefined> {
  const { device } = context
  const wrong = operatorRefusal(context, ask.operator, ask.password)
  if (wrong) return wrong
  const print = ask.print ?? '0'
  const type = printType(print)
  if (type.invoice && device.refusals.invoiceRange()) return CONDITIONS_REFUSAL
  const customer = customerOf(context, ask)
  if (customer === 'unknown') return syntax
  const reversal = ask.reversal
  if (type.reversal && reversal === undefined) return syntax
  const opening: OpenFiscal = {
    kind: type.reversal ? 'reversal' : 'sale',
    invoice: type.invoice,
    operator: ask.operator,
    pointOfSale: context.session.persistentCells.parameters.pos,
    postponed: type.postponed || type.buffered,
    extra: { print, detailed: ask.detailed || type.invoice ? '1' : '0', vat: ask.vat || type.invoice ? '1' : '0' },
    ...omitUndefined({ saleNumber: ask.urn, customer }),
    ...(reversal === undefined
      ? {}
      : {
          reason: REVERSAL_REASONS[reversal.reason] ?? 'operatorError',
          original: {
            document: Number(reversal.related) || 0,
            at: reversal.at,
            fiscalMemoryNumber: reversal.memory,
            ...(reversal.invoice === undefined ? {} : { invoice: reversal.invoice }),
          },
        }),
  }
  return from(device.openFiscal(opening))
}

/**
 * Returns the payment mode for a payment type. c4 has five types, but clients for newer firmware number twelve: such a
 * number is the code of a payment in c4 (64h), or 11 for foreign currency.
 */
function modeOf(context: Context, type: number): number | undefined {
  const { edition } = context
  if (type < edition.payments) return type
  if (type === 11) return edition.payments - 1
  for (let mode = 0; mode < edition.payments; mode++) if (paymentCode(context, mode) === type) return mode
  return undefined
}

function paymentOverflow(context: Context, mode: number, amount?: number): Reply<undefined> | undefined {
  const { device } = context
  const receipt = openReceipt(context)
  if (!receipt || receipt.kind === 'reversal') return receiptOverflow(context, 0)
  const sums = paidWith(device, receipt, mode, amount ?? receipt.rest)
  return overflow(context, turnoverWith(device, receipt), ...sums)
}

function paid(context: Context, payment: PaymentIntent): Reply<undefined> {
  const outcome = context.device.pay(payment)
  if (showsByItself(context)) showPayment(context.device, outcome)
  return from(outcome)
}

function finish(context: Context): Reply<undefined> {
  const { device } = context
  const phase = receiptPhase(device)
  if (phase === 'selling' || phase === 'paying') {
    const full = paymentOverflow(context, 0)
    if (full) return full
    const paid = device.pay({ mode: 0 })
    if (!paid.ok) return from(paid)
  }
  return from(device.closeFiscal())
}

/**
 * Voids and closes the receipt (39h). After the first payment, pays the remaining amount and closes it instead (sheet
 * 4.11).
 */
export const cancelReceipt = (context: Context): Reply<undefined> =>
  receiptPhase(context.device) === 'selling' ? from(context.device.cancelFiscal()) : finish(context)

export const receipt = {
  openFiscal,
  openReversal: openFiscal,
  subtotal({ device }, { print, display, ...change }) {
    const adjustment = adjustmentOf(change)
    const result = device.subtotal({
      print: print || adjustment !== undefined,
      display,
      ...(adjustment ? { adjustment } : {}),
    })
    // The answer contains the amount before the adjustment (sheet 4.9).
    return result.ok ? done({ amount: result.value.before }) : from(result)
  },
  adjustment({ device }, { display, ...change }) {
    const adjustment = adjustmentOf(change)
    if (!adjustment) return zeroInput
    return from(device.subtotal({ print: true, display, adjustment }))
  },
  payment(context, ask) {
    const { device } = context
    if (ask.amount === 'void') return receiptPhase(device) === 'selling' ? done() : from(device.voidPayments())
    const mode = modeOf(context, ask.type)
    if (mode === undefined) return syntax
    const receipt = openReceipt(context)
    if (ask.amount === 0 && (receipt?.total ?? 0) > 0) return zeroInput
    if (ask.amount === 'exact') return paymentOverflow(context, mode) ?? paid(context, { mode })
    // Sheet 4.11: if the request asks for no change, a payment other than cash counts up to the remaining amount only.
    const rest = receipt?.rest ?? 0
    const amount = !ask.change && mode !== 0 && ask.amount > rest ? rest : ask.amount
    const full = paymentOverflow(context, mode, amount)
    if (full) return full
    const change = [0, mode, context.edition.payments - 1][changeType(ask.tail)] ?? 0
    return paid(context, { mode, amount, ...(change === 0 ? {} : { changeMode: change }) })
  },
  payAndClose: (context) => finish(context),
  closeFiscal: (context) =>
    receiptPhase(context.device) === 'nonFiscal' ? closeNonFiscal(context) : from(context.device.closeFiscal()),
  cancelFiscal: (context) => cancelReceipt(context),
  duplicate(context) {
    const { device, session, switches } = context
    if (switches.duplicates === 'off' || duplicateOf(context) !== 'open') return CONDITIONS_REFUSAL
    const copied = device.copyLastReceipt()
    if (!copied.ok) return from(copied)
    session.persistentCells.duplicateOf = device.counters.lastReceipt
    return done()
  },
  cashInOut(context, ask) {
    const { device, edition } = context
    const wrong = operatorRefusal(context, ask.operator, ask.password)
    if (wrong) return wrong
    const mode = modeOf(context, ask.type)
    if (mode === undefined || (edition.name === 'c6' && mode !== 0)) return syntax
    if (ask.amount === 0) return zeroInput
    const { day } = device
    const moves = ask.amount < 0 ? day.cashOut : day.cashIn
    if (Math.abs(ask.amount) > MONEY_MAX) return tooLarge
    const full = overflow(context, day.drawerCash + ask.amount, moves.amount + Math.abs(ask.amount))
    if (full) return full
    const moved = device.cashInOut({
      direction: ask.amount < 0 ? 'out' : 'in',
      amount: Math.abs(ask.amount),
      mode,
      operator: ask.operator,
      ...(ask.text === undefined ? {} : { text: [ask.text] }),
    })
    return from(moved)
  },
} satisfies Partial<Handlers>
