import { parseDecimal } from './money.ts'
import type { DocumentFacts } from './printer.ts'

/**
 * Reads facts from the text of a document in the electronic journal. A program may print lines that look like the title
 * of another document. Only lines in the positions of the device's lines therefore count: directly above or between
 * rules of full width, and the mark at the end. Text in another language yields no facts.
 */
export function documentIn(lines: readonly string[]): DocumentFacts {
  const { trimmed, isRule } = withRuleTest(lines)
  const mark = trimmed.findLast((line) => MARK.test(line))
  if (mark === undefined) return { kind: null, total: null }
  // A receipt has its number a second time above the rule of its head. In this position, a copy has the number of its
  // original, and a report has its title.
  const own = numberIn(trimmed.findLast((line) => numberIn(line) !== undefined))
  const head = trimmed.findIndex((line, at) => own !== undefined && numberIn(line) === own && isRule(trimmed[at + 1]))
  const kind = head < 0 ? kindWithoutHead(trimmed, isRule) : 'nonFiscal'
  // Only a closed receipt has the fiscal mark, so names of articles on it are not checked for titles.
  if (/^\W*FISCAL/.test(mark))
    return kind === 'z' ? { kind, total: null } : { kind: 'fiscal', total: documentTotal(lines) }
  const isVoid = (line: string, at: number): boolean =>
    at > head &&
    VOID.test(line) &&
    isRule(trimmed[at - 1]) &&
    amountIn(trimmed[at + 1]) === 0 &&
    isRule(trimmed[at + 2])
  const isReceipt = kind === 'nonFiscal' || kind === 'other'
  return { kind: isReceipt && trimmed.some(isVoid) ? 'cancelled' : kind, total: null }
}

/** Determines the kind by the last line above the last rule, or by the title. */
function kindWithoutHead(textLines: readonly string[], isRule: (line?: string) => boolean): DocumentFacts['kind'] {
  const last = textLines[textLines.findLastIndex((line) => isRule(line)) - 1] ?? ''
  if (last === 'DUPLICATE') return 'copy'
  if (CASH.test(last)) return 'cash'
  const title = textLines.findLast((line, at) => TITLE.test(line) && isRule(textLines[at + 1]))
  return title === undefined ? 'other' : title.startsWith('Z') ? 'z' : 'x'
}

/**
 * Returns the total of a receipt; null if the text contains none. Other lines that look like a total are above the last
 * one.
 */
export function documentTotal(lines: readonly string[]): number | null {
  const { trimmed, isRule } = withRuleTest(lines)
  const isTotal = (line: string, at: number): boolean =>
    line.startsWith('TOTAL') && isRule(trimmed[at - 1]) && isRule(trimmed[at + 1])
  return amountIn(trimmed.findLast(isTotal))
}

export function withRuleTest(lines: readonly string[]) {
  const textLines = lines.map((line) => line.trim())
  const width = Math.max(0, ...textLines.map((line) => line.length))
  return { trimmed: textLines, isRule: (line = ''): boolean => line.length >= width && /^(-+|=+)$/.test(line) }
}

const MARK = /^\W*(FISCAL|NON-FISCAL|SERVICE) RECEIPT\W*$/
const TITLE = /^[XZ] REPORT\b/
const CASH = /^CASH (IN|OUT)\s+\d+\.\d\d$/
const VOID = /^(CANCELLED|RECEIPT VOIDED)$/

const numberIn = (line = ''): string | undefined => /(?:^| )No (\d+)$/.exec(line)?.[1]

function amountIn(line: string | undefined): number | null {
  const value = parseDecimal(line?.replace(/^TOTAL( LEI)?\s+/, '') ?? '', 2)
  return typeof value === 'number' ? value : null
}
