import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openPrinter } from '../../drivers/index.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.ts'
import type { Injector } from '../../emulator/faults/points.ts'
import { PowerCut } from '../../emulator/fiscal/types/events.ts'
import { noFaults } from '../support/no-faults.ts'

const START = Date.parse('2026-07-14T09:00:00Z')
const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function emulator(options: Partial<EmulatorOptions> = {}): Emulator & { readonly time: SimulatedClock } {
  const time = new SimulatedClock(START)
  const made = createEmulator({ family: 'A', clock: time, ...options })
  closing.push(() => made.close())
  return Object.assign(Object.create(made) as Emulator, { time })
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'emulator-'))
  closing.push(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function printReceipt({ device }: Emulator): void {
  device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
  device.sell({ name: 'Bread', taxCode: 1, price: 250, quantity: 1000, void: false })
  device.pay({ mode: 0 })
  device.closeFiscal()
}

/** The simulated clock lets the driver's timeouts expire. */
function printer(device: Emulator & { readonly time: SimulatedClock }) {
  const made = openPrinter(
    { family: device.family, device: device.path },
    { binding: device.binding, clock: device.time, random: () => 0.5 },
  )
  closing.push(() => made.disconnect())
  const settled = <T>(asking: Promise<T>): Promise<T> => simulate(device.time, asking)
  const kindOf = (asking: Promise<unknown>) =>
    settled(asking).then(
      () => 'answered',
      (problem: unknown) => (problem instanceof DeviceError ? problem.problem.kind : String(problem)),
    )
  return { printer: made, settled, kindOf }
}

describe('an emulated device', () => {
  it('is found again in its folder by family, profile and name', async () => {
    const data = folder()
    const first = createEmulator({ family: 'A', data })
    printReceipt(first)
    await first.close()
    expect(emulator({ data }).device.counters.fiscalReceipts).toBe(1)
    expect(emulator({ data, deviceName: 'till/2' }).device.counters.fiscalReceipts).toBe(0)
    expect(emulator({ data, profile: 'ro' }).device.counters.fiscalReceipts).toBe(0)
    expect(
      readdirSync(data)
        .filter((name) => name.endsWith('.sqlite'))
        .sort(),
    ).toEqual(['device-a-bg-till%2F2.sqlite', 'device-a-bg.sqlite', 'device-a-ro.sqlite'])
  })

  it.each([
    [{ family: 'Q' }, 'family Q'],
    [{ family: 'A', profile: 'zz' }, 'zz'],
  ])('%j is rejected with a readable message', (options, word) => {
    expect(() => createEmulator(options as EmulatorOptions)).toThrow(RangeError)
    expect(() => createEmulator(options as EmulatorOptions)).toThrow(word)
  })

  it('sends its events until all listeners are removed', () => {
    const device = emulator()
    const types = new Set<string>()
    const unsubscribe = device.subscribe(({ type }) => types.add(type))
    printReceipt(device)
    device.setPaper('low')
    expect([...types].sort()).toEqual(expect.arrayContaining(['document', 'line', 'state']))
    unsubscribe()
    types.clear()
    device.setPaper('ok')
    expect(types.size).toBe(0)
  })
})

describe('a driver on an emulated device', () => {
  it('finds the device, and finds it again after its power was off', async () => {
    const device = emulator()
    const { printer: driver, settled, kindOf } = printer(device)
    expect((await settled(driver.connect())).family).toBe('A')
    device.setPower(false)
    expect(await kindOf(driver.transactionStatus())).toBe('noAnswer')
    device.setPower(true)
    expect((await settled(driver.transactionStatus())).isOpen).toBe(false)
  })

  it('finds the device again after the cable was out', async () => {
    const device = emulator()
    const { printer: driver, settled, kindOf } = printer(device)
    await settled(driver.transactionStatus())
    await device.setCable(false)
    expect(await kindOf(driver.transactionStatus())).toMatch(/^port(Lost|Missing)$/)
    expect(await kindOf(driver.transactionStatus())).toBe('portMissing')
    await device.setCable(true)
    expect((await settled(driver.transactionStatus())).isOpen).toBe(false)
  })

  it('gets no answer after a power cut at a write of the memory, which undoes the command', async () => {
    let cut = false
    const faults = (): Injector => ({
      ...noFaults,
      memoryWrite() {
        if (cut) throw new PowerCut()
      },
    })
    const device = emulator({ faults })
    const { printer: driver, settled } = printer(device)
    await settled(driver.connect())
    cut = true
    await expect(settled(driver.reportZ())).rejects.toThrow(DeviceError)
    expect(device.power).toBe(false)
    expect(device.device.memory.lastZ).toBeUndefined()
    cut = false
    device.setPower(true)
    await settled(driver.reportZ())
    expect(device.device.memory.lastZ?.number).toBe(1)
  })
})

describe('a cable that a fault pulls out', () => {
  it('is connected again at once, on a pty as on other lines, and the port can be reopened', async () => {
    const link = join(folder(), 'printer')
    const device = createEmulator({ family: 'A' })
    closing.push(() => device.close())
    await device.openPty(link)
    device.faults.add({ at: 'link.toHost', times: 1, do: 'unplug' })
    const driver = openPrinter({ family: 'A', device: link })
    closing.push(() => driver.disconnect())
    const reports = () =>
      driver.reportX().then(
        () => true,
        () => false,
      )
    await reports()
    await expect.poll(reports).toBe(true)
    expect(device.cable).toBe(true)
    expect(device.faults.list()).toMatchObject([{ hits: 1 }])
  })
})
