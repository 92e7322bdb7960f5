import { closedReceiptUpTo as lastClosedReceipt } from '../link/closed-receipt.ts'
import type { DeviceClient } from '../link/protocol-adapter.ts'
import { isRefusal } from '../link/session.ts'
import { documentIn } from '../model/journal-text.ts'
import type { DocumentFacts } from '../model/printer.ts'
import type { WireB } from './wire.ts'

type AskingB = DeviceClient<WireB>

/**
 * Resolves to the lines of a document of that kind: to none if no such document exists, to `undefined` if the device
 * refuses the query.
 */
export async function journalOf(
  device: AskingB,
  content: 'all' | 'z' | 'fiscal',
  number: number,
): Promise<readonly string[] | undefined> {
  const border = String(number)
  try {
    return await device.lines('journalRead', { content, by: 'document', from: border, to: border, option: '1' })
  } catch (problem) {
    if (isRefusal(problem, 'any')) return undefined
    throw problem
  }
}

/**
 * Resolves to the facts about a document; `undefined` if the journal contains no closed document with that number or
 * cannot be read now. The device separates fiscal documents and Z reports. Other kinds are recognized by their text.
 */
export async function documentOf(device: AskingB, number: number): Promise<DocumentFacts | undefined> {
  if (number < 1 || number > 99_999_999) return undefined
  const fiscal = await journalOf(device, 'fiscal', number)
  if (fiscal === undefined) return undefined
  if (fiscal.length > 0) {
    const { kind, total } = documentIn(fiscal)
    return kind === 'fiscal' || kind === 'cancelled' ? { kind, total } : { kind: null, total: null }
  }
  if ((await journalOf(device, 'z', number))?.length) return { kind: 'z', total: null }
  const lines = await journalOf(device, 'all', number)
  return lines?.length ? documentIn(lines) : undefined
}

export const closedReceiptUpTo = (device: AskingB, last: number): Promise<number | null> =>
  lastClosedReceipt(last, {
    documentOf: (number) => documentOf(device, number),
    linesOf: (number) => journalOf(device, 'all', number),
  })
