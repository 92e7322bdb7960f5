/**
 * Elements of a whole receipt that the link retransmitted: lines of text, barcodes, separating lines, printed
 * subtotals. A device that lost power before the retransmission prints the element twice, which only its electronic
 * journal shows, after the receipt is closed.
 */
import { withRuleTest } from '../../drivers/model/journal-text.ts'
import { shownOf } from '../../drivers/model/letters.ts'
import { type Entry, type Step, textsOf, type UnconfirmedElement } from './operation.ts'

/** Minimum length of a shortened text in the journal; a shorter one may be the beginning of another line. */
const CUT_MIN = 16

function unconfirmedText(text: string, texts: readonly string[]): UnconfirmedElement {
  const otherTexts = texts.filter((one) => compared(one) !== compared(text))
  return { is: 'text', text, times: texts.length - otherTexts.length, others: otherTexts }
}

/** Normalizes a text: a letter and its diacritic are printed alike, as one character or as two. */
const compared = (text: string): string => text.trim().normalize('NFC')

/**
 * Returns the element to look for in the journal after a retransmission; `undefined` if the device reports the step, or
 * if a second execution makes no difference.
 */
export function unconfirmedBy(step: Step, entry: Pick<Entry, 'steps'>): UnconfirmedElement | undefined {
  if (step.does === 'subtotal') {
    const { adjustment, print } = step.subtotal
    return print && !adjustment ? { is: 'subtotal', text: '', times: 1 } : undefined
  }
  if (step.does !== 'print') return undefined
  const { element } = step
  switch (element.is) {
    case 'text':
      return unconfirmedText(element.line.text, textsOf(entry))
    case 'barcode':
      return {
        is: 'barcode',
        text: element.barcode.data,
        times: entry.steps.filter(isBarcode(element.barcode.data)).length,
      }
    case 'separatingLine':
      return { is: 'separatingLine', text: '', times: 1 }
  }
}

const isBarcode = (data: string) => (step: Step) =>
  step.does === 'print' && step.element.is === 'barcode' && step.element.barcode.data === data

/**
 * Returns whether the lines of a closed receipt show each element as often as requested. `lines`: `undefined` if the
 * journal has none.
 */
export function readElements(
  lines: readonly string[] | undefined,
  unconfirmed: readonly UnconfirmedElement[],
): 'asked' | 'twice' | 'unconfirmed' {
  if (lines === undefined) return 'unconfirmed'
  const found = unconfirmed.map((one) => ({ ...one, ...countElement(lines, one) }))
  const twice = found.filter(({ is, places, times }) => places.length > times && CLOSE[is](lines, places))
  // A text that repeats one character looks like a separating line.
  if (twice.some(({ is, text }) => is === 'text' && !RULE.test(text.trim()))) return 'twice'
  const isMissing = found.some(({ mayBeMissing, places, times }) => mayBeMissing && places.length < times)
  return isMissing || twice.length > 0 ? 'unconfirmed' : 'asked'
}

/** Returns whether the lines contain a void line of the device. A text of the request may be the same as that line. */
export function isVoided(lines: readonly string[], voidLine: string, texts: readonly string[]): boolean {
  const isVoidLine = (line: string): boolean => printedOn(line).some((it) => shownOf(voidLine, it) === 'whole')
  return lines.filter(isVoidLine).length > texts.filter(isVoidLine).length
}

/**
 * Returns the positions of an element in the journal, and how many the request expects. Includes other texts that the
 * journal shows alike: their beginnings match, or the device lacks the letter in which they differ.
 */
function countElement(lines: readonly string[], { is, text, times, others = [] }: UnconfirmedElement) {
  let alike: readonly string[] = []
  for (;;) {
    const places = placesOf(lines, is, [text, ...alike])
    const shownOthers = others.filter((other) => places.some((place) => shows(lines[place] as string, other)))
    if (shownOthers.length === alike.length) return { places, times: times + alike.length }
    alike = shownOthers
  }
}

function placesOf(lines: readonly string[], is: UnconfirmedElement['is'], texts: readonly string[]): readonly number[] {
  const { trimmed, isRule } = withRuleTest(lines)
  // A rule over the whole width is printed by the device itself; a text leaves room at the edges.
  const isOwn = (place: number): boolean => is === 'text' && isRule(trimmed[place])
  const isOne = (place: number): boolean => texts.some((text) => SHOWS[is](lines[place] as string, text))
  return [...lines.keys()].filter((place) => !isOwn(place) && isOne(place))
}

const SHOWS: Readonly<Record<UnconfirmedElement['is'], (line: string, text: string) => boolean>> = {
  text: (line, text) => shows(line, text),
  // The journal breaks a long barcode into several lines.
  barcode: (line, data) => line.includes(data.slice(0, BARCODE_BEGINS)),
  separatingLine: (line) => RULE.test(line.trim()),
  // Sales also have an amount at the end, but the letter of the tax group follows it.
  subtotal: (line) => AMOUNT_AT_END.test(line.trim()),
}

/** Length of the barcode data that fits into one line. */
const BARCODE_BEGINS = 12

/** A line that repeats one character, also with blanks between, and with optional marks at both ends. */
const RULE = /^#?([^\s\w#])(?:\1{7,}|(?: \1){7,})\s*#?$/
const AMOUNT_AT_END = /\S\s+\d+\.\d\d$/

type Close = (lines: readonly string[], places: readonly number[]) => boolean

/**
 * Returns a test whether two positions are those of a retransmission. Between them, some devices print one line about
 * the loss of power, once or several times.
 */
const areClose =
  (isAgain: (line: string, before: string, between: readonly string[]) => boolean): Close =>
  (lines, places) =>
    places.some((place, index) => {
      const before = places[index - 1]
      if (before === undefined) return false
      const between = lines.slice(before + 1, place).map((line) => line.trim())
      return new Set(between).size <= 1 && isAgain(lines[place] as string, lines[before] as string, between)
    })

/** Lines about power contain no digits, unlike the lines around a total. */
const isSame = areClose(
  (line, before, between) => line.trim() === before.trim() && !between.some((one) => /\d/.test(one)),
)

const CLOSE: Readonly<Record<UnconfirmedElement['is'], Close>> = {
  text: areClose((line, before) => bareOf(line) === bareOf(before)),
  barcode: () => true,
  separatingLine: isSame,
  subtotal: isSame,
}

/** Returns whether the line may be the text as converted to the code page of the device. */
const shows = (line: string, text: string): boolean =>
  printedOn(line).some((printed) => {
    const printedForm = shownOf(text, printed)
    return printedForm === 'whole' || (printedForm === 'beginning' && printed.length >= CUT_MIN)
  })

/**
 * Returns the line with and without marks. Some devices print a mark at both ends of a line, and a text may contain the
 * same marks.
 */
const printedOn = (line: string): readonly string[] => [line.trim(), bareOf(line)]
const bareOf = (line: string): string =>
  line
    .trim()
    .replace(/^#(.*)#$/, '$1')
    .trim()
