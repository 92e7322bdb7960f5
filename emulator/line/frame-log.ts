import { hexOf } from '../../drivers/wire/charset.ts'
import { RingBuffer } from '../ring-buffer.ts'
import type { FrameDescription, Wire } from '../wire.ts'
import { readableFields } from './readable-fields.ts'

/** Frames are decoded when they are read, not when they pass. */
export interface FrameEntry {
  readonly id: number
  /** Time on the emulator's clock, in ms. */
  readonly at: number
  readonly direction: 'toDevice' | 'toHost'
  readonly bytes: Uint8Array
  readonly moment: number
  readonly host?: string | undefined
}

export interface DecodedFrame extends FrameDescription {
  readonly id: number
  /** ISO 8601 time in UTC. */
  readonly at: string
  readonly direction: 'toDevice' | 'toHost'
  /** Two digits per byte, separated by spaces. */
  readonly hex: string
}

export class FrameLog {
  readonly capacity: number
  readonly #entries: RingBuffer<FrameEntry>
  /** The last frame before each document was finished, oldest first. */
  readonly #marks: RingBuffer<{ readonly document: number; readonly frame: number }>
  #lastId = 0
  #lastOfReplaced = 0
  #lastRequest: number | undefined

  constructor(capacity: number) {
    this.capacity = capacity
    this.#entries = new RingBuffer(capacity)
    this.#marks = new RingBuffer(capacity)
  }

  add(frame: Omit<FrameEntry, 'id'>): FrameEntry {
    const { at, direction, bytes, moment, host } = frame
    const entry = { id: ++this.#lastId, at, direction, bytes, moment, host }
    if (isQuestion(entry)) this.#lastRequest = entry.id
    this.#entries.push(entry)
    return entry
  }

  get last(): number | undefined {
    return this.#lastId || undefined
  }

  get lastRequest(): number | undefined {
    return this.#lastRequest
  }

  mark(document: number): void {
    this.#marks.push({ document, frame: this.#lastId })
  }

  /** Returns the frames between the previous document and this document's last answer that are still stored. */
  framesOf(document: number): FrameEntry[] {
    const marks = this.#marks.from(0)
    const index = marks.findIndex((mark) => mark.document === document)
    const end = marks[index]?.frame
    if (end === undefined) return []
    // Two documents of one command have the same frames.
    const before = marks.findLast(({ frame }, at) => at < index && frame < end)
    const previousEnd = before?.frame ?? this.#lastOfReplaced
    const entries = this.after(previousEnd)
    const first = previousEnd > 0 ? entries.findIndex(({ direction }) => direction === 'toDevice') : 0
    const next = entries.findIndex(({ id, direction }) => id > end && direction === 'toDevice')
    return first < 0 ? [] : entries.slice(first, next < 0 ? undefined : next)
  }

  /** Returns the last request before this frame; `undefined` if there is none, or if it is no longer stored. */
  askedBefore(id: number): Uint8Array | undefined {
    for (let index = this.#storedBefore(id) - 1; index >= 0; index--) {
      const entry = this.#entries.at(index) as FrameEntry
      if (isQuestion(entry)) return entry.bytes
    }
    return undefined
  }

  /** Must be called when the device was replaced, because its documents are then numbered from the start. */
  forgetDocuments(): void {
    this.#marks.clear()
    this.#lastOfReplaced = this.#lastId
  }

  after(id = 0): FrameEntry[] {
    return this.#entries.from(this.#storedBefore(id + 1))
  }

  #storedBefore(id: number): number {
    return Math.min(this.#entries.length, id - 1 - (this.#lastId - this.#entries.length))
  }
}

/** Single bytes to the device are pings, which may arrive between a request and its answer. */
const isQuestion = ({ direction, bytes }: FrameEntry): boolean => direction === 'toDevice' && bytes.length > 1

export function decodeFrame(
  entry: FrameEntry,
  wire: Pick<Wire, 'describe'>,
  log: Pick<FrameLog, 'askedBefore'>,
): DecodedFrame {
  const question = entry.direction === 'toHost' ? log.askedBefore(entry.id) : undefined
  const { command, fields, fieldMeanings, status } = wire.describe(entry.direction, entry.bytes, question)
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    direction: entry.direction,
    hex: hexOf(entry.bytes),
    command,
    fields: readableFields(fields, fieldMeanings),
    status,
  }
}
