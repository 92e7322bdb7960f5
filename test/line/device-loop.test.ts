import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import type { CommandInterference, Delivery, Injector, Point } from '../../emulator/faults/points.ts'
import { noFaults } from '../support/no-faults.ts'
import { plainHost, plainLoop } from '../support/plain-loop.ts'
import { plain, plainAnswer, plainAsk } from '../support/plain-wire.ts'
import { unservedClock } from '../support/unserved-clock.ts'

const answer = (number: string, text: string) => plain(plainAnswer(number, text))

function rig(options: Parameters<typeof plainLoop>[1] = {}) {
  const clock = new SimulatedClock(1000)
  const made = plainLoop(clock, options)
  return { clock, ...made, host: plainHost(made.loop) }
}

function oneFault(
  at: Point,
  fault: { delivery?: (bytes: Uint8Array) => Delivery; interference?: CommandInterference },
): Injector {
  return {
    ...noFaults,
    watches: (point) => point === at,
    link: (_point, { bytes }) => fault.delivery?.(bytes) ?? { pieces: [{ bytes, afterMs: 0 }] },
    command: () => fault.interference ?? {},
  }
}

describe('the device loop', () => {
  it('answers immediately, in the same turn of the event loop', () => {
    const { host } = rig()
    host.say(plainAsk('1', 'say hi'))
    expect(host.received()).toEqual([answer('1', 'said hi')])
  })

  it('reads a frame that is cut at any byte', () => {
    const frame = plainAsk('1', 'say hi')
    for (let cut = 1; cut < frame.length; cut++) {
      const { host } = rig()
      host.say(frame.subarray(0, cut))
      host.say(frame.subarray(cut))
      expect(host.received()).toEqual([answer('1', 'said hi')])
    }
  })

  it('executes two frames in one piece, one after the other', () => {
    const { host } = rig()
    host.say(Buffer.concat([plainAsk('1', 'say a'), plainAsk('2', 'say b')]))
    expect(host.received()).toEqual([answer('1', 'said a'), answer('2', 'said b')])
  })

  it('sends the busy byte at its rhythm until the command is complete, counted from its start', () => {
    const { host, clock } = rig({ durationMs: (_command, { printedLines = 0 }) => printedLines * 100 })
    host.say(plainAsk('1', 'slow 2'))
    expect(host.received()).toEqual([])
    clock.advance(60)
    expect(host.received()).toEqual(['.'])
    clock.advance(139)
    expect(host.received()).toEqual(['.', '.'])
    clock.advance(1)
    expect(host.received()).toEqual([answer('1', 'done slow 2')])
    expect(clock.next()).toBeUndefined()
  })

  it('lets the wire protocol decide about a frame that arrives while a command runs', () => {
    const { host, clock, wire } = rig({ durationMs: () => 100 })
    host.say(plainAsk('1', 'say a'))
    host.say(plainAsk('2', 'say b'))
    expect(host.received()).toEqual([','])
    clock.advance(100)
    expect(host.received()).toEqual(['.', answer('1', 'said a')])
    expect(wire.said).toEqual(['say a'])
  })

  it('drops half a frame after the gap, counted from the last byte', () => {
    const { host, clock } = rig()
    host.say(plainAsk('1', 'say a').subarray(0, 3))
    clock.advance(499)
    host.say(plainAsk('1', 'say a').subarray(3, 5))
    clock.advance(499)
    expect(host.received()).toEqual([])
    clock.advance(1)
    expect(host.received()).toEqual(['~'])
    host.say(plainAsk('2', 'say b'))
    expect(host.received()).toEqual([answer('2', 'said b')])
  })

  it('of a process that was stalled for longer than the gap first reads the bytes that arrived in that time', () => {
    const { clock, stopFor } = unservedClock()
    const { loop } = plainLoop(clock)
    const host = plainHost(loop)
    const ask = plainAsk('1', 'say a')
    host.say(ask.subarray(0, 3))
    stopFor(700)
    host.say(ask.subarray(3))
    expect(host.received()).toEqual([answer('1', 'said a')])
    host.say(ask.subarray(0, 3))
    for (let turns = 0; turns < 10; turns++) stopFor(700)
    expect(host.received()).toEqual(['~'])
  })

  it('does not answer before the paper is back, if the wire protocol waits for it', () => {
    const { host, clock, mechanism } = rig()
    mechanism.block()
    host.say(plainAsk('1', 'print x'))
    clock.advance(120)
    expect(host.received()).toEqual(['.', '.'])
    mechanism.free()
    expect(host.received()).toEqual([answer('1', 'done print x')])
    expect(clock.next()).toBeUndefined()
  })

  it('answers a host that sends another request instead of acknowledging a line', () => {
    const { host, clock } = rig()
    host.say(plainAsk('1', 'list 2'))
    expect(host.received()).toEqual([answer('1', 'line 1')])
    host.say(plainAsk('2', 'say b'))
    expect(host.received()).toEqual([answer('2', 'said b')])
    expect(clock.next()).toBeUndefined()
  })

  it('streams lines, each after its acknowledgement, then the answer', () => {
    const { host } = rig()
    host.say(plainAsk('1', 'list 2'))
    expect(host.received()).toEqual([answer('1', 'line 1')])
    host.say(Buffer.from('+'))
    expect(host.received()).toEqual([answer('1', 'line 2')])
    host.say(Buffer.from('+'))
    expect(host.received()).toEqual([answer('1', 'done list 2')])
  })

  it('stops a stream that is not acknowledged, and accepts frames again', () => {
    const { host, clock } = rig()
    host.say(plainAsk('1', 'list 2'))
    clock.advance(5000)
    host.say(plainAsk('2', 'say b'))
    expect(host.received()).toEqual([answer('1', 'line 1'), answer('2', 'said b')])
  })

  it('is silent without power, and has lost its link state when the power comes back', () => {
    const { host, loop, wire, events } = rig()
    host.say(plainAsk('1', 'say a'))
    loop.setPower(false)
    host.say(plainAsk('1', 'say a'))
    loop.setPower(true)
    host.say(plainAsk('1', 'say a'))
    expect(host.received()).toEqual([answer('1', 'said a'), answer('1', 'said a')])
    expect(wire.said).toEqual(['say a', 'say a'])
    expect(events).toEqual(['power off', 'books settled', 'power on'])
  })

  it('loses its running command with the power', () => {
    const { host, loop, clock } = rig({ durationMs: () => 100 })
    host.say(plainAsk('1', 'say a'))
    loop.setPower(false)
    loop.setPower(true)
    clock.advance(1000)
    expect(host.received()).toEqual([])
    expect(loop.busy).toBe(false)
  })

  it('treats a power cut in the books as a power cut of the device, which does not answer until it is switched on', () => {
    const { host, loop } = rig()
    host.say(plainAsk('1', 'cut'))
    host.say(plainAsk('2', 'say b'))
    expect(host.received()).toEqual([])
    expect(loop.power).toBe(false)
  })

  it('restarts by itself if configured so', () => {
    const { host, loop, clock } = rig({ powerReturnsAfterMs: 2000 })
    host.say(plainAsk('1', 'cut'))
    clock.advance(2000)
    expect(loop.power).toBe(true)
    host.say(plainAsk('2', 'say b'))
    expect(host.received()).toEqual([answer('2', 'said b')])
  })

  it('answers on the line on which the request arrived', () => {
    const { host, loop } = rig()
    const other = plainHost(loop)
    other.say(plainAsk('1', 'say b'))
    expect([host.received(), other.received()]).toEqual([[], [answer('1', 'said b')]])
  })

  it('notifies a closing line when its command is complete', () => {
    const { host, clock } = rig({ durationMs: () => 100 })
    let quiet = false
    host.say(plainAsk('1', 'say a'))
    host.line.whenQuiet(() => {
      quiet = true
    })
    expect(quiet).toBe(false)
    clock.advance(100)
    expect(quiet).toBe(true)
  })
})

describe('the fault points of the device loop allow that', () => {
  const piece = (bytes: Uint8Array, afterMs = 0) => ({ bytes, afterMs })
  const FAULTS: readonly {
    readonly name: string
    readonly injector: Injector
    readonly received: readonly string[]
    readonly said: readonly string[]
  }[] = [
    {
      name: 'a frame to the device is lost',
      injector: oneFault('link.toDevice', { delivery: () => ({ pieces: [] }) }),
      received: [],
      said: [],
    },
    {
      name: 'a frame to the device comes twice',
      injector: oneFault('link.toDevice', { delivery: (bytes) => ({ pieces: [piece(bytes), piece(bytes, 10)] }) }),
      received: [answer('1', 'said a'), answer('1', 'said a')],
      said: ['say a'],
    },
    {
      name: 'a frame to the device is damaged',
      injector: oneFault('link.toDevice', {
        delivery: (bytes) => ({ pieces: [piece(bytes.map((byte, at) => (at === 2 ? byte ^ 1 : byte)))] }),
      }),
      received: ['~'],
      said: [],
    },
    {
      name: 'a frame to the device comes in two pieces',
      injector: oneFault('link.toDevice', {
        delivery: (bytes) => ({ pieces: [piece(bytes.subarray(0, 4)), piece(bytes.subarray(4), 100)] }),
      }),
      received: [answer('1', 'said a')],
      said: ['say a'],
    },
    {
      name: 'the answer is lost',
      injector: oneFault('link.toHost', { delivery: () => ({ pieces: [] }) }),
      received: [],
      said: ['say a'],
    },
    {
      name: 'the power goes before the command',
      injector: oneFault('command.before', { interference: { ending: 'powerCut' } }),
      received: [],
      said: [],
    },
    {
      name: 'the power goes after the command',
      injector: oneFault('command.after', { interference: { ending: 'powerCut' } }),
      received: [],
      said: ['say a'],
    },
    {
      name: 'the device refuses',
      injector: oneFault('command.before', { interference: { refuse: true } }),
      received: [answer('1', 'not now')],
      said: [],
    },
    {
      name: 'the command takes longer',
      injector: oneFault('command.before', { interference: { busyMs: 130 } }),
      received: ['.', '.', answer('1', 'said a')],
      said: ['say a'],
    },
  ]

  it.each(FAULTS.map((one) => [one.name, one] as const))('%s', (_name, { injector, received, said }) => {
    const { host, clock, wire } = rig({ injector })
    host.say(plainAsk('1', 'say a'))
    clock.advance(300)
    expect(host.received()).toEqual(received)
    expect(wire.said).toEqual(said)
  })

  it('a cable is pulled out after the fourth byte of the answer', () => {
    const { host } = rig({
      injector: oneFault('link.toHost', {
        delivery: (bytes) => ({ pieces: [piece(bytes.subarray(0, 4))], ending: 'unplug' }),
      }),
    })
    host.say(plainAsk('1', 'say a'))
    expect(host.received()).toEqual(['(1sa'])
    expect(host.unplugged).toBe(true)
  })

  it('half a frame is passed on while rules wait for whole frames', () => {
    const { host, clock } = rig({ injector: oneFault('link.toDevice', {}) })
    host.say(plainAsk('1', 'say a').subarray(0, 4))
    clock.advance(750)
    expect(host.received()).toEqual(['~'])
  })
})
