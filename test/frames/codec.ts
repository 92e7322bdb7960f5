import { expect } from 'vitest'
import type { ByteText, CodePage } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import type { AnswerFixture, FrameCodec, FrameFixture } from './frame-fixtures.suite.ts'

export const numberOf = (frame: FrameFixture): number => Number.parseInt(frame.seq, 16)

export const askData = ({ ask }: FrameFixture, command: AnyCommand | undefined, page: CodePage): ByteText =>
  ask.data ?? command?.request.write(ask.values, page) ?? ''

export function understood(command: AnyCommand | undefined, code: number, data: ByteText, page: CodePage): unknown {
  if (!command) return { code }
  const named = { command: command.name, code }
  try {
    return { ...named, values: command.request.read(data, page) }
  } catch (problem) {
    if (!(problem instanceof FieldError)) throw problem
    return { ...named, refused: { problem: problem.problem, index: problem.index } }
  }
}

export function answerMeaning(command: AnyCommand | undefined, data: ByteText, page: CodePage): object {
  if (!command) return data === '' ? {} : { data }
  try {
    return { values: command.response.read(data, page) }
  } catch (problem) {
    if (!(problem instanceof FieldError)) throw problem
    return { refused: { problem: problem.problem, index: problem.index }, data }
  }
}

export interface Request {
  readonly seq: number
  readonly code: number
  readonly data: ByteText
}

/**
 * The wire of families A and B, whose frames have SEQ, a code and a sum. Single bytes may precede a response.
 * `readRequest` and `readAnswer` return `undefined` for a damaged frame.
 */
export interface SummedWire {
  readonly page: CodePage
  commandOf(code: number, frame: FrameFixture): AnyCommand | undefined
  writeRequest(request: Request): Uint8Array
  readRequest(bytes: Uint8Array): Request | undefined
  /** `values` are data written by the layout, or empty if the response has none. */
  writeAnswer(request: Omit<Request, 'data'>, answer: AnswerFixture, values: ByteText): Uint8Array
  readAnswer(bytes: Uint8Array, frame: FrameFixture): (Omit<Request, 'data'> & { readonly answer: object }) | undefined
}

/** The damaged frame of the fixtures has the lowest bit of its sum flipped. */
function flipped(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  copy[copy.length - 2] = (copy[copy.length - 2] ?? 0) ^ 1
  return copy
}

export function summedCodec(wire: SummedWire): FrameCodec {
  const { page } = wire
  const commandOf = (frame: FrameFixture) => {
    const { ask } = frame
    return ask.command === undefined ? undefined : wire.commandOf(ask.code, frame)
  }
  const headOf = (frame: FrameFixture) => ({ seq: numberOf(frame), code: frame.ask.code })
  return {
    writeAsk(frame) {
      const bytes = wire.writeRequest({ ...headOf(frame), data: askData(frame, commandOf(frame), page) })
      return frame.damaged ? flipped(bytes) : bytes
    },
    readAsk(bytes, frame) {
      if (frame.damaged) expect(wire.readRequest(bytes)).toBeUndefined()
      const request = wire.readRequest(frame.damaged ? flipped(bytes) : bytes)
      expect(request?.seq).toBe(numberOf(frame))
      return request && understood(wire.commandOf(request.code, frame), request.code, request.data, page)
    },
    writeAnswer(frame, answer) {
      const single = bytesOf((answer.single ?? []).join(' '))
      if (answer.flags === undefined) return single
      const values = answer.data ?? (answer.values ? (commandOf(frame)?.response.write(answer.values, page) ?? '') : '')
      return Buffer.concat([single, wire.writeAnswer(headOf(frame), answer, values)])
    },
    readAnswer(bytes, frame) {
      const start = bytes.indexOf(1)
      const single = bytes.subarray(0, start < 0 ? bytes.length : start)
      const singles = single.length > 0 ? { single: textOf(single).split(' ') } : {}
      if (start < 0) return singles
      const read = wire.readAnswer(bytes.subarray(start), frame)
      if (!read) return undefined
      const { answer, ...head } = read
      expect(head).toEqual(headOf(frame))
      return { ...singles, ...answer }
    },
  }
}
