/**
 * The conversation of families A and B: numbered requests. A device executes each once, however often the host
 * retransmits it.
 */

import type { DeviceFrames, WrongBytes } from './bytes.ts'
import { beginLedger, type Ledger, type Piece, type ReplayOptions } from './ledger.ts'

interface Frame {
  readonly seq: number
  readonly command: number
}

interface LineReader<Host extends Frame, Device extends Frame & { readonly bits: readonly string[] }> {
  readHost(bytes: Uint8Array): Host | WrongBytes
  readDevice(bytes: Uint8Array): DeviceFrames<Device> | WrongBytes
  isRepeat(frame: Device, before: Device): boolean
  isAnswer(frame: Device, request: Host): boolean
  follow(books: Ledger, request: Host, answer: Device): void
}

export function listen<Host extends Frame, Device extends Frame & { readonly bits: readonly string[] }>(
  pieces: readonly Piece[],
  listening: ReplayOptions,
  { readHost, readDevice, isRepeat, isAnswer, follow }: LineReader<Host, Device>,
): Ledger {
  const books = beginLedger(listening)
  let request: Host | undefined
  let before: { readonly frame: Device; readonly bytes: string } | undefined
  for (const piece of pieces) {
    if (piece.direction === 'toDevice') {
      const frame = readHost(piece.bytes)
      request = 'wrong' in frame ? request : frame
      continue
    }
    for (const answer of answersIn(piece.bytes)) {
      const response = readDevice(answer)
      if ('wrong' in response) {
        books.disagreements.push(`an answer cannot be read: ${response.wrong}`)
        continue
      }
      const { frame } = response
      if (!frame || !request || !isAnswer(frame, request)) continue
      const bytes = Array.from(answer).join(' ')
      if (before && isRepeat(frame, before.frame)) {
        if (bytes !== before.bytes) books.disagreements.push(`number ${frame.seq} was answered in two ways`)
        continue
      }
      before = { frame, bytes }
      follow(books, request, frame)
      compareState(books, frame)
    }
  }
  return books
}

/**
 * Splits bytes into answers: a late answer and its retransmission may be read together. 03h ends an answer and does not
 * occur elsewhere in it. Streamed lines (sheet B 10.9), which begin with 1Ah, are not answers.
 */
function answersIn(bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes[0] === 0x1a) return []
  const answers: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x03, at)
    const next = end < 0 ? bytes.length : end + 1
    answers.push(bytes.subarray(at, next))
    at = next
  }
  return answers
}

/** Status bit 2.3 means that a fiscal receipt is open, and bit 2.5 a non-fiscal one. */
function compareState(books: Ledger, { command, bits }: Frame & { readonly bits: readonly string[] }): void {
  const word = (on: boolean) => (on ? 'on' : 'off')
  books.disagree(`bit 2.3 after ${command}`, word(bits.includes('2.3')), word(books.open !== undefined))
  books.disagree(`bit 2.5 after ${command}`, word(bits.includes('2.5')), word(books.nonFiscalOpen))
}
