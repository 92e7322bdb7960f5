/** Non-fiscal receipts (sheet 4.5), text in any receipt (sheet 4.10) and barcodes (sheet 4.4). */
import { UNKNOWN_COMMAND } from '../../../drivers/family-c/protocol/errors.ts'
import {
  type Context,
  done,
  from,
  type Handlers,
  ILLEGAL_STATE_REFUSAL,
  operatorRefusal,
  type Reply,
  refused,
} from '../context.ts'

/** Barcode types of the service by the barcode letter of 51h, for example 1 EAN-8, 2 EAN-13, 3 CODE 128, 6 ITF. */
const DRAWN: Readonly<Record<string, number>> = {
  '0': 7, A: 7, '1': 8, B: 8, '2': 2, C: 2, '3': 1, D: 1, '4': 9, E: 9, '5': 6, F: 6, '6': 10, G: 10, H: 11, I: 3,
} // biome-ignore format: a table

export function closeNonFiscal({ device, session }: Context): Reply<undefined> {
  session.postponedNonFiscal = false
  const closed = device.closeNonFiscal()
  // 73h of c6 reports the type of the last receipt.
  if (closed.ok) session.persistentCells.lastNonFiscal = closed.value.document
  return from(closed)
}

/** A line is truncated to the width between the two `#` and to the limit of the edition. */
const printLine = ({ device, edition }: Context, line: string): Reply<undefined> => {
  const width = Math.min(edition.textLimit, device.profile.lineWidth - 2)
  return from(device.printText({ text: (line === '' ? ' ' : line).trimEnd().slice(0, width) || ' ' }))
}

/** Command 37h prints outside a receipt only if the switch `idleText` allows it (sheet 4.10). */
function freeText(context: Context, line: string): Reply<undefined> {
  if (context.device.receipt) return printLine(context, line)
  if (context.switches.idleText === 'refused') return ILLEGAL_STATE_REFUSAL
  return from(context.device.printReport('service', [{ text: line }]))
}

export const text = {
  openNonFiscal(context, ask) {
    const wrong = operatorRefusal(context, ask.operator, ask.password)
    if (wrong) return wrong
    const outcome = context.device.openNonFiscal({ operator: ask.operator, postponed: ask.print === '1' })
    if (outcome.ok) context.session.postponedNonFiscal = ask.print === '1'
    return from(outcome)
  },
  closeNonFiscal: (context) => closeNonFiscal(context),
  fiscalText: (context, ask) => freeText(context, ask.text),
  nonFiscalText: (context, ask) => freeText(context, ask.text),
  barcode(context, { type, data }) {
    const { device, switches } = context
    if (switches.deviceType === 'register') return refused(UNKNOWN_COMMAND)
    // The older forms of the command control a code at the end of receipts and print nothing.
    if (data === '' || (type === 'F' && data.length === 12 && /[^\d]/.test(data))) return done()
    const barcode = { type: DRAWN[type] ?? 3, data, printText: true }
    if (device.receipt) return from(device.printBarcode(barcode, data))
    return from(device.printReport('service', [{ text: data }]))
  },
} satisfies Partial<Handlers>
