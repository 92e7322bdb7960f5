import type { Binding, BindingOptions, BindingPort } from '../../../drivers/link/port.ts'
import { messageOf } from '../../../drivers/model/errors.ts'

/** The part of Web Serial that is used here; TypeScript's libraries lack its types. */
export interface WebSerialPort extends EventTarget {
  readonly readable: ReadableStream<Uint8Array> | null
  readonly writable: WritableStream<Uint8Array> | null
  open(options: object): Promise<void>
  close(): Promise<void>
}

interface WebSerial {
  requestPort(): Promise<WebSerialPort>
}

/** Returns `undefined` if the browser has no Web Serial, or if the page was loaded over plain HTTP. */
export const webSerial = (): WebSerial | undefined => (navigator as { readonly serial?: WebSerial }).serial

const BUFFER_BYTES = 4096

export const bindingOver = (port: WebSerialPort): Binding => ({
  async open({ baudRate, dataBits = 8, stopBits = 1, parity = 'none' }: BindingOptions) {
    await port.open({ baudRate, dataBits, stopBits, parity, bufferSize: BUFFER_BYTES })
    return new OpenPort(port, baudRate)
  },
})

const cancelled = (): Error => Object.assign(new Error('the port was closed'), { canceled: true })

class OpenPort implements BindingPort {
  isOpen = true
  readonly #port: WebSerialPort
  readonly #baudRate: number
  readonly #writer: WritableStreamDefaultWriter<Uint8Array> | undefined
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  #unread: Uint8Array = new Uint8Array()

  constructor(port: WebSerialPort, baudRate: number) {
    this.#port = port
    this.#baudRate = baudRate
    this.#writer = port.writable?.getWriter()
  }

  async read(buffer: Uint8Array, offset: number, length: number): Promise<{ bytesRead: number }> {
    while (this.#unread.length === 0) await this.#readMore()
    const part = this.#unread.subarray(0, length)
    this.#unread = this.#unread.subarray(part.length)
    buffer.set(part, offset)
    return { bytesRead: part.length }
  }

  async #readMore(): Promise<void> {
    if (!this.isOpen) throw cancelled()
    const { readable } = this.#port
    if (!readable) throw new Error('the port was disconnected')
    this.#reader ??= readable.getReader()
    try {
      const { value, done } = await this.#reader.read()
      if (done) throw this.isOpen ? new Error('the port was disconnected') : cancelled()
      this.#unread = value
    } catch (problem) {
      this.#reader?.releaseLock()
      this.#reader = undefined
      // A damaged byte ends the stream, but not the port, which then has a new stream.
      if (!this.isOpen || this.#port.readable === null || this.#port.readable === readable) throw problem
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#writer) throw new Error('the port was disconnected')
    await this.#writer.write(Uint8Array.from(bytes))
  }

  async close(): Promise<void> {
    this.isOpen = false
    await this.#reader?.cancel().catch(() => undefined)
    this.#reader?.releaseLock()
    await this.#writer?.abort().catch(() => undefined)
    this.#writer?.releaseLock()
    await this.#port.close()
  }

  getBaudRate = async (): Promise<{ baudRate: number }> => ({ baudRate: this.#baudRate })
}

export const refusalOf = (problem: unknown): string =>
  problem instanceof DOMException && problem.name === 'NotFoundError'
    ? 'No port was chosen.'
    : `The port cannot be used: ${messageOf(problem)}.`
