import { parseDecimal } from './money.ts'
import type { DocumentFacts } from './printer.ts'

/**
 * What the text of a document in a journal tells of it, for the wires that give nothing else. Anybody may print a line
 * that reads like another document's title, so only lines count that stand where a device prints its own: above the
 * first rule, between two whole rules, and the mark at the end. Text in another language tells nothing.
 */
export function documentIn(lines: readonly string[]): DocumentFacts {
  const { told, isRule } = ruled(lines)
  const firstRule = told.findIndex(isRule)
  const head = firstRule < 0 ? told : told.slice(0, firstRule)
  const mark = told.findLast((line) => MARK.test(line))
  const isTitled = (title: RegExp): boolean => head.some((line) => title.test(line))
  if (mark === undefined) return { kind: null, total: null }
  if (isTitled(/^Z REPORT\b/)) return { kind: 'z', total: null }
  if (isTitled(/^X REPORT\b/)) return { kind: 'x', total: null }
  if (isTitled(/^DUPLICATE\b/)) return { kind: 'copy', total: null }
  if (told.some((line, at) => isVoid(line) && isRule(told[at - 1]))) return { kind: 'cancelled', total: null }
  if (/\bFISCAL RECEIPT\b/.test(mark) && !mark.startsWith('NON')) {
    return { kind: 'fiscal', total: documentTotal(lines) }
  }
  return { kind: isTitled(/ No \d+$|^No \d+$/) ? 'nonFiscal' : 'other', total: null }
}

/** The sum of a receipt; null: it tells none. */
export function documentTotal(lines: readonly string[]): number | null {
  const { told, isRule } = ruled(lines)
  return amountIn(told.find((line, at) => line.startsWith('TOTAL') && isRule(told[at - 1]) && isRule(told[at + 1])))
}

/** The lines, and which of them are rules over the whole width. */
function ruled(lines: readonly string[]) {
  const told = lines.map((line) => line.trim())
  const width = Math.max(0, ...told.map((line) => line.length))
  return { told, isRule: (line = ''): boolean => line.length >= width && /^(-+|=+)$/.test(line) }
}

const MARK = /^\W*(FISCAL|NON-FISCAL|SERVICE) RECEIPT\W*$/
const isVoid = (line: string): boolean => /^(CANCELLED|RECEIPT VOIDED)$/.test(line)

function amountIn(line: string | undefined): number | null {
  const value = parseDecimal(line?.replace(/^TOTAL( LEI)?\s+/, '') ?? '', 2)
  return typeof value === 'number' ? value : null
}
