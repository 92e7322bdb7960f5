import { describe, expect, it } from 'vitest'
import { Line } from '../../drivers/link/line.ts'
import type { PortOpener } from '../../drivers/link/port.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { fakePort } from '../support/fake-port.ts'
import { problemOf } from '../support/problems.ts'

function rig(openPort: PortOpener) {
  const log: string[] = []
  const events: string[] = []
  const traced: { readonly direction: string; readonly bytes: Uint8Array }[] = []
  const line = new Line(
    openPort,
    { path: 'fake', clock: new SimulatedClock(0), log: (text) => log.push(text), trace: (entry) => traced.push(entry) },
    {
      onOpened: () => events.push('opened'),
      onData: (bytes) => events.push(`heard ${Buffer.from(bytes).toString('latin1')}`),
      onLost: () => events.push('lost'),
    },
  )
  return { line, log, events, traced }
}

describe('a connection to a device', () => {
  it('is opened once for all callers that request it at the same time', async () => {
    const port = fakePort()
    const { line, log } = rig(port.open)
    await Promise.all([line.open(), line.open()])
    await line.open()
    expect([port.openings(), log]).toEqual([1, ['opened fake']])
  })

  it('that is lost before it was open is reported as never open, with the reason', async () => {
    const port = fakePort()
    const opener: PortOpener = async (events) => {
      const opened = await port.open(events)
      events.onLost('unplugged')
      return opened
    }
    const { line, log, events } = rig(opener)
    expect(await problemOf(line.open())).toEqual({ kind: 'portLost', path: 'fake', why: 'unplugged' })
    expect([line.isOpen, log, events]).toEqual([false, [], []])
  })

  it('that cannot be opened is reported with the reason alone, without the word with which the system begins it', async () => {
    const why = 'No such file or directory, cannot open ./printer'
    const { line } = rig(() => Promise.reject(new Error(`Error: ${why}`)))
    expect(await problemOf(line.open())).toEqual({ kind: 'portMissing', path: 'fake', why })
  })

  it('is lost once, and the loss of an earlier connection does not affect a later connection', async () => {
    const port = fakePort()
    const { line, log, events } = rig(port.open)
    await line.open()
    port.lose('unplugged')
    port.lose('unplugged')
    await line.open()
    port.lose('unplugged again', 1)
    expect(line.isOpen).toBe(true)
    expect(log).toEqual(['opened fake', 'lost fake: unplugged', 'opened fake'])
    expect(events).toEqual(['opened', 'lost', 'opened'])
  })

  it('that is closed refuses writes, and says so', async () => {
    const { line } = rig(fakePort().open)
    await expect(line.send(Uint8Array.of(1))).rejects.toThrow('it was closed')
    expect(line.sendMs(Uint8Array.of(1, 2, 3))).toBe(0)
  })

  it('returns how long bytes are in transit', async () => {
    const { line } = rig(fakePort({ byteMs: 4 }).open)
    await line.open()
    expect(line.sendMs(Uint8Array.of(1, 2, 3))).toBe(12)
  })

  it('can be closed while it is being opened', async () => {
    const { line, events } = rig(fakePort().open)
    const opening = line.open()
    await line.close()
    await opening
    expect([line.isOpen, events]).toEqual([false, ['opened', 'lost']])
  })

  it('keeps its trace intact when the port reuses its buffer', async () => {
    const bytes = Uint8Array.of(1, 2)
    const opener: PortOpener = async (events) => ({
      byteMs: 0,
      write: async () => events.onData(bytes),
      close: async () => {},
    })
    const { line, traced } = rig(opener)
    await line.open()
    await line.send(Uint8Array.of(9))
    bytes.fill(0)
    expect(traced.map(({ direction, bytes }) => [direction, ...bytes])).toEqual([
      ['toDevice', 9],
      ['toHost', 1, 2],
    ])
  })
})
