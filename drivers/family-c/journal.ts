/** Facts about a document from the journal of family C: 72h b, 7Ch by number (sheet 4.14, 4.15). */
import type { DeviceClient } from '../link/protocol-adapter.ts'
import { isRefusal } from '../link/session.ts'
import { documentIn } from '../model/journal-text.ts'
import type { DocumentFacts } from '../model/printer.ts'
import type { WireC } from './wire.ts'

/** Number of documents that may have followed the last receipt. */
const LOOK_BACK = 50

/**
 * Returns the facts about a document. Undefined: there is no closed document with that number, or the journal cannot be
 * read now.
 */
export async function documentOf(device: DeviceClient<WireC>, number: number): Promise<DocumentFacts | undefined> {
  if (number < 1 || number > 999_999) return undefined
  const code = (await device.askUnlessRefused('any', 'receiptCode', { document: number }))?.values
  // A receipt of 0.00 may be a cancelled one.
  if (code?.document === number && code.amount !== 0) return { kind: 'fiscal', total: code.amount }
  const lines = await journalOf(device, number)
  return lines === undefined || lines.length === 0 ? undefined : documentIn(lines)
}

/** Returns the lines of a document; none if it does not exist; undefined: the journal cannot be read now. */
export async function journalOf(device: DeviceClient<WireC>, number: number): Promise<readonly string[] | undefined> {
  const border = String(number).padStart(6, '0')
  try {
    return await device.lines('journalRead', { target: '0', by: 'N', from: border, to: border })
  } catch (problem) {
    if (isRefusal(problem, 'any')) return undefined
    throw problem
  }
}

/** Returns the number of the last receipt that was closed and not cancelled, `last` or before it; null: unknown. */
export async function closedReceiptUpTo(device: DeviceClient<WireC>, last: number): Promise<number | null> {
  for (let number = last; number > Math.max(0, last - LOOK_BACK); number--) {
    const kind = (await documentOf(device, number))?.kind
    if (kind === 'fiscal') return number
    if (kind === null) return null
  }
  return last <= LOOK_BACK ? 0 : null
}
