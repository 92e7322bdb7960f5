import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Adjustment } from '../../drivers/model/receipt.ts'
import { includedTax } from '../../emulator/fiscal/rounding.ts'
import { applyPayment } from '../../emulator/fiscal/totals.ts'
import type { Sale } from '../../emulator/fiscal/types/receipt.ts'
import { bread, ok, plainDevice, SALE_RECEIPT, sellReceipt } from './plain-device.ts'

interface Step {
  readonly sell?: Omit<Sale, 'void'>
  readonly void?: Omit<Sale, 'void'>
  readonly subtotal?: Adjustment
}

interface Worked {
  readonly name: string
  readonly work: string
  readonly steps: readonly Step[]
  readonly groups: readonly number[]
  readonly total: number
}

const file = new URL('../../fixtures/receipts/worked-by-hand.json', import.meta.url)
const receipts = JSON.parse(readFileSync(file, 'utf8')) as readonly Worked[]

describe('the device computes receipts as by hand:', () => {
  it.each(receipts.map((one) => [one.name, one.work, one] as const))(
    '%s (%s)',
    (_name, _work, { steps, groups, total }) => {
      const { device } = plainDevice()
      ok(device.openFiscal(SALE_RECEIPT))
      for (const step of steps) {
        if (step.sell) ok(device.sell({ ...step.sell, void: false }))
        if (step.void) ok(device.sell({ ...step.void, void: true }))
        if (step.subtotal) ok(device.subtotal({ print: true, display: false, adjustment: step.subtotal }))
      }
      const receipt = device.receipt?.kind === 'fiscal' ? device.receipt.fiscal : undefined
      expect({ groups: receipt?.groups, total: receipt?.total, rest: receipt?.rest }).toEqual({
        groups,
        total,
        rest: total,
      })
    },
  )
})

describe('the books of a device:', () => {
  it.each([
    { gross: 120, rate: 2000, tax: 20, work: '1.20 x 20 / 120 = 0.20' },
    { gross: 119, rate: 2000, tax: 20, work: '1.19 x 20 / 120 = 0.19833' },
    { gross: 250, rate: 900, tax: 21, work: '2.50 x 9 / 109 = 0.20642' },
    { gross: 3, rate: 2000, tax: 1, work: '0.03 x 20 / 120 = 0.005, half, up' },
    { gross: 500, rate: 0, tax: 0, work: 'nothing of it' },
    { gross: 500, rate: null, tax: 0, work: 'a disabled group has no tax' },
  ])('$gross hundredths at $rate contain $tax of tax: $work', ({ gross, rate, tax }) => {
    expect(includedTax(gross, rate)).toBe(tax)
  })

  it('a Z report computes tax from the sums of the day: two receipts of 0.03 contain 0.01 together, not 0.01 each', () => {
    const { device } = plainDevice()
    sellReceipt(device, [bread({ price: 3 })])
    sellReceipt(device, [bread({ price: 3 })])
    expect(ok(device.reportZ()).taxes[0]).toEqual({
      taxCode: 1,
      rate: 2000,
      turnover: 6,
      tax: 1,
      reversal: 0,
      reversalTax: 0,
    })
  })

  it.each([
    { rest: 790, tendered: 500, left: 290, change: 0 },
    { rest: 290, tendered: 290, left: 0, change: 0 },
    { rest: 290, tendered: 1000, left: 0, change: 710 },
    { rest: 0, tendered: 0, left: 0, change: 0 },
  ])('a payment of $tendered for $rest leaves $left and gives $change back', ({ rest, tendered, left, change }) => {
    expect(applyPayment(rest, tendered)).toEqual({ rest: left, change })
  })
})
