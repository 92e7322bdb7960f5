/** What stands twice on a receipt, or makes it void, by the lines of its journal. */
import { describe, expect, it } from 'vitest'
import { doubtfulText, elementsStand, isVoid } from '../../server/operations/journal-lines.ts'
import type { Doubtful } from '../../server/operations/operation.ts'
import { NO_ANSWER, REFUSED, receipt, type Script, scriptedPrinter } from './scripted-printer.ts'

describe('in the lines of a journal', () => {
  const stand = (doubtful: readonly Doubtful[], lines: readonly string[]) =>
    elementsStand(scriptedPrinter({ says: [], lines: { 17: lines } }), receipt('done', { doubtful }), 17)
  const LONG = 'Vă mulțumim că ați cumpărat de la noi și vă mai așteptăm'

  it.each([
    ['without its diacritics', 'Mulțumim', 'Multumim', 'twice'],
    ['with them', 'Mulțumim', 'Mulțumim', 'twice'],
    ['with marks', 'Mulțumim', '#Multumim            #', 'twice'],
    ['with marks of its own', '#5#', '#5#', 'twice'],
    ['with marks of its own, between blanks', '#5#', '  #5#  ', 'twice'],
    ['with both', '#5#', '##5##', 'twice'],
    ['cut, without its diacritics', LONG, '#Va multumim ca ati cumpar#', 'twice'],
    ['as signs that the page lacks', '咖啡', '??', 'twice'],
    ['less than can be told from another one', LONG, 'Va multumim', 'asked'],
    ['another one', 'Multumim', 'Mulțumim', 'asked'],
    ['another one of the same length', 'Café', 'Cave', 'asked'],
  ] as const)('%s', async (_, text, line, stands) => {
    const doubtful = [doubtfulText(text, [text])]
    expect(await stand(doubtful, ['BREAD', line, 'POWER LOSS', line, 'TOTAL'])).toBe(stands)
    expect(await stand(doubtful, ['BREAD', line, 'TOTAL'])).toBe('asked')
  })

  const LOST = 'POWER LOSS'
  it.each([
    ['twice', [LOST, LOST], 'twice'],
    ['three times', [LOST, LOST, LOST], 'twice'],
    ['twice, told at two places of the line', [`  ${LOST}`, LOST], 'twice'],
    ['and other lines in between', [LOST, 'MILK', LOST], 'asked'],
  ] as const)('without power %s', async (_, between, stands) => {
    const lines = ['BREAD', 'Thank you', ...between, 'Thank you', 'TOTAL']
    expect(await stand([doubtfulText('Thank you', ['Thank you'])], lines)).toBe(stands)
    const rules = lines.map((line) => (line === 'Thank you' ? '-'.repeat(10) : line))
    const rule = { is: 'separatingLine', text: '', times: 1 } as const
    expect(await stand([rule], rules)).toBe(stands === 'asked' ? 'asked' : 'inDoubt')
  })

  it('a text is one text, however its letters are written', async () => {
    const texts = ['Cafe\u0301', 'Café ']
    const doubtful = [doubtfulText(texts[0] as string, texts)]
    expect(await stand(doubtful, ['Cafe', 'Cafe'])).toBe('asked')
    expect(await stand(doubtful, ['Cafe', 'Cafe', 'Cafe'])).toBe('twice')
  })

  const [SHORT, WHOLE] = ['Thank you for shopping', 'Thank you for shopping at Joe']
  const [ONE, OTHER] = ['The Great Long Avenue of Liberty 1', 'The Great Long Avenue of Liberty 2']
  const CUT = '#The Great Long Avenue of#'
  it.each([
    ['one the beginning of the other', [SHORT, WHOLE], [SHORT, WHOLE], 'asked'],
    ['and the shorter twice', [SHORT, WHOLE], [SHORT, SHORT, WHOLE], 'twice'],
    ['and the longer twice', [SHORT, WHOLE], [SHORT, WHOLE, WHOLE], 'twice'],
    ['both cut to the same', [ONE, OTHER], [CUT, CUT], 'asked'],
    ['both cut to the same, and one of them twice', [ONE, OTHER], [CUT, CUT, CUT], 'twice'],
    ['one the beginning of the other, cut to it', [SHORT, WHOLE], [SHORT, SHORT], 'asked'],
    ['both without their diacritics', ['Café', 'Cafe'], ['Cafe', 'Cafe'], 'asked'],
    ['both without their diacritics, one of them twice', ['Café', 'Cafe'], ['Cafe', 'Cafe', 'Cafe'], 'twice'],
    ['one of them without', ['Café', 'Cafe'], ['Café', 'Cafe'], 'asked'],
    ['one of them without, which the request has twice', ['Café', 'Cafe', 'Cafe'], ['Café', 'Cafe', 'Cafe'], 'asked'],
    ['three that the first has in common', ['?b', 'жb', 'яb'], ['?b', '?b', '?b'], 'asked'],
    ['another line begins like the text', [WHOLE], [SHORT, WHOLE], 'asked'],
  ] as const)('different texts that are printed alike: %s', async (_, texts, printed, stands) => {
    for (const text of texts)
      expect(await stand([doubtfulText(text, texts)], ['BREAD', ...printed, 'TOTAL']), text).toBe(stands)
  })

  it('a text that stands twice is told although another one is missing', async () => {
    expect(await stand([doubtfulText('ONE', ['ONE', 'TWO'])], ['BREAD', 'ONE', 'ONE', 'TOTAL'])).toBe('twice')
  })

  const DASHES = '-'.repeat(42)
  it('a line of the device that stands twice is no text that looks like it', async () => {
    const own = '-'.repeat(22)
    expect(await stand([doubtfulText(DASHES, [DASHES])], [own, 'TOTAL', own, '-'.repeat(20)])).toBe('asked')
  })

  it.each([
    ['below a line of the device', DASHES, ['#-----------------   #'], 'asked'],
    ['of which the device prints less than its own line', DASHES, ['-'.repeat(20)], 'asked'],
    ['that stands there twice', DASHES, ['-'.repeat(20), '-'.repeat(20)], 'inDoubt'],
    ['of another sign', '='.repeat(42), ['#=================   #', '#=================   #'], 'inDoubt'],
    ['that begins with blanks', `  ${'-'.repeat(18)}`, ['-'.repeat(18), '-'.repeat(18)], 'inDoubt'],
  ] as const)('a text that looks like a separating line %s', async (_, text, printed, stands) => {
    const rules = ['-'.repeat(22), '='.repeat(22)]
    expect(await stand([doubtfulText(text, [text])], [...rules, ...printed, 'TOTAL', ...rules])).toBe(stands)
  })

  it.each([
    ['- - - - - - - - - -', 'inDoubt'],
    ['#- - - - - - - - - - - - - -   #', 'inDoubt'],
    ['----------', 'inDoubt'],
    ['- - - -', 'asked'],
    ['- = - = - = - = - = -', 'asked'],
  ] as const)('a separating line %s', async (line, stands) => {
    expect(await stand([{ is: 'separatingLine', text: '', times: 1 }], [line, line])).toBe(stands)
  })
})

describe('a non-fiscal receipt', () => {
  const voidLine = 'ANULAT'
  const isVoidBy = (lines: readonly string[], texts?: readonly string[]) =>
    isVoid(scriptedPrinter({ says: [], lines: { 17: lines }, more: { voidLine } }), 17, texts)

  it.each([
    ['with such a line', ['TEA', 'ANULAT'], undefined, true],
    ['with such a line between blanks', ['TEA', '    ANULAT  '], [], true],
    ['with such a line between marks', ['TEA', '#   ANULAT   #'], [], true],
    ['without one', ['TEA'], [], false],
    ['with one of its own', ['ANULAT'], ['ANULAT'], false],
    ['with one of its own, and another one', ['ANULAT', 'ANULAT'], ['ANULAT'], true],
  ] as const)('%s is void or not', async (_, lines, texts, expected) => {
    expect(await isVoidBy(lines, texts)).toBe(expected)
  })

  it.each<[string, Script['more'], number]>([
    ['whose device has no such line', {}, 17],
    ['whose device tells no lines', { voidLine }, 17],
    ['without a number', { voidLine, linesOf: async () => ['ANULAT'] }, 0],
    ['whose lines the device refuses to tell', { voidLine, linesOf: () => Promise.reject(REFUSED) }, 17],
  ])('%s is not void', async (_, more, number) => {
    expect(await isVoid(scriptedPrinter({ says: [], ...(more && { more }) }), number, [])).toBe(false)
  })

  it('is void where it is the first document of the device', async () => {
    const printer = scriptedPrinter({ says: [], lines: { 1: ['ANULAT'] }, more: { voidLine } })
    expect(await isVoid(printer, 1)).toBe(true)
  })

  it('is asked about again where the device did not answer', async () => {
    const linesOf = () => Promise.reject(NO_ANSWER)
    await expect(isVoid(scriptedPrinter({ says: [], more: { voidLine, linesOf } }), 17)).rejects.toBe(NO_ANSWER)
  })
})
