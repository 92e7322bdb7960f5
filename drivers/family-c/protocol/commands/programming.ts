import { formatMoney, formatQuantity } from '../../../model/money.ts'
import { question, setting } from '../../../wire/command.ts'
import { type Layout, ownUnit } from '../../../wire/row.ts'
import {
  type CellReader, cells, departmentByte, digits, readAmount, readPercent, readTime, readWhole, syntaxError, TAX,
  writePercent, writeTime,
} from '../cells.ts' // biome-ignore format: one list
import { command, programming } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import {
  amount, bit, department, factsOf, letter, number, ownField, put, quantity, type Row, type RowField, readRowValues, row, tax, text,
  timeIfAny, type ValuesOf,
} from '../rows.ts' // biome-ignore format: one list
import { OPERATORS } from './actions.ts'
import {
  DECIMAL_POINT,
  INVOICE,
  type Parameters,
  parameterRow,
  readExchangeRate,
  writeExchangeRate,
} from './identity.ts'

export type ArticleFlag = 0 | 1 | 2

const PLU = number('plu', { digits: 5, max: 99_999 })
const NAME_WIDTHS = [20, 34] as const
const PRICE: RowField<'price', number> = {
  ...amount('price'),
  fact: 'money',
  write: (value) => formatMoney(value),
  read: (r) => readAmount('price', r.next('price')),
}
const flag = <const Name extends string>(name: Name): RowField<Name, ArticleFlag> => ({
  name,
  fact: 'number',
  write: (value) => String(value),
  read: (r) => Number(r.letter(name, ['0', '1', '2'])) as ArticleFlag,
})
/** True if the receipt is closed after a sale of the article. The field may be missing. */
const SINGLE: RowField<'single', boolean> = {
  ...bit('single'),
  read: (r) => (r.remaining > 0 ? r.bit('single') : false),
}
/** The department byte is missing if there is no department. */
const DEPARTMENT: RowField<'department', number> = {
  ...department,
  write: (value) => (value === 0 ? [] : departmentByte(value)),
  read: (r) => (r.remaining > 0 ? department.read(r) : 0),
}
const plainMoney = <const Name extends string>(name: Name): RowField<Name, number> => ({
  ...amount(name),
  write: (value) => formatMoney(value),
})
const plainQuantity = <const Name extends string>(name: Name): RowField<Name, number> => ({
  ...quantity(name),
  write: (value) => formatQuantity(value),
})
const password = <const Name extends string>(name: Name) => text(name, 6, { max: 6 })

const PARTS = {
  /** The old form, which has no mark and programs a fixed price. */
  short: { fields: [text('name', 20, { widths: NAME_WIDTHS }), PRICE, tax, DEPARTMENT] },
  general: {
    fields: [text('name', 34, { widths: NAME_WIDTHS }), PRICE, flag('priceFlag'), tax, department, SINGLE],
  },
  stock: { fields: [plainQuantity('quantity'), flag('flag')] },
  barcode: { fields: [text('barcode', 13, { max: 13 })] },
  price: { fields: [PRICE, flag('priceFlag')] },
  eraseAll: { fields: [password('password')] },
} as const
type Part = keyof typeof PARTS
export type ArticleAsk =
  | {
      readonly [P in Exclude<Part, 'eraseAll'>]: { readonly part: P; readonly plu: number } & ValuesOf<
        (typeof PARTS)[P]
      >
    }[Exclude<Part, 'eraseAll'>]
  | ({ readonly part: 'eraseAll' } & ValuesOf<typeof PARTS.eraseAll>)

/** Marks of the forms. `partOf` also accepts a bare digit, the form of published libraries. */
const MARKS = { general: '#@1+$', stock: '#@2+$', barcode: '#@3+$', price: '#@4+$', eraseAll: '#@$+$' } as const
const partOf = (mark: string): Part => {
  const part = Object.entries(MARKS).find(([, own]) => mark === own || (/^\d$/.test(mark) && own[2] === mark))
  return (part?.[0] as Part | undefined) ?? 'short'
}

const articleAsk = (d: Edition): Layout<ArticleAsk> =>
  cells<ArticleAsk>(d, {
    fields: Object.assign({ plu: 'number' }, ...Object.values(PARTS).map(factsOf)),
    write: (v, w) => [
      digits(v.part === 'eraseAll' ? 0 : v.plu, 5),
      ...(v.part === 'short' ? [] : [MARKS[v.part]]),
      ...put(PARTS[v.part], v, w),
    ],
    read(r) {
      const plu = PLU.read(r)
      const part = partOf(r.peek() ?? '')
      if (part !== 'short') r.next('part')
      if (part === 'eraseAll' && plu !== 0) throw syntaxError('plu', 'must be 0 to erase all articles')
      return { part, ...(part !== 'eraseAll' && { plu }), ...readRowValues(PARTS[part], r) } as ArticleAsk
    },
  })

/** All facts of an article. `option` and the edition determine which of them an answer contains. */
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
  readonly at?: string
  readonly stock?: number
  readonly stockFlag?: ArticleFlag
  readonly barcode?: string
}

const FLAG_BITS: RowField<'bits', number> = {
  name: 'bits',
  fact: 'number',
  write: (bits) => String.fromCharCode(0x80 + bits),
  read: (r) => r.next('flag').charCodeAt(0) - 0x80,
}
const SUMS = [
  plainQuantity('quantity'),
  plainMoney('reversalSum'),
  plainQuantity('reversalQuantity'),
  ownField(number('lastZ')),
  timeIfAny('at'),
] as const
const OPTIONS = {
  short: {
    fields: [
      text('name', 20),
      { ...amount('price'), fact: 'money' as const },
      tax,
      amount('turnover'),
      quantity('quantity'),
      number('lastZ', { digits: 5 }),
      timeIfAny('at'),
      department,
    ],
  },
  '1': {
    fields: [
      text('name', 34),
      plainMoney('price'),
      { ...flag('priceFlag'), read: (r: CellReader) => readWhole('flag', r.next('flag'), { max: 2 }) as ArticleFlag },
      tax,
      department,
      plainMoney('turnover'),
      ...SUMS,
      bit('single'),
    ],
  },
  '2': { fields: [plainQuantity('stock'), flag('stockFlag')] },
  '3': { fields: [text('barcode', 13)] },
  '4': { fields: [plainMoney('price'), flag('priceFlag')] },
  '"': {
    fields: [
      text('name', 34),
      plainMoney('price'),
      FLAG_BITS,
      tax,
      department,
      plainMoney('turnover'),
      ...SUMS,
      plainQuantity('stock'),
      text('barcode', 13),
    ],
  },
} as const satisfies Readonly<Record<string, Row>>

const isOption = (letter = ''): letter is NonNullable<ArticleAnswer['option']> => /^["1-4]$/.test(letter)

/** Quantities have all their decimals, amounts the edition's form. */
const articleAnswer = (d: Edition): Layout<ArticleAnswer> => {
  // Only the row without an option ends with a separator, and only in the edition c4.
  const short = articleRow(d, d.name === 'c4')
  const parts = articleRow(d, false)
  return { ...short, write: (v, page) => (v.option === undefined ? short : parts).write(v, page) }
}

const articleRow = (d: Edition, closed: boolean): Layout<ArticleAnswer> =>
  cells(d, {
    closed,
    fields: {
      plu: 'number', name: 'text', price: 'money', priceFlag: 'number', tax: TAX, department: 'number',
      turnover: ownUnit('money'), quantity: ownUnit('quantity'), reversalSum: ownUnit('money'),
      reversalQuantity: ownUnit('quantity'), lastZ: ownUnit('number'), at: ownUnit('time'), stock: ownUnit('quantity'),
      stockFlag: 'number', barcode: 'text',
    }, // biome-ignore format: a table
    write: (v, w) => [
      ...put({ fields: [PLU] }, v, w),
      ...(v.option === undefined ? [] : [v.option]),
      ...put(OPTIONS[v.option ?? 'short'], { ...v, bits: flagBits(v) }, w),
    ],
    read(r) {
      const plu = r.whole('plu')
      const option = r.peek()
      if (!isOption(option)) return { plu, ...readRowValues<Row>(OPTIONS.short, r) }
      r.next('option')
      const { bits, ...values } = readRowValues<Row>(OPTIONS[option], r) as Partial<ArticleAnswer> & {
        readonly bits?: number
      }
      return { plu, option, ...values, ...(bits === undefined ? {} : flagsOf(bits)) }
    },
  })

const flagBits = (v: ArticleAnswer): number => (v.priceFlag ?? 0) | ((v.stockFlag ?? 0) << 2) | (v.single ? 16 : 0)
const flagsOf = (bits: number) => ({
  priceFlag: (bits & 3) as ArticleFlag,
  stockFlag: ((bits >> 2) & 3) as ArticleFlag,
  single: (bits & 16) !== 0,
})

const DEPARTMENT_HEAD = {
  fields: [number('department', { digits: 2, max: 99 }), text('name', 20, { width: 20 }), tax],
} as const
export interface DepartmentAsk extends ValuesOf<typeof DEPARTMENT_HEAD> {
  /** Price, its flag, and a second line of the name exist only in the edition c6. */
  readonly price?: number
  readonly priceFlag?: ArticleFlag
  readonly name2?: string
}

export interface PaymentNameAsk {
  readonly type: number
  readonly name: string
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
    // A rate has up to ten symbols and a point, a code has one symbol. Some descriptions have no separator between
    // them.
    read(r) {
      const head = { type: r.whole('type', { max: d.payments - 1 }), name: r.text('name', { max: 10 }) }
      const tail = Array.from({ length: r.remaining }, () => r.next('option')).join('')
      const match = /^(\d{1,4}\.\d{5}|\d{1,4}\.\d{1,5}$)?([0-:])?$/.exec(tail)
      if (!match) throw syntaxError('payment', 'has neither a rate nor a code after the name')
      const [, rate, code] = match
      const value = rate === undefined ? undefined : readExchangeRate(rate)
      if (value !== undefined && value > 420 * 100_000) throw syntaxError('rate', 'exceeds 420')
      return {
        ...head,
        ...(value === undefined ? {} : { exchangeRate: value }),
        ...(code === undefined ? {} : { code: code.charCodeAt(0) - 0x30 }),
      }
    },
  })

export const programmingCommands = (d: Edition) =>
  [
    command('serviceMode', 0x40, '4.13', programming, { request: service(d) }),
    command('fiscalise', 0x41, '4.13', programming, { request: service(d), fiscal: true }),
    command('setTaxRates', 0x42, '4.13', programming, {
      needs: ['fiscalMemory', 'clock'],
      request: cells<{ password: string; rates: readonly (number | null)[] }>(d, {
        fields: { password: 'text', rates: 'percent' },
        write: (v, w) => [w.text(v.password, 6), ...v.rates.map((rate) => writePercent(rate ?? -100))],
        read(r) {
          const password = r.text('password', { max: 6 })
          const rates = Array.from({ length: r.remaining }, () => readPercent('rate', r.next('rate')))
          if (rates.length !== d.taxClasses)
            throw syntaxError('rates', `${rates.length} rates; expected ${d.taxClasses}`)
          if (rates.some((rate) => rate >= 10_000)) throw syntaxError('rates', 'must be below 100 %')
          return { password, rates: rates.map((rate) => (rate < 0 ? null : rate)) }
        },
      }),
      fiscal: true,
    }),
    command('setDecimalPoint', 0x43, '4.13', programming, {
      request: row(d, [password('password'), DECIMAL_POINT]),
    }),
    command('setPayment', 0x44, '4.13', programming, { request: paymentName(d) }),
    command('setParameters', 0x45, '4.13', programming, {
      request: parameterRow(d) as Layout<Parameters>,
    }),
    command('setDisplay', 0x46, '4.13', programming, {
      request: cells<{ password: string; control: string }>(d, {
        fields: { password: 'text', control: 'text' },
        write: (v, w) => [w.text(v.password, 6), w.short(v.control, 80)],
        read(r) {
          const password = r.text('password', { max: 6 })
          return { password, control: Array.from({ length: r.remaining }, () => r.next('control')).join(';') }
        },
      }),
    }),
    command('setDepartment', 0x47, '4.13', programming, {
      request: cells<DepartmentAsk>(d, {
        fields: { department: 'number', name: 'text', tax: TAX, price: 'money', priceFlag: 'number', name2: 'text' },
        write: (v, w) => [
          ...put(DEPARTMENT_HEAD, v, w),
          ...(v.price === undefined ? [] : put(PARTS.price, { priceFlag: 0, ...v }, w)),
          ...(v.name2 === undefined ? [] : [w.text(v.name2, 14)]),
        ],
        read(r) {
          const head = readRowValues(DEPARTMENT_HEAD, r)
          if (r.remaining === 0 || r.peek() === '') return head
          const price = { ...head, ...readRowValues(PARTS.price, r) }
          return r.remaining === 0 ? price : { ...price, name2: r.text('name2', { max: 14 }) }
        },
      }),
    }),
    command('setClock', 0x48, '4.13', setting, {
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
    command('setHeader', 0x49, '4.13', programming, {
      request: cells<{ line: number; text: string }>(d, {
        fields: { line: 'number', text: 'text' },
        write: (v, w) => [String(v.line), w.short(v.text, headerWidth(d, v.line))],
        read(r) {
          const line = r.whole('line', { max: 9 })
          return { line, text: r.text('text', { max: headerWidth(d, line) }) }
        },
      }),
    }),
    command('setOperator', 0x4a, '4.13', programming, {
      // A known client does not pad the name, so any length up to 20 is accepted.
      request: row(d, [
        number('operator', { digits: 2, ...OPERATORS }),
        text('name', 20, { max: 20 }),
        operatorPassword(d),
      ]),
    }),
    command('programArticle', 0x4b, '4.13', programming, { request: articleAsk(d) }),
    command('readArticle', 0x6b, '4.13', question, {
      request: row(d, [PLU], { tail: [letter('option', ['"', '1', '2', '3', '4'])] }),
      response: articleAnswer(d),
    }),
    command('readDepartment', 0x67, '4.1', question, {
      request: row(d, [DEPARTMENT_HEAD.fields[0]], {
        tail: [{ ...bit('all'), write: () => '"', read: (r: CellReader) => r.letter('all', ['"']) === '"' }],
      }),
      response: row(d, [
        number('department', { digits: 2 }),
        ownField(text('name', 20)),
        ownField(tax),
        amount('turnover'),
        quantity('quantity'),
        ownField(number('lastZ', { digits: 5 })),
        timeIfAny('at'),
      ]),
    }),
    command('loadLogo', 0x4c, '2.1', programming, { request: logo }),
    command('loadLogoNumbered', 0x4d, '2.1', programming, { request: logo }),
    command('setInvoiceRange', 0x50, '4.13', programming, {
      request: row(d, [number('start', INVOICE), number('end', INVOICE)]),
    }),
    command('servicePassword', 0x56, '4.13', programming, {
      request: row(d, [password('password'), password('changed')]),
    }),
  ] as const

/**
 * Returns the width of a header line (sheet 4.1 and 5.4). Line 0 is the greeting, line 9 the text before the tax
 * number.
 */
function headerWidth(d: Edition, line: number): number {
  if (line === 0) return 20
  if (line === 9 && d.name !== 'cr') return 12
  return d.name === 'c4' ? 38 : 48
}

/**
 * Declares a password. Shorter passwords and trailing blanks are accepted (sheet 4.6). A longer one is refused, because
 * the device would store only a part of it.
 */
const operatorPassword = (d: Edition): RowField<'password', string> => ({
  ...text('password', d.passwordWidth),
  read(r) {
    const value = r.text('password', { max: 6 })
    if (value.length > d.passwordWidth) throw syntaxError('password', `has more than ${d.passwordWidth} symbols`)
    return value
  },
})

function service(d: Edition): Layout<{ password: string; fields: readonly string[] }> {
  return cells(d, {
    fields: { password: 'text', fields: 'text' },
    write: (v, w) => [w.text(v.password, 6), ...v.fields.map((field) => w.short(field, 26))],
    read(r) {
      const password = r.text('password', { max: 6 })
      return { password, fields: Array.from({ length: r.remaining }, () => r.text('field', { max: 26 })) }
    },
  })
}

/** Clients send a logo without a frame (sheet 2.1). The data of an ordinary frame with this code must be a bitmap. */
const logo: Layout<{ bitmap: string }> = {
  fields: { bitmap: 'bytes' },
  write: (v) => v.bitmap,
  read(raw) {
    if (!raw.startsWith('BM') || raw.length < 62) throw syntaxError('bitmap', 'is not a bitmap')
    return { bitmap: raw }
  },
}
