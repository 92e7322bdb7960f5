/**
 * The oracle itself: every frame of the three sheets reads as the sheet says, and the oracle's builder gives back the
 * same bytes. The expected facts stand in fixtures/oracle, taken from the sheets by offsets, not by this code.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bitsOf, buildDeviceA, buildHostA, hearDeviceA, readDeviceA, readHostA } from '../scenarios/oracle/family-a.ts'
import { buildDeviceB, buildHostB, hearDeviceB, readHostB } from '../scenarios/oracle/family-b.ts'
import { buildAckC, buildMessageC, type PieceC, readC } from '../scenarios/oracle/family-c.ts'

interface HalfFact {
  readonly bytes: string
  readonly wrong?: string
  readonly nak?: boolean
  readonly busy?: number
  readonly seq?: number
  readonly command?: number
  readonly data?: string
  readonly status?: string
  readonly pieces?: (PieceC & { readonly dataHex?: string })[]
}
interface Fact {
  readonly name: string
  readonly meaning: string
  readonly request: HalfFact
  readonly answer: HalfFact | null
}

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex === '' ? [] : hex.split(' '), (two) => Number.parseInt(two, 16))
const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')
const facts = (family: string): Fact[] =>
  JSON.parse(readFileSync(new URL(`../fixtures/oracle/family-${family}.json`, import.meta.url), 'utf8')) as Fact[]
const statusOf = (status: readonly number[]): string => hexOf(Uint8Array.from(status))

const SUMMED = [
  { family: 'A', readHost: readHostA, buildHost: buildHostA, hearDevice: hearDeviceA, buildDevice: buildDeviceA },
  { family: 'B', readHost: readHostB, buildHost: buildHostB, hearDevice: hearDeviceB, buildDevice: buildDeviceB },
]

describe.each(SUMMED)('the oracle reads and builds every frame of family $family', (oracle) => {
  it.each(facts(oracle.family.toLowerCase()).map((fact) => [fact.name, fact] as const))(
    '%s',
    (_name, { request, answer }) => {
      const host = oracle.readHost(bytesOf(request.bytes))
      if (request.wrong) expect(host).toHaveProperty('wrong', expect.stringContaining(request.wrong))
      else {
        expect(host).toMatchObject({ seq: request.seq, command: request.command, data: request.data })
        expect(hexOf(oracle.buildHost(request.seq ?? 0, request.command ?? 0, request.data ?? ''))).toBe(request.bytes)
      }
      if (!answer) return
      const device = oracle.hearDevice(bytesOf(answer.bytes))
      if ('wrong' in device) throw new Error(device.wrong)
      expect(device.busy).toBe(answer.busy)
      expect(device.nak).toBe(answer.nak === true)
      if (answer.nak) return
      const frame = device.frame
      expect(frame).toMatchObject({ seq: answer.seq, command: answer.command, data: answer.data })
      expect(statusOf(frame?.status ?? [])).toBe(answer.status)
      const busy = '16 '.repeat(answer.busy ?? 0)
      const built = oracle.buildDevice(answer.seq ?? 0, answer.command ?? 0, answer.data ?? '', frame?.status ?? [])
      expect(busy + hexOf(built)).toBe(answer.bytes)
    },
  )
})

describe('the oracle reads and builds every frame of family C', () => {
  const rebuilt = (pieces: readonly PieceC[]): string =>
    pieces
      .map((piece) => {
        if (piece.kind === 'message') return hexOf(buildMessageC(piece.number, piece.command, piece.data))
        if (piece.kind === 'ack') return hexOf(buildAckC(piece.number, piece.device, piece.refusal))
        if (piece.kind === 'single') return hexOf(Uint8Array.of(piece.byte))
        const loose = hexOf(Uint8Array.from(piece.data, (sign) => sign.charCodeAt(0)))
        return piece.data.startsWith('I') ? `${loose} 0A` : loose
      })
      .join(' ')

  it.each(facts('c').map((fact) => [fact.name, fact] as const))('%s', (_name, { request, answer }) => {
    for (const half of [request, answer]) {
      if (!half) continue
      const pieces = readC(bytesOf(half.bytes))
      if (half.wrong) {
        expect(pieces).toHaveProperty('wrong', expect.stringContaining(half.wrong))
        continue
      }
      if ('wrong' in pieces) throw new Error(pieces.wrong)
      expect(
        pieces.map((piece, index) =>
          half.pieces?.[index]?.dataHex !== undefined && 'data' in piece
            ? { ...piece, data: undefined, dataHex: hexOf(Uint8Array.from(piece.data, (sign) => sign.charCodeAt(0))) }
            : piece,
        ),
      ).toEqual(half.pieces)
      expect(rebuilt(pieces)).toBe(half.bytes)
    }
  })
})

describe('the oracle says what is wrong with a damaged frame', () => {
  const good = bytesOf('01 30 30 32 3F 24 30 30 32 3A 54 65 73 74 09 05 30 33 36 3F 03')

  it('finds every single flipped bit of a published request of family A', () => {
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
    ['cut short', good.subarray(0, 12)],
    ['a tail behind it', Uint8Array.from([...good, 0x20])],
    [
      'a device frame taken for a host frame',
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
