import type { DeviceClient } from '../link/protocol-adapter.ts'
import { isRefusal } from '../link/session.ts'
import { documentIn } from '../model/journal-text.ts'
import type { DocumentFacts } from '../model/printer.ts'
import type { WireC } from './wire.ts'

const LOOK_BACK = 50

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

/**
 * Resolves to the number of the last receipt up to `last` that was closed and not cancelled; null if that is not
 * certain. Searches at most `LOOK_BACK` documents.
 */
export async function closedReceiptUpTo(device: DeviceClient<WireC>, last: number): Promise<number | null> {
  for (let number = last; number > Math.max(0, last - LOOK_BACK); number--) {
    const found = await documentOf(device, number)
    if (found?.kind === 'fiscal') return number
    if (found?.kind === null) return null
    if (found === undefined && (await journalOf(device, number)) === undefined) return null
  }
  return last <= LOOK_BACK ? 0 : null
}
