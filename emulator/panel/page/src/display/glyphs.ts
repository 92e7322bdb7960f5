import { LETTERS, LOW_CAPITALS, MARKS_ABOVE, MARKS_BELOW, SMALL } from './letters.ts'

/** What each place of the display shows: a letter as the rows of its dots, drawn or composed of a letter and its mark. */

export const PLACE_DOTS = { wide: 5, high: 7 } as const
type Glyph = readonly string[]

/** Rows of names, each with the dots of every one below it. */
function sheet(text: string): ReadonlyMap<string, Glyph> {
  const glyphs = new Map<string, Glyph>()
  for (const block of text.trim().split('\n\n')) {
    const [names = '', ...rows] = block.split('\n')
    const pieces = rows.map((row) => row.trim().split(' '))
    for (const [index, name] of names.split(/\s+/).entries())
      glyphs.set(
        name,
        pieces.map((row) => row[index] ?? ''),
      )
  }
  return glyphs
}

const letters = sheet(LETTERS)
const small = sheet(SMALL)
const lowCapitals = sheet(LOW_CAPITALS)
const above = sheet(MARKS_ABOVE)
const below = sheet(MARKS_BELOW)

/** Letters that look alike in any type: the Latin one stands for both. */
const TWINS: ReadonlyMap<string, string> = new Map(
  ['АA', 'ВB', 'ЕE', 'КK', 'МM', 'НH', 'ОO', 'РP', 'СC', 'ТT', 'ХX', 'ІI', 'ЈJ', 'ЅS', 'аa', 'еe', 'оo', 'рp', 'сc',
    'уy', 'хx', 'іi', 'јj', 'ѕs', 'ĐÐ', "‘'", "’'", '”"', '—–', '‚,'].map(([one = '', other = '']) => [one, other]),
) // biome-ignore format: a table

/** The sign of a mark that stands alone, by the combining one. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ['\u0300', '`'], ['\u0301', '´'], ['\u0302', '^'], ['\u0303', '~'], ['\u0308', '¨'], ['\u030a', '°'],
  ['\u030c', 'ˇ'], ['\u0306', '˘'], ['\u030b', '˝'], ['\u0307', '˙'], ['\u0326', '¸'], ['\u0327', '¸'], ['\u0328', '˛'],
]) // biome-ignore format: a table

const EMPTY = '.'.repeat(PLACE_DOTS.wide)
const BLANK: Glyph = Array.from({ length: PLACE_DOTS.high }, () => EMPTY)
/** A letter that the display has not. */
const UNKNOWN: Glyph = ['#####', '#...#', '#...#', '#...#', '#...#', '#...#', '#####']

const cache = new Map<string, Glyph>()

export function glyphOf(letter: string): Glyph {
  const known = cache.get(letter)
  if (known) return known
  const glyph = find(letter) ?? UNKNOWN
  cache.set(letter, glyph)
  return glyph
}

/** The same letter in another alphabet, or itself. */
export const twinOf = (letter: string): string => TWINS.get(letter) ?? letter

export const isKnown = (letter: string): boolean => find(letter) !== undefined

function find(letter: string): Glyph | undefined {
  const sign = twinOf(letter)
  if (/^\s$/.test(sign)) return BLANK
  const drawn = letters.get(sign)
  if (drawn) return drawn
  const low = small.get(sign)
  if (low) return [EMPTY, EMPTY, ...low]
  return composed(sign)
}

function composed(letter: string): Glyph | undefined {
  const [base = '', mark = ''] = letter.normalize('NFD')
  const sign = MARKS.get(mark) ?? ''
  const body = twinOf(base)
  const stem = body === 'i' ? 'ı' : body
  const low = small.get(stem)
  const capital = lowCapitals.get(stem)
  const over = above.get(sign)
  if (over && (low ?? capital)) return [...over, ...(low ?? capital ?? [])]
  const under = below.get(sign)
  if (under && low) return [EMPTY, ...low, under[1] ?? EMPTY]
  if (under && capital) return [...capital, ...under]
  return undefined
}

const PITCH = { across: PLACE_DOTS.wide + 1, down: PLACE_DOTS.high + 2 } as const

/** Room for so many places and lines, in dots. */
export const sizeOf = (places: number, lines: number) => ({
  wide: places * PITCH.across - 1,
  high: lines * PITCH.down - 2,
})

/** Each lit dot as a stroke of no length, for round ends; `lit` false: those that are dark. */
export function dotsOf(lines: readonly string[], places: number, lit: boolean): string {
  let path = ''
  for (const [line, text] of lines.entries()) {
    const signs = [...text]
    for (let place = 0; place < places; place++) {
      for (const [row, dots] of glyphOf(signs[place] ?? ' ').entries()) {
        for (let column = 0; column < PLACE_DOTS.wide; column++) {
          if ((dots[column] === '#') !== lit) continue
          path += `M${place * PITCH.across + column} ${line * PITCH.down + row}h0`
        }
      }
    }
  }
  return path
}
