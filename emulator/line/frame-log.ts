import type { FrameDescription, Personality } from '../personality.ts'

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
  #start = 0
  #lastId = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  add(at: number, direction: 'toDevice' | 'toHost', bytes: Uint8Array): FrameEntry {
    const entry = { id: ++this.#lastId, at, direction, bytes }
    if (this.#entries.length < this.#capacity) this.#entries.push(entry)
    else {
      this.#entries[this.#start] = entry
      this.#start = (this.#start + 1) % this.#capacity
    }
    return entry
  }

  /** Oldest first; only those behind the given id. */
  after(id = 0): FrameEntry[] {
    const count = this.#entries.length
    const skipped = Math.max(0, Math.min(count, id - (this.#lastId - count)))
    const found: FrameEntry[] = []
    for (let n = skipped; n < count; n++) found.push(this.#entries[(this.#start + n) % count] as FrameEntry)
    return found
  }
}

export function decodeFrame(entry: FrameEntry, personality: Pick<Personality, 'describe'>): DecodedFrame {
  const { command, fields, status } = personality.describe(entry.direction, entry.bytes)
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    direction: entry.direction,
    hex: hexOf(entry.bytes),
    command,
    fields,
    status,
  }
}

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('hex')
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1 ')
