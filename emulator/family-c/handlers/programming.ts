/**
 * Programming (sheet 4.13), which is possible only between receipts. It is refused with 30/33 while the report that it
 * requires is not zeroed.
 */
import { writeTime } from '../../../drivers/family-c/protocol/cells.ts'
import type { ArticleAsk, ArticleFlag } from '../../../drivers/family-c/protocol/commands/programming.ts'
import { MONEY_MAX } from '../../../drivers/model/money.ts'
import type { TaxCode } from '../../../drivers/model/receipt.ts'
import { hasTurnover } from '../../fiscal/articles.ts'
import type { Article, ByTaxGroup, ProgrammedArticle } from '../../fiscal/types/registers.ts'
import {
  CONDITIONS_REFUSAL,
  type Context,
  done,
  from,
  type Handlers,
  notZeroed,
  type Reply,
  serviceRefusal,
  syntax,
  taxGroupOf,
  tooLarge,
} from '../context.ts'
import { articlesOpen, dailyOpen, departmentOpen, operatorsOpen } from '../unzeroed-reports.ts'
import { headerPlace, paymentCode } from './queries.ts'

const PRICE_TYPES: Readonly<Record<ArticleFlag, Article['priceType']>> = { 0: 'fixed', 1: 'free', 2: 'maximum' }

const newArticle = (plu: number): Article => ({
  plu,
  name: '',
  taxCode: 1,
  department: 0,
  group: 1,
  priceType: 'fixed',
  price: 0,
  stock: null,
  barcodes: [],
  unit: 0,
  turnover: 0,
  sold: 0,
})

type ArticleChange = Omit<Partial<ProgrammedArticle>, 'plu'>

function programArticle(context: Context, ask: ArticleAsk): Reply<undefined> {
  const { device } = context
  if (ask.part === 'eraseAll') {
    const wrong = serviceRefusal(context, ask.password)
    if (wrong) return wrong
    if (articlesOpen(device)) return notZeroed
    return from(device.articles.remove(1, device.profile.articles.maxNumber))
  }
  if (ask.plu < 1) return syntax
  const old = device.articles.get(ask.plu)
  const change = articleChange(context, ask, old)
  if (change === undefined) return syntax
  // Sheet 4.13: an article cannot be changed while it has turnover.
  if (old && hasTurnover(old)) return notZeroed
  if (!old && ask.part !== 'short' && ask.part !== 'general') return syntax
  if ('price' in ask && ask.price > MONEY_MAX) return tooLarge
  const { turnover: _turnover, sold: _sold, ...article } = { ...(old ?? newArticle(ask.plu)), ...change }
  return from(device.articles.program(article))
}

/** Returns `undefined` for a class that the device does not have and for a negative price. */
function articleChange(
  context: Context,
  ask: Exclude<ArticleAsk, { part: 'eraseAll' }>,
  old: Article | undefined,
): ArticleChange | undefined {
  switch (ask.part) {
    case 'short':
    case 'general': {
      const taxCode = taxGroupOf(ask.tax, context)
      if (taxCode === undefined || ask.price < 0) return undefined
      // If the department has another class, the article keeps its department (sheet 4.13). Department 0 is always
      // allowed.
      const fits = ask.department === 0 || context.device.registers.department(ask.department).taxCode === taxCode
      const department = fits ? ask.department : (old?.department ?? 0)
      // 6Bh answers with the letter that 4Bh has sent, Cyrillic or Latin.
      const extra = { ...old?.extra, tax: ask.tax }
      const price = { name: ask.name, price: ask.price, taxCode, department }
      return ask.part === 'short'
        ? { ...price, extra, priceType: 'fixed' }
        : { ...price, extra: { ...extra, single: ask.single ? '1' : '0' }, priceType: PRICE_TYPES[ask.priceFlag] }
    }
    case 'stock': {
      // Flag 0: sales do not change the stock, and queries return the programmed value.
      const extra = { ...old?.extra, stockFlag: String(ask.flag), stock: String(ask.quantity) }
      return { stock: ask.flag === 0 ? null : ask.quantity, extra }
    }
    case 'barcode':
      return { barcodes: ask.barcode.trim() === '' ? [] : [ask.barcode.trim()] }
    case 'price':
      if (ask.price < 0) return undefined
      return { price: ask.price, priceType: PRICE_TYPES[ask.priceFlag] }
  }
}

export const programming = {
  serviceMode: (context, { password }) => serviceRefusal(context, password) ?? done(),
  fiscalise(context, { password, fields }) {
    const { device } = context
    const wrong = serviceRefusal(context, password)
    if (wrong) return wrong
    if (device.fiscalised) return CONDITIONS_REFUSAL
    // Step `1` sets the tax number, step `2` fiscalises the device.
    const [step, taxNumber = ''] = fields
    if (step === '2') return from(device.fiscalise(device.profile.serialNumber, device.registers.taxNumber))
    if (step !== '1' || taxNumber === '') return syntax
    device.registers.setTaxNumber(taxNumber)
    return done()
  },
  setTaxRates(context, { password, rates }) {
    const { device } = context
    const wrong = serviceRefusal(context, password)
    if (wrong) return wrong
    if (dailyOpen(device)) return notZeroed
    const eight = Array.from({ length: 8 }, (_, index) => rates[index] ?? null)
    return from(device.registers.setTaxRates(eight as unknown as ByTaxGroup<number | null>))
  },
  setDecimalPoint(context, { password, decimals }) {
    const { device } = context
    const wrong = serviceRefusal(context, password)
    if (wrong) return wrong
    if (dailyOpen(device) || articlesOpen(device) || operatorsOpen(device)) return notZeroed
    // Only the current setting is accepted. Amounts without fractions are not modelled, because the books use
    // hundredths.
    if (decimals === 0) return CONDITIONS_REFUSAL
    return done()
  },
  setPayment(context, { type, name, exchangeRate, code }) {
    const { device, session } = context
    if (dailyOpen(device)) return notZeroed
    const renamed = device.registers.payments.find(({ mode }) => mode === type)?.name !== name
    if ((renamed || code !== undefined) && operatorsOpen(device)) return notZeroed
    if (name !== '') device.registers.setPayment(type, { name })
    if (exchangeRate !== undefined) session.persistentCells.rate = exchangeRate
    if (code !== undefined && code !== paymentCode(context, type)) session.paymentCodes.set(type, code)
    return done()
  },
  setParameters({ device, session: { persistentCells } }, ask) {
    if (dailyOpen(device)) return notZeroed
    persistentCells.parameters = { ...persistentCells.parameters, ...ask }
    return done()
  },
  setDisplay: (context, { password }) => serviceRefusal(context, password) ?? done(),
  setDepartment(context, { department, name, tax, name2 }) {
    const { device } = context
    const taxCode: TaxCode | undefined = taxGroupOf(tax, context)
    if (taxCode === undefined) return syntax
    if (departmentOpen(device, department) && dailyOpen(device)) return notZeroed
    const old = device.registers.department(department)
    device.registers.setDepartment({ ...old, name: name2 === undefined ? name : `${name} ${name2}`.trim(), taxCode })
    return done()
  },
  setClock({ device }, { at }) {
    const set = device.setClock(at)
    if (!set.ok) return from(set)
    return from(device.printReport('service', [{ text: writeTime(at) }]))
  },
  setHeader(context, { line, text }) {
    const { device, session } = context
    if (dailyOpen(device)) return notZeroed
    switch (headerPlace(context, line)) {
      case 'header':
        device.registers.setHeader(line - 1, text)
        break
      case 'footer':
        device.registers.setFooter(0, text)
        break
      case 'other':
        session.texts.set(line, text)
    }
    return done()
  },
  setOperator({ device }, { operator, name, password }) {
    if (operatorsOpen(device)) return notZeroed
    device.registers.setOperator({ code: operator, name, password })
    return done()
  },
  programArticle,
  // Logos are not stored, because the paper shows only the number of a logo.
  loadLogo: () => done(),
  loadLogoNumbered: () => done(),
  setInvoiceRange({ device }, { start, end }) {
    const range = device.registers.invoiceRange
    const spent = range === null || range.next > range.end
    const unused = range !== null && range.next === range.start
    if (!spent && !unused) return CONDITIONS_REFUSAL
    if (end < start) return syntax
    device.registers.setInvoiceRange({ start, end })
    return done()
  },
  servicePassword(context, { password, changed }) {
    const wrong = serviceRefusal(context, password)
    if (wrong) return wrong
    context.session.persistentCells.servicePassword = changed
    return done()
  },
} satisfies Partial<Handlers>
