/** The part of Node's Buffer that drivers, device and service use, for a browser. */

type Encoding = 'latin1' | 'hex' | 'base64' | 'base64url' | 'utf8' | 'utf-8'

const CHUNK = 8192

export class ByteBuffer extends Uint8Array<ArrayBuffer> {
  // The constructor of Uint8Array is overloaded; this one passes on each form.
  constructor(source: number | ArrayBuffer, at?: number, length?: number) {
    super(source as ArrayBuffer, at, length)
  }

  static override from(source: unknown, second?: unknown, third?: unknown): ByteBuffer {
    if (typeof source === 'string') return over(bytesOf(source, (second ?? 'utf8') as Encoding))
    if (source instanceof ArrayBuffer) return new ByteBuffer(source, second as number, third as number)
    return over(Uint8Array.from(source as Iterable<number>))
  }

  static override of(...bytes: number[]): ByteBuffer {
    return over(Uint8Array.of(...bytes))
  }

  static alloc(size: number, fill = 0): ByteBuffer {
    return new ByteBuffer(size).fill(fill)
  }

  static allocUnsafe(size: number): ByteBuffer {
    return new ByteBuffer(size)
  }

  static concat(parts: readonly Uint8Array[]): ByteBuffer {
    const whole = new ByteBuffer(parts.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }

  static compare(left: Uint8Array, right: Uint8Array): number {
    const at = left.findIndex((byte, index) => byte !== right[index])
    if (at < 0 || at >= right.length) return left.length - right.length
    return (left[at] as number) - (right[at] as number)
  }

  static isBuffer(value: unknown): boolean {
    return value instanceof ByteBuffer
  }

  static byteLength(text: string): number {
    return new TextEncoder().encode(text).length
  }

  /** Writes a text, by default at offset 0. Returns the number of written bytes. */
  write(text: string, at: number | Encoding, encoding?: Encoding): number {
    const [from, as] = typeof at === 'number' ? [at, encoding] : [0, at]
    const bytes = bytesOf(text, as ?? 'utf8').subarray(0, this.length - from)
    this.set(bytes, from)
    return bytes.length
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, at) => byte === other[at])
  }

  override indexOf(what: number | Uint8Array, from = 0): number {
    if (typeof what === 'number') return super.indexOf(what, from)
    for (let at = from; at + what.length <= this.length; at++)
      if (what.every((byte, index) => byte === this[at + index])) return at
    return -1
  }

  override toString(encoding: Encoding = 'utf8'): string {
    switch (encoding) {
      case 'latin1':
        return latin1(this)
      case 'hex':
        return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('')
      case 'base64':
        return btoa(latin1(this))
      case 'base64url':
        return btoa(latin1(this)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
      default:
        return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this)
    }
  }
}

const over = (bytes: Uint8Array): ByteBuffer =>
  new ByteBuffer(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)

function latin1(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return text
}

function bytesOf(text: string, encoding: Encoding): Uint8Array {
  switch (encoding) {
    case 'latin1':
      return Uint8Array.from({ length: text.length }, (_nothing, at) => text.charCodeAt(at) & 0xff)
    case 'hex':
      return Uint8Array.from(text.match(/[\da-f]{2}/gi) ?? [], (digits) => Number.parseInt(digits, 16))
    case 'base64':
    case 'base64url':
      return bytesOf(fromBase64(text), 'latin1')
    default:
      return new TextEncoder().encode(text)
  }
}

/**
 * Decodes as Node does: accepts both alphabets, takes letters beyond Latin-1 modulo 256, and skips all other letters.
 */
function fromBase64(text: string): string {
  const own = latin1(bytesOf(text, 'latin1'))
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/=.*$/s, '')
    .replace(/[^A-Za-z\d+/]/g, '')
  return atob(own.length % 4 === 1 ? own.slice(0, -1) : own)
}
