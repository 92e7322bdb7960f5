/** Commands that end a document by themselves (specification 4.2, 4.3): a close, a report, a copy, cash in or out. */
import type { FiscalPrinter, Performed } from '../drivers/model/printer.ts'
import type { Data, Work } from './endpoint.ts'
import type { ReadBack } from './recovery/progress.ts'
import { checkDocuments, Repeats } from './recovery/repeats.ts'
import { rescueClose, rescueDocument } from './recovery/rescue.ts'
import { isRefusal, lastDocument } from './recovery/settle.ts'

type OnDevice = Pick<Work<unknown, unknown>, 'printer' | 'progress'>

/** close-fiscal-receipt: the number is read back when the close's own answer was lost. */
export async function closeFiscalReceipt(on: OnDevice & Pick<Work<unknown, unknown>, 'unheardClose'>): Promise<string> {
  const { printer, progress, unheardClose } = on
  // Asked first, so that a receipt that was never open is not taken for one that has just been closed.
  const { isOpen, kind } = await printer.transactionStatus()
  // Asked for once more by somebody who was not told: nothing has been printed since.
  if (!isOpen && unheardClose !== undefined && String(await lastDocument(printer)) === unheardClose) return unheardClose
  if (isOpen && kind !== 'NonFiscal') {
    progress.begin('closeFiscal')
    progress.reach('closing')
  }
  try {
    return (await printer.closeFiscal()).receiptNumber
  } catch (error) {
    if (progress.record.stage === 'before') throw error
    return rescueClose(error, on)
  }
}

/** One command that ends in a document of its own. `readBack`: what the device can tell when its answer is lost. */
export async function closingDocument<A extends Performed>(
  on: OnDevice,
  act: (printer: FiscalPrinter) => Promise<A>,
  dataOf: (answer: A) => Data,
  readBack?: ReadBack,
): Promise<Data> {
  const { printer, progress } = on
  const documentBefore = await lastDocument(printer)
  const repeats = new Repeats()
  progress.begin('document', { documentBefore, ...(readBack && { readBack }) })
  progress.reach('closing')
  let data: Data
  try {
    data = dataOf(await repeats.of(act(printer)))
  } catch (error) {
    // In a request whose own document is closed already, the record is about that one.
    if (isRefusal(error) || progress.record.stage === 'done') throw error
    data = await rescueDocument(error, on)
    progress.printed()
    return data
  }
  progress.printed()
  if (repeats.any) await checkDocuments(printer, documentBefore)
  return data
}
