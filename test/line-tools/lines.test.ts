import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Port, serialPort, tcpPort } from '../../drivers/link/port.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { buildHostA } from '../../scenarios/oracle/family-a.ts'
import { type Running, start } from '../support/command.ts'
import { inaccuracyOfProgram } from '../support/paced.ts'

/** Real lines: a pty and TCP at true speed, and clients that behave badly. */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lines-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const status = (number: number): Uint8Array => buildHostA(0x20 + (number % 0xd0), 74, '')

/** A client that writes and waits for the end of a frame. */
class Client {
  #heard = Buffer.alloc(0)
  #wake: () => void = () => undefined
  #port: Port | undefined

  static async open(device: string | number, baud: number): Promise<Client> {
    const client = new Client()
    const opener =
      typeof device === 'number' ? tcpPort('127.0.0.1', device, systemClock) : serialPort(device, baud, systemClock)
    client.#port = await opener({
      heard: (bytes) => {
        client.#heard = Buffer.concat([client.#heard, bytes])
        client.#wake()
      },
      lost: () => client.#wake(),
    })
    return client
  }

  /** What came by the end of a frame, or within the time. */
  async ask(bytes: Uint8Array, withinMs = 2000): Promise<Buffer> {
    this.#heard = Buffer.alloc(0)
    await this.#port?.write(bytes)
    const until = performance.now() + withinMs
    while (this.#heard.at(-1) !== 0x03 && performance.now() < until) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, until - performance.now())
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return this.#heard
  }

  async close(): Promise<void> {
    await this.#port?.close()
  }
}

/** Share by which the time of 100 exchanges differs from the time of their bytes, 8N1. */
async function inaccuracy(device: string | number, baud: number): Promise<number> {
  const client = await Client.open(device, baud)
  await client.ask(status(0))
  let bytes = 0
  const began = performance.now()
  for (let number = 1; number <= 100; number++) bytes += 16 + (await client.ask(status(number))).length
  const took = performance.now() - began
  await client.close()
  return took / ((bytes * 10_000) / baud) - 1
}

describe('a line at true speed', () => {
  let emulator: Emulator
  let link: string
  const log: string[] = []
  beforeAll(async () => {
    emulator = createEmulator({ family: 'A', baud: 19_200, log: (line) => log.push(line) })
    link = (await emulator.openPty(join(folder, 'paced'))).link
  })
  afterAll(() => emulator.close())

  // How much longer it takes depends on what else the machine does: that is a figure of `npm run bench`.
  it('takes on a pty no less than the time of the bytes, over 100 exchanges', async () => {
    expect(await inaccuracyOfProgram(link, 19_200)).toBeGreaterThan(-0.02)
  })

  it('takes on TCP no less than the time of the bytes, over 100 exchanges', async () => {
    const { port } = await emulator.listenTcp(0)
    expect(await inaccuracy(port, 19_200)).toBeGreaterThan(-0.02)
  })

  it('garbles what a client at another speed sends and hears, says so, and works again at the right one', async () => {
    const wrong = await Client.open(link, 9600)
    const heard = await wrong.ask(status(5), 100)
    expect(heard.includes(0x03) && heard[0] === 0x01).toBe(false)
    await wrong.close()
    expect(log).toContain('line: the client set 9600 baud, the device has 19200: bytes arrive garbled both ways')
    const right = await Client.open(link, 19_200)
    // The device waits half a second for the rest of what it took for a frame.
    await pause(600)
    expect((await right.ask(status(6)))[0]).toBe(0x01)
    await right.close()
    expect(log).toContain('line: the client set 19200 baud, as the device has')
  })
})

describe('the speed that family C changes by command', () => {
  it('holds at once: the old one is garbled, the new one is understood', async () => {
    const emulator = createEmulator({ family: 'C', baud: 115_200 })
    const { link } = await emulator.openPty(join(folder, 'changing'))
    const port = async (baud: number, bytes: string, waitMs: number) => {
      let heard = ''
      const opened = await serialPort(
        link,
        baud,
        systemClock,
      )({
        heard: (chunk) => (heard += Buffer.from(chunk).toString('hex')),
        lost: () => undefined,
      })
      await opened.write(Buffer.from(bytes, 'hex'))
      await pause(waitMs)
      await opened.close()
      return heard
    }
    // 1Dh s 0: 9600 baud, no answer. 04h: the ping.
    expect(await port(115_200, '1d7330', 60)).toBe('')
    expect(await port(115_200, '04', 60)).not.toBe('04')
    expect(await port(9600, '04', 60)).toBe('04')
    await emulator.close()
  })
})

describe('clients that behave badly', () => {
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

  /** Memory of the device's process, MiB. */
  const memory = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))?.[1]) / 1024

  const FLAGS = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK
  /** The place of a client that has just left is free as soon as the device has noticed. */
  const answersOn = async (device: string | number): Promise<boolean> => {
    for (let tries = 0; tries < 20; tries++) {
      await pause(30)
      const client = await Client.open(device, 115_200)
      const answer = await client.ask(status(Math.floor(performance.now()) % 200), 200)
      await client.close()
      if (answer.at(-1) === 0x03) return true
    }
    return false
  }
  /** What nobody has read yet. */
  const drained = (): number => {
    const port = openSync(link, FLAGS)
    const buffer = Buffer.alloc(4096)
    let bytes = 0
    try {
      for (let read = readSync(port, buffer); read > 0; read = readSync(port, buffer)) bytes += read
    } catch {
      // Nothing more is there.
    }
    closeSync(port)
    return bytes
  }

  it('open and close the pty a thousand times, each in the middle of a frame', async () => {
    for (let round = 0; round < 1000; round++) {
      const port = openSync(link, FLAGS)
      writeSync(port, status(round), 0, 7)
      closeSync(port)
      if (round % 50 === 0) await pause(1)
    }
    await pause(700)
    drained()
    expect(await answersOn(link)).toBe(true)
  })

  it('leave their answer unread: the next one does not get it', async () => {
    const port = openSync(link, FLAGS)
    writeSync(port, status(9))
    closeSync(port)
    for (let tries = 0; tries < 40; tries++) await pause(25)
    expect(drained()).toBe(0)
    // A client that stays may be as slow as it likes.
    const slow = openSync(link, FLAGS)
    writeSync(slow, status(10))
    for (let tries = 0; tries < 40; tries++) await pause(25)
    expect(drained()).toBeGreaterThan(0)
    closeSync(slow)
  })

  it('connect and leave a thousand times on TCP, each in the middle of a frame', async () => {
    for (let round = 0; round < 1000; round++) await half(tcp, status(round).subarray(0, 7))
    expect(await answersOn(tcp)).toBe(true)
  })

  it('come second on TCP: turned away, and the first is not disturbed', async () => {
    await pause(50)
    const first = await Client.open(tcp, 0)
    expect((await first.ask(status(76))).at(-1)).toBe(0x03)
    const second = connect(tcp, '127.0.0.1')
    second.on('error', () => undefined).resume()
    await new Promise((gone) => second.once('close', gone))
    expect((await first.ask(status(77))).at(-1)).toBe(0x03)
    await first.close()
    expect(await answersOn(tcp)).toBe(true)
  })

  it.each(['pty', 'TCP'])(
    'send garbage at full speed over %s and read nothing: memory is bounded, the device goes on',
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
        await pause(700)
        for (let quiet = 0; quiet < 3; quiet = drained() > 0 ? 0 : quiet + 1) await pause(20)
      } else {
        const socket = connect(tcp, '127.0.0.1')
        socket.on('error', () => undefined)
        socket.pause()
        while (performance.now() < until && !socket.destroyed) {
          if (socket.writableLength < 1_000_000) socket.write(garbage)
          await pause(0)
        }
        await leave(socket)
      }
      expect(memory() - before).toBeLessThan(150)
      expect(await answersOn(way === 'pty' ? link : tcp)).toBe(true)
    },
  )
})

/** Connects, writes, and is gone without a word. */
function half(port: number, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => socket.destroy()))
    socket.on('error', () => undefined)
    socket.once('close', () => resolve())
  })
}

function leave(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => setTimeout(resolve, 50))
    if (socket.closed) setTimeout(resolve, 50)
    else socket.destroy()
  })
}
