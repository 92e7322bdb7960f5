import { changeType } from '../../../drivers/family-c/protocol/commands/payment.ts'
import { type FiscalOpeningAsk, printType } from '../../../drivers/family-c/protocol/commands/receipt.ts'
import type { SaleTail } from '../../../drivers/family-c/protocol/commands/sales.ts'
import type { CommandName } from '../../../drivers/family-c/protocol/index.ts'
import { MONEY_MAX, ONE } from '../../../drivers/model/money.ts'
import type { Adjustment, TaxCode } from '../../../drivers/model/receipt.ts'
import { receiptPhase } from '../../fiscal/phase.ts'
import { rowAmount } from '../../fiscal/totals.ts'
import type { CustomerData, FiscalReceipt, OpenFiscal, ReversalReason } from '../../fiscal/types.ts'
import {
  acknowledged, type Context, type Handlers, illegal, notMet, operatorRefusal, type Reply, refusedWith, syntax, taxGroupOf,
  told, tooLarge, values,
} from '../context.ts' // biome-ignore format: one list
import { overflow, paidWith, turnoverWith } from '../overflow.ts'
import { NIBBLES_OF } from '../refusals.ts'
import { duplicateOf } from '../status.ts'
import { parametersOf, paymentCode } from './reading.ts'

/** Receipts: opening 4.5 and 4.7, sales 4.8, subtotal 4.9, text 4.10, payment and closing 4.11, copy and cash 4.12. */

type Receipts = Extract<
  CommandName,
  | 'openNonFiscal' | 'closeNonFiscal' | 'fiscalText' | 'nonFiscalText' | 'openFiscal' | 'openReversal' | 'sale'
  | 'saleByPlu' | 'saleByDepartment' | 'saleOfFraction' | 'subtotal' | 'adjustment' | 'payment' | 'payAndClose'
  | 'closeFiscal' | 'cancelFiscal' | 'duplicate' | 'cashInOut'
> // biome-ignore format: a list

const zeroInput = refusedWith(NIBBLES_OF.zeroRow)
const nothingToCorrect = refusedWith(NIBBLES_OF.nothingToVoid)
const taxConflict = refusedWith(NIBBLES_OF.taxGroupDisabled)

export const openReceipt = ({ device }: Context): FiscalReceipt | undefined =>
  device.receipt?.kind === 'fiscal' ? device.receipt.fiscal : undefined

// ---------------------------------------------------------------- opening

const REASONS: readonly ReversalReason[] = ['operatorError', 'refund', 'taxBaseReduction']

function customerOf({ device }: Context, ask: FiscalOpeningAsk): CustomerData | 'unknown' | undefined {
  if (ask.customerNumber !== undefined) {
    const kept = device.registers.parameter(`customer.${ask.customerNumber}`)
    return kept ? customerData((JSON.parse(kept) as { fields: string[] }).fields) : 'unknown'
  }
  if (ask.customer !== undefined) return customerData(ask.customer)
  // 4.7: the shortest form of an invoice names no customer, and no other command can.
  return printType(ask.print ?? '0').invoice ? { fields: [] } : undefined
}

/** Five fields: company, buyer, VAT number, id, address; seven: VAT number, recipient, four lines, address. */
function customerData(fields: readonly string[]): CustomerData {
  const [first = '', second = '', third = ''] = fields
  const address = fields.at(-1) ?? ''
  return fields.length === 7
    ? { fields, taxNumber: first, name: second, address }
    : { fields, name: first, taxNumber: third, address }
}

function openFiscal(context: Context, ask: FiscalOpeningAsk): Reply<never> {
  const { device } = context
  const refused = operatorRefusal(context, ask.operator, ask.password)
  if (refused) return refused
  const print = ask.print ?? '0'
  const type = printType(print)
  if (type.invoice && device.refusals.invoiceRange()) return notMet
  const customer = customerOf(context, ask)
  if (customer === 'unknown') return syntax
  const reversal = ask.reversal
  if (type.reversal && reversal === undefined) return syntax
  const opening: OpenFiscal = {
    kind: type.reversal ? 'reversal' : 'sale',
    invoice: type.invoice,
    operator: ask.operator,
    pointOfSale: parametersOf(device).pos,
    postponed: type.postponed || type.buffered,
    extra: { print, detailed: ask.detailed || type.invoice ? '1' : '0', vat: ask.vat || type.invoice ? '1' : '0' },
    ...(ask.urn === undefined ? {} : { saleNumber: ask.urn }),
    ...(customer === undefined ? {} : { customer }),
    ...(reversal === undefined
      ? {}
      : {
          reason: REASONS[reversal.reason] ?? 'operatorError',
          original: {
            document: Number(reversal.related) || 0,
            at: reversal.at,
            fiscalMemoryNumber: reversal.memory,
            ...(reversal.invoice === undefined ? {} : { invoice: reversal.invoice }),
          },
        }),
  }
  return told(device.openFiscal(opening))
}

// ---------------------------------------------------------------- sales

function adjustmentOf({ percent, value }: Pick<SaleTail, 'percent' | 'value'>): Adjustment | undefined {
  const kind = (amount: number) => (amount < 0 ? 'discount' : 'surcharge')
  if (percent !== undefined && percent !== 0) return { kind: kind(percent), percent: Math.abs(percent) }
  if (value !== undefined && value !== 0) return { kind: kind(value), amount: Math.abs(value) }
  return undefined
}

/** What the receipt in hand would bring into the registers with so much more. */
function receiptOverflow(context: Context, more: number): Reply<never> | undefined {
  const receipt = openReceipt(context)
  return receipt && overflow(context, turnoverWith(context.device, receipt) + more)
}

interface Row extends SaleTail {
  readonly name: string
  readonly price: number
  readonly void: boolean
}

function sell(context: Context, ask: Row, taxCode: TaxCode | undefined, department: number): Reply<never> {
  if (taxCode === undefined) return taxConflict
  const adjustment = adjustmentOf(ask)
  if (ask.void && adjustment) return syntax
  const quantity = ask.quantity ?? ONE
  if (ask.price > MONEY_MAX) return tooLarge
  if (ask.price === 0 || quantity === 0) return zeroInput
  const amount = rowAmount(ask.price, quantity)
  if (ask.void && department > 0 && soldIn(context, department) < amount) return nothingToCorrect
  const full = receiptOverflow(context, ask.void ? 0 : amount)
  if (full) return full
  const sold = context.device.sell({
    ...nameAndUnit(context, ask.name),
    taxCode,
    price: ask.price,
    quantity,
    department,
    void: ask.void,
    ...(adjustment ? { adjustment } : {}),
  })
  return told(sold)
}

/**
 * `|` breaks the line on paper. c6 prints 34 of the 36 symbols; in cr the name has 30, and behind 60h stands the unit
 * in three (sheet 4.8).
 */
function nameAndUnit({ dialect }: Context, raw: string): { readonly name: string; readonly unit?: string } {
  const name = (dialect.name === 'c6' ? raw.slice(0, 34) : raw).trimEnd().replaceAll('|', '\n')
  const match = dialect.saleUnit ? /^([\s\S]{30})`(.{1,3})/.exec(name) : null
  return match ? { name: (match[1] ?? '').trimEnd(), unit: (match[2] ?? '').trim() } : { name }
}

/** What the open receipt holds of a department: a correction needs enough there (sheet 4.8). */
const soldIn = (context: Context, department: number): number =>
  (openReceipt(context)?.rows ?? [])
    .filter((row) => row.department === department)
    .reduce((total, row) => total + row.amount, 0)

/** 4.8: out of the last 120 PLU sales of this receipt. */
const REMEMBERED_SALES = 120
function pluLeft(context: Context, plu: number): number {
  const rows = (openReceipt(context)?.rows ?? []).filter((row) => row.plu > 0).slice(-REMEMBERED_SALES)
  return rows
    .filter((row) => row.plu === plu)
    .reduce((left, row) => left + (row.void ? -row.quantity : row.quantity), 0)
}

/** A class letter, a blank for the department's class, `*` for none. */
function classOf(context: Context, letter: string, department: number): TaxCode | undefined | 'syntax' {
  if (letter === '*') return undefined
  if (letter === ' ') return context.device.registers.department(department).taxCode
  return taxGroupOf(letter, context) ?? 'syntax'
}

// ---------------------------------------------------------------- payment

/**
 * The PaymentMode of a payment type. c4 has five; clients of newer firmware send its twelve numbers, which are the
 * kinds that c4's payments carry as codes (64h), and 11 for currency.
 */
function modeOf({ device, dialect }: Context, type: number): number | undefined {
  if (type < dialect.payments) return type
  if (type === 11) return dialect.payments - 1
  for (let mode = 0; mode < dialect.payments; mode++) if (paymentCode(device, mode) === type) return mode
  return undefined
}

function paymentOverflow(context: Context, mode: number, amount?: number): Reply<never> | undefined {
  const { device } = context
  const receipt = openReceipt(context)
  if (!receipt || receipt.kind === 'reversal') return receiptOverflow(context, 0)
  const sums = paidWith(device, receipt, mode, amount ?? receipt.rest)
  return overflow(context, turnoverWith(device, receipt), ...sums)
}

function finish(context: Context): Reply<never> {
  const { device } = context
  const phase = receiptPhase(device)
  if (phase === 'selling' || phase === 'paying') {
    const full = paymentOverflow(context, 0)
    if (full) return full
    const paid = device.pay({ mode: 0 })
    if (!paid.ok) return told(paid)
  }
  return told(device.closeFiscal())
}

export function closeNonFiscal({ device, wire }: Context): Reply<never> {
  wire.postponedNonFiscal = false
  const closed = device.closeNonFiscal()
  // 73h of c6 tells what kind the last receipt was.
  if (closed.ok) device.registers.setParameter('lastNonFiscal', String(closed.value.document))
  return told(closed)
}

/** 39h: voids and closes; once payment has begun it pays the rest and closes instead (sheet 4.11). */
export const cancelReceipt = (context: Context): Reply<never> =>
  receiptPhase(context.device) === 'selling' ? told(context.device.cancelFiscal()) : finish(context)

/** What fits between the `#` at both ends of a line, and at most what the dialect takes. */
const text = ({ device, dialect }: Context, line: string): Reply<never> => {
  const width = Math.min(dialect.textLimit, device.profile.lineWidth - 2)
  return told(device.printText({ text: (line === '' ? ' ' : line).trimEnd().slice(0, width) || ' ' }))
}

export const receiptHandlers: Handlers<Receipts> = {
  openNonFiscal(context, ask) {
    const refused = operatorRefusal(context, ask.operator, ask.password)
    if (refused) return refused
    const opened = context.device.openNonFiscal({ operator: ask.operator, postponed: ask.print === '1' })
    if (opened.ok) context.wire.postponedNonFiscal = ask.print === '1'
    return told(opened)
  },
  closeNonFiscal: (context) => closeNonFiscal(context),
  fiscalText: (context, ask) => freeText(context, ask.text),
  nonFiscalText: (context, ask) => freeText(context, ask.text),
  openFiscal,
  openReversal: openFiscal,
  sale(context, ask) {
    const department = ask.department ?? 0
    const taxCode = classOf(context, ask.tax, department)
    return taxCode === 'syntax' ? syntax : sell(context, ask, taxCode, department)
  },
  saleOfFraction(context, ask) {
    const taxCode = classOf(context, ask.tax, ask.department ?? 0)
    return taxCode === 'syntax' ? syntax : sell(context, ask, taxCode, ask.department ?? 0)
  },
  saleByDepartment(context, ask) {
    const programmed = context.device.registers.department(ask.department).taxCode
    if (ask.tax !== undefined) {
      const asked = classOf(context, ask.tax, ask.department)
      if (asked === 'syntax') return syntax
      if (asked !== programmed) return taxConflict
    }
    return sell(context, ask, programmed, ask.department)
  },
  saleByPlu(context, ask) {
    const { device } = context
    const article = device.articles.get(ask.plu)
    if (!article) return syntax
    const adjustment = adjustmentOf(ask)
    if (ask.void && adjustment) return syntax
    const quantity = ask.quantity ?? ONE
    if (quantity === 0) return zeroInput
    const { department } = article
    if (department > 0 && device.registers.department(department).taxCode !== article.taxCode) return taxConflict
    if (ask.void && pluLeft(context, ask.plu) < quantity) return nothingToCorrect
    const full = receiptOverflow(context, ask.void ? 0 : rowAmount(ask.price ?? article.price, quantity))
    if (full) return full
    const sold = device.sellArticle({
      plu: ask.plu,
      quantity,
      void: ask.void,
      ...(ask.price === undefined ? {} : { price: ask.price }),
      ...(adjustment ? { adjustment } : {}),
    })
    return told(sold)
  },
  subtotal({ device }, { print, display, ...change }) {
    const adjustment = adjustmentOf(change)
    const result = device.subtotal({
      print: print || adjustment !== undefined,
      display,
      ...(adjustment ? { adjustment } : {}),
    })
    // The answer is the amount before the discount (sheet 4.9).
    return result.ok ? values({ amount: result.value.before }) : told(result)
  },
  adjustment({ device }, { display, ...change }) {
    const adjustment = adjustmentOf(change)
    if (!adjustment) return zeroInput
    return told(device.subtotal({ print: true, display, adjustment }))
  },
  payment(context, ask) {
    const { device } = context
    if (ask.amount === 'void') return receiptPhase(device) === 'selling' ? acknowledged : told(device.voidPayments())
    const mode = modeOf(context, ask.type)
    if (mode === undefined) return syntax
    const receipt = openReceipt(context)
    if (ask.amount === 0 && (receipt?.total ?? 0) > 0) return zeroInput
    if (ask.amount === 'exact') return paymentOverflow(context, mode) ?? told(device.pay({ mode }))
    // 4.11: without change the operator owes the whole sum, so what is above the rest is not given back.
    const rest = receipt?.rest ?? 0
    const amount = !ask.change && mode !== 0 && ask.amount > rest ? rest : ask.amount
    const full = paymentOverflow(context, mode, amount)
    if (full) return full
    const change = [0, mode, context.dialect.payments - 1][changeType(ask.tail)] ?? 0
    return told(device.pay({ mode, amount, ...(change === 0 ? {} : { changeMode: change }) }))
  },
  payAndClose: (context) => finish(context),
  closeFiscal: (context) =>
    receiptPhase(context.device) === 'nonFiscal' ? closeNonFiscal(context) : told(context.device.closeFiscal()),
  cancelFiscal: (context) => cancelReceipt(context),
  duplicate({ device, quirks }) {
    const enabled = (device.registers.parameter('duplicates') ?? quirks.duplicates) === 'on'
    if (!enabled || duplicateOf(device) !== 'open') return notMet
    const copied = device.copyLastReceipt()
    if (!copied.ok) return told(copied)
    device.registers.setParameter('duplicateOf', String(device.counters.lastReceipt))
    return acknowledged
  },
  cashInOut(context, ask) {
    const { device, dialect } = context
    const refused = operatorRefusal(context, ask.operator, ask.password)
    if (refused) return refused
    const mode = modeOf(context, ask.type)
    if (mode === undefined || (dialect.name === 'c6' && mode !== 0)) return syntax
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
    return told(moved)
  },
}

/** 37h; outside of a receipt only where a switch allows it (sheet 4.10). */
function freeText(context: Context, line: string): Reply<never> {
  if (context.device.receipt) return text(context, line)
  if (context.quirks.idleText === 'refused') return illegal
  return told(context.device.printReport('service', [{ text: line }]))
}
