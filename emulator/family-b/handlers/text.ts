/** Non-fiscal receipts, and texts and barcodes in any receipt (sheet 10.2, 10.5 and 12). */
import { BARCODES } from '../../../drivers/family-b/protocol/barcodes.ts'
import { checkDigit } from '../../../drivers/model/check-digit.ts'
import { type Context, error, from, type Handlers } from '../context.ts'
import { countersOf } from '../day-lists.ts'
import { blocked } from '../document-blockers.ts'

/** A longer text is truncated without an error (sheet 6.1). */
export const comment = ({ device, edition }: Context, text: string) =>
  device.printText({ text: text.slice(0, edition.commentWidth) })

const POSITIONS = { left: 0, center: 1, right: 2 } as const
/** Height in mm of a barcode whose command specifies none, or 0. */
const DEFAULT_HEIGHT = 10

export const text = {
  openNonFiscal(context) {
    const { device } = context
    const stop = blocked(context, ['clock', 'journal'])
    if (stop) return stop
    const { documents } = countersOf(device)
    return from(device.openNonFiscal({ header: true }), () => ({ documents }))
  },
  nonFiscalText: (context, ask) => from(comment(context, ask.text)),
  closeNonFiscal({ device }) {
    return from(device.closeNonFiscal(), () => ({ documents: countersOf(device).documents }))
  },
  fiscalText: (context, ask) => from(comment(context, ask.text)),
  barcode({ device }, { kind, data, position = 'center', scale = 0, height = 0, printText = true }) {
    const barcodeKind = BARCODES.find(({ wire }) => wire === kind)
    if (!barcodeKind) return error(21)
    if (!barcodeKind.alphabet.test(data)) return error(14)
    if (!barcodeKind.pattern.test(data))
      return data.length > 18 || barcodeKind.pattern.test(data.slice(0, -1)) ? error(16) : error(21)
    const full = barcodeKind.checked === undefined ? data : data + checkDigit(data)
    const barcode = {
      type: barcodeKind.serviceType,
      data: full,
      position: POSITIONS[position],
      height: height || DEFAULT_HEIGHT,
      printText,
      ...(scale === 0 ? {} : { scale }),
    }
    return from(device.printBarcode(barcode, barcodeKind.name))
  },
  qrCode: ({ device }, { text: data }) => from(device.printBarcode({ type: 4, data, position: 1 }, 'QR')),
} satisfies Partial<Handlers>
