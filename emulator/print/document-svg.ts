import type { PaperDocument } from '../fiscal/api.ts'
import { paperSvg } from './svg-paper.ts'

/** A printed document as a drawing, with its title. */
export const documentSvg = ({ kind, number, operations, text }: PaperDocument, lineWidth: number): string =>
  paperSvg(operations, lineWidth, { title: `Document ${number}, ${kind}`, linesPrinted: text.length })
