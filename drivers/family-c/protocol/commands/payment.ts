import { formatMoney } from '../../../model/money.ts'
import { trimEndOf } from '../../../model/trim-end.ts'
import type { ByteText } from '../../../wire/charset.ts'
import type { Layout } from '../../../wire/row.ts'
import { readAmount, readWhole, syntaxError } from '../cells.ts'
import { adjusting, command, opening, printing } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { OPERATORS } from './actions.ts'

export interface PaymentAsk {
  readonly type: number
  readonly change: boolean
  readonly amount: number | 'exact' | 'void'
  /** Text after the amount: `;` (c6) or `*` (c4) and the kind of change. One client sends `*` alone (sheet 4.11). */
  readonly tail?: string
}

/** Returns the kind of change: 0 in cash, 1 in the same type, 2 in currency. Defaults to 0. */
export const changeType = (tail: string | undefined): number => Number(/[012]$/.exec(tail ?? '')?.[0] ?? 0)

const payment: Layout<PaymentAsk> = {
  fields: { type: { unit: 'number', model: 'mode' }, amount: 'money', tail: 'text' },
  write(v) {
    const amount = v.amount === 'exact' ? '"' : v.amount === 'void' ? '-' : formatMoney(v.amount)
    return `${v.type};${v.change ? '0' : '1'};${amount}${v.tail ?? ''}`
  },
  read(raw) {
    const match = /^(\d{1,2}| \d);([01]);([^;*]+)([;*][012]?)?$/.exec(raw)
    if (!match) throw syntaxError('payment', 'must be type;change;amount')
    const [, type = '', change, text = '', tail] = match
    const amount = text === '"' ? 'exact' : text === '-' ? 'void' : readAmount('amount', text)
    if (typeof amount === 'number' && amount < 0) throw syntaxError('amount', 'is negative')
    const ask = { type: readWhole('type', type), change: change === '0', amount } as const
    return tail === undefined ? ask : { ...ask, tail }
  },
}

export interface CashAsk {
  readonly operator: number
  readonly password: string
  readonly type: number
  readonly amount: number
  readonly text?: string
  /** Amount after `$`; only in the edition c6. */
  readonly available?: string
}

/** The edition c4 sends the text after `@`, c6 after a separator. */
const cash = (d: Edition): Layout<CashAsk> => ({
  fields: {
    operator: 'number',
    password: 'text',
    type: { unit: 'number', model: 'mode' },
    amount: 'money',
    text: 'text',
    available: 'text',
  },
  write(v, page) {
    const tail = v.text === undefined ? '' : `${d.name === 'c6' ? ';' : '@'}${page.encode(v.text).slice(0, 34)}`
    const available = v.available === undefined ? '' : `$${v.available}`
    return `${v.operator};${page.encode(v.password).padEnd(d.passwordWidth, ' ')};${v.type};${formatMoney(v.amount)}${available}${tail}`
  },
  read(raw: ByteText, page) {
    const match = /^([^;]*);([^;]{1,6});(\d{1,2});([^;@$]+)(?:\$([^;@]?))?(?:[;@]([\s\S]*))?$/.exec(raw)
    if (!match) throw syntaxError('cash', 'must be operator;password;payment;amount')
    const [, operator = '', password = '', type = '', amount = '', available, text] = match
    return {
      operator: readWhole('operator', operator, OPERATORS),
      password: page.decode(trimEndOf(password, ' ')),
      type: readWhole('type', type),
      amount: readAmount('amount', amount),
      ...(available === undefined ? {} : { available }),
      ...(text === undefined ? {} : { text: page.decode(trimEndOf(text, ' ')) }),
    }
  },
})

const PRINTING_MS = 15_000

export const paymentCommands = (d: Edition) =>
  [
    command('payment', 0x35, '4.11', adjusting, {
      allowedIn: 'untilPaid',
      variants: [{ when: ({ amount }) => amount === 'void', allowedIn: 'inFiscal' }],
      request: payment,
    }),
    command('payAndClose', 0x36, '4.11', adjusting, {
      allowedIn: 'inFiscal',
      limitMs: PRINTING_MS,
    }),
    command('closeFiscal', 0x38, '4.11', adjusting, {
      allowedIn: d.name === 'c6' ? 'closingEither' : 'closing',
      limitMs: PRINTING_MS,
    }),
    command('cancelFiscal', 0x39, '4.11', adjusting, {
      allowedIn: 'inFiscal',
      limitMs: PRINTING_MS,
    }),
    command('duplicate', 0x3a, '4.12', printing, {
      changes: 'day',
      needs: ['clock', 'journal'],
      fiscal: true,
      limitMs: PRINTING_MS,
    }),
    command('cashInOut', 0x3b, '4.12', opening, {
      allowedIn: 'betweenReceipts',
      // Cash movements remain possible after 24 hours (sheet 5.3).
      needs: ['fiscalMemory', 'clock', 'journal'],
      request: cash(d),
      limitMs: PRINTING_MS,
    }),
  ] as const
