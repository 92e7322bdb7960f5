import { formatDecimal } from '../../../model/money.ts'
import type { ByteText, CodePage } from '../../../wire/charset.ts'
import { question, setting } from '../../../wire/command.ts'
import { FieldError } from '../../../wire/field.ts'
import { type Layout, ownUnit } from '../../../wire/row.ts'
import { command } from '../command-facts.ts'
import { QUANTITY, readDecimal, readSum, SHORT_PRICE, writeDecimal } from '../numbers.ts'
import { badForm } from './rows.ts'

const STOCK = { ...QUANTITY, digits: 9, min: 0 }
const SIGNED_QUANTITY = { decimals: 3, digits: 15, min: -999_999_999_999, max: 999_999_999_999 }

export interface ArticleProgram {
  readonly taxLetter: ByteText
  readonly plu: number
  readonly price: number
  readonly name: string
  readonly barcode?: ByteText
  readonly department?: number
  /** Field of the published form that is always 1. */
  readonly constant?: ByteText
  /** Stock in thousandths; 999_999_999: the stock is not tracked. */
  readonly stock?: number
}

type ArticleRequest =
  | ({ readonly do: 'program' } & ArticleProgram)
  | { readonly do: 'delete'; readonly range: 'all' | { readonly from: number; readonly to: number } }
  | { readonly do: 'read'; readonly plu: number }
  | { readonly do: 'first'; readonly sold: boolean }
  | { readonly do: 'next' }

const whole = (name: string, raw: ByteText): number => {
  if (!/^\d{1,9}$/.test(raw)) throw badForm(name, raw)
  return Number(raw)
}

const PROGRAM = {
  taxLetter: 'bytes',
  plu: 'number',
  price: 'money',
  name: 'text',
  barcode: 'bytes',
  department: 'number',
  constant: 'bytes',
  stock: 'quantity',
} as const

const articleRequest: Layout<ArticleRequest> = {
  fields: { ...PROGRAM, range: { from: 'number', to: 'number' } },
  write(values, page) {
    switch (values.do) {
      case 'program':
        return writeProgram(values, page)
      case 'delete': {
        if (values.range === 'all') return 'DA'
        const { from, to } = values.range
        return from === to ? `D${from}` : `D${from},${to}`
      }
      case 'read':
        return `R${values.plu}`
      case 'first':
        return `F${values.sold ? '1' : '0'}`
      case 'next':
        return 'N'
    }
  },
  read(raw, page) {
    switch (raw[0]) {
      case 'P':
        return { do: 'program', ...readProgram(raw, page) }
      case 'D':
        return readDelete(raw)
      case 'R':
        return { do: 'read', plu: whole('plu', raw.slice(1)) }
      case 'F':
        if (!/^F[01]?$/.test(raw)) throw badForm('article', raw)
        return { do: 'first', sold: raw === 'F1' }
      case 'N':
        if (raw !== 'N') throw badForm('article', raw)
        return { do: 'next' }
      default:
        throw badForm('article', raw)
    }
  },
}

interface ArticleData {
  readonly plu: number
  /** Time of the last sale, as the device sends it. */
  readonly time: string
  readonly taxLetter: ByteText
  readonly price: number
  readonly quantity: number
  readonly sum: number
  /** Refunds, which only five-group firmware counts separately. */
  readonly refunded?: { readonly quantity: number; readonly sum: number }
  readonly name: string
  readonly barcode: ByteText
  readonly department: number
  readonly constant: ByteText
  readonly stock: number
}

export type ArticleAnswer =
  | { readonly result: 'failed' }
  | { readonly result: 'done'; readonly free: number }
  | ({ readonly result: 'article' } & ArticleData)

const ARTICLE =
  /^P,(\d+),([^,]*),([^\n]),(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)(?:,(-?\d+\.\d{3}),(-?\d+\.\d{2}))?,([^\n]*)\n([^,]*),(\d*),([^,]*),(-?[\d.]+)$/

const articleAnswer: Layout<ArticleAnswer> = {
  fields: {
    ...PROGRAM,
    stock: ownUnit('quantity'),
    free: ownUnit('number'),
    time: ownUnit('time'),
    quantity: ownUnit('quantity'),
    sum: ownUnit('money'),
    refunded: { quantity: ownUnit('quantity'), sum: ownUnit('money') },
  },
  write(values, page) {
    switch (values.result) {
      case 'failed':
        return 'F'
      case 'done':
        return `P,${values.free}`
      case 'article':
        return writeArticle(values, page)
    }
  },
  read(raw, page) {
    if (raw === 'F') return { result: 'failed' }
    const doneMatch = /^P,(\d+)$/.exec(raw)
    return doneMatch ? { result: 'done', free: Number(doneMatch[1]) } : { result: 'article', ...readArticle(raw, page) }
  },
}

type DepartmentRequest =
  | {
      readonly do: 'program'
      readonly taxLetter: ByteText
      readonly department: number
      readonly name: string
      /** Maximum number of digits of a price in a sale by department; 0 forbids such sales. */
      readonly maxDigits?: number
    }
  | { readonly do: 'read'; readonly department: number }

const departmentRequest: Layout<DepartmentRequest> = {
  fields: { taxLetter: 'bytes', department: 'number', name: 'text', maxDigits: 'number' },
  write: (values, page) =>
    values.do === 'read'
      ? `R${values.department}`
      : `P${values.department},${page.encode(values.name)}\n${values.taxLetter},0` +
        (values.maxDigits === undefined ? '' : `,${values.maxDigits}`),
  read(raw, page) {
    if (raw.startsWith('R')) return { do: 'read', department: whole('department', raw.slice(1)) }
    const match = /^P(\d{1,3}),([^\n]*)\n([^,\n])(?:,[\d.]*(?:,(\d))?)?$/.exec(raw)
    if (!match) throw badForm('department', raw)
    const [, department, name = '', taxLetter = '', maxDigits] = match
    return {
      do: 'program',
      taxLetter,
      department: Number(department),
      name: page.decode(name),
      ...(maxDigits === undefined ? {} : { maxDigits: Number(maxDigits) }),
    }
  },
}

type DepartmentAnswer =
  | { readonly result: 'failed' | 'done' }
  | {
      readonly result: 'department'
      readonly department: number
      readonly taxLetter: ByteText
      readonly quantity: number
      readonly sum: number
      readonly periodQuantity: number
      readonly periodSum: number
      readonly name: string
      readonly maxDigits: number
    }

const DEPARTMENT_ANSWER = /^P,(\d+),([^\n]*)\n([^,\n]),[\d.]*,(-?[\d.]+),(-?[\d.]+),(-?[\d.]+),(-?[\d.]+),(\d)$/

const departmentAnswer: Layout<DepartmentAnswer> = {
  fields: {
    department: 'number',
    taxLetter: ownUnit('bytes'),
    quantity: ownUnit('quantity'),
    sum: ownUnit('money'),
    periodQuantity: ownUnit('quantity'),
    periodSum: ownUnit('money'),
    name: ownUnit('text'),
    maxDigits: ownUnit('number'),
  },
  write(values, page) {
    if (values.result !== 'department') return values.result === 'done' ? 'P' : 'F'
    const { department, taxLetter, quantity, sum, periodQuantity, periodSum, name, maxDigits } = values
    const sold = [formatDecimal(quantity, 3), formatDecimal(sum, 2)]
    const period = [formatDecimal(periodQuantity, 3), formatDecimal(periodSum, 2)]
    return `P,${department},${page.encode(name)}\n${[taxLetter, '0.00', ...sold, ...period, maxDigits].join(',')}`
  },
  read(raw, page) {
    if (raw === 'P' || raw === 'F') return { result: raw === 'P' ? 'done' : 'failed' }
    const match = DEPARTMENT_ANSWER.exec(raw)
    if (!match) throw new FieldError('department', 'syntax', JSON.stringify(raw))
    const [, department, name = '', taxLetter = '', quantity = '', sum = '', periodQuantity = '', periodSum = ''] =
      match
    return {
      result: 'department',
      department: Number(department),
      taxLetter,
      quantity: readDecimal('quantity', quantity, SIGNED_QUANTITY),
      sum: readSum('sum', sum),
      periodQuantity: readDecimal('quantity', periodQuantity, SIGNED_QUANTITY),
      periodSum: readSum('sum', periodSum),
      name: page.decode(name),
      maxDigits: Number(match[8]),
    }
  },
}

export const articleCommands = [
  command('article', 107, '10.8', setting, {
    runsAs: 'programArticle',
    variants: [
      { when: (ask) => ask.do === 'delete', runsAs: 'deleteArticle' },
      { when: (ask) => ask.do !== 'program' && ask.do !== 'delete', ...question, runsAs: 'readArticle' },
    ],
    request: articleRequest,
    response: articleAnswer,
  }),
  command('department', 131, '10.8', setting, {
    variants: [{ when: (ask) => ask.do === 'read', ...question }],
    request: departmentRequest,
    response: departmentAnswer,
  }),
] as const

function writeProgram(values: ArticleProgram, page: CodePage): ByteText {
  const { taxLetter, plu, price, name, barcode, department, constant, stock } = values
  const head = `P${taxLetter}${plu},${writeDecimal('price', price, SHORT_PRICE)},${page.encode(name)}`
  const tail = [barcode, department?.toString(), constant, stock === undefined ? undefined : formatDecimal(stock, 3)]
  while (tail.length > 0 && tail.at(-1) === undefined) tail.pop()
  return tail.length === 0 ? head : `${head}\n${tail.map((one) => one ?? '').join(',')}`
}

function readProgram(raw: ByteText, page: CodePage): ArticleProgram {
  const match =
    /^P([^\d\n])(\d{1,9}),([^,\n]*),([^\n]*)(?:\n([^,\n]*)(?:,([^,\n]*)(?:,([^,\n]*)(?:,([^,\n]*))?)?)?)?$/.exec(raw)
  if (!match) throw badForm('article', raw)
  const [, taxLetter = '', plu = '', price = '', name = '', barcode, department, constant, stock] = match
  return {
    taxLetter,
    plu: Number(plu),
    price: readDecimal('price', price, SHORT_PRICE),
    name: page.decode(name),
    ...(barcode ? { barcode } : {}),
    ...(department ? { department: whole('department', department) } : {}),
    ...(constant ? { constant } : {}),
    ...(stock ? { stock: readDecimal('stock', stock, STOCK) } : {}),
  }
}

function readDelete(raw: ByteText): ArticleRequest {
  if (raw === 'DA') return { do: 'delete', range: 'all' }
  const match = /^D(\d{1,9})(?:,(\d{1,9}))?$/.exec(raw)
  if (!match) throw badForm('article', raw)
  const from = Number(match[1])
  return { do: 'delete', range: { from, to: match[2] === undefined ? from : Number(match[2]) } }
}

function writeArticle(values: ArticleData, page: CodePage): ByteText {
  const { plu, time, taxLetter, price, quantity, sum, refunded, name, barcode, department, constant, stock } = values
  const money = (value: number) => formatDecimal(value, 2)
  const head = ['P', plu, time, taxLetter, money(price), formatDecimal(quantity, 3), money(sum)]
  if (refunded) head.push(formatDecimal(refunded.quantity, 3), money(refunded.sum))
  return `${head.join(',')},${page.encode(name)}\n${barcode},${department},${constant},${formatDecimal(stock, 3)}`
}

function readArticle(raw: ByteText, page: CodePage): ArticleData {
  const match = ARTICLE.exec(raw)
  if (!match) throw badForm('article', raw)
  const [, plu, time = '', taxLetter = '', price = '', quantity = '', sum = '', backQuantity, backSum, name = ''] =
    match
  const [barcode = '', department, constant = '', stock = ''] = match.slice(10)
  return {
    plu: Number(plu),
    time,
    taxLetter,
    price: readSum('price', price),
    quantity: readDecimal('quantity', quantity, SIGNED_QUANTITY),
    sum: readSum('sum', sum),
    ...(backQuantity === undefined || backSum === undefined
      ? {}
      : {
          refunded: { quantity: readDecimal('quantity', backQuantity, SIGNED_QUANTITY), sum: readSum('sum', backSum) },
        }),
    name: page.decode(name),
    barcode,
    department: Number(department),
    constant,
    // The stock is negative if more was sold than was in stock.
    stock: readDecimal('stock', stock, SIGNED_QUANTITY),
  }
}
