/** The serial port of the tests' till: sends bytes and receives whole frames of family A, on the clock of the case. */
import type { EmulatedPort } from '../../emulator/line/binding.ts'
import type { TillEnvironment } from '../../scenarios/exam/till.ts'

/** Thrown if the port does not exist, or was pulled out. */
export class LineLost extends Error {}

export interface Piece {
  readonly kind: 'frame' | 'nak' | 'busy'
  readonly bytes: Uint8Array
}

const [START, END, NAK, SYN] = [0x01, 0x03, 0x15, 0x16]

export class PlainLine {
  readonly #place: TillEnvironment
  #port: EmulatedPort | undefined
  #held: number[] = []
  #isLost = false
  #wake: () => void = () => undefined

  constructor(place: TillEnvironment) {
    this.#place = place
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      this.#port ??= await this.#open()
      await this.#port.write(Buffer.from(bytes))
    } catch {
      await this.close()
      throw new LineLost()
    }
  }

  /** Resolves to `undefined` after this time without bytes. Rejects with LineLost. */
  async next(waitMs: number): Promise<Piece | undefined> {
    const frame: number[] = []
    for (;;) {
      const byte = await this.#byte(waitMs)
      if (byte === undefined) return undefined
      if (frame.length > 0 || byte === START) frame.push(byte)
      if (frame.length > 0 && byte === END) return { kind: 'frame', bytes: Uint8Array.from(frame) }
      if (frame.length === 0 && byte === NAK) return { kind: 'nak', bytes: Uint8Array.of(byte) }
      if (frame.length === 0 && byte === SYN) return { kind: 'busy', bytes: Uint8Array.of(byte) }
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#place.time.clock.after(ms, resolve))
  }

  async close(): Promise<void> {
    const port = this.#port
    this.#port = undefined
    this.#held = []
    this.#isLost = false
    if (port?.isOpen) await port.close().catch(() => undefined)
  }

  async #open(): Promise<EmulatedPort> {
    const { binding, path } = this.#place.emulator
    const port = await binding.open({ path, baudRate: 115_200, lock: true })
    void this.#listen(port)
    return port
  }

  async #listen(port: EmulatedPort): Promise<void> {
    const buffer = Buffer.alloc(256)
    try {
      for (;;) {
        const { bytesRead } = await port.read(buffer, 0, buffer.length)
        if (this.#port === port) this.#held.push(...buffer.subarray(0, bytesRead))
        this.#wake()
      }
    } catch {
      if (this.#port === port) this.#isLost = true
      this.#wake()
    }
  }

  async #byte(waitMs: number): Promise<number | undefined> {
    if (this.#held.length === 0 && !this.#isLost) {
      await new Promise<void>((resolve) => {
        const cancel = this.#place.time.clock.after(waitMs, resolve)
        this.#wake = () => {
          cancel()
          resolve()
        }
      })
    }
    if (this.#held.length > 0) return this.#held.shift()
    if (!this.#isLost) return undefined
    await this.close()
    throw new LineLost()
  }
}
