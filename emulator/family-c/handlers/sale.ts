/** Sales and corrections (sheet 4.8), and the adjustments that sales and subtotals have in common. */
import type { SaleTail } from '../../../drivers/family-c/protocol/commands/sales.ts'
import { MONEY_MAX, ONE } from '../../../drivers/model/money.ts'
import type { Adjustment, TaxCode } from '../../../drivers/model/receipt.ts'
import { showSale } from '../../fiscal/customer-display.ts'
import { rowAmount } from '../../fiscal/rounding.ts'
import type { Refusal } from '../../fiscal/types/outcome.ts'
import {
  type Context,
  from,
  type Handlers,
  openReceipt,
  type Reply,
  refused,
  showsByItself,
  syntax,
  taxGroupOf,
  tooLarge,
} from '../context.ts'
import { REASONS } from '../refusals.ts'
import { overflow, turnoverWith } from '../register-overflow.ts'

export const zeroInput = refused(REASONS.zeroRow)
const nothingToCorrect = refused(REASONS.nothingToVoid)
const taxConflict = refused(REASONS.taxGroupDisabled)

export function adjustmentOf({ percent, value }: Pick<SaleTail, 'percent' | 'value'>): Adjustment | undefined {
  const kind = (amount: number) => (amount < 0 ? 'discount' : 'surcharge')
  if (percent !== undefined && percent !== 0) return { kind: kind(percent), percent: Math.abs(percent) }
  if (value !== undefined && value !== 0) return { kind: kind(value), amount: Math.abs(value) }
  return undefined
}

/** Returns a refusal if `amount`, added to the open receipt, would overflow the registers. */
export function receiptOverflow(context: Context, amount: number): Reply<undefined> | undefined {
  const receipt = openReceipt(context)
  return receipt && overflow(context, turnoverWith(context.device, receipt) + amount)
}

interface Row extends SaleTail {
  readonly name: string
  readonly price: number
  readonly void: boolean
}

function sell(context: Context, ask: Row, taxCode: TaxCode | undefined, department: number): Reply<undefined> {
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
  const outcome = context.device.sell({
    ...nameAndUnit(context, ask.name),
    taxCode,
    price: ask.price,
    quantity,
    department,
    void: ask.void,
    ...(adjustment ? { adjustment } : {}),
  })
  if (showsByItself(context)) showSale(context.device, outcome)
  return from(outcome)
}

/**
 * c6 prints 34 of the 36 symbols. In cr, the name has 30 symbols, followed by 60h and a unit of up to three (sheet
 * 4.8).
 */
function nameAndUnit({ edition }: Context, raw: string): { readonly name: string; readonly unit?: string } {
  const name = (edition.name === 'c6' ? raw.slice(0, 34) : raw).trimEnd()
  const match = edition.saleUnit ? /^([\s\S]{30})`(.{1,3})/.exec(name) : null
  return match ? { name: (match[1] ?? '').trimEnd(), unit: (match[2] ?? '').trim() } : { name }
}

/** Returns the amount of a department in the receipt, which a correction must not exceed (sheet 4.8). */
const soldIn = (context: Context, department: number): number =>
  (openReceipt(context)?.rows ?? [])
    .filter((row) => row.department === department)
    .reduce((total, row) => total + row.amount, 0)

/** A correction considers only this number of the receipt's last sales by PLU (sheet 4.8). */
const REMEMBERED_SALES = 120
function pluLeft(context: Context, plu: number): number {
  const rows = (openReceipt(context)?.rows ?? []).filter((row) => row.plu > 0).slice(-REMEMBERED_SALES)
  return rows.filter((row) => row.plu === plu).reduce((sum, row) => sum + (row.void ? -row.quantity : row.quantity), 0)
}

/** Returns the tax group for a class letter: a blank is the department's class, `*` is none. */
function classOf(context: Context, letter: string, department: number): TaxCode | undefined | 'syntax' {
  if (letter === '*') return undefined
  if (letter === ' ') return context.device.registers.department(department).taxCode
  return taxGroupOf(letter, context) ?? 'syntax'
}

export const sale = {
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
      const taxCode = classOf(context, ask.tax, ask.department)
      if (taxCode === 'syntax') return syntax
      if (taxCode !== programmed) return taxConflict
    }
    return sell(context, ask, programmed, ask.department)
  },
  saleByPlu(context, ask) {
    const { device } = context
    const article = device.articles.get(ask.plu)
    const noted = <Reason>(refusal: Refusal, reason: Reason): Reason => {
      const sale = { plu: ask.plu, quantity: ask.quantity ?? ONE, void: ask.void }
      device.noteRefused({ ask: 'article', sale }, refusal)
      return reason
    }
    if (!article) return noted('articleUnknown', syntax)
    const adjustment = adjustmentOf(ask)
    if (ask.void && adjustment) return syntax
    const quantity = ask.quantity ?? ONE
    if (quantity === 0) return noted('zeroRow', zeroInput)
    const { department } = article
    if (department > 0 && device.registers.department(department).taxCode !== article.taxCode) return taxConflict
    if (ask.void && pluLeft(context, ask.plu) < quantity) return noted('nothingToVoid', nothingToCorrect)
    const full = receiptOverflow(context, ask.void ? 0 : rowAmount(ask.price ?? article.price, quantity))
    if (full) return noted('receiptTooLarge', full)
    const outcome = device.sellArticle({
      plu: ask.plu,
      quantity,
      void: ask.void,
      ...(ask.price === undefined ? {} : { price: ask.price }),
      ...(adjustment ? { adjustment } : {}),
    })
    if (showsByItself(context)) showSale(device, outcome)
    return from(outcome)
  },
} satisfies Partial<Handlers>
