/** Programming (sheet 4.13) and the PLU table's two commands. */
import { formatMoney, formatQuantity } from '../../../model/money.ts'
import { question, setting } from '../../../wire/command.ts'
import type { Layout } from '../../../wire/row.ts'
import {
  type CellReader, cells, departmentByte, digits, readAmount, readDepartment, readPercent, readTax, readTime,
  readWhole, syntaxError, TAX, writePercent, writeTax, writeTime,
} from '../cells.ts' // biome-ignore format: one list
import type { Edition } from '../edition.ts'
import { command, programming } from '../facts.ts'
import { OPERATORS } from './actions.ts'
import { type Parameters, parameterRow, readExchangeRate, writeExchangeRate } from './identity.ts'

/** How an article's price or stock is kept: 0 fixed or not counted, 1 free or allowed below zero, 2 limited. */
export type ArticleFlag = 0 | 1 | 2

export interface ArticleGeneral {
  readonly plu: number
  readonly name: string
  readonly price: number
  readonly priceFlag: ArticleFlag
  readonly tax: string
  readonly department: number
  /** The receipt closes behind it. */
  readonly single: boolean
}

export type ArticleAsk =
  /** The old form: a fixed price. */
  | ({ readonly part: 'short' } & Omit<ArticleGeneral, 'priceFlag' | 'single'>)
  | ({ readonly part: 'general' } & ArticleGeneral)
  | { readonly part: 'stock'; readonly plu: number; readonly quantity: number; readonly flag: ArticleFlag }
  | { readonly part: 'barcode'; readonly plu: number; readonly barcode: string }
  | { readonly part: 'price'; readonly plu: number; readonly price: number; readonly priceFlag: ArticleFlag }
  | { readonly part: 'eraseAll'; readonly password: string }

const NAME_WIDTHS = [20, 34] as const
const flagOf = (r: CellReader, name: string): ArticleFlag => Number(r.letter(name, ['0', '1', '2'])) as ArticleFlag

/** `#@1+$` of D6, or the bare digit of the library definitions. */
const PARTS: Readonly<Record<string, '1' | '2' | '3' | '4' | 'erase'>> = {
  '#@1+$': '1', '#@2+$': '2', '#@3+$': '3', '#@4+$': '4', '#@$+$': 'erase', '1': '1', '2': '2', '3': '3', '4': '4',
} // biome-ignore format: a table

const articleAsk = (d: Edition): Layout<ArticleAsk> =>
  cells(d, {
    fields: {
      plu: 'number',
      name: 'text',
      price: 'money',
      priceFlag: 'number',
      tax: TAX,
      department: 'number',
      quantity: 'quantity',
      flag: 'number',
      barcode: 'text',
      password: 'text',
    },
    write(v, w) {
      switch (v.part) {
        case 'short':
          return [
            digits(v.plu, 5),
            w.text(v.name, 20),
            formatMoney(v.price),
            writeTax(v.tax),
            ...(v.department === 0 ? [] : [departmentByte(v.department)]),
          ]
        case 'general':
          return [
            digits(v.plu, 5),
            '#@1+$',
            w.text(v.name, 34),
            formatMoney(v.price),
            String(v.priceFlag),
            writeTax(v.tax),
            departmentByte(v.department),
            v.single ? '1' : '0',
          ]
        case 'stock':
          return [digits(v.plu, 5), '#@2+$', formatQuantity(v.quantity), String(v.flag)]
        case 'barcode':
          return [digits(v.plu, 5), '#@3+$', w.text(v.barcode, 13)]
        case 'price':
          return [digits(v.plu, 5), '#@4+$', formatMoney(v.price), String(v.priceFlag)]
        case 'eraseAll':
          return ['00000', '#@$+$', w.text(v.password, 6)]
      }
    },
    read(r) {
      const plu = r.whole('plu', { max: 99_999 })
      const part = PARTS[r.peek() ?? '']
      if (part !== undefined) r.next('part')
      switch (part) {
        case undefined: {
          const name = r.text('name', { widths: NAME_WIDTHS })
          const price = readAmount('price', r.next('price'))
          const tax = readTax('tax', r.next('tax'))
          return {
            part: 'short',
            plu,
            name,
            price,
            tax,
            department: r.left > 0 ? readDepartment('department', r.next('department')) : 0,
          }
        }
        case '1':
          return {
            part: 'general',
            plu,
            name: r.text('name', { widths: NAME_WIDTHS }),
            price: readAmount('price', r.next('price')),
            priceFlag: flagOf(r, 'priceFlag'),
            tax: readTax('tax', r.next('tax')),
            department: readDepartment('department', r.next('department')),
            single: r.left > 0 ? r.bit('single') : false,
          }
        case '2':
          return { part: 'stock', plu, quantity: r.quantity('quantity'), flag: flagOf(r, 'flag') }
        case '3':
          return { part: 'barcode', plu, barcode: r.text('barcode', { max: 13 }) }
        case '4':
          return { part: 'price', plu, price: readAmount('price', r.next('price')), priceFlag: flagOf(r, 'priceFlag') }
        case 'erase':
          if (plu !== 0) throw syntaxError('plu', 'is 0 where all are erased')
          return { part: 'eraseAll', password: r.text('password', { max: 6 }) }
        default:
          throw syntaxError('part', 'is none of the parts of an article')
      }
    },
  })

/** All that is known of an article; which of it stands on the wire depends on `option` and the edition. */
export interface ArticleAnswer {
  readonly plu: number
  readonly option?: '"' | '1' | '2' | '3' | '4'
  readonly name?: string
  readonly price?: number
  readonly priceFlag?: ArticleFlag
  readonly tax?: string
  readonly department?: number
  readonly single?: boolean
  readonly turnover?: number
  readonly quantity?: number
  readonly reversalSum?: number
  readonly reversalQuantity?: number
  readonly lastZ?: number
  /** Local time of that report. */
  readonly at?: string
  readonly stock?: number
  readonly stockFlag?: ArticleFlag
  readonly barcode?: string
}

/** As many decimals as a quantity has, amounts as the edition writes them. */
const articleAnswer = (d: Edition): Layout<ArticleAnswer> => {
  // The rows by parts are of c6, in any edition; only c4's own row is closed.
  const short = articleRow(d, d.name === 'c4')
  const parts = articleRow(d, false)
  return { ...short, write: (v, page) => (v.option === undefined ? short : parts).write(v, page) }
}

const articleRow = (d: Edition, closed: boolean): Layout<ArticleAnswer> =>
  cells(d, {
    closed,
    fields: {
      plu: 'number', name: 'text', price: 'money', priceFlag: 'number', tax: TAX, department: 'number', turnover: 'money',
      quantity: 'quantity', reversalSum: 'money', reversalQuantity: 'quantity', lastZ: 'number', at: 'time',
      stock: 'quantity', stockFlag: 'number', barcode: 'text',
    }, // biome-ignore format: a table
    write(v, w) {
      const plu = digits(v.plu, 5)
      const at = v.at === undefined ? '00-00-0000 00:00' : writeTime(v.at)
      const amount = (value = 0) => (v.option === undefined ? w.amount(value) : formatMoney(value))
      const quantity = (value = 0) => (v.option === undefined ? w.quantity(value) : formatQuantity(value))
      const tax = writeTax(v.tax ?? 'А')
      const department = departmentByte(v.department ?? 0)
      switch (v.option) {
        case undefined:
          return [
            plu, w.text(v.name ?? '', 20), amount(v.price), tax, amount(v.turnover), quantity(v.quantity),
            digits(v.lastZ ?? 0, 5), at, department,
          ] // biome-ignore format: one row
        case '2':
          return [plu, '2', quantity(v.stock), String(v.stockFlag ?? 0)]
        case '3':
          return [plu, '3', w.text(v.barcode ?? '', 13)]
        case '4':
          return [plu, '4', amount(v.price), String(v.priceFlag ?? 0)]
        default: {
          const flag = v.option === '1' ? String(v.priceFlag ?? 0) : String.fromCharCode(0x80 + flagBits(v))
          const general = [
            plu, v.option, w.text(v.name ?? '', 34), amount(v.price), flag, tax, department, amount(v.turnover),
            quantity(v.quantity), amount(v.reversalSum), quantity(v.reversalQuantity), String(v.lastZ ?? 0), at,
          ] // biome-ignore format: one row
          return v.option === '1'
            ? [...general, v.single ? '1' : '0']
            : [...general, quantity(v.stock), w.text(v.barcode ?? '', 13)]
        }
      }
    },
    read(r) {
      const plu = r.whole('plu')
      const option = r.peek()
      if (option !== '1' && option !== '2' && option !== '3' && option !== '4' && option !== '"') {
        const name = r.text('name')
        const [price, tax] = [r.amount('price'), readTax('tax', r.next('tax'))]
        const [turnover, quantity] = [r.amount('turnover'), r.quantity('quantity')]
        const lastZ = r.whole('lastZ')
        return {
          plu,
          name,
          price,
          tax,
          turnover,
          quantity,
          lastZ,
          ...readAt(r),
          department: readDepartment('department', r.next('department')),
        }
      }
      r.next('option')
      switch (option) {
        case '2':
          return { plu, option, stock: r.quantity('stock'), stockFlag: flagOf(r, 'flag') }
        case '3':
          return { plu, option, barcode: r.text('barcode') }
        case '4':
          return { plu, option, price: r.amount('price'), priceFlag: flagOf(r, 'flag') }
        default:
          return { plu, option, ...readGeneral(r, option) }
      }
    },
  })

const flagBits = (v: ArticleAnswer): number => (v.priceFlag ?? 0) | ((v.stockFlag ?? 0) << 2) | (v.single ? 16 : 0)

function readAt(r: CellReader): { readonly at?: string } {
  const raw = r.next('at')
  return raw.startsWith('00-00') ? {} : { at: readTime('at', raw) }
}

function readGeneral(r: CellReader, option: '1' | '"'): Partial<ArticleAnswer> {
  const name = r.text('name')
  const price = r.amount('price')
  const flag = r.next('flag')
  const tax = readTax('tax', r.next('tax'))
  const department = readDepartment('department', r.next('department'))
  const sums = {
    turnover: r.amount('turnover'),
    quantity: r.quantity('quantity'),
    reversalSum: r.amount('reversalSum'),
    reversalQuantity: r.quantity('reversalQuantity'),
    lastZ: r.whole('lastZ'),
    ...readAt(r),
  }
  const head = { name, price, tax, department, ...sums }
  if (option === '1')
    return { ...head, priceFlag: readWhole('flag', flag, { max: 2 }) as ArticleFlag, single: r.bit('single') }
  const bits = flag.charCodeAt(0) - 0x80
  return {
    ...head,
    priceFlag: (bits & 3) as ArticleFlag,
    stockFlag: ((bits >> 2) & 3) as ArticleFlag,
    single: (bits & 16) !== 0,
    stock: r.quantity('stock'),
    barcode: r.text('barcode'),
  }
}

export interface DepartmentAsk {
  readonly department: number
  readonly name: string
  readonly tax: string
  /** c6: price, how it is kept, and a second line of the name. */
  readonly price?: number
  readonly priceFlag?: ArticleFlag
  readonly name2?: string
}

export interface DepartmentAnswer {
  readonly department: number
  readonly name: string
  readonly tax: string
  readonly turnover: number
  readonly quantity: number
  readonly lastZ: number
  readonly at?: string
}

export interface PaymentNameAsk {
  /** Of the payment, as in 35h. */
  readonly type: number
  readonly name: string
  /** Hundred-thousandths. */
  readonly exchangeRate?: number
  readonly code?: number
}

const paymentName = (d: Edition): Layout<PaymentNameAsk> =>
  cells(d, {
    fields: { type: 'number', name: 'text', exchangeRate: 'number', code: 'number' },
    write: (v, w) => [
      String(v.type),
      w.text(v.name, 10),
      ...(v.exchangeRate === undefined ? [] : [writeExchangeRate(v.exchangeRate)]),
      ...(v.code === undefined ? [] : [String.fromCharCode(0x30 + v.code)]),
    ],
    // A rate has ten symbols with a point, a code has one; D4 has no separator between the two.
    read(r) {
      const head = { type: r.whole('type', { max: d.payments - 1 }), name: r.text('name', { max: 10 }) }
      const pieces = Array.from({ length: r.left }, () => r.next('option')).filter((piece) => piece !== '')
      const tail = pieces.join('')
      const match = /^(\d{1,4}\.\d{5}|\d{1,4}\.\d{1,5}$)?([0-:])?$/.exec(tail)
      if (!match) throw syntaxError('payment', 'has neither a rate nor a code behind the name')
      const [, rate, code] = match
      const value = rate === undefined ? undefined : readExchangeRate(rate)
      if (value !== undefined && value > 420 * 100_000) throw syntaxError('rate', 'is above 420')
      return {
        ...head,
        ...(value === undefined ? {} : { exchangeRate: value }),
        ...(code === undefined ? {} : { code: code.charCodeAt(0) - 0x30 }),
      }
    },
  })

export const programmingCommands = (d: Edition) =>
  [
    command({ name: 'serviceMode', code: 0x40, source: '4.13', ...programming, request: service(d) }),
    command({ name: 'fiscalise', code: 0x41, source: '4.13', ...programming, request: service(d), fiscal: true }),
    command({
      name: 'setTaxRates',
      code: 0x42,
      source: '4.13',
      ...programming,
      needs: ['fiscalMemory', 'clock'],
      request: cells<{ password: string; rates: readonly (number | null)[] }>(d, {
        fields: { password: 'text', rates: 'percent' },
        write: (v, w) => [w.text(v.password, 6), ...v.rates.map((rate) => writePercent(rate ?? -100))],
        read(r) {
          const password = r.text('password', { max: 6 })
          const rates = Array.from({ length: r.left }, () => readPercent('rate', r.next('rate')))
          if (rates.length !== d.taxClasses) throw syntaxError('rates', `are ${rates.length}, not ${d.taxClasses}`)
          if (rates.some((rate) => rate >= 10_000)) throw syntaxError('rates', 'are below 100 %')
          return { password, rates: rates.map((rate) => (rate < 0 ? null : rate)) }
        },
      }),
      fiscal: true,
    }),
    command({
      name: 'setDecimalPoint',
      code: 0x43,
      source: '4.13',
      ...programming,
      request: cells<{ password: string; decimals: 0 | 2 }>(d, {
        fields: { password: 'text', decimals: 'number' },
        write: (v, w) => [w.text(v.password, 6), String(v.decimals)],
        read: (r) => ({
          password: r.text('password', { max: 6 }),
          decimals: r.letter('decimals', ['0', '2']) === '2' ? 2 : 0,
        }),
      }),
    }),
    command({ name: 'setPayment', code: 0x44, source: '4.13', ...programming, request: paymentName(d) }),
    command({
      name: 'setParameters',
      code: 0x45,
      source: '4.13',
      ...programming,
      request: parameterRow(d) as Layout<Parameters>,
    }),
    command({
      name: 'setDisplay',
      code: 0x46,
      source: '4.13',
      ...programming,
      request: cells<{ password: string; control: string }>(d, {
        fields: { password: 'text', control: 'text' },
        write: (v, w) => [w.text(v.password, 6), w.short(v.control, 80)],
        read(r) {
          const password = r.text('password', { max: 6 })
          return { password, control: Array.from({ length: r.left }, () => r.next('control')).join(';') }
        },
      }),
    }),
    command({
      name: 'setDepartment',
      code: 0x47,
      source: '4.13',
      ...programming,
      request: cells<DepartmentAsk>(d, {
        fields: {
          department: 'number',
          name: 'text',
          tax: TAX,
          price: 'money',
          priceFlag: 'number',
          name2: 'text',
        },
        write: (v, w) => [
          digits(v.department, 2),
          w.text(v.name, 20),
          writeTax(v.tax),
          ...(v.price === undefined ? [] : [formatMoney(v.price), String(v.priceFlag ?? 0)]),
          ...(v.name2 === undefined ? [] : [w.text(v.name2, 14)]),
        ],
        read(r) {
          const head = {
            department: r.whole('department', { max: 99 }),
            name: r.text('name', { width: 20 }),
            tax: readTax('tax', r.next('tax')),
          }
          if (r.left === 0 || r.peek() === '') return head
          const price = { ...head, price: readAmount('price', r.next('price')), priceFlag: flagOf(r, 'flag') }
          return r.left === 0 ? price : { ...price, name2: r.text('name2', { max: 14 }) }
        },
      }),
    }),
    command({
      name: 'setClock',
      code: 0x48,
      source: '4.13',
      ...setting,
      prints: true,
      request: cells<{ at: string }>(d, {
        fields: { at: 'time' },
        write: (v) => {
          const time = writeTime(v.at)
          return [`${time.slice(0, 6)}${time.slice(8)}${v.at.slice(16)}`]
        },
        read: (r) => ({ at: readTime('at', r.next('at')) }),
      }),
    }),
    command({
      name: 'setHeader',
      code: 0x49,
      source: '4.13',
      ...programming,
      request: cells<{ line: number; text: string }>(d, {
        fields: { line: 'number', text: 'text' },
        write: (v, w) => [String(v.line), w.short(v.text, headerWidth(d, v.line))],
        read(r) {
          const line = r.whole('line', { max: 9 })
          return { line, text: r.text('text', { max: headerWidth(d, line) }) }
        },
      }),
    }),
    command({
      name: 'setOperator',
      code: 0x4a,
      source: '4.13',
      ...programming,
      request: cells<{ operator: number; name: string; password: string }>(d, {
        fields: { operator: 'number', name: 'text', password: 'text' },
        write: (v, w) => [digits(v.operator, 2), w.text(v.name, 20), w.text(v.password, d.passwordWidth)],
        read: (r) => ({
          operator: r.whole('operator', OPERATORS),
          // One client does not fill the name up.
          name: r.text('name', { max: 20 }),
          password: operatorPassword(r, d),
        }),
      }),
    }),
    command({ name: 'programArticle', code: 0x4b, source: '4.13', ...programming, request: articleAsk(d) }),
    command({
      name: 'readArticle',
      code: 0x6b,
      source: '4.13',
      ...question,
      request: cells<{ plu: number; option?: '"' | '1' | '2' | '3' | '4' }>(d, {
        fields: { plu: 'number' },
        write: (v) => [digits(v.plu, 5), ...(v.option === undefined ? [] : [v.option])],
        read(r) {
          const plu = r.whole('plu', { max: 99_999 })
          return r.left === 0 || r.peek() === ''
            ? { plu }
            : { plu, option: r.letter('option', ['"', '1', '2', '3', '4']) }
        },
      }),
      response: articleAnswer(d),
    }),
    command({
      name: 'readDepartment',
      code: 0x67,
      source: '4.1',
      ...question,
      request: cells<{ department: number; all?: boolean }>(d, {
        fields: { department: 'number' },
        write: (v) => [digits(v.department, 2), ...(v.all ? ['"'] : [])],
        read(r) {
          const department = r.whole('department', { max: 99 })
          return r.left === 0 || r.peek() === ''
            ? { department }
            : { department, all: r.letter('option', ['"']) === '"' }
        },
      }),
      response: cells<DepartmentAnswer>(d, {
        fields: {
          department: 'number',
          name: 'text',
          tax: TAX,
          turnover: 'money',
          quantity: 'quantity',
          lastZ: 'number',
          at: 'time',
        },
        write: (v, w) => [
          digits(v.department, 2),
          w.text(v.name, 20),
          writeTax(v.tax),
          w.amount(v.turnover),
          w.quantity(v.quantity),
          digits(v.lastZ, 5),
          v.at === undefined ? '00-00-0000 00:00' : writeTime(v.at),
        ],
        read: (r) => ({
          department: r.whole('department'),
          name: r.text('name'),
          tax: readTax('tax', r.next('tax')),
          turnover: r.amount('turnover'),
          quantity: r.quantity('quantity'),
          lastZ: r.whole('lastZ'),
          ...readAt(r),
        }),
      }),
    }),
    command({ name: 'loadLogo', code: 0x4c, source: '2.1', ...programming, request: logo }),
    command({ name: 'loadLogoNumbered', code: 0x4d, source: '2.1', ...programming, request: logo }),
    command({
      name: 'setInvoiceRange',
      code: 0x50,
      source: '4.13',
      ...programming,
      request: cells<{ start: number; end: number }>(d, {
        fields: { start: 'number', end: 'number' },
        write: (v) => [digits(v.start, 10), digits(v.end, 10)],
        read: (r) => ({
          start: r.whole('start', { min: 1, max: 9_999_999_999 }),
          end: r.whole('end', { min: 1, max: 9_999_999_999 }),
        }),
      }),
    }),
    command({
      name: 'servicePassword',
      code: 0x56,
      source: '4.13',
      ...programming,
      request: cells<{ password: string; changed: string }>(d, {
        fields: { password: 'text', changed: 'text' },
        write: (v, w) => [w.text(v.password, 6), w.text(v.changed, 6)],
        read: (r) => ({ password: r.text('password', { max: 6 }), changed: r.text('changed', { max: 6 }) }),
      }),
    }),
  ] as const

/** 4.1 and 5.4: the greeting has 20 symbols, the text before the tax id 12, header and footer of c4 38. */
function headerWidth(d: Edition, line: number): number {
  if (line === 0) return 20
  if (line === 9 && d.name !== 'cr') return 12
  return d.name === 'c4' ? 38 : 48
}

/** Shorter ones and blanks behind are taken (sheet 4.6); more than the device keeps could never be given again. */
function operatorPassword(r: CellReader, d: Edition): string {
  const password = r.text('password', { max: 6 })
  if (password.length > d.passwordWidth) throw syntaxError('password', `has more than ${d.passwordWidth} symbols`)
  return password
}

/** 40h opens the service, 41h fiscalises: a password, and for 41h the numbers that the device shall have. */
function service(d: Edition): Layout<{ password: string; fields: readonly string[] }> {
  return cells(d, {
    fields: { password: 'text', fields: 'text' },
    write: (v, w) => [w.text(v.password, 6), ...v.fields.map((field) => w.short(field, 26))],
    read(r) {
      const password = r.text('password', { max: 6 })
      return { password, fields: Array.from({ length: r.left }, () => r.text('field', { max: 26 })) }
    },
  })
}

/** A logo comes without frame (sheet 2.1); an ordinary frame with its code has no bitmap to take. */
const logo: Layout<{ bitmap: string }> = {
  fields: { bitmap: 'bytes' },
  write: (v) => v.bitmap,
  read(raw) {
    if (!raw.startsWith('BM') || raw.length < 62) throw syntaxError('bitmap', 'is not a bitmap')
    return { bitmap: raw }
  },
}
