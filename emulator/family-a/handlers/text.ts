/** Non-fiscal receipts, text lines, barcodes and separating lines (sheet 6.2, 6.4 and 6.10). */
import type { Commands } from '../../../drivers/family-a/protocol/index.ts'
import type { TextLine } from '../../../drivers/model/receipt.ts'
import type { RequestOf } from '../../../drivers/wire/command.ts'
import { type Context, done, from, type Handlers, type Reply, refused } from '../context.ts'
import { PRINT } from './parameters.ts'

function lineOf(ask: RequestOf<Commands['nonFiscalText']>): TextLine {
  return {
    text: ask.text,
    ...(ask.bold ? { bold: true } : {}),
    ...(ask.italic ? { italic: true } : {}),
    ...(ask.underline ? { underline: true } : {}),
    ...(ask.height ? { height: ask.height } : {}),
    ...(ask.alignment ? { alignment: ask.alignment } : {}),
  }
}

/** A text may have two characters fewer than a line of the paper (sheet 6.2). */
function printed({ device }: Context, line: TextLine): Reply<undefined> {
  if (line.text.length > device.profile.lineWidth - 2) return refused('valueField1')
  return from(device.printText(line))
}

function eanCheck(digits: string): number {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

function ean(data: string, length: 8 | 13): string | undefined {
  if (!/^\d+$/.test(data)) return undefined
  if (data.length === length - 1) return data + eanCheck(data)
  if (data.length !== length) return undefined
  return eanCheck(data.slice(0, -1)) === Number(data.at(-1)) ? data : undefined
}

const fits = (data: string, pattern: RegExp): string | undefined => (pattern.test(data) ? data : undefined)

/**
 * Barcodes by their type in the wire protocol. `type` is the number that the service uses; `data` returns the printed
 * data, or `undefined` if the data is invalid.
 */
const SYMBOLS: Readonly<
  Record<number, { readonly type: number; readonly label: string; readonly data: (data: string) => string | undefined }>
> = {
  1: { type: 1, label: 'EAN-8', data: (data) => ean(data, 8) },
  2: { type: 2, label: 'EAN-13', data: (data) => ean(data, 13) },
  3: { type: 3, label: 'CODE 128', data: (data) => fits(data, /^[\x20-\x7f]{3,31}$/) },
  4: { type: 4, label: 'QR', data: (data) => fits(data, /^[\x20-\x7f]{3,279}$/) },
  5: { type: 6, label: 'INTERLEAVED 2/5', data: (data) => fits(data, /^\d{3,22}$/) },
  6: { type: 7, label: 'PDF417 TRUNCATED', data: (data) => fits(data, /^.{3,400}$/s) },
  7: { type: 8, label: 'PDF417', data: (data) => fits(data, /^.{3,400}$/s) },
}
/** Command 122 prints when it has received this number of lines (sheet 6.10). */
const ROTATED_LINES = 10

export const text = {
  openNonFiscal: ({ device, edition }, { noHeader = false }) => {
    // Only the edition ro has this field (sheet 6.2).
    if (noHeader && edition.name === 'bg') return refused('invalidSyntax')
    return from(device.openNonFiscal({ header: !noHeader }), ({ document }) => ({ document }))
  },
  nonFiscalText: (context, ask) => printed(context, lineOf(ask)),
  closeNonFiscal: ({ device }) => from(device.closeNonFiscal(), ({ document }) => ({ document })),
  fiscalText(context, ask) {
    if (ask.height === 'half' && context.switches.halfFiscalText === 'refused') return refused('valueField4')
    return printed(context, lineOf(ask))
  },
  barcode(context, { type, data, size = 4 }) {
    const symbol = SYMBOLS[type]
    if (!symbol) return refused('valueField1')
    const checked = symbol.data(data)
    if (checked === undefined) return refused('valueField2')
    const height = Number(PRINT.BarCodeHeight.read(context, 0)) * 7
    const printText = PRINT.BarcodeName.read(context, 0) === '1'
    const barcode = { type: symbol.type, data: checked, qrSize: size, height, printText }
    return from(context.device.printBarcode(barcode, symbol.label))
  },
  separatingLine({ device }, { style }) {
    const styles = { dashes: 1, equals: 2, dashed: 4, nothingDue: 'nothingDue' } as const
    return from(device.printSeparator(styles[style]))
  },
  rotatedText({ device, session }, { text: line }) {
    session.rotated.push(line.replace(/\x0b./gs, '').replace(/[^\x20-\x7e]/g, '?'))
    if (session.rotated.length < ROTATED_LINES) return done()
    const lines = session.rotated.splice(0)
    // After a rotation by 90 degrees, the first line is the right-most column of the paper.
    const columns = Math.max(...lines.map((each) => each.length))
    const turned = Array.from({ length: columns }, (_, at) => ({
      text: lines
        .map((each) => each[at] ?? ' ')
        .reverse()
        .join(' '),
    }))
    return from(device.printReport('service', turned))
  },
} satisfies Partial<Handlers>
