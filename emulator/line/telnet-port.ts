/**
 * The server side of RFC 2217: a client sets speed and lines of the device's port over the connection that carries its
 * bytes. The port is 8N1 and has no control lines. Other settings are answered with the actual values; control lines
 * are stored without effect, as on a pty.
 */
import {
  COM_PORT,
  comPortBytes,
  fourBytes,
  numberOf,
  OPTIONS,
  SERVER,
  type TelnetEvent,
  TelnetOptions,
  TelnetReader,
  telnetData,
  type Verb,
} from '../../drivers/wire/telnet.ts'

const SIGNATURE = Buffer.from('fiscal-rig emulated device')
/** Clear to send, data set ready, carrier. */
const MODEM_STATE = Uint8Array.of(0xb0)
/** Maximum number of bytes that wait for a suspended client. Further bytes are lost, as in the buffer of a port. */
const HELD_MAX_BYTES = 64 * 1024
const DATA_BITS = 8
const NO_PARITY = 1
const ONE_STOP_BIT = 1

/**
 * Values of `control`: the query of a state (`asks`), the initial state (`off`), and the values that set it (RFC 2217
 * 3).
 */
const CONTROL_LINES = [
  { asks: 0, off: 1, all: [1, 2, 3, 17, 18, 19] },
  { asks: 4, off: 6, all: [5, 6] },
  { asks: 7, off: 9, all: [8, 9] },
  { asks: 10, off: 12, all: [11, 12] },
  { asks: 13, off: 14, all: [14, 15, 16] },
] as const

export class TelnetPort {
  readonly #write: (bytes: Uint8Array) => void
  readonly #reader = new TelnetReader()
  readonly #options: TelnetOptions
  readonly #control = new Map<number, number>(CONTROL_LINES.map(({ asks, off }) => [asks, off]))
  #speed: number | undefined
  #isSuspended = false
  #held: Uint8Array = new Uint8Array()

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write
    this.#options = new TelnetOptions(write)
  }

  /** True if data arrived before the client offered to control a serial port, as from an ordinary telnet client. */
  isForeign = false
  #isComPort = false

  get speed(): number | undefined {
    return this.#speed
  }

  receive(bytes: Uint8Array): readonly Uint8Array[] {
    return this.#reader.push(bytes).flatMap((event) => {
      if (event.kind !== 'data') return this.#negotiate(event)
      if (!this.#isComPort) this.isForeign = true
      return [event.bytes]
    })
  }

  send(bytes: Uint8Array): void {
    const data = telnetData(bytes)
    if (!this.#isSuspended) this.#write(data)
    else if (this.#held.length < HELD_MAX_BYTES) this.#held = Buffer.concat([this.#held, data])
  }

  #negotiate(event: Exclude<TelnetEvent, { kind: 'data' }>): [] {
    if (event.kind === 'option') this.#option(event.verb, event.option)
    else if (event.option === OPTIONS.comPort && event.bytes[0] !== undefined)
      this.#set(event.bytes[0], event.bytes.subarray(1))
    return []
  }

  #option(verb: Verb, option: number): void {
    this.#options.onNegotiation(verb, option)
    const isOffered = option === OPTIONS.comPort && (verb === 'will' || verb === 'do')
    if (!isOffered || this.#isComPort) return
    this.#isComPort = true
    this.#send(COM_PORT.modemState, MODEM_STATE)
  }

  #send(command: number, value: Uint8Array): void {
    this.#write(comPortBytes(command + SERVER, value))
  }

  #set(command: number, value: Uint8Array): void {
    if (command === COM_PORT.suspend || command === COM_PORT.resume) this.#hold(command === COM_PORT.suspend)
    const answer = this.#answerTo(command, value)
    if (answer) this.#send(command, answer)
  }

  #hold(on: boolean): void {
    this.#isSuspended = on
    if (on) return
    this.#write(this.#held)
    this.#held = new Uint8Array()
  }

  /** Returns the value with which the port answers; `undefined` if it does not answer. */
  #answerTo(command: number, value: Uint8Array): Uint8Array | undefined {
    switch (command) {
      case COM_PORT.signature:
        return value.length === 0 ? SIGNATURE : undefined
      case COM_PORT.baudRate:
        // 0 is a query of the current speed.
        this.#speed = numberOf(value) || this.#speed
        return fourBytes(this.#speed ?? 0)
      case COM_PORT.dataSize:
        return Uint8Array.of(DATA_BITS)
      case COM_PORT.parity:
        return Uint8Array.of(NO_PARITY)
      case COM_PORT.stopSize:
        return Uint8Array.of(ONE_STOP_BIT)
      case COM_PORT.control:
        return Uint8Array.of(this.#controlled(value[0] ?? 0))
      case COM_PORT.modemState:
        return MODEM_STATE
      case COM_PORT.lineStateMask:
      case COM_PORT.modemStateMask:
      case COM_PORT.purge:
        return value
      default:
        return undefined
    }
  }

  #controlled(value: number): number {
    const line = CONTROL_LINES.find(({ asks, all }) => asks === value || (all as readonly number[]).includes(value))
    if (!line) return value
    if (value !== line.asks) this.#control.set(line.asks, value)
    return this.#control.get(line.asks) ?? line.off
  }
}
