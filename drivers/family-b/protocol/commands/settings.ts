import { formatDecimal } from '../../../model/money.ts'
import type { CodePage } from '../../../wire/charset.ts'
import { question, SHOWS_ONLY, setting } from '../../../wire/command.ts'
import { choice, int, optional, text } from '../../../wire/field.ts'
import { type Layout, ownUnit, row } from '../../../wire/row.ts'
import { command, printing } from '../command-facts.ts'
import {
  readDateTime,
  readDecimal,
  readRate,
  readSum,
  SIGNED_PRICE,
  writeDateTime,
  writeDecimal,
  writeRate,
} from '../numbers.ts'
import { badForm, COMMAS, doneOrFailed, readTexts, TEXTS, type TwoTexts, writeTexts } from './rows.ts'

export interface CashRequest extends TwoTexts {
  /** Amount; negative for cash out of the drawer. */
  readonly amount: number
}

/** `{Amount}[,Text1[LF Text2]TAB]` */
const cashRequest: Layout<CashRequest> = {
  fields: { amount: 'money', ...TEXTS },
  write(values, page) {
    const amount = writeDecimal('amount', values.amount, SIGNED_PRICE)
    const texts = writeTexts(values, page)
    return texts === '' ? amount : `${amount},${texts}\t`
  },
  read(raw, page) {
    // A request without data is the same query as with amount 0 (P19).
    if (raw === '') return { amount: 0 }
    const match = /^([^,]*)(?:,([^\t]*)\t?)?$/.exec(raw)
    if (!match) throw badForm('cash', raw)
    return { amount: readDecimal('amount', match[1] ?? '', SIGNED_PRICE), ...readTexts(match[2] ?? '', page) }
  },
}

export interface CashAnswer {
  readonly done: boolean
  readonly cash: number
  readonly cashIn: number
  readonly cashOut: number
}

const cashAnswer: Layout<CashAnswer> = {
  fields: { cash: ownUnit('money'), cashIn: ownUnit('money'), cashOut: ownUnit('money') },
  write: ({ done, cash, cashIn, cashOut }) =>
    [done ? 'P' : 'F', ...[cash, cashIn, cashOut].map((sum) => formatDecimal(sum, 2))].join(','),
  read(raw) {
    const [letter, cash = '', cashIn = '', cashOut = ''] = raw.split(',')
    if (letter !== 'P' && letter !== 'F') throw badForm('cash', raw)
    return {
      done: letter === 'P',
      cash: readSum('cash', cash),
      cashIn: readSum('cashIn', cashIn),
      cashOut: readSum('cashOut', cashOut),
    }
  },
}

const operator = int('operator', { min: 1, max: 99 })
const digits = <const Name extends string>(name: Name) => text(name, { max: 6, pattern: /^\d+$/ })

type PrintOptionRequest =
  /**
   * Header and footer lines are counted from 0. Above 9, the device reads the second digit as the beginning of the
   * text.
   */
  | { readonly do: 'line'; readonly line: number; readonly text: string }
  /** `P` blank lines and the rule before the total, `L` logo, `C` cutting, `A` detailed receipt. */
  | { readonly do: 'set'; readonly option: 'P' | 'L' | 'C' | 'A'; readonly value: string }
  | { readonly do: 'readOption'; readonly option: 'P' | 'L' | 'C' | 'A' }
  | { readonly do: 'readLine'; readonly line: number }

const printOptionRequest: Layout<PrintOptionRequest> = {
  fields: { line: 'number', text: 'text', value: 'text' },
  write(values, page) {
    switch (values.do) {
      case 'line':
        return values.line + page.encode(values.text)
      case 'set':
        return values.option + values.value
      case 'readOption':
        return `I${values.option}`
      case 'readLine':
        return `I${values.line}`
    }
  },
  read(raw, page) {
    const option = /^([PLCA])(\d{1,4})$/.exec(raw)
    if (option) return { do: 'set', option: option[1] as 'P' | 'L' | 'C' | 'A', value: option[2] ?? '' }
    const query = /^I([PLCA]|\d{1,2})$/.exec(raw)?.[1]
    if (query !== undefined && /[PLCA]/.test(query)) return { do: 'readOption', option: query as 'P' | 'L' | 'C' | 'A' }
    if (query !== undefined) return { do: 'readLine', line: Number(query) }
    if (!/^\d/.test(raw)) throw badForm('options', raw)
    return { do: 'line', line: Number(raw[0]), text: page.decode(raw.slice(1)) }
  },
}

const valueText: Layout<{ readonly value?: string }> = {
  fields: { value: 'text' },
  write: ({ value }, page) => (value === undefined ? '' : page.encode(value)),
  read: (raw, page) => (raw === '' ? {} : { value: page.decode(raw) }),
}

type NumberedRequest =
  | { readonly do: 'program'; readonly number: number; readonly value: string }
  | { readonly do: 'read'; readonly number: number }

/** `P{n},{value}` or `R{n}` */
const numberedRequest: Layout<NumberedRequest> = {
  fields: { number: 'number', value: 'text' },
  write: (values, page) =>
    values.do === 'read' ? `R${values.number}` : `P${values.number},${page.encode(values.value)}`,
  read(raw, page) {
    const match = /^(?:R(\d{1,3})|P(\d{1,3}),(.*))$/s.exec(raw)
    if (!match) throw badForm('setting', raw)
    const [, query, number, value = ''] = match
    return query === undefined
      ? { do: 'program', number: Number(number), value: page.decode(value) }
      : { do: 'read', number: Number(query) }
  },
}

/** `n,value` after a query, empty after a setting. */
const numberedAnswer: Layout<{ readonly number?: number; readonly value?: string }> = {
  fields: { number: 'number', value: 'text' },
  write: ({ number, value }, page: CodePage) => (number === undefined ? '' : `${number},${page.encode(value ?? '')}`),
  read(raw, page) {
    if (raw === '') return {}
    const match = /^(\d+),(.*)$/s.exec(raw)
    if (!match) throw badForm('setting', raw)
    return { number: Number(match[1]), value: page.decode(match[2] ?? '') }
  },
}

export const settingCommands = [
  command('setClock', 61, '10.8', setting, {
    request: {
      fields: { at: 'time' },
      write: ({ at }: { readonly at: string }) => writeDateTime(at),
      read: (raw) => ({ at: readDateTime('clock', raw) }),
    },
  }),
  command('cashInOut', 70, '10.8', printing, {
    changes: 'day',
    allowedIn: 'anywhere',
    variants: [{ when: ({ amount }) => amount === 0, changes: 'nothing', prints: false }],
    request: cashRequest,
    response: cashAnswer,
    fiscal: true,
  }),
  /** Groups without a rate in the request do not change. */
  command('setTaxRates', 96, '10.8', setting, {
    request: {
      fields: { rates: 'percent' },
      write: ({ rates }: { readonly rates: readonly (number | null)[] }) => rates.map(writeRate).join(','),
      read(raw) {
        if (raw === '') throw badForm('rates', raw)
        return { rates: raw.split(',').map(readRate) }
      },
    },
    response: doneOrFailed,
  }),
  command('setPassword', 101, '10.8', setting, {
    request: row(COMMAS, [operator, digits('old'), digits('next')]),
  }),
  command('setOperatorName', 102, '10.8', setting, {
    request: row(COMMAS, [operator, digits('password'), text('name', { max: 200 })]),
  }),
  /** `pulseMs` is the length of the pulse. The device stores it. */
  command('drawer', 106, '10.8', SHOWS_ONLY, {
    needs: ['pcMode'],
    variants: [{ when: ({ pulseMs }) => pulseMs !== undefined, changes: 'memory' }],
    request: row(COMMAS, [optional(int('pulseMs', { min: 50, max: 999 }))]),
  }),
  command('feed', 44, '10.8', printing, {
    allowedIn: 'anywhere',
    request: row(COMMAS, [optional(int('lines', { min: 1, max: 99 }))]),
  }),
  command('cut', 45, '10.8', printing, {
    allowedIn: 'anywhere',
    request: row(COMMAS, [optional(choice('cut', { full: '1', partial: '2' }))]),
    response: doneOrFailed,
  }),
  /** `count` is the number of copies. `document` is the number of the document, on firmware that stores several. */
  command('duplicate', 109, '10.8', printing, {
    changes: 'day',
    variants: [{ when: ({ count }) => count === undefined, editions: ['b5'] }],
    request: row(COMMAS, [
      optional(int('count', { min: 0, max: 99 })),
      optional(int('document', { min: 1, max: 99_999_999 })),
    ]),
    fiscal: true,
  }),
  command('printOptions', 43, '10.8', setting, {
    variants: [{ when: (ask) => ask.do === 'readOption' || ask.do === 'readLine', ...question }],
    request: printOptionRequest,
    response: valueText,
  }),
  /** Numbers 40 to 53 are header and footer lines, 60 to 64 names of payments, 600 to 610 comment lines. */
  command('texts', 149, '10.8', setting, {
    variants: [{ when: (ask) => ask.do === 'read', ...question }],
    request: numberedRequest,
    response: valueText,
  }),
  command('parameters', 150, '10.8', setting, {
    variants: [{ when: (ask) => ask.do === 'read', ...question }],
    request: numberedRequest,
    response: numberedAnswer,
  }),
  command('paymentNames', 151, '10.8', setting, {
    variants: [{ when: (ask) => ask.do === 'read', ...question }],
    request: numberedRequest,
    response: numberedAnswer,
  }),
] as const
