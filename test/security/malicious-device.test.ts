/**
 * A malicious device stays busy, floods the line, or never ends a response. A request ends within its time and in
 * bounded memory, and the service queries the device again once the device behaves.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPrinter } from '../../drivers/index.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { EmulatedBinding } from '../../emulator/line/binding.ts'
import { readHostA } from '../../scenarios/oracle/frames-a.ts'
import { readHostB } from '../../scenarios/oracle/frames-b.ts'
import { buildDeviceA } from '../frame-builders/frames-a.ts'
import { buildDeviceB } from '../frame-builders/frames-b.ts'
import { buildAckC, buildMessageC } from '../frame-builders/frames-c.ts'
import { FREE_PORTS, type Running, start } from '../support/command.ts'
import { startPrinter } from '../support/rig.ts'
import { isDeep, slice } from '../support/slice.ts'
import { ATTACKED, type Attacked } from './x-report-frames.ts'

/** Reacts to a request. `honest` passes the request to a real emulated device. */
type Evil = (question: Uint8Array, hands: { say(bytes: Uint8Array): void; honest(): void }) => void

interface MaliciousDevice {
  readonly printer: FiscalPrinter
  readonly clock: SimulatedClock
  /** `undefined` ends the malicious behaviour. */
  behave(evil: Evil | undefined): void
  fails(work: () => Promise<unknown>): Promise<{ readonly ms: number; readonly problem: DeviceError['problem'] }>
  run<T>(work: Promise<T>): Promise<T>
  /** Stops repeated output of the device. */
  stop: () => void
  said(): number
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function maliciousDevice(family: Attacked): MaliciousDevice {
  const clock = new SimulatedClock(Date.UTC(2026, 6, 15, 9))
  const device = startPrinter({ family, clock })
  let evil: Evil | undefined
  let said = 0
  const binding = new EmulatedBinding(
    'evil',
    { manufacturer: 'nobody', serialNumber: '1' },
    {
      powered: () => true,
      opened(port) {
        const say = (bytes: Uint8Array) => {
          if (!port.isOpen) return
          said += bytes.length
          port.emit(Buffer.from(bytes))
        }
        const line = device.attach(say)
        const honest = (bytes: Uint8Array) => line.receive(bytes)
        return {
          receive: (bytes) => (evil ? evil(bytes, { say, honest: () => honest(bytes) }) : honest(bytes)),
          closed: () => undefined,
        }
      },
    },
  )
  const printer = openPrinter({ family, device: 'evil' }, { binding, clock, random: () => 0.5 })
  closing.push(async () => {
    await printer.disconnect()
    await device.close()
  })
  const run = <T>(work: Promise<T>): Promise<T> => simulate(clock, work)
  return {
    printer,
    clock,
    behave: (way) => {
      evil = way
    },
    run,
    stop: () => undefined,
    said: () => said,
    async fails(work) {
      const began = clock.now()
      const problem: unknown = await run(work().catch((error: unknown) => error))
      if (!(problem instanceof DeviceError)) throw new Error(`it did not fail: ${JSON.stringify(problem)}`)
      return { ms: clock.now() - began, problem: problem.problem }
    },
  }
}

const HOUR = 3_600_000
/**
 * Milliseconds. No command takes longer than two minutes, and a request of several commands does not use the maximum of
 * each.
 */
const REQUEST_MS = 200_000
/** A link reads at most this many bytes for one request. The number includes a margin. */
const HEARD = 18 * 1024 * 1024

/** Calls `act` every `everyMs` milliseconds. A new call of `keepOn` replaces the previous one. */
function keepOn(device: MaliciousDevice, everyMs: number, act: () => void): void {
  const { clock } = device
  const until = clock.now() + HOUR
  device.stop()
  const next = () => {
    act()
    if (clock.now() < until) device.stop = clock.after(everyMs, next)
  }
  next()
}

const status = (length: number): number[] => Array.from({ length }, () => 0x80)

const JOURNAL_A = 125
const JOURNAL_B = 195
const STREAMS_C = [0x78, 0x7c]

const STALE: Readonly<Record<Attacked, (question: Uint8Array) => Uint8Array>> = {
  A: () => buildDeviceA(0x21, 74, '', status(8)),
  B: () => buildDeviceB(0x21, 74, '', status(6)),
  C: (question) => buildAckC(numberOf(question) ^ 1, 0, 0),
}

const numberOf = (question: Uint8Array): number => question[2] as number

describe.each(ATTACKED)('a device of family %s', (family) => {
  const BUSY = { A: 0x16, B: 0x16, C: 0x0e } as const

  it('that is busy endlessly does not prevent the end of a request in time', async () => {
    const device = maliciousDevice(family)
    await device.run(device.printer.connect())
    device.behave((_question, { say }) => {
      keepOn(device, 50, () => say(Uint8Array.of(BUSY[family])))
    })
    for (const operation of [() => device.printer.lastDocument(), () => device.printer.reportX()]) {
      expect((await device.fails(operation)).ms).toBeLessThan(REQUEST_MS)
    }
  })

  it.each([0x01, 0x06, 0x0e, 0x15, 0x16, 0x1a, 0x41, 0xff])(
    'that floods the line with the byte %i is disconnected, and is used again when it stops',
    async (byte) => {
      const device = maliciousDevice(family)
      await device.run(device.printer.connect())
      const piece = new Uint8Array(64 * 1024).fill(byte)
      device.behave((_question, { say }) => {
        keepOn(device, 8, () => say(piece))
      })
      const { ms } = await device.fails(() => device.printer.reportX())
      expect(ms).toBeLessThan(REQUEST_MS)
      // The link disconnects after the maximum number of bytes for a request, so the device cannot send more.
      expect(device.said()).toBeLessThan(HEARD)
      device.stop()
      device.behave(undefined)
      await device.run(device.printer.disconnect())
      expect(await device.run(device.printer.lastDocument())).toBeGreaterThanOrEqual(0)
    },
  )
})

describe('a device that floods the line with busy bytes', () => {
  const SYN = 0x16

  /**
   * An event object takes 50 or more bytes of memory. One object per byte of the line would use memory faster than V8
   * collects garbage.
   */
  it.each(['A', 'B'] as const)('of family %s uses no memory for each of them', async (family) => {
    const device = maliciousDevice(family)
    await device.run(device.printer.connect())
    const push = vi.spyOn(Deframer.prototype, 'push')
    try {
      const piece = new Uint8Array(64 * 1024).fill(SYN)
      device.behave((_question, { say }) => {
        keepOn(device, 8, () => say(piece))
      })
      await device.fails(() => device.printer.reportX())
      const events = push.mock.results.reduce((sum, { value }) => sum + value.length, 0)
      expect(device.said()).toBeGreaterThan(8 * 1024 * 1024)
      // A read of the port causes at most one event.
      expect(events).toBeLessThanOrEqual(push.mock.calls.length)
      expect(events).toBeLessThan(device.said() / 1024)
    } finally {
      push.mockRestore()
    }
  })

  it.runIf(isDeep && process.platform === 'linux').each(['A', 'B'] as const)(
    'of family %s makes a service grow by at most 64 MiB',
    async (family) => {
      const { device, server } = await floodingServer([SYN])
      const options = ['--family', family, '--device', device, '--data', 'memory', '--no-https']
      const service = start(['serve', ...options, '--json', ...FREE_PORTS])
      try {
        const { http } = (await service.ready()) as { readonly http: string }
        const before = highestMemory(service)
        const answer = await fetch(`${http}/api/report-x`, { method: 'POST' })
        expect(answer.status).not.toBe(200)
        expect(highestMemory(service) - before).toBeLessThan(64)
      } finally {
        service.child.kill()
        await service.ended
        server.close()
      }
    },
    120_000,
  )
})

describe.runIf(process.platform === 'linux')('a run on a device that floods the line', () => {
  const BUSY_STATE_C = 0x41
  const FLOODS = {
    A: [[0x16], [0x15], [0x01, 0x30, 0x32, 0x30, 0x3f]],
    B: [[0x16], [0x15], [...Buffer.from('\x1aA LINE OF THE JOURNAL\r\n')]],
    C: [[BUSY_STATE_C], [0x0e], [0x15], [0x02, 0xff]],
  } as const satisfies Record<Attacked, unknown>
  const ALL = ATTACKED.flatMap((family) => FLOODS[family].map((bytes) => [family, bytes] as const))

  it.each(slice(ALL, { of: ALL.length }))(
    'of family %s with %j ends in time, in bounded memory',
    async (family, bytes) => {
      const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-flood-'))
      const scenario = join(folder, 'flood.yaml')
      writeFileSync(scenario, 'name: flood\nsteps: [{ post /report-x: }]\n')
      const { device, server } = await floodingServer(bytes)
      const run = start(['run', scenario, '--target', device, '--family', family, '--time-limit', '30'])
      let highest = 0
      const watch = setInterval(() => {
        highest = Math.max(highest, highestMemory(run))
      }, 20)
      try {
        const { status, out, err } = await run.ended
        expect(status).toBe(1)
        expect(out + err).toMatch(/1 failed/)
        expect(out + err).not.toContain('    at async')
        expect(highest).toBeGreaterThan(0)
        expect(highest).toBeLessThan(512)
      } finally {
        clearInterval(watch)
        server.close()
        rmSync(folder, { recursive: true })
      }
    },
    60_000,
  )
})

/** After the first byte that it receives, the server sends the bytes without end, as fast as the client reads. */
async function floodingServer(bytes: readonly number[]): Promise<{ readonly device: string; readonly server: Server }> {
  const piece = Buffer.alloc(64 * 1024, Buffer.from(bytes))
  const server = createServer((socket) => {
    const more = () => void (socket.writable && socket.write(piece, more))
    socket.on('error', () => undefined)
    socket.once('data', more)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { device: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** The unit is MiB. The result is 0 if the process has ended. */
function highestMemory({ child: { pid } }: Running): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

describe('an answer without an end is given up in time', () => {
  async function withZ(family: Attacked): Promise<MaliciousDevice> {
    const device = maliciousDevice(family)
    await device.run(device.printer.connect())
    await device.run(device.printer.reportZ())
    return device
  }

  it('on family A: pieces of a journal, one after the other', async () => {
    const device = await withZ('A')
    let pieces = 0
    device.behave((question, { say, honest }) => {
      const frame = readHostA(question)
      if ('wrong' in frame || frame.command !== JOURNAL_A || !frame.data.startsWith('1\t')) return honest()
      pieces++
      device.clock.after(5, () => say(buildDeviceA(frame.seq, JOURNAL_A, '0\tAGAIN\t', status(8))))
    })
    const { ms, problem } = await device.fails(() => device.printer.archivedZ(1))
    expect(pieces).toBeGreaterThan(10)
    expect(problem).toMatchObject({ kind: 'lineNoise', why: 'its electronic journal has no end marker' })
    expect(ms).toBeLessThan(REQUEST_MS)
    device.behave(undefined)
    expect(await device.run(device.printer.archivedZ(1))).toMatchObject({ number: 1 })
  })

  it.each([1, 1000])('on family B: lines, %d every 20 ms', async (count) => {
    const device = await withZ('B')
    const line = Buffer.from(`\x1a${'A LINE OF THE JOURNAL'.padEnd(48)}\r\n`)
    let asked = false
    device.behave((question, { say, honest }) => {
      const frame = readHostB(question)
      if ('wrong' in frame) return asked ? undefined : honest()
      if (frame.command !== JOURNAL_B) return honest()
      asked = true
      const many = Buffer.concat(Array.from({ length: count }, () => line))
      keepOn(device, 20, () => say(many))
    })
    const { ms } = await device.fails(() => device.printer.archivedZ(1))
    expect(asked).toBe(true)
    expect(ms).toBeLessThan(REQUEST_MS)
    expect(device.said()).toBeLessThan(HEARD)
  })

  it.each([1, 1000])('on family C: messages, %d every 20 ms', async (count) => {
    const device = await withZ('C')
    let asked = false
    device.behave((question, { say, honest }) => {
      if (question[0] !== 0x02 || !STREAMS_C.includes(question[3] as number)) return honest()
      asked = true
      const number = numberOf(question)
      say(buildAckC(number, 0, 0))
      const message = buildMessageC(number, question[3] as number, 'A LINE OF THE JOURNAL'.padEnd(42))
      const many = Buffer.concat(Array.from({ length: count }, () => message))
      keepOn(device, 20, () => say(many))
    })
    const { ms } = await device.fails(() => device.printer.archivedZ(1))
    expect(asked).toBe(true)
    expect(ms).toBeLessThan(REQUEST_MS)
    expect(device.said()).toBeLessThan(HEARD)
  })

  it('on family C: a report of a power cut after every command', async () => {
    const device = await withZ('C')
    let commands = 0
    device.behave((question, { say, honest }) => {
      if (question[0] !== 0x02 || question[3] === 0x20) return honest()
      commands++
      device.clock.after(5, () => say(buildAckC(numberOf(question), 13, 0)))
      if (commands > 5000) throw new Error('it is asked without an end')
    })
    const { ms } = await device.fails(() => device.printer.reportX())
    expect(commands).toBeLessThan(20)
    expect(ms).toBeLessThan(REQUEST_MS)
  })

  it.each(ATTACKED)('of family %s: answers to requests that were not sent', async (family) => {
    const device = await withZ(family)
    device.behave((question, { say }) => {
      const stale = STALE[family](question)
      keepOn(device, 20, () => say(stale))
    })
    expect((await device.fails(() => device.printer.reportX())).ms).toBeLessThan(REQUEST_MS)
  })
})
