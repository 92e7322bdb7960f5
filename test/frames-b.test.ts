import { describe, expect, it } from 'vitest'
import {
  parseAnswer,
  parseRequest,
  requestShape,
  writeAnswer,
  writeRequest,
} from '../drivers/family-b/protocol/frame.ts'
import { commands } from '../drivers/family-b/protocol/index.ts'
import { readStatus, type StatusName, writeStatus } from '../drivers/family-b/protocol/status.ts'
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

/** The 67 frames of family B, four checks each, and the ledger that says where every command's bytes come from. */
const page = codePage('cp1251')
const byName = commands.byName as Readonly<Record<string, AnyCommand>>
const commandOf = (frame: FrameFixture): AnyCommand | undefined => byName[frame.ask.command ?? '']
const seqOf = (frame: FrameFixture): number => Number.parseInt(frame.seq, 16)

/** The damaged frame of the fixtures has the lowest bit of its checksum flipped. */
function flipped(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  copy[copy.length - 2] = (copy[copy.length - 2] ?? 0) ^ 1
  return copy
}

const codec: FrameCodec = {
  writeAsk(frame) {
    const data = frame.ask.data ?? commandOf(frame)?.request.write(frame.ask.values, page) ?? ''
    const bytes = writeRequest({ seq: seqOf(frame), command: frame.ask.code, data })
    return frame.damaged ? flipped(bytes) : bytes
  },
  readAsk(bytes, frame) {
    if (frame.damaged) expect(requestShape.parse(bytes)).toBeUndefined()
    const read = parseRequest(frame.damaged ? flipped(bytes) : bytes)
    expect(read?.seq).toBe(seqOf(frame))
    const command = commands.byCode.get(read?.command ?? 0) as AnyCommand | undefined
    if (!read || !command) return { code: read?.command }
    const named = { command: command.name, code: read.command }
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
    const data = answer.values ? (commandOf(frame)?.response.write(answer.values, page) ?? '') : ''
    const status = writeStatus({ flags: new Set(answer.flags as StatusName[]), error: answer.code ?? 0 })
    return Buffer.concat([single, writeAnswer({ seq: seqOf(frame), command: frame.ask.code, data, status })])
  },
  readAnswer(bytes, frame) {
    const start = bytes.indexOf(1)
    const single = [...bytes.subarray(0, start < 0 ? bytes.length : start)].map((byte) => byte.toString(16))
    const singles = single.length > 0 ? { single } : {}
    if (start < 0) return singles
    const read = parseAnswer(bytes.subarray(start))
    if (!read) return undefined
    expect([read.seq, read.command]).toEqual([seqOf(frame), frame.ask.code])
    const { flags, error } = readStatus(read.status)
    const told = { ...singles, code: error, flags: [...flags] }
    // A refusal has empty data; what a good answer says is in the fixture.
    return frame.answer?.values ? { ...told, values: commandOf(frame)?.response.read(read.data, page) } : told
  },
}

const frames = fixture<readonly FrameFixture[]>('frames/family-b.json')
frameSuite('frame of family B', frames, codec)
ledgerSuite('B', commands.all, 132)

describe('the fixtures of family B', () => {
  it('are the 67 frames of the sheet', () => {
    expect(frames).toHaveLength(67)
    expect(new Set(frames.map(({ id }) => id)).size).toBe(67)
  })
})

describe('data worked by hand for the ledger', () => {
  const entries = Object.entries(fixture<Ledger>('ledger.json')['B'] ?? {})
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
    expect(response.write(response.read(encoded(data), page), page)).toBe(encoded(data))
  })
})
