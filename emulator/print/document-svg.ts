import type { PaperDocument } from '../fiscal/api.ts'
import { paperSvg } from './svg-paper.ts'

/**
 * Returns a printed document as a titled picture. `lines` is the number of printed lines, for an earlier state of the
 * document.
 */
export function documentSvg(document: PaperDocument, lineWidth: number, lines?: number): string {
  const { kind, number, operations, text } = document
  const title = `Document ${number}, ${kind}`
  if (lines === undefined || lines >= text.length)
    return paperSvg(operations, lineWidth, { title, linesPrinted: text.length })
  return paperSvg(operations, lineWidth, { title, linesPrinted: lines, isPast: true })
}
