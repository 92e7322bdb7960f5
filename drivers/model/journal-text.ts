import { parseDecimal } from './money.ts'
import type { DocumentFacts } from './printer.ts'

/**
 * Reads facts from the text of a document in a journal, for the wires that give nothing else. Any program may print a
 * line that reads like another document's title, and a shop may have one in its header, rules included. Therefore only
 * lines in the positions of the device's own lines count: directly above or between whole rules, and the mark at the
 * end. Text in another language yields nothing.
 */
export function documentIn(lines: readonly string[]): DocumentFacts {
  const { told, isRule } = withRuleTest(lines)
  const mark = told.findLast((line) => MARK.test(line))
  if (mark === undefined) return { kind: null, total: null }
  // A receipt has its number above the rule of its head, too; a copy has the number of its original there, a report its
  // title.
  const own = numberIn(told.findLast((line) => numberIn(line) !== undefined))
  const head = told.findIndex((line, at) => own !== undefined && numberIn(line) === own && isRule(told[at + 1]))
  const kind = head < 0 ? kindWithoutHead(told, isRule) : 'nonFiscal'
  // A closed receipt has the fiscal mark, and an article on it may have any name.
  if (/^\W*FISCAL/.test(mark))
    return kind === 'z' ? { kind, total: null } : { kind: 'fiscal', total: documentTotal(lines) }
  const isVoid = (line: string, at: number): boolean =>
    at > head && VOID.test(line) && isRule(told[at - 1]) && amountIn(told[at + 1]) === 0 && isRule(told[at + 2])
  const isReceipt = kind === 'nonFiscal' || kind === 'other'
  return { kind: isReceipt && told.some(isVoid) ? 'cancelled' : kind, total: null }
}

/** Uses the very last line, or the title below the shop's header. */
function kindWithoutHead(textLines: readonly string[], isRule: (line?: string) => boolean): DocumentFacts['kind'] {
  const last = textLines[textLines.findLastIndex((line) => isRule(line)) - 1] ?? ''
  if (last === 'DUPLICATE') return 'copy'
  if (CASH.test(last)) return 'cash'
  const title = textLines.findLast((line, at) => TITLE.test(line) && isRule(textLines[at + 1]))
  return title === undefined ? 'other' : title.startsWith('Z') ? 'z' : 'x'
}

/**
 * Returns the total of a receipt; null: the text contains none. Lines of a text or of the shop's header that read like
 * it are above it.
 */
export function documentTotal(lines: readonly string[]): number | null {
  const { told, isRule } = withRuleTest(lines)
  const isTotal = (line: string, at: number): boolean =>
    line.startsWith('TOTAL') && isRule(told[at - 1]) && isRule(told[at + 1])
  return amountIn(told.findLast(isTotal))
}

/** Returns the trimmed lines, and a function that recognizes rules over the whole width. */
export function withRuleTest(lines: readonly string[]) {
  const textLines = lines.map((line) => line.trim())
  const width = Math.max(0, ...textLines.map((line) => line.length))
  return { told: textLines, isRule: (line = ''): boolean => line.length >= width && /^(-+|=+)$/.test(line) }
}

const MARK = /^\W*(FISCAL|NON-FISCAL|SERVICE) RECEIPT\W*$/
const TITLE = /^[XZ] REPORT\b/
const CASH = /^CASH (IN|OUT)\s+\d+\.\d\d$/
const VOID = /^(CANCELLED|RECEIPT VOIDED)$/

/** Returns the number at the right of a line as the device prints it, as text with leading zeros. */
const numberIn = (line = ''): string | undefined => /(?:^| )No (\d+)$/.exec(line)?.[1]

function amountIn(line: string | undefined): number | null {
  const value = parseDecimal(line?.replace(/^TOTAL( LEI)?\s+/, '') ?? '', 2)
  return typeof value === 'number' ? value : null
}
