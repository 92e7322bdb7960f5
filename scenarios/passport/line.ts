import type { Port, PortOpener } from '../../drivers/link/port.ts'
import type { Clock } from '../../drivers/model/clock.ts'
import { portMessage } from '../../drivers/model/errors.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import type { Questionnaire } from '../../drivers/wire/questionnaire.ts'

export interface LineResponse {
  readonly bytes: Uint8Array
  readonly frames: readonly Uint8Array[]
  readonly busy: number
  /** Time from the end of the write to the first byte, or `undefined` if no byte was received. */
  readonly firstMs: number | undefined
  readonly wholeMs: number
}

/**
 * Thrown when the port cannot be opened or the line is lost: an adapter was unplugged, or the connection was closed.
 */
export class LineLost extends Error {}
export class LineFlooded extends LineLost {
  constructor() {
    super('the device does not stop sending')
  }
}

/** Maximum size of one answer: far larger than the longest answer of any family. */
export const ANSWER_MAX_BYTES = 256 * 1024
/** Maximum size of all answers of a conversation, which are stored for the comparison. */
const CONVERSATION_MAX_BYTES = 32 * 1024 * 1024

export interface LineTimeouts {
  readonly firstMs: number
  readonly gapMs: number
  readonly totalMs: number
  /** Set if an interrupt must not shorten the wait, because the command may change the receipt. */
  readonly isWhole?: boolean
}

/**
 * Time to wait for an answer to bytes that are not a valid frame, in ms. Families wait at most half as long for the
 * rest of a frame. The other half is for a busy computer.
 */
const SETTLE_MS = 1_000
/** Maximum pause within an answer to bytes that are not a valid frame, in ms. */
const TAIL_MS = 25
const HURRY_MS = 300
const LATER_MS = 100
const REPEATS = 2
const NAK = 0x15

export class Line {
  readonly #clock: Clock
  readonly #q: Questionnaire
  #port: Port | undefined
  #onBytes: ((bytes: Uint8Array) => void) | undefined
  #lostReason: string | undefined
  #onLost: (() => void) | undefined
  #received = 0

  readonly #signal: AbortSignal | undefined

  constructor(clock: Clock, q: Questionnaire, signal?: AbortSignal) {
    this.#clock = clock
    this.#q = q
    this.#signal = signal
  }

  /** `guard` returns the port with the consent filter. */
  async open(opener: PortOpener, guard: (port: Port) => Port): Promise<void> {
    const opened = opener({
      onData: (bytes) => this.#onBytes?.(Uint8Array.from(bytes)),
      onLost: (why) => {
        this.#lostReason = why
        this.#onLost?.()
      },
    })
    const port = await opened.catch((problem: unknown) => {
      throw new LineLost(portMessage(problem))
    })
    this.#port = guard(port)
  }

  async close(): Promise<void> {
    await this.#port?.close()
  }

  async ask(bytes: Uint8Array, timeouts: LineTimeouts): Promise<LineResponse> {
    const until = this.#clock.now() + timeouts.totalMs
    for (let refused = 0; ; ) {
      const response = await this.#sendOnce(bytes, timeouts)
      const [only] = response.bytes
      if (response.bytes.length !== 1 || this.#q.readRequest(bytes) === undefined) return response
      if (only === this.#q.laterByte && this.#clock.now() < until) await this.#pause(LATER_MS)
      else if (only === NAK && refused++ < REPEATS) await this.#pause(LATER_MS)
      else return response
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(ms, resolve))
  }

  async #sendOnce(bytes: Uint8Array, { firstMs, gapMs, totalMs, isWhole }: LineTimeouts): Promise<LineResponse> {
    const port = this.#port
    if (!port || this.#lostReason !== undefined) throw new LineLost(this.#lostReason ?? 'the port is not open')
    const clock = this.#clock
    const q = this.#q
    const request = q.readRequest(bytes)
    const deframer = new Deframer(q.framesFromDevice)
    const pieces: Buffer[] = []
    let received = 0
    const frames: Uint8Array[] = []
    let [busy, sentAt] = [0, clock.now()]
    let [first, last]: (number | undefined)[] = []
    return new Promise<LineResponse>((resolve, reject) => {
      let cancel = () => {}
      const hurry = () => wait(HURRY_MS)
      const end = (act: () => void) => {
        cancel()
        this.#signal?.removeEventListener('abort', hurry)
        this.#onBytes = undefined
        this.#onLost = undefined
        act()
      }
      const done = () =>
        end(() => {
          // Over a pty, an answer may arrive before the request would have passed a real cable.
          const after = (moment: number) => Math.max(0, moment - sentAt)
          resolve({
            bytes: Uint8Array.from(Buffer.concat(pieces)),
            frames,
            busy,
            firstMs: first === undefined ? undefined : after(first),
            wholeMs: after(last ?? clock.now()),
          })
        })
      const wait = (ms: number) => {
        cancel()
        cancel = clock.after(Math.max(0, Math.min(ms, sentAt + totalMs - clock.now())), done)
      }
      if (!isWhole && !this.#signal?.aborted) this.#signal?.addEventListener('abort', hurry)
      this.#onLost = () => end(() => reject(new LineLost(this.#lostReason)))
      this.#onBytes = (heard) => {
        last = clock.now()
        first ??= last
        received += heard.length
        this.#received += heard.length
        if (received > ANSWER_MAX_BYTES || this.#received > CONVERSATION_MAX_BYTES)
          return end(() => reject(new LineFlooded()))
        const plain = Buffer.from(
          heard.filter((byte) => {
            const isBusy = byte === q.busyByte && !deframer.pending
            if (isBusy) busy++
            return !isBusy
          }),
        )
        pieces.push(plain)
        for (const event of deframer.push(plain)) {
          if (event.kind === 'frame') {
            frames.push(event.bytes)
            if (request && q.isLast(event.bytes, request)) return done()
            if (q.lineAcknowledgement !== undefined)
              port.write(Uint8Array.of(q.lineAcknowledgement)).catch(() => undefined)
          } else if (event.kind === 'single' && request) return done()
        }
        wait(request || deframer.pending ? gapMs : TAIL_MS)
      }
      port.write(bytes).then(
        () => {
          sentAt = clock.now() + bytes.length * port.byteMs
          // An early answer may already have resolved the promise.
          if (this.#onBytes && first === undefined) wait((request ? firstMs : SETTLE_MS) + (sentAt - clock.now()))
        },
        (problem: unknown) =>
          end(() => reject(this.#lostReason === undefined ? problem : new LineLost(this.#lostReason))),
      )
    })
  }
}
