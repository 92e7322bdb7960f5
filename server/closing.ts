/** Commands that end a document by themselves (specification 4.2, 4.3): a close, a report, a copy, cash in or out. */
import type { Money } from '../drivers/model/money.ts'
import type { Evidence, FiscalPrinter, Performed } from '../drivers/model/printer.ts'
import type { Data, OnDevice, Work } from './endpoint.ts'
import { isCertain } from './recovery/failed-call.ts'
import { heldSince } from './recovery/held.ts'
import type { DocumentKind } from './recovery/progress.ts'
import { checkDocuments, Repeats } from './recovery/repeats.ts'
import { rescueClose, rescueDocument } from './recovery/rescue.ts'
import { evidenceBefore, needsSums } from './recovery/settle.ts'

/** close-fiscal-receipt: the number is read back when the close's own answer was lost. */
export async function closeFiscalReceipt(
  on: OnDevice & Pick<Work<unknown, unknown>, 'takeUnheardClose'>,
): Promise<string> {
  const { printer, progress, takeUnheardClose } = on
  // Asked first, so that a receipt that was never open is not taken for one that has just been closed.
  const before = await evidenceBefore(printer, { thorough: needsSums(printer) })
  const unheard = before?.open ? undefined : takeUnheardClose?.()
  // Asked for once more by somebody who was not told: nothing has been printed since.
  const isStillLast =
    unheard !== undefined &&
    String(before?.lastDocument) === unheard.receiptNumber &&
    before?.serialNumber === unheard.serialNumber
  if (isStillLast) return unheard.receiptNumber
  const begun = numberOpen(before, 'fiscal')
  if (begun !== undefined) {
    progress.begin('closeFiscal', { before, document: begun })
    progress.reach('closing')
  }
  try {
    return (await heldSince(printer, () => before).closeFiscal()).receiptNumber
  } catch (error) {
    if (progress.record.undertaking !== 'closeFiscal') throw error
    return rescueClose(error, on)
  }
}

/** The number of the receipt that is open, if it is one of this kind. */
function numberOpen(before: Evidence | null, kind: 'fiscal' | 'nonFiscal'): number | undefined {
  if (!before?.open || (before.open.kind === 'NonFiscal') !== (kind === 'nonFiscal')) return undefined
  return before.open.number ?? before.lastDocument ?? undefined
}

/** The close or the cancel of a non-fiscal receipt: the device's own answer, '' where it was lost. */
export async function closeNonFiscalReceipt(
  on: OnDevice,
  act: (printer: FiscalPrinter) => Promise<Performed & { readonly text: string }>,
): Promise<string> {
  const { printer, progress } = on
  const before = await evidenceBefore(printer)
  const begun = numberOpen(before, 'nonFiscal')
  if (begun !== undefined) {
    progress.begin('closeNonFiscal', { before, document: begun })
    progress.reach('closing')
  }
  let text: string
  try {
    text = (await act(heldSince(printer, () => before))).text
  } catch (error) {
    if (progress.record.undertaking !== 'closeNonFiscal' || isCertain(error)) throw error
    text = await rescueClose(error, on)
  }
  progress.printed()
  return text
}

/** One command that ends in a document of its own. `amount`: of cash that it moves. */
export async function closingDocument<A extends Performed>(
  on: OnDevice,
  kind: DocumentKind,
  act: (printer: FiscalPrinter) => Promise<A>,
  dataOf: (answer: A) => Data,
  amount?: Money,
): Promise<Data> {
  const { printer, progress } = on
  const before = await evidenceBefore(printer, { thorough: true })
  const repeats = new Repeats()
  progress.begin('document', { before, kind, ...(amount !== undefined && { amount }) })
  progress.reach('closing')
  let data: Data
  try {
    data = dataOf(await repeats.of(act(heldSince(printer, () => before))))
  } catch (error) {
    const isBehind = progress.record.stage === 'done'
    // In a request whose own document is closed already, the record is about that one: what became of this is asked here.
    if (isBehind && repeats.any) await checkDocuments(printer, before?.lastDocument ?? null)
    if (isBehind || isCertain(error)) throw error
    data = await rescueDocument(error, on)
  }
  progress.printed()
  if (repeats.any) await checkDocuments(printer, before?.lastDocument ?? null)
  return data
}
