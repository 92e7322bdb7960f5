import type { ByteText } from '../../../wire/charset.ts'
import { called, type Field, FieldError, flag, int, money, optional, quantity } from '../../../wire/field.ts'
import type { Layout } from '../../../wire/row.ts'
import { command, printing, selling } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { codeOf } from '../errors.ts'
import { blank, document, fiscalCounters, many, numbered, receiptSum, splitTabs, words, yesNo } from '../fields.ts'
import { tabs, withRule } from '../layouts.ts'
import { time } from '../time.ts'

const SLOW_MS = 60_000

const operator = int('operator', { min: 1, max: 30 })
const password = words('password', { min: 1, max: 8, pattern: /^\d+$/ })
const pointOfSale = int('pointOfSale', { min: 1, max: 99_999 })
const invoice = flag('invoice', 'I')

const SALE_NUMBER = /^[A-Z]{2}\d{6}-[A-Z0-9a-z]{4}-\d{7}$/
const saleNumber = words('saleNumber', { min: 21, max: 21, pattern: SALE_NUMBER })

/** Forms of command 48: plain, with the unique sale number (edition bg), with the client's tax number (edition ro). */
const plainOpening = tabs([operator, password, pointOfSale, { ...invoice, optional: true }], 4)
const numberedOpening = tabs([operator, password, saleNumber, pointOfSale, { ...invoice, optional: true }], 5)
const clientOpening = tabs(
  [operator, password, pointOfSale, invoice, words('taxNumber', { max: 14 }), optional(words('airport', { max: 10 }))],
  5,
)

interface OpeningBase {
  readonly operator: number
  readonly password: string
  readonly pointOfSale: number
  readonly invoice: boolean
}
export type Opening =
  | ({ readonly form: 'plain' } & OpeningBase)
  | ({ readonly form: 'saleNumber'; readonly saleNumber: string } & OpeningBase)
  | ({ readonly form: 'client'; readonly taxNumber: string; readonly airport?: string } & OpeningBase)

function formOf(raw: ByteText): Opening['form'] {
  const pieces = splitTabs(raw)
  if (SALE_NUMBER.test(pieces[2] ?? '')) return 'saleNumber'
  return pieces.length <= 4 ? 'plain' : 'client'
}

const OPENINGS = { plain: plainOpening, saleNumber: numberedOpening, client: clientOpening } as const

const opening: Layout<Opening> = {
  fields: { ...numberedOpening.fields, ...clientOpening.fields },
  nameOfField: (raw, index) => OPENINGS[formOf(raw)].nameOfField?.(raw, index),
  write(values, page) {
    switch (values.form) {
      case 'plain':
        return plainOpening.write(values, page)
      case 'saleNumber':
        return numberedOpening.write(values, page)
      case 'client':
        return clientOpening.write(values, page)
    }
  },
  read(raw, page) {
    const form = formOf(raw)
    if (form === 'saleNumber') return { form, ...withInvoice(numberedOpening.read(raw, page)) }
    if (form === 'plain') return { form, ...withInvoice(plainOpening.read(raw, page)) }
    const { airport, ...values } = clientOpening.read(raw, page)
    return { form, ...values, ...(airport === undefined ? {} : { airport }) }
  },
}

const withInvoice = <T extends { readonly invoice?: boolean }>(values: T): T & { readonly invoice: boolean } => ({
  ...values,
  invoice: values.invoice ?? false,
})

const modifier = optional(
  numbered('modifier', {
    none: '0',
    surchargePercent: '1',
    discountPercent: '2',
    surchargeAmount: '3',
    discountAmount: '4',
  }),
)
const modifierValue = called('adjustment', optional(money('modifierValue', { min: 0, max: 2_147_483_647 })))

interface PriceModifier {
  readonly modifier?: 'none' | 'surchargePercent' | 'discountPercent' | 'surchargeAmount' | 'discountAmount' | undefined
  readonly modifierValue?: number | undefined
}

/**
 * Checks type and value together. Type 0, or no type, is valid with the value 0.00, because one client sends it with
 * every sale.
 */
const modifierRule =
  (index: number, maxPercent: number, maxAmount: number) =>
  ({ modifier: type = 'none', modifierValue: value = 0 }: PriceModifier): void => {
    const percent = type === 'surchargePercent' || type === 'discountPercent'
    const [min, max] = type === 'none' ? [0, 0] : [1, percent ? maxPercent : maxAmount]
    if (value < min || value > max) {
      throw new FieldError('modifierValue', 'value', `${value} hundredths; expected ${min} to ${max}`, index)
    }
  }

const PRICE_MAX = 999_999_999

/**
 * A character that is not a tax group is refused with the code of a disabled group, not with a syntax error (sheet
 * 6.4).
 */
const taxCode = ({ taxGroups }: Edition): Field<'taxCode', number> => {
  const inner = int('taxCode', { min: 1, max: taxGroups })
  return {
    ...inner,
    read(raw, page) {
      if (raw.length !== 1) throw new FieldError('taxCode', 'syntax', `${JSON.stringify(raw)} is not one character`)
      const group = Number(raw)
      if (group >= 1 && group <= taxGroups) return inner.read(raw, page)
      throw new FieldError('taxCode', 'value', `${JSON.stringify(raw)} is not a tax group`, 0, codeOf('vatForbidden'))
    },
  }
}

/** Accepts any number, because the device itself refuses unknown departments with -111009. */
const department = int('department', { min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })

const answer = (d: Edition) => tabs([document(), ...fiscalCounters(d)])

export const receiptCommands = (d: Edition) =>
  [
    command('openFiscal', 48, '6.3', printing, {
      changes: 'day',
      allowedIn: 'opening',
      request: opening,
      response: answer(d),
      fiscal: true,
      limitMs: SLOW_MS,
    }),
    command('openReversal', 43, '6.3', printing, {
      changes: 'day',
      allowedIn: 'opening',
      editions: ['bg'],
      request: tabs(
        [
          operator,
          password,
          pointOfSale,
          numbered('reason', { operatorError: '0', refund: '1', taxBaseReduction: '2' }),
          int('original', { min: 1, max: 9_999_999 }),
          time('originalAt'),
          words('fiscalMemory', { min: 8, max: 8, pattern: /^\d{8}$/ }),
          blank(invoice),
          blank(words('toInvoice', { max: 10, pattern: /^\d+$/ })),
          blank(words('reasonText', { max: 42 })),
          blank(saleNumber),
        ],
        7,
      ),
      response: tabs([document()]),
      fiscal: true,
      limitMs: SLOW_MS,
    }),
    command('sale', 49, '6.4', selling, {
      request: withRule(
        tabs(
          [
            words('name', { min: 1, max: 72 }),
            taxCode(d),
            money('price', { min: -PRICE_MAX, max: PRICE_MAX }),
            optional(quantity('quantity', { min: 0, max: 999_999_999 })),
            modifier,
            modifierValue,
            optional(department),
            optional(words('unit', { min: 1, max: 6 })),
          ],
          7,
        ),
        modifierRule(6, 9_999, PRICE_MAX),
      ),
      response: answer(d),
    }),
    command('saleByPlu', 58, '6.4', selling, {
      request: withRule(
        tabs(
          [
            int('plu', { min: -2_147_483_647, max: 2_147_483_647 }),
            optional(quantity('quantity', { min: 0, max: 999_999_999 })),
            optional(money('price', { min: 0, max: PRICE_MAX })),
            modifier,
            modifierValue,
          ],
          5,
        ),
        modifierRule(5, 10_000, PRICE_MAX),
      ),
      response: answer(d),
    }),
    command('subtotal', 51, '6.4', selling, {
      allowedIn: 'beforePayment',
      variants: [
        { when: ({ modifier = 'none' }) => modifier === 'none', changes: 'paper' },
        { when: ({ print }) => print !== true, prints: false },
        {
          when: ({ print, display, modifier = 'none' }) => !print && !display && modifier === 'none',
          changes: 'nothing',
        },
      ],
      request: withRule(
        tabs([optional(yesNo('print')), optional(yesNo('display')), modifier, modifierValue], 4),
        modifierRule(4, 9_999, 2_147_483_647),
      ),
      response: tabs([document(), receiptSum('subtotal'), many('groups', d.taxGroups, receiptSum('group'))]),
    }),
    command('payment', 53, '6.4', selling, {
      allowedIn: 'untilPaid',
      request: tabs(
        [
          optional(int('mode', { min: 0, max: d.currencyMode })),
          optional(money('amount', { min: 0, max: PRICE_MAX })),
          blank(int('kind', { min: 0, max: 12 })),
        ],
        2,
      ),
      response: tabs([words('status', { min: 1, max: 1, pattern: /^[DR]$/ }), receiptSum('amount')]),
      limitMs: SLOW_MS,
    }),
    command('invoiceData', 57, '6.4', selling, {
      allowedIn: 'whenPaid',
      request: tabs(
        [
          optional(words('seller', { max: 36 })),
          optional(words('receiver', { max: 36 })),
          optional(words('buyer', { max: 36 })),
          optional(words('address1', { max: 36 })),
          optional(words('address2', { max: 36 })),
          numbered('numberType', { company: '0', personal: '1', foreigner: '2', service: '3' }),
          words('taxNumber', { min: 8, max: 13, pattern: /^[0-9A-Za-z]+$/ }),
          optional(words('vatNumber', { min: 10, max: 14, pattern: /^[0-9A-Za-z]+$/ })),
        ],
        8,
      ),
    }),
    command('closeFiscal', 56, '6.5', selling, {
      allowedIn: 'closing',
      response: answer(d),
      limitMs: SLOW_MS,
    }),
    command('cancelFiscal', 60, '6.5', selling, {
      allowedIn: 'beforePayment',
      limitMs: SLOW_MS,
    }),
    /** `1` is accepted because one client sends it, as older models required. */
    command('duplicate', 109, '6.5', printing, {
      changes: 'day',
      request: tabs([optional(int('copies', { min: 1, max: 1 }))], 0),
      fiscal: true,
      limitMs: SLOW_MS,
    }),
  ] as const
