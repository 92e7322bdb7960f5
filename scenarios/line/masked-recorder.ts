/**
 * A recorder that replaces passwords with zeros and corrects the checksums, so that the recording remains valid.
 * Factory passwords are public and remain. Bytes are written when their frame is complete, in the order in which they
 * arrived.
 */
import { Deframer } from '../../drivers/wire/deframer.ts'
import type { Questionnaire, Request } from '../../drivers/wire/questionnaire.ts'
import { questionnaireFor } from '../../emulator/passport/passport-device.ts'
import type { EmulatedFamily } from '../../emulator/wire.ts'
import { answerSecrets, requestSecrets } from '../passport/redact.ts'
import type { Direction } from './piece.ts'
import type { Recorder } from './recording.ts'

/** Pause inside a frame after which the rest never arrives, in ms. */
const HALF_AFTER_MS = 1000
const WAITING_MAX_BYTES = 64 * 1024
const OPERATORS = 30
/** Minimum length of a password that is replaced in any bytes: shorter ones would match unrelated bytes. */
const SHORTEST = 4

interface Reader {
  readonly toDevice: Deframer<unknown>
  readonly says: Deframer<unknown>
  readonly editions: readonly Questionnaire[]
  readonly factory: ReadonlySet<string>
}

interface WaitingPiece {
  readonly direction: Direction
  readonly at: number
  readonly bytes: Buffer
}

interface Replacement {
  readonly direction: Direction
  readonly before: Uint8Array
  readonly after: Uint8Array
}

export class MaskedRecorder implements Recorder {
  readonly #inner: Recorder
  readonly #readers: readonly Reader[]
  #waiting: WaitingPiece[] = []
  #replaced: Replacement[] = []
  #pendingRequest: { readonly reader: Reader; readonly q: Questionnaire; readonly request: Request } | undefined
  readonly #secrets = new Set<string>()

  constructor(inner: Recorder, families: readonly EmulatedFamily[]) {
    this.#inner = inner
    this.#readers = families.filter(({ questionnaire }) => questionnaire).map(readerOf)
  }

  bytes(direction: Direction, bytes: Uint8Array, at: number): void {
    const last = this.#waiting.at(-1)
    if (last && (at - last.at > HALF_AFTER_MS || (direction === 'toDevice' && this.#pendingRequest))) this.#flush()
    this.#waiting.push({ direction, at, bytes: Buffer.from(bytes) })
    const isWhole = direction === 'toDevice' ? this.#request(bytes) : this.#answer(bytes)
    if (isWhole || this.#waiting.reduce((sum, piece) => sum + piece.bytes.length, 0) > WAITING_MAX_BYTES) this.#flush()
  }

  event(what: string): void {
    this.#flush()
    this.#inner.event(what)
  }

  close(): void {
    this.#flush()
    this.#inner.close()
  }

  #request(bytes: Uint8Array): boolean {
    let isFrame = false
    for (const reader of this.#readers) {
      for (const event of reader.toDevice.push(bytes)) {
        if (event.kind !== 'frame') continue
        isFrame ||= !reader.toDevice.pending
        this.#read(reader, event.bytes)
      }
    }
    return !this.#pendingRequest && (isFrame || this.#readers.every(({ toDevice }) => !toDevice.pending))
  }

  #read(reader: Reader, frame: Uint8Array): void {
    for (const q of reader.editions) {
      const request = q.readRequest(frame)
      if (!request) continue
      const [secret = ''] = this.#secrets
      const places = this.#secretPlaces(reader, request.data, requestSecrets(q, request, secret))
      if (places.length > 0) {
        const after = q.writeRequest({ ...request, data: withZeros(request.data, places) })
        this.#replace('toDevice', frame, after, request.data, places)
      }
      const response = q.catalogue.find(request.code, request.data)?.response
      if (response && 'password' in response.fields) this.#pendingRequest = { reader, q, request }
      if (places.length > 0 || this.#pendingRequest) return
    }
  }

  #answer(bytes: Uint8Array): boolean {
    const pendingRequest = this.#pendingRequest
    if (!pendingRequest) return this.#readers.every(({ toDevice }) => !toDevice.pending)
    const { reader, q, request } = pendingRequest
    for (const event of reader.says.push(bytes)) {
      if (event.kind !== 'frame') continue
      const answer = q.readAnswer([event.bytes], request)
      if (!answer) continue
      const places = this.#secretPlaces(reader, answer.data, answerSecrets(q, request, answer.data))
      const after = q.writeAnswer({ ...answer, data: withZeros(answer.data, places) }, request)
      if (places.length > 0) this.#replace('toHost', event.bytes, after, answer.data, places)
      return true
    }
    return false
  }

  #secretPlaces(reader: Reader, data: string, places: readonly number[]): readonly number[] {
    const runs: number[][] = []
    for (const place of places) {
      const run = runs.at(-1)
      if (run && run.at(-1) === place - 1) run.push(place)
      else runs.push([place])
    }
    return runs.flatMap((run) => {
      const word = run
        .map((place) => data[place])
        .join('')
        .trim()
      if (reader.factory.has(word)) return []
      if (word.length >= SHORTEST) this.#secrets.add(word)
      return run
    })
  }

  #replace(direction: Direction, before: Uint8Array, after: Uint8Array, data: string, places: readonly number[]): void {
    if (after.length === before.length) {
      this.#replaced.push({ direction, before, after })
      return
    }
    // The program encodes the frame differently. The password is replaced, and the checksum stays as it is.
    const plain = Buffer.from(before)
    const start = plain.indexOf(Buffer.from(data, 'latin1'))
    for (const place of places) if (start >= 0) plain[start + place] = ZERO
    this.#replaced.push({ direction, before, after: plain })
  }

  #flush(): void {
    const waiting = this.#waiting
    const replaced = this.#replaced
    this.#waiting = []
    this.#replaced = []
    this.#pendingRequest = undefined
    for (const { toDevice, says } of this.#readers) for (const one of [toDevice, says]) one.reset()
    for (const direction of ['toDevice', 'toHost'] as const) {
      const own = waiting.filter((piece) => piece.direction === direction)
      const all = Buffer.concat(own.map(({ bytes }) => bytes))
      for (const one of replaced) {
        const at = one.direction === direction ? all.indexOf(one.before) : -1
        if (at >= 0) all.set(one.after, at)
      }
      for (const secret of this.#secrets) {
        const bytes = Buffer.from(secret, 'latin1')
        for (let at = all.indexOf(bytes); at >= 0; at = all.indexOf(bytes, at + 1))
          all.fill(ZERO, at, at + bytes.length)
      }
      let from = 0
      for (const { bytes } of own) {
        all.copy(bytes, 0, from, from + bytes.length)
        from += bytes.length
      }
    }
    for (const { direction, bytes, at } of waiting) this.#inner.bytes(direction, bytes, at)
  }
}

const ZERO = 0x30

const withZeros = (data: string, places: readonly number[]): string =>
  [...data].map((sign, at) => (places.includes(at) && sign !== ' ' ? '0' : sign)).join('')

function readerOf(family: EmulatedFamily): Reader {
  const editions = family.profiles.map((profile) => questionnaireFor(family, profile))
  const [first] = editions
  if (!first) throw new Error('a family has at least one profile')
  const operators = Array.from({ length: OPERATORS }, (_nothing, index) => index + 1)
  const factory = family.profiles.flatMap((profile) => operators.map(family.profile(profile).factoryPassword))
  return {
    toDevice: new Deframer(first.framesToDevice),
    says: new Deframer(first.framesFromDevice),
    editions,
    factory: new Set(factory),
  }
}
