import { describe, expect, it } from 'vitest'
import { createLink } from '../../drivers/link/link.ts'
import { SimulatedClock, settled, simulate } from '../../drivers/model/clock.ts'
import type { DeviceProblem } from '../../drivers/model/errors.ts'
import { toBytes } from '../../drivers/wire/charset.ts'
import { type FakeWrite, fakePort } from '../support/fake-port.ts'
import { plain, plainAnswer, plainAsk, plainRules } from '../support/plain-wire.ts'
import { problemOf } from '../support/problems.ts'

const SAY = { name: 'say' }
const PAY = { name: 'payment', fiscal: true }
const PING = Uint8Array.of(9)
const isLetter = (byte: number): boolean => byte >= 0x40

const answer = (number: string, text: string): string => plain(plainAnswer(number, text))

function rig(given: { readonly byteMs?: number; readonly isShared?: boolean; readonly write?: FakeWrite } = {}) {
  const clock = new SimulatedClock(0)
  const port = fakePort(given)
  const log: string[] = []
  const link = createLink(plainRules(), port.open, { path: 'fake', clock, log: (line) => log.push(line) })
  const ask = (number: string, options = SAY) => link.ask(plainAsk(number, 'say'), options)
  return { clock, port, link, log, ask }
}

const numbers = (written: readonly string[]): string => written.map((frame) => frame[1]).join('')

const lostBy = (why: string): DeviceProblem => ({ kind: 'portLost', path: 'fake', why })

describe('the hold of the service on the line', () => {
  it.each([
    ['a serial port', false, 2],
    ['an address, to which another program may be connected too', true, 1],
  ])('of %s (shared: %s) is uncertain after %s unanswered requests', async (_, isShared, silences) => {
    const { clock, link, ask } = rig({ isShared })
    await link.open()
    for (let count = 1; count <= silences; count++) {
      const { hold } = link
      await simulate(
        clock,
        ask('1').catch(() => undefined),
      )
      expect(link.hold === hold, `after ${count}`).toBe(count < silences)
    }
  })
})

describe('a connection to an address that became silent', () => {
  const silent = ({ clock, link }: ReturnType<typeof rig>, options = SAY) =>
    simulate(
      clock,
      link.ask(plainAsk('1', 'say'), options).catch(() => undefined),
    )

  it('is reopened after two requests, so that the next is answered', async () => {
    const silentPort = rig({ isShared: true })
    for (const openings of [1, 1]) {
      await silent(silentPort)
      expect(silentPort.port.openings()).toBe(openings)
    }
    silentPort.port.answers.push(answer('1', 'a'))
    expect((await simulate(silentPort.clock, silentPort.ask('1'))).frames[0]?.text).toBe('a')
    expect(silentPort.port.openings()).toBe(2)
  })

  it('is kept open while a command that prints may still be in transit', async () => {
    const silentPort = rig({ isShared: true })
    await silentPort.link.open()
    await silent(silentPort, PAY)
    for (let count = 0; count < 3; count++) await silent(silentPort)
    expect(silentPort.link.isOpen).toBe(true)
    silentPort.clock.advance(30_000)
    await silent(silentPort)
    expect(silentPort.link.isOpen).toBe(false)
  })

  it('is uncertain after a refused retransmission, unlike a port', async () => {
    for (const isShared of [true, false]) {
      const { link } = rig({ isShared })
      await link.open()
      const { hold } = link
      link.doubtIfShared()
      expect(link.hold === hold).toBe(!isShared)
    }
  })
})

describe('the queries to a device', () => {
  it('are written in the same turn if no other query is pending', async () => {
    const { port, link, ask } = rig()
    await link.open()
    port.answers.push(answer('1', 'a'), answer('2', 'b'))
    await ask('1')
    await settled()
    const second = ask('2')
    expect(numbers(port.written)).toBe('12')
    await second
  })

  it('wait for the query on the line, even if they arrive after others were answered', async () => {
    const { port, link, ask } = rig()
    await link.open()
    const asking = [ask('1'), ask('2')]
    port.say(answer('1', 'a'))
    await settled()
    asking.push(ask('3'))
    await settled()
    expect(numbers(port.written)).toBe('12')
    port.say(answer('2', 'b'))
    await settled()
    expect(numbers(port.written)).toBe('123')
    port.say(answer('3', 'c'))
    expect((await Promise.all(asking)).map(({ frames }) => frames[0]?.text).join('')).toBe('abc')
  })

  it('are independent of bytes that arrived before them', async () => {
    const { port, link, ask } = rig()
    await link.open()
    port.answers.push(`${answer('1', 'a')}(2beg`, '~', answer('2', 'b'))
    await ask('1')
    expect((await ask('2')).frames[0]?.text).toBe('b')
    expect(numbers(port.written)).toBe('122')
  })

  it('are not disturbed by bytes that arrive while no request is pending', async () => {
    const { port, link, ask } = rig()
    await link.open()
    expect(() => port.say(answer('1', 'nobody asked'))).not.toThrow()
    port.answers.push(answer('1', 'a'))
    expect((await ask('1')).frames[0]?.text).toBe('a')
  })

  it('get the additional time that their bytes take on the line', async () => {
    const { clock, port, link, ask } = rig({ byteMs: 10 })
    await link.open()
    void ask('1').catch(() => undefined)
    // The difference is the time of nine bytes on the line.
    clock.advance(589)
    expect(port.written).toHaveLength(1)
    clock.advance(1)
    expect(port.written).toHaveLength(2)
  })
})

describe('a ping', () => {
  it('is answered by a byte among others, and clears its alarm', async () => {
    const { clock, port, link } = rig()
    await link.open()
    const pinging = link.ping(PING, isLetter, 300)
    port.say('~@')
    expect(await pinging).toBe('~'.charCodeAt(0))
    expect(clock.next()).toBeUndefined()
  })

  it.each([
    ['a byte among single bytes', ['~@'], '@'],
    ['a byte after noise', ['\0\x01@'], '@'],
    ['no byte inside of a late frame', [answer('0', 'late@')], undefined],
    ['a byte after a late frame', [answer('0', 'late'), '@'], '@'],
    ['no byte inside of a frame that has begun', ['(0late@'], undefined],
    ['a byte after a frame in two pieces', ['(0late@', `${answer('0', 'late@').slice(7)}.`], '.'],
  ] as const)('accepts %s', async (_name, said, expected) => {
    const { clock, port, link } = rig()
    await link.open()
    const pinging = link.ping(PING, (byte) => byte === 0x40 || byte === 0x2e, 300)
    for (const text of said) port.say(text)
    clock.advance(300)
    expect(await pinging).toBe(expected?.charCodeAt(0))
  })

  it('examines only bytes outside of frames', async () => {
    const { clock, port, link } = rig()
    await link.open()
    const examined: unknown[] = []
    const pinging = link.ping(PING, (byte) => examined.push(byte) === 0, 300)
    port.say(`${answer('0', 'late')}.`)
    clock.advance(300)
    expect([await pinging, examined]).toEqual([undefined, [0x2e]])
  })

  it('is independent of bytes that arrived before it', async () => {
    const { port, link, ask } = rig()
    await link.open()
    port.answers.push(`${answer('1', 'a')}(2beg`, '~')
    await ask('1')
    expect(await link.ping(PING, isLetter, 300)).toBe('~'.charCodeAt(0))
  })

  it('also waits for the time that its bytes take on the line', async () => {
    const { clock, port, link } = rig({ byteMs: 10 })
    await link.open()
    const pinging = link.ping(Uint8Array.of(9, 9), isLetter, 300)
    clock.advance(319)
    port.say('@')
    expect(await pinging).toBe(0x40)
  })

  it('ends when the port is lost, and the next request opens it', async () => {
    const { clock, port, link, ask } = rig()
    await link.open()
    const pinging = problemOf(link.ping(PING, isLetter, 300))
    port.lose('unplugged')
    expect(await pinging).toEqual(lostBy('unplugged'))
    expect(clock.next()).toBeUndefined()
    port.answers.push(answer('1', 'a'))
    expect((await ask('1')).frames[0]?.text).toBe('a')
  })

  it('that was answered counts as a response of the device, and other bytes are noise', async () => {
    const { port, link } = rig()
    await link.open()
    port.answers.push('@')
    await link.ping(PING, isLetter, 300)
    port.say('x')
    expect(link.silence()).toEqual({ kind: 'noAnswer' })
  })
})

describe('endless unsolicited bytes', () => {
  const MIB = 1024 * 1024
  const FLOOD = '\0'.repeat(MIB)
  const flooded: DeviceProblem = { kind: 'lineNoise', why: 'the response exceeded the maximum length' }
  const say = (port: { say(text: string): void }, mebibytes: number): void => {
    for (let count = 0; count < mebibytes; count++) port.say(FLOOD)
  }

  it('close the port, and are reported to the next request only', async () => {
    const { port, link, log, ask } = rig()
    await link.open()
    say(port, 16)
    expect(link.isOpen).toBe(true)
    port.say('x')
    await settled()
    expect([link.isOpen, log.at(-2)]).toEqual([false, 'closed: the response is longer than any valid answer'])
    expect(await problemOf(link.ping(PING, isLetter, 300))).toEqual(flooded)
    expect([port.written, port.openings()]).toEqual([[], 1])
    port.answers.push(answer('1', 'a'))
    expect((await ask('1')).frames[0]?.text).toBe('a')
  })

  it('are not reported to a request that follows much later', async () => {
    const { clock, port, link, ask } = rig()
    await link.open()
    say(port, 17)
    await settled()
    clock.advance(10_000)
    port.answers.push(answer('1', 'a'))
    expect((await ask('1')).frames[0]?.text).toBe('a')
    expect(port.openings()).toBe(2)
  })

  it('end a ping, also if most of the bytes arrived before it', async () => {
    const { port, link } = rig()
    await link.open()
    say(port, 16)
    const pinging = problemOf(link.ping(PING, isLetter, 300))
    port.say('x')
    expect(await pinging).toEqual(flooded)
    await settled()
    expect(link.isOpen).toBe(false)
  })

  it('are counted by the time of the line, and not over days', async () => {
    const { clock, port, link } = rig()
    await link.open()
    for (let day = 0; day < 4; day++) {
      say(port, 15)
      clock.advance(10_000)
    }
    await settled()
    expect([link.isOpen, port.openings()]).toEqual([true, 1])
  })
})

describe('a write that fails', () => {
  it('has not sent the payment to the device, and reports the reason', async () => {
    const { link, ask } = rig({ write: () => Promise.reject(new Error('no room')) })
    await link.open()
    expect(await problemOf(ask('1', PAY))).toEqual(lostBy('no room'))
  })

  it('does not end the next request if its own request was answered long before', async () => {
    const failing = Promise.withResolvers<void>()
    const writes = [failing.promise, Promise.resolve()]
    const { port, link, ask } = rig({ write: () => writes.shift() as Promise<void> })
    await link.open()
    port.answers.push(answer('1', 'a'))
    await ask('1')
    const second = ask('2')
    failing.reject(new Error('late'))
    await settled()
    port.say(answer('2', 'b'))
    expect((await second).frames[0]?.text).toBe('b')
  })

  it('of a ping reports the reason', async () => {
    const { link } = rig({ write: () => Promise.reject(new Error('no room')) })
    expect(await problemOf(link.write(PING))).toEqual(lostBy('no room'))
  })

  it('of a ping opens the port and succeeds at the second attempt', async () => {
    const { port, link } = rig()
    await link.write(toBytes('+'))
    expect(port.written).toEqual(['+'])
  })
})

describe('a port of the link', () => {
  it('that is lost at the moment of its opening accepts no request', async () => {
    const { port, link, ask } = rig()
    link.onOpened(() => port.lose('unplugged'))
    expect(await problemOf(ask('1'))).toEqual(lostBy('unplugged'))
    expect(port.written).toEqual([])
  })

  it('that was reopened delivers no data from before', async () => {
    const { port, link, ask } = rig()
    await link.open()
    port.answers.push(answer('1', 'a'))
    await ask('1')
    await link.close()
    await link.open()
    port.say('x')
    expect(link.silence().kind).toBe('notThisFamily')
  })

  it('reports a replaced device as a loss', () => {
    expect(rig().link.connectionLost('another one answers')).toEqual(lostBy('another one answers'))
  })
})
