/** Facts about a document from the electronic journal of family B, read by 195 (sheet 10.9). */
import type { DeviceClient } from '../link/protocol-adapter.ts'
import { isRefusal } from '../link/session.ts'
import { documentIn } from '../model/journal-text.ts'
import type { DocumentFacts } from '../model/printer.ts'
import type { WireB } from './wire.ts'

type AskingB = DeviceClient<WireB>

/** Maximum number of documents to search before `last`. */
const LOOK_BACK = 50

/**
 * Resolves to the lines of a document of that kind: none if no such document exists, `undefined` if the device refuses.
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
 * Resolves to the facts about a document; `undefined` if the journal has no closed document with that number or cannot
 * be read now. The device distinguishes fiscal documents and Z reports; other kinds are recognized by their text.
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

/** Resolves to the number of the last receipt up to `last` that was closed and not cancelled; null if unknown. */
export async function closedReceiptUpTo(device: AskingB, last: number): Promise<number | null> {
  for (let number = last; number > Math.max(0, last - LOOK_BACK); number--) {
    const kind = (await documentOf(device, number))?.kind
    if (kind === 'fiscal') return number
    if (kind === null) return null
  }
  return last <= LOOK_BACK ? 0 : null
}
