/** Articles and departments (sheet 10.8). */
import type { ArticleAnswer, ArticleProgram } from '../../../drivers/family-b/protocol/commands/articles.ts'
import { taxByte, taxCodeOf, writeDateTime } from '../../../drivers/family-b/protocol/numbers.ts'
import { checkDigit } from '../../../drivers/model/check-digit.ts'
import { priceTypeOf } from '../../fiscal/articles.ts'
import type { Article } from '../../fiscal/types/registers.ts'
import { type Context, done, error, type Handlers, type Reply, refused } from '../context.ts'
import { departmentDigits, setDepartmentDigits } from '../parameters.ts'
import { REASONS } from '../refusals.ts'
import { NO_SALE_DEPARTMENT } from './sale.ts'

/** Stock value in the wire protocol of an article whose stock is not tracked. */
const NOT_TRACKED = 999_999_999
const BARCODE_MAX = 13
const NEVER_SOLD = '01-01-00 00:00:00'

function wrongBarcode(barcode: string | undefined): Reply<never> | undefined {
  if (barcode === undefined) return undefined
  if (!/^\d+$/.test(barcode)) return error(14)
  if (/^0+$/.test(barcode)) return error(42)
  if (barcode.length > BARCODE_MAX) return error(16)
  if (barcode.length === BARCODE_MAX && /^2[89]/.test(barcode)) return error(43)
  if (barcode.length === 8 || barcode.length === BARCODE_MAX) {
    if (checkDigit(barcode.slice(0, -1)) !== barcode.at(-1)) return error(41)
  }
  return undefined
}

const free = ({ device }: Context): number => device.profile.articles.capacity - device.articles.count

function program(context: Context, ask: ArticleProgram): Reply<ArticleAnswer> {
  const { device, edition } = context
  const { plu, price, name, barcode, department = 0, stock = NOT_TRACKED } = ask
  const letter = taxCodeOf(edition.firstGroup, edition.groups, ask.taxLetter)
  if (letter === undefined) return error(14)
  if (plu < 1 || plu > device.profile.articles.maxNumber) return error(21)
  if (name.trim() === '') return error(29)
  if (department > device.profile.departments) return error(21)
  if (ask.constant !== undefined && ask.constant !== '1') return error(119)
  const wrong = wrongBarcode(barcode)
  if (wrong) return wrong
  // The article has the tax group of its department. Without a department, the letter selects the hidden department of
  // a group.
  const taxCode = department === 0 ? letter : device.registers.department(department).taxCode
  const outcome = device.articles.program({
    plu,
    name: name.slice(0, edition.nameWidth),
    taxCode,
    department: ask.department === 0 ? NO_SALE_DEPARTMENT : department,
    group: 0,
    priceType: priceTypeOf(plu, device.profile),
    price,
    stock: stock === NOT_TRACKED ? null : stock,
    barcodes: barcode === undefined ? [] : [barcode],
    unit: 0,
  })
  return outcome.ok ? done({ result: 'done', free: free(context) }) : refused(REASONS[outcome.refusal])
}

function describe({ device, edition }: Context, article: Article | undefined): ArticleAnswer {
  if (!article) return { result: 'failed' }
  return {
    result: 'article',
    plu: article.plu,
    time: article.soldAt === undefined ? NEVER_SOLD : writeDateTime(device.localTime(article.soldAt)),
    taxLetter: taxByte(edition.firstGroup, article.taxCode),
    price: article.price,
    quantity: article.sold,
    sum: article.turnover,
    ...(edition.newer ? {} : { refunded: { quantity: 0, sum: 0 } }),
    name: article.name,
    barcode: article.barcodes[0] ?? '',
    // The hidden department of a group has the group's number.
    department: article.department === NO_SALE_DEPARTMENT ? 0 : article.department || article.taxCode,
    constant: '1',
    stock: article.stock ?? NOT_TRACKED,
  }
}

function step(context: Context, from: number, sold: boolean): Reply<ArticleAnswer> {
  const { device, session } = context
  const article = device.articles.next(from, 'up', sold ? 'sold' : undefined)
  session.cursor = article ? { plu: article.plu, sold } : undefined
  return done(describe(context, article))
}

export const articles = {
  article(context, ask) {
    const { device, session } = context
    switch (ask.do) {
      case 'program':
        return program(context, ask)
      case 'delete': {
        const { from, to } = ask.range === 'all' ? { from: 1, to: device.profile.articles.maxNumber } : ask.range
        const outcome = device.articles.remove(from, to)
        return done(outcome.ok ? { result: 'done', free: free(context) } : { result: 'failed' })
      }
      case 'read':
        return done(describe(context, device.articles.get(ask.plu)))
      case 'first':
        return step(context, 1, ask.sold)
      case 'next':
        return session.cursor ? step(context, session.cursor.plu + 1, session.cursor.sold) : done({ result: 'failed' })
    }
  },

  department({ device, edition }, ask) {
    if (ask.department < 1 || ask.department > device.profile.departments) return done({ result: 'failed' })
    const old = device.registers.department(ask.department)
    const { sales, reversals, quantity = 0 } = device.registers.departmentTotals(ask.department)
    if (ask.do === 'read') {
      return done({
        result: 'department',
        department: ask.department,
        taxLetter: taxByte(edition.firstGroup, old.taxCode),
        quantity,
        sum: sales.amount - reversals.amount,
        periodQuantity: quantity,
        periodSum: sales.amount - reversals.amount,
        name: old.name,
        maxDigits: departmentDigits(device, ask.department),
      })
    }
    const taxCode = taxCodeOf(edition.firstGroup, edition.groups, ask.taxLetter)
    if (taxCode === undefined) return error(14)
    if (ask.name.trim() === '') return error(29)
    if (sales.count > 0 || reversals.count > 0) return error(90)
    device.registers.setDepartment({ ...old, name: ask.name.slice(0, edition.nameWidth), taxCode })
    if (ask.maxDigits !== undefined) setDepartmentDigits(device, ask.department, ask.maxDigits)
    return done({ result: 'done' })
  },
} satisfies Partial<Handlers>
