import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createLink } from '../../drivers/link/link.ts'
import { tcpPort } from '../../drivers/link/port.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { LoopOptions } from '../../emulator/line/loop-options.ts'
import { listenTcp, type TcpLine } from '../../emulator/line/tcp.ts'
import { plainLoop } from '../support/plain-loop.ts'
import { plain, plainAnswer, plainAsk, plainRules } from '../support/plain-wire.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function device(options: Partial<LoopOptions> = {}) {
  const log: string[] = []
  const made = plainLoop(systemClock, options)
  const tcp: TcpLine = await listenTcp({
    port: 0,
    host: '127.0.0.1',
    clock: systemClock,
    acceptedShapes: [made.wire.shape],
    attach: (end) => made.loop.attach(end),
    log: (line) => log.push(line),
  })
  open.push(tcp)
  return { tcp, log, ...made }
}

async function client(port: number, options: { allowHalfOpen?: boolean } = {}): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', ...options })
  open.push({ close: () => socket.destroy() })
  await once(socket, 'connect')
  return socket
}

const answerOn = async (socket: Socket) => plain(((await once(socket, 'data')) as [Buffer])[0])

function link(port: number) {
  const made = createLink(plainRules(), tcpPort('127.0.0.1', port, systemClock), {
    path: `tcp://127.0.0.1:${port}`,
    clock: systemClock,
  })
  open.push(made)
  return made
}

describe('a device on the network', () => {
  it('answers its client', async () => {
    const { tcp } = await device()
    const { frames } = await link(tcp.port).ask(plainAsk('1', 'say hi'), { name: 'say' })
    expect(frames).toEqual([{ number: '1', text: 'said hi' }])
  })

  it('closes a second connection at once, with a line in the log, and continues with the first', async () => {
    const { tcp, log } = await device()
    const first = await client(tcp.port)
    const second = await client(tcp.port)
    await once(second, 'close')
    first.write(plainAsk('1', 'say a'))
    expect(await answerOn(first)).toBe(plain(plainAnswer('1', 'said a')))
    expect(log.filter((line) => line.includes('turned away'))).toHaveLength(1)
  })

  it('serves the next client after a thousand that connected and left without a pause', async () => {
    const { tcp } = await device()
    for (let n = 0; n < 500; n++) {
      const [one, other] = [connect(tcp.port, '127.0.0.1'), connect(tcp.port, '127.0.0.1')]
      for (const socket of [one, other]) socket.on('error', () => undefined).end()
      await Promise.all([once(one, 'close'), once(other, 'close')])
    }
    const next = await client(tcp.port)
    next.write(plainAsk('1', 'say b'))
    expect(await answerOn(next)).toBe(plain(plainAnswer('1', 'said b')))
  })

  it.each([
    ['ends', (socket: Socket) => socket.end()],
    ['is destroyed', (socket: Socket) => socket.destroy()],
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
  ])('accepts the next client after one that %s', async (_how, leave) => {
    const { tcp, log } = await device()
    leave(await client(tcp.port))
    await expect.poll(() => log.filter((line) => line.includes('disconnected'))).toHaveLength(1)
    const next = await client(tcp.port)
    next.write(plainAsk('1', 'say b'))
    expect(await answerOn(next)).toBe(plain(plainAnswer('1', 'said b')))
  })

  it('answers a client that has closed only its own side', async () => {
    const { tcp } = await device({ durationMs: () => 30 })
    const socket = await client(tcp.port, { allowHalfOpen: true })
    const answered = answerOn(socket)
    socket.end(plainAsk('1', 'say a'))
    expect(await answered).toBe(plain(plainAnswer('1', 'said a')))
    await once(socket, 'end')
  })

  it('disconnects its client with the cable, and accepts no client before the cable is back', async () => {
    const { tcp } = await device()
    const asking = link(tcp.port)
    await asking.ask(plainAsk('1', 'say a'), { name: 'say' })
    tcp.setConnected(false)
    await expect.poll(() => asking.isOpen).toBe(false)
    const refusal = await asking.ask(plainAsk('2', 'say b'), { name: 'say' }).catch((problem: unknown) => problem)
    expect(refusal).toBeInstanceOf(DeviceError)
    tcp.setConnected(true)
    expect((await asking.ask(plainAsk('3', 'say c'), { name: 'say' })).frames[0]?.text).toBe('said c')
  })

  // A second client is neither accepted nor rejected for a few turns of the event loop.
  it.each([0, 1, 2, 3])(
    'can be closed with a second client that connected %i turns of the event loop before',
    async (turns) => {
      for (let round = 0; round < 5; round++) {
        const { tcp, log } = await device()
        await client(tcp.port)
        await expect.poll(() => log).toContainEqual(expect.stringMatching(/ connected$/))
        await client(tcp.port)
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
        await tcp.close()
      }
    },
  )

  it('survives garbage', async () => {
    const { tcp } = await device()
    const socket = await client(tcp.port)
    socket.write(plainAsk('0', 'say it'))
    await answerOn(socket)
    for (let round = 0; round < 200; round++) socket.write(Buffer.alloc(5000, round))
    socket.write(plainAsk('1', 'say a'))
    const { promise, resolve } = Promise.withResolvers<void>()
    let received = ''
    socket.on('data', (bytes) => {
      received += plain(bytes)
      if (received.endsWith(plain(plainAnswer('1', 'said a')))) resolve()
    })
    await promise
  })

  it('is reported as a missing port if there is no listener', async () => {
    const { tcp } = await device()
    const { port } = tcp
    await tcp.close()
    const problem = await link(port)
      .ask(plainAsk('1', 'x'), { name: 'x' })
      .catch((error: unknown) => error)
    expect((problem as DeviceError).problem.kind).toBe('portMissing')
  })
})
