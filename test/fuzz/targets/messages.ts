/**
 * Messages of the wire protocols with correct numbers, lengths and checksums, so that mutated inputs get past the
 * deframer and reach the handlers. An input is a list of messages separated by 03h, which no message contains.
 */
import { readDeviceA, readHostA } from '../../../scenarios/oracle/frames-a.ts'
import { readDeviceB, readHostB } from '../../../scenarios/oracle/frames-b.ts'
import { type PieceC, readC } from '../../../scenarios/oracle/frames-c.ts'
import { buildDeviceA, buildHostA } from '../../frame-builders/frames-a.ts'
import { buildDeviceB, buildHostB } from '../../frame-builders/frames-b.ts'
import { buildAckC, buildMessageC } from '../../frame-builders/frames-c.ts'

export const BETWEEN = 0x03

export interface Question {
  readonly number: number
  readonly command: number
}

export interface Messages {
  question(message: Buffer, number: number): Uint8Array
  asked(bytes: Uint8Array): Question | undefined
  /** Returns the message from which `question` builds these bytes, or `undefined` if there is none. */
  ofQuestion(bytes: Uint8Array): Buffer | undefined
  answer(message: Buffer, to: Question): Uint8Array
  /** Returns the message from which `answer` builds these bytes, or `undefined` if there is none. */
  ofAnswer(bytes: Uint8Array): Buffer | undefined
  /** Returns the mistake in the bytes of a device, according to the oracle, or `undefined` if there is none. */
  wrongInAnswer(bytes: Uint8Array): string | undefined
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const joinParts = (...parts: readonly (string | number)[]): Buffer =>
  Buffer.from(parts.map((part) => (typeof part === 'number' ? String.fromCharCode(part) : part)).join(''), 'latin1')
const sequence = (number: number): number => 0x20 + (number % 0xdf)

/** Separates data and status in a response of families A and B, as on the wire. */
const STATUS = '\x04'
/** Separates the frames of a response. */
const AND = '\x02'
const LOOSE = 0x05

function statusOf(bytes: string, length: number): number[] {
  return Array.from({ length }, (_, at) => 0x80 | (bytes.charCodeAt(at) || 0))
}

interface Lettered {
  readonly seq: number
  readonly command: number
  readonly data: string
}

/** Families A and B differ only in their frames, and in the streamed lines of B, which begin with 1Ah. */
function lettered(family: {
  readonly build: (seq: number, command: number, data: string) => Uint8Array
  readonly read: (bytes: Uint8Array) => Lettered | { readonly wrong: string }
  readonly buildAnswer: (seq: number, command: number, data: string, status: readonly number[]) => Uint8Array
  readonly readAnswer: (bytes: Uint8Array) => (Lettered & { status: readonly number[] }) | { readonly wrong: string }
  readonly statusLength: number
  readonly firstCommand: number
  readonly dataMax: number
}): Messages {
  const frame = (piece: string, { number, command }: Question): Buffer => {
    if (piece.startsWith('\x1a')) return joinParts(piece, '\r\n')
    const [data = '', status = ''] = piece.split(STATUS)
    const bytes = statusOf(status, family.statusLength)
    return Buffer.from(family.buildAnswer(number, command, data.slice(0, family.dataMax), bytes))
  }
  return {
    question: ([command = 0, ...data], number) =>
      family.build(
        sequence(number),
        Math.max(family.firstCommand, command),
        latin(Uint8Array.from(data)).slice(0, family.dataMax),
      ),
    asked(bytes) {
      const read = family.read(bytes)
      return 'wrong' in read ? undefined : { number: read.seq, command: read.command }
    },
    ofQuestion(bytes) {
      const read = family.read(bytes)
      return 'wrong' in read ? undefined : joinParts(read.command, read.data)
    },
    answer: (message, to) =>
      message[0] === LOOSE
        ? message.subarray(1)
        : Buffer.concat(
            latin(message)
              .split(AND)
              .map((piece) => frame(piece, to)),
          ),
    ofAnswer(bytes) {
      if (bytes[0] === 0x1a) return joinParts(latin(bytes.subarray(0, -2)))
      const read = family.readAnswer(bytes)
      return 'wrong' in read ? undefined : joinParts(read.data, STATUS, ...read.status)
    },
    wrongInAnswer(bytes) {
      if (bytes[0] !== 0x01) return undefined
      const read = family.readAnswer(bytes)
      return 'wrong' in read ? read.wrong : undefined
    },
  }
}

/** The LEN of family C is one byte that also counts itself, the number and the command. */
const C_DATA_MAX = 0xff - 0x23

function piecesC(bytes: Uint8Array): readonly PieceC[] {
  const read = readC(bytes)
  return 'wrong' in read ? [] : read
}

const C: Messages = {
  question([command = 0, ...data], number) {
    // GS and ESC sequences have neither a length nor a checksum.
    if (command === 0x1d || command === 0x1b) return Uint8Array.of(command, ...data)
    return buildMessageC(sequence(number), 0x20 + (command % 0x60), latin(Uint8Array.from(data)).slice(0, C_DATA_MAX))
  },
  asked(bytes) {
    const [piece] = piecesC(bytes)
    return piece?.kind === 'message' ? piece : undefined
  },
  ofQuestion(bytes) {
    const [piece] = piecesC(bytes)
    return piece?.kind === 'message' ? joinParts(piece.command, piece.data) : undefined
  },
  answer(message, { number, command }) {
    if (message[0] === LOOSE) return message.subarray(1)
    return Buffer.concat(
      latin(message)
        .split(AND)
        .map((piece) => {
          if (!piece.startsWith('\x06')) return buildMessageC(number, command, piece.slice(0, C_DATA_MAX))
          return buildAckC(number, piece.charCodeAt(1) & 15, piece.charCodeAt(2) & 15)
        }),
    )
  },
  ofAnswer(bytes) {
    const all = piecesC(bytes).map((piece) => {
      if (piece.kind === 'ack') return `\x06${String.fromCharCode(0x30 + piece.device, 0x30 + piece.refusal)}`
      return piece.kind === 'message' ? piece.data : undefined
    })
    return all.length > 0 && !all.includes(undefined) ? joinParts(all.join(AND)) : undefined
  },
  wrongInAnswer(bytes) {
    const read = readC(bytes)
    return 'wrong' in read ? read.wrong : undefined
  },
}

export const MESSAGES: Readonly<Record<string, Messages>> = {
  A: lettered({
    ...{ build: buildHostA, read: readHostA, buildAnswer: buildDeviceA, readAnswer: readDeviceA },
    ...{ statusLength: 8, firstCommand: 0, dataMax: 400 },
  }),
  B: lettered({
    ...{ build: buildHostB, read: readHostB, buildAnswer: buildDeviceB, readAnswer: readDeviceB },
    ...{ statusLength: 6, firstCommand: 0x20, dataMax: 300 },
  }),
  C,
}

export function messagesIn(input: Buffer): readonly Buffer[] {
  const messages: Buffer[] = []
  for (let from = 0; from <= input.length; ) {
    const end = input.indexOf(BETWEEN, from)
    const to = end < 0 ? input.length : end
    messages.push(input.subarray(from, to))
    from = to + 1
  }
  return messages
}

export const joined = (messages: readonly Buffer[]): Buffer =>
  Buffer.concat(messages.flatMap((one, at) => (at === 0 ? [one] : [Buffer.of(BETWEEN), one])))
