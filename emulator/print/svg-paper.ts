/**
 * Drawing operations as a picture. One unit is one dot of the print head (8 per millimetre), and the paper is as wide
 * as the device's. Lines are those of `text-paper.ts`, at the same positions.
 */
import { attributes, type Markup, xml } from '../../drivers/host/markup.ts'
import { printable } from '../../drivers/model/escape-control.ts'
import { type Bars, bars } from './barcode-symbol.ts'
import type { BarcodeOperation, DrawingOperation, TypeStyle } from './drawing-operations.ts'
import { operationText } from './text-paper.ts'

const DOTS_PER_MM = 8
const PAPER_FONT = 'Paper Head'
/** Width of a letter of the paper font, relative to the font size. */
const ADVANCE = 1233 / 2048
const INK = '#141414'
const TONE = '#fdfcf8'

interface Canvas {
  readonly paperMm: number
  readonly head: number
  readonly margin: number
  readonly columns: number
  readonly cell: number
  readonly fontSize: number
  readonly lineHeight: number
}

/** Narrow print heads have 58 mm paper, the others 80 mm. The columns fill the head. */
export function canvasOf(columns: number): Canvas {
  const [paperMm, head] = columns <= 32 ? [58, 384] : [80, 576]
  const cell = head / columns
  const fontSize = cell / ADVANCE
  const lineHeight = Math.round(fontSize * 1.32)
  return { paperMm, head, margin: (paperMm * DOTS_PER_MM - head) / 2, columns, cell, fontSize, lineHeight }
}

interface SvgOptions {
  readonly title: string
  /** Number of text lines that have been printed. Absent: all. */
  readonly linesPrinted?: number
  /** True for an earlier state of a document, which is drawn without an interrupted line. */
  readonly isPast?: boolean
}

const TOP = 28
const BOTTOM = 20

export function paperSvg(operations: readonly DrawingOperation[], columns: number, options: SvgOptions): string {
  const canvas = canvasOf(columns)
  const parts: Markup[] = []
  let y = TOP
  const all = operations.reduce((count, operation) => count + operationText(operation, columns).length, 0)
  // The cut line is drawn only if the document is printed completely.
  const waiting = Math.max(0, all - (options.linesPrinted ?? all))
  const isWhole = waiting === 0
  let remainingLines = isWhole ? Number.POSITIVE_INFINITY : (options.linesPrinted ?? 0)
  for (const operation of operations) {
    const lines = operationText(operation, columns)
    if (remainingLines <= 0) break
    const shownLines = Math.min(lines.length, remainingLines)
    remainingLines -= lines.length
    // A barcode is drawn only as a whole.
    if (shownLines < lines.length && operation.op === 'barcode') break
    const drawn = draw(operation, lines.slice(0, shownLines), canvas, y)
    parts.push(drawn.svg)
    y += drawn.height
  }
  const printed = options.linesPrinted ?? 0
  const half =
    isWhole || printed === 0 || options.isPast ? undefined : halfLine(operations, columns, canvas, y, printed)
  if (half) parts.push(half.svg)
  const height = Math.round(y + (half?.height ?? BOTTOM))
  const width = canvas.paperMm * DOTS_PER_MM
  const font = `'${PAPER_FONT}', 'Paper Mono', 'DejaVu Sans Mono', monospace`
  return String(
    xml`<svg xmlns="http://www.w3.org/2000/svg" width="${canvas.paperMm}mm" height="${height / DOTS_PER_MM}mm" viewBox="0 0 ${width} ${height}" role="img" data-waiting="${waiting}" data-line="${canvas.lineHeight}" font-family="${font}" font-size="${round(canvas.fontSize)}" text-rendering="geometricPrecision" fill="${INK}"><title>${printable(options.title)}</title><rect width="${width}" height="${height}" fill="${TONE}"/>${parts}</svg>\n`,
  )
}

/**
 * The head prints a line in rows of dots: returns the upper half of the line at which the paper ended or the cover was
 * opened. The device prints this line again when it continues.
 */
function halfLine(
  operations: readonly DrawingOperation[],
  columns: number,
  canvas: Canvas,
  y: number,
  printed: number,
): Drawing | undefined {
  let before = 0
  for (const operation of operations) {
    const lines = operationText(operation, columns)
    const line = lines[printed - before]
    before += lines.length
    if (line === undefined || before <= printed) continue
    if (operation.op !== 'text' && operation.op !== 'columns' && operation.op !== 'rule') return undefined
    const drawn = textLines([line], operation.op === 'rule' ? {} : operation, canvas, y)
    const height = drawn.height / 2
    const bottom = round(y + height)
    return { svg: xml`<svg width="100%" height="${bottom}" aria-hidden="true">${drawn.svg}</svg>`, height }
  }
  return undefined
}

interface Drawing {
  readonly svg: Markup
  readonly height: number
}

function draw(operation: DrawingOperation, lines: readonly string[], canvas: Canvas, y: number): Drawing {
  switch (operation.op) {
    case 'text':
    case 'columns':
      return textLines(lines, operation, canvas, y)
    case 'rule':
      return textLines(lines, {}, canvas, y)
    case 'barcode':
      return barcode(operation, lines, canvas, y)
    case 'logo':
      return operation.name === 'fiscal' ? fiscalMark(operation.text, canvas, y) : { svg: xml``, height: 0 }
    case 'feed':
      return { svg: xml``, height: lines.length * canvas.lineHeight }
    case 'cut':
      return cutLine(canvas, y)
  }
}

const STRETCH = { double: 2, half: 0.6, normal: 1 } as const

function textLines(lines: readonly string[], style: TypeStyle, canvas: Canvas, y: number): Drawing {
  const stretch = STRETCH[style.height ?? 'normal']
  const high = canvas.lineHeight * stretch
  const svg = xml`${lines.map((line, index) => textLine(line, style, canvas, y + index * high, stretch))}`
  return { svg, height: high * lines.length }
}

function textLine(line: string, style: TypeStyle, canvas: Canvas, y: number, stretch: number): Markup {
  const runs = runsOf(line)
  if (runs.length === 0) return xml``
  const baseline = y + canvas.lineHeight * stretch * 0.76
  const lean = style.italic ? ' skewX(-11)' : ''
  const isMoved = stretch !== 1 || style.italic === true
  const look = attributes({
    y: isMoved ? undefined : round(baseline),
    'font-weight': style.bold ? 'bold' : undefined,
    transform: isMoved ? `translate(0 ${round(baseline)}) scale(1 ${stretch})${lean}` : undefined,
  })
  // Runs begin at their columns, so that amounts are aligned in any font.
  const spans = runs.map(
    ({ column, text }) => xml`<tspan x="${x(canvas, column)}"${length(text, canvas)}>${printable(text)}</tspan>`,
  )
  const under = style.underline ? underline(runs, canvas, baseline) : xml``
  return xml`<text${look}>${spans}</text>${under}`
}

/** A line of one repeated sign has a fixed length, because font hinting may change the width of the sign. */
const length = (text: string, canvas: Canvas): ReturnType<typeof attributes> =>
  attributes(
    /^(\S)\1{7,}$/.test(text) || /^(\S )\1{3,}\S$/.test(text)
      ? { textLength: round(text.length * canvas.cell), lengthAdjust: 'spacing' }
      : {},
  )

interface Run {
  readonly column: number
  readonly text: string
}

function runsOf(line: string): Run[] {
  const runs: Run[] = []
  for (const match of line.matchAll(/\S+(?: \S+)*/g)) runs.push({ column: match.index, text: match[0] })
  return runs
}

const x = (canvas: Canvas, column: number): string => round(canvas.margin + column * canvas.cell)

function underline(runs: readonly Run[], canvas: Canvas, baseline: number): Markup {
  const [first] = runs
  const last = runs.at(-1)
  if (!first || !last) return xml``
  const width = (last.column + last.text.length - first.column) * canvas.cell
  return xml`<rect x="${x(canvas, first.column)}" y="${round(baseline + 3)}" width="${round(width)}" height="2"/>`
}

const BAR_GAP = 10

function barcode(operation: BarcodeOperation, lines: readonly string[], canvas: Canvas, y: number): Drawing {
  const symbol = bars(operation, canvas.head)
  if (!symbol) return textLines(lines, {}, canvas, y)
  const room = canvas.head - symbol.width
  const shift = operation.align === 'left' ? 0 : operation.align === 'right' ? room : room / 2
  const left = Math.round(canvas.margin + shift)
  const top = Math.round(y + BAR_GAP)
  const path = symbol.dark.map(([bx, by, w, h]) => `M${left + bx} ${top + by}h${w}v${h}h-${w}z`).join('')
  const svg = xml`<path d="${path}" shape-rendering="crispEdges"/>${legend(symbol, left, top, canvas)}`
  const below = symbol.text === undefined ? 0 : canvas.lineHeight
  return { svg, height: symbol.height + below + 2 * BAR_GAP }
}

function legend({ text, width, height }: Bars, left: number, top: number, canvas: Canvas): Markup {
  if (text === undefined) return xml``
  const baseline = round(top + height + canvas.lineHeight * 0.84)
  return xml`<text x="${round(left + width / 2)}" y="${baseline}" text-anchor="middle">${printable(text)}</text>`
}

function fiscalMark(words: string, canvas: Canvas, y: number): Drawing {
  const height = canvas.lineHeight * 1.7
  const middle = y + height / 2
  const centre = canvas.margin + canvas.head / 2
  const half = (words.length * canvas.cell) / 2
  const size = canvas.cell * 0.85
  const seal = (at: number) =>
    xml`<g transform="translate(${round(at)} ${round(middle)})"><path d="${star(size)}"/><circle r="${round(size * 0.42)}" fill="${TONE}"/><circle r="${round(size * 0.22)}"/></g>`
  const label = xml`<text x="${round(centre)}" y="${round(middle + canvas.fontSize * 0.36)}" text-anchor="middle" font-weight="bold">${printable(words)}</text>`
  const away = half + size * 2
  return { svg: xml`${seal(centre - away)}${label}${seal(centre + away)}`, height }
}

const POINTS = 8

function star(radius: number): string {
  const corners = Array.from({ length: POINTS * 2 }, (_, index) => {
    const length = index % 2 === 0 ? radius : radius * 0.72
    const angle = (Math.PI * index) / POINTS
    return `${round(length * Math.sin(angle))} ${round(-length * Math.cos(angle))}`
  })
  return `M${corners.join('L')}Z`
}

const CUT_ROOM = 34

function cutLine(canvas: Canvas, y: number): Drawing {
  const width = canvas.paperMm * DOTS_PER_MM
  const middle = y + CUT_ROOM * 0.7
  const scissors = xml`<g transform="translate(8 ${middle})" fill="none" stroke="#8b8b85" stroke-width="1.6"><circle cx="3" cy="-5" r="3.4"/><circle cx="3" cy="5" r="3.4"/><path d="M6 -3.2L19 5M6 3.2L19 -5"/></g>`
  const line = xml`<path d="M32 ${middle}H${width - 8}" stroke="#8b8b85" stroke-width="1.6" stroke-dasharray="8 6" fill="none"/>`
  return { svg: xml`<g class="cut">${scissors}${line}</g>`, height: CUT_ROOM }
}

const round = (value: number): string => String(Math.round(value * 100) / 100)
