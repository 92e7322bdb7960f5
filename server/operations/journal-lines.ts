/**
 * A line of text, a barcode, a separating line or a printed subtotal of a whole receipt whose command the link had to
 * write again: the device carries the repeat out once more when it was without power in between, and tells nothing of it
 * while the receipt is open. Its journal does, once the receipt is closed.
 */
import { ruled } from '../../drivers/model/journal-text.ts'
import { shownOf } from '../../drivers/model/letters.ts'
import { type Entry, type Step, textsOf, type UnconfirmedElement } from './operation.ts'

/** Cut by a device that prints less than it was told: fewer letters than these may be another line's. */
const CUT_MIN = 16

/** `texts`: every line of text of the request. */
function unconfirmedText(text: string, texts: readonly string[]): UnconfirmedElement {
  const others = texts.filter((one) => compared(one) !== compared(text))
  return { is: 'text', text, times: texts.length - others.length, others }
}

/** A letter and its diacritic are printed alike, whether they come as one sign or as two. */
const compared = (text: string): string => text.trim().normalize('NFC')

/** Of the device of this step it cannot be asked whether it was carried out once; undefined: it can, or it makes no difference. */
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

/** What the lines of a closed receipt show; undefined: the journal has none. Where they do not show what is unconfirmed, nothing is said. */
export function readElements(
  lines: readonly string[] | undefined,
  unconfirmed: readonly UnconfirmedElement[],
): 'asked' | 'twice' | 'unconfirmed' {
  if (lines === undefined) return 'unconfirmed'
  const found = unconfirmed.map((one) => ({ ...one, ...standing(lines, one) }))
  const twice = found.filter(({ is, places, times }) => places.length > times && CLOSE[is](lines, places))
  // A text of one sign may be one of the lines that separate.
  if (twice.some(({ is, text }) => is === 'text' && !RULE.test(text.trim()))) return 'twice'
  const isMissing = found.some(({ mayBeMissing, places, times }) => mayBeMissing && places.length < times)
  return isMissing || twice.length > 0 ? 'unconfirmed' : 'asked'
}

/** Cancelled by a line on it, and closed. `texts`: those of the request, which may have such a line of its own. */
export function isVoided(lines: readonly string[], voidLine: string, texts: readonly string[]): boolean {
  const isVoidLine = (line: string): boolean => printedOn(line).some((it) => shownOf(voidLine, it) === 'whole')
  return lines.filter(isVoidLine).length > texts.filter(isVoidLine).length
}

/**
 * Where it may stand in the journal, and how often it should. Of texts that begin alike, or differ in a letter that the
 * device lacks, nobody knows which of them a line is: all of them are looked for together.
 */
function standing(lines: readonly string[], { is, text, times, others = [] }: UnconfirmedElement) {
  let alike: readonly string[] = []
  for (;;) {
    const places = placesOf(lines, is, [text, ...alike])
    const more = others.filter((other) => places.some((place) => shows(lines[place] as string, other)))
    if (more.length === alike.length) return { places, times: times + alike.length }
    alike = more
  }
}

function placesOf(lines: readonly string[], is: UnconfirmedElement['is'], texts: readonly string[]): readonly number[] {
  const { told, isRule } = ruled(lines)
  // One over the whole width is the device's own: it leaves room beside a text.
  const isOwn = (place: number): boolean => is === 'text' && isRule(told[place])
  const isOne = (place: number): boolean => texts.some((text) => SHOWS[is](lines[place] as string, text))
  return [...lines.keys()].filter((place) => !isOwn(place) && isOne(place))
}

const SHOWS: Readonly<Record<UnconfirmedElement['is'], (line: string, text: string) => boolean>> = {
  text: (line, text) => shows(line, text),
  // A long one is broken into several lines.
  barcode: (line, data) => line.includes(data.slice(0, BARCODE_BEGINS)),
  separatingLine: (line) => RULE.test(line.trim()),
  // Of a sale, the letter of its tax group follows.
  subtotal: (line) => AMOUNT_AT_END.test(line.trim()),
}

/** Letters of its data that stand in one line. */
const BARCODE_BEGINS = 12

/** Of one sign, perhaps with blanks between, perhaps between marks. */
const RULE = /^#?([^\s\w#])(?:\1{7,}|(?: \1){7,})\s*#?$/
const AMOUNT_AT_END = /\S\s+\d+\.\d\d$/

type Close = (lines: readonly string[], places: readonly number[]) => boolean

/**
 * What the link has written again stands close behind itself: some devices say between the two that they were without
 * power, in the same line each time.
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

/** What a device says of its power names no amount; between the lines around a total one stands. */
const isSame = areClose(
  (line, before, between) => line.trim() === before.trim() && !between.some((one) => /\d/.test(one)),
)

const CLOSE: Readonly<Record<UnconfirmedElement['is'], Close>> = {
  // Of two that only begin alike, neither is the other again.
  text: areClose((line, before) => bareOf(line) === bareOf(before)),
  barcode: () => true,
  separatingLine: isSame,
  subtotal: isSame,
}

/** A journal gives the line as it went through the code page of the device. */
const shows = (line: string, text: string): boolean =>
  printedOn(line).some((printed) => {
    const shown = shownOf(text, printed)
    return shown === 'whole' || (shown === 'beginning' && printed.length >= CUT_MIN)
  })

/** Some devices set a mark at both ends of the line, and a text may have the same marks of its own. */
const printedOn = (line: string): readonly string[] => [line.trim(), bareOf(line)]
const bareOf = (line: string): string =>
  line
    .trim()
    .replace(/^#(.*)#$/, '$1')
    .trim()
