import { errorMeaning } from '../../drivers/family-b/protocol/errors.ts'
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
import type { FieldTable } from '../../drivers/wire/row.ts'
import type { Question } from '../composed-wire.ts'
import { type Fields, type FrameDescription, frameDescription, inLetters } from '../wire.ts'
import type { Edition } from './edition.ts'

export function describeWith(read: (frame: RequestFrame) => Question<RequestFrame>, { name, page }: Edition) {
  const catalogue = catalogueOf(name)
  return (direction: 'toDevice' | 'toHost', bytes: Uint8Array): FrameDescription => {
    if (bytes.length === 1) return frameDescription(single(bytes[0] ?? 0))
    if (bytes[0] === LINE_START) return frameDescription('streamedLine')
    if (direction === 'toDevice') {
      const frame = parseRequest(bytes)
      if (!frame) return frameDescription('damaged')
      const { command, facts, values = { data: inLetters(frame.data, page) } } = read(frame)
      return command
        ? frameDescription(facts.runsAs, withLetters(values, command.request.fields, page), command.request.fields)
        : frameDescription('unknown', { code: frame.command, data: inLetters(frame.data, page) })
    }
    const frame = parseAnswer(bytes)
    if (!frame) return frameDescription('damaged')
    const { flags, error } = readStatus(frame.status)
    const status = [...flags, ...(error === 0 ? [] : [`error ${error}`])]
    const command = catalogue.find(frame.command, frame.data)
    if (!command)
      return { command: 'unknown', fields: { code: frame.command, data: inLetters(frame.data, page) }, status }
    const { name, response } = command
    const fields = withLetters(answerFields(response, frame.data, page), response.fields, page)
    const refusal = error === 0 ? {} : { error, meaning: errorMeaning(error).meaning }
    return { ...frameDescription(name, { ...fields, ...refusal }, response.fields), status }
  }
}

function answerFields(
  layout: { read(data: string, page: Edition['page']): unknown },
  data: string,
  page: Edition['page'],
): Fields {
  if (data === '') return {}
  try {
    return layout.read(data, page) as Fields
  } catch {
    return { data: inLetters(data, page) }
  }
}

/** Converts the fields that hold bytes of the code page, such as the letters of tax groups, to text. */
const withLetters = (fields: object, fieldTable: FieldTable = {}, page: Edition['page']): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const fact = fieldTable[name]
      const isBytes = (typeof fact === 'object' ? fact['unit'] : fact) === 'bytes'
      return [name, isBytes ? lettersOf(value, page) : value]
    }),
  )

function lettersOf(value: unknown, page: Edition['page']): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => lettersOf(one, page))
  return typeof value === 'string' ? inLetters(value, page) : value
}

function single(byte: number): string {
  switch (byte) {
    case NAK:
      return 'NAK'
    case SYN:
      return 'SYN'
    case LINE_TAKEN:
    case LINE_START:
      return 'lineAcknowledgement'
    default:
      return 'noise'
  }
}
