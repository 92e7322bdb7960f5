/**
 * SHA-1 and SHA-256 of texts in UTF-8 (FIPS 180-4). They are synchronous, unlike a browser's own digests, because a
 * device operation chains the lines of the electronic journal.
 */

const BLOCK = 64
const encoder = new TextEncoder()

/** Fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8. */
const [ROUNDS, START_256] = constants()
const START_1 = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)

/** State and schedule of the current block. All digests share them, because `digest` is synchronous. */
const state = new Int32Array(8)
const words = new Int32Array(80)
let padded = new Uint8Array(BLOCK * 4)

/** Returns 64 hexadecimal digits in lower case. */
export const sha256 = (text: string): string => digest(text, START_256, rounds256)

/** Returns 40 hexadecimal digits in lower case. */
export const sha1 = (text: string): string => digest(text, START_1, rounds1)

/** Compares in constant time, so that the time does not reveal how much of the texts is equal. */
export function isSameDigest(left: string, right: string): boolean {
  let difference = left.length ^ right.length
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}

function digest(text: string, start: Int32Array, rounds: () => void): string {
  // UTF-8 needs at most three bytes per UTF-16 unit; the end mark and the length need nine.
  if (padded.length < text.length * 3 + BLOCK + 9) padded = new Uint8Array(text.length * 3 + 2 * BLOCK)
  const length = encoder.encodeInto(text, padded).written
  const end = Math.ceil((length + 9) / BLOCK) * BLOCK
  padded.fill(0, length, end)
  padded[length] = 0x80
  const bits = [Math.floor(length / 0x2000_0000), length << 3]
  for (let at = 0; at < 8; at++) padded[end - 8 + at] = (bits[at >> 2] as number) >>> (24 - 8 * (at & 3))
  state.set(start)
  for (let at = 0; at < end; at += BLOCK) {
    for (let word = 0, byte = at; word < 16; word++, byte += 4)
      words[word] = (byteAt(byte) << 24) | (byteAt(byte + 1) << 16) | (byteAt(byte + 2) << 8) | byteAt(byte + 3)
    rounds()
  }
  let digits = ''
  for (let word = 0; word < start.length; word++) digits += hex(valueAt(word))
  return digits
}

const byteAt = (at: number): number => padded[at] as number
const wordAt = (at: number): number => words[at] as number
const valueAt = (at: number): number => state[at] as number
const add = (at: number, value: number): void => {
  state[at] = valueAt(at) + value
}

const right = (value: number, by: number): number => (value >>> by) | (value << (32 - by))
const rotateLeft = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** `toString(16)` of a large number takes longer than the whole digest. */
const DIGITS = Array.from({ length: 256 }, (_nothing, byte) => byte.toString(16).padStart(2, '0'))
const hexByte = (word: number, by: number): string => DIGITS[(word >>> by) & 0xff] as string
const hex = (word: number): string => hexByte(word, 24) + hexByte(word, 16) + hexByte(word, 8) + hexByte(word, 0)

function rounds256(): void {
  for (let at = 16; at < 64; at++) {
    const early = wordAt(at - 15)
    const late = wordAt(at - 2)
    const small = right(early, 7) ^ right(early, 18) ^ (early >>> 3)
    const large = right(late, 17) ^ right(late, 19) ^ (late >>> 10)
    words[at] = (wordAt(at - 16) + small + wordAt(at - 7) + large) | 0
  }
  let a = valueAt(0)
  let b = valueAt(1)
  let c = valueAt(2)
  let d = valueAt(3)
  let e = valueAt(4)
  let f = valueAt(5)
  let g = valueAt(6)
  let h = valueAt(7)
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g)
    const mixed = right(e, 6) ^ right(e, 11) ^ right(e, 25)
    const one = (h + mixed + choice + (ROUNDS[at] as number) + wordAt(at)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const other = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + majority
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + other) | 0
  }
  add(0, a)
  add(1, b)
  add(2, c)
  add(3, d)
  add(4, e)
  add(5, f)
  add(6, g)
  add(7, h)
}

function rounds1(): void {
  for (let at = 16; at < 80; at++)
    words[at] = rotateLeft(wordAt(at - 3) ^ wordAt(at - 8) ^ wordAt(at - 14) ^ wordAt(at - 16), 1)
  let a = valueAt(0)
  let b = valueAt(1)
  let c = valueAt(2)
  let d = valueAt(3)
  let e = valueAt(4)
  for (let at = 0; at < 80; at++) {
    const next = (rotateLeft(a, 5) + mixed1(at, b, c, d) + e + wordAt(at)) | 0
    e = d
    d = c
    c = rotateLeft(b, 30)
    b = a
    a = next
  }
  add(0, a)
  add(1, b)
  add(2, c)
  add(3, d)
  add(4, e)
}

function mixed1(at: number, b: number, c: number, d: number): number {
  if (at < 20) return ((b & c) ^ (~b & d)) + 0x5a827999
  if (at < 40) return (b ^ c ^ d) + 0x6ed9eba1
  if (at < 60) return ((b & c) ^ (b & d) ^ (c & d)) + 0x8f1bbcdc
  return (b ^ c ^ d) + 0xca62c1d6
}

function constants(): readonly [Int32Array, Int32Array] {
  const primes: bigint[] = []
  for (let number = 2n; primes.length < 64; number++)
    if (primes.every((prime) => number % prime !== 0n)) primes.push(number)
  return [
    Int32Array.from(primes, (prime) => Number(BigInt.asIntN(32, root(3n, prime << 96n)))),
    Int32Array.from(primes.slice(0, 8), (prime) => Number(BigInt.asIntN(32, root(2n, prime << 64n)))),
  ]
}

function root(degree: bigint, value: bigint): bigint {
  let found = 0n
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((found | bit) ** degree <= value) found |= bit
  return found
}

/** `crypto.randomUUID` is missing on pages that were loaded over plain HTTP. */
export function randomUUID(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const digits = Array.from(bytes, (byte) => DIGITS[byte] as string).join('')
  const variant = '89ab'[Number.parseInt(digits[16] as string, 16) & 3]
  const marked = `${digits.slice(0, 12)}4${digits.slice(13, 16)}${variant}${digits.slice(17)}`
  return marked.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
