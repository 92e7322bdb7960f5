import { FieldError } from '../../../wire/field.ts'
import type { Layout } from '../../../wire/row.ts'
import { command, printing, selling } from '../command-facts.ts'
import {
  PERCENT,
  readDecimal,
  readSum,
  readSums,
  SHORT_PRICE,
  SIGNED_PRICE,
  type Sums,
  writeDecimal,
  writeSigned,
  writeSum,
  writeSums,
} from '../numbers.ts'
import { ADJUSTMENTS, badForm, documentsAndReceipts, readTexts, TEXTS, type TwoTexts, writeTexts } from './rows.ts'

export interface SubtotalRequest {
  readonly print: boolean
  readonly display: boolean
  /** Percentage in hundredths of a percent; negative for a discount. */
  readonly percent?: number
  /** Amount in hundredths; negative for a discount. Newer firmware only. */
  readonly netto?: number
}

const subtotalLayout: Layout<SubtotalRequest> = {
  fields: ADJUSTMENTS,
  write: ({ print, display, percent, netto }) =>
    (print ? '1' : '0') +
    (display ? '1' : '0') +
    (percent === undefined ? '' : `,${writeSigned('percent', percent, PERCENT)}`) +
    (netto === undefined ? '' : `$${writeSigned('netto', netto, SIGNED_PRICE)}`),
  read(raw) {
    const match = /^([01])([01])(?:,([^,$]*))?(?:\$([^,$]*))?$/.exec(raw)
    if (!match) throw badForm('subtotal', raw)
    const percent = match[3] === undefined ? 0 : readDecimal('percent', match[3], PERCENT)
    const netto = match[4] === undefined ? 0 : readDecimal('netto', match[4], SIGNED_PRICE)
    return {
      print: match[1] === '1',
      display: match[2] === '1',
      ...(percent === 0 ? {} : { percent }),
      ...(netto === 0 ? {} : { netto }),
    }
  },
}

const subtotalAnswer: Layout<{ readonly subtotal: number } & Sums> = {
  fields: { subtotal: 'money', sums: 'money', digits: 'number' },
  write: ({ subtotal, sums, digits }) => [writeSum(subtotal, digits), ...writeSums({ sums, digits })].join(','),
  read(raw) {
    const [first = '', ...rest] = raw.split(',')
    return { subtotal: readSum('subtotal', first), ...readSums('group', rest) }
  },
}

export interface PaymentRequest extends TwoTexts {
  /** `P` is cash; `N`, `C`, `D` or `U`, and `B` or `E` are the payments 1 to 4. Defaults to cash. */
  readonly letter?: string
  readonly amount?: number
}

/** Data without a TAB is valid if it is empty: a public client pays the whole amount in cash that way. */
const PAYMENT = /^(?:([^\t]*)\t([A-Za-z])?([^\t]+)?)?$/

const paymentLayout: Layout<PaymentRequest> = {
  fields: { ...TEXTS, letter: { unit: 'choice', model: 'mode' }, amount: 'money' },
  write: (values, page) =>
    `${writeTexts(values, page)}\t${values.letter ?? ''}` +
    (values.amount === undefined ? '' : writeDecimal('amount', values.amount, SHORT_PRICE)),
  read(raw, page) {
    const match = PAYMENT.exec(raw)
    if (!match) throw badForm('payment', raw)
    const [, texts = '', letter, amount] = match
    if (letter !== undefined && !/[PNCDUBE]/.test(letter)) {
      throw new FieldError('letter', 'value', `${JSON.stringify(letter)} is not a payment letter`, 0, 14)
    }
    return {
      ...readTexts(texts, page),
      ...(letter === undefined ? {} : { letter }),
      ...(amount === undefined ? {} : { amount: readDecimal('amount', amount, SHORT_PRICE) }),
    }
  },
}

/**
 * Result letters: an amount is still owed, the total is covered (with change), the payment failed, a group sum is
 * negative, the subtotal is negative.
 */
const PAYMENT_RESULTS = { owing: 'D', covered: 'R', failed: 'F', groupNegative: 'I', negative: 'E' } as const
type PaymentResult = keyof typeof PAYMENT_RESULTS

const paymentAnswer: Layout<{ readonly result: PaymentResult; readonly amount?: number }> = {
  fields: { amount: 'money' },
  write: ({ result, amount }) =>
    PAYMENT_RESULTS[result] + (amount === undefined ? '' : writeDecimal('amount', amount, SIGNED_PRICE)),
  read(raw) {
    const entry = Object.entries(PAYMENT_RESULTS).find(([, letter]) => raw.startsWith(letter))
    if (!entry) throw badForm('payment', raw)
    return {
      result: entry[0] as PaymentResult,
      ...(raw.length === 1 ? {} : { amount: readSum('amount', raw.slice(1)) }),
    }
  },
}

export const receiptCommands = [
  command('subtotal', 51, '10.5', printing, {
    allowedIn: 'inFiscal',
    variants: [
      { when: ({ print }) => !print, prints: false },
      { when: ({ print, display }) => !print && !display, changes: 'nothing' },
      { when: ({ percent, netto }) => (percent ?? netto) !== undefined, changes: 'day', allowedIn: 'beforePayment' },
      { when: ({ netto }) => netto !== undefined, editions: ['b8'] },
    ],
    request: subtotalLayout,
    response: subtotalAnswer,
    fiscal: true,
  }),
  command('payment', 53, '10.5', selling, {
    allowedIn: 'untilPaid',
    request: paymentLayout,
    response: paymentAnswer,
  }),
  /** `IdentNo[TAB RegNo[TAB Seller[TAB Receiver[TAB Client[TAB Address...]]]]]` */
  command('invoiceData', 57, '10.5', selling, {
    allowedIn: 'whenPaid',
    request: {
      fields: { fields: 'text' },
      write: ({ fields }: { readonly fields: readonly string[] }, page) =>
        fields.map((one) => page.encode(one)).join('\t'),
      read(raw, page) {
        if (raw === '' || raw.startsWith('\t')) throw badForm('identNo', raw)
        return { fields: raw.split('\t').map((one) => page.decode(one)) }
      },
    },
  }),
  command('closeFiscal', 56, '10.5', selling, {
    allowedIn: 'closing',
    response: documentsAndReceipts,
  }),
  command('cancelFiscal', 130, '10.5', selling, {
    allowedIn: 'beforePayment',
    response: documentsAndReceipts,
  }),
] as const
