/** Digests as lower-case hexadecimal digits. The browser build replaces this module by its own. */
import { hash, timingSafeEqual } from 'node:crypto'

export const sha1 = (text: string): string => hash('sha1', text)

export const sha256 = (text: string): string => hash('sha256', text)

/** Compares two digests of one kind in constant time, so that the time does not show how much of them is equal. */
export const isSameDigest = (left: string, right: string): boolean =>
  timingSafeEqual(Buffer.from(left), Buffer.from(right))

/** Node caches random bytes for UUIDs: requesting them from the system for each takes longer than a log line. */
export { randomUUID } from 'node:crypto'
