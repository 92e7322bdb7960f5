import { closedReceiptUpTo as lastClosedReceipt } from '../link/closed-receipt.ts'
import type { DeviceClient } from '../link/protocol-adapter.ts'
import { isRefusal } from '../link/session.ts'
import { documentIn } from '../model/journal-text.ts'
import type { DocumentFacts } from '../model/printer.ts'
import type { WireC } from './wire.ts'

/**
 * Resolves to the facts about a document; `undefined` if the journal contains no closed document with that number or
 * cannot be read now.
 */
export async function documentOf(device: DeviceClient<WireC>, number: number): Promise<DocumentFacts | undefined> {
  if (number < 1 || number > 999_999) return undefined
  const code = (await device.askUnlessRefused('any', 'receiptCode', { document: number }))?.values
  // A receipt of 0.00 may be a cancelled receipt.
  if (code?.document === number && code.amount !== 0) return { kind: 'fiscal', total: code.amount }
  const lines = await journalOf(device, number)
  return lines === undefined || lines.length === 0 ? undefined : documentIn(lines)
}

/**
 * Resolves to the lines of a document: to none if the document does not exist, to `undefined` if the device refuses the
 * query.
 */
export async function journalOf(device: DeviceClient<WireC>, number: number): Promise<readonly string[] | undefined> {
  const border = String(number).padStart(6, '0')
  try {
    return await device.lines('journalRead', { target: '0', by: 'N', from: border, to: border })
  } catch (problem) {
    if (isRefusal(problem, 'any')) return undefined
    throw problem
  }
}

export const closedReceiptUpTo = (device: DeviceClient<WireC>, last: number): Promise<number | null> =>
  lastClosedReceipt(last, {
    documentOf: (number) => documentOf(device, number),
    linesOf: (number) => journalOf(device, number),
  })
