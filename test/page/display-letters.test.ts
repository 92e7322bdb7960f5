import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { georgian } from '../../drivers/family-b/protocol/charset.ts'
import { dotsOf, glyphOf, isKnown, PLACE_DOTS, twinOf } from '../../emulator/panel/page/src/display/glyphs.ts'

/** The letters of the page's display: whatever letter a profile can be sent, it has dots of its own. */

const bytes = Array.from({ length: 256 - 32 }, (_, index) => index + 32)
const lettersOf = (decode: (byte: number) => string): string[] =>
  bytes.map(decode).filter((letter) => /^\p{L}$/u.test(letter))

/** A `bg`, B `b8`, C `c4` and `c6`; A `ro` and C `cr`; A by a switch; B `b5`. */
const PAGES: readonly (readonly [string, (byte: number) => string])[] = [
  ...['cp1251', 'cp1250', 'cp1252'].map(
    (page) => [page, (byte: number) => iconv.decode(Buffer.of(byte), page)] as const,
  ),
  ['georgian', (byte) => georgian.decode(String.fromCharCode(byte))],
]

const drawn = (letter: string) => glyphOf(letter).join('\n')

it.each(PAGES)('every letter of %s has its dots, seven rows of five', (_name, decode) => {
  const letters = lettersOf(decode)
  expect(letters.length).toBeGreaterThan(80)
  expect(letters.filter((letter) => !isKnown(letter))).toEqual([])
  for (const letter of letters) {
    expect([letter, glyphOf(letter).length]).toEqual([letter, PLACE_DOTS.high])
    expect([letter, glyphOf(letter).filter((row) => !/^[.#]{5}$/.test(row))]).toEqual([letter, []])
    expect(drawn(letter)).toContain('#')
  }
})

it('what can be typed has its dots, and a sign that is none is a box', () => {
  const typed = bytes.filter((byte) => byte < 127).map((byte) => String.fromCharCode(byte))
  expect(typed.filter((sign) => !isKnown(sign))).toEqual([])
  expect(isKnown('漢')).toBe(false)
  expect(drawn('漢')).toContain('#####')
})

/** Pairs that no type tells apart, as those who print both alphabets know them. */
const ALIKE = [
  'АA', 'ВB', 'ЕE', 'КK', 'МM', 'НH', 'ОO', 'РP', 'СC', 'ТT', 'ХX', 'ІI', 'ЈJ', 'ЅS', 'ЁË', 'ЇÏ', 'ĐÐ',
  'аa', 'еe', 'оo', 'рp', 'сc', 'уy', 'хx', 'іi', 'јj', 'ѕs', 'ёë', 'їï',
] // biome-ignore format: a table

it('no two letters look alike, but those that do in any type', () => {
  const signs = bytes.filter((byte) => byte > 32 && byte < 127).map((byte) => String.fromCharCode(byte))
  const all = [...new Set([...signs, ...PAGES.flatMap(([, decode]) => lettersOf(decode))])]
  const byDots = Map.groupBy(all, drawn)
  const alike = [...byDots.values()]
    .filter((letters) => letters.length > 1)
    .map((letters) => letters.toSorted().reverse().join(''))
  const expected = ALIKE.map((pair) => [...pair].toSorted().reverse().join(''))
  expect(alike.toSorted()).toEqual(expected.toSorted())
  expect(twinOf('А')).toBe('A')
})

describe('a line of the display', () => {
  it('lights the dots of its letters and leaves the others dark', () => {
    expect(dotsOf(['I'], 1, true)).toBe('M1 0h0M2 0h0M3 0h0M2 1h0M2 2h0M2 3h0M2 4h0M2 5h0M1 6h0M2 6h0M3 6h0')
    const count = (path: string) => path.split('M').length - 1
    expect(count(dotsOf(['AБ', 'ă'], 20, true)) + count(dotsOf(['AБ', 'ă'], 20, false))).toBe(2 * 20 * 35)
    expect(dotsOf(['', '  '], 2, true)).toBe('')
  })
})
