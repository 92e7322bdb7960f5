import type { ByteText, CodePage } from '../../../wire/charset.ts'
import { int, text } from '../../../wire/field.ts'
import type { Layout } from '../../../wire/row.ts'
import { command, printing } from '../command-facts.ts'
import { DATA_MAX } from '../frame.ts'
import { badForm, documentsAndReceipts } from './rows.ts'

interface Original {
  /** Reason: 0 return, 1 operator's error, 2 reduction of the tax base. */
  readonly reason: number
  readonly document: number
  /** `DD-MM-YY HH:mm[:SS]`, as in the data of the command. */
  readonly at: string
  readonly fiscalMemory: string
}

export type OpeningKind =
  | { readonly kind: 'invoice' }
  | ({ readonly kind: 'refund' } & Original)
  | ({ readonly kind: 'creditNote'; readonly invoice: string } & Original)
  /** The fields of a travel ticket, which follow the `T`. */
  | { readonly kind: 'ticket'; readonly fields: readonly string[] }
  | { readonly kind: 'unknown'; readonly raw: ByteText }

export interface Opening {
  readonly operator: number
  readonly password: string
  /** Unique sale number, or any other value that a program sends; may be empty. */
  readonly third?: string
  readonly fourth?: string
  /** Absent for an ordinary receipt. */
  readonly document?: OpeningKind
}

const operator = int('operator', { min: 1, max: 99 })
const password = text('password', { max: 6, pattern: /^\d+$/ })
const third = text('third', { max: DATA_MAX })

const openingLayout: Layout<Opening> = {
  fields: {
    operator: 'number',
    password: 'text',
    third: 'text',
    fourth: 'text',
    document: {
      reason: 'number',
      document: 'number',
      at: 'time',
      fiscalMemory: 'text',
      invoice: 'text',
      fields: 'text',
      raw: 'bytes',
    },
  },
  write(values, page) {
    let out = `${operator.write(values.operator, page)},${password.write(values.password, page)}`
    if (values.third !== undefined) out += `,${third.write(values.third, page)}`
    if (values.fourth !== undefined) out += `,${third.write(values.fourth, page)}`
    return values.document ? out + writeKind(values.document, page) : out
  },
  read(raw, page) {
    const tab = raw.indexOf('\t')
    const head = tab < 0 ? raw : raw.slice(0, tab)
    const [number = '', secret = '', third, fourth, ...otherFields] = head.split(',')
    if (secret === '' || otherFields.length > 0) throw badForm('opening', raw)
    const who = { operator: operator.read(number, page), password: password.read(secret, page) }
    if (fourth?.startsWith('T')) {
      const fields = (fourth.slice(1) + (tab < 0 ? '' : raw.slice(tab))).split('\t').map((one) => page.decode(one))
      return { ...who, third: third ?? '', document: { kind: 'ticket', fields } }
    }
    return {
      ...who,
      ...(third === undefined ? {} : { third: page.decode(third) }),
      ...(fourth === undefined ? {} : { fourth: page.decode(fourth) }),
      ...(tab < 0 ? {} : { document: readKind(raw.slice(tab + 1)) }),
    }
  },
}

export const openingCommands = [
  command('openFiscal', 48, '10.3', printing, {
    changes: 'day',
    allowedIn: 'opening',
    variants: [
      {
        when: ({ document }) => document?.kind === 'refund' || document?.kind === 'creditNote',
        runsAs: 'openReversal',
      },
    ],
    request: openingLayout,
    response: documentsAndReceipts,
    fiscal: true,
  }),
] as const

function writeKind(kind: OpeningKind, page: CodePage): string {
  switch (kind.kind) {
    case 'invoice':
      return '\tI'
    case 'refund':
      return `\tR${kind.reason},${kind.document},${kind.at}\t${kind.fiscalMemory}`
    case 'creditNote':
      return `\tC${kind.invoice},${kind.reason},${kind.document},${kind.at}\t${kind.fiscalMemory}`
    case 'ticket':
      return `,T${kind.fields.map((field) => page.encode(field)).join('\t')}`
    case 'unknown':
      return `\t${kind.raw}`
  }
}

function readKind(tail: ByteText): OpeningKind {
  if (tail === 'I') return { kind: 'invoice' }
  const original = /^(?:R|C(\d{1,10}),)(\d),(\d{1,10}),([^,\t]+)\t(\d+)$/.exec(tail)
  if (!original) return { kind: 'unknown', raw: tail }
  const [, invoice, reason, document, at = '', fiscalMemory = ''] = original
  const common = { reason: Number(reason), document: Number(document), at, fiscalMemory }
  return invoice === undefined ? { kind: 'refund', ...common } : { kind: 'creditNote', invoice, ...common }
}
