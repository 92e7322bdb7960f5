/**
 * The 40-digit hash at the end of a fiscal document (sheet B 14.1). As in the published answer of 119, it has two rows
 * of four groups of five digits.
 */
import { sha1 } from '../../drivers/host/digest.ts'

const ROW = /^ *[0-9A-F]{5}(?:-[0-9A-F]{5}){3}$/
const ROWS = 2
const DIGITS = 20

/** Returns the SHA-1 of the printed lines. If the lines already end with a hash, its rows are excluded. */
export function documentHash(lines: readonly string[]): readonly string[] {
  const isSealed = lines.length >= ROWS && lines.slice(-ROWS).every((line) => ROW.test(line))
  const digits = sha1((isSealed ? lines.slice(0, -ROWS) : lines).join('\n')).toUpperCase()
  return [digits.slice(0, DIGITS), digits.slice(DIGITS)].map((row) => row.match(/.{5}/g)?.join('-') ?? '')
}
