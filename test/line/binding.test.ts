/**
 * The contract of a serialport binding, for the project's binding, the stock mock, and the operating system's binding
 * over a real pty. A missing capability is listed with its reason.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { autoDetect } from '@serialport/bindings-cpp'
import { SerialPort } from 'serialport'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EmulatedBinding, type EmulatedPort, type ModemLines } from '../../emulator/line/binding.ts'
import { MockBinding, type StockMockPort } from '../support/stock-mock.ts'
import { until } from '../support/wait-until.ts'

type StreamOptions = ConstructorParameters<typeof SerialPort>[0]

interface FullPort {
  readonly isOpen: boolean
  readonly openOptions: object
  close(): Promise<void>
  read(buffer: Buffer, offset: number, length: number): Promise<{ buffer: Buffer; bytesRead: number }>
  write(buffer: Buffer): Promise<void>
  update(options: { baudRate: number }): Promise<void>
  set(options: ModemLines): Promise<void>
  get(): Promise<{ cts: boolean; dsr: boolean; dcd: boolean }>
  getBaudRate(): Promise<{ baudRate: number }>
  flush(): Promise<void>
  drain(): Promise<void>
}

interface FullBinding {
  list(): Promise<{ path: string }[]>
  open(options: { path: string; baudRate: number; lock?: boolean }): Promise<FullPort>
}

interface Subject {
  readonly binding: FullBinding
  readonly path: string
  say(port: FullPort, bytes: Buffer): void
  received(): string
  waits(port: FullPort): Promise<void>
  vanish(): void
  /** True if a pending read may remain pending after `vanish`, until the port is closed. */
  readonly mayEndEmpty?: true
  end(): Promise<void>
}

/** A port of the serialport library. Its read waits for this poller after a first read without bytes. */
interface PolledPort {
  readonly poller: { listenerCount(event: 'readable'): number }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function inSmallReads(port: Pick<FullPort, 'read'>, length: number): Promise<string> {
  let text = ''
  while (text.length < length) {
    const { buffer, bytesRead } = await port.read(Buffer.alloc(3), 0, 3)
    text += buffer.subarray(0, bytesRead).toString()
  }
  return text
}

const ABILITIES = [
  'lists its ports',
  'refuses a second opening of a locked port',
  'rejects a pending read, not as cancelled, when the device vanishes',
  'has modem lines',
  'returns the speed that was set',
  'returns all received bytes in small reads',
] as const
type Ability = (typeof ABILITIES)[number]

interface Kind {
  readonly name: string
  readonly cannot: Partial<Record<Ability, string>>
  make(): Promise<Subject>
}

function emulated(): Subject {
  let received = ''
  const binding = new EmulatedBinding(
    '/dev/emulated',
    { manufacturer: 'test', serialNumber: '1' },
    {
      powered: () => true,
      opened: () => ({
        receive: (bytes) => {
          received += Buffer.from(bytes).toString('latin1')
        },
        closed: () => undefined,
      }),
    },
  )
  return {
    binding,
    path: '/dev/emulated',
    say: (port, bytes) => (port as EmulatedPort).emit(bytes),
    received: () => received,
    waits: nextTurn,
    vanish: () => binding.disconnect(),
    end: async () => undefined,
  }
}

function stockMock(): Subject {
  MockBinding.createPort('/dev/stock', { record: true })
  let last: { recording: Buffer } | undefined
  const binding = {
    list: () => MockBinding.list(),
    async open(options: { path: string; baudRate: number }) {
      const port = await MockBinding.open(options)
      last = port as unknown as { recording: Buffer }
      return port as unknown as FullPort
    },
  }
  return {
    binding,
    path: '/dev/stock',
    say: (port, bytes) => (port as unknown as StockMockPort).emitData(bytes),
    received: () => last?.recording.toString('latin1') ?? '',
    waits: nextTurn,
    vanish: () => undefined,
    end: async () => MockBinding.reset(),
  }
}

async function operatingSystem(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'binding-'))
  const path = join(folder, 'port')
  const child: ChildProcess = spawn('socat', ['STDIO', `PTY,raw,echo=0,link=port,wait-slave=0`], { cwd: folder })
  let received = ''
  child.stdout?.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1')
  })
  const system = autoDetect()
  const binding: FullBinding = { list: () => system.list(), open: (options) => system.open(options) }
  const isThere = async () => (await binding.open({ path, baudRate: 9600, lock: false })).close()
  await until(isThere)
  return {
    binding,
    path,
    say: (_port, bytes) => void child.stdin?.write(bytes),
    received: () => received,
    waits: (port) => until(() => expect((port as unknown as PolledPort).poller.listenerCount('readable')).toBe(1)),
    vanish: () => void child.kill(),
    mayEndEmpty: true,
    async end() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      // With SIGTERM, socat has failed to exit on a busy machine.
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const KINDS: readonly Kind[] = [
  { name: "the emulator's", cannot: {}, make: async () => emulated() },
  {
    name: 'the stock mock',
    cannot: {
      'rejects a pending read, not as cancelled, when the device vanishes': 'it has no disconnection',
      'has modem lines': 'it answers the same whatever is set',
    },
    make: async () => stockMock(),
  },
  {
    name: "the operating system's, over a pty",
    cannot: {
      'lists its ports': 'a pty is in no list of serial ports',
      'has modem lines': 'a pty has none',
    },
    make: operatingSystem,
  },
]

describe.each(KINDS.map((one) => [one.name, one] as const))('a binding: %s', (_name, { cannot, make }) => {
  let subject: Subject
  let opened: FullPort[] = []
  const open = async (options: { baudRate?: number; lock?: boolean } = {}) => {
    const port = await subject.binding.open({ path: subject.path, baudRate: 9600, ...options })
    opened.push(port)
    return port
  }
  beforeEach(async () => {
    subject = await make()
  })
  afterEach(async () => {
    for (const port of opened) if (port.isOpen) await port.close()
    opened = []
    await subject.end()
  })
  const can = (ability: Ability, run: () => Promise<void>) => {
    const reason = cannot[ability]
    if (reason === undefined) it(ability, run)
    else it(`${ability} (not here: ${reason})`, (context) => context.skip(reason))
  }

  it('opens a port with the options and their defaults', async () => {
    const port = await open({ baudRate: 19_200 })
    expect(port.isOpen).toBe(true)
    expect(port.openOptions).toMatchObject({
      path: subject.path,
      baudRate: 19_200,
      dataBits: 8,
      stopBits: 1,
      parity: 'none',
      lock: true,
    })
  })

  it.each([
    ['no options', undefined],
    ['no path', { path: '', baudRate: 9600 }],
    ['no speed', { path: '/dev/x', baudRate: 0 }],
  ])('refuses to open with %s: a TypeError', async (_name, options) => {
    await expect(subject.binding.open(options as never)).rejects.toThrow(TypeError)
  })

  it('refuses a missing path', async () => {
    await expect(subject.binding.open({ path: '/dev/nowhere-at-all', baudRate: 9600 })).rejects.toThrow(Error)
  })

  can('lists its ports', async () => {
    expect((await subject.binding.list()).map(({ path }) => path)).toEqual([subject.path])
  })

  can('refuses a second opening of a locked port', async () => {
    await open()
    await expect(open()).rejects.toThrow(/lock/i)
  })

  it('reads bytes that arrived before the read', async () => {
    const port = await open()
    subject.say(port, Buffer.from('hello'))
    const buffer = Buffer.alloc(10)
    const { bytesRead } = await port.read(buffer, 2, 8)
    expect(buffer.subarray(2, 2 + bytesRead).toString()).toBe('hello')
  })

  it('answers a read that was waiting', async () => {
    const port = await open()
    const reading = port.read(Buffer.alloc(10), 0, 10)
    await nextTurn()
    subject.say(port, Buffer.from('hi'))
    const { buffer, bytesRead } = await reading
    expect(buffer.subarray(0, bytesRead).toString()).toBe('hi')
  })

  it('gives a waiting read as much as it has requested, and the other bytes to the next reads', async () => {
    const port = await open()
    const reading = port.read(Buffer.alloc(5), 1, 3)
    await nextTurn()
    subject.say(port, Buffer.from('one, two'))
    const first = await reading
    expect(first.buffer.subarray(1, 1 + first.bytesRead).toString()).toBe('one')
    expect(await inSmallReads(port, 5)).toBe(', two')
  })

  can('returns all received bytes in small reads', async () => {
    const port = await open()
    subject.say(port, Buffer.from('one, '))
    subject.say(port, Buffer.from('two'))
    expect(await inSmallReads(port, 8)).toBe('one, two')
  })

  it.each([
    ['an invalid buffer', ['x', 0, 1]],
    ['an invalid offset', [Buffer.alloc(2), Number.NaN, 1]],
    ['an invalid length', [Buffer.alloc(2), 0, Number.NaN]],
    ['more than the buffer holds', [Buffer.alloc(2), 1, 2]],
  ])('refuses to read into %s', async (_name, words) => {
    const port = await open()
    await expect(port.read(...(words as [Buffer, number, number]))).rejects.toThrow(Error)
  })

  it('rejects a pending read as cancelled when it is closed', async () => {
    const port = await open()
    const reading = port.read(Buffer.alloc(1), 0, 1)
    const outcome = reading.then(
      () => 'read',
      (problem: { canceled?: boolean }) => (problem.canceled ? 'canceled' : 'failed'),
    )
    await subject.waits(port)
    await port.close()
    expect(await outcome).toBe('canceled')
    expect(port.isOpen).toBe(false)
  })

  can('rejects a pending read, not as cancelled, when the device vanishes', async () => {
    const port = await open()
    const reading = port.read(Buffer.alloc(1), 0, 1)
    const outcome = reading.then(
      () => 'read',
      (problem: { canceled?: boolean }) => (problem.canceled ? 'canceled' : 'failed'),
    )
    await subject.waits(port)
    subject.vanish()
    const write = () =>
      port.write(Buffer.from('x')).then(
        () => 'written',
        () => 'rejected',
      )
    await expect.poll(write).toBe('rejected')
    // Linux may end a read of a pty without bytes instead of with an error, and serialport then reads again until the
    // port is closed.
    if (!subject.mayEndEmpty) expect(await outcome).toBe('failed')
    await port.close()
    expect(await outcome).not.toBe('read')
  })

  it('resolves after it has written', async () => {
    const port = await open()
    await port.write(Buffer.from('one '))
    await port.write(Buffer.from('two'))
    await port.drain()
    await expect.poll(() => subject.received()).toBe('one two')
  })

  it('has copied the bytes, whatever happens to the buffer later', async () => {
    const port = await open()
    const buffer = Buffer.from('mine')
    await port.write(buffer)
    buffer.fill(0)
    await expect.poll(() => subject.received()).toBe('mine')
  })

  it('refuses to write anything but a buffer', async () => {
    const port = await open()
    await expect(port.write('x' as never)).rejects.toThrow(TypeError)
  })

  it('discards unread bytes when it is flushed', async () => {
    const port = await open()
    subject.say(port, Buffer.from('old'))
    // The other bytes of the text arrive together with the first.
    await port.read(Buffer.alloc(1), 0, 1)
    await port.flush()
    subject.say(port, Buffer.from('new'))
    const { buffer, bytesRead } = await port.read(Buffer.alloc(9), 0, 9)
    expect(buffer.subarray(0, bytesRead).toString()).toBe('new')
  })

  can('returns the speed that was set', async () => {
    const port = await open({ baudRate: 9600 })
    await port.update({ baudRate: 57_600 })
    expect(await port.getBaudRate()).toEqual({ baudRate: 57_600 })
  })

  can('has modem lines', async () => {
    const port = await open()
    await port.set({ dtr: false, rts: false })
    expect(await port.get()).toEqual({ cts: expect.any(Boolean), dsr: expect.any(Boolean), dcd: expect.any(Boolean) })
  })

  it.each(['close', 'flush', 'drain', 'get', 'getBaudRate'] as const)('refuses %s on a closed port', async (name) => {
    const port = await open()
    await port.close()
    await expect(port[name]()).rejects.toThrow(/not open/)
  })

  it('can be opened again after it was closed', async () => {
    await (await open()).close()
    expect((await open()).isOpen).toBe(true)
  })
})

describe('two emulators', () => {
  it('with the same path are independent of each other', async () => {
    const [one, two] = [emulated(), emulated()]
    const first = await one.binding.open({ path: one.path, baudRate: 9600 })
    const second = await two.binding.open({ path: two.path, baudRate: 9600 })
    await first.write(Buffer.from('for the first'))
    expect([one.received(), two.received()]).toEqual(['for the first', ''])
    await first.close()
    await second.close()
  })

  it('can be used by the serialport package, which notices a pulled cable', async () => {
    const subject = emulated()
    const options = { binding: subject.binding, path: subject.path, baudRate: 9600 }
    const stream = new SerialPort(options as unknown as StreamOptions)
    // A stream emits events only while it is read.
    stream.resume()
    await once(stream, 'open')
    stream.write('hello')
    await expect.poll(() => subject.received()).toBe('hello')
    const closed = once(stream, 'close')
    subject.vanish()
    expect(((await closed)[0] as { disconnected?: boolean }).disconnected).toBe(true)
  })
})
