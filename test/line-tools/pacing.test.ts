/** Bytes at the speed of the line, in simulated time: their arrival, and their corruption at another speed. */
import { describe, expect, it } from 'vitest'

import type { LineEnd } from '../../emulator/line/device-line.ts'
import { pacedLine } from '../../emulator/line/pacing.ts'
import { receivedAt } from '../../emulator/line/uart.ts'
import { exactClock } from '../support/exact-clock.ts'

interface TimedBytes {
  readonly at: number
  readonly hex: string
}

/** The device responds to every `!` with `answer` immediately, on a line of 9600 baud: 1.0417 ms per byte. */
function line(baud: number, answer: string, host: Partial<LineEnd> = {}) {
  const clock = exactClock()
  const [device, client, log]: [TimedBytes[], TimedBytes[], string[]] = [[], [], []]
  const note = (where: TimedBytes[], bytes: Uint8Array) =>
    where.push({ at: Math.round(clock.now() * 1000) / 1000, hex: Buffer.from(bytes).toString('hex') })
  let left = false
  const attach = pacedLine(
    (end) => ({
      receive(bytes) {
        note(device, bytes)
        if (bytes[0] === 0x21) end.send(Buffer.from(answer))
      },
      whenQuiet: (call) => call(),
      detach: () => {
        left = true
      },
    }),
    { baud: () => baud, clock, log: (text) => log.push(text) },
  )
  const handle = attach({ send: (bytes) => note(client, bytes), unplug: () => undefined, ...host })
  return { clock, handle, device, client, log, hasLeft: () => left }
}

describe('a line at 9600 baud', () => {
  it('lets a byte arrive after its stop bit has passed', () => {
    const { clock, handle, device } = line(9600, '')
    handle.receive(Buffer.from('a'))
    clock.advance(1.04)
    expect(device).toEqual([])
    clock.advance(0.01)
    expect(device).toEqual([{ at: 1.042, hex: '61' }])
  })

  it('begins the answer after the request has passed, and delivers the last byte after it has passed', () => {
    const { clock, handle, client } = line(9600, 'answer')
    handle.receive(Buffer.from('ask!'))
    clock.advance(1000)
    expect(client.map(({ hex }) => Buffer.from(hex, 'hex').toString()).join('')).toBe('answer')
    // The line carries 4 bytes to the device and 6 back.
    expect(client.at(-1)?.at).toBe(10.417)
  })

  it('keeps the order and the time of bytes that are written in pieces', () => {
    const { clock, handle, device } = line(9600, '')
    handle.receive(Buffer.from('ab'))
    clock.advance(0.5)
    handle.receive(Buffer.from('cd'))
    clock.advance(100)
    expect(device.map(({ hex }) => hex).join('')).toBe('61626364')
    expect(device.at(-1)?.at).toBe(4.167)
  })

  it('carries both directions at once', () => {
    const { clock, handle, device, client } = line(9600, 'x')
    handle.receive(Buffer.from(`!${'.'.repeat(95)}`))
    clock.advance(20)
    expect(client).toHaveLength(1)
    expect(device.length).toBeLessThan(96)
    clock.advance(80)
    expect(device).toHaveLength(96)
    expect(device.at(-1)?.at).toBe(100)
  })

  it.each([
    [1200, 833.333],
    [9600, 104.167],
    [57_600, 17.361],
    [115_200, 8.681],
  ])('takes ten bits for each of 40 bytes of a request and 60 bytes of an answer at %i baud', (baud, expected) => {
    const { clock, handle, client } = line(baud, 'a'.repeat(60))
    handle.receive(Buffer.from(`${'.'.repeat(39)}!`))
    clock.advance(2000)
    expect(client.at(-1)?.at).toBe(expected)
  })

  it('takes the time of the bytes for 100 exchanges', () => {
    const { clock, handle, client } = line(9600, 'a'.repeat(26))
    for (let exchange = 0; exchange < 100; exchange++) {
      handle.receive(Buffer.from(`${'.'.repeat(15)}!`))
      clock.advance((42 * 10_000) / 9600)
    }
    expect(Buffer.concat(client.map(({ hex }) => Buffer.from(hex, 'hex')))).toHaveLength(2600)
    expect(client.at(-1)?.at).toBe(4375)
  })

  describe('with a delay within the machine', () => {
    const QUESTION = Buffer.from(`${'.'.repeat(15)}!`)
    const BYTES_MS = (42 * 10_000) / 9600

    function ending(pauses: readonly number[]): number {
      const { clock, handle, client } = line(9600, 'a'.repeat(26), { carriedMs: 0.2 })
      for (const pause of pauses) {
        clock.advance(pause)
        const before = client.length
        handle.receive(QUESTION)
        while (Buffer.concat(client.slice(before).map(({ hex }) => Buffer.from(hex, 'hex'))).length < 26) {
          clock.advance(0.01)
        }
      }
      return client.at(-1)?.at ?? 0
    }

    const atOnce = Array.from({ length: 40 }, () => 0.3)
    const thinking = Array.from({ length: 40 }, () => 3)

    it('takes the time of the bytes for a host that asks immediately', () => {
      expect(ending(atOnce)).toBeCloseTo(40 * BYTES_MS + 0.1, 1)
    })

    it('takes the time of the bytes for a host that asks immediately, even if the machine delays it once', () => {
      expect(ending(atOnce.with(30, 4))).toBeCloseTo(40 * BYTES_MS + 0.1, 1)
    })

    it('takes the pauses too for a host that pauses before each request', () => {
      expect(ending(thinking) / (40 * (BYTES_MS + 3 - 0.2))).toBeCloseTo(1, 3)
    })

    it('takes these pauses too for a host that pauses before every other request', () => {
      const every = thinking.map((pause, n) => (n % 2 === 0 ? pause : 0.3))
      expect(ending(every) / (40 * BYTES_MS + 20 * (3 - 0.2))).toBeCloseTo(1, 3)
    })
  })

  it('signals a host that writes faster than the line to pause and to continue', () => {
    const held: boolean[] = []
    const { clock, handle } = line(9600, '', { hold: (on) => void held.push(on) })
    for (let piece = 0; piece < 3; piece++) handle.receive(Buffer.alloc(2000, 0x2e))
    expect(held).toEqual([true])
    clock.advance(10_000)
    expect(held).toEqual([true, false])
  })

  it('loses the bytes in transit when the host disconnects', () => {
    const { clock, handle, device, hasLeft } = line(9600, '')
    handle.receive(Buffer.from('abcdef'))
    handle.detach()
    clock.advance(100)
    expect(device).toEqual([])
    expect(hasLeft()).toBe(true)
  })
})

describe('a host whose speed differs from that of the device', () => {
  it('is received garbled and receives garbled answers, which the log reports once', () => {
    const { clock, handle, device, client, log } = line(9600, 'answer', { speed: () => 19_200 })
    handle.receive(Buffer.from('ask!'))
    handle.receive(Buffer.from('ask!'))
    clock.advance(100)
    expect(device.map(({ hex }) => hex).join('')).not.toContain(Buffer.from('ask!').toString('hex'))
    expect(client).toEqual([])
    expect(log).toEqual(['line: the client set 19200 baud, but the device uses 9600: both sides receive garbled bytes'])
  })

  it('is understood as soon as it uses the speed of the device, which the log reports too', () => {
    let speed = 115_200
    const { clock, handle, client, log } = line(9600, 'ok', { speed: () => speed })
    handle.receive(Buffer.from('!'))
    clock.advance(100)
    speed = 9600
    handle.receive(Buffer.from('!'))
    clock.advance(100)
    expect(client.map(({ hex }) => Buffer.from(hex, 'hex').toString()).join('')).toBe('ok')
    expect(log.at(-1)).toBe('line: the client set 9600 baud, the speed of the device')
  })

  it('keeps the order of bytes while the speed is being queried', async () => {
    const { clock, handle, device } = line(9600, '', { speed: async () => 9600 })
    handle.receive(Buffer.from('ab'))
    handle.receive(Buffer.from('cd'))
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    clock.advance(100)
    expect(device.map(({ hex }) => hex).join('')).toBe('61626364')
  })
})

describe('the simulated UART', () => {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

  it.each([9600, 9500, 9700, 9300, 9900])('understands bytes at %i baud if it is set to 9600 baud', (sent) => {
    const bytes = Buffer.from('00ff55aa010203f0', 'hex')
    expect(hex(receivedAt(bytes, sent, 9600))).toBe('00ff55aa010203f0')
  })

  // The expected bytes are computed by hand from the bits of the sender: start 0, data bits from the lowest, stop 1.
  it.each([
    // 55h at half the speed of the receiver: 00 11 00 11 ...; samples at 1.5, 2.5 ...: 0 11 00 11 0, stop low;
    // after the framing error the next falling edge is that of bit 5: 0 11 00 111.
    ['55 sent at half the speed', '55', 4800, 9600, '66 e6'],
    // 00h at twice the speed: low for 4.5 bits of the receiver, then high: data bits 0 0 0 1 1 1 1 1.
    ['00 sent at twice the speed', '00', 19_200, 9600, 'f8'],
    // FFh at twice the speed: the start bit is half a bit of the receiver long, and over when the receiver samples
    // again.
    ['ff sent at twice the speed', 'ff', 19_200, 9600, ''],
    // FFh at half the speed: low for two bits, then high: one data bit 0.
    ['ff sent at half the speed', 'ff', 4800, 9600, 'fe'],
  ])('receives %s', (_name, sent, from, to, expected) => {
    expect(hex(receivedAt(Buffer.from(sent, 'hex'), from, to))).toBe(expected.replaceAll(' ', ''))
  })
})
