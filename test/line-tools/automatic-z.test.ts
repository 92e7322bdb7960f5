/** Family C, profile c6: the automatic Z report is printed when it is due, whether time passes or the clock is set. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { buildMessageC } from '../frame-builders/frames-c.ts'

const START = Date.parse('2026-07-14T09:00:00Z')
const DAY_MS = 86_400_000

function sell(emulator: Emulator): void {
  const line = emulator.loop.attach({ send: () => undefined, unplug: () => undefined })
  const commands = [
    [0x4f, 'H;W;1'],
    [0x30, `1;0000  ;0;0;0`],
    [0x31, `${'Tea'.padEnd(36)};\xc0;1.00`],
    [0x36, ''],
  ] as const
  for (const [index, [command, data]] of commands.entries()) line.receive(buildMessageC(0x20 + index, command, data))
  expect(emulator.device.day.receipts).toBe(1)
}

it('the automatic Z report is due when the clock is set forward by hand', () => {
  const clock = new SimulatedClock(START)
  const emulator = createEmulator({ family: 'C', profile: 'c6', clock })
  sell(emulator)
  emulator.setClock(emulator.device.localTime(emulator.device.now() + DAY_MS - 5000))
  clock.advance(4000)
  expect(emulator.device.memory.lastZ).toBeUndefined()
  clock.advance(2000)
  expect(emulator.device.memory.lastZ?.number).toBe(1)
})

it('the automatic Z report is due on a restarted device', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'automatic-z-'))
  const first = createEmulator({ family: 'C', profile: 'c6', clock: new SimulatedClock(START), data: folder })
  sell(first)
  await first.close()
  const clock = new SimulatedClock(START + DAY_MS + 1000)
  const again = createEmulator({ family: 'C', profile: 'c6', clock, data: folder })
  clock.advance(1)
  expect(again.device.memory.lastZ?.number).toBe(1)
  await again.close()
  rmSync(folder, { recursive: true })
})
