/**
 * Remarks in a recording, each in the place of a request that no step repeats. Requests that were refused before they
 * were read may come from any client, so that only the first of them are named.
 */
import { escapeControl } from '../../../drivers/model/escape-control.ts'

const NAMED_MAX = 100
const TITLE_LETTERS_MAX = 200

export const omittedRemark = (title: string, why: string): string =>
  `  # omitted: ${escapeControl(title).slice(0, TITLE_LETTERS_MAX)}; ${why}`

/** Returns a function that returns the remark for the next omitted request; `undefined` if it is not named. */
export function omittedRequests(): (title: string, why: string) => string | undefined {
  let count = 0
  return (title, why) => {
    count += 1
    if (count <= NAMED_MAX) return omittedRemark(title, why)
    return count === NAMED_MAX + 1
      ? `  # omitted: more requests, of which only the first ${NAMED_MAX} are named`
      : undefined
  }
}
