import { answersWithoutCode, readCoded, writeCoded } from '../../drivers/family-a/protocol/answer.ts'
import { deviceShape, encodeDeviceFrame, encodeHostFrame, hostShape } from '../../drivers/family-a/protocol/frame.ts'
import { catalogueOf } from '../../drivers/family-a/protocol/index.ts'
import { type StatusFlag, status } from '../../drivers/family-a/protocol/status.ts'
import { codePage } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import { fixture } from '../support/fixture.ts'
import { askData, summedCodec } from './codec.ts'
import type { FamilyFrames, Ledger } from './suite.ts'

const page = codePage('cp1251')
const catalogue = catalogueOf('bg')
const commandOf = (code: number): AnyCommand | undefined => catalogue.find(code, '')
const statusOf = (flags: readonly string[]) => status.write(new Set(flags as StatusFlag[]))

const codec = summedCodec({
  page,
  commandOf,
  writeRequest: encodeHostFrame,
  readRequest: (bytes) => hostShape.parse(bytes),
  writeAnswer(head, { code, flags = [] }, values) {
    const data = code === undefined ? values : writeCoded(code, values)
    return encodeDeviceFrame({ ...head, data, status: statusOf(flags) })
  },
  readAnswer(bytes, frame) {
    const read = deviceShape.parse(bytes)
    if (!read) return undefined
    const head = { seq: read.seq, code: read.code }
    const flags = [...status.read(read.status)]
    const command = commandOf(read.code)
    if (answersWithoutCode(read.code, askData(frame, command, page)))
      return { ...head, answer: { values: command?.response.read(read.data, page), flags } }
    const coded = readCoded(read.data)
    if (!coded) return { ...head, answer: { flags } }
    const { code, rest } = coded
    if (code !== 0) return { ...head, answer: { code, flags } }
    return { ...head, answer: { code, values: command?.response.read(rest, page), flags } }
  },
})

/** The frames of family A; what an answer's layout reads begins behind the code of success. */
export const framesA: FamilyFrames = {
  family: 'A',
  frames: fixture('frames/family-a.json'),
  count: 71,
  codec,
  flagsAgain: (flags) => [...status.read(statusOf(flags))],
  ledger: fixture<Record<string, Ledger>>('ledger.json')['A'] ?? {},
  commands: catalogue.all,
  derivedMost: 121,
  page,
  layoutOf: (direction, data) =>
    direction === 'request' ? page.encode(data) : (readCoded(page.encode(data))?.rest ?? ''),
}
