import { type ByteText, fromBytes, toBytes } from '../../wire/charset.ts'

export const PING_ECHO = 0x03
export const PING_ALIVE = 0x04
export const PING_READY = 0x05
export const PING_STATE = 0x09
/** Answer to 05h from a device without paper. A device with paper echoes 05h. */
export const PING_READY_NO_PAPER = 0x07

export interface PingState {
  readonly busy: boolean
  readonly noPaper: boolean
  readonly overheated: boolean
  readonly noDisplay: boolean
}

export const writePing = (state: PingState): number =>
  0x40 + (state.busy ? 1 : 0) + (state.noPaper ? 2 : 0) + (state.overheated ? 4 : 0) + (state.noDisplay ? 8 : 0)

/**
 * Parses an answer to 09h. Returns `undefined` for other bytes, for example 50h, 60h and 70h, which the network adapter
 * sends (sheet 1).
 */
export function readPing(byte: number): PingState | undefined {
  if (byte < 0x40 || byte > 0x4f) return undefined
  return {
    busy: (byte & 1) !== 0,
    noPaper: (byte & 2) !== 0,
    overheated: (byte & 4) !== 0,
    noDisplay: (byte & 8) !== 0,
  }
}

export type GsRequest =
  | { readonly kind: 'widths' | 'table' | 'firmware' }
  | { readonly kind: 'select'; readonly silent: boolean; readonly device: string }
  /** Codes `0` to `4` mean 9600, 19200, 38400, 57600 and 115200 baud. The speed changes at once, without an answer. */
  | { readonly kind: 'speed'; readonly baud: number }

const BAUD_CODES = [9_600, 19_200, 38_400, 57_600, 115_200] as const

export function gsLength(bytes: Uint8Array, from: number, to: number): number | 'more' | undefined {
  if (to - from < 2) return 'more'
  switch (bytes[from + 1]) {
    case 0x49:
    case 0x4d:
    case 0x3f:
      return 2
    case 0x73:
      return to - from < 3 ? 'more' : BAUD_CODES[(bytes[from + 2] as number) - 0x30] === undefined ? undefined : 3
    case 0x3d: {
      const form = fromBytes(bytes.subarray(from + 2, Math.min(to, from + 8)))
      if (!/^([01](F\d{0,4})?)?$/.test(form)) return undefined
      return form.length < 6 ? 'more' : 8
    }
    default:
      return undefined
  }
}

export function readGs(bytes: Uint8Array): GsRequest {
  switch (bytes[1]) {
    case 0x49:
      return { kind: 'widths' }
    case 0x4d:
      return { kind: 'table' }
    case 0x73:
      return { kind: 'speed', baud: BAUD_CODES[(bytes[2] as number) - 0x30] ?? 115_200 }
    case 0x3d:
      return { kind: 'select', silent: bytes[2] === 0x30, device: fromBytes(bytes.subarray(4, 8)) }
    default:
      return { kind: 'firmware' }
  }
}

export const GS_WIDTHS: Uint8Array = Uint8Array.of(0x1d, 0x49)

/** Values of the answer to 1Dh 49h (sheet 4.16). `line` is the number of characters in a line. */
export interface Widths {
  readonly line: number
  readonly articles: number
  readonly departments: number
  readonly operators: number
  readonly taxClasses: number
  readonly headerLines: number
  readonly payments: number
  readonly logos: number
  readonly sales: number
  readonly customers: number
}

const two = (value: number): string => String(value).padStart(2, '0')

export function writeWidths(widths: Widths): Uint8Array {
  const fields: ByteText[] = [
    two(widths.line),
    String(widths.articles),
    two(widths.departments),
    two(widths.operators),
    String(widths.taxClasses),
    two(widths.headerLines),
    two(widths.payments),
    two(widths.logos),
    '00',
    String(widths.sales).padStart(3, '0'),
    String(widths.customers).padStart(4, '0'),
  ]
  return toBytes(`I${fields.join(';')}\n`)
}

export function readWidths(data: ByteText): Widths | undefined {
  const numbers = data.split(';').map(Number)
  const at = (index: number): number => (Number.isSafeInteger(numbers[index]) ? (numbers[index] as number) : 0)
  if (at(0) < 16 || at(0) > 80) return undefined
  return {
    line: at(0),
    articles: at(1),
    departments: at(2),
    operators: at(3),
    taxClasses: at(4),
    headerLines: at(5),
    payments: at(6),
    logos: at(7),
    sales: at(9),
    customers: at(10),
  }
}
