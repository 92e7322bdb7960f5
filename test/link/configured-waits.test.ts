import { afterEach, describe, expect, it } from 'vitest'
import { serviceTillWith } from '../../bin/exam/service-till.ts'
import { startPrinter as startLibraryPrinter, startService } from '../../bin/library.ts'
import { namedWait } from '../../bin/options.ts'
import type { Waits } from '../../drivers/index.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { printerConfig } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import { examine } from '../exam/examine.ts'
import { type PrinterRig, START, startPrinter } from '../support/rig.ts'

let rig: PrinterRig | undefined
afterEach(() => rig?.close())

async function silenceMs(family: string, waits: Waits, on: 'status' | 'saleByPlu' | 'openFiscal'): Promise<number> {
  const clock = new SimulatedClock(START)
  rig = startPrinter({ family, clock })
  const printer = rig.driver({ waits })
  await simulate(clock, printer.connect())
  rig.emulator.faults.add({ at: 'link.toHost', on, do: 'drop' })
  const began = clock.now()
  const operator = { code: 1, password: '0000' }
  const operation: Promise<unknown> = {
    status: () => printer.transactionStatus(),
    saleByPlu: () => printer.sellArticle({ plu: 1, quantity: 1000, void: false }),
    openFiscal: () => printer.openFiscal({ operator, pointOfSale: 1, invoice: false }),
  }[on]()
  const ended = operation.catch(() => undefined)
  await simulate(clock, ended)
  return clock.now() - began
}

describe('a device that is silent', () => {
  it.each([
    ['A', 'saleByPlu', {}, 1500],
    ['A', 'saleByPlu', { firstAnswerMs: 100 }, 300],
    ['B', 'saleByPlu', {}, 1500],
    ['B', 'saleByPlu', { firstAnswerMs: 100 }, 300],
    ['C', 'status', {}, 12_000],
    ['C', 'status', { firstAnswerMs: 250 }, 1000],
    ['C', 'status', { documentMs: 700 }, 700],
  ] as const)('of family %s is waited for as long as configured: %s, %j', async (family, on, waits, expected) => {
    const ms = await silenceMs(family, waits, on)
    expect(Math.abs(ms - expected)).toBeLessThan(expected / 4)
  })

  it('of family C is waited for as long as configured, even if its openings have 15 s', async () => {
    const usual = await silenceMs('C', {}, 'openFiscal')
    const short = await silenceMs('C', { documentMs: 1000 }, 'openFiscal')
    expect(usual).toBeGreaterThan(14_000)
    expect(short).toBeLessThan(3000)
  })
})

describe('waits are configured', () => {
  it('for the service, in its configuration', () => {
    const settings = settingsOf({ device: { address: '/dev/ttyUSB9', gapMs: 700, documentMs: 5000 } })
    expect(printerConfig(settings)).toMatchObject({
      device: '/dev/ttyUSB9',
      waits: { gapMs: 700, documentMs: 5000 },
    })
    expect(settingsOf({ device: 'COM3' })).toMatchObject({ device: 'COM3', waits: {} })
    expect(settingsOf({ device: { gapMs: 700 } })).toMatchObject({ device: 'emulator', waits: { gapMs: 700 } })
    expect(() => settingsOf({ device: { gapMs: 5 } })).toThrow('expected a whole number from 10 to 600000')
    expect(() => settingsOf({ device: { gap: 500 } })).toThrow('this key is unknown')
  })

  it('for the library, in its options', async () => {
    await using printer = await startLibraryPrinter({ family: 'C' })
    await using service = await startService({ printer, device: { firstAnswerMs: 60, documentMs: 100 } })
    printer.fault({ at: 'link.toHost', on: 'status', do: 'drop' })
    const began = performance.now()
    const answer = await fetch(`${service.url}/status-of-the-fiscal-transaction`, { method: 'POST' })
    expect(answer.status).toBe(424)
    expect(performance.now() - began).toBeLessThan(10_000)
    await expect(startService({ printer, device: { gapMs: 0 } })).rejects.toThrow(
      'startService: device.gapMs: expected a whole number from 10 to 600000, not 0',
    )
    await expect(startService({ printer, device: { gap: 1 } as never })).rejects.toThrow('there is no option "gap"')
  })

  it('for the exam, in its options', async () => {
    expect(namedWait('documentMs=900', { gapMs: 20 })).toEqual({ gapMs: 20, documentMs: 900 })
    for (const wrong of ['documentMs', 'documentMs=5', 'wait=500', 'gapMs=x'])
      expect(() => namedWait(wrong)).toThrow('Expected')
    const only = ['answerLost@closeFiscal#1']
    const tookMs = async (waits: Waits) => {
      const end = await examine(serviceTillWith(waits), { family: 'C' }, { only })
      const [, one] = end.cases
      expect(one?.verdict).toBe('passed')
      return one?.claims[0]?.tookMs ?? 0
    }
    expect(await tookMs({})).toBeGreaterThan(14_000)
    expect(await tookMs({ documentMs: 1000 })).toBeLessThan(5000)
  })
})
