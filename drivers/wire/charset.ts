import { foldLetter } from '../model/printable-text.ts'

export { clean } from '../model/printable-text.ts'

/**
 * Bytes as a string whose character codes are the bytes (latin1). Separators, lengths and checksums are defined on
 * bytes; only text fields are converted by a code page.
 */
export type ByteText = string

export const toBytes = (text: ByteText): Uint8Array => Buffer.from(text, 'latin1')
export const fromBytes = (bytes: Uint8Array): ByteText =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('hex')
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1 ')

export interface CodePage {
  readonly name: string
  /**
   * Encodes any Unicode text. Letters that the page lacks lose their diacritics; letters that still have no byte become
   * `?`.
   */
  encode(text: string): ByteText
  decode(bytes: ByteText): string
}

const cache = new Map<string, CodePage>()

/**
 * Returns the letter of each byte, U+FFFD if it has none. Throws RangeError if the name is not that of a single-byte
 * page.
 */
function lettersOf(name: string): string {
  const bytes = Uint8Array.from({ length: 256 }, (_nothing, byte) => byte)
  const own = String.fromCharCode(...bytes)
  // `TextDecoder` reads `latin1` and `ascii` as cp1252.
  if (name === 'latin1') return own
  if (name === 'ascii') return own.slice(0, 128).padEnd(256, '\ufffd')
  const label = name.replace(/^cp(?=125\d$)/, 'windows-').replace(/^cp(?=866$)/, 'ibm')
  const letters = new TextDecoder(label).decode(bytes)
  if (letters.length !== bytes.length) throw new RangeError(`${name} is not a code page with one byte per letter`)
  // The decoder returns a control character for a byte that the page does not assign.
  return letters.replace(/[\x80-\x9f]/g, '\ufffd')
}

/**
 * Returns a single-byte code page by its name, for example `cp1251`. Decisions 1 define how missing letters are
 * replaced.
 */
export function codePage(name: string): CodePage {
  const cached = cache.get(name)
  if (cached) return cached
  const decoded = lettersOf(name)
  const byLetter = new Map([...decoded].map((letter, byte) => [letter, String.fromCharCode(byte)] as const))
  byLetter.delete('\ufffd')
  const encodeLetter = (letter: string): ByteText | undefined => byLetter.get(letter)
  const page: CodePage = {
    name,
    encode(text) {
      if (/^[\x20-\x7e]*$/.test(text)) return text
      let out = ''
      for (const letter of text.normalize('NFC')) {
        out +=
          encodeLetter(letter) ??
          foldLetter(letter, out === '')
            .map((plain) => encodeLetter(plain) ?? '?')
            .join('')
      }
      return out
    },
    decode(bytes) {
      if (/^[\x20-\x7e]*$/.test(bytes)) return bytes
      let text = ''
      for (let at = 0; at < bytes.length; at++) text += decoded[bytes.charCodeAt(at) & 0xff]
      return text
    },
  }
  cache.set(name, page)
  return page
}
