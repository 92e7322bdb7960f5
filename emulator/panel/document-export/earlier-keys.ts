/**
 * Requests of a recording whose answer depends on the use of their `Idempotency-Key` before the recording. They are not
 * recorded as steps, because a replay has no such earlier request and would print.
 */

import { omittedRemark } from './omitted-requests.ts'

export interface KeyUse {
  readonly key: string | undefined
  /** True if the answer depends on an earlier request with the same key. */
  readonly needsEarlier: boolean
  /** Method and path. */
  readonly title: string
}

/** Returns a function that returns the remark instead of a step; `undefined` if the request is recorded. */
export function earlierKeys(): (use: KeyUse) => string | undefined {
  const recorded = new Set<string>()
  return ({ key, needsEarlier, title }) => {
    if (key === undefined || recorded.has(key)) return undefined
    if (needsEarlier) return omittedRemark(title, 'its Idempotency-Key was used before the recording began')
    recorded.add(key)
    return undefined
  }
}
