import type { DeviceClient } from '../link/protocol-adapter.ts'
import { isRefusal } from '../link/session.ts'
import { documentIn } from '../model/journal-text.ts'
import type { DocumentFacts } from '../model/printer.ts'
import type { WireB } from './wire.ts'

type AskingB = DeviceClient<WireB>

const LOOK_BACK = 50

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

/**
 * Resolves to the number of the last receipt up to `last` that was closed and not cancelled; null if that is not
 * certain. Searches at most `LOOK_BACK` documents.
 */
export async function closedReceiptUpTo(device: AskingB, last: number): Promise<number | null> {
  for (let number = last; number > Math.max(0, last - LOOK_BACK); number--) {
    const found = await documentOf(device, number)
    if (found?.kind === 'fiscal') return number
    if (found?.kind === null) return null
    if (found === undefined && (await journalOf(device, 'all', number)) === undefined) return null
  }
  return last <= LOOK_BACK ? 0 : null
}
