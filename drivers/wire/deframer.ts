/** How a family's frames stand in a stream of bytes. */
export interface FrameShape<Frame> {
  /** What a byte outside a frame is: the start of one, a whole message by itself, or nothing of ours. */
  classify(byte: number): 'frame' | 'single' | 'skip'
  /**
   * Length of the whole frame that begins at `from`, as soon as it can be told; `more` until then; `bad` when these
   * bytes can never become a frame; `restart` with the place of a start byte inside the frame that begins it anew.
   */
  measure(bytes: Uint8Array, from: number, to: number): number | 'more' | 'bad' | { readonly restart: number }
  /** Checks and takes apart a whole frame; undefined: damaged. */
  parse(frame: Uint8Array): Frame | undefined
  /** No frame is longer: what would be is damaged, so that the buffer is bounded. */
  readonly maxLength: number
  /**
   * Of what a device hears: is this beginning of a frame, its start byte first, one that a client of the wire sends?
   * Whether the frame is a good one is not asked. Absent: the start byte is enough.
   */
  opens?(head: Uint8Array): boolean | 'more'
}

export type Deframed<Frame> =
  | { readonly kind: 'frame'; readonly frame: Frame; readonly bytes: Uint8Array }
  | { readonly kind: 'single'; readonly byte: number }
  | { readonly kind: 'damaged'; readonly bytes: Uint8Array }

/** One object for each byte value: a flood of loose bytes makes no garbage. */
const SINGLES = Array.from({ length: 256 }, (_nothing, byte) => Object.freeze({ kind: 'single', byte } as const))

/**
 * Bytes in at any split, frames out; noise is skipped and nothing ever throws. After a damaged frame one byte is
 * dropped and the search for the next start goes on, so that a wrong length cannot swallow a good frame.
 */
export class Deframer<Frame> {
  readonly #shape: FrameShape<Frame>
  #bytes: Uint8Array = new Uint8Array(256)
  #from = 0
  #to = 0
  /** Set after a damaged frame until its remains are passed, so that they are reported once. */
  #damagedUntil = 0

  constructor(shape: FrameShape<Frame>) {
    this.#shape = shape
  }

  /** A frame has begun and is not complete: the one who reads should set a time limit. */
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
        // What stands in the remains of a damaged frame is a part of it, not a message.
        const single = SINGLES[this.#bytes[this.#from] as number]
        if (single && this.#from >= this.#damagedUntil) events.push(single)
        this.#from++
        continue
      }
      // Never more than the longest frame: a flood of start bytes would be looked through once for each of them.
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

  /** The time for the rest of a frame has run out: what is there is dropped and handed over. */
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

  /** In Node's pool: a small array of its own would be moved out of the engine's heap as soon as it is read as text. */
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
      const kept = this.#to - this.#from
      const room = Math.max(256, 2 ** Math.ceil(Math.log2(kept + chunk.length)))
      const next = room > this.#bytes.length || room < this.#bytes.length / 4 ? new Uint8Array(room) : this.#bytes
      next.set(this.#bytes.subarray(this.#from, this.#to))
      this.#bytes = next
      this.#damagedUntil = Math.max(0, this.#damagedUntil - this.#from)
      this.#from = 0
      this.#to = kept
    }
    this.#bytes.set(chunk, this.#to)
    this.#to += chunk.length
  }
}
