/**
 * Frames of family D (sheet 1): lines of text.
 *
 *     > | NUMBER x2 | CODE x2 | DATA | * | SUM x4 | LF
 *     < | NUMBER x2 | CODE x2 | ERROR x2 | STATUS | DATA | * | SUM x4 | LF
 */
import { type ByteText, fromBytes, toBytes } from '../../../../drivers/wire/charset.ts'
import { sum16 } from '../../../../drivers/wire/checksum.ts'
import type { FrameShape } from '../../../../drivers/wire/deframer.ts'
import { statusCodec } from '../../../../drivers/wire/status.ts'

const REQUEST = 0x3e
const ANSWER = 0x3c
const END = 0x0a
export const DAMAGED = 0x3f
export const BUSY = 0x7e
export const NUMBERS = 256
const MAX_FRAME = 250

export interface RequestFrame {
  readonly number: number
  readonly code: number
  readonly data: ByteText
}

export interface AnswerFrame extends RequestFrame {
  readonly error: number
  readonly status: ByteText
}

export const status = statusCodec(1, [
  { byte: 0, bit: 0, name: 'paperOut' },
  { byte: 0, bit: 1, name: 'coverOpen' },
  { byte: 0, bit: 2, name: 'nonFiscalOpen' },
  { byte: 0, bit: 3, name: 'fiscalOpen' },
])
export type StatusName = (typeof status.bits)[number]['name']

const hex = (value: number, digits: number): ByteText => value.toString(16).toUpperCase().padStart(digits, '0')

function line(start: number, body: ByteText): Uint8Array {
  const summed = toBytes(String.fromCharCode(start) + body)
  if (summed.length + 6 > MAX_FRAME) throw new RangeError('it is longer than a frame')
  return Buffer.concat([summed, toBytes(`*${hex(sum16(summed, 0, summed.length), 4)}\n`)])
}

export const writeRequest = ({ number, code, data }: RequestFrame): Uint8Array =>
  line(REQUEST, hex(number, 2) + hex(code, 2) + data)

export const writeAnswer = ({ number, code, error, status, data }: AnswerFrame): Uint8Array =>
  line(ANSWER, hex(number, 2) + hex(code, 2) + String(error).padStart(2, '0') + status + data)

function bodyOf(frame: Uint8Array): ByteText | undefined {
  const star = frame.length - 6
  if (star < 1 || fromBytes(frame.subarray(star)) !== `*${hex(sum16(frame, 0, star), 4)}\n`) return undefined
  return fromBytes(frame.subarray(1, star))
}

export function parseRequest(frame: Uint8Array): RequestFrame | undefined {
  const [, number = '', code = '', data = ''] = /^([\dA-F]{2})([\dA-F]{2})(.*)$/s.exec(bodyOf(frame) ?? '') ?? []
  return number === '' ? undefined : { number: Number.parseInt(number, 16), code: Number.parseInt(code, 16), data }
}

export function parseAnswer(frame: Uint8Array): AnswerFrame | undefined {
  const head = parseRequest(frame)
  const [, error, status = '', data = ''] = /^(\d\d)([\x80-\x8f])(.*)$/s.exec(head?.data ?? '') ?? []
  return head && error !== undefined ? { ...head, error: Number(error), status, data } : undefined
}

const shape = <Frame>(
  start: number,
  singles: readonly number[],
  parse: (frame: Uint8Array) => Frame | undefined,
): FrameShape<Frame> => ({
  classify: (byte) => (byte === start ? 'frame' : singles.includes(byte) ? 'single' : 'skip'),
  measure(bytes, from, to) {
    const end = bytes.subarray(from, to).indexOf(END)
    return end < 0 ? 'more' : end + 1
  },
  parse,
  maxLength: MAX_FRAME,
})

export const requestShape = shape(REQUEST, [], parseRequest)
export const answerShape = shape(ANSWER, [DAMAGED, BUSY], parseAnswer)
