import type { PaperDocument } from '../fiscal/api.ts'
import { paperSvg } from './svg-paper.ts'

/** A printed document as a drawing, with its title; `lines`: as it was when it had so many. */
export function documentSvg(document: PaperDocument, lineWidth: number, lines?: number): string {
  const { kind, number, operations, text } = document
  const title = `Document ${number}, ${kind}`
  if (lines === undefined || lines >= text.length)
    return paperSvg(operations, lineWidth, { title, linesPrinted: text.length })
  return paperSvg(operations, lineWidth, { title, linesPrinted: lines, isPast: true })
}
