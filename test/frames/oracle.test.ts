/**
 * The oracle itself. It reads every frame of the three protocol specifications as specified, and its builder returns
 * the same bytes. The expected facts (fixtures/oracle) were taken from the specifications by offsets, not by this code.
 */

import { describe, expect, it } from 'vitest'
import { bitsOf } from '../../scenarios/oracle/bytes.ts'
import { readDeviceA, readDeviceFramesA, readHostA } from '../../scenarios/oracle/frames-a.ts'
import { readDeviceFramesB, readHostB } from '../../scenarios/oracle/frames-b.ts'
import { type PieceC, readC } from '../../scenarios/oracle/frames-c.ts'
import { buildDeviceA, buildHostA } from '../frame-builders/frames-a.ts'
import { buildDeviceB, buildHostB } from '../frame-builders/frames-b.ts'
import { buildAckC, buildMessageC } from '../frame-builders/frames-c.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import { fixture } from '../support/fixture.ts'

/** Facts about one direction of a frame. All members but the bytes are taken from the protocol specification. */
interface HalfFact {
  readonly bytes: string
  readonly provenance?: string
  readonly wrong?: string
  readonly pieces?: readonly { readonly dataHex?: string }[]
}
interface Fact {
  readonly name: string
  readonly meaning: string
  readonly request: HalfFact
  readonly answer: HalfFact | null
}

const inSigns = ({ dataHex, ...piece }: { readonly dataHex?: string }): object =>
  dataHex === undefined ? piece : { ...piece, data: String.fromCharCode(...bytesOf(dataHex)) }

/**
 * The oracle's reading of one direction, in the form of the fixture, and the bytes that it builds from that reading.
 */
type Reading = Wrong | { readonly facts: object; readonly built: string }

interface Oracle {
  readonly family: string
  request(bytes: Uint8Array): Reading
  answer(bytes: Uint8Array): Reading
}

const BUSY = '16 '
const NAK = '15'

interface HostFrame {
  readonly seq: number
  readonly command: number
  readonly data: string
}
interface Speech {
  readonly busy: number
  readonly nak: boolean
  readonly frame?: HostFrame & { readonly status: readonly number[] }
}
interface Wrong {
  readonly wrong: string
}

/**
 * Frames of families A and B have SEQ, command and data. A response also has status bytes, and busy bytes before it or
 * a NAK instead of it.
 */
const summed = (
  family: string,
  readHost: (bytes: Uint8Array) => HostFrame | Wrong,
  buildHost: typeof buildHostA,
  readDevice: (bytes: Uint8Array) => Speech | Wrong,
  buildDevice: typeof buildDeviceA,
): Oracle => ({
  family,
  request(bytes) {
    const host = readHost(bytes)
    if ('wrong' in host) return host
    const { seq, command, data } = host
    return { facts: { seq, command, data }, built: textOf(buildHost(seq, command, data)) }
  },
  answer(bytes) {
    const speech = readDevice(bytes)
    if ('wrong' in speech) return speech
    const { busy, nak, frame } = speech
    if (!frame) return { facts: { busy, nak }, built: BUSY.repeat(busy) + (nak ? NAK : '') }
    const { seq, command, data, status } = frame
    return {
      facts: { busy, seq, command, data, status: textOf(Uint8Array.from(status)) },
      built: BUSY.repeat(busy) + textOf(buildDevice(seq, command, data, status)),
    }
  },
})

const codesOf = (data: string): Uint8Array => Uint8Array.from(data, (sign) => sign.charCodeAt(0))

function builtC(piece: PieceC): string {
  if (piece.kind === 'message') return textOf(buildMessageC(piece.number, piece.command, piece.data))
  if (piece.kind === 'ack') return textOf(buildAckC(piece.number, piece.device, piece.refusal))
  if (piece.kind === 'single') return textOf(Uint8Array.of(piece.byte))
  const loose = textOf(codesOf(piece.data))
  return piece.data.startsWith('I') ? `${loose} 0A` : loose
}

function readPieces(bytes: Uint8Array): Reading {
  const pieces = readC(bytes)
  if ('wrong' in pieces) return pieces
  return { facts: { pieces }, built: pieces.map(builtC).join(' ') }
}

const ORACLES: readonly Oracle[] = [
  summed('A', readHostA, buildHostA, readDeviceFramesA, buildDeviceA),
  summed('B', readHostB, buildHostB, readDeviceFramesB, buildDeviceB),
  { family: 'C', request: readPieces, answer: readPieces },
]

describe.each(ORACLES.map((one) => [one.family, one] as const))(
  'the oracle reads and builds every frame of family %s',
  (_family, oracle) => {
    const facts = fixture<Fact[]>(`oracle/family-${oracle.family.toLowerCase()}.json`)
    it.each(facts.map((fact) => [fact.name, fact] as const))('%s', (_name, fact) => {
      for (const direction of ['request', 'answer'] as const) {
        const half = fact[direction]
        if (!half) continue
        const { bytes, provenance: _, wrong, pieces, ...said } = half
        const reading = oracle[direction](bytesOf(bytes))
        const facts = pieces ? { pieces: pieces.map(inSigns) } : said
        if (wrong) expect(reading).toHaveProperty('wrong', expect.stringContaining(wrong))
        else expect(reading).toEqual({ facts, built: bytes })
      }
    })
  },
)

describe('for damaged frames, the oracle', () => {
  const good = bytesOf('01 30 30 32 3F 24 30 30 32 3A 54 65 73 74 09 05 30 33 36 3F 03')

  it('detects every single flipped bit of a published request of family A', () => {
    const passed: string[] = []
    for (let at = 0; at < good.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const bad = Uint8Array.from(good)
        bad[at] = (bad[at] ?? 0) ^ (1 << bit)
        if (!('wrong' in readHostA(bad))) passed.push(`${at}.${bit}`)
      }
    }
    expect(passed).toEqual([])
  })

  it.each([
    ['refuses a frame that is cut short', good.subarray(0, 12)],
    ['refuses bytes after a frame', Uint8Array.from([...good, 0x20])],
    [
      'refuses a frame of a device as a frame of a host',
      bytesOf('01 30 30 33 35 24 30 30 32 3A 30 09 04 80 80 A0 80 86 9A 80 80 05 30 36 33 3A 03'),
    ],
  ])('%s', (_what, bytes) => {
    expect(readHostA(bytes)).toHaveProperty('wrong')
  })

  it('refuses an answer with one status byte too few', () => {
    expect(readDeviceA(buildDeviceA(0x24, 42, '0\t', [0x80, 0x80, 0xa0, 0x80, 0x86, 0x9a, 0x80]))).toHaveProperty(
      'wrong',
    )
  })

  it('names the set bits of the published status bytes', () => {
    expect(bitsOf([0x80, 0x80, 0xa0, 0x80, 0x86, 0x9a, 0x80, 0x80])).toEqual(['2.5', '4.2', '4.1', '5.4', '5.3', '5.1'])
  })
})
