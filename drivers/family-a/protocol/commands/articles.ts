/** Tax groups are letters in command 107 and digits in command 49 (sheet 6.11). */
import type { ByteText } from '../../../wire/charset.ts'
import { question, setting } from '../../../wire/command.ts'
import { FieldError, flag, int, money, optional, own, quantity } from '../../../wire/field.ts'
import type { Layout } from '../../../wire/row.ts'
import { command } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { blank, count, groupLetter, limit, many, numbered, signed, splitTabs, TAB, words } from '../fields.ts'
import { byForm, byOption, nothing, tabs } from '../layouts.ts'

const item = int('item', { min: 1, max: 999_999 })
const priceType = numbered('priceType', { fixed: '0', free: '1', maximum: '2' })
const stock = (name: 'quantity') => quantity(name, { min: 0, max: 999_999_999 })
const barcodes = many('barcodes', 4, words('barcode', { max: 13, pattern: /^\d*$/ }))
const from = tabs([optional(item)], 0)

/** The letter `A` in place of the first number means all items. */
const removed: Layout<{ readonly first: number | 'all'; readonly last?: number }> = {
  fields: { first: 'number', last: 'number' },
  write: ({ first, last }) => `${first === 'all' ? 'A' : first}\t${last === undefined ? '' : `${last}\t`}`,
  read(raw, page) {
    if (/^A\t?\t?$/.test(raw)) return { first: 'all' }
    const { item: first, last } = tabs([item, optional(int('last', { min: 1, max: 999_999 }))], 1).read(raw, page)
    if (last !== undefined && last < first) throw new FieldError('last', 'value', `${last} is below ${first}`, 2)
    return { first, ...(last === undefined ? {} : { last }) }
  },
}

const record = (d: Edition) =>
  tabs(
    [
      item,
      groupLetter('taxCode', d),
      int('department', { min: 0, max: 99 }),
      int('group', { min: 0, max: 99 }),
      priceType,
      money('price'),
      // Negative if more was voided than sold.
      signed('turnover'),
      own(quantity('sold', { min: -99_999_999_999, max: 99_999_999_999 })),
      own(quantity('stock', { min: -99_999_999_999, max: 99_999_999_999 })),
      barcodes,
      words('name', { max: 72 }),
      optional(int('unit', { min: 0, max: 19 })),
    ],
    11,
  )

const programmed = (d: Edition) =>
  [
    item,
    groupLetter('taxCode', d),
    int('department', { min: 0, max: 99 }),
    int('group', { min: 1, max: 99 }),
    priceType,
    money('price'),
    flag('addQuantity', 'A'),
    stock('quantity'),
    barcodes,
    words('name', { min: 1, max: 72 }),
    blank(int('unit', { min: 0, max: 19 })),
  ] as const

const programs = ({ option }: { readonly option: string }): boolean =>
  option === 'P' || option === 'A' || option === 'D'

export const articleCommands = (d: Edition) =>
  [
    command('articles', 107, '6.11', question, {
      variants: [
        { when: programs, ...setting, runsAs: 'programArticle' },
        { when: (ask) => !programs(ask), runsAs: 'readArticle' },
      ],
      request: byOption({
        I: nothing,
        P: tabs(programmed(d), 10),
        A: tabs([item, stock('quantity')]),
        D: removed,
        R: tabs([item]),
        F: from,
        L: from,
        N: nothing,
        f: from,
        l: from,
        n: nothing,
        X: from,
        x: from,
      }),
      response: byForm({
        none: { when: (pieces) => pieces.length === 0, layout: nothing },
        number: { when: (pieces) => pieces.length === 1, layout: tabs([own(item)]) },
        capacity: {
          when: (pieces) => pieces.length === 3,
          layout: tabs([limit('capacity'), count('programmed'), limit('nameLength')]),
        },
        record: { when: () => true, layout: record(d) },
      }),
    }),
  ] as const

/** Returns data of command 107 P with an explicit quantity of zero, which some devices require. */
export function withQuantity(data: ByteText, edition: Edition): ByteText {
  if (!data.startsWith(`P${TAB}`)) return data
  const place = 1 + programmed(edition).findIndex(({ name }) => name === 'quantity')
  return splitTabs(data)
    .map((piece, at) => (at === place && piece === '' ? '0.000' : piece) + TAB)
    .join('')
}
