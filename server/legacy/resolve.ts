import { formatMoney, type Money, multiplyDivide } from '../../drivers/model/money.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Adjustment, ArticleSale, Barcode, TaxCode, TextLine } from '../../drivers/model/receipt.ts'
import type { ServiceFacts } from '../endpoint.ts'
import { ServiceError } from '../failure.ts'
import type { FiscalItem, FiscalReceipt, NonFiscalItem, ReceiptPayment } from '../receipt-flow.ts'
import type { LegacyItem, LegacyJob, LegacyOpening, LegacyTax, ReceiptStep, ServiceCall } from './job.ts'
import { fail } from './problem.ts'
import { checkDigit, rowAmount } from './values.ts'

/**
 * Phase (c): the job in the words of the connected device, before anything is opened (legacy formats 1.4, 4, 6: 402 and
 * 403). The device is at most read: its tax rates for a percentage, an article's price for the configured table.
 */

/** An entry of `legacy.plu` (decisions 4): what stands for a free sale on a family that has none. */
export interface LegacyArticle {
  readonly name?: string
  readonly taxCode?: number
  readonly plu: number
}

export interface LegacySettings {
  readonly plu: readonly LegacyArticle[]
}

/** Rates of each of eight tax groups are rounded by themselves: what a percentage on the subtotal may come to besides. */
const GROUP_ROUNDING: Money = 4

type FiscalJob = Extract<LegacyJob, { kind: 'fiscal' }>

export class Resolver {
  readonly #printer: FiscalPrinter
  readonly #settings: LegacySettings
  readonly #facts: ServiceFacts
  #rates: ReadonlyMap<TaxCode, number> | undefined
  readonly #prices = new Map<number, Money>()

  constructor(printer: FiscalPrinter, settings: LegacySettings, facts: ServiceFacts) {
    this.#printer = printer
    this.#settings = settings
    this.#facts = facts
  }

  /** Service calls that the family's wire lacks are refused with 402. */
  checkCalls(calls: readonly ServiceCall[]): void {
    for (const { call } of calls) {
      if (call === 'drawer' && !this.#printer.openDrawer) this.#unsupported('opening the drawer')
      if ((call === 'cashIn' || call === 'cashOut') && !this.#printer.moveCash) this.#unsupported('cash in and out')
      if ((call === 'display' || call === 'clearDisplay') && this.#printer.capabilities.displayWidth === 0) {
        this.#unsupported('a customer display')
      }
    }
  }

  printItems(steps: readonly Extract<ReceiptStep, { do: 'text' | 'barcode' }>[]): readonly NonFiscalItem[] {
    return steps.map((step) =>
      step.do === 'text'
        ? { is: 'text' as const, line: { text: step.text } }
        : { is: 'barcode' as const, barcode: this.#barcode(step.type, step.data) },
    )
  }

  async receipt(job: FiscalJob): Promise<FiscalReceipt> {
    const items: FiscalItem[] = []
    const payments: ReceiptPayment[] = []
    let texts: TextLine[] = []
    if (job.customerTaxId !== undefined && !job.opening?.invoice && !this.#printer.capabilities.buyerNumberOnReceipt) {
      items.push({ is: 'text', line: { text: `CIF: ${job.customerTaxId}` } })
    }
    for (const step of job.steps) {
      if (step.do === 'payment') {
        payments.push({ ...this.#payment(step), ...(texts.length > 0 && { textsBefore: texts }) })
        texts = []
      } else if (step.do === 'text' && payments.length > 0) texts.push({ text: step.text })
      else items.push(await this.#item(step))
    }
    return {
      ...this.#opening(job),
      items,
      payments,
      cancelled: job.cancelled,
      ...(!job.cancelled && { checkTotal: (total: Money | null) => checkTotal(job, total) }),
    }
  }

  #opening({ opening, customerTaxId }: FiscalJob): Pick<FiscalReceipt, 'opening'> {
    if (!opening && customerTaxId === undefined) return {}
    if (opening) this.#checkPassword(opening)
    const { defaults } = this.#facts
    const code = opening?.operator ?? defaults.operator
    const password =
      opening?.password ?? defaults.password ?? this.#printer.capabilities.defaultPassword(defaults.operator)
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

  /** Of the form that the wire carries; it is never repeated in an answer. */
  #checkPassword({ line, password }: LegacyOpening): void {
    const { min, max, exact } = this.#printer.capabilities.passwordLength
    // A wire of fixed width pads or cuts whatever it is given (specification 4.3); the others take digits.
    const fits = exact !== undefined || (/^\d+$/.test(password) && password.length >= min && password.length <= max)
    if (!fits) fail('222', line, `password: expected ${min} to ${max} digits`)
  }

  async #item(step: Exclude<ReceiptStep, { do: 'payment' }>): Promise<FiscalItem> {
    switch (step.do) {
      case 'text':
        return { is: 'text', line: { text: step.text } }
      case 'barcode':
        return { is: 'barcode', barcode: this.#barcode(step.type, step.data) }
      case 'subtotal':
        return { is: 'subtotal', subtotal: { print: true, display: false, ...given(step.adjustment) } }
      case 'sale':
        return this.#sale(step)
    }
  }

  async #sale({ item, ...step }: Extract<ReceiptStep, { do: 'sale' }>): Promise<FiscalItem> {
    const taxCode = await this.#taxCode(item.tax)
    const common = { quantity: item.quantity, void: step.void, ...given(step.adjustment) }
    if (this.#printer.capabilities.freeSale !== true) {
      return { is: 'articleSale', sale: await this.#article(item, taxCode, common) }
    }
    const { name, price, department, unit } = item
    return { is: 'freeSale', sale: { name, price, department, unit, taxCode, ...common } }
  }

  /** The article that stands for the sale, at the price of the line whatever its programmed one. */
  async #article(item: LegacyItem, taxCode: TaxCode, common: Omit<ArticleSale, 'plu' | 'price'>): Promise<ArticleSale> {
    const agrees = (entry: LegacyArticle) => entry.taxCode === undefined || entry.taxCode === taxCode
    const entry =
      this.#settings.plu.find((one) => one.name?.trim() === item.name && agrees(one)) ??
      this.#settings.plu.find((one) => one.name === undefined && one.taxCode === taxCode)
    if (!entry) {
      fail(
        '402',
        undefined,
        `no entry of legacy.plu for "${item.name}" or VAT ${taxCode}; this family sells articles only`,
      )
    }
    if (this.#printer.capabilities.articlePrice?.(entry.plu)) return { plu: entry.plu, price: item.price, ...common }
    const programmed = await this.#price(entry.plu)
    if (programmed === item.price) return { plu: entry.plu, ...common }
    const { adjustment, ...rest } = common
    const base = rowAmount(item.price, item.quantity)
    const target = base + signedSize(base, adjustment)
    const difference = target - rowAmount(programmed, item.quantity)
    return { plu: entry.plu, ...rest, ...given(amountAdjustment(difference)) }
  }

  async #price(plu: number): Promise<Money> {
    const known = this.#prices.get(plu)
    if (known !== undefined) return known
    const article = await this.#printer.article?.(plu)
    if (!article) fail('402', undefined, `the device has no article ${plu}, which legacy.plu names`)
    this.#prices.set(plu, article.price)
    return article.price
  }

  async #taxCode(tax: LegacyTax): Promise<TaxCode> {
    if ('code' in tax) return tax.code
    this.#rates ??= (await this.#printer.taxRates?.()) ?? new Map()
    for (const [code, rate] of this.#rates) if (rate === tax.percent) return code
    return fail('403', undefined, `the device has no VAT group of ${tax.percent / 100} %`)
  }

  #payment({ mode, amount, rest }: Extract<ReceiptStep, { do: 'payment' }>): ReceiptPayment {
    const { paymentModes } = this.#printer.capabilities
    if (!paymentModes.some((one) => one.mode === mode)) this.#unsupported(`payment mode ${mode}`)
    return rest ? { mode } : { mode, amount }
  }

  /** 7 and 12 digits go as they are where the device completes them, else completed here. */
  #barcode(type: number, data: string): Barcode {
    const support = this.#printer.capabilities.barcodes.find((one) => one.type === type)
    if (!support) fail('402', undefined, this.#printer.capabilities.barcodeRefusal(type))
    if (support.pattern.test(data)) return { type, data }
    const completed = /^(\d{7}|\d{12})$/.test(data) ? data + checkDigit(data) : data
    if (support.pattern.test(completed)) return { type, data: completed }
    return fail('402', undefined, `${support.name} of this family takes ${support.data}`)
  }

  #unsupported(what: string): never {
    fail('402', undefined, `this family has no ${what}`)
  }
}

const given = (adjustment: Adjustment | undefined): { adjustment?: Adjustment } =>
  adjustment && !('amount' in adjustment && adjustment.amount === 0) ? { adjustment } : {}

function signedSize(base: Money, adjustment: Adjustment | undefined): Money {
  if (!adjustment) return 0
  const size =
    'percent' in adjustment ? multiplyDivide(base, adjustment.percent, 10_000, 'halfAwayFromZero') : adjustment.amount
  return adjustment.kind === 'discount' ? -size : size
}

const amountAdjustment = (difference: Money): Adjustment | undefined =>
  difference === 0 ? undefined : { kind: difference < 0 ? 'discount' : 'surcharge', amount: Math.abs(difference) }

/** The device's own sum before the first payment: the lines must come to it, and the payments must cover it. */
function checkTotal(job: FiscalJob, total: Money | null): void {
  if (total === null || total === job.total) return
  const rounded = job.steps.some((step) => step.do === 'subtotal' && step.adjustment && 'percent' in step.adjustment)
  const near = rounded && Math.abs(total - job.total) <= GROUP_ROUNDING
  if (!near || !covers(job, total)) {
    const [device, lines] = [formatMoney(total), formatMoney(job.total)]
    throw new ServiceError(400, `The device's sum of ${device} differs from the ${lines} of the lines.`)
  }
}

function covers(job: FiscalJob, total: Money): boolean {
  let left = total
  for (const step of job.steps) {
    if (step.do !== 'payment') continue
    const amount = step.rest ? left : step.amount
    if (step.mode !== 0 && amount > left) return false
    left = Math.max(0, left - amount)
  }
  return left === 0
}
