import type { DeviceClient } from '../link/protocol-adapter.ts'
import { isRefusal } from '../link/session.ts'
import { documentIn } from '../model/journal-text.ts'
import type { DocumentFacts } from '../model/printer.ts'
import type { WireC } from './wire.ts'

/** What the journal of family C says of one document: 72h b, 7Ch by number (sheet 4.14, 4.15). */

/** Documents that may have followed the last receipt. */
const LOOK_BACK = 50

/** Undefined: there is no closed document of that number, or the journal is not read now. */
export async function documentOf(device: DeviceClient<WireC>, number: number): Promise<DocumentFacts | undefined> {
  if (number < 1 || number > 999_999) return undefined
  const code = (await device.askUnlessRefused('any', 'receiptCode', { document: number }))?.values
  // A receipt of 0.00 may be a cancelled one.
  if (code?.document === number && code.amount !== 0) return { kind: 'fiscal', total: code.amount }
  const lines = await journalOf(device, number)
  return lines === undefined || lines.length === 0 ? undefined : documentIn(lines)
}

/** The lines of a document; none when it is not there; undefined: the journal is not read now. */
export async function journalOf(device: DeviceClient<WireC>, number: number): Promise<readonly string[] | undefined> {
  const border = String(number).padStart(6, '0')
  try {
    return await device.lines('journalRead', { target: '0', by: 'N', from: border, to: border })
  } catch (problem) {
    if (isRefusal(problem, 'any')) return undefined
    throw problem
  }
}

/** Number of the last receipt that was closed and not cancelled, `last` or before it; null: not told. */
export async function closedReceiptUpTo(device: DeviceClient<WireC>, last: number): Promise<number | null> {
  for (let number = last; number > Math.max(0, last - LOOK_BACK); number--) {
    const kind = (await documentOf(device, number))?.kind
    if (kind === 'fiscal') return number
    if (kind === null) return null
  }
  return last <= LOOK_BACK ? 0 : null
}
