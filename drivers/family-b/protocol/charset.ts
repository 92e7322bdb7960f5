/**
 * Text of family B (sheet 6.1): windows-1251 in the edition `b8`; in `b5` Latin with the Georgian letters U+10D0 to
 * U+10F0 at D0h to F0h (sheet 2).
 */
import { type CodePage, codePage } from '../../wire/charset.ts'

const FIRST_LETTER = 0x10d0
const LAST_LETTER = 0x10f0
const FIRST_PLACE = 0xd0

const latin = codePage('latin1')
const plain = codePage('ascii')

function encodeLatin(letter: string): string {
  const bytes = latin.encode(letter)
  return /[\xd0-\xf0]/.test(bytes) ? plain.encode(letter) : bytes
}

export const georgian: CodePage = {
  name: 'georgian',
  encode(text) {
    if (/^[\x20-\x7e]*$/.test(text)) return text
    let out = ''
    for (const letter of text.normalize('NFC')) {
      const code = letter.codePointAt(0) ?? 0
      out +=
        code >= FIRST_LETTER && code <= LAST_LETTER
          ? String.fromCharCode(code - FIRST_LETTER + FIRST_PLACE)
          : encodeLatin(letter)
    }
    return out
  },
  decode(bytes) {
    return bytes.replace(/[\xd0-\xf0]/g, (byte) => String.fromCharCode(byte.charCodeAt(0) - FIRST_PLACE + FIRST_LETTER))
  },
}

export const cyrillic: CodePage = codePage('cp1251')
