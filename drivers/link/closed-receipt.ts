import type { DocumentFacts } from '../model/printer.ts'

/** Maximum number of documents that are searched. */
export const LOOK_BACK = 50

interface Journal {
  documentOf(number: number): Promise<DocumentFacts | undefined>
  /** Resolves to `undefined` if the device refuses the query. */
  linesOf(number: number): Promise<readonly string[] | undefined>
}

/**
 * Resolves to the number of the last receipt up to `last` that was closed and not cancelled; null if that is not
 * certain. Searches at most `LOOK_BACK` documents.
 */
export async function closedReceiptUpTo(last: number, { documentOf, linesOf }: Journal): Promise<number | null> {
  for (let number = last; number > Math.max(0, last - LOOK_BACK); number--) {
    const found = await documentOf(number)
    if (found?.kind === 'fiscal') return number
    if (found?.kind === null) return null
    if (found === undefined && (await linesOf(number)) === undefined) return null
  }
  return last <= LOOK_BACK ? 0 : null
}
