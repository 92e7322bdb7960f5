import {
  LINE_START,
  LINE_TAKEN,
  NAK,
  parseAnswer,
  parseRequest,
  type RequestFrame,
  SYN,
} from '../../drivers/family-b/protocol/frame.ts'
import { catalogueOf } from '../../drivers/family-b/protocol/index.ts'
import { readStatus } from '../../drivers/family-b/protocol/status.ts'
import type { Question } from '../composed-wire.ts'
import { described, type Fields, type FrameDescription } from '../wire.ts'
import type { Edition } from './edition.ts'

/** Frames of both directions in words, for the frame log. */
export function describeWith(read: (frame: RequestFrame) => Question<RequestFrame>, { name, page }: Edition) {
  const catalogue = catalogueOf(name)
  return (direction: 'toDevice' | 'toHost', bytes: Uint8Array): FrameDescription => {
    if (bytes.length === 1) return described(single(bytes[0] ?? 0))
    if (bytes[0] === LINE_START) return described('streamedLine')
    if (direction === 'toDevice') {
      const frame = parseRequest(bytes)
      if (!frame) return described('damaged')
      const { command, facts, values = { data: frame.data } } = read(frame)
      return command
        ? described(facts.runsAs, values, command.request.fields)
        : described('unknown', { code: frame.command, data: frame.data })
    }
    const frame = parseAnswer(bytes)
    if (!frame) return described('damaged')
    const { flags, error } = readStatus(frame.status)
    const status = [...flags, ...(error === 0 ? [] : [`error ${error}`])]
    const command = catalogue.find(frame.command, frame.data)
    if (!command) return { command: 'unknown', fields: { code: frame.command, data: frame.data }, status }
    const { name: said, response } = command
    return { ...described(said, answerFields(response, frame.data, page), response.fields), status }
  }
}

/** A refusal has no data. */
function answerFields(
  layout: { read(data: string, page: Edition['page']): unknown },
  data: string,
  page: Edition['page'],
): Fields {
  if (data === '') return {}
  try {
    return layout.read(data, page) as Fields
  } catch {
    return { data }
  }
}

function single(byte: number): string {
  switch (byte) {
    case NAK:
      return 'NAK'
    case SYN:
      return 'SYN'
    case LINE_TAKEN:
    case LINE_START:
      return 'lineTaken'
    default:
      return 'noise'
  }
}
