import { describe, expect, it } from 'vitest'
import { type BookPoints, PowerCut } from '../../emulator/fiscal/types/events.ts'
import { bread, issue, ok, plainDevice, REVERSAL, SALE_RECEIPT } from './plain-device.ts'

const FREE_OF_TROUBLE: BookPoints = { memoryWrite: () => undefined, paperLine: () => undefined }

describe('the sums over all Z reports', () => {
  it('contain turnover, reversals and their tax, added Z report by Z report', () => {
    const { device } = plainDevice()
    expect(device.memory.grand).toEqual({ turnover: 0, tax: 0, reversal: 0, reversalTax: 0 })
    issue(device, SALE_RECEIPT, [bread({ quantity: 2000 }), bread({ taxCode: 4, price: 109 })])
    ok(device.reportZ())
    // 2.40 x 20 / 120 = 0.40 and 1.09 x 9 / 109 = 0.09.
    expect(device.memory.grand).toEqual({ turnover: 349, tax: 49, reversal: 0, reversalTax: 0 })
    issue(device, SALE_RECEIPT, [bread({ price: 600 })])
    issue(device, REVERSAL, [bread()])
    ok(device.reportZ())
    // 6.00 contains 1.00 of tax, and the reversed 1.20 contains 0.20.
    expect(device.memory.grand).toEqual({ turnover: 949, tax: 149, reversal: 120, reversalTax: 20 })
    // The drawer is empty after a Z report, so the refund is by card.
    issue(device, REVERSAL, [bread({ taxCode: 4, price: 109 })], [{ mode: 1 }])
    ok(device.reportZ())
    expect(device.memory.grand).toEqual({ turnover: 949, tax: 149, reversal: 229, reversalTax: 29 })
  })

  it('do not include a Z report during which the power failed', () => {
    const memoryWrite: BookPoints['memoryWrite'] = (what) => {
      if (what === 'journal') throw new PowerCut()
    }
    const { device } = plainDevice({ points: { ...FREE_OF_TROUBLE, memoryWrite } })
    issue(device, SALE_RECEIPT, [bread()])
    // The device wrote the record but not the journal, so it rolls both back.
    expect(() => device.reportZ()).toThrow(PowerCut)
    expect(device.memory.grand.turnover).toBe(0)
    expect([device.memory.used, device.memory.remaining, device.memory.lastZ]).toEqual([0, 5, undefined])
    expect(device.day.total).toBe(120)
  })
})

describe('the room in the fiscal memory', () => {
  it('is used by Z reports alone', () => {
    const { device } = plainDevice()
    ok(device.registers.setTaxRates([1900, 900, 0, 0, 0, 0, 0, 0]))
    expect([device.memory.capacity, device.memory.used, device.memory.remaining]).toEqual([5, 0, 5])
    ok(device.reportZ())
    ok(device.reportZ())
    expect([device.memory.capacity, device.memory.used, device.memory.remaining]).toEqual([5, 2, 3])
  })

  it.each([
    // The memory is full for the running command only: nothing remains, but the used number is correct.
    { says: 'forThisCommand', used: 1, left: 0 },
    { says: 'persistent', used: 5, left: 0 },
    { says: false, used: 1, left: 4 },
  ] as const)('is $used used and $left remaining if the fault "full memory" is $says', ({ says, used, left }) => {
    const { device } = plainDevice({ points: { ...FREE_OF_TROUBLE, memoryIsFull: () => says } })
    if (left === 0) {
      const healthy = plainDevice().device
      ok(healthy.reportZ())
      device.restore(healthy.snapshot())
    } else ok(device.reportZ())
    expect([device.memory.used, device.memory.remaining]).toEqual([used, left])
  })

  it('is reported in the same way without the fault "full memory"', () => {
    const { device } = plainDevice({ points: FREE_OF_TROUBLE })
    expect([device.memory.used, device.memory.remaining]).toEqual([0, 5])
  })
})
