import { printable } from '../../drivers/model/escape-control.ts'
import type { BarcodeOperation, DrawingOperation } from './drawing-operations.ts'

/**
 * Returns drawing operations as lines of text of the device's width, for the journal and the control panel. A line
 * depends only on its operation and the width. Letters of any height are plain text, barcodes are framed text.
 */
export function paperText(operations: readonly DrawingOperation[], width: number): string[] {
  const lines: string[] = []
  for (const operation of operations) for (const line of operationText(operation, width)) lines.push(line)
  return lines
}

export function operationText(operation: DrawingOperation, width: number): readonly string[] {
  switch (operation.op) {
    case 'text':
      return wrapped(printable(operation.text), width).map((line) => aligned(line, width, operation.align ?? 'left'))
    case 'columns':
      return columnsText(printable(operation.left), printable(operation.right), width)
    case 'rule':
      return [ruleText(operation.style, width)]
    case 'barcode':
      return barcodeText(operation, width)
    case 'logo':
      return operation.name === 'shop' ? [] : [aligned(`[*] ${printable(operation.text)} [*]`, width, 'center')]
    case 'feed':
      return Array.from({ length: operation.lines }, () => '')
    case 'cut':
      return []
  }
}

const NO_LINES: readonly string[] = ['']

/** Wraps at the last blank in the second half of the line, otherwise at the width. */
function wrapped(value: string, width: number): readonly string[] {
  if (value === '') return NO_LINES
  if (value.length <= width) return [value]
  const lines: string[] = []
  let rest = value
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width)
    const at = blank > width / 2 ? blank : width
    lines.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  if (rest !== '') lines.push(rest)
  return lines
}

function aligned(line: string, width: number, align: 'left' | 'center' | 'right'): string {
  switch (align) {
    case 'left':
      return line.trimEnd()
    case 'right':
      return line.padStart(width)
    case 'center':
      return (' '.repeat(Math.max(0, Math.floor((width - line.length) / 2))) + line).trimEnd()
  }
}

function columnsText(left: string, right: string, width: number): readonly string[] {
  if (left.length + right.length < width) return [(left + right.padStart(width - left.length)).trimEnd()]
  const lines = wrapped(left, width)
  const last = lines[lines.length - 1] ?? ''
  if (last.length + right.length < width) {
    return [...lines.slice(0, -1), (last + right.padStart(width - last.length)).trimEnd()]
  }
  return [...lines, right.padStart(width).trimEnd()]
}

function ruleText(style: 1 | 2 | 3 | 4, width: number): string {
  switch (style) {
    case 1:
      return '-'.repeat(width)
    case 2:
      return '='.repeat(width)
    case 3:
      return '*'.repeat(width)
    case 4:
      return '- '
        .repeat(Math.ceil(width / 2))
        .slice(0, width)
        .trimEnd()
  }
}

const FRAME_LEFT = '|| '
const FRAME_RIGHT = ' ||'

function barcodeText(operation: BarcodeOperation, width: number): readonly string[] {
  const align = operation.align ?? 'center'
  const room = width - FRAME_LEFT.length - FRAME_RIGHT.length
  const data = printable(operation.data)
  const whole = `${operation.label} ${data}`
  const pieces = whole.length <= room ? [whole] : [...wrapped(operation.label, room), ...cut(data, room)]
  const longest = Math.max(...pieces.map((piece) => piece.length))
  return pieces.map((piece) => aligned(FRAME_LEFT + piece.padEnd(longest) + FRAME_RIGHT, width, align))
}

function cut(value: string, width: number): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < value.length; at += width) pieces.push(value.slice(at, at + width))
  return pieces
}
