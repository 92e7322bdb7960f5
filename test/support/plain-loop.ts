import type { Clock } from '../../drivers/model/clock.ts'
import type { Injector } from '../../emulator/faults/points.ts'
import type { LineEnd } from '../../emulator/line/device-line.ts'
import { DeviceLoop } from '../../emulator/line/device-loop.ts'
import type { LoopOptions } from '../../emulator/line/loop-options.ts'
import { noFaults } from './no-faults.ts'
import { plain, plainWire } from './plain-wire.ts'

export function testMechanism() {
  const calls: (() => void)[] = []
  let blocked = false
  return {
    get blocked() {
      return blocked
    },
    block() {
      blocked = true
    },
    free() {
      blocked = false
      for (const call of calls) call()
    },
    get canPrint() {
      return !blocked
    },
    onUnblocked: (call: () => void) => void calls.push(call),
  }
}

/** The loop has the tests' own wire (plain-wire.ts) and records all events. */
export function plainLoop(clock: Clock, options: Partial<LoopOptions> & { injector?: Injector } = {}) {
  const wire = plainWire()
  const mechanism = testMechanism()
  const events: string[] = []
  const loop = new DeviceLoop({
    wire,
    clock,
    injector: noFaults,
    mechanism,
    onFrame: () => undefined,
    powerOn: () => events.push('books settled'),
    onPower: (on) => events.push(on ? 'power on' : 'power off'),
    onTrouble: (problem, command) => events.push(`${command}: ${problem}`),
    ...options,
  })
  return { loop, wire, mechanism, events }
}

export function plainHost(loop: DeviceLoop) {
  const received: string[] = []
  let unplugged = false
  const end: LineEnd = {
    send: (bytes) => received.push(plain(bytes)),
    unplug: () => {
      unplugged = true
    },
  }
  const line = loop.attach(end)
  return {
    line,
    received: () => received.splice(0),
    get unplugged() {
      return unplugged
    },
    say: (bytes: Uint8Array) => line.receive(bytes),
  }
}
