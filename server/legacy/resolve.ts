/**
 * Phase (c): converts the job to the terms of the connected device before a receipt is opened (legacy formats 1.4, 4,
 * and the codes 402 and 403 of 6). Only queries the device: its tax rates if a line has a percentage, and prices of
 * configured articles.
 */

import { adjustmentOf, rowAmount } from '../../drivers/model/amounts.ts'
import type { Capabilities } from '../../drivers/model/capabilities.ts'
import { checkDigit } from '../../drivers/model/check-digit.ts'
import { escapeControl } from '../../drivers/model/escape-control.ts'
import { formatShort, type Money } from '../../drivers/model/money.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Adjustment, ArticleSale, Barcode, TaxCode, TextLine } from '../../drivers/model/receipt.ts'
import type { ServiceFacts } from '../endpoint.ts'
import { passwordViolations, paymentViolations, saleViolations } from '../limits.ts'
import { CASH } from '../operations/payments.ts'
import type { FiscalItem, FiscalReceipt, NonFiscalItem, ReceiptPayment } from '../receipt.ts'
import { ArticleRows } from './article-rows.ts'
import type { LegacyItem, LegacyJob, LegacyOpening, LegacyTax, ReceiptStep, ServiceCall, VoidedSale } from './job.ts'
import { fail } from './problem.ts'
import { Subtotals } from './subtotals.ts'

interface LegacyArticle {
  readonly name?: string
  readonly taxCode?: number
  readonly plu: number
}

export interface LegacySettings {
  readonly plu: readonly LegacyArticle[]
}

/** Allowed rounding difference of a percentage on the subtotal, if the last payment is the whole remaining amount. */
const ROUNDING: Money = 4

type PrintedStep = Extract<ReceiptStep, { do: 'text' | 'barcode' }>
type SaleStep = Extract<ReceiptStep, { do: 'sale' }>

interface ReceiptState {
  readonly subtotals: Subtotals
  readonly rows: ArticleRows
}

type FiscalJob = Extract<LegacyJob, { kind: 'fiscal' }>

export function createResolver(printer: FiscalPrinter, settings: LegacySettings, facts: ServiceFacts) {
  let rates: ReadonlyMap<TaxCode, number> | undefined
  const articles = createArticles(printer, settings)

  async function receipt(job: FiscalJob): Promise<FiscalReceipt> {
    const items: FiscalItem[] = []
    const payments: ReceiptPayment[] = []
    let texts: TextLine[] = []
    const filling = { subtotals: new Subtotals(paysAll(job)), rows: new ArticleRows() }
    for (const [index, step] of job.steps.entries()) {
      if (step.do === 'payment') {
        payments.push({ ...payment(step, printer.capabilities), ...(texts.length > 0 && { textsBefore: texts }) })
        texts = []
      } else if (step.do === 'text' && payments.length > 0) texts.push({ text: step.text })
      else items.push(...(await item(step, index, filling)))
    }
    checkPayments(payments.length, printer.capabilities)
    // The protocol variant is known only after the connection. The field for the tax number and the default password
    // depend on it.
    if (job.customerTaxId !== undefined) await printer.connect()
    if (job.customerTaxId !== undefined && !job.opening?.invoice && !printer.capabilities.buyerNumberOnReceipt) {
      items.unshift({ is: 'text', line: { text: `CIF: ${job.customerTaxId}` } })
    }
    return {
      ...opening(job, facts, printer.capabilities),
      items,
      payments,
      cancelled: job.cancelled,
      ...(!job.cancelled && { expectedTotal: { amount: job.total, tolerance: toleranceOf(job) } }),
    }
  }

  async function item(
    step: Exclude<ReceiptStep, { do: 'payment' }>,
    index: number,
    filling: ReceiptState,
  ): Promise<readonly FiscalItem[]> {
    switch (step.do) {
      case 'text':
        return [{ is: 'text', line: { text: step.text } }]
      case 'barcode':
        return [{ is: 'barcode', barcode: barcode(printer.capabilities, step.type, step.data) }]
      case 'subtotal': {
        const adjustment = step.adjustment && (await onSubtotal(step.adjustment, filling))
        return [{ is: 'subtotal', subtotal: { print: true, display: false, ...withAdjustment(adjustment) } }]
      }
      case 'sale':
        return sale(step, index, filling)
    }
  }

  /** The limits depend on the firmware, which is known only after the connection. */
  async function onSubtotal(adjustment: Adjustment, { subtotals }: ReceiptState): Promise<Adjustment | undefined> {
    const { adjustment: adjusts } = withAdjustment(adjustment)
    if (!adjusts) return undefined
    await printer.connect()
    return subtotals.adjust(adjusts, printer.capabilities.limits)
  }

  async function sale(
    step: SaleStep,
    index: number,
    { subtotals, rows }: ReceiptState,
  ): Promise<readonly FiscalItem[]> {
    const { item } = step
    const taxCode = await taxCodeOf(item.tax)
    const adjustment = onRow(item, step.adjustment, printer.capabilities)
    const base = rowAmount(item.price, item.quantity)
    const amount = base + adjustmentOf(base, adjustment)
    checkRow(item, amount, adjustment, printer.capabilities)
    if (step.void) subtotals.checkVoid(printer.capabilities.limits)
    subtotals.add(taxCode, step.void ? -amount : amount)
    if (printer.capabilities.freeSale === true) {
      const { name, price, quantity, department, unit } = item
      const sale = { name, price, quantity, department, unit, taxCode, void: step.void, ...withAdjustment(adjustment) }
      return [{ is: 'freeSale', sale }]
    }
    const sales = step.void
      ? rows.takeBack(step.voids.step, await articles.rest(item, taxCode, step.voids))
      : rows.sell(index, await articles.sale(item, taxCode, adjustment))
    return sales.map((sale) => ({ is: 'articleSale', sale }))
  }

  async function taxCodeOf(tax: LegacyTax): Promise<TaxCode> {
    if ('code' in tax) return tax.code
    rates ??= (await printer.taxRates?.()) ?? new Map()
    for (const [code, rate] of rates) if (rate === tax.percent) return code
    return fail('403', undefined, `the device has no VAT group of ${formatShort(tax.percent, 2)} %`)
  }

  return {
    checkCalls: (calls: readonly ServiceCall[]) => checkCalls(printer, calls),
    printItems: (steps: readonly PrintedStep[]) => printItems(printer.capabilities, steps),
    receipt,
  }
}

/** Replaces free sales by articles, for families that sell only articles. Each programmed price is queried once. */
function createArticles(printer: FiscalPrinter, settings: LegacySettings) {
  const prices = new Map<number, Money>()

  async function rest(
    item: LegacyItem,
    taxCode: TaxCode,
    { remaining: remainingQuantity, net }: VoidedSale,
  ): Promise<ArticleSale | undefined> {
    // Parts are rounded separately, so their sum may exceed the voided row by a hundredth.
    if (net < 0 || (remainingQuantity === 0 && net !== 0)) {
      refuse(`"${item.name}" is voided in parts that do not add up to its amount; void the whole item with one line`)
    }
    if (net === 0) return undefined
    const rest = { ...item, quantity: remainingQuantity }
    return sale(rest, taxCode, amountAdjustment(net - rowAmount(item.price, remainingQuantity)))
  }

  /** Returns the article that replaces the sale. It is sold at the price in the line, not at its programmed price. */
  async function sale(item: LegacyItem, taxCode: TaxCode, adjustment: Adjustment | undefined): Promise<ArticleSale> {
    const agrees = (entry: LegacyArticle) => entry.taxCode === undefined || entry.taxCode === taxCode
    const entry =
      settings.plu.find((one) => one.name?.trim() === item.name && agrees(one)) ??
      settings.plu.find((one) => one.name === undefined && one.taxCode === taxCode)
    if (!entry) {
      refuse(`no entry of legacy.plu for "${item.name}" or VAT ${taxCode}; this family sells articles only`)
    }
    const { plu } = entry
    const common = { quantity: item.quantity, void: false }
    if (printer.capabilities.articlePrice?.(plu))
      return { plu, price: item.price, ...common, ...withAdjustment(adjustment) }
    const programmed = await price(plu)
    if (programmed === item.price) return { plu, ...common, ...withAdjustment(adjustment) }
    const base = rowAmount(item.price, item.quantity)
    const target = base + adjustmentOf(base, adjustment)
    const difference = target - rowAmount(programmed, item.quantity)
    return { plu, ...common, ...withAdjustment(amountAdjustment(difference)) }
  }

  async function price(plu: number): Promise<Money> {
    const knownPrice = prices.get(plu)
    if (knownPrice !== undefined) return knownPrice
    const article = await printer.article?.(plu)
    if (!article)
      refuse(
        `legacy.plu contains article ${plu}, which is not programmed in the device: program it, or correct legacy.plu`,
      )
    prices.set(plu, article.price)
    return article.price
  }

  return { sale, rest }
}

function checkCalls(printer: FiscalPrinter, calls: readonly ServiceCall[]): void {
  for (const { call } of calls) {
    if (call === 'drawer' && !printer.openDrawer) unsupported('opening the drawer')
    if ((call === 'cashIn' || call === 'cashOut') && !printer.moveCash) unsupported('cash in and out')
    if ((call === 'display' || call === 'clearDisplay') && printer.capabilities.displayWidth === 0) {
      unsupported('a customer display')
    }
  }
}

function printItems(capabilities: Capabilities, steps: readonly PrintedStep[]): readonly NonFiscalItem[] {
  return steps.map((step) =>
    step.do === 'text'
      ? { is: 'text' as const, line: { text: step.text } }
      : { is: 'barcode' as const, barcode: barcode(capabilities, step.type, step.data) },
  )
}

function opening(
  { opening, customerTaxId }: FiscalJob,
  { defaults }: ServiceFacts,
  capabilities: Capabilities,
): Pick<FiscalReceipt, 'opening'> {
  if (!opening && customerTaxId === undefined) return {}
  if (opening) checkPassword(opening, capabilities)
  const code = opening?.operator ?? defaults.operator
  const password = opening?.password ?? defaults.password ?? capabilities.defaultPassword(defaults.operator)
  const { name = '', address = '' } = defaults.customer ?? {}
  return {
    opening: {
      operator: { code, password },
      pointOfSale: opening?.pointOfSale ?? defaults.pointOfSale,
      invoice: opening?.invoice ?? false,
      ...(customerTaxId !== undefined && { customer: { taxNumber: customerTaxId, name, address } }),
    },
  }
}

/** Checks the form of the password. The message does not contain it. */
function checkPassword({ line, password }: LegacyOpening, capabilities: Capabilities): void {
  const [violation] = passwordViolations(password, capabilities)
  if (violation) fail('222', line, `the password ${violation.message}`)
}

/** Returns the adjustment of a row. A percentage above the limit of the wire protocol becomes an amount. */
function onRow(
  { price, quantity }: LegacyItem,
  adjustment: Adjustment | undefined,
  { limits }: Capabilities,
): Adjustment | undefined {
  if (!adjustment || !('percent' in adjustment)) return adjustment
  const { kind, percent } = adjustment
  if (percent <= limits.rowPercent[kind]) return adjustment
  return { kind, amount: Math.abs(adjustmentOf(rowAmount(price, quantity), adjustment)) }
}

function checkRow(
  { name, quantity }: LegacyItem,
  amount: Money,
  adjustment: Adjustment | undefined,
  capabilities: Capabilities,
): void {
  const [violation] = saleViolations({ quantity, ...withAdjustment(adjustment) }, capabilities)
  if (violation) refuse(`the quantity of "${name}" ${violation.message}`)
  if (amount === 0 && capabilities.refusesZeroRows) {
    refuse(`"${name}" comes to 0.00, which this device does not sell`)
  }
}

function payment(
  { mode, amount, rest }: Extract<ReceiptStep, { do: 'payment' }>,
  capabilities: Capabilities,
): ReceiptPayment {
  if (!capabilities.paymentModes.some((one) => one.mode === mode)) unsupported(`payment mode ${mode}`)
  // The remaining amount in cash is sent without a value, so its digits need no check.
  const [violation] = rest && mode === CASH ? [] : paymentViolations({ mode, amount }, capabilities)
  if (violation) refuse(`a payment ${violation.message}`)
  return rest ? { mode } : { mode, amount }
}

function checkPayments(count: number, { limits }: Capabilities): void {
  const { payments: most } = limits
  if (count > most) refuse(`the receipt has ${count} payments; this device accepts at most ${most}`)
}

function barcode(capabilities: Capabilities, type: number, data: string): Barcode {
  const support = capabilities.barcodes.find((one) => one.type === type)
  if (!support) refuse(capabilities.barcodeRefusal(type))
  if (support.pattern.test(data)) return { type, data }
  const completed = /^(\d{7}|\d{12})$/.test(data) ? data + checkDigit(data) : data
  if (support.pattern.test(completed)) return { type, data: completed }
  return refuse(`barcode "${escapeControl(data)}": ${support.name} of this family accepts ${support.data}`)
}

function refuse(text: string): never {
  fail('402', undefined, text)
}

function unsupported(what: string): never {
  refuse(`this device does not support ${what}`)
}

const withAdjustment = (adjustment: Adjustment | undefined): { adjustment?: Adjustment } =>
  adjustment && !('amount' in adjustment && adjustment.amount === 0) ? { adjustment } : {}

const amountAdjustment = (difference: Money): Adjustment | undefined =>
  difference === 0 ? undefined : { kind: difference < 0 ? 'discount' : 'surcharge', amount: Math.abs(difference) }

const paysAll = (job: FiscalJob): boolean => {
  const last = job.steps.findLast((step) => step.do === 'payment')
  return job.cancelled || last?.rest === true
}

function toleranceOf(job: FiscalJob): Money {
  const rounded = job.steps.some((step) => step.do === 'subtotal' && step.adjustment && 'percent' in step.adjustment)
  return rounded && paysAll(job) ? ROUNDING : 0
}
