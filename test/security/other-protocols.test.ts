/**
 * A program that speaks another protocol to a device's TCP port, as a web page may make a browser do, prints nothing.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { driverFamilies } from '../../drivers/families.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { ProtocolGuard } from '../../drivers/wire/protocol-guard.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { suiteSeed } from '../model/seed.ts'
import { ATTACKED, type Attacked, X_REPORTS } from './x-report-frames.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

interface ListeningDevice {
  readonly emulator: Emulator
  readonly clock: SimulatedClock
  readonly port: number
  readonly log: string[]
}

async function device(family: Attacked): Promise<ListeningDevice> {
  const log: string[] = []
  const clock = new SimulatedClock(Date.UTC(2026, 6, 15, 9))
  const emulator = createEmulator({ family, clock, log: (line) => log.push(line) })
  open.push(emulator)
  const { port } = await emulator.listenTcp(0)
  return { emulator, clock, port, log }
}

async function client(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => undefined)
  open.push({ close: () => socket.destroy() })
  await once(socket, 'connect')
  return socket
}

const untilClosed = async (socket: Socket) => {
  socket.resume()
  // The connection may end with a reset, which `once` would report as a failure.
  if (!socket.closed) await new Promise((closed) => socket.once('close', closed))
}

const receivedBy = ({ emulator }: ListeningDevice) =>
  emulator.frames().filter(({ direction }) => direction === 'toDevice')
const papersOf = ({ emulator }: ListeningDevice) => emulator.device.documents(0)

async function prints(stand: ListeningDevice, family: Attacked): Promise<void> {
  const before = papersOf(stand).length
  const { port } = stand
  await expect
    .poll(async () => {
      const socket = await client(port)
      socket.write(X_REPORTS[family])
      await new Promise((done) => socket.once('data', done).once('close', done))
      socket.destroy()
      return papersOf(stand).length
    })
    .toBe(before + 1)
}

const lines = (...some: string[]) => `${some.join('\r\n')}\r\n\r\n`
const post = (method: string, version: string) =>
  lines(`${method} / ${version}`, 'Host: 127.0.0.1:4999', 'Content-Type: text/plain', 'Content-Length: 400')

/** The texts are the first bytes of other programs. A complete frame follows each text. */
const FOREIGN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'CONNECT', 'PROPFIND', 'M-SEARCH'].map(
      (method) => [`HTTP ${method}`, post(method, 'HTTP/1.1')],
    ),
  ),
  'HTTP in small letters': post('post', 'http/1.1'),
  'HTTP 0.9': 'GET /\r\n',
  'HTTP after empty lines': `\r\n\r\n${post('POST', 'HTTP/1.1')}`,
  'HTTP after a space': ` ${post('POST', 'HTTP/1.1')}`,
  'HTTP after a tab and a line feed': `\t\n${post('POST', 'HTTP/1.1')}`,
  'HTTP after a byte order mark': `\xef\xbb\xbf${post('POST', 'HTTP/1.1')}`,
  WebSocket: lines('GET / HTTP/1.1', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'),
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04',
  'a proxy': 'PROXY TCP4 127.0.0.1 127.0.0.1 5 6\r\n',
  'a proxy in binary': '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c',
  'TLS 1.3': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'TLS 1.0': '\x16\x03\x00\x00\x61\x01',
  'SSL 2': '\x80\x2e\x01\x00\x02',
  SSH: 'SSH-2.0-OpenSSH_9.2\r\n',
  SMTP: 'EHLO example.com\r\n',
  'SMTP, old': 'HELO example.com\r\n',
  FTP: 'USER anonymous\r\n',
  POP: 'user anonymous\r\n',
  IMAP: 'a001 LOGIN a b\r\n',
  IRC: 'NICK a\r\nUSER a b c d\r\n',
  SIP: 'INVITE sip:a@b SIP/2.0\r\n',
  RTSP: 'OPTIONS rtsp://127.0.0.1/ RTSP/1.0\r\n',
  Redis: '*1\r\n$4\r\nPING\r\n',
  memcached: 'set a 0 0 5\r\n',
  gopher: '/a\r\n',
  JSON: '{"jsonrpc":"2.0"}\n',
  XML: '<?xml version="1.0"?>',
  'a printer language': '\x1b%-12345X@PJL\r\n',
  'SQL, one server': '\0\0\0\x08\x04\xd2\x16\x2f',
  'SQL, another server': '\x12\x01\0\x2f\0\0\x01\0',
  'a remote desktop': '\x03\0\0\x13\x0e\xe0\0\0',
  'SOCKS 5': '\x05\x01\0',
  'SOCKS 4': '\x04\x01\x13\x87\x7f\0\0\x01a\0',
  'a network share': '\0\0\0\x54\xffSMB',
  LDAP: '\x30\x0c\x02\x01\x01\x60\x07',
  MQTT: '\x10\x10\0\x04MQTT\x04',
  AMQP: 'AMQP\0\0\x09\x01',
  'STUN and TURN': '\0\x03\0\x08\x21\x12\xa4\x42',
  // A page controls the length of the message, and with it the first two bytes.
  'ICE on TCP, of a length that begins like A or B': '\x01\x35\0\x01\x01\x21\x21\x12\xa4\x42',
  'ICE on TCP, of a length that begins like C': '\x02\x35\0\x01\x02\x21\x21\x12\xa4\x42',
  telnet: '\xff\xfd\x03\xff\xfb\x18',
  'a document database': '\x1a\0\0\0\x01\0\0\0\0\0\0\0\xd4\x07\0\0',
  zeros: '\0'.repeat(64),
}

describe.each(ATTACKED)('the TCP port of family %s', (family) => {
  it.each(Object.entries(FOREIGN))('closes %s before the device receives a byte of it', async (_what, first) => {
    const target = await device(family)
    const attacker = await client(target.port)
    attacker.write(Buffer.concat([Buffer.from(first, 'latin1'), X_REPORTS[family]]))
    await untilClosed(attacker)
    expect(receivedBy(target)).toEqual([])
    expect(papersOf(target)).toEqual([])
    expect(target.log.join('\n')).toMatch(
      /closed the connection from .+: it (?:sent .+, not this wire protocol|is a telnet client .+)\. The rejected bytes did not reach the device\.$/m,
    )
    await prints(target, family)
  })

  it('closes HTTP that arrives byte by byte', async () => {
    const target = await device(family)
    const attacker = await client(target.port)
    for (const byte of Buffer.concat([Buffer.from(post('POST', 'HTTP/1.1')), X_REPORTS[family]])) {
      if (attacker.destroyed) break
      await new Promise<void>((sent) => attacker.write(Uint8Array.of(byte), () => sent()))
    }
    await untilClosed(attacker)
    expect(receivedBy(target)).toEqual([])
    await prints(target, family)
  })

  it('continues with its client while a web page tries to connect', async () => {
    const target = await device(family)
    const till = await client(target.port)
    till.write(X_REPORTS[family])
    await once(till, 'data')
    for (let round = 0; round < 5; round++) {
      const attacker = await client(target.port)
      attacker.write(post('POST', 'HTTP/1.1'))
      await untilClosed(attacker)
    }
    const { probe } = driverFamilies.get(family) ?? { probe: new Uint8Array() }
    till.write(probe)
    await once(till, 'data')
    expect(till.destroyed).toBe(false)
  })

  it('disconnects silent clients for one that sends', async () => {
    const target = await device(family)
    const first = await client(target.port)
    await expect.poll(() => target.log.some((line) => line.endsWith('connected'))).toBe(true)
    // A new client may wait before it sends.
    const second = await client(target.port)
    await untilClosed(second)
    target.clock.advance(5000)
    const preconnected = [await client(target.port), await client(target.port)]
    const till = await client(target.port)
    till.write(X_REPORTS[family])
    await once(till, 'data')
    await untilClosed(first)
    for (const other of preconnected) await untilClosed(other)
    expect(papersOf(target)).toHaveLength(1)
    expect(target.log.join('\n')).toContain('it has sent nothing, and another client has sent data')
  })

  it('logs the kind of the client, and nothing that controls a terminal', async () => {
    const target = await device(family)
    const attacker = await client(target.port)
    attacker.write('\x00\x1b]0;owned\x07\x1b[31m\x9b31m\r\n2026 all is well')
    await untilClosed(attacker)
    await expect.poll(() => target.log.join('\n')).toContain('it sent 00 1B 5D 30, not this wire protocol')
    for (const line of target.log) expect(line).toMatch(/^[\x20-\x7e]*$/)
  })
})

it('logs that earlier bytes reached the device before the rejected bytes', async () => {
  const target = await device('C')
  const attacker = await client(target.port)
  attacker.write(Uint8Array.of(0x05))
  await once(attacker, 'data')
  attacker.write('ABCD')
  await untilClosed(attacker)
  expect(target.log.join('\n')).toContain(
    'it sent a line of text ("ABCD"), not this wire protocol. The rejected bytes did not reach the device; earlier bytes did.',
  )
})

describe('the first bytes of a conversation', () => {
  const admits = (family: Attacked, bytes: Uint8Array) => {
    const shape = driverFamilies.get(family)?.framesToDevice
    return shape !== undefined && new ProtocolGuard([shape]).admits(bytes)
  }

  it('are admitted at any split as in one piece', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ATTACKED),
        fc.uint8Array({ minLength: 1, maxLength: 12 }),
        fc.nat(11),
        (family, bytes, cut) => {
          const shape = driverFamilies.get(family)?.framesToDevice
          const opening = new ProtocolGuard(shape ? [shape] : [])
          const inTwo = opening.admits(bytes.subarray(0, cut)) && opening.admits(bytes.subarray(cut))
          expect(inTwo).toBe(admits(family, bytes))
        },
      ),
      { seed: suiteSeed(), numRuns: 2000 },
    )
  })

  it.each(ATTACKED)('of family %s are admitted', (family) => {
    expect(admits(family, X_REPORTS[family])).toBe(true)
    expect(admits(family, X_REPORTS[family].subarray(0, 2))).toBe(true)
    // A frame with a wrong checksum gets a response instead of a disconnect, so that a program learns of its mistake.
    expect(
      admits(
        family,
        X_REPORTS[family].map((byte, at) => (at > 4 ? byte ^ 1 : byte)),
      ),
    ).toBe(true)
  })

  it.each(['0305', '04', '0904', '1d49', '1d3f', '1d3d314630303031', '1d7334', '1b4c30', '0902232020'])(
    'of family C may be %s: pings and commands without a frame',
    (hex) => expect(admits('C', Buffer.from(hex, 'hex'))).toBe(true),
  )

  it('of family A may be the older form of a frame, which is answered with a refusal', () => {
    expect(admits('A', Buffer.from('0124204a05303038330a', 'hex'))).toBe(true)
  })

  it('are refused by every family if they begin with printable ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', minLength: 1 }), (text) => {
        fc.pre(/^[\x20-\x7e]/.test(text))
        for (const family of ATTACKED) expect(admits(family, Buffer.from(text))).toBe(false)
      }),
      { seed: suiteSeed(), numRuns: 500 },
    )
  })
})
