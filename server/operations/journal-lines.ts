/**
 * Elements of a whole receipt that the link had to retransmit: a line of text, a barcode, a separating line or a
 * printed subtotal. A device that was without power in between executes the retransmission again, and reports nothing
 * about it while the receipt is open. Its journal shows it after the receipt is closed.
 */
import { withRuleTest } from '../../drivers/model/journal-text.ts'
import { shownOf } from '../../drivers/model/letters.ts'
import { type Entry, type Step, textsOf, type UnconfirmedElement } from './operation.ts'

/**
 * Minimum length of the visible beginning of a text that the device has cut: shorter ones may belong to another line.
 */
const CUT_MIN = 16

/** Returns the element of a text line. `texts`: every line of text of the request. */
function unconfirmedText(text: string, texts: readonly string[]): UnconfirmedElement {
  const otherTexts = texts.filter((one) => compared(one) !== compared(text))
  return { is: 'text', text, times: texts.length - otherTexts.length, others: otherTexts }
}

/**
 * Returns the text in a form for comparison: a letter and its diacritic are printed alike, as one character or as two.
 */
const compared = (text: string): string => text.trim().normalize('NFC')

/**
 * Returns the element whose single execution no query can confirm; undefined: the device can be queried, or a second
 * execution makes no difference.
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
 * Returns whether the lines of a closed receipt show the unconfirmed elements; undefined lines: the journal has none.
 * Elements that the lines do not contain lead to no result.
 */
export function readElements(
  lines: readonly string[] | undefined,
  unconfirmed: readonly UnconfirmedElement[],
): 'asked' | 'twice' | 'unconfirmed' {
  if (lines === undefined) return 'unconfirmed'
  const found = unconfirmed.map((one) => ({ ...one, ...countElement(lines, one) }))
  const twice = found.filter(({ is, places, times }) => places.length > times && CLOSE[is](lines, places))
  // A text of a single character may be one of the separating lines.
  if (twice.some(({ is, text }) => is === 'text' && !RULE.test(text.trim()))) return 'twice'
  const isMissing = found.some(({ mayBeMissing, places, times }) => mayBeMissing && places.length < times)
  return isMissing || twice.length > 0 ? 'unconfirmed' : 'asked'
}

/**
 * Returns whether the receipt was cancelled by a line on it, and closed. `texts`: the texts of the request, which may
 * contain such a line too.
 */
export function isVoided(lines: readonly string[], voidLine: string, texts: readonly string[]): boolean {
  const isVoidLine = (line: string): boolean => printedOn(line).some((it) => shownOf(voidLine, it) === 'whole')
  return lines.filter(isVoidLine).length > texts.filter(isVoidLine).length
}

/**
 * Returns the possible positions of an element in the journal, and its expected number. If texts begin alike, or differ
 * in a letter that the device lacks, a line may be any of them: all of them are searched together.
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
  // A rule over the whole width is the device's own: it leaves room next to a text.
  const isOwn = (place: number): boolean => is === 'text' && isRule(trimmed[place])
  const isOne = (place: number): boolean => texts.some((text) => SHOWS[is](lines[place] as string, text))
  return [...lines.keys()].filter((place) => !isOwn(place) && isOne(place))
}

const SHOWS: Readonly<Record<UnconfirmedElement['is'], (line: string, text: string) => boolean>> = {
  text: (line, text) => shows(line, text),
  // A long barcode is broken into several lines.
  barcode: (line, data) => line.includes(data.slice(0, BARCODE_BEGINS)),
  separatingLine: (line) => RULE.test(line.trim()),
  // The letter of the tax group follows the amount of a sale.
  subtotal: (line) => AMOUNT_AT_END.test(line.trim()),
}

/** Number of characters of barcode data in one line. */
const BARCODE_BEGINS = 12

/** A line of a single repeated character, with optional blanks between, and optional marks around. */
const RULE = /^#?([^\s\w#])(?:\1{7,}|(?: \1){7,})\s*#?$/
const AMOUNT_AT_END = /\S\s+\d+\.\d\d$/

type Close = (lines: readonly string[], places: readonly number[]) => boolean

/**
 * Returns whether one of the positions is close to the one before. A retransmitted element is: some devices print
 * between the two that they were without power, in the same line each time.
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

/** Lines about power contain no digits; the lines around a total contain an amount. */
const isSame = areClose(
  (line, before, between) => line.trim() === before.trim() && !between.some((one) => /\d/.test(one)),
)

const CLOSE: Readonly<Record<UnconfirmedElement['is'], Close>> = {
  // Two texts that only begin alike are not the same text.
  text: areClose((line, before) => bareOf(line) === bareOf(before)),
  barcode: () => true,
  separatingLine: isSame,
  subtotal: isSame,
}

/** Returns whether the line may be the text, after the code page of the device. */
const shows = (line: string, text: string): boolean =>
  printedOn(line).some((printed) => {
    const printedForm = shownOf(text, printed)
    return printedForm === 'whole' || (printedForm === 'beginning' && printed.length >= CUT_MIN)
  })

/**
 * Returns the line with and without marks: some devices print a mark at both ends of the line, and a text may contain
 * the same marks.
 */
const printedOn = (line: string): readonly string[] => [line.trim(), bareOf(line)]
const bareOf = (line: string): string =>
  line
    .trim()
    .replace(/^#(.*)#$/, '$1')
    .trim()
