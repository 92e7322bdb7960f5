import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePage, fromBytes, toBytes } from '../../drivers/wire/charset.ts'

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
  ])('%s writes %s as %j', (page, text, bytes) => {
    expect(codePage(page).encode(text)).toBe(bytes)
  })

  it('reads every byte text back that it wrote', () => {
    const page = codePage('cp1251')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const written = page.encode(text)
        expect(page.encode(page.decode(written))).toBe(written)
      }),
    )
  })

  it('keeps bytes as they are between byte text and bytes', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect([...toBytes(fromBytes(all))]).toEqual([...all])
  })
})
