import { answersWithoutCode, readCoded, writeCoded } from '../../drivers/family-a/protocol/answer.ts'
import { deviceShape, encodeDeviceFrame, encodeHostFrame, hostShape } from '../../drivers/family-a/protocol/frame.ts'
import { catalogueOf, EDITIONS, type EditionName } from '../../drivers/family-a/protocol/index.ts'
import { type StatusFlag, status } from '../../drivers/family-a/protocol/status.ts'
import { codePage } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import { fixture } from '../support/fixture.ts'
import { answerMeaning, askData, summedCodec } from './codec.ts'
import type { FamilyFrames, FrameFixture, Ledger } from './frame-fixtures.suite.ts'

const page = codePage('cp1251')
/** `profile` is the edition of the frame; `bg` by default. */
type FrameA = FrameFixture & { readonly profile?: EditionName }

const commandOf = (code: number, frame: FrameFixture): AnyCommand | undefined =>
  catalogueOf((frame as FrameA).profile ?? 'bg').find(code, '')
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
    const command = commandOf(read.code, frame)
    if (answersWithoutCode(read.code, askData(frame, command, page)))
      return { ...head, answer: { ...answerMeaning(command, read.data, page), flags } }
    const coded = readCoded(read.data)
    if (!coded) return { ...head, answer: { flags } }
    const { code, rest } = coded
    if (code !== 0) return { ...head, answer: { code, flags } }
    return { ...head, answer: { code, ...answerMeaning(command, rest, page), flags } }
  },
})

/** Commands of both editions. Commands that both have use the layouts of bg. */
const commands = [
  ...new Map<string, AnyCommand>(
    EDITIONS.toReversed().flatMap((name) => catalogueOf(name).all.map((command) => [command.name, command])),
  ).values(),
]

export const framesA: FamilyFrames = {
  family: 'A',
  frames: [...fixture<FrameA[]>('frames/family-a.json'), ...fixture<FrameA[]>('frames/collected-a.json')],
  count: 88 + 180,
  codec,
  flagsAgain: (flags) => [...status.read(statusOf(flags))],
  ledger: fixture<Record<string, Ledger>>('provenance.json')['A'] ?? {},
  commands,
  derivedMost: 106,
  page,
  layoutOf: (direction, data) =>
    direction === 'request' ? page.encode(data) : (readCoded(page.encode(data))?.rest ?? ''),
}

export const framesRo: FamilyFrames = {
  ...framesA,
  frames: framesA.frames.filter((frame) => (frame as FrameA).profile === 'ro'),
  commands: catalogueOf('ro').all,
}
