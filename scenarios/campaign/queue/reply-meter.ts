/**
 * Limits the size of a reply. Clients that can write to Redis can store values of 512 MB, which ioredis would read
 * completely before they can be checked.
 */
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { AbstractConnector, type RedisOptions } from 'ioredis'

export const REPLY_MAX_BYTES = 16 * 1024 * 1024

export class ReplyTooLarge extends Error {
  constructor() {
    super(`it sent a value of more than ${REPLY_MAX_BYTES / 1024 / 1024} MiB, which no campaign has`)
  }
}

const BULK = new Set(['$', '=', '!'])
const AGGREGATES: ReadonlyMap<string, number> = new Map([
  ['*', 1],
  ['~', 1],
  ['>', 1],
  ['%', 2],
])
const LENGTH_LINE = 32
const LF = 0x0a

/** Parses the lengths in Redis's protocol and counts the bytes of each reply. `read` throws ReplyTooLarge. */
export class ReplyMeter {
  #elements = 1
  #bulk = 0
  #line = ''
  #bytes = 0

  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#bulk > 0) {
        const length = Math.min(this.#bulk, chunk.length - at)
        this.#bulk -= length
        at += length
        this.#count(length)
        if (this.#bulk === 0) this.#ended(0)
        continue
      }
      const end = chunk.indexOf(LF, at)
      const next = end < 0 ? chunk.length : end + 1
      this.#count(next - at)
      if (this.#line.length < LENGTH_LINE) this.#line += chunk.toString('latin1', at, Math.min(next, at + LENGTH_LINE))
      at = next
      if (end >= 0) this.#lineEnded()
    }
  }

  #lineEnded(): void {
    const sign = this.#line.charAt(0)
    const length = Number.parseInt(this.#line.slice(1), 10)
    this.#line = ''
    const follow = AGGREGATES.get(sign)
    if (BULK.has(sign) && length >= 0) {
      if (length > REPLY_MAX_BYTES) throw new ReplyTooLarge()
      // The line end after the string adds two bytes.
      this.#bulk = length + 2
    } else if (follow !== undefined && length > 0) {
      if (length > REPLY_MAX_BYTES) throw new ReplyTooLarge()
      this.#ended(length * follow)
    } else this.#ended(0)
  }

  #ended(more: number): void {
    this.#elements += more - 1
    if (this.#elements > 0) return
    this.#elements = 1
    this.#bytes = 0
  }

  #count(length: number): void {
    this.#bytes += length
    if (this.#bytes > REPLY_MAX_BYTES) throw new ReplyTooLarge()
  }
}

type Address = Pick<RedisOptions, 'host' | 'port' | 'tls' | 'disconnectTimeout'>

/** Connects like the connector of ioredis. Destroys the connection with ReplyTooLarge if the server sends too much. */
export class MeteredConnector extends AbstractConnector {
  readonly #address: Address

  constructor(options: unknown) {
    const address = options as Address
    super(address.disconnectTimeout ?? 0)
    this.#address = address
  }

  async connect(): Promise<Socket> {
    const { host = '127.0.0.1', port = 0, tls } = this.#address
    this.connecting = true
    const stream = tls ? connectTls({ host, port, ...tls }) : connectTcp({ host, port })
    this.stream = stream
    stream.once('error', (error: Error) => {
      this.firstError = error
    })
    const meter = new ReplyMeter()
    // The listener must precede that of ioredis, which would store the bytes.
    stream.on('data', (chunk: Buffer) => {
      try {
        meter.read(chunk)
      } catch (error) {
        stream.destroy(error as Error)
      }
    })
    stream.pause()
    return stream
  }
}
