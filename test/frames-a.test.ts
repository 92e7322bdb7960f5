import { describe, expect, it } from 'vitest'
import { answersWithoutCode, readCoded, writeCoded } from '../drivers/family-a/protocol/answer.ts'
import { deviceShape, encodeDeviceFrame, encodeHostFrame, hostShape } from '../drivers/family-a/protocol/frame.ts'
import { familyA } from '../drivers/family-a/protocol/index.ts'
import { type StatusFlag, status } from '../drivers/family-a/protocol/status.ts'
import { codePage } from '../drivers/wire/charset.ts'
import type { AnyCommand } from '../drivers/wire/command.ts'
import { FieldError } from '../drivers/wire/field.ts'
import {
  bytesOf,
  type FrameCodec,
  type FrameFixture,
  fixture,
  frameSuite,
  type Ledger,
  ledgerSuite,
} from './support/frames.ts'

/** The 71 frames of family A, four checks each, and the ledger that says where every command's bytes come from. */
const page = codePage('cp1251')
const byName = familyA.byName as Readonly<Record<string, AnyCommand>>
const commandOf = (frame: FrameFixture): AnyCommand | undefined => byName[frame.ask.command ?? '']
const seqOf = (frame: FrameFixture): number => Number.parseInt(frame.seq, 16)

const dataOf = (frame: FrameFixture): string =>
  frame.ask.data ?? commandOf(frame)?.request.write(frame.ask.values, page) ?? ''

/** The damaged frame of the fixtures has the lowest bit of its checksum flipped. */
function flipped(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  copy[copy.length - 2] = (copy[copy.length - 2] ?? 0) ^ 1
  return copy
}

const codec: FrameCodec = {
  writeAsk(frame) {
    const bytes = encodeHostFrame({ seq: seqOf(frame), code: frame.ask.code, data: dataOf(frame) })
    return frame.damaged ? flipped(bytes) : bytes
  },
  readAsk(bytes, frame) {
    if (frame.damaged) expect(hostShape.parse(bytes)).toBeUndefined()
    const read = hostShape.parse(frame.damaged ? flipped(bytes) : bytes)
    expect(read?.seq).toBe(seqOf(frame))
    const command = familyA.byCode.get(read?.code ?? 0)
    if (!read || !command) return { code: read?.code }
    const named = { command: command.name, code: read.code }
    try {
      return { ...named, values: command.request.read(read.data, page) }
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      return { ...named, refused: { problem: problem.problem, index: problem.index } }
    }
  },
  writeAnswer(frame, answer) {
    const single = bytesOf((answer.single ?? []).join(' ')).filter((byte) => byte > 0)
    if (answer.flags === undefined) return single
    const rest = answer.values ? (commandOf(frame)?.response.write(answer.values, page) ?? '') : ''
    const data = answer.code === undefined ? rest : writeCoded(answer.code, rest)
    const flags = new Set(answer.flags as StatusFlag[])
    const bytes = encodeDeviceFrame({ seq: seqOf(frame), code: frame.ask.code, data, status: status.write(flags) })
    return Buffer.concat([single, bytes])
  },
  readAnswer(bytes, frame) {
    const start = bytes.indexOf(1)
    const single = [...bytes.subarray(0, start < 0 ? bytes.length : start)].map((byte) => byte.toString(16))
    const singles = single.length > 0 ? { single } : {}
    if (start < 0) return singles
    const read = deviceShape.parse(bytes.subarray(start))
    if (!read) return undefined
    expect([read.seq, read.code]).toEqual([seqOf(frame), frame.ask.code])
    const flags = [...status.read(read.status)]
    const response = commandOf(frame)?.response
    if (answersWithoutCode(read.code, dataOf(frame))) return { values: response?.read(read.data, page), flags }
    const coded = readCoded(read.data)
    if (!coded) return { ...singles, flags }
    if (coded.code !== 0) return { ...singles, code: coded.code, flags }
    return { ...singles, code: 0, values: response?.read(coded.rest, page), flags }
  },
}

const frames = fixture<readonly FrameFixture[]>('frames/family-a.json')
frameSuite('frame of family A', frames, codec)
ledgerSuite('A', familyA.all, 121)

describe('the fixtures of family A', () => {
  it('are the 71 frames of the sheet', () => {
    expect(frames).toHaveLength(71)
    expect(new Set(frames.map(({ id }) => id)).size).toBe(71)
  })
})

describe('data worked by hand for the ledger', () => {
  const entries = Object.entries(fixture<Ledger>('ledger.json')['A'] ?? {})
  const encoded = (data: string) => page.encode(data)
  const requests = entries.flatMap(([name, { request }]) => (request.data === undefined ? [] : [[name, request.data]]))
  it.each(requests as [string, string][])('%s: the request layout reads and writes it', (name, data) => {
    const { request } = byName[name] as AnyCommand
    expect(request.write(request.read(encoded(data), page), page)).toBe(encoded(data))
  })
  const responses = entries.flatMap(([name, { response }]) =>
    response.data === undefined ? [] : [[name, response.data]],
  )
  it.each(responses as [string, string][])('%s: the response layout reads and writes it', (name, data) => {
    const { response } = byName[name] as AnyCommand
    const rest = readCoded(encoded(data))?.rest ?? ''
    expect(response.write(response.read(rest, page), page)).toBe(rest)
  })
})
