import type { ByteText } from '../../../wire/charset.ts'
import { choice, flag, int, optional } from '../../../wire/field.ts'
import { type Layout, row } from '../../../wire/row.ts'
import { command, printing } from '../command-facts.ts'
import { badForm, COMMAS, documents, wholeText } from './rows.ts'

export const BARCODE_SCALE = { min: 0, max: 9 } as const
export const BARCODE_HEIGHT = { min: 0, max: 200 } as const

const kind = int('kind', { min: 1, max: 13 })
/** `scale` is the narrowest bar in dots, `height` is in mm; 0 means the default of the device. */
const placement = row(COMMAS, [
  optional(choice('position', { center: 'C', right: 'R', left: 'L' })),
  optional(int('scale', BARCODE_SCALE)),
  optional(int('height', BARCODE_HEIGHT)),
  optional(flag('printText', '1', '0')),
])

export interface BarcodeRequest extends ReturnType<(typeof placement)['read']> {
  readonly kind: number
  readonly data: ByteText
}

/** `{Type},{Data}[TAB{Pos}[,{Scale}[,{Height}[,{PrnText}]]]]` */
const barcodeLayout: Layout<BarcodeRequest> = {
  fields: { kind: { unit: 'number', model: 'type' }, data: 'bytes', scale: 'number', height: 'number' },
  write(values, page) {
    const place = placement.write(values, page)
    return `${kind.write(values.kind, page)},${values.data}${place === '' ? '' : `\t${place}`}`
  },
  read(raw, page) {
    const match = /^(\d{1,2}),([^\t]+)(?:\t([^\t]*))?$/.exec(raw)
    if (!match) throw badForm('barcode', raw)
    const [, number = '', data = '', place = ''] = match
    return { kind: kind.read(number, page), data, ...placement.read(place, page) }
  },
}

export const textReceiptCommands = [
  command('openNonFiscal', 38, '10.2', printing, { response: documents, fiscal: true }),
  command('nonFiscalText', 42, '10.2', printing, {
    allowedIn: 'inNonFiscal',
    request: wholeText,
    fiscal: true,
  }),
  command('closeNonFiscal', 39, '10.2', printing, {
    allowedIn: 'inNonFiscal',
    response: documents,
    fiscal: true,
  }),
  command('fiscalText', 54, '10.5', printing, {
    allowedIn: 'inFiscal',
    request: wholeText,
    fiscal: true,
  }),
  command(
    'barcode',
    84,
    '12',
    { changes: 'paper', prints: true, allowedIn: 'inReceipt' },
    {
      request: barcodeLayout,
      fiscal: true,
    },
  ),
  /** A QR code that the electronic journal does not store. Only the newest firmware has this command. */
  command(
    'qrCode',
    85,
    '10.5',
    { changes: 'paper', prints: true, allowedIn: 'inReceipt' },
    {
      editions: ['b8'],
      request: {
        fields: { text: 'text' },
        write: ({ text }: { readonly text: string }, page) => `Q,${page.encode(text)}`,
        read(raw, page) {
          if (!/^Q,./s.test(raw)) throw badForm('qrCode', raw)
          return { text: page.decode(raw.slice(2)) }
        },
      },
      fiscal: true,
    },
  ),
] as const
