/**
 * A line of text of a whole receipt whose command the link had to write again: the device carries the repeat out once
 * more when it was without power in between, and tells nothing of it while the receipt is open. Its journal does, once the
 * receipt is closed.
 */
import { DeviceError } from '../../drivers/model/errors.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { isRefusal } from './failed-call.ts'
import type { ProgressRecord, RepeatedText } from './progress.ts'

/** Cut by a device that prints less than it was told: fewer letters than these may be another line's. */
const CUT_MIN = 16

/** Some devices say between the two that they were without power. */
const LINES_BETWEEN = 1

/** `asked`: every line of text of the request. */
export const repeatedText = (text: string, texts: readonly string[]): RepeatedText => ({
  text,
  times: texts.filter((one) => one.trim() === text.trim()).length,
})

/**
 * Where the journal does not show the line at all, nothing is said. One that cannot be read now proves nothing, and makes
 * no failure of a receipt that is closed.
 */
export async function textsStand(
  printer: FiscalPrinter,
  { repeatedTexts = [] }: ProgressRecord,
  number: number,
): Promise<'asked' | 'twice' | 'perhapsTwice'> {
  if (repeatedTexts.length === 0 || number < 1 || !printer.linesOf) return 'asked'
  try {
    const lines = await printer.linesOf(number)
    if (lines === undefined) return 'perhapsTwice'
    return repeatedTexts.some(({ text, times }) => together(lines, text) >= times) ? 'twice' : 'asked'
  } catch (error) {
    if (error instanceof DeviceError) return 'perhapsTwice'
    throw error
  }
}

/** A non-fiscal receipt that was cancelled by a line on it, and closed. */
export async function isVoid(printer: FiscalPrinter, number: number): Promise<boolean> {
  const { voidLine } = printer
  if (voidLine === undefined || number < 1) return false
  try {
    return (await printer.linesOf?.(number))?.some((line) => shows(line, voidLine)) ?? false
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** So often the line stands close behind itself. */
function together(lines: readonly string[], text: string): number {
  const places = [...lines.keys()].filter((place) => shows(lines[place] as string, text))
  return places.filter((place, index) => place - (places[index - 1] ?? -Infinity) <= 1 + LINES_BETWEEN).length
}

/** Some devices set a mark at both ends of the line. */
function shows(line: string, text: string): boolean {
  const printed = line
    .trim()
    .replace(/^#(.*)#$/, '$1')
    .trim()
  const expected = text.trim()
  return printed === expected || (printed.length >= CUT_MIN && expected.startsWith(printed))
}
