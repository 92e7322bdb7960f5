/**
 * Elements of a whole receipt that the link retransmitted: lines of text, barcodes, separating lines, printed
 * subtotals. A device that lost power before the retransmission prints the element twice. Only its electronic journal
 * shows that, after the receipt is closed.
 */
import { withRuleTest } from '../../drivers/model/journal-text.ts'
import { shownOf } from '../../drivers/model/printable-text.ts'
import type { Step } from '../../drivers/model/steps.ts'
import { type Entry, textsOf, type UnconfirmedElement } from './operation.ts'

/** Minimum length of a shortened text in the journal. A shorter one may be the beginning of another line. */
const CUT_MIN = 16

function unconfirmedText(text: string, texts: readonly string[]): UnconfirmedElement {
  const otherTexts = texts.filter((one) => compared(one) !== compared(text))
  return { is: 'text', text, times: texts.length - otherTexts.length, others: otherTexts }
}

const compared = (text: string): string => text.trim().normalize('NFC')

/**
 * Returns the element that must be searched in the journal after a retransmission; `undefined` if the device reports
 * the step itself, or if a second execution makes no difference.
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
 * Returns whether the lines of a closed receipt contain each element as often as requested. `lines` is `undefined` if
 * the journal returned none.
 */
export function readElements(
  lines: readonly string[] | undefined,
  unconfirmed: readonly UnconfirmedElement[],
): 'asked' | 'twice' | 'unconfirmed' {
  if (lines === undefined) return 'unconfirmed'
  const found = unconfirmed.map((one) => ({ ...one, ...countElement(lines, one) }))
  const twice = found.filter(({ is, places, times }) => places.length > times && CLOSE[is](lines, places))
  // A text that repeats one character cannot be distinguished from a separating line.
  if (twice.some(({ is, text }) => is === 'text' && !RULE.test(text.trim()))) return 'twice'
  const isMissing = found.some(({ mayBeMissing, places, times }) => mayBeMissing && places.length < times)
  return isMissing || twice.length > 0 ? 'unconfirmed' : 'asked'
}

/**
 * Returns whether the lines contain a void line of the device. Texts of the request that are equal to that line do not
 * count.
 */
export function isVoided(lines: readonly string[], voidLine: string, texts: readonly string[]): boolean {
  const isVoidLine = (line: string): boolean => printedOn(line).some((it) => shownOf(voidLine, it) === 'whole')
  return lines.filter(isVoidLine).length > texts.filter(isVoidLine).length
}

/**
 * Returns the positions of an element in the journal, and how many are expected. They include other texts that
 * the journal does not distinguish from it: their beginnings are equal, or the device lacks the letter in which they
 * differ.
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
  // The device itself prints rules over the whole width, whereas a text leaves room at the edges.
  const isOwn = (place: number): boolean => is === 'text' && isRule(trimmed[place])
  const isOne = (place: number): boolean => texts.some((text) => SHOWS[is](lines[place] as string, text))
  return [...lines.keys()].filter((place) => !isOwn(place) && isOne(place))
}

const SHOWS: Readonly<Record<UnconfirmedElement['is'], (line: string, text: string) => boolean>> = {
  text: (line, text) => shows(line, text),
  // The journal divides a long barcode into several lines, so only the beginning of the data is compared.
  barcode: (line, data) => line.includes(data.slice(0, BARCODE_BEGINS)),
  separatingLine: (line) => RULE.test(line.trim()),
  // Sales also have an amount, but the letter of the tax group follows it.
  subtotal: (line) => AMOUNT_AT_END.test(line.trim()),
}

const BARCODE_BEGINS = 12

/** A line that repeats one character, with or without blanks between, and with optional marks at both ends. */
const RULE = /^#?([^\s\w#])(?:\1{7,}|(?: \1){7,})\s*#?$/
const AMOUNT_AT_END = /\S\s+\d+\.\d\d$/

type Close = (lines: readonly string[], places: readonly number[]) => boolean

/**
 * Returns a test for the positions of a retransmission. Between two of them, some devices print a line about the loss
 * of power, once or several times.
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

/** Unlike the lines next to a total, lines about the loss of power contain no digits. */
const isSame = areClose(
  (line, before, between) => line.trim() === before.trim() && !between.some((one) => /\d/.test(one)),
)

const CLOSE: Readonly<Record<UnconfirmedElement['is'], Close>> = {
  text: areClose((line, before) => bareOf(line) === bareOf(before)),
  barcode: () => true,
  separatingLine: isSame,
  subtotal: isSame,
}

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
