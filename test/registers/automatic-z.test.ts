import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { emulatorView } from '../../emulator/panel/views.ts'
import { composeService, startPrinter } from '../support/rig.ts'

const START = Date.parse('2026-07-14T09:00:00Z')
const HOUR_MS = 3_600_000

describe.each([
  ['A', 'bg'],
  ['A', 'ro'],
  ['B', 'b8'],
  ['C', 'c4'],
  ['C', 'c6'],
] as const)('the automatic Z report of a device with automaticZ=22:00 (%s %s)', (family, profile) => {
  const start = () => {
    const clock = new SimulatedClock(START)
    const rig = startPrinter({ family, profile, clock, options: { automaticZ: '22:00' } })
    const { emulator } = rig
    const { device } = emulator
    const sell = () => {
      device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
      device.sellArticle({ plu: 1, quantity: 1_000, void: false } as never)
      device.pay({ mode: 0 })
      device.closeFiscal()
    }
    // The device checks its timers when it is idle.
    const touch = () => emulator.setClock(device.localTime())
    return { ...rig, clock, device, sell, touch }
  }

  it('is printed at that time, and the control API has its number', async () => {
    const { emulator, device, clock, sell, touch, papers, close } = start()
    sell()
    touch()
    clock.advance(13 * HOUR_MS - 60_000)
    expect(emulatorView(emulator).counters.lastZ).toBe(0)
    clock.advance(2 * 60_000)
    expect(emulatorView(emulator).counters.lastZ).toBe(1)
    expect(papers().map(({ kind }) => kind)).toEqual(['fiscal', 'z'])
    // Nothing has been sold since the last report, so the next day has none.
    touch()
    clock.advance(24 * HOUR_MS)
    expect(device.memory.zs(1, 9)).toHaveLength(1)
    await close()
  })

  it('waits for the end of an open receipt', async () => {
    const { device, clock, touch, sell, close } = start()
    sell()
    device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    touch()
    clock.advance(14 * HOUR_MS)
    expect(device.counters.lastZ).toBe(0)
    await close()
  })
})

it.each(['A', 'B', 'C'] as const)(
  'family %s: the service continues after the day was closed between two of its requests',
  async (family) => {
    const emulator = createEmulator({ family, options: { automaticZ: '00:00' } })
    await emulator.close()
    const rig = startPrinter({ family, options: { automaticZ: '00:00' } })
    const service = composeService(rig.driver())
    const print = () =>
      service.post('/print-fiscal-receipt', { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] })
    expect(await print()).toMatchObject({ StatusCode: 200 })
    const { device } = rig.emulator
    rig.emulator.setClock(device.localTime(device.now() + 24 * HOUR_MS))
    expect(await print()).toMatchObject({ StatusCode: 200 })
    expect(rig.papers().map(({ kind }) => kind)).toEqual(['fiscal', 'z', 'fiscal'])
    expect(await service.post('/report-z')).toMatchObject({ StatusCode: 200 })
    expect(device.counters.lastZ).toBe(2)
    await rig.close()
    await service.close()
  },
)
