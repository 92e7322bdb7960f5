/** The port under a link. Opens the port when it is first needed and again after a loss, and traces every byte. */
import type { Clock } from '../model/clock.ts'
import { DeviceError, type DeviceProblem, portMessage } from '../model/errors.ts'
import type { Port, PortOpener } from './port.ts'
import type { TraceListener } from './types.ts'

export interface LineOptions {
  readonly path: string
  readonly clock: Clock
  readonly trace?: TraceListener | undefined
  readonly log?: ((line: string) => void) | undefined
}

interface LineEvents {
  onOpened(): void
  onData(bytes: Uint8Array): void
  onLost(): void
}

/**
 * Counts the openings of all lines in this process, so that two lines that use a device in succession have different
 * `hold` values.
 */
let openings = 0

export class Line {
  readonly #openPort: PortOpener
  readonly #options: LineOptions
  readonly #events: LineEvents
  #port: Port | undefined
  #opening: Promise<void> | undefined
  #whyLost = 'it was closed'
  #hold = 0

  constructor(openPort: PortOpener, options: LineOptions, events: LineEvents) {
    this.#openPort = openPort
    this.#options = options
    this.#events = events
  }

  get isOpen(): boolean {
    return this.#port !== undefined
  }

  get hold(): number {
    return this.#hold
  }

  get isShared(): boolean {
    return this.#port?.isShared === true
  }

  /** Changes `hold`, because another program may have used the device while the port remained open. */
  doubtHold(): void {
    this.#hold = ++openings
  }

  sendMs(bytes: Uint8Array): number {
    return bytes.length * (this.#port?.byteMs ?? 0)
  }

  open(): Promise<void> {
    if (this.#port) return Promise.resolve()
    this.#opening ??= this.#reallyOpen().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async close(isGivenUp = false): Promise<void> {
    await this.#opening?.catch(() => undefined)
    const port = this.#port
    if (!port) return
    this.#onPortLost(port, 'it was closed')
    await port.close(isGivenUp)
  }

  send(bytes: Uint8Array): Promise<void> {
    const port = this.#port
    if (!port) return Promise.reject(new Error(this.#whyLost))
    this.#options.trace?.({ at: this.#options.clock.wallTime(), direction: 'toDevice', bytes })
    return port.write(bytes)
  }

  connectionLost(why = this.#whyLost): DeviceProblem {
    return { kind: 'portLost', path: this.#options.path, why }
  }

  async #reallyOpen(): Promise<void> {
    const { path, log } = this.#options
    let early: string | undefined
    let mine: Port | undefined
    try {
      mine = await this.#openPort({
        onData: (bytes) => this.#onBytes(bytes),
        onLost: (why) => {
          early = why
          if (mine) this.#onPortLost(mine, why)
        },
      })
    } catch (problem) {
      throw new DeviceError({ kind: 'portMissing', path, why: portMessage(problem) })
    }
    if (early !== undefined) throw new DeviceError(this.connectionLost(early))
    this.#port = mine
    this.#hold = ++openings
    log?.(`opened ${path}`)
    this.#events.onOpened()
  }

  #onPortLost(port: Port, why: string): void {
    if (this.#port !== port) return
    this.#port = undefined
    this.#whyLost = why
    this.#options.log?.(`lost ${this.#options.path}: ${why}`)
    this.#events.onLost()
  }

  #onBytes(bytes: Uint8Array): void {
    this.#options.trace?.({ at: this.#options.clock.wallTime(), direction: 'toHost', bytes: bytes.slice() })
    this.#events.onData(bytes)
  }
}
