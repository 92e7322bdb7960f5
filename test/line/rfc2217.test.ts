/** A serial port over telnet (RFC 2217), in the driver and in the emulated device. The bytes are written by hand. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { openPrinter } from '../../drivers/index.ts'
import { openerOf, parseDevice } from '../../drivers/link/device-address.ts'
import { SimulatedClock, systemClock } from '../../drivers/model/clock.ts'
import {
  COM_PORT,
  comPortBytes,
  fourBytes,
  OPTIONS,
  TelnetReader,
  telnetData,
  telnetOption,
} from '../../drivers/wire/telnet.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { ATTACKED, type Attacked, X_REPORTS } from '../security/x-report-frames.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function device(family: Attacked, baud?: number) {
  const log: string[] = []
  const emulator = createEmulator({ family, log: (line) => log.push(line), ...(baud !== undefined && { baud }) })
  open.push(emulator)
  const { port } = await emulator.listenTcp(0)
  return { emulator, port, log }
}

async function client(port: number): Promise<{ readonly socket: Socket; received(): string }> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const parts: Buffer[] = []
  socket.on('data', (bytes) => parts.push(bytes)).on('error', () => undefined)
  open.push({ close: () => socket.destroy() })
  await once(socket, 'connect')
  return { socket, received: () => Buffer.concat(parts).toString('hex') }
}

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const deviceConfig = (family: Attacked, port: number) => ({ family, device: `tcp://127.0.0.1:${port}?rfc2217` })

describe.each(ATTACKED)('the driver of family %s', (family) => {
  it('prints over a remotely configured port, letters of FFh too, and then a raw client prints', async () => {
    const { emulator, port } = await device(family)
    for (const address of [`tcp://127.0.0.1:${port}?rfc2217`, `tcp://127.0.0.1:${port}`]) {
      const printer = openPrinter({ family, device: address })
      await printer.connect()
      await printer.openNonFiscal({ code: 1, password: '0000' })
      // The last letter is FFh in the device's code page, and telnet escapes it.
      await printer.printNonFiscalText({ text: 'яЯя' })
      await printer.closeNonFiscal()
      await printer.disconnect()
      expect(emulator.device.documents(0).at(-1)?.text.join('\n')).toContain('яЯя')
    }
    // A sequence number may be FFh, too.
    const asked = emulator
      .frames()
      .flatMap(({ direction, hex }) => (direction === 'toDevice' ? [hex.match(/\bFF\b/gi)?.length ?? 0] : []))
    expect(asked.filter((count) => count > 1)).toEqual([2, 2])
  })
})

describe('the network port of the emulated device', () => {
  it('answers the negotiation of a client, and is raw for a client that begins with a frame', async () => {
    const { port } = await device('A')
    const telnet = await client(port)
    telnet.socket.write(hex('FF FB 2C  FF FD 2C  FF FD 01  FF FB 00'))
    // Meaning: DO 44 and the state of the modem lines, WILL 44, WONT echo, DO binary.
    await expect.poll(telnet.received).toBe('fffd2cfffa2c6bb0fff0fffb2cfffc01fffd00')
    telnet.socket.write(hex('FF FA 2C 01 00 00 25 80 FF F0  FF FA 2C 02 07 FF F0  FF FA 2C 05 08 FF F0'))
    // The device has 8 data bits and rejects 7.
    await expect.poll(telnet.received).toMatch(/fffa2c6500002580fff0fffa2c6608fff0fffa2c6908fff0$/)
    telnet.socket.destroy()
    const raw = await client(port)
    await expect
      .poll(async () => {
        raw.socket.write(X_REPORTS.A)
        await Promise.race([once(raw.socket, 'data'), once(raw.socket, 'close')])
        return raw.received()
      })
      .toMatch(/^01.*03$/)
  })

  it('reports every setting on request, and delays its answers while the client has no room', async () => {
    const { port } = await device('A')
    const { socket, received } = await client(port)
    const ask = async (bytes: string, answer: RegExp) => {
      socket.write(hex(bytes))
      await expect.poll(received).toMatch(answer)
    }
    await ask('FF FB 2C', /fffa2c6bb0fff0$/)
    await ask('FF FA 2C 01 00 00 00 00 FF F0', /fffa2c6500000000fff0$/)
    await ask('FF FA 2C 00 FF F0', /fffa2c64(?:..)+fff0$/)
    await ask('FF FA 2C 05 07 FF F0', /fffa2c6909fff0$/)
    await ask('FF FA 2C 05 0B FF F0  FF FA 2C 05 0A FF F0', /fffa2c690bfff0fffa2c690bfff0$/)
    await ask('FF FA 2C 0C 03 FF F0', /fffa2c7003fff0$/)
    socket.write(Buffer.concat([hex('FF FA 2C 08 FF F0'), X_REPORTS.A]))
    await ask('FF FA 2C 07 FF F0', /fffa2c6bb0fff0$/)
    await ask('FF FA 2C 09 FF F0', /01.*03$/)
  })

  it('receives garbage at another speed than its own, as on a serial line', async () => {
    const { port, log } = await device('A', 9600)
    const printer = openPrinter({ ...deviceConfig('A', port), baud: 115_200 })
    await expect(printer.connect()).rejects.toThrow()
    await printer.disconnect()
    expect(log.join('\n')).toContain(
      'line: the client set 115200 baud, but the device uses 9600: both sides receive garbled bytes',
    )
    const right = openPrinter({ ...deviceConfig('A', port), baud: 9600 })
    expect((await right.connect()).serialNumber).not.toBe('')
    await right.disconnect()
  })

  it.each([
    ['that does not negotiate the control of a serial port', 'FF FB 18 FF FD 03'],
    ['that negotiates it only after other data', `FF FD 03 ${Buffer.from(X_REPORTS.A).toString('hex')} FF FB 2C`],
    ['that is a client of another protocol whose length field looks like telnet', 'FF FB 00 01 21 12 A4 42 FF FB 2C'],
  ])('names a telnet client %s, and reads nothing from it', async (_what, first) => {
    const { emulator, port, log } = await device('A')
    const { socket } = await client(port)
    socket.write(Buffer.concat([hex(first), X_REPORTS.A]))
    if (!socket.closed) await once(socket, 'close')
    expect(log.join('\n')).toContain('it is a telnet client that controls no serial port')
    expect(emulator.frames()).toEqual([])
  })
})

/** Returns a remote port that sends `hello` to each client. `answer` handles the received bytes. */
async function farEnd(hello: string, answer: (socket: Socket, bytes: Buffer) => void = () => undefined) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.write(hex(hello))
    socket.on('data', (bytes) => answer(socket, bytes))
  })
  open.push({
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  return { port: (server.address() as AddressInfo).port, sockets }
}

const listeners = () => {
  const parts: Uint8Array[] = []
  return { parts, events: { onData: (bytes: Uint8Array) => void parts.push(bytes.slice()), onLost: () => undefined } }
}

describe('a device server at the other end of the line', () => {
  const openAt = (port: number, clock = systemClock as typeof systemClock) =>
    openerOf(parseDevice(`tcp://127.0.0.1:${port}?rfc2217`, 0), 9600, clock)

  it('that refuses the control of a port is named, with what to do', async () => {
    const { port } = await farEnd('FF FE 2C')
    await expect(openAt(port)(listeners().events)).rejects.toThrow(
      `127.0.0.1:${port} controls no serial port (RFC 2217): leave ?rfc2217 out`,
    )
  })

  it('that is a raw line is named after 5 s', async () => {
    const clock = new SimulatedClock(0)
    const { port, sockets } = await farEnd('')
    const opening = openAt(port, clock)(listeners().events)
    opening.catch(() => undefined)
    await expect.poll(() => [...sockets].some(({ bytesRead }) => bytesRead > 0)).toBe(true)
    clock.advance(5000)
    await expect(opening).rejects.toThrow('does not answer as a serial port over telnet (RFC 2217)')
  })

  it('that sets another speed is not used', async () => {
    const { port } = await farEnd('FF FD 2C', (socket) => socket.write(hex('FF FA 2C 65 00 00 12 C0 FF F0')))
    await expect(openAt(port)(listeners().events)).rejects.toThrow('does not set its serial port to 9600 baud')
  })

  it('gets speed, 8N1 and line signals, and the bytes of the device arrive unchanged', async () => {
    const pieces: Buffer[] = []
    let end: Socket | undefined
    const { port } = await farEnd('FF FD 2C', (socket, bytes) => {
      pieces.push(bytes)
      if (end) return
      end = socket
      const settings = ['65 00 00 25 80', '66 08', '67 01', '68 01'].map((one) => `FF FA 2C ${one} FF F0`)
      socket.write(hex(settings.join(' ')))
    })
    const { parts, events } = listeners()
    const opened = await openAt(port)(events)
    expect(opened.byteMs).toBeCloseTo(10 / 9.6)
    await opened.write(Uint8Array.of(1, 0xff, 2))
    const all = () => Buffer.concat(pieces).toString('hex')
    await expect.poll(all).toMatch(/01ffff02$/)
    for (const one of ['fffb2c', 'fffa2c0100002580fff0', 'fffa2c0208fff0', 'fffa2c0301fff0', 'fffa2c0508fff0'])
      expect(all()).toContain(one)
    end?.write(hex('FF FA 2C 6B 30 FF F0 05 FF FF 06'))
    await expect.poll(() => Buffer.concat(parts).toString('hex')).toBe('05ff06')
    await opened.close()
  })

  it('that speaks telnet although a raw line was expected is named, with what to do', async () => {
    const { port } = await farEnd('FF FB 2C FF FD 2C')
    const printer = openPrinter({ family: 'A', device: `tcp://127.0.0.1:${port}` })
    await expect(printer.connect()).rejects.toThrow(/it speaks telnet: add \?rfc2217 to the address/)
    await printer.disconnect()
  })
})

describe('the telnet protocol', () => {
  it('is parsed at any split as in one piece', () => {
    const stream = Buffer.concat([
      telnetOption('will', OPTIONS.comPort),
      telnetData(Uint8Array.of(1, 0xff, 2)),
      comPortBytes(COM_PORT.baudRate, fourBytes(0xff00)),
      Uint8Array.of(3),
    ])
    const events = (cuts: readonly number[]) => {
      const reader = new TelnetReader()
      const ends = [...cuts, stream.length]
      const found = ends.flatMap((end, index) => reader.push(stream.subarray(ends[index - 1] ?? 0, end)))
      // Data may be reported in pieces.
      return found.flatMap((event): readonly unknown[] => (event.kind === 'data' ? [...event.bytes] : [event]))
    }
    const whole = events([])
    expect(whole).toEqual([
      { kind: 'option', verb: 'will', option: 44 },
      ...[1, 255, 2],
      { kind: 'subnegotiation', option: 44, bytes: Uint8Array.of(1, 0, 0, 0xff, 0) },
      3,
    ])
    for (let cut = 1; cut < stream.length; cut++) expect(events([cut])).toEqual(whole)
  })

  it('carries any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const found = new TelnetReader().push(telnetData(bytes))
        const data = found.map((event) => (event.kind === 'data' ? Buffer.from(event.bytes) : Buffer.from('?')))
        expect(Buffer.concat(data)).toEqual(Buffer.from(bytes))
      }),
      { seed: 2217, numRuns: 500 },
    )
  })

  it('produces no data of any kind beyond its limit', () => {
    const reader = new TelnetReader()
    reader.push(hex('FF FA 2C'))
    for (let kib = 0; kib < 64; kib++) reader.push(new Uint8Array(1024))
    expect(reader.push(hex('FF F0'))).toMatchObject([{ bytes: { length: 255 } }])
  })
})

describe('the address of a device', () => {
  it.each([
    ['tcp://host:4999?rfc2217', { host: 'host', port: 4999, isRfc2217: true }],
    ['tcp://[::1]/?RFC2217', { host: '::1', port: 4000, isRfc2217: true }],
    ['tcp://host?rfc2217', { host: 'host', port: 4000, isRfc2217: true }],
    ['tcp://host', { host: 'host', port: 4000, isRfc2217: false }],
  ])('is understood: %s', (address, expected) =>
    expect(parseDevice(address, 4000)).toEqual({ kind: 'tcp', ...expected }),
  )

  it.each(['tcp://host:1?raw', 'tcp://host:1?rfc2217=1', 'tcp://host?'])('is refused: %s', (address) =>
    expect(() => parseDevice(address, 4000)).toThrow('expected tcp://HOST:PORT or tcp://HOST:PORT?rfc2217'),
  )
})
