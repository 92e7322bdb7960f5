import type { ByteText, CodePage } from '../../../wire/charset.ts'
import { type Field, FieldError, int, optional, own, text } from '../../../wire/field.ts'
import { type Layout, type RowStyle, row } from '../../../wire/row.ts'
import { DATA_MAX } from '../frame.ts'

export const COMMAS: RowStyle = { separator: ',', ended: false, dropEmptyTail: true }

/** Data that consists of one text. The device cuts the text to its own width, so any length is accepted (sheet 6.1). */
export const wholeText: Layout<{ readonly text: string }> = {
  fields: { text: 'text' },
  write: ({ text }, page) => page.encode(text),
  read: (raw, page) => ({ text: page.decode(raw) }),
}

export const rawData: Layout<{ readonly raw: ByteText }> = {
  fields: { raw: 'bytes' },
  write: ({ raw }) => raw,
  read: (raw) => ({ raw }),
}

export const ignoredData: Layout<{ readonly raw?: ByteText }> = {
  fields: { raw: 'bytes' },
  write: ({ raw = '' }) => raw,
  read: (raw) => (raw === '' ? {} : { raw }),
}

export const doneOrFailed: Layout<{ readonly done: boolean }> = {
  fields: {},
  write: ({ done }) => (done ? 'P' : 'F'),
  read(raw) {
    if (raw !== 'P' && raw !== 'F') throw new FieldError('result', 'syntax', `${JSON.stringify(raw)} is not P or F`)
    return { done: raw === 'P' }
  },
}

/** Declares a counter since the last Z report, six digits (sheet 6.4). */
export const counter = <Name extends string>(name: Name): Field<Name, number> =>
  own(int(name, { min: 0, max: 999_999_999, digits: 6 }))

export const documents = row(COMMAS, [counter('documents')])
export const documentsAndReceipts = row(COMMAS, [counter('documents'), counter('receipts')])

export const longText = <Name extends string>(name: Name) => text(name, { max: DATA_MAX })
export const optionalText = <Name extends string>(name: Name) => optional(longText(name))

export interface TwoTexts {
  readonly text1?: string
  /** The empty string means that a line feed without further text follows the first text. */
  readonly text2?: string
}

export const TEXTS = { text1: 'text', text2: 'text' } as const

/** Fields of the adjustment of a sale or a subtotal; negative for a discount. A request has at most one of the two. */
export const ADJUSTMENTS = {
  percent: { unit: 'percent', model: 'adjustment' },
  netto: { unit: 'money', model: 'adjustment' },
} as const

export function writeTexts({ text1, text2 }: TwoTexts, page: CodePage): ByteText {
  const first = text1 === undefined ? '' : page.encode(text1)
  return text2 === undefined ? first : `${first}\n${page.encode(text2)}`
}

export function readTexts(raw: ByteText, page: CodePage): TwoTexts {
  const feed = raw.indexOf('\n')
  const text1 = feed < 0 ? raw : raw.slice(0, feed)
  return {
    ...(text1 === '' ? {} : { text1: page.decode(text1) }),
    ...(feed < 0 ? {} : { text2: page.decode(raw.slice(feed + 1)) }),
  }
}

export const badForm = (field: string, raw: ByteText): FieldError =>
  new FieldError(field, 'syntax', `${JSON.stringify(raw)} has the wrong form`)
