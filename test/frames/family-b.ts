import { parseAnswer, parseRequest, writeAnswer, writeRequest } from '../../drivers/family-b/protocol/frame.ts'
import { catalogueOf } from '../../drivers/family-b/protocol/index.ts'
import { readStatus, type StatusName, writeStatus } from '../../drivers/family-b/protocol/status.ts'
import { codePage } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import { fixture } from '../support/fixture.ts'
import { answerMeaning, summedCodec } from './codec.ts'
import type { FamilyFrames, FrameFixture, Ledger } from './frame-fixtures.suite.ts'

const page = codePage('cp1251')
const catalogue = catalogueOf('b8')
const commandOf = (code: number): AnyCommand | undefined => catalogue.find(code, '')
const statusOf = (flags: readonly string[], error: number) =>
  writeStatus({ flags: new Set(flags as StatusName[]), error })

const codec = summedCodec({
  page,
  commandOf,
  writeRequest: ({ seq, code, data }) => writeRequest({ seq, command: code, data }),
  readRequest(bytes) {
    const read = parseRequest(bytes)
    return read && { seq: read.seq, code: read.command, data: read.data }
  },
  writeAnswer: ({ seq, code }, answer, data) =>
    writeAnswer({ seq, command: code, data, status: statusOf(answer.flags ?? [], answer.code ?? 0) }),
  readAnswer(bytes, frame) {
    const read = parseAnswer(bytes)
    if (!read) return undefined
    const { flags, error } = readStatus(read.status)
    const answer = { code: error, flags: [...flags] }
    const head = { seq: read.seq, code: read.command }
    // A refusal has no data, and the fixture contains the meaning of a successful response.
    if (!frame.answer?.values && !frame.answer?.data) return { ...head, answer }
    return { ...head, answer: { ...answer, ...answerMeaning(commandOf(read.command), read.data, page) } }
  },
})

/** The error code is in the status bytes, not in the data. */
export const framesB: FamilyFrames = {
  family: 'B',
  frames: [...fixture<FrameFixture[]>('frames/family-b.json'), ...fixture<FrameFixture[]>('frames/collected-b.json')],
  count: 68 + 147,
  codec,
  flagsAgain: (flags) => [...readStatus(statusOf(flags, 0)).flags],
  ledger: fixture<Record<string, Ledger>>('provenance.json')['B'] ?? {},
  commands: catalogue.all,
  // Command 194 (modemTest) is known only from a description and from a client that reads it, without bytes.
  derivedMost: 106,
  page,
  layoutOf: (_direction, data) => page.encode(data),
}
