/**
 * Compact encodings of values in a file. Without them, most bytes of a receipt would be checksums of lines and
 * frequently repeated words of JSON.
 */

import type { CompactEncoding, Value } from './column-types.ts'

export type CompactValue = Value | bigint | Uint8Array

/**
 * Frequent parts of the JSON of receipts, requests and drawings, most frequent first. The order is part of the file
 * format: new words may be appended, but none may be removed or moved.
 */
const WORDS = [
  '00',
  '","right":"',
  '"},{"op":"text","text":"',
  '","taxCode":',
  ',"price":',
  ',"quantity":',
  '"},{"op":"columns","left":"',
  ',"void":false,"amount":',
  '000,"department":0,"unit":"","plu":',
  '","align":"center',
  ' x ',
  ',"adjusted":0},{"name":"',
  ',"adjusted":0}},"lines":2},{"asked":{"ask":"sale","row":{"name":"',
  ',"adjusted":',
  '"},{"op":"rule","style":',
  '},{"asked":{"ask":"',
  '},{"op":"columns","left":"',
  '},{"op":"text","text":"',
  '},"lines":',
  'sale","invoice":false',
  ',"operator":',
  ',"pointOfSale":',
  '","text":"',
  '","bold":true',
  ',"amount":',
  '}},"lines":',
  'sale","row":{"name":"',
  ',"height":"double"',
  '{"kind":"',
  ',"change":',
  ',"tendered":',
  ',"document":',
  ',"openedAt":',
  ',"rows":[{"name":"',
  ',0,0,0,0',
  '],"total":',
  ',"items":',
  ',"payments":[{"mode":',
  '}],"paid":',
  ',"rest":0,"change":',
  '[{"op":"logo","name":"',
  'payment","mode":',
  '}],"subtotalAdjustments":[],"groups":[',
  '[{"asked":{"ask":"fiscal","kind":"',
  '},{"asked":null,"lines":',
  '"},{"op":"barcode","type":',
  ',"label":"',
  '","data":"',
  '","size":',
  '","printText":false',
  '},{"op":"logo","name":"',
  ',"department":',
  ',"unit":"',
  '","plu":',
  ',"void":',
  'discount',
  'surcharge',
  '","percent":',
  ',"adjustment":{"kind":"',
  '},{"name":"',
  ',"align":"center',
  '},{"op":"rule","style":',
  '"},{"op":"cut"}]',
] as const

/**
 * Control characters that JSON never contains: all except tab and line ends. `SHIFT` is followed by one more letter.
 */
const LETTERS =
  '\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e'
const SHIFT = '\x1f'
const FIRST_SHIFTED = '!'.charCodeAt(0)

const letterOf = (place: number): string =>
  LETTERS[place] ?? SHIFT + String.fromCharCode(FIRST_SHIFTED + place - LETTERS.length)

const LETTER_OF: ReadonlyMap<string, string> = new Map(WORDS.map((word, place) => [word, letterOf(place)]))
const WORD_OF: ReadonlyMap<string, string> = new Map([...LETTER_OF].map(([word, letter]) => [letter, word]))

const plain = (word: string): string => word.replace(/[{}[\]]/g, String.raw`\$&`)
/** Longer words come first: if a word is the beginning of another, the longer one must match. */
const ANY_WORD = new RegExp(
  [...WORDS]
    .sort((one, other) => other.length - one.length)
    .map(plain)
    .join('|'),
  'g',
)
const ANY_LETTER = new RegExp(`${SHIFT}[^]?|[${LETTERS}]`, 'g')

const DIGEST = /^[0-9a-f]{64}$/

/** A text that does not have the expected form is stored unchanged. */
const ENCODERS: Readonly<Record<CompactEncoding, (text: string) => CompactValue>> = {
  DIGEST: (text) => (DIGEST.test(text) ? Buffer.from(text, 'hex') : text),
  SECOND: (text) => {
    // SQLite binds a bigint as an integer, but a number as a float, which is twice as long.
    const seconds = Date.parse(`${text}Z`) / 1000
    return Number.isInteger(seconds) && decodeSecond(seconds) === text ? BigInt(seconds) : text
  },
  WORDS: (text) => text.replace(ANY_WORD, (word) => LETTER_OF.get(word) ?? word),
}

const decodeSecond = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19)

export const encodeCompact = (form: CompactEncoding, value: Value): CompactValue =>
  typeof value === 'string' ? ENCODERS[form](value) : value

/** Throws Error if the stored value is damaged. */
export function decodeCompact(form: CompactEncoding, value: unknown): Value {
  if (value === null) return value
  if (typeof value === 'string') return form === 'WORDS' ? value.replace(ANY_LETTER, wordOf) : value
  if (form === 'DIGEST' && value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (form === 'SECOND' && (typeof value === 'number' || typeof value === 'bigint')) return decodeSecond(Number(value))
  throw new Error(`the file contains a value of another type where a ${form} belongs`)
}

function wordOf(letter: string): string {
  const word = WORD_OF.get(letter)
  if (word === undefined) throw new Error('the file has an unknown key letter')
  return word
}
