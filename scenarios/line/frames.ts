/** A recording as its frames: each with its meaning, in the order in which they were complete. */
import { driverFamilies } from '../../drivers/families.ts'
import type { LinkRules } from '../../drivers/link/types.ts'
import { type Family, familyIn } from '../../drivers/model/families.ts'
import { type Deframed, Deframer, type FrameShape } from '../../drivers/wire/deframer.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { FrameDescription, Wire } from '../../emulator/wire.ts'
import type { Direction, Piece } from './piece.ts'
import type { Recording } from './recording.ts'

export interface ReadFrame extends FrameDescription {
  /** Of its first byte. */
  readonly at: number
  readonly direction: Direction
  /** `half`: it stopped in the middle. */
  readonly kind: 'frame' | 'single' | 'damaged' | 'half'
  readonly bytes: Uint8Array
}

/** What one family's bytes mean. */
export interface Meaning {
  readonly family: Family
  readonly linkRules: LinkRules<unknown>
  readonly commands: Wire['commands']
  /** `question`: the frame that it may answer. */
  describe(direction: Direction, bytes: Uint8Array, question?: Uint8Array): FrameDescription
  shape(direction: Direction): FrameShape<unknown>
}

/** Throws RangeError for a profile that is not there. */
export function meaningOf(family: Family, profile: string | undefined): Meaning {
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

/** A pause of so long inside a frame means that the rest never came; devices wait half of it. */
const HALF_AFTER_MS = 1000

/** One direction's deframer, and when the frame under way began. */
class Side {
  readonly direction: Direction
  readonly #meaning: Meaning
  readonly #deframer: Deframer<unknown>
  #began = 0
  #last = 0

  constructor(direction: Direction, meaning: Meaning) {
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

export function readFrames(pieces: readonly Piece[], meaning: Meaning): ReadFrame[] {
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

/** Turns the directions round where more frames are whole then: programs draw their arrows either way. */
export function facing(recording: Recording, meaning: Meaning): Recording {
  if (!recording.isPosted) return recording
  const turned = recording.pieces.map((piece) => ({
    ...piece,
    direction: piece.direction === 'toHost' ? ('toDevice' as const) : ('toHost' as const),
  }))
  const whole = (pieces: readonly Piece[]) => readFrames(pieces, meaning).filter(({ kind }) => kind === 'frame').length
  return whole(turned) > whole(recording.pieces) ? { ...recording, pieces: turned } : recording
}

/** What the host sent, and what came back until it spoke again. A question that was put off is asked once more later. */
export interface Exchange {
  readonly at: number
  readonly ask: Uint8Array
  readonly answer: Uint8Array
  /** How often the host wrote the same frame again, where a device answers a repeat without executing it again. */
  readonly retransmissions?: number
}

export function exchangesOf(pieces: readonly Piece[], meaning: Meaning): Exchange[] {
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
    .filter(({ ask, answer }) => !isPutOff(ask, answer, meaning))
  return meaning.linkRules.afterSilence === 'repeat' ? withoutRepeats(whole, meaning) : whole
}

/** A frame that was written several times is one exchange: how often it takes is a matter of the line. */
function withoutRepeats(exchanges: readonly Exchange[], meaning: Meaning): Exchange[] {
  const kept: Exchange[] = []
  for (const exchange of exchanges) {
    const one = withoutRepeat(exchange, meaning)
    const last = kept.at(-1)
    if (!last || last.ask.length === 1 || Buffer.compare(last.ask, one.ask) !== 0) {
      kept.push(one)
      continue
    }
    const retransmissions = (last.retransmissions ?? 0) + (one.retransmissions ?? 0) + 1
    // The answer to a repeat is the one that the device remembers.
    const answer = answerFrames(one.answer, meaning).length > 0 ? one.answer : last.answer
    kept[kept.length - 1] = { ...last, answer, retransmissions }
  }
  return kept
}

/** Several times in a row, before anything was answered. */
function withoutRepeat(exchange: Exchange, meaning: Meaning): Exchange {
  const { at, ask } = exchange
  const frames = readFrames([{ at, direction: 'toDevice', bytes: ask }], meaning)
  const [first, ...others] = frames
  const isRepeated = others.length > 0 && others.every(({ bytes }) => Buffer.compare(bytes, first?.bytes ?? ask) === 0)
  if (first?.kind !== 'frame' || !isRepeated) return exchange
  return { ...exchange, ask: first.bytes, retransmissions: others.length }
}

/** The device had no time for it, and did nothing of it: how often that is said is a matter of time. */
export function isPutOff(ask: Uint8Array, answer: Uint8Array, { linkRules }: Meaning): boolean {
  const later = linkRules.laterByte?.byte
  return answer.length > 0 && answer.every((byte) => byte === later || linkRules.isNotYet?.(byte, ask) === true)
}

/** The frames of one exchange's answer, without the bytes that only say "wait": how many come is a matter of time. */
export function answerFrames(answer: Uint8Array, { linkRules, ...meaning }: Meaning): ReadFrame[] {
  const waiting: readonly (number | undefined)[] = [linkRules.busyByte, linkRules.laterByte?.byte]
  return readFrames([{ at: 0, direction: 'toHost', bytes: answer }], { linkRules, ...meaning }).filter(
    ({ kind, bytes }) => !(kind === 'single' && waiting.includes(bytes[0])),
  )
}
