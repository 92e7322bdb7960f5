import type { ByteText } from '../../../wire/charset.ts'
import { FieldError } from '../../../wire/field.ts'
import type { Layout } from '../../../wire/row.ts'
import { command, selling } from '../command-facts.ts'
import { PERCENT, PRICE, QUANTITY, readDecimal, SIGNED_PRICE, writeDecimal, writeSigned } from '../numbers.ts'
import { ADJUSTMENTS, badForm, readTexts, TEXTS, type TwoTexts, writeTexts } from './rows.ts'

interface Amounts {
  readonly void: boolean
  readonly quantity?: number
  /** Percentage in hundredths of a percent; negative for a discount. `read` omits a zero. */
  readonly percent?: number
  /** Amount in hundredths; negative for a discount. `read` omits a zero. */
  readonly netto?: number
}

const AMOUNTS = { quantity: 'quantity', ...ADJUSTMENTS } as const

/** Writes `*Qty ,Percent $Netto`, each if present. Command 58 has an `@Price` between the last two. */
const writeAmounts = ({ quantity, percent, netto }: Amounts, price: ByteText = ''): ByteText =>
  (quantity === undefined ? '' : `*${writeDecimal('quantity', quantity, QUANTITY)}`) +
  (percent === undefined ? '' : `,${writeSigned('percent', percent, PERCENT)}`) +
  price +
  (netto === undefined ? '' : `$${writeSigned('netto', netto, SIGNED_PRICE)}`)

const PARTS = '(\\*[^*,@$]*)?(,[^*,@$]*)?'

export interface ArticleSaleRequest extends Amounts {
  /** Number of the article, or its barcode. */
  readonly article: ByteText
  /** Price for this sale. Only articles with a number above 100 accept one. */
  readonly price?: number
}

const ARTICLE_SALE = new RegExp(`^([+-]?)([^*,@$]+)${PARTS}(@[^*,@$]*)?(\\$[^*,@$]*)?$`)

const articleSaleLayout: Layout<ArticleSaleRequest> = {
  fields: { article: { unit: 'bytes', model: 'plu' }, price: 'money', ...AMOUNTS },
  write: (values) =>
    (values.void ? '-' : '+') +
    values.article +
    writeAmounts(values, values.price === undefined ? '' : `@${writeDecimal('price', values.price, PRICE)}`),
  read(raw) {
    const match = ARTICLE_SALE.exec(raw)
    if (!match) throw badForm('sale', raw)
    const [, sign = '', article = '', quantity, percent, price, netto] = match
    if (!/^\d+$/.test(article))
      throw new FieldError('article', 'value', `${JSON.stringify(article)} is not an article number`, 0, 14)
    return {
      article,
      ...readAmounts(sign, quantity, percent, netto),
      ...(price === undefined ? {} : { price: readDecimal('price', price.slice(1), PRICE) }),
    }
  },
}

export interface FreeSaleRequest extends Amounts, TwoTexts {
  /** Byte of the tax group (sheet 6.2). */
  readonly taxLetter: ByteText
  readonly price: number
}

const FREE_SALE = new RegExp(`^([^\\t]*)\\t([^\\t\\n])([+-]?)([^*,@$]*)${PARTS}(\\$[^*,@$]*)?$`)

const freeSaleLayout: Layout<FreeSaleRequest> = {
  fields: { ...TEXTS, taxLetter: { unit: 'bytes', model: 'taxCode' }, price: 'money', ...AMOUNTS },
  write: (values, page) =>
    `${writeTexts(values, page)}\t${values.taxLetter}${values.void ? '-' : ''}` +
    writeDecimal('price', values.price, PRICE) +
    writeAmounts(values),
  read(raw, page) {
    const match = FREE_SALE.exec(raw)
    if (!match) throw badForm('sale', raw)
    const [, texts = '', taxLetter = '', sign = '', price = '', quantity, percent, netto] = match
    return {
      ...readTexts(texts, page),
      taxLetter,
      price: readDecimal('price', price, PRICE),
      ...readAmounts(sign, quantity, percent, netto),
    }
  },
}

export interface DepartmentSaleRequest extends Amounts {
  readonly department: number
  readonly price: number
}

const DEPARTMENT_SALE = new RegExp(`^([+-]?)(\\d{1,3})@([^*,@$]*)${PARTS}(\\$[^*,@$]*)?$`)

const departmentSaleLayout: Layout<DepartmentSaleRequest> = {
  fields: { department: 'number', price: 'money', ...AMOUNTS },
  write: (values) =>
    `${values.void ? '-' : '+'}${values.department}@${writeDecimal('price', values.price, PRICE)}` +
    writeAmounts(values),
  read(raw) {
    const match = DEPARTMENT_SALE.exec(raw)
    if (!match) throw badForm('sale', raw)
    const [, sign = '', department, price = '', quantity, percent, netto] = match
    return {
      department: Number(department),
      price: readDecimal('price', price, PRICE),
      ...readAmounts(sign, quantity, percent, netto),
    }
  },
}

export const salesCommands = [
  command('saleByPlu', 58, '10.4', selling, { request: articleSaleLayout }),
  command('sale', 49, '10.4', selling, { optional: true, request: freeSaleLayout }),
  command('saleOnDisplay', 52, '10.4', selling, { optional: true, request: freeSaleLayout }),
  command('saleByDepartment', 138, '10.4', selling, { request: departmentSaleLayout }),
] as const

function readAmounts(sign: string, quantity?: ByteText, percent?: ByteText, netto?: ByteText): Amounts {
  const hundredths = percent === undefined ? 0 : readDecimal('percent', percent.slice(1), PERCENT)
  const amount = netto === undefined ? 0 : readDecimal('netto', netto.slice(1), SIGNED_PRICE)
  return {
    void: sign === '-',
    ...(quantity === undefined ? {} : { quantity: readDecimal('quantity', quantity.slice(1), QUANTITY) }),
    ...(hundredths === 0 ? {} : { percent: hundredths }),
    ...(amount === 0 ? {} : { netto: amount }),
  }
}
