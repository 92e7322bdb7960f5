import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { shownOf } from '../../drivers/model/printable-text.ts'
import { clean, codePage, fromBytes, hexOf, toBytes } from '../../drivers/wire/charset.ts'
import { withWords } from '../support/verdict-rows.ts'

describe('text in a code page', () => {
  it.each([
    ['cp1251', 'Кафе', '\xca\xe0\xf4\xe5'],
    ['cp1251', 'Café crème', 'Cafe creme'],
    ['cp1251', 'ăâîșț ĂÂÎȘȚ', 'aaist AAIST'],
    ['cp1250', 'ăâî', '\xe3\xe2\xee'],
    ['cp1251', 'Łódź straße', 'Lodz strasse'],
    ['cp1251', '5 € – “ok”…', '5 \x88 \x96 \x93ok\x94\x85'],
    ['cp1251', '咖啡 ☕', '?? ?'],
    ['cp1251', 'e\u0301', 'e'],
    ['cp1252', 'é', '\xe9'],
    ['cp1251', 'ế ǘ', 'e u'],
    ['cp1251', '\u0301 x\u0301 ☕\ufe0f', '? x ?'],
    // A diacritic without a letter is not removed, so that a name of diacritics alone is not empty on the wire.
    ['cp1251', '\u0301\u0301', '?'],
    ['cp1251', '\ufe0f☕', '??'],
  ])('%s writes %s as %j', (page, text, bytes) => {
    expect(codePage(page).encode(text)).toBe(bytes)
  })

  it('is read back from the bytes that were written for it', () => {
    const page = codePage('cp1251')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const written = page.encode(text)
        expect(page.encode(page.decode(written))).toBe(written)
      }),
    )
  })

  it('keeps bytes unchanged between byte text and bytes', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect([...toBytes(fromBytes(all))]).toEqual([...all])
  })

  it('is read back in the letters of its page', () => {
    expect(codePage('cp866').decode('\x8a\xa0\xe4\xa5 5')).toBe('Кафе 5')
    expect(codePage('cp1251').decode('\xca\xe0\xf4\xe5')).toBe('Кафе')
  })

  it.each(['cp1251', 'cp1250', 'cp1252', 'cp866', 'latin1', 'ascii'])(
    'has the letter that iconv has for each byte of %s',
    (name) => {
      const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      const decode = (bytes: Uint8Array): string => codePage(name).decode(fromBytes(bytes))
      expect(decode(all)).toBe(iconv.decode(Buffer.from(all), name))
      for (const byte of all) expect(decode(Uint8Array.of(byte))).toBe(iconv.decode(Buffer.of(byte), name))
    },
  )

  it('has one code page for each name', () => {
    expect(codePage('cp866')).toBe(codePage('cp866'))
  })

  it('contains a space instead of a control character', () => {
    expect(clean('a\tb\x00c\x7fd\x1fe')).toBe('a b c d e')
  })

  it('is shown as two digits per byte', () => {
    expect(hexOf(Uint8Array.of(0x0a, 0x00, 0xff))).toBe('0A 00 FF')
    expect(hexOf(Uint8Array.of(1, 2, 3).subarray(1))).toBe('02 03')
  })
})

describe('a line converted by a code page', () => {
  const SHOWN = {
    whole: 'shows the whole text of a request',
    beginning: 'shows the beginning of the text of a request',
    not: 'does not show the text of a request',
  }
  it.each(
    withWords(SHOWN, [
      ['Mulțumim, șef!', 'Multumim, sef!', 'whole'],
      ['Mulțumim, șef!', 'Mulțumim, sef!', 'whole'],
      ['Mulțumim, șef!', 'Mul?umim, ?ef!', 'whole'],
      ['Cafe\u0301', 'Café', 'whole'],
      ['Cafe\u0301', 'Cafe', 'whole'],
      ['Thanks 🙂', 'Thanks ?', 'whole'],
      ['Großer Łuk…', 'Grosser Luk...', 'whole'],
      ['10\u00a0000 x', '10 000 x', 'whole'],
      ['  two  blanks ', 'two  blanks', 'whole'],
      [' \u0301x', 'x', 'whole'],
      ['x\u00a0\u0301', 'x', 'whole'],
      ['\u0301x', '?x', 'whole'],
      ['a\tb', 'a b', 'whole'],
      ['   ', '', 'whole'],
      ['Mulțumim, șef!', 'Multum', 'beginning'],
      ['Straße', 'Stras', 'beginning'],
      ['anything', '', 'beginning'],
      // A device may remove diacritics, but never adds one.
      ['Cafe', 'Café', 'not'],
      ['Cafe', 'Caf?', 'not'],
      ['Café', 'Cafë', 'not'],
      ['Café', 'Cafe!', 'not'],
      ['Multumim', 'Multumesc', 'not'],
      ['Хляб', 'Риба', 'not'],
    ]),
  )('%s, %j, in the printed line %j', (_result, text, line, shown) => {
    expect(shownOf(text, line)).toBe(shown)
  })

  it('is found again, whatever the text and the code page are', () => {
    const names = fc.constantFrom('cp1251', 'cp1250', 'cp1252', 'cp866', 'ascii')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), names, fc.nat(), (text, name, cut) => {
        const page = codePage(name)
        const line = page.decode(page.encode(clean(text)))
        expect(shownOf(text, line)).toBe('whole')
        expect(shownOf(text, line.slice(0, cut))).not.toBe('not')
      }),
    )
  })
})
