/** Replaces control characters by spaces, because they have a meaning in every wire protocol. */
export const clean = (text: string): string => text.replace(/[\x00-\x1f\x7f]/g, ' ')

const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  đ: 'd', Đ: 'D', ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', ı: 'i', ß: 'ss', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE',
  '–': '-', '—': '-', '‘': "'", '’': "'", '“': '"', '”': '"', '„': '"', '…': '...', '\u00a0': ' ', '€': 'EUR',
} // biome-ignore format: a table

/** Returns the replacement of a letter. A combining mark is dropped; at the beginning of a text it becomes `?`. */
export function foldLetter(letter: string, isFirst: boolean): string[] {
  const folded = FOLDED_LETTERS[letter]
  if (folded !== undefined) return [...folded]
  const bare = [...letter.normalize('NFD').replace(/\p{M}/gu, '')]
  return bare.length === 0 && isFirst ? ['?'] : bare
}

/**
 * Returns whether a printed line represents a text although the code page is unknown. `beginning`: the device has cut
 * the text. A letter may appear unchanged, folded, or as `?`; ASCII letters appear unchanged. Blanks at either end are
 * ignored.
 */
export function shownOf(text: string, line: string): 'whole' | 'beginning' | 'not' {
  const characters = [...line.trim()]
  const letters = [...clean(text).normalize('NFC')]
  let at = 0
  for (const [index, letter] of letters.entries()) {
    const folded = foldLetter(letter, index === 0)
    const remaining = characters.length - at
    if (folded.every(isBlank) && (at === 0 || remaining === 0)) continue
    if (remaining === 0) return 'beginning'
    const fits = (plain: string, place: number): boolean => isShownAs(plain, characters[at + place] as string)
    if (characters[at] === letter) at++
    else if (folded.slice(0, remaining).every(fits)) {
      if (folded.length > remaining) return 'beginning'
      at += folded.length
    } else if (isShownAs(letter, characters[at] as string)) at++
    else return 'not'
  }
  return at === characters.length ? 'whole' : 'not'
}

const isBlank = (letter: string): boolean => letter === ' '
const isShownAs = (plain: string, printed: string): boolean =>
  printed === plain || (printed === '?' && !/[\x20-\x7e]/.test(plain))
