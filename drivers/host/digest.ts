/** Digests of texts in UTF-8, as hexadecimal digits in small letters. A browser has its own module in place of this one. */
import { hash, timingSafeEqual } from 'node:crypto'

export const sha1 = (text: string): string => hash('sha1', text)

export const sha256 = (text: string): string => hash('sha256', text)

/** Compares two digests of one kind in a time that says nothing about how much of them is alike. */
export const isSameDigest = (left: string, right: string): boolean =>
  timingSafeEqual(Buffer.from(left), Buffer.from(right))

/** Node keeps random bytes for UUIDs in store: asking the system for each takes longer than a log line. */
export { randomUUID } from 'node:crypto'
