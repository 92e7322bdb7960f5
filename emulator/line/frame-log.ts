import { hexOf } from '../../drivers/wire/charset.ts'
import { RingBuffer } from '../ring-buffer.ts'
import type { FrameDescription, Wire } from '../wire.ts'
import { readableFields } from './readable.ts'

/** The last frames of both directions, for the panel. Decoded when somebody looks, not when they pass. */
export interface FrameEntry {
  readonly id: number
  /** Milliseconds of the emulator's clock. */
  readonly at: number
  readonly direction: 'toDevice' | 'toHost'
  readonly bytes: Uint8Array
  /** Its place among all that happened to the device. */
  readonly moment: number
  /** The program that sent the frame, or that the frame was sent to; undefined: unknown. */
  readonly host?: string | undefined
}

export interface DecodedFrame extends FrameDescription {
  readonly id: number
  /** ISO, UTC. */
  readonly at: string
  readonly direction: 'toDevice' | 'toHost'
  /** Two digits a byte, separated by spaces. */
  readonly hex: string
}

export class FrameLog {
  readonly capacity: number
  readonly #entries: RingBuffer<FrameEntry>
  /** For each document the frame that was carried out when it was finished, oldest first. */
  readonly #marks: RingBuffer<{ readonly document: number; readonly frame: number }>
  #lastId = 0
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

  /** The last frame of both directions; undefined: there has been none. */
  get last(): number | undefined {
    return this.#lastId || undefined
  }

  /** The last frame with which a host asked for something; undefined: none has yet. */
  get lastRequest(): number | undefined {
    return this.#lastRequest
  }

  /** A document is finished: by the command that arrived last. */
  mark(document: number): void {
    this.#marks.push({ document, frame: this.#lastId })
  }

  /** The frames from the document before to this one's last answer, as far as they are still kept. */
  ofDocument(document: number): FrameEntry[] {
    const marks = this.#marks.from(0)
    const index = marks.findIndex((mark) => mark.document === document)
    const end = marks[index]?.frame
    if (end === undefined) return []
    // Two documents of one command have the same frames.
    const before = marks.findLast(({ frame }, at) => at < index && frame < end)
    const entries = this.after(before?.frame ?? 0)
    const first = before ? entries.findIndex(({ direction }) => direction === 'toDevice') : 0
    const next = entries.findIndex(({ id, direction }) => id > end && direction === 'toDevice')
    return first < 0 ? [] : entries.slice(first, next < 0 ? undefined : next)
  }

  /** What the host asked last before this frame; undefined: it is not kept any more, or there was nothing. */
  askedBefore(id: number): Uint8Array | undefined {
    for (let index = this.#keptBefore(id) - 1; index >= 0; index--) {
      const entry = this.#entries.at(index) as FrameEntry
      if (isQuestion(entry)) return entry.bytes
    }
    return undefined
  }

  /** The device is another one now: its documents count from the start. */
  forgetDocuments(): void {
    this.#marks.clear()
  }

  /** Oldest first; only those behind the given id. */
  after(id = 0): FrameEntry[] {
    return this.#entries.from(this.#keptBefore(id + 1))
  }

  /** How many of those that are kept came before it. */
  #keptBefore(id: number): number {
    return Math.min(this.#entries.length, id - 1 - (this.#lastId - this.#entries.length))
  }
}

/** A ping comes in between. */
const isQuestion = ({ direction, bytes }: FrameEntry): boolean => direction === 'toDevice' && bytes.length > 1

export function decodeFrame(
  entry: FrameEntry,
  wire: Pick<Wire, 'describe'>,
  log: Pick<FrameLog, 'askedBefore'>,
): DecodedFrame {
  const question = entry.direction === 'toHost' ? log.askedBefore(entry.id) : undefined
  const { command, fields, known, status } = wire.describe(entry.direction, entry.bytes, question)
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    direction: entry.direction,
    hex: hexOf(entry.bytes),
    command,
    fields: readableFields(fields, known),
    status,
  }
}
