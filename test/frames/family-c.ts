import { expect } from 'vitest'
import type { EditionName } from '../../drivers/family-c/protocol/edition.ts'
import {
  type DeviceFrame,
  deviceShape,
  hostShape,
  writeAck,
  writeFrame,
} from '../../drivers/family-c/protocol/frame.ts'
import { catalogueOf } from '../../drivers/family-c/protocol/index.ts'
import { type StatusName, status } from '../../drivers/family-c/protocol/status.ts'
import {
  GS_WIDTHS, type PingState, readPing, readWidths, type Widths, writePing, writeWidths,
} from '../../drivers/family-c/protocol/unframed.ts' // biome-ignore format: one list
import { codePage } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import { type Deframed, Deframer, type FrameShape } from '../../drivers/wire/deframer.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import { fixture } from '../support/fixture.ts'
import { askData, numberOf, understood } from './codec.ts'
import type { AnswerFixture, FamilyFrames, FrameCodec, FrameFixture, Ledger } from './frame-fixtures.suite.ts'

/**
 * `profile` is the edition whose layout the frame has. `checksum` contains the check symbols of the source if they
 * differ.
 */
type FrameC = FrameFixture & {
  readonly profile: EditionName
  readonly ask: FrameFixture['ask'] & { readonly checksum?: string }
}
const page = codePage('windows-1251')

const catalogue = (frame: FrameFixture) => catalogueOf((frame as FrameC).profile)
const commandOf = (frame: FrameFixture): AnyCommand | undefined =>
  catalogue(frame).all.find(({ name }) => name === frame.ask.command)
const all = <T>(shape: FrameShape<T>, bytes: Uint8Array): Deframed<T>[] => new Deframer(shape).push(bytes)
const lineOf = (frame: DeviceFrame): string => (frame.kind === 'message' ? page.decode(frame.data) : frame.kind)

const codec: FrameCodec = {
  writeAsk(frame) {
    const { ask } = frame as FrameC
    if (ask.command === 'ping') return Uint8Array.from(ask.values?.['bytes'] as number[])
    if (ask.command === 'gs') return GS_WIDTHS
    const bytes = writeFrame(numberOf(frame), ask.code, askData(frame, commandOf(frame), page))
    if (ask.checksum !== undefined) bytes.set(bytesOf(ask.checksum), bytes.length - 3)
    return bytes
  },
  readAsk(bytes, frame) {
    const { ask } = frame as FrameC
    const pieces = all(hostShape, bytes)
    if (pieces[0]?.kind === 'single') {
      const singles = pieces.map((piece) => (piece.kind === 'single' ? piece.byte : -1))
      return { command: 'ping', code: singles.at(-1), values: { bytes: singles } }
    }
    if (frame.damaged) {
      expect(pieces.map(({ kind }) => kind)).toEqual(['damaged'])
      const { bytes: _bytes, ...request } = ask
      return request
    }
    const read = pieces[0]?.kind === 'frame' ? pieces[0].frame : undefined
    expect(pieces).toHaveLength(1)
    if (read?.kind === 'gs') return { command: 'gs', code: 0x49, values: read.request }
    if (read?.kind !== 'command') return read
    expect(read.number).toBe(numberOf(frame))
    const request = understood(catalogue(frame).find(read.code, read.data), read.code, read.data, page) as object
    return ask.checksum === undefined ? request : { ...request, checksum: textOf(bytes.subarray(-3, -1)) }
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
    return writeFrame(number, ask.code, answer.data ?? commandOf(frame)?.response.write(values, page) ?? '')
  },
  readAnswer(bytes, frame) {
    const expected = frame.answer as AnswerFixture
    if (expected.single) {
      const state = readPing(bytes[0] ?? 0)
      const single = [textOf(bytes.subarray(0, 1))]
      return state ? { single, values: state } : { single }
    }
    const frames = all(deviceShape, bytes).flatMap((piece) => (piece.kind === 'frame' ? [piece.frame] : []))
    const [first, ...more] = frames
    if (first?.kind === 'widths') return { values: readWidths(first.data) }
    if (first?.kind === 'ack') {
      const code = first.device * 16 + first.command
      return more.length === 0 ? { code } : { code, values: { lines: more.slice(0, -1).map(lineOf) } }
    }
    const values = commandOf(frame)?.response.read(first?.kind === 'message' ? first.data : '', page)
    return expected.flags ? { values: {}, flags: [...values.flags] } : { values }
  },
}

/** The ledger's data are bytes. An ACK, the end of a list and a bitmap have no layout. */
export const framesC: FamilyFrames = {
  family: 'C',
  frames: [...fixture<FrameC[]>('frames/family-c.json'), ...fixture<FrameC[]>('frames/collected-c.json')],
  count: 97 + 209,
  codec,
  flagsAgain: (flags) => [...status.read(status.write(new Set(flags as StatusName[])))],
  ledger: fixture<Record<string, Ledger>>('provenance.json')['C'] ?? {},
  commands: catalogueOf('c4').all,
  derivedMost: 95,
  page,
  layoutOf(direction, data) {
    const isOutside = direction === 'request' ? data.includes('bitmap') : data === '' || data === '@'
    return isOutside ? undefined : data
  },
}
