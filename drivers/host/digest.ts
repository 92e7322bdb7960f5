import { hash, timingSafeEqual } from 'node:crypto'

export const sha1 = (text: string): string => hash('sha1', text)

export const sha256 = (text: string): string => hash('sha256', text)

/**
 * Compares digests of equal length in constant time, so that the time does not show how much of them is equal. Throws
 * if the lengths differ.
 */
export const isSameDigest = (left: string, right: string): boolean =>
  timingSafeEqual(Buffer.from(left), Buffer.from(right))

/**
 * Node caches the random bytes for UUIDs. Reading them from the system for each UUID would take longer than writing a
 * log line.
 */
export { randomUUID } from 'node:crypto'
