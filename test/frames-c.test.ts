import { describe, expect, it } from 'vitest'
import type { DialectName } from '../drivers/family-c/protocol/dialect.ts'
import { type DeviceFrame, deviceShape, hostShape, writeAck, writeFrame } from '../drivers/family-c/protocol/frame.ts'
import { type Catalogue, catalogueOf } from '../drivers/family-c/protocol/index.ts'
import { type StatusName, status } from '../drivers/family-c/protocol/status.ts'
import {
  GS_WIDTHS, type PingState, readPing, readWidths, type Widths, writePing, writeWidths,
} from '../drivers/family-c/protocol/unframed.ts' // biome-ignore format: one list
import { codePage } from '../drivers/wire/charset.ts'
import type { AnyCommand } from '../drivers/wire/command.ts'
import { type Deframed, Deframer, type FrameShape } from '../drivers/wire/deframer.ts'
import { FieldError } from '../drivers/wire/field.ts'
import {
  type AnswerFixture,
  bytesOf,
  type FrameCodec,
  type FrameFixture,
  fixture,
  frameSuite,
  type Ledger,
  ledgerSuite,
} from './support/frames.ts'

/** The 93 frames of family C, four checks each; `profile` is the dialect whose layout a frame has. */
type FrameC = FrameFixture & {
  readonly profile: DialectName
  readonly ask: FrameFixture['ask'] & { readonly checksum?: string }
}
const frames = fixture<FrameC[]>('frames/family-c.json')
const page = codePage('windows-1251')

const catalogue = (frame: FrameFixture): Catalogue => catalogueOf((frame as FrameC).profile)
const commandOf = (frame: FrameFixture): AnyCommand | undefined =>
  catalogue(frame).all.find(({ name }) => name === frame.ask.command)
const numberOf = (frame: FrameFixture): number => Number.parseInt(frame.seq, 16)
const all = <T>(shape: FrameShape<T>, bytes: Uint8Array): Deframed<T>[] => new Deframer(shape).push(bytes)

const codec: FrameCodec = {
  writeAsk(frame) {
    const { ask } = frame as FrameC
    if (ask.command === 'ping') return Uint8Array.from(ask.values?.['bytes'] as number[])
    if (ask.command === 'gs') return GS_WIDTHS
    if (ask.bytes === '') return new Uint8Array(0)
    const data = ask.data ?? commandOf(frame)?.request.write(ask.values, page) ?? ''
    const bytes = writeFrame(numberOf(frame), ask.code, data)
    if (ask.checksum !== undefined)
      bytes.set(
        [...ask.checksum.split(' ')].map((digits) => Number.parseInt(digits, 16)),
        bytes.length - 3,
      )
    return bytes
  },
  readAsk(bytes, frame) {
    const { ask } = frame as FrameC
    if (ask.bytes === '') return { code: 0 }
    const found = all(hostShape, bytes)
    if (found[0]?.kind === 'single') {
      const singles = found.map((one) => (one.kind === 'single' ? one.byte : -1))
      return { command: 'ping', code: singles.at(-1), values: { bytes: singles } }
    }
    if (frame.damaged) {
      expect(found.map(({ kind }) => kind)).toEqual(['damaged'])
      const { bytes: _bytes, ...asked } = ask
      return asked
    }
    const read = found[0]?.kind === 'frame' ? found[0].frame : undefined
    expect(found).toHaveLength(1)
    if (read?.kind === 'gs') return { command: 'gs', code: 0x49, values: read.request }
    if (read?.kind !== 'command') return read
    expect(read.number).toBe(numberOf(frame))
    const command = catalogue(frame).find(read.code, read.data)
    if (!command) return { code: read.code }
    const named = { command: command.name, code: read.code }
    try {
      return { ...named, values: command.request.read(read.data, page) }
    } catch (problem) {
      if (!(problem instanceof FieldError)) throw problem
      return { ...named, refused: { problem: problem.problem, index: problem.index } }
    }
  },
  writeAnswer(frame, answer) {
    const { ask } = frame
    if (answer.single) {
      const state = answer.values as PingState | undefined
      return state ? Uint8Array.of(writePing(state)) : bytesOf(answer.single.join(' '))
    }
    if (ask.command === 'gs') return writeWidths(answer.values as unknown as Widths)
    const number = numberOf(frame)
    const lines = answer.values?.['lines'] as string[] | undefined
    if (lines) {
      const messages = [...lines, '@'].map((line) => writeFrame(number, ask.code, page.encode(line)))
      return Buffer.concat([writeAck(number, 0, 0), ...messages])
    }
    if (answer.code !== undefined) return writeAck(number, answer.code >> 4, answer.code & 15)
    const values = answer.flags ? { flags: new Set(answer.flags as StatusName[]) } : answer.values
    return writeFrame(number, ask.code, commandOf(frame)?.response.write(values, page) ?? '')
  },
  readAnswer(bytes, frame) {
    const told = frame.answer as AnswerFixture
    if (told.single) {
      const state = readPing(bytes[0] ?? 0)
      const hex = (bytes[0] ?? 0).toString(16).toUpperCase().padStart(2, '0')
      return state ? { single: [hex], values: state } : { single: [hex] }
    }
    const found = all(deviceShape, bytes).flatMap((one) => (one.kind === 'frame' ? [one.frame] : []))
    const [first, ...more] = found
    if (first?.kind === 'widths') return { values: readWidths(first.data) }
    if (first?.kind === 'ack') {
      const code = first.device * 16 + first.command
      return more.length === 0 ? { code } : { code, values: { lines: more.slice(0, -1).map(lineOf) } }
    }
    const values = commandOf(frame)?.response.read(first?.kind === 'message' ? first.data : '', page)
    return told.flags ? { values: {}, flags: [...values.flags] } : { values }
  },
}

const lineOf = (frame: DeviceFrame): string => (frame.kind === 'message' ? page.decode(frame.data) : frame.kind)

frameSuite('family C', frames, codec)

describe('the fixtures of family C', () => {
  it('are all 93 of the sheet', () => {
    expect(frames).toHaveLength(93)
  })

  it('have flags in the order of the bits', () => {
    const flagged = frames.flatMap(({ answer }) => (answer?.flags ? [answer.flags] : []))
    for (const flags of flagged) expect([...status.read(status.write(new Set(flags as StatusName[])))]).toEqual(flags)
  })
})

ledgerSuite('C', catalogueOf('c4').all, 172)

describe('data worked by hand for the ledger of family C', () => {
  const ledger = fixture<Ledger>('ledger.json')['C'] ?? {}
  const commands = catalogueOf('c4').all

  const worked = Object.entries(ledger).flatMap(([name, { request }]) =>
    request.data === undefined || request.data.includes('bitmap') ? [] : [[name, request.data] as const],
  )
  it.each(worked)('%s: the data worked by hand are those of the layout', (name, data) => {
    const command = commands.find((one) => one.name === name)
    expect(command?.request.write(command.request.read(data, page), page)).toBe(data)
  })

  const answered = Object.entries(ledger).flatMap(([name, { response }]) =>
    response.data === undefined || response.data === '' || response.data === '@'
      ? []
      : [[name, response.data] as const],
  )
  it.each(answered)('%s: so are those of its answer', (name, data) => {
    const command = commands.find((one) => one.name === name)
    expect(command?.response.write(command.response.read(data, page), page)).toBe(data)
  })
})
