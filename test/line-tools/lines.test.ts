/**
 * Real lines: a pty and TCP at true speed, and clients that misbehave. Tests wait for the device's log and responses.
 * The only fixed time is the one after which a device checks whether a response was read.
 */
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Port, serialPort, tcpPort } from '../../drivers/link/port.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { buildHostA } from '../frame-builders/frames-a.ts'
import { type Running, start } from '../support/command.ts'
import { inaccuracyOf, inaccuracyOfProgram } from '../support/paced-process.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lines-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const status = (number: number): Uint8Array => buildHostA(0x20 + (number % 0xd0), 74, '')

/** Twice the idle time after which a device checks for an unread response, in ms. */
const LOOKED_MS = 600

const endsFrame = (received: Buffer): boolean => received.at(-1) === 0x03

class Client {
  #received = Buffer.alloc(0)
  #lost = false
  #wake: () => void = () => undefined
  #port: Port | undefined

  static async open(device: string | number, baud: number): Promise<Client> {
    const client = new Client()
    const opener =
      typeof device === 'number' ? tcpPort('127.0.0.1', device, systemClock) : serialPort(device, baud, systemClock)
    client.#port = await opener({
      onData: (bytes) => {
        client.#received = Buffer.concat([client.#received, bytes])
        client.#wake()
      },
      onLost: () => {
        client.#lost = true
        client.#wake()
      },
    })
    return client
  }

  get received(): Buffer {
    return this.#received
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#received = Buffer.alloc(0)
    await this.#port?.write(bytes)
  }

  /**
   * Sends bytes. Resolves to the received bytes when the response is complete, the connection is lost, or the time has
   * passed.
   */
  async ask(bytes: Uint8Array, withinMs = 20_000, isWhole = endsFrame): Promise<Buffer> {
    await this.write(bytes)
    const until = performance.now() + withinMs
    while (!isWhole(this.#received) && !this.#lost && performance.now() < until) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, until - performance.now())
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return this.#received
  }

  async close(): Promise<void> {
    await this.#port?.close()
  }
}

/** Measures 100 exchanges, including the first (see `Inaccuracy`). */
async function inaccuracy(device: string | number, baud: number): Promise<number> {
  const client = await Client.open(device, baud)
  let bytes = 0
  const began = performance.now()
  for (let number = 1; number <= 100; number++) bytes += 16 + (await client.ask(status(number))).length
  const ms = performance.now() - began
  await client.close()
  return inaccuracyOf({ bytes, ms }, baud)
}

describe('a line at its real speed', () => {
  let emulator: Emulator
  let link: string
  const log: string[] = []
  beforeAll(async () => {
    emulator = createEmulator({ family: 'A', baud: 19_200, log: (line) => log.push(line) })
    link = (await emulator.openPty(join(folder, 'paced'))).link
  })
  afterAll(() => emulator.close())

  // The excess over that time depends on the load of the machine, and `npm run bench` measures it.
  it('takes at least the time of the bytes on a pty, over 100 exchanges', async () => {
    expect((await inaccuracyOfProgram(link, 19_200)).all).toBeGreaterThan(-0.02)
  })

  it('takes at least the time of the bytes on TCP, over 100 exchanges', async () => {
    const { port } = await emulator.listenTcp(0)
    expect(await inaccuracy(port, 19_200)).toBeGreaterThan(-0.02)
  })

  it('garbles the bytes to and from a client at another speed, logs it, and passes bytes unchanged again at the same speed', async () => {
    const wrong = await Client.open(link, 9600)
    await wrong.write(status(5))
    const garbled = 'line: the client set 9600 baud, but the device uses 19200: both sides receive garbled bytes'
    await expect.poll(() => log).toContain(garbled)
    expect(wrong.received.includes(0x03) && wrong.received[0] === 0x01).toBe(false)
    await wrong.close()
    const right = await Client.open(link, 19_200)
    // The device waits half a second for the rest of bytes that look like a frame.
    let number = 6
    await expect.poll(async () => (await right.ask(status(number++), 1000))[0]).toBe(0x01)
    await right.close()
    expect(log).toContain('line: the client set 19200 baud, the speed of the device')
  })
})

describe('the speed that family C changes by command', () => {
  it('is in effect at once: bytes at the old speed are garbled, and bytes at the new speed are understood', async () => {
    const log: string[] = []
    const emulator = createEmulator({ family: 'C', baud: 115_200, log: (line) => log.push(line) })
    const { link } = await emulator.openPty(join(folder, 'changing'))
    const hex = (client: Client) => client.received.toString('hex')
    const old = await Client.open(link, 115_200)
    await old.write(Buffer.from('1d7330', 'hex'))
    await expect.poll(() => emulator.wire.baud?.()).toBe(9600)
    expect(hex(old)).toBe('')
    await old.write(Buffer.from('04', 'hex'))
    const garbled = 'line: the client set 115200 baud, but the device uses 9600: both sides receive garbled bytes'
    await expect.poll(() => log).toContain(garbled)
    expect(hex(old)).not.toBe('04')
    await old.close()
    const changed = await Client.open(link, 9600)
    const ping = () => changed.ask(Buffer.from('04', 'hex'), 1000, (received) => received.length > 0)
    await expect.poll(async () => (await ping()).toString('hex')).toBe('04')
    await changed.close()
    await emulator.close()
  })
})

describe('clients that misbehave', () => {
  let running: Running
  let link: string
  let tcp: number
  beforeAll(async () => {
    link = join(folder, 'tough')
    running = start([
      'emulate',
      '--family',
      'A',
      '--link',
      link,
      '--tcp',
      '0',
      '--panel-port',
      '0',
      '--data',
      'memory',
      '--json',
    ])
    tcp = Number((await running.ready())['tcp'])
  })
  afterAll(async () => {
    running.child.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ status: 0 })
  })

  const memory = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))?.[1]) / 1024

  const FLAGS = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK
  /**
   * Opens a client and waits until it gets responses. The device accepts a client only after it has noticed the
   * disconnect of the last one, and bytes that remain on the line may disturb the first requests.
   */
  const answering = async (device: string | number): Promise<Client> => {
    let client: Client | undefined
    let number = 0
    await expect
      .poll(async () => {
        await client?.close()
        client = await Client.open(device, 115_200)
        return (await client.ask(status(number++), 1000)).at(-1)
      })
      .toBe(0x03)
    return client as Client
  }
  const answersOn = async (device: string | number) => (await answering(device)).close()

  const drained = (): number => {
    const port = openSync(link, FLAGS)
    const buffer = Buffer.alloc(4096)
    let bytes = 0
    try {
      for (let read = readSync(port, buffer); read > 0; read = readSync(port, buffer)) bytes += read
    } catch {
      // `readSync` throws when no byte remains.
    }
    closeSync(port)
    return bytes
  }

  it('open and close the pty a thousand times, each in the middle of a frame', async () => {
    for (let round = 0; round < 1000; round++) {
      const port = openSync(link, FLAGS)
      writeSync(port, status(round), 0, 7)
      closeSync(port)
    }
    await answersOn(link)
  })

  it('leave their answer unread: the next client does not get it', async () => {
    const port = openSync(link, FLAGS)
    writeSync(port, status(9))
    closeSync(port)
    await expect.poll(() => running.log()).toMatch(/discarded \d+ bytes of an answer/)
    expect(drained()).toBe(0)
    // A client that keeps the port open may be arbitrarily slow.
    const slow = openSync(link, FLAGS)
    writeSync(slow, status(10))
    await pause(LOOKED_MS)
    await expect.poll(drained).toBeGreaterThan(0)
    closeSync(slow)
  })

  it('connect and leave a thousand times on TCP, each in the middle of a frame', async () => {
    for (let round = 0; round < 1000; round++) await half(tcp, status(round).subarray(0, 7))
    await answersOn(tcp)
  })

  it('that connect second on TCP are rejected, and the first client is not disturbed', async () => {
    const first = await answering(tcp)
    expect((await first.ask(status(76))).at(-1)).toBe(0x03)
    const second = connect(tcp, '127.0.0.1')
    second.on('error', () => undefined).resume()
    await new Promise((gone) => second.once('close', gone))
    expect((await first.ask(status(77))).at(-1)).toBe(0x03)
    await first.close()
    await answersOn(tcp)
  })

  it.each(['pty', 'TCP'])(
    'send garbage at full speed over %s and read nothing: memory is bounded, the device continues',
    async (way) => {
      const before = memory()
      const garbage = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 197 + (at >> 3)) & 0xff))
      const until = performance.now() + 1500
      if (way === 'pty') {
        const port = openSync(link, FLAGS)
        while (performance.now() < until) {
          try {
            writeSync(port, garbage)
          } catch {
            await pause(1)
          }
        }
        closeSync(port)
      } else {
        const socket = connect(tcp, '127.0.0.1')
        socket.on('error', () => undefined)
        socket.pause()
        while (performance.now() < until && !socket.destroyed) {
          if (socket.writableLength < 1_000_000) socket.write(garbage)
          await pause(0)
        }
        socket.destroy()
      }
      expect(memory() - before).toBeLessThan(150)
      await answersOn(way === 'pty' ? link : tcp)
    },
  )
})

function half(port: number, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => socket.destroy()))
    socket.on('error', () => undefined)
    socket.once('close', () => resolve())
  })
}
