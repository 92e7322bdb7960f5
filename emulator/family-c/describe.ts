import { isFailure, nibbleMeaning } from '../../drivers/family-c/protocol/errors.ts'
import {
  ACK,
  type CommandFrame,
  deviceShape,
  type HostFrame,
  hostShape,
  NACK,
  RETRY,
} from '../../drivers/family-c/protocol/frame.ts'
import { catalogueOf } from '../../drivers/family-c/protocol/index.ts'
import { status } from '../../drivers/family-c/protocol/status.ts'
import {
  PING_ALIVE, PING_ECHO, PING_READY, PING_READY_NO_PAPER, PING_STATE, readPing,
} from '../../drivers/family-c/protocol/unframed.ts' // biome-ignore format: one list
import { type ByteText, type CodePage, codePage, fromBytes } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import type { FrameShape } from '../../drivers/wire/deframer.ts'
import { FieldError } from '../../drivers/wire/field.ts'
import type { Question } from '../composed-wire.ts'
import { type Fields, type FrameDescription, frameDescription } from '../wire.ts'
import type { Edition } from './edition.ts'

export function describeWith(read: (frame: HostFrame) => Question<CommandFrame> | undefined, edition: Edition) {
  const catalogue = catalogueOf(edition.name)
  const page = codePage(edition.codePage)

  function request(bytes: Uint8Array): FrameDescription {
    if (bytes.length === 1) return frameDescription('ping', pinged(bytes[0] ?? 0))
    const frame = whole(hostShape, bytes)
    switch (frame?.kind) {
      case undefined:
        return frameDescription('unknown')
      case 'gs':
        return frameDescription('gs', { ...frame.request })
      case 'mode':
        return frameDescription('printMode')
      case 'logo':
        return frameDescription('loadLogo', { bytes: frame.bitmap.length })
      case 'command': {
        const question = read(frame)
        if (!question?.command) return frameDescription('unknown', { code: frame.code })
        const { command, facts, values = { data: frame.data } } = question
        return frameDescription(facts.runsAs, values, command.request.fields)
      }
    }
  }

  function answer(bytes: Uint8Array, question: Uint8Array | undefined): FrameDescription {
    const first = bytes[0] ?? 0
    if (bytes.length === 1) {
      if (first === NACK) return frameDescription('nack')
      return first === RETRY ? frameDescription('retry') : frameDescription('ping', pingAnswer(first))
    }
    const frame = first === ACK || first === 0x02 ? whole(deviceShape, bytes) : undefined
    if (frame === undefined) return frameDescription('gs', { text: fromBytes(bytes) })
    if (frame.kind === 'ack') {
      const { device, command } = frame
      return frameDescription('ack', {
        device,
        command,
        ...(isFailure(frame) && { meaning: nibbleMeaning(frame).text }),
      })
    }
    if (frame.kind === 'widths') return frameDescription('gs', { text: frame.data })
    // Several commands have the same code. The request with the same number and code identifies the command.
    const before = question && whole(hostShape, question)
    const isAnswer = before?.kind === 'command' && before.number === frame.number && before.code === frame.code
    const command = catalogue.find(frame.code, isAnswer ? before.data : frame.data)
    if (command?.name === 'status') return { command: 'status', fields: {}, status: [...status.read(frame.data)] }
    return frameDescription(
      command?.name ?? 'unknown',
      answerFields(command, frame.data, page),
      command?.response.fields,
    )
  }

  return (direction: 'toDevice' | 'toHost', bytes: Uint8Array, question?: Uint8Array): FrameDescription =>
    direction === 'toDevice' ? request(bytes) : answer(bytes, question)
}

const QUERY_NAMES: Readonly<Record<number, string>> = {
  [PING_ECHO]: 'echo',
  [PING_ALIVE]: 'alive',
  [PING_READY]: 'ready',
  [PING_STATE]: 'state',
}

const PING_WORDS = [
  ['busy', 'busy'],
  ['noPaper', 'no paper'],
  ['overheated', 'overheated'],
  ['noDisplay', 'no display'],
] as const

const pinged = (byte: number): Fields => {
  const asks = QUERY_NAMES[byte]
  return asks === undefined ? { byte } : { asks }
}

function pingAnswer(byte: number): Fields {
  if (byte === PING_ALIVE) return { state: 'alive' }
  if (byte === PING_READY) return { state: 'ready' }
  if (byte === PING_READY_NO_PAPER) return { state: 'no paper' }
  const bits = readPing(byte)
  if (!bits) return { byte }
  const words = PING_WORDS.flatMap(([bit, word]) => (bits[bit] ? [word] : []))
  return { state: words.join(', ') || 'ready' }
}

const whole = <Frame>(shape: Pick<FrameShape<Frame>, 'measure' | 'parse'>, bytes: Uint8Array): Frame | undefined =>
  shape.measure(bytes, 0, bytes.length) === bytes.length ? shape.parse(bytes) : undefined

/** A streamed line does not have the layout of the command's answer; it is returned as text. */
function answerFields(command: AnyCommand | undefined, data: ByteText, page: CodePage): Fields {
  try {
    const fields = command?.response.read(data, page) as Fields | undefined
    if (fields && Object.keys(fields).length > 0) return fields
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
  }
  return { data: page.decode(data) }
}
