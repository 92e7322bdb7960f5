/** Bars and modules of a barcode, in dots of the print head (203 dpi, 8 per millimetre). */
import bwip from 'bwip-js'
import type { BarcodeOperation } from './drawing-operations.ts'

export interface Bars {
  readonly width: number
  readonly height: number
  /** Dark rectangles: x, y, width, height. */
  readonly dark: readonly (readonly [number, number, number, number])[]
  readonly text: string | undefined
}

const DOTS_PER_MM = 8
const DEFAULT_HEIGHT_MM = 10
const DEFAULT_SCALE = 2
const DEFAULT_MODULE = 4
/** Height of a row of PDF417, in module widths. */
const PDF417_ROW = 3

interface Kind {
  readonly symbology: string
  readonly options?: Readonly<Record<string, boolean>>
  /**
   * True if the last digit is a check digit. If the encoder rejects it, the digit is dropped and the encoder computes
   * one.
   */
  readonly checked?: boolean
  readonly rowHeight?: number
  readonly data?: (data: string) => string
}

/** The service's barcode types (specification 2.3); 7 to 16 are numbered as in the family sheets. */
const KINDS: Readonly<Record<number, Kind>> = {
  1: { symbology: 'ean8', checked: true },
  2: { symbology: 'ean13', checked: true },
  3: { symbology: 'code128' },
  4: { symbology: 'qrcode', rowHeight: 1 },
  5: { symbology: 'industrial2of5' },
  6: { symbology: 'interleaved2of5' },
  7: { symbology: 'pdf417compact', rowHeight: PDF417_ROW },
  8: { symbology: 'pdf417', rowHeight: PDF417_ROW },
  9: { symbology: 'upca', checked: true },
  10: { symbology: 'upce', checked: true },
  11: { symbology: 'interleaved2of5', options: { includecheck: true } },
  12: { symbology: 'code39' },
  13: { symbology: 'code39', options: { includecheck: true } },
  14: { symbology: 'code93', options: { includecheck: true } },
  15: { symbology: 'rationalizedCodabar', data: (data) => (/^[A-D].*[A-D]$/.test(data) ? data : `A${data}A`) },
}

/** A one-dimensional barcode: alternating widths of bars and spaces. */
interface Linear {
  readonly sbs: readonly number[]
}
interface Field {
  readonly pixs: readonly number[]
  readonly pixx: number
}

/**
 * Returns `undefined` for data that cannot be encoded; the paper then shows text. `room` is the width of the print head
 * in dots: wider symbols get narrower bars.
 */
export function bars(operation: BarcodeOperation, room: number): Bars | undefined {
  if (operation.type === POSTNET) return postalBars(operation)
  const kind = KINDS[operation.type]
  const encoded = kind && encode(kind, operation.data)
  if (!encoded) return undefined
  const text = operation.printText === false || kind.rowHeight !== undefined ? undefined : operation.data
  if ('pixs' in encoded) return fieldBars(encoded, kind.rowHeight ?? 1, operation.size || DEFAULT_MODULE, room)
  const heightDots = (operation.height || DEFAULT_HEIGHT_MM) * DOTS_PER_MM
  return { ...linearBars(encoded, operation.scale || DEFAULT_SCALE, heightDots, room), text }
}

function encode({ symbology, options, checked, data: shape }: Kind, data: string): Linear | Field | undefined {
  const tries = checked ? [data, data.slice(0, -1)] : [shape ? shape(data) : data]
  for (const text of tries) {
    try {
      const [first] = bwip.raw({ bcid: symbology, text, ...options }) as unknown as readonly (Linear | Field)[]
      if (first && ('pixs' in first || 'sbs' in first)) return first
    } catch {
      // The encoder rejects this form of the data.
    }
  }
  return undefined
}

function linearBars({ sbs }: Linear, scale: number, height: number, room: number) {
  const modules = sbs.reduce((sum, width) => sum + width, 0)
  const module = Math.max(1, Math.min(scale, Math.floor(room / modules)))
  const dark: [number, number, number, number][] = []
  let x = 0
  sbs.forEach((width, index) => {
    if (index % 2 === 0) dark.push([x, 0, width * module, height])
    x += width * module
  })
  return { width: x, height, dark }
}

const POSTNET = 16
/**
 * Long (1) and short (0) bars of each digit. Two of five are long, with the weights 7, 4, 2, 1 and 0; the digit 0 has
 * the weights 7 and 4.
 */
const POSTAL_DIGITS = ['11000', '00011', '00101', '00110', '01001', '01010', '01100', '10001', '10010', '10100']
const POSTAL = { bar: 4, step: 9, long: 25, short: 10 }

/** Returns POSTNET between its two frame bars, with the check digit that makes the sum a multiple of ten. */
function postalBars({ data, printText }: BarcodeOperation): Bars | undefined {
  if (!/^\d+$/.test(data)) return undefined
  const sum = [...data].reduce((so, digit) => so + Number(digit), 0)
  const code = [...data, String((10 - (sum % 10)) % 10)].map((digit) => POSTAL_DIGITS[Number(digit)]).join('')
  const dark = [...`1${code}1`].map((long, index) => {
    const height = long === '1' ? POSTAL.long : POSTAL.short
    return [index * POSTAL.step, POSTAL.long - height, POSTAL.bar, height] as const
  })
  const width = (dark.length - 1) * POSTAL.step + POSTAL.bar
  return { width, height: POSTAL.long, dark, text: printText === false ? undefined : data }
}

/** Adjacent dark modules of a row are combined into one rectangle. */
function fieldBars({ pixs, pixx }: Field, rowHeight: number, size: number, room: number): Bars {
  const module = Math.max(1, Math.min(size, Math.floor(room / pixx)))
  const high = module * rowHeight
  const rows = pixs.length / pixx
  const dark: [number, number, number, number][] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < pixx; column++) {
      if (!pixs[row * pixx + column]) continue
      const from = column
      while (column + 1 < pixx && pixs[row * pixx + column + 1]) column++
      dark.push([from * module, row * high, (column + 1 - from) * module, high])
    }
  }
  return { width: pixx * module, height: rows * high, dark, text: undefined }
}
