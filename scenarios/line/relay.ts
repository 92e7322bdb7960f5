/** Relays traffic between a program and its device. Each chunk is forwarded before it is recorded. */
import type { Port, PortOpener } from '../../drivers/link/port.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { LineEnd, LineHandle } from '../../emulator/line/device-line.ts'
import { preciseNow, type Recorder } from './recording.ts'

interface RelayOptions {
  readonly opener: (baud: number) => PortOpener
  readonly baud: number
  /** True if the relay sets the device's port to the speed that the program sets. */
  readonly followsSpeed: boolean
  readonly recorder: Recorder
  readonly log: (line: string) => void
}

/** Maximum number of bytes that are held back for a lost device. Further bytes are dropped. */
const BUFFER_MAX_BYTES = 4096

export class Relay {
  readonly #options: RelayOptions
  #baud: number
  #port: Port | undefined
  #opening: Promise<void> | undefined
  #heldBack: Uint8Array[] = []
  #program: LineEnd | undefined
  #closed = false

  constructor(options: RelayOptions) {
    this.#options = options
    this.#baud = options.baud
  }

  async open(): Promise<void> {
    const port = await this.#options.opener(this.#baud)({
      onData: (bytes) => this.#fromDevice(bytes),
      onLost: (why) => {
        this.#port = undefined
        this.#report(`the device was lost: ${why}`)
      },
    })
    if (this.#closed) await port.close()
    else this.#port = port
  }

  attach(end: LineEnd): LineHandle {
    this.#program = end
    return {
      receive: (bytes) => this.#fromProgram(end, bytes),
      whenQuiet: (call) => call(),
      detach: () => {
        if (this.#program === end) this.#program = undefined
      },
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#opening?.catch(() => undefined)
    await this.#port?.close()
  }

  #fromDevice(bytes: Uint8Array): void {
    const at = preciseNow()
    this.#program?.send(bytes)
    this.#options.recorder.bytes('toHost', bytes, at)
  }

  #fromProgram(end: LineEnd, bytes: Uint8Array): void {
    const at = preciseNow()
    const speed = this.#options.followsSpeed ? end.speed?.() : undefined
    if (speed === undefined && this.#port && !this.#opening) this.#write(this.#port, bytes)
    else this.#later(bytes, speed)
    this.#options.recorder.bytes('toDevice', bytes, at)
  }

  #later(bytes: Uint8Array, speed: number | undefined | Promise<number | undefined>): void {
    const waiting = this.#heldBack.reduce((sum, piece) => sum + piece.length, 0)
    if (waiting + bytes.length > BUFFER_MAX_BYTES) return
    this.#heldBack.push(bytes.slice())
    this.#opening ??= this.#ready(speed).finally(() => {
      this.#opening = undefined
    })
  }

  async #ready(speed: number | undefined | Promise<number | undefined>): Promise<void> {
    try {
      const baud = await speed
      if (baud !== undefined && baud !== this.#baud) await this.#changeSpeed(baud)
      if (!this.#port) {
        await this.open()
        this.#report('the device is back')
      }
      const port = this.#port as Port | undefined
      if (port) for (const piece of this.#heldBack.splice(0)) this.#write(port, piece)
    } catch (problem) {
      this.#heldBack = []
      this.#report(`the device cannot be reached, so the program's bytes were dropped: ${messageOf(problem)}`)
    }
  }

  async #changeSpeed(baud: number): Promise<void> {
    this.#baud = baud
    const port = this.#port
    this.#port = undefined
    await port?.close()
    await this.open()
    this.#report(`the program set ${baud} baud; the port of the device was reopened at that speed`)
  }

  #write(port: Port, bytes: Uint8Array): void {
    // `onLost` reports the lost port.
    port.write(bytes).catch(() => undefined)
  }

  #report(what: string): void {
    if (this.#closed) return
    this.#options.recorder.event(what)
    this.#options.log(what)
  }
}
