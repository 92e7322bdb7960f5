export interface FrameShape<Frame> {
  /** Returns whether a byte outside a frame starts a frame, is a whole message, or is noise. */
  classify(byte: number): 'frame' | 'single' | 'skip'
  /**
   * Returns the length of the frame that begins at `from`; `more` if more bytes are needed; `bad` if the bytes cannot
   * become a frame; `restart`, with a position, if another frame begins inside this one.
   */
  measure(bytes: Uint8Array, from: number, to: number): number | 'more' | 'bad' | { readonly restart: number }
  parse(frame: Uint8Array): Frame | undefined
  /** Maximum length of a frame. A longer one counts as damaged, so that the buffer is limited. */
  readonly maxLength: number
  /**
   * Returns whether clients send this beginning of a frame, start byte included. Does not check the whole frame. Absent
   * if the start byte is sufficient.
   */
  opens?(head: Uint8Array): boolean | 'more'
}

export type Deframed<Frame> =
  | { readonly kind: 'frame'; readonly frame: Frame; readonly bytes: Uint8Array }
  | { readonly kind: 'single'; readonly byte: number }
  | { readonly kind: 'damaged'; readonly bytes: Uint8Array }

/** Shared objects, one per byte value, so that a flood of loose bytes creates no garbage. */
const SINGLES = Array.from({ length: 256 }, (_nothing, byte) => Object.freeze({ kind: 'single', byte } as const))

/**
 * Splits a stream of bytes, in chunks of any size, into frames. After a damaged frame, the search for the next start
 * continues at the following byte, so that a wrong length cannot swallow a valid frame.
 */
export class Deframer<Frame> {
  readonly #shape: FrameShape<Frame>
  #bytes: Uint8Array = new Uint8Array(256)
  #from = 0
  #to = 0
  #damagedUntil = 0

  constructor(shape: FrameShape<Frame>) {
    this.#shape = shape
  }

  /** True if a frame has begun but is not complete. The reader should then set a time limit. */
  get pending(): boolean {
    return this.#to > this.#from
  }

  push(chunk: Uint8Array): Deframed<Frame>[] {
    this.#append(chunk)
    const events: Deframed<Frame>[] = []
    while (this.#from < this.#to) {
      const kind = this.#shape.classify(this.#bytes[this.#from] as number)
      if (kind === 'skip') {
        this.#from++
        continue
      }
      if (kind === 'single') {
        // A single byte inside a damaged frame is a part of that frame and not a message.
        const single = SINGLES[this.#bytes[this.#from] as number]
        if (single && this.#from >= this.#damagedUntil) events.push(single)
        this.#from++
        continue
      }
      // A search over all bytes would be repeated for each start byte of a flood.
      const to = Math.min(this.#to, this.#from + this.#shape.maxLength + 1)
      const length = this.#shape.measure(this.#bytes, this.#from, to)
      if (length === 'more' && to - this.#from <= this.#shape.maxLength) break
      if (typeof length === 'object') {
        this.#from = length.restart
        continue
      }
      if (typeof length === 'number' && length <= this.#shape.maxLength) {
        if (this.#to - this.#from < length) break
        const bytes = this.#copy(this.#from, this.#from + length)
        const frame = this.#shape.parse(bytes)
        if (frame !== undefined) {
          events.push({ kind: 'frame', frame, bytes })
          this.#from += length
          this.#damagedUntil = 0
          continue
        }
        this.#damaged(events, length)
        continue
      }
      this.#damaged(events, Math.min(this.#to - this.#from, this.#shape.maxLength))
    }
    if (this.#from === this.#to) {
      this.#from = 0
      this.#to = 0
      this.#damagedUntil = 0
    }
    return events
  }

  expire(): Uint8Array | undefined {
    if (!this.pending) return undefined
    const rest = this.#copy(this.#from, this.#to)
    this.reset()
    return rest
  }

  reset(): void {
    this.#from = 0
    this.#to = 0
    this.#damagedUntil = 0
  }

  /**
   * Copies into Node's buffer pool. The engine would move a small separate array out of its heap when it is read as
   * text.
   */
  #copy(from: number, to: number): Uint8Array {
    const copy = Buffer.from(this.#bytes.subarray(from, to))
    return new Uint8Array(copy.buffer, copy.byteOffset, copy.length)
  }

  #damaged(events: Deframed<Frame>[], length: number): void {
    if (this.#from >= this.#damagedUntil) {
      events.push({ kind: 'damaged', bytes: this.#copy(this.#from, this.#from + length) })
    }
    this.#damagedUntil = Math.max(this.#damagedUntil, this.#from + length)
    this.#from++
  }

  #append(chunk: Uint8Array): void {
    if (this.#to + chunk.length > this.#bytes.length) {
      const remaining = this.#to - this.#from
      const room = Math.max(256, 2 ** Math.ceil(Math.log2(remaining + chunk.length)))
      const next = room > this.#bytes.length || room < this.#bytes.length / 4 ? new Uint8Array(room) : this.#bytes
      next.set(this.#bytes.subarray(this.#from, this.#to))
      this.#bytes = next
      this.#damagedUntil = Math.max(0, this.#damagedUntil - this.#from)
      this.#from = 0
      this.#to = remaining
    }
    this.#bytes.set(chunk, this.#to)
    this.#to += chunk.length
  }
}
