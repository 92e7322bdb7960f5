/** Facts about a document from the journal of family B: 195 by number (sheet 10.9). */
import type { DeviceClient } from '../link/protocol-adapter.ts'
import { isRefusal } from '../link/session.ts'
import { documentIn } from '../model/journal-text.ts'
import type { DocumentFacts } from '../model/printer.ts'
import type { WireB } from './wire.ts'

type AskingB = DeviceClient<WireB>

/** Number of documents that may have followed the last receipt. */
const LOOK_BACK = 50

/**
 * Returns the lines of a document of that kind; none if it is of another kind or does not exist; undefined: refused.
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
 * Returns the facts about a document. The device itself distinguishes fiscal documents and Z reports from the others;
 * the kind of the others is in their text. Undefined: there is no closed document with that number, or the journal
 * cannot be read now.
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

/** Returns the number of the last receipt that was closed and not cancelled, `last` or before it; null: unknown. */
export async function closedReceiptUpTo(device: AskingB, last: number): Promise<number | null> {
  for (let number = last; number > Math.max(0, last - LOOK_BACK); number--) {
    const kind = (await documentOf(device, number))?.kind
    if (kind === 'fiscal') return number
    if (kind === null) return null
  }
  return last <= LOOK_BACK ? 0 : null
}
