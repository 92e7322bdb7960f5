import { hexOf } from '../../drivers/wire/charset.ts'
import type { FrameDescription, Wire } from '../wire.ts'
import { readableFields } from './readable.ts'

/** The last frames of both directions, for the panel. Decoded when somebody looks, not when they pass. */
export interface FrameEntry {
  readonly id: number
  /** Milliseconds of the emulator's clock. */
  readonly at: number
  readonly direction: 'toDevice' | 'toHost'
  readonly bytes: Uint8Array
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
  readonly #capacity: number
  readonly #entries: FrameEntry[] = []
  /** For each document the frame that was carried out when it was finished, oldest first. */
  readonly #marks: { readonly document: number; readonly frame: number }[] = []
  #start = 0
  #lastId = 0
  #lastAsked: number | undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  add(at: number, direction: 'toDevice' | 'toHost', bytes: Uint8Array): FrameEntry {
    const entry = { id: ++this.#lastId, at, direction, bytes }
    // A ping comes in between.
    if (direction === 'toDevice' && bytes.length > 1) this.#lastAsked = entry.id
    if (this.#entries.length < this.#capacity) this.#entries.push(entry)
    else {
      this.#entries[this.#start] = entry
      this.#start = (this.#start + 1) % this.#capacity
    }
    return entry
  }

  /** The last frame with which a host asked for something; undefined: none has yet. */
  get lastAsked(): number | undefined {
    return this.#lastAsked
  }

  /** A document is finished: by the command that arrived last. */
  mark(document: number): void {
    this.#marks.push({ document, frame: this.#lastId })
    if (this.#marks.length > this.#capacity) this.#marks.shift()
  }

  /** The frames from the document before to this one's last answer, as far as they are still kept. */
  ofDocument(document: number): FrameEntry[] {
    const index = this.#marks.findIndex((mark) => mark.document === document)
    const end = this.#marks[index]?.frame
    if (end === undefined) return []
    // Two documents of one command have the same frames.
    const before = this.#marks.findLast(({ frame }, at) => at < index && frame < end)
    const entries = this.after(before?.frame ?? 0)
    const first = before ? entries.findIndex(({ direction }) => direction === 'toDevice') : 0
    const next = entries.findIndex(({ id, direction }) => id > end && direction === 'toDevice')
    return first < 0 ? [] : entries.slice(first, next < 0 ? undefined : next)
  }

  /** What the host asked last before this frame; undefined: it is not kept any more, or there was nothing. */
  askedBefore(id: number): Uint8Array | undefined {
    const count = this.#entries.length
    for (let at = id - 1; at > this.#lastId - count; at--) {
      const index = this.#start + count - 1 - (this.#lastId - at)
      const { direction, bytes } = this.#entries[index % count] as FrameEntry
      // A ping comes in between.
      if (direction === 'toDevice' && bytes.length > 1) return bytes
    }
    return undefined
  }

  /** The device is another one now: its documents count from the start. */
  forgetDocuments(): void {
    this.#marks.length = 0
  }

  /** Oldest first; only those behind the given id. */
  after(id = 0): FrameEntry[] {
    const count = this.#entries.length
    const skipped = Math.max(0, Math.min(count, id - (this.#lastId - count)))
    const entries: FrameEntry[] = []
    for (let n = skipped; n < count; n++) entries.push(this.#entries[(this.#start + n) % count] as FrameEntry)
    return entries
  }
}

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
