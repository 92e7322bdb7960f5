import { readFileSync } from 'node:fs'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import { askData, numberOf, understood } from '../frames/codec.ts'
import type { FamilyFrames, FrameCodec, FrameFixture, Ledger } from '../frames/frame-fixtures.suite.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import {
  parseAnswer,
  parseRequest,
  type StatusName,
  status,
  writeAnswer,
  writeRequest,
} from './driver/protocol/frame.ts'
import { commandsD, page } from './driver/protocol/index.ts'

const commandOf = ({ ask }: FrameFixture): AnyCommand | undefined =>
  ask.command === undefined ? undefined : commandsD.find(ask.code, '')
const statusOf = (flags: readonly string[]) => status.write(new Set(flags as StatusName[]))

/** The damaged frame of the fixtures has the lowest bit of its sum flipped. */
const flipped = (bytes: Uint8Array): Uint8Array => bytes.with(-2, (bytes.at(-2) ?? 0) ^ 1)

const codec: FrameCodec = {
  writeAsk(frame) {
    const { code } = frame.ask
    const bytes = writeRequest({ number: numberOf(frame), code, data: askData(frame, commandOf(frame), page) })
    return frame.damaged ? flipped(bytes) : bytes
  },
  readAsk(bytes, { damaged }) {
    if (damaged && parseRequest(bytes)) return 'taken for a good one'
    const read = parseRequest(damaged ? flipped(bytes) : bytes)
    return read && understood(commandsD.find(read.code, ''), read.code, read.data, page)
  },
  writeAnswer(frame, { single, code: error = 0, flags = [], values }) {
    if (single) return bytesOf(single.join(' '))
    const data = values ? (commandOf(frame)?.response.write(values, page) ?? '') : ''
    return writeAnswer({ number: numberOf(frame), code: frame.ask.code, error, status: statusOf(flags), data })
  },
  readAnswer(bytes, frame) {
    if (bytes.length === 1) return { single: [textOf(bytes)] }
    const read = parseAnswer(bytes)
    if (read?.number !== numberOf(frame) || read.code !== frame.ask.code) return undefined
    const answer = { code: read.error, flags: [...status.read(read.status)] }
    return read.error === 0 ? { ...answer, values: commandOf(frame)?.response.read(read.data, page) } : answer
  },
}

const frames: readonly FrameFixture[] = JSON.parse(readFileSync(new URL('./frames.json', import.meta.url), 'utf8'))

/** No bytes of this protocol were captured: both directions of each command rely on frames built by hand. */
const ledger: Ledger = Object.fromEntries(
  frames.flatMap(({ ask: { command }, answer, id, meaning }) => {
    const entry = { provenance: 'derived', source: id, arithmetic: meaning } as const
    return command === undefined || !answer?.values ? [] : [[command, { request: entry, response: entry }]]
  }),
)

export const framesD: FamilyFrames = {
  family: 'D',
  frames,
  count: 27,
  codec,
  flagsAgain: (flags) => [...status.read(statusOf(flags))],
  ledger,
  commands: commandsD.all,
  derivedMost: 44,
  page,
  layoutOf: (_direction, data) => page.encode(data),
}
