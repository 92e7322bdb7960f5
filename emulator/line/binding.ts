/**
 * A serialport binding of one emulator: the interface of `@serialport/bindings-interface`, connected to the device
 * loop. Every emulator has its own binding, so that two of them with the same path are independent.
 */

interface OpenOptions {
  path: string
  baudRate: number
  dataBits?: 5 | 6 | 7 | 8
  lock?: boolean
  stopBits?: 1 | 1.5 | 2
  parity?: string
  rtscts?: boolean
  xon?: boolean
  xoff?: boolean
  xany?: boolean
  hupcl?: boolean
  /** Name of the program that opens the port, stored with each of its frames. Real bindings ignore this option. */
  host?: string
}

export interface ModemLines {
  brk?: boolean
  cts?: boolean
  dsr?: boolean
  dtr?: boolean
  rts?: boolean
}

interface PortInfo {
  path: string
  manufacturer: string | undefined
  serialNumber: string | undefined
  pnpId: string | undefined
  locationId: string | undefined
  productId: string | undefined
  vendorId: string | undefined
}

interface PortPeer {
  opened(port: EmulatedPort): { receive(bytes: Uint8Array): void; closed(): void }
  /** Returns true if the device is switched on, which the port reports as CTS and DSR. */
  powered(): boolean
}

class BindingError extends Error {
  readonly canceled?: boolean
  readonly disconnect?: boolean

  constructor(message: string, kind: 'canceled' | 'disconnect') {
    super(message)
    this.name = 'BindingError'
    if (kind === 'canceled') this.canceled = true
    else this.disconnect = true
  }
}

/** Maximum number of unread bytes. As on a real port, bytes that do not fit are lost. */
const UNREAD_LIMIT = 1024 * 1024

export class EmulatedBinding {
  readonly path: string
  readonly #peer: PortPeer
  readonly #info: PortInfo
  readonly #open = new Set<EmulatedPort>()
  #connected = true

  constructor(path: string, info: { manufacturer: string; serialNumber: string }, peer: PortPeer) {
    this.path = path
    this.#peer = peer
    this.#info = {
      path,
      manufacturer: info.manufacturer,
      serialNumber: info.serialNumber,
      pnpId: undefined,
      locationId: undefined,
      productId: undefined,
      vendorId: undefined,
    }
  }

  async list(): Promise<PortInfo[]> {
    return this.#connected ? [{ ...this.#info }] : []
  }

  async open(options: OpenOptions): Promise<EmulatedPort> {
    if (!options || typeof options !== 'object' || Array.isArray(options)) {
      throw new TypeError('"options" is not an object')
    }
    if (!options.path) throw new TypeError('"path" is not a valid port')
    if (!options.baudRate) throw new TypeError('"baudRate" is not a valid baudRate')
    if (!this.#connected || options.path !== this.path) {
      throw new Error(`Error: No such file or directory, cannot open ${options.path}`)
    }
    if ([...this.#open].some((port) => port.openOptions.lock)) {
      throw new Error('Error Resource temporarily unavailable Cannot lock port')
    }
    const port = new EmulatedPort(options, this.#peer, () => this.#open.delete(port))
    this.#open.add(port)
    return port
  }

  get connected(): boolean {
    return this.#connected
  }

  /** Open ports fail like those of an unplugged adapter, and the path disappears. */
  disconnect(): void {
    this.#connected = false
    for (const port of [...this.#open]) port.disconnect()
  }

  connect(): void {
    this.#connected = true
  }
}

interface PendingRead {
  readonly buffer: Buffer
  readonly offset: number
  readonly length: number
  readonly resolve: (result: { buffer: Buffer; bytesRead: number }) => void
  readonly reject: (problem: Error) => void
}

export class EmulatedPort {
  readonly openOptions: Required<Omit<OpenOptions, 'host'>> & Pick<OpenOptions, 'host'>
  isOpen = true
  readonly #peer: PortPeer
  readonly #forget: () => void
  readonly #cable: { receive(bytes: Uint8Array): void; closed(): void }
  #baudRate: number
  #lost = false
  #unread: Uint8Array[] = []
  #unreadBytes = 0
  #reading: PendingRead | undefined
  #writing = false

  constructor(options: OpenOptions, peer: PortPeer, forget: () => void) {
    this.openOptions = {
      dataBits: 8, lock: true, stopBits: 1, parity: 'none', rtscts: false, xon: false, xoff: false, xany: false,
      hupcl: true, ...options,
    } // biome-ignore format: the defaults of the real binding
    this.#baudRate = options.baudRate
    this.#peer = peer
    this.#forget = forget
    this.#cable = peer.opened(this)
  }

  get baudRate(): number {
    return this.#baudRate
  }

  async close(): Promise<void> {
    this.#mustBeOpen()
    this.isOpen = false
    this.#unread = []
    this.#unreadBytes = 0
    this.#leave()
    this.#reading?.reject(new BindingError('Port is not open', 'canceled'))
    this.#reading = undefined
  }

  read(buffer: Buffer, offset: number, length: number): Promise<{ buffer: Buffer; bytesRead: number }> {
    return new Promise((resolve, reject) => {
      // The messages of the bindings of serialport.
      if (!Buffer.isBuffer(buffer)) throw new TypeError('"buffer" is not a Buffer')
      if (!Number.isInteger(offset)) throw new TypeError(`"offset" is not an integer got "${offset}"`)
      if (!Number.isInteger(length)) throw new TypeError(`"length" is not an integer got "${length}"`)
      if (buffer.length < offset + length) throw new Error('buffer is too small')
      if (!this.isOpen) throw new BindingError('Port is not open', 'canceled')
      if (this.#unreadBytes > 0) return resolve({ buffer, bytesRead: this.#take(buffer, offset, length) })
      if (this.#lost) throw disconnectedError()
      if (this.#reading) throw new Error('a read is already under way')
      this.#reading = { buffer, offset, length, resolve, reject }
    })
  }

  async write(buffer: Buffer): Promise<void> {
    if (!Buffer.isBuffer(buffer)) throw new TypeError('"buffer" is not a Buffer')
    this.#mustBeOpen()
    if (this.#lost) throw disconnectedError()
    if (this.#writing) throw new Error('Overlapping writes are not supported')
    this.#writing = true
    try {
      // The bytes are delivered immediately, because the caller may reuse its buffer.
      if (buffer.length > 0) this.#cable.receive(buffer)
    } finally {
      this.#writing = false
    }
  }

  async update(options: { baudRate: number }): Promise<void> {
    if (!options || typeof options !== 'object' || Array.isArray(options)) {
      throw new TypeError('"options" is not an object')
    }
    if (typeof options.baudRate !== 'number') throw new TypeError('"options.baudRate" is not a number')
    this.#mustBeOpen()
    this.#baudRate = options.baudRate
  }

  async set(options: ModemLines): Promise<void> {
    if (!options || typeof options !== 'object' || Array.isArray(options)) {
      throw new TypeError('"options" is not an object')
    }
    this.#mustBeOpen()
  }

  async get(): Promise<{ cts: boolean; dsr: boolean; dcd: boolean }> {
    this.#mustBeOpen()
    const powered = !this.#lost && this.#peer.powered()
    return { cts: powered, dsr: powered, dcd: false }
  }

  async getBaudRate(): Promise<{ baudRate: number }> {
    this.#mustBeOpen()
    return { baudRate: this.#baudRate }
  }

  async flush(): Promise<void> {
    this.#mustBeOpen()
    this.#unread = []
    this.#unreadBytes = 0
  }

  async drain(): Promise<void> {
    this.#mustBeOpen()
  }

  emit(bytes: Uint8Array): void {
    if (!this.isOpen || this.#lost || bytes.length === 0) return
    if (this.#unreadBytes + bytes.length > UNREAD_LIMIT) return
    const reading = this.#reading
    this.#reading = undefined
    // If a read is pending, no earlier bytes are unread.
    const bytesRead = reading ? Math.min(bytes.length, reading.length) : 0
    if (bytesRead < bytes.length) {
      this.#unread.push(bytes.slice(bytesRead))
      this.#unreadBytes += bytes.length - bytesRead
    }
    if (!reading) return
    const { buffer, offset, resolve } = reading
    buffer.set(bytesRead < bytes.length ? bytes.subarray(0, bytesRead) : bytes, offset)
    resolve({ buffer, bytesRead })
  }

  /**
   * Simulates an unplugged adapter. A pending read fails with `disconnect`, not `canceled`; later reads and writes fail
   * until the port is closed.
   */
  disconnect(): void {
    if (this.#lost || !this.isOpen) return
    this.#lost = true
    this.#leave()
    this.#reading?.reject(disconnectedError())
    this.#reading = undefined
  }

  #take(buffer: Buffer, offset: number, length: number): number {
    let taken = 0
    while (taken < length) {
      const first = this.#unread[0]
      if (!first) break
      const part = first.length > length - taken ? first.subarray(0, length - taken) : first
      buffer.set(part, offset + taken)
      taken += part.length
      if (part.length === first.length) this.#unread.shift()
      else this.#unread[0] = first.subarray(part.length)
    }
    this.#unreadBytes -= taken
    return taken
  }

  #leave(): void {
    this.#forget()
    this.#cable.closed()
  }

  #mustBeOpen(): void {
    if (!this.isOpen) throw new Error('Port is not open')
  }
}

const disconnectedError = () => new BindingError('Error: Input/output error, the port was disconnected', 'disconnect')
