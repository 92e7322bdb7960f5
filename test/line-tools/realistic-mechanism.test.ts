/** A mechanism that needs time to print. The device reports meanwhile that it is busy. */
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { realisticDuration, USUAL_TIMES } from '../../emulator/line/durations.ts'
import { buildHostA } from '../frame-builders/frames-a.ts'
import { buildHostB } from '../frame-builders/frames-b.ts'

describe('a realistic mechanism', () => {
  const takes = realisticDuration(USUAL_TIMES)

  it.each([
    ['status', undefined, 0],
    ['closeFiscal', 20, 1400],
    ['reportZ', 40, 5800],
    ['reportZ', 0, 0],
  ])('takes the time of the printed lines: %s (lines: %s) takes %i ms', (command, printedLines, expected) => {
    expect(takes(command, { frames: [], ...(printedLines !== undefined && { printedLines }) })).toBe(expected)
  })

  it('sends SYN every 60 ms while a Z report is printed, then its answer (family A)', () => {
    const clock = new SimulatedClock(Date.parse('2026-07-14T09:00:00Z'))
    const emulator = createEmulator({ family: 'A', clock, durationMs: takes })
    const received: { readonly at: number; readonly bytes: Uint8Array }[] = []
    const began = clock.now()
    const line = emulator.loop.attach({
      send: (bytes) => received.push({ at: clock.now() - began, bytes: bytes.slice() }),
      unplug: () => undefined,
    })
    line.receive(buildHostA(0x40, 69, 'Z\t'))
    clock.advance(20_000)
    const busy = received.filter(({ bytes }) => bytes.length === 1 && bytes[0] === 0x16)
    expect(busy.slice(0, 3).map(({ at }) => at)).toEqual([40, 100, 160])
    expect(received.at(-1)?.bytes.at(-1)).toBe(0x03)
    expect(received.at(-1)?.at).toBeGreaterThan(3000)
    expect(received.at(-1)?.at).toBeLessThan(10_000)
  })

  it('is switched on and off by hand, with its own times if the device has them', () => {
    const clock = new SimulatedClock(Date.parse('2026-07-14T09:00:00Z'))
    const emulator = createEmulator({ family: 'A', clock, times: { lineMs: 10, reportZMs: 100 } })
    let answeredAt = 0
    const line = emulator.loop.attach({
      send: (bytes) => {
        if (bytes.at(-1) === 0x03) answeredAt = clock.now()
      },
      unplug: () => undefined,
    })
    let sequence = 0x40
    const takenBy = () => {
      const began = clock.now()
      line.receive(buildHostA(sequence++, 69, 'X\t'))
      clock.advance(60_000)
      return answeredAt - began
    }
    const slow = takenBy()
    const lines = emulator.device.mechanism.linesPrinted
    expect([slow, emulator.times?.lineMs]).toEqual([10 * lines, 10])
    emulator.setRealistic(false)
    expect([takenBy(), emulator.times]).toEqual([0, undefined])
    emulator.setRealistic(true)
    expect(takenBy()).toBe(slow)
    const other = createEmulator({ family: 'A', clock })
    expect(other.times).toBeUndefined()
    other.setRealistic(true)
    expect(other.times).toEqual(USUAL_TIMES)
  })

  it('sends SYN while the paper is out in the middle of a report, and answers when the paper is back (family B)', () => {
    const clock = new SimulatedClock(Date.parse('2026-07-14T09:00:00Z'))
    const emulator = createEmulator({ family: 'B', clock, durationMs: takes })
    const received: Uint8Array[] = []
    const line = emulator.loop.attach({ send: (bytes) => received.push(bytes.slice()), unplug: () => undefined })
    line.receive(buildHostB(0x40, 69, '2'))
    clock.advance(200)
    emulator.setPaper('out')
    clock.advance(60_000)
    expect(received.length).toBeGreaterThan(900)
    expect(received.every((bytes) => bytes.length === 1 && bytes[0] === 0x16)).toBe(true)
    emulator.setPaper('ok')
    expect(received.at(-1)?.at(-1)).toBe(0x03)
  })

  it.each([
    ['A', (number: number) => buildHostA(number, 69, 'X\t')],
    ['B', (number: number) => buildHostB(number, 69, '2')],
  ] as const)(
    'answers with its state at the end, if the paper ended while the report was printed (family %s)',
    (family, ask) => {
      const clock = new SimulatedClock(Date.parse('2026-07-14T09:00:00Z'))
      const emulator = createEmulator({ family, clock, durationMs: takes })
      const answers: Buffer[] = []
      const line = emulator.loop.attach({
        send: (bytes) => void (bytes.length > 1 && answers.push(Buffer.from(bytes))),
        unplug: () => undefined,
      })
      line.receive(ask(0x40))
      clock.advance(200)
      emulator.setPaper('low')
      clock.advance(20_000)
      // 04h separates data and status, and bit 1 of status byte 2 means little paper in both families.
      const status = answers[0]?.subarray(answers[0].indexOf(0x04) + 1)
      expect(Number(status?.[2]) & 2).toBe(2)
      line.receive(ask(0x40))
      clock.advance(20_000)
      expect(answers).toHaveLength(2)
      expect(answers[1]).toEqual(answers[0])
    },
  )
})
