import { multiplyDivide } from '../../../model/amounts.ts'
import { formatMoney, formatQuantity } from '../../../model/money.ts'
import { omitUndefined } from '../../../model/omit-undefined.ts'
import { trimEndOf } from '../../../model/trim-end.ts'
import type { ByteText, CodePage } from '../../../wire/charset.ts'
import type { Layout } from '../../../wire/row.ts'
import {
  ADJUSTMENTS, cells, departmentByte, digits, pad, readAmount, readDepartment, readPercent, readQuantity, readTax,
  readWhole, shortQuantity, syntaxError, TAX, withoutSeparator, writePercent, writeTax,
} from '../cells.ts' // biome-ignore format: one list
import { adjusting, command, selling } from '../command-facts.ts'
import type { Edition } from '../edition.ts'

/** Exact number of symbols of a sale's name; a shorter name is a syntax error. */
export const NAME_WIDTH = 36

export interface SaleTail {
  readonly quantity?: number
  /** The quantity is written with as few digits as possible: `3` instead of `3.000`. */
  readonly shortQuantity?: boolean
  /** Quantity of command 3Dh as a fraction, for example `1/3`. It is sent instead of `quantity`. */
  readonly fraction?: string
  readonly percent?: number
  readonly value?: number
}

export interface SaleAsk extends SaleTail {
  readonly name: string
  readonly tax: string
  readonly price: number
  readonly void: boolean
  readonly department?: number
}

export interface DepartmentSaleAsk extends SaleTail {
  readonly name: string
  readonly department: number
  readonly price: number
  readonly void: boolean
  readonly tax?: string
}

export interface ArticleSaleAsk extends SaleTail {
  readonly plu: number
  readonly void: boolean
  readonly price?: number
}

const writeQuantity = ({ quantity, shortQuantity: short, fraction }: SaleTail): ByteText => {
  if (fraction !== undefined) return `*${fraction}`
  if (quantity === undefined) return ''
  return `*${short ? shortQuantity(quantity) : formatQuantity(quantity)}`
}

const writeTail = ({ percent, value, ...sold }: SaleTail): ByteText =>
  writeQuantity(sold) +
  (percent === undefined ? '' : `,${writePercent(percent)}`) +
  (value === undefined ? '' : `:${formatMoney(value)}`)

type Parts = Readonly<Partial<Record<'head' | '*' | ',' | ':' | '!' | '$', ByteText>>>

/**
 * Splits `2.50*3,-10%!D` into its head and the parts that begin with a mark. Each mark may occur once, in any order.
 */
function takeApart(raw: ByteText, marks: string): Parts {
  const parts: Partial<Record<string, ByteText>> = {}
  let mark = 'head'
  let piece = ''
  for (let at = 0; at < raw.length; at++) {
    const letter = raw.charAt(at)
    if (!marks.includes(letter)) {
      piece += letter
      continue
    }
    parts[mark] = piece
    if (parts[letter] !== undefined) throw syntaxError('sale', `${letter} appears twice`)
    mark = letter
    piece = ''
    // The byte after `!` may have the value of a mark.
    if (letter === '!') piece = raw.charAt(++at)
  }
  parts[mark] = piece
  return parts as Parts
}

function readTail(parts: Parts, quantityOf: (raw: ByteText) => number = readPieces): SaleTail {
  const quantityText = parts['*']
  const sold = quantityText === undefined ? {} : soldAs(quantityText, quantityOf(quantityText))
  const { percent, value } = readAdjustment(parts)
  return { ...sold, ...omitUndefined({ percent, value }) }
}

/** Reads an adjustment. A known client always sends both forms and sets the unused one to zero (`,0.0:0.0`). */
function readAdjustment(parts: Parts): Pick<SaleTail, 'percent' | 'value'> {
  const percent = parts[','] === undefined ? undefined : readPercent('percent', parts[','])
  const value = parts[':'] === undefined ? undefined : readAmount('value', parts[':'], 8)
  if (percent === undefined) return value === undefined ? {} : { value }
  if (value === undefined) return { percent }
  if (percent !== 0 && value !== 0) throw syntaxError('sale', 'percent and value exclude each other')
  if (percent !== 0) return { percent }
  return value === 0 ? {} : { value }
}

function soldAs(raw: ByteText, quantity: number): Pick<SaleTail, 'quantity' | 'shortQuantity' | 'fraction'> {
  if (raw.includes('/')) return { quantity, fraction: raw }
  return raw === formatQuantity(quantity) ? { quantity } : { quantity, shortQuantity: true }
}

function readPieces(raw: ByteText): number {
  const quantity = readQuantity('quantity', raw)
  if (quantity < 0) throw syntaxError('quantity', 'is negative')
  return quantity
}

function readFraction(raw: ByteText): number {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(raw)
  if (!match) return readPieces(raw)
  const [numerator, denominator] = [Number(match[1]), Number(match[2])]
  if (denominator === 0) throw syntaxError('quantity', 'divides by zero')
  return multiplyDivide(numerator, 1000, denominator, 'halfAwayFromZero')
}

function readPrice(raw: ByteText = ''): { readonly price: number; readonly void: boolean } {
  const price = readAmount('price', raw)
  // A minus sign marks a correction even if the price is 0.00.
  return { price: Math.abs(price), void: raw.trim().startsWith('-') }
}

const writePrice = (price: number, isVoid: boolean): ByteText => `${isVoid ? '-' : ''}${formatMoney(price)}`

/**
 * Splits the data by position: a name of exactly 36 symbols, `;`, one byte for the class or department, `;`, the rest.
 * The name may contain `;`.
 */
function splitSale(raw: ByteText, page: CodePage): { name: string; mark: ByteText; rest: ByteText } {
  if (raw[NAME_WIDTH] !== ';' || raw[NAME_WIDTH + 2] !== ';') {
    throw syntaxError('name', `must be ${NAME_WIDTH} symbols, a class and a price`)
  }
  const name = raw.slice(0, NAME_WIDTH)
  if (name.includes(';')) throw syntaxError('name', 'contains a separator')
  return {
    name: page.decode(trimEndOf(name, ' ')),
    mark: raw[NAME_WIDTH + 1] as string,
    rest: raw.slice(NAME_WIDTH + 3),
  }
}

const writeName = (name: string, page: CodePage): ByteText => pad(page.encode(withoutSeparator(name)), NAME_WIDTH)

const SOLD_ROW = {
  name: 'text',
  tax: TAX,
  price: 'money',
  department: 'number',
  quantity: 'quantity',
  fraction: 'text',
  ...ADJUSTMENTS,
} as const

const saleLayout = (quantityOf?: (raw: ByteText) => number): Layout<SaleAsk> => ({
  fields: SOLD_ROW,
  write: (v, page) =>
    `${writeName(v.name, page)};${writeTax(v.tax)};${writePrice(v.price, v.void)}${writeTail(v)}` +
    (v.department === undefined ? '' : `!${departmentByte(v.department)}`),
  read(raw, page) {
    const { name, mark, rest } = splitSale(raw, page)
    const parts = takeApart(rest, '*,:!')
    const department = parts['!'] === undefined ? undefined : readDepartment('department', parts['!'])
    const sale = { name, tax: readTax('tax', mark), ...readPrice(parts.head), ...readTail(parts, quantityOf) }
    return department === undefined ? sale : { ...sale, department }
  },
})

const departmentSale: Layout<DepartmentSaleAsk> = {
  fields: SOLD_ROW,
  write: (v, page) =>
    `${writeName(v.name, page)};${departmentByte(v.department)};${writePrice(v.price, v.void)}${writeTail(v)}` +
    (v.tax === undefined ? '' : `!${writeTax(v.tax)}`),
  read(raw, page) {
    const { name, mark, rest } = splitSale(raw, page)
    const parts = takeApart(rest, '*,:!')
    const tax = parts['!'] === undefined ? undefined : readTax('tax', parts['!'])
    const sale = { name, department: readDepartment('department', mark), ...readPrice(parts.head), ...readTail(parts) }
    return tax === undefined ? sale : { ...sale, tax }
  },
}

const articleSale: Layout<ArticleSaleAsk> = {
  fields: { ...SOLD_ROW, plu: 'number' },
  write: (v) =>
    `${v.void ? '-' : '+'}${digits(v.plu, 5)}${v.price === undefined ? '' : `$${formatMoney(v.price)}`}${writeTail(v)}`,
  read(raw) {
    const sign = raw[0]
    if (sign !== '+' && sign !== '-' && sign !== ' ') throw syntaxError('sign', 'must be +, - or a blank')
    const parts = takeApart(raw.slice(raw[1] === ';' ? 2 : 1), '$*,:')
    const price = parts.$ === undefined ? undefined : readAmount('price', parts.$, 8)
    const head = parts.head ?? ''
    if (!/^\d{1,5}$/.test(head)) throw syntaxError('plu', `${JSON.stringify(head)} is not an article number`)
    const sale = { plu: readWhole('plu', head), void: sign === '-', ...readTail(parts) }
    return price === undefined ? sale : { ...sale, price }
  },
}

export interface SubtotalAsk {
  readonly print: boolean
  readonly display: boolean
  readonly value?: number
  readonly percent?: number
}

export interface AdjustmentAsk {
  /** 0 discounts the transaction, 1 the subtotal; 2 follows the setting of the device. */
  readonly type: number
  readonly display: boolean
  readonly value?: number
  readonly percent?: number
}

interface Change {
  readonly value?: number
  readonly percent?: number
}
const writeChange = (v: Change): ByteText =>
  (v.value === undefined ? '' : `:${formatMoney(v.value)}`) +
  (v.percent === undefined ? '' : `,${writePercent(v.percent)}`)

function readChange(raw: ByteText): { head: ByteText; change: Change } {
  const parts = takeApart(raw, ',:')
  const change = readTail(parts)
  return { head: parts.head ?? '', change }
}

const subtotalAsk: Layout<SubtotalAsk> = {
  fields: ADJUSTMENTS,
  write: (v) => `${v.print ? '1' : '0'};${v.display ? '1' : '0'}${writeChange(v)}`,
  read(raw) {
    const { head, change } = readChange(raw)
    const match = /^([01]);([01]);?$/.exec(head)
    if (!match) throw syntaxError('subtotal', 'must be print;display')
    return { print: match[1] === '1', display: match[2] === '1', ...change }
  },
}

const adjustmentAsk: Layout<AdjustmentAsk> = {
  fields: { type: 'number', ...ADJUSTMENTS },
  write: (v) => `${v.type};${v.display ? '1' : '0'}${writeChange(v)}`,
  read(raw) {
    const { head, change } = readChange(raw)
    const match = /^([012]);([01]);?$/.exec(head)
    if (!match) throw syntaxError('discount', 'must be type;display')
    if (change.percent === undefined && change.value === undefined) throw syntaxError('discount', 'has no amount')
    return { type: Number(match[1]), display: match[2] === '1', ...change }
  },
}

/** The amount is right-aligned in ten symbols in the edition c4. Other editions have no fixed width. */
const subtotalAnswer = (d: Edition) =>
  cells<{ readonly amount: number }>(d, {
    fields: { amount: 'money' },
    write: (v) => [formatMoney(v.amount).padStart(d.amountWidth === 0 ? 0 : 10, ' ')],
    read: (r) => ({ amount: r.amount('amount') }),
  })

/**
 * Returns whether the subtotal has no adjustment. A subtotal with an adjustment is printed regardless of `print` (sheet
 * 4.9).
 */
const changesNothing = ({ percent, value }: SubtotalAsk): boolean => !percent && !value

export const salesCommands = (d: Edition) =>
  [
    command('sale', 0x31, '4.8', selling, { request: saleLayout() }),
    command('saleByPlu', 0x32, '4.8', selling, { request: articleSale }),
    command('subtotal', 0x33, '4.9', adjusting, {
      variants: [
        { when: changesNothing, changes: 'paper' },
        { when: (ask) => changesNothing(ask) && !ask.print, prints: false },
        { when: (ask) => changesNothing(ask) && !ask.print && !ask.display, changes: 'nothing' },
      ],
      request: subtotalAsk,
      response: subtotalAnswer(d),
    }),
    command('saleByDepartment', 0x34, '4.8', selling, { request: departmentSale }),
    command('saleOfFraction', 0x3d, '4.8', selling, { request: saleLayout(readFraction) }),
    command('adjustment', 0x3e, '4.9', adjusting, { request: adjustmentAsk }),
  ] as const
