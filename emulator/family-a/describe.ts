import { readCoded } from '../../drivers/family-a/protocol/answer.ts'
import { errorOf } from '../../drivers/family-a/protocol/errors.ts'
import { deviceShape, type HostFrame, hostShape, NAK, SYN } from '../../drivers/family-a/protocol/frame.ts'
import { catalogueOf } from '../../drivers/family-a/protocol/index.ts'
import { status } from '../../drivers/family-a/protocol/status.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { ByteText, CodePage } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import type { Question } from '../composed-wire.ts'
import { type Fields, type FrameDescription, frameDescription, inLetters } from '../wire.ts'
import type { Edition } from './edition.ts'

export function describeWith(read: (frame: HostFrame) => Question<HostFrame>, { name }: Edition, page: CodePage) {
  const catalogue = catalogueOf(name)
  return (direction: 'toDevice' | 'toHost', bytes: Uint8Array): FrameDescription => {
    if (bytes.length === 1)
      return frameDescription(bytes[0] === NAK ? 'refused' : bytes[0] === SYN ? 'busy' : 'unknown')
    if (direction === 'toDevice') {
      const frame = hostShape.parse(bytes)
      if (!frame) return frameDescription('unknown')
      const { command, facts, values = { data: inLetters(frame.data, page) } } = read(frame)
      return frameDescription(facts.runsAs, values, command?.request.fields)
    }
    const frame = deviceShape.parse(bytes)
    if (!frame) return frameDescription('unknown')
    const command = catalogue.find(frame.code, frame.data)
    if (!command) return frameDescription('unknown', { data: inLetters(frame.data, page) })
    const fields = answerFields(command, frame.data, page)
    return {
      ...frameDescription(command.name, fields, command.response.fields),
      status: [...status.read(frame.status)],
    }
  }
}

function answerFields(command: AnyCommand, data: ByteText, page: CodePage): Fields {
  const coded = readCoded(data)
  if (coded && coded.code !== 0) return omitUndefined({ code: coded.code, meaning: errorOf(coded.code)?.meaning })
  try {
    return { ...(coded ? { code: 0 } : {}), ...command.response.read(coded?.rest ?? data, page) }
  } catch {
    return { data: inLetters(data, page) }
  }
}
