import { driverFamilies } from '../../drivers/families.ts'
import type { LinkRules } from '../../drivers/link/types.ts'
import { type Family, familyIn } from '../../drivers/model/families.ts'
import { type Deframed, Deframer, type FrameShape } from '../../drivers/wire/deframer.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { FrameDescription, Wire } from '../../emulator/wire.ts'
import type { Direction, Piece } from './piece.ts'
import type { Recording } from './recording.ts'

export interface ReadFrame extends FrameDescription {
  readonly at: number
  readonly direction: Direction
  readonly kind: 'frame' | 'single' | 'damaged' | 'half'
  readonly bytes: Uint8Array
}

export interface FrameDecoder {
  readonly family: Family
  readonly linkRules: LinkRules<unknown>
  readonly commands: Wire['commands']
  describe(direction: Direction, bytes: Uint8Array, question?: Uint8Array): FrameDescription
  shape(direction: Direction): FrameShape<unknown>
}

/** Throws RangeError for an unknown profile. */
export function meaningOf(family: Family, profile: string | undefined): FrameDecoder {
  const { wire } = createEmulator({ family, ...(profile !== undefined && { profile }) })
  const { linkRules } = familyIn(driverFamilies, family, 'driver for')
  return {
    family,
    linkRules,
    commands: wire.commands,
    describe: (direction, bytes, question) => wire.describe(direction, bytes, question),
    shape: (direction) => (direction === 'toDevice' ? wire.shape : linkRules.shape),
  }
}

/** Pause inside a frame after which the rest never arrives, in ms: twice the wait of a device. */
const HALF_AFTER_MS = 1000

class Side {
  readonly direction: Direction
  readonly #meaning: FrameDecoder
  readonly #deframer: Deframer<unknown>
  #began = 0
  #last = 0

  constructor(direction: Direction, meaning: FrameDecoder) {
    this.direction = direction
    this.#meaning = meaning
    this.#deframer = new Deframer(meaning.shape(direction))
  }

  push({ at, bytes }: Piece, question?: Uint8Array): ReadFrame[] {
    const frames = at - this.#last > HALF_AFTER_MS ? this.end() : []
    if (!this.#deframer.pending) this.#began = at
    this.#last = at
    for (const event of this.#deframer.push(bytes)) {
      frames.push(this.#read(event, question))
      this.#began = at
    }
    return frames
  }

  end(): ReadFrame[] {
    const rest = this.#deframer.expire()
    return rest ? [this.#item('half', rest)] : []
  }

  #read(event: Deframed<unknown>, question?: Uint8Array): ReadFrame {
    return this.#item(event.kind, event.kind === 'single' ? Uint8Array.of(event.byte) : event.bytes, question)
  }

  #item(kind: ReadFrame['kind'], bytes: Uint8Array, question?: Uint8Array): ReadFrame {
    const isWhole = kind === 'frame' || kind === 'single'
    const meaning = isWhole
      ? this.#meaning.describe(this.direction, bytes, question)
      : { command: kind, fields: {}, status: [] }
    return { at: this.#began, direction: this.direction, kind, bytes, ...meaning }
  }
}

export function readFrames(pieces: readonly Piece[], meaning: FrameDecoder): ReadFrame[] {
  const sides = { toDevice: new Side('toDevice', meaning), toHost: new Side('toHost', meaning) }
  let question: Uint8Array | undefined
  const frames = pieces.flatMap((piece) => {
    const read = sides[piece.direction].push(piece, piece.direction === 'toHost' ? question : undefined)
    const last = read.findLast(({ direction, bytes }) => direction === 'toDevice' && bytes.length > 1)
    question = last?.bytes ?? question
    return read
  })
  return [...frames, ...sides.toDevice.end(), ...sides.toHost.end()]
}

/**
 * Swaps the directions of a pasted recording if more frames are then complete, because programs use arrows in either
 * sense.
 */
export function withCompleteDirections(recording: Recording, meaning: FrameDecoder): Recording {
  if (!recording.isPasted) return recording
  const turned = recording.pieces.map((piece) => ({
    ...piece,
    direction: piece.direction === 'toHost' ? ('toDevice' as const) : ('toHost' as const),
  }))
  const whole = (pieces: readonly Piece[]) => readFrames(pieces, meaning).filter(({ kind }) => kind === 'frame').length
  return whole(turned) > whole(recording.pieces) ? { ...recording, pieces: turned } : recording
}

/** Bytes of the host, and the answer until the host sends again. */
export interface Exchange {
  readonly at: number
  readonly ask: Uint8Array
  readonly answer: Uint8Array
  /** Number of retransmissions that were merged into this exchange. */
  readonly retransmissions?: number
}

export function exchangesOf(pieces: readonly Piece[], meaning: FrameDecoder): Exchange[] {
  const exchanges: { at: number; questions: Uint8Array[]; answers: Uint8Array[] }[] = []
  for (const { at, direction, bytes } of pieces) {
    let last = exchanges.at(-1)
    if (!last || (direction === 'toDevice' && last.answers.length > 0)) {
      last = { at, questions: [], answers: [] }
      exchanges.push(last)
    }
    ;(direction === 'toDevice' ? last.questions : last.answers).push(bytes)
  }
  const whole = exchanges
    .map(({ at, questions, answers }) => ({ at, ask: Buffer.concat(questions), answer: Buffer.concat(answers) }))
    .filter(({ ask, answer }) => !isPostponed(ask, answer, meaning))
  return meaning.linkRules.afterSilence === 'repeat' ? mergeRetransmissions(whole, meaning) : whole
}

/**
 * Merges consecutive exchanges with the same frame into one, because the number of retransmissions depends on the line.
 */
function mergeRetransmissions(exchanges: readonly Exchange[], meaning: FrameDecoder): Exchange[] {
  const storedExchanges: Exchange[] = []
  for (const exchange of exchanges) {
    const one = mergeImmediateRetransmissions(exchange, meaning)
    const last = storedExchanges.at(-1)
    if (!last || last.ask.length === 1 || Buffer.compare(last.ask, one.ask) !== 0) {
      storedExchanges.push(one)
      continue
    }
    const retransmissions = (last.retransmissions ?? 0) + (one.retransmissions ?? 0) + 1
    const answer = answerFrames(one.answer, meaning).length > 0 ? one.answer : last.answer
    storedExchanges[storedExchanges.length - 1] = { ...last, answer, retransmissions }
  }
  return storedExchanges
}

function mergeImmediateRetransmissions(exchange: Exchange, meaning: FrameDecoder): Exchange {
  const { at, ask } = exchange
  const frames = readFrames([{ at, direction: 'toDevice', bytes: ask }], meaning)
  const [first, ...otherFrames] = frames
  const isRepeated =
    otherFrames.length > 0 && otherFrames.every(({ bytes }) => Buffer.compare(bytes, first?.bytes ?? ask) === 0)
  if (first?.kind !== 'frame' || !isRepeated) return exchange
  return { ...exchange, ask: first.bytes, retransmissions: otherFrames.length }
}

/** Returns true if the device was busy and executed nothing. The number of such answers depends on timing. */
export function isPostponed(ask: Uint8Array, answer: Uint8Array, { linkRules }: FrameDecoder): boolean {
  const later = linkRules.laterByte?.byte
  return answer.length > 0 && answer.every((byte) => byte === later || linkRules.isNotYet?.(byte, ask) === true)
}

/** Returns the frames of an answer without bytes that mean "wait", whose number depends on timing. */
export function answerFrames(answer: Uint8Array, { linkRules, ...meaning }: FrameDecoder): ReadFrame[] {
  const waiting: readonly (number | undefined)[] = [linkRules.busyByte, linkRules.laterByte?.byte]
  return readFrames([{ at: 0, direction: 'toHost', bytes: answer }], { linkRules, ...meaning }).filter(
    ({ kind, bytes }) => !(kind === 'single' && waiting.includes(bytes[0])),
  )
}
