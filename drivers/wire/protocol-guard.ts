import type { FrameShape } from './deframer.ts'

/**
 * Checks the first bytes on a network port. A web page can make a browser send bytes to any port after HTTP headers.
 * The first bytes must therefore be those of a fiscal wire protocol: single bytes that it defines, then the beginning
 * of a frame. A few meaningless bytes may precede them, because adapters and drivers send some.
 */
export class ProtocolGuard {
  #candidates: readonly Candidate[]
  #isOver = false
  #idle = 0

  constructor(shapes: readonly FrameShape<unknown>[]) {
    this.#candidates = shapes.map((shape) => ({ shape, head: [] }))
  }

  /** True after the beginning of a frame: the client uses one of the wire protocols. */
  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * Returns false if these bytes belong to no wire protocol and must not reach a device. Accepts chunks of any size.
   */
  admits(bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      if (this.#isOver) return true
      if (this.#isIdle(byte)) continue
      this.#candidates = this.#candidates.filter((one) => this.#accepts(one, byte))
      if (this.#candidates.length === 0) return false
    }
    return true
  }

  #isIdle(byte: number): boolean {
    const isBefore = this.#candidates.every(({ head }) => head.length === 0)
    return isBefore && IDLE.has(byte) && ++this.#idle <= IDLE_MAX
  }

  #accepts({ shape, head }: Candidate, byte: number): boolean {
    if (head.length === 0) {
      const kind = shape.classify(byte)
      if (kind !== 'frame') return kind === 'single'
    }
    head.push(byte)
    const opens = shape.opens?.(Uint8Array.from(head)) ?? true
    if (opens === true) this.#isOver = true
    return opens !== false
  }
}

interface Candidate {
  readonly shape: FrameShape<unknown>
  readonly head: number[]
}

/** Bytes without meaning: a line break signal, and the busy byte, which an adapter may return. */
const IDLE: ReadonlySet<number> = new Set([0x00, 0x16])
const IDLE_MAX = 16

const HEAD = 4

/**
 * Returns whether no control byte is among the bytes after the start byte, which are length, number and command, or
 * their first digits.
 */
export function opensWithText(head: Uint8Array): boolean | 'more' {
  if (head.subarray(1).some((byte) => byte < 0x20)) return false
  return head.length >= HEAD ? true : 'more'
}

/**
 * Describes rejected bytes for a log line. Of the bytes themselves, the text contains only letters and hexadecimal
 * numbers.
 */
export function describeForeignProtocol(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 400)).toString('latin1').trimStart()
  if (/^PRI \* HTTP\/2|^[A-Za-z]+ \S+ HTTP\/|^[A-Z]{3,10} \//.test(text)) return 'HTTP'
  if (bytes[0] === 0x16 && bytes[1] === 0x03) return 'TLS'
  const word = /^[A-Za-z]{1,12}/.exec(text)?.[0]
  if (word !== undefined) return `a line of text ("${word}")`
  return [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')
}
