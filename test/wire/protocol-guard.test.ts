import { describe, expect, it } from 'vitest'
import type { FrameShape } from '../../drivers/wire/deframer.ts'
import { describeForeignProtocol, ProtocolGuard } from '../../drivers/wire/protocol-guard.ts'

/** The byte 02h begins any frame, and 05h is a complete message. */
const shape: FrameShape<never> = {
  maxLength: 8,
  classify: (byte) => (byte === 0x02 ? 'frame' : byte === 0x05 ? 'single' : 'skip'),
  measure: () => 'more',
  parse: () => undefined,
}

describe('the first bytes of a conversation', () => {
  it('are collected until a start byte that suffices for its wire protocol', () => {
    const opening = new ProtocolGuard([shape])
    expect(opening.admits(Uint8Array.of(0x05, 0x05))).toBe(true)
    expect(opening.isOver).toBe(false)
    expect(opening.admits(Uint8Array.of(0x02))).toBe(true)
    expect(opening.isOver).toBe(true)
    // The device itself handles noise after the opening.
    expect(opening.admits(Uint8Array.of(0x00))).toBe(true)
  })

  it('are refused if they belong to no wire protocol', () => {
    const opening = new ProtocolGuard([shape])
    expect(opening.admits(Uint8Array.of(0x05, 0x07, 0x02))).toBe(false)
    expect(opening.isOver).toBe(false)
  })

  it.each([0x00, 0x16])('may contain a few bytes %i, as an adapter sends them before the first frame', (byte) => {
    const opening = new ProtocolGuard([shape])
    expect(opening.admits(new Uint8Array(16).fill(byte))).toBe(true)
    expect(opening.isOver).toBe(false)
    expect(opening.admits(Uint8Array.of(0x02))).toBe(true)
    expect(opening.isOver).toBe(true)
    expect(new ProtocolGuard([shape]).admits(new Uint8Array(17).fill(byte))).toBe(false)
  })
})

describe('the beginning of another protocol', () => {
  const HTTP = 'HTTP'

  it.each([
    ['GET /\r\n', HTTP],
    ['OPTIONS * HTTP/1.1\r\n', HTTP],
    ['CONNECT shop.example:443 HTTP/1.1\r\n', HTTP],
    ['Get /index.html HTTP/1.1\r\n', HTTP],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', HTTP],
    ['\r\n \tPOST /print HTTP/1.1\r\n', HTTP],
    // A protocol's name counts only at the beginning of the first line.
    ['x PRI * HTTP/2.0\r\n', 'a line of text ("x")'],
    ['say GET /index.html\r\n', 'a line of text ("say")'],
    ['1 GET / HTTP/1.1\r\n', '31 20 47 45'],
    ['EHLO example.com\r\n', 'a line of text ("EHLO")'],
    ['user anonymous\r\n', 'a line of text ("user")'],
    ['conversationally', 'a line of text ("conversation")'],
    ['\x16\x03\x01\x02\x00', 'TLS'],
    ['\x16\x01\x00\x2f\x00', '16 01 00 2F'],
    ['\x05\x03\x01', '05 03 01'],
    ['\x1b]0;owned\x07', '1B 5D 30 3B'],
  ])('%j is called %s', (first, called) => {
    expect(describeForeignProtocol(Buffer.from(first, 'latin1'))).toBe(called)
  })
})
