import iconv from 'iconv-lite'
import { foldLetter } from '../model/letters.ts'

export { clean } from '../model/letters.ts'

/**
 * Bytes travel through the codec kit as *byte text*: a string whose character codes are the bytes (latin1), because
 * separators, lengths and checksums are about bytes. Only text fields are converted, by a code page.
 */
export type ByteText = string

export const toBytes = (text: ByteText): Uint8Array => Buffer.from(text, 'latin1')
export const fromBytes = (bytes: Uint8Array): ByteText =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** Two digits a byte, separated by spaces. */
export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('hex')
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1 ')

export interface CodePage {
  readonly name: string
  /** Any Unicode text; letters missing in the page lose their diacritic, what still cannot be shown becomes `?`. */
  encode(text: string): ByteText
  decode(bytes: ByteText): string
}

const cache = new Map<string, CodePage>()

/** A single-byte code page by its iconv name (`cp1251`), with the replacement rule of the text row of decisions 1. */
export function codePage(name: string): CodePage {
  const known = cache.get(name)
  if (known) return known
  const letters = new Map<string, ByteText | undefined>()
  const encodeLetter = (letter: string): ByteText | undefined => {
    if (letters.has(letter)) return letters.get(letter)
    const bytes = iconv.encode(letter, name)
    const encoded = iconv.decode(bytes, name) === letter ? bytes.toString('latin1') : undefined
    letters.set(letter, encoded)
    return encoded
  }
  // One letter for each byte; iconv's own way to a few bytes is a long one.
  const decoded = iconv.decode(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), name)
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
