/** The link over the stock mock binding. The test provides the device's responses and moves the clock. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseDevice } from '../../drivers/link/device-address.ts'
import { SequenceNumberTaken } from '../../drivers/link/failure.ts'
import { createLink } from '../../drivers/link/link.ts'
import { type Binding, serialPort } from '../../drivers/link/port.ts'
import type { Link, LinkRules } from '../../drivers/link/types.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import { hexOf } from '../../drivers/wire/charset.ts'
import { type PlainFrame, plain, plainAnswer, plainAsk, plainRules } from '../support/plain-wire.ts'
import { MockBinding, type StockMockPort } from '../support/stock-mock.ts'

const PATH = '/dev/mock-link'

interface Rig {
  readonly link: Link<PlainFrame>
  readonly clock: SimulatedClock
  readonly written: string[]
  readonly log: string[]
  /** Responses of the device to the next writes, one entry each. If no entry remains, the device does not respond. */
  readonly answers: Uint8Array[]
  port(): StockMockPort
}

function rig(rules: Partial<LinkRules<PlainFrame>> = {}): Rig {
  const clock = new SimulatedClock(0)
  const written: string[] = []
  const answers: Uint8Array[] = []
  const log: string[] = []
  let port: StockMockPort | undefined
  const binding: Binding = {
    async open(options) {
      const opened = await MockBinding.open(options)
      port = opened
      return {
        get isOpen() {
          return opened.isOpen
        },
        close: () => opened.close(),
        getBaudRate: () => opened.getBaudRate(),
        read: (buffer, offset, length) => opened.read(buffer, offset, length),
        async write(buffer) {
          await opened.write(buffer)
          written.push(plain(buffer))
          const answer = answers.shift()
          if (answer) opened.emitData(Buffer.from(answer))
        },
      }
    },
  }
  const link = createLink(plainRules(rules), serialPort(PATH, 115_200, clock, binding), {
    path: PATH,
    clock,
    log: (line) => log.push(line),
  })
  return { link, clock, written, log, answers, port: () => port as StockMockPort }
}

/** Lets all pending callbacks run, while simulated time does not pass. */
const settle = () => new Promise<void>((done) => setImmediate(() => setImmediate(done)))

async function kindOf(asking: Promise<unknown>): Promise<string> {
  try {
    await asking
    return 'answered'
  } catch (problem) {
    return problem instanceof DeviceError ? problem.problem.kind : `not a DeviceError: ${problem}`
  }
}

async function untilSettled<T>(clock: SimulatedClock, asking: Promise<T>): Promise<T> {
  let settled = false
  const mark = () => {
    settled = true
  }
  asking.then(mark, mark)
  for (let turn = 0; turn < 200 && !settled; turn++) {
    await settle()
    if (!settled) clock.jump()
  }
  return asking
}

const SAY = { name: 'say' }
const PAY = { name: 'payment', fiscal: true }

beforeEach(() => MockBinding.createPort(PATH))
afterEach(() => MockBinding.reset())

describe('a link', () => {
  it('opens the port by itself, sends the request, and returns the answer', async () => {
    const { link, answers, written } = rig()
    answers.push(plainAnswer('1', 'said hi'))
    expect(await link.ask(plainAsk('1', 'say hi'), SAY)).toEqual({
      frames: [{ number: '1', text: 'said hi' }],
      retransmitted: false,
    })
    expect(written).toEqual([plain(plainAsk('1', 'say hi'))])
    expect(link.isOpen).toBe(true)
    await link.close()
    expect(link.isOpen).toBe(false)
  })

  it('stops waiting for an answer with an earlier number to a query, but still waits for commands that print', async () => {
    const { link, answers, clock, port } = rig({ isOfNumber: ({ text }) => text === 'of old' })
    answers.push(plainAnswer('0', 'of old'), plainAnswer('0', 'of old'))
    await expect(link.ask(plainAsk('1', 'say hi'), SAY)).rejects.toThrow(SequenceNumberTaken)
    expect(clock.now()).toBe(0)
    const paying = link.ask(plainAsk('2', 'pay'), PAY)
    await settle()
    port().emitData(Buffer.from(plainAnswer('2', 'paid')))
    expect((await paying).frames).toEqual([{ number: '2', text: 'paid' }])
  })

  it('notifies its listeners of every new opening, before the request', async () => {
    const { link, answers } = rig()
    let openings = 0
    link.onOpened(() => openings++)
    answers.push(plainAnswer('1', 'a'), plainAnswer('2', 'b'))
    await link.ask(plainAsk('1', 'say'), SAY)
    await link.close()
    await link.ask(plainAsk('2', 'say'), SAY)
    expect(openings).toBe(2)
    await link.close()
  })

  it('sends one query at a time, in the order of arrival', async () => {
    const { link, answers, written } = rig()
    answers.push(plainAnswer('1', 'a'), plainAnswer('2', 'b'), plainAnswer('3', 'c'))
    const texts = await Promise.all(['1', '2', '3'].map((number) => link.ask(plainAsk(number, 'say'), SAY)))
    expect(texts.map(({ frames }) => frames[0]?.text)).toEqual(['a', 'b', 'c'])
    expect(written.map((frame) => frame[1])).toEqual(['1', '2', '3'])
    await link.close()
  })

  it('retransmits the same bytes after silence', async () => {
    const { link, clock, answers, written } = rig()
    answers.push(Uint8Array.of(), plainAnswer('1', 'said hi'))
    await link.open()
    expect(await untilSettled(clock, link.ask(plainAsk('1', 'say hi'), PAY))).toEqual({
      frames: [{ number: '1', text: 'said hi' }],
      retransmitted: true,
    })
    expect(written).toEqual([plain(plainAsk('1', 'say hi')), plain(plainAsk('1', 'say hi'))])
    await link.close()
  })

  it('reads an answer that comes byte by byte, with noise before it and a late answer', async () => {
    const { link, answers, port } = rig()
    answers.push(Buffer.from('\0\0'))
    const asking = link.ask(plainAsk('2', 'say'), SAY)
    await settle()
    for (const byte of [...plainAnswer('1', 'late'), ...plainAnswer('2', 'now')]) {
      port().emitData(Buffer.of(byte))
      await settle()
    }
    expect((await asking).frames[0]?.text).toBe('now')
    await link.close()
  })

  it('collects the frames of an answer up to the last one', async () => {
    const { link, answers } = rig()
    answers.push(Buffer.concat([plainAnswer('1', 'a'), plainAnswer('1', 'b'), plainAnswer('1', 'end')]))
    const until = ({ text }: PlainFrame) => text === 'end'
    const { frames } = await link.ask(plainAsk('1', 'list'), { name: 'list', until })
    expect(frames.map(({ text }) => text)).toEqual(['a', 'b', 'end'])
    await link.close()
  })

  it.each([
    ['silence', [], SAY, {}, 'noAnswer'],
    ['silence after a command that prints', [], PAY, {}, 'outcomeUnknown'],
    [
      'silence after a command that prints, on a wire without repeats',
      [],
      PAY,
      { afterSilence: 'give up' },
      'outcomeUnknown',
    ],
    ['three refusals', ['~', '~', '~'], SAY, {}, 'lineNoise'],
    ['three refusals of a command that prints', ['~', '~', '~'], PAY, {}, 'outcomeUnknown'],
    ['three damaged answers', ['(1a*00)', '(1a*00)', '(1a*00)'], SAY, {}, 'lineNoise'],
    ['three damaged answers to a command that prints', ['(1a*00)', '(1a*00)', '(1a*00)'], PAY, {}, 'outcomeUnknown'],
    ['half an answer, three times', ['(1a', '(1a', '(1a'], SAY, {}, 'lineNoise'],
    ['its own bytes', [plain(plainAsk('1', 'say'))], PAY, {}, 'notThisFamily'],
  ] as const)(
    'after %s (the answers %j to %j, with the rules %j) the problem is %s',
    async (_name, said, options, rules, expected) => {
      const { link, clock, answers } = rig(rules)
      answers.push(...said.map((text) => Buffer.from(text, 'latin1')))
      await link.open()
      expect(await untilSettled(clock, kindOf(link.ask(plainAsk('1', 'say'), options)))).toBe(expected)
      await link.close()
    },
  )

  it('clears every timer', async () => {
    const { link, clock, answers } = rig()
    answers.push(plainAnswer('1', 'a'))
    await link.ask(plainAsk('1', 'say'), SAY)
    expect(clock.next()).toBeUndefined()
    await link.close()
  })

  it('reports a missing port, and finds it when it appears', async () => {
    const { link, answers } = rig()
    MockBinding.reset()
    expect(await kindOf(link.ask(plainAsk('1', 'say'), SAY))).toBe('portMissing')
    MockBinding.createPort(PATH)
    answers.push(plainAnswer('1', 'back'))
    expect((await link.ask(plainAsk('1', 'say'), SAY)).frames[0]?.text).toBe('back')
    await link.close()
  })

  it('reports a port that disappears in the middle, and reopens it for the next request', async () => {
    const { link, answers, port } = rig()
    answers.push(plainAnswer('1', 'a'))
    await link.ask(plainAsk('1', 'say'), SAY)
    const lost = kindOf(link.ask(plainAsk('2', 'say'), SAY))
    await settle()
    await port().close()
    expect(await lost).toBe('portLost')
    await link.open()
    const unknown = kindOf(link.ask(plainAsk('3', 'payment'), PAY))
    await settle()
    await port().close()
    expect(await unknown).toBe('outcomeUnknown')
    answers.push(plainAnswer('4', 'again'))
    expect((await link.ask(plainAsk('4', 'say'), SAY)).frames[0]?.text).toBe('again')
    await link.close()
  })

  it('opens no port for a command that prints, because the device there is not identified yet', async () => {
    const { link, answers, written, port } = rig()
    expect(await kindOf(link.ask(plainAsk('1', 'payment'), PAY))).toBe('portLost')
    await link.open()
    const question = kindOf(link.ask(plainAsk('2', 'say'), SAY))
    const payment = kindOf(link.ask(plainAsk('3', 'payment'), PAY))
    await settle()
    await port().close()
    expect([await question, await payment]).toEqual(['portLost', 'portLost'])
    answers.push(plainAnswer('4', 'again'))
    await link.ask(plainAsk('4', 'say'), SAY)
    expect(written.map((frame) => frame[1])).toEqual(['2', '4'])
    await link.close()
  })

  it('sends pings without a frame, and reports silence as silence', async () => {
    const { link, clock, answers } = rig()
    answers.push(Buffer.from([0x00, 0x40]))
    expect(await link.ping(Uint8Array.of(9), (byte) => byte >= 0x40, 300)).toBe(0x40)
    expect(
      await untilSettled(
        clock,
        link.ping(Uint8Array.of(9), (byte) => byte >= 0x40, 300),
      ),
    ).toBeUndefined()
    await link.close()
  })

  it('traces every received and sent piece with direction and time', async () => {
    const pieces: object[] = []
    const clock = new SimulatedClock(7)
    MockBinding.createPort(PATH, { echo: true, record: true })
    const link = createLink(plainRules(), serialPort(PATH, 9600, clock, MockBinding), {
      path: PATH,
      clock,
      trace: ({ at, direction, bytes }) => void pieces.push({ at, direction, hex: hexOf(bytes) }),
    })
    expect(await kindOf(link.ask(plainAsk('1', 'x'), SAY))).toBe('notThisFamily')
    expect(pieces).toEqual([
      { at: 7, direction: 'toDevice', hex: '5B 31 78 2A 36 39 5D' },
      { at: 7, direction: 'toHost', hex: '5B 31 78 2A 36 39 5D' },
    ])
    await link.close()
  })
})

describe('a port that is locked', () => {
  const locked = (times: number) => {
    let tries = 0
    const binding: Binding = {
      open: async (options) => {
        if (tries++ < times) throw new Error('Error Resource temporarily unavailable Cannot lock port')
        return MockBinding.open(options)
      },
    }
    const clock = new SimulatedClock(0)
    MockBinding.createPort(PATH, { echo: true, record: true })
    const link = createLink(plainRules(), serialPort(PATH, 9600, clock, binding), { path: PATH, clock })
    return { link, clock, tries: () => tries }
  }

  it('by a program that has just closed it is opened a moment later', async () => {
    const { link, clock, tries } = locked(2)
    await untilSettled(clock, link.open())
    expect([link.isOpen, tries()]).toEqual([true, 3])
    await link.close()
  })

  it('by another program is refused', async () => {
    const { link, clock, tries } = locked(100)
    expect(await kindOf(untilSettled(clock, link.open()))).toBe('portMissing')
    expect(tries()).toBe(5)
  })
})

describe('the name of a device', () => {
  it.each([
    ['/dev/ttyUSB0', { kind: 'serial', path: '/dev/ttyUSB0' }],
    ['COM3', { kind: 'serial', path: 'COM3' }],
    ['tcp://printer:4999', { kind: 'tcp', host: 'printer', port: 4999, isRfc2217: false }],
    ['tcp://10.0.0.7', { kind: 'tcp', host: '10.0.0.7', port: 3999, isRfc2217: false }],
    ['tcp://[::1]:4999', { kind: 'tcp', host: '::1', port: 4999, isRfc2217: false }],
  ])('%s is understood', (device, expected) => {
    expect(parseDevice(device, 3999)).toEqual(expected)
  })

  it.each(['', 'tcp://', 'tcp://host:0', 'tcp://host:70000', 'tcp:host'])('"%s" throws RangeError', (device) => {
    expect(() => parseDevice(device, 3999)).toThrow(RangeError)
  })

  it('requires a port if the family, and so its usual port, is unknown', () => {
    expect(() => parseDevice('tcp://10.0.0.7', Number.NaN)).toThrow('tcp://10.0.0.7: expected tcp://HOST:PORT')
  })
})
