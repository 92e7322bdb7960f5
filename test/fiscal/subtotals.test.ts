/** Adjusted subtotals: refusals, cases at their limits, and printed lines (sheets A 6.4, B 10.5, C 4.9). */
import { describe, expect, it } from 'vitest'
import type { Adjustment } from '../../drivers/model/receipt.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { BookRules } from '../../emulator/fiscal/types/profile.ts'
import type { Sale } from '../../emulator/fiscal/types/receipt.ts'
import { answerOf, bread, inHand, ok, plainDevice, SALE_RECEIPT } from './plain-device.ts'

const off = (amount: number): Adjustment => ({ kind: 'discount', amount })
const on = (amount: number): Adjustment => ({ kind: 'surcharge', amount })
const percentOff = (percent: number): Adjustment => ({ kind: 'discount', percent })
const adjust = (device: FiscalDevice, adjustment: Adjustment) =>
  device.subtotal({ print: true, display: false, adjustment })

interface Adjusted {
  readonly what: string
  readonly rules?: Partial<BookRules>
  readonly sales: readonly Sale[]
  readonly earlier?: Adjustment
  readonly adjustment: Adjustment
  readonly answer: number | string
}

const ONE_GROUP: Partial<BookRules> = { subtotalAmountOneGroupOnly: true }
const LIMITED: Partial<BookRules> = { receiptMaximum: 10_000 }
const NOTHING_LEFT = [bread(), bread({ void: true })]

const adjusted: readonly Adjusted[] = [
  { what: 'a percentage of no sale', sales: [], adjustment: percentOff(1000), answer: 'noSale' },
  { what: 'an amount of no sale', sales: [], adjustment: on(10), answer: 'noSale' },
  { what: 'an amount on sales that were all voided', sales: NOTHING_LEFT, adjustment: on(10), answer: 'totalZero' },
  { what: 'a percentage of them', sales: NOTHING_LEFT, adjustment: percentOff(1000), answer: 0 },
  { what: 'a discount of the whole total', sales: [bread()], adjustment: off(120), answer: 0 },
  { what: 'a hundredth more', sales: [bread()], adjustment: off(121), answer: 'adjustmentAboveTotal' },
  { what: 'a surcharge above the total', sales: [bread()], adjustment: on(500), answer: 620 },
  { what: 'a discount of 100 %', sales: [bread()], adjustment: percentOff(10_000), answer: 0 },
  {
    what: 'a discount above 100 %',
    sales: [bread({ price: 10_000 })],
    adjustment: percentOff(10_001),
    answer: 'negativeGroup',
  },
  { what: 'a second one', sales: [bread()], earlier: off(10), adjustment: off(10), answer: 100 },
  {
    what: 'the first, if only one is allowed',
    rules: { subtotalAdjustments: 'once' },
    sales: [bread()],
    adjustment: off(10),
    answer: 110,
  },
  {
    what: 'the second there',
    rules: { subtotalAdjustments: 'once' },
    sales: [bread()],
    earlier: off(10),
    adjustment: off(10),
    answer: 'secondSubtotalAdjustment',
  },
  { what: 'an amount on one group (C)', rules: ONE_GROUP, sales: [bread()], adjustment: off(20), answer: 100 },
  {
    what: 'an amount on two groups (C)',
    rules: ONE_GROUP,
    sales: [bread(), bread({ taxCode: 2 })],
    adjustment: off(20),
    answer: 'mixedGroups',
  },
  {
    what: 'a percentage of two groups (C)',
    rules: ONE_GROUP,
    sales: [bread(), bread({ taxCode: 2 })],
    adjustment: percentOff(5000),
    answer: 120,
  },
  {
    what: 'a surcharge up to the largest receipt',
    rules: LIMITED,
    sales: [bread({ price: 9000 })],
    adjustment: on(1000),
    answer: 10_000,
  },
  {
    what: 'a hundredth above it',
    rules: LIMITED,
    sales: [bread({ price: 9000 })],
    adjustment: on(1001),
    answer: 'receiptTooLarge',
  },
]

describe('an adjusted subtotal', () => {
  it.each(adjusted)('has the result $answer: $what', ({ rules, sales, earlier, adjustment, answer }) => {
    const device = plainDevice(rules ? { rules } : {}).device
    ok(device.openFiscal(SALE_RECEIPT))
    for (const sale of sales) ok(device.sell(sale))
    if (earlier) ok(adjust(device, earlier))
    const outcome = adjust(device, adjustment)
    expect(outcome.ok ? outcome.value.total : outcome.refusal).toBe(answer)
  })

  it('without an adjustment does not count as the permitted one', () => {
    const device = plainDevice({ rules: { subtotalAdjustments: 'once' } }).device
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.subtotal({ print: true, display: false }))
    expect(inHand(device).subtotalAdjustments).toEqual([])
    expect(ok(adjust(device, off(20)))).toMatchObject({ before: 120, adjusted: -20, total: 100 })
  })

  it('can be queried during the payment if the family allows it (B 9), but not adjusted then', () => {
    const device = plainDevice({ rules: { subtotalWhilePaying: true } }).device
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.pay({ mode: 1, amount: 20 }))
    expect(ok(device.subtotal({ print: false, display: false })).total).toBe(120)
    expect(answerOf(adjust(device, off(20)))).toBe('paymentStarted')
  })
})

describe('the subtotal on paper', () => {
  it.each([
    { print: false, adjusted: false, lines: [] },
    { print: true, adjusted: false, lines: ['SUBTOTAL 1.20'] },
    // C 4.9: a subtotal with a discount is always printed.
    { print: false, adjusted: true, lines: ['SUBTOTAL 1.20', 'SUBTOTAL 1.00'] },
    { print: true, adjusted: true, lines: ['SUBTOTAL 1.20', 'SUBTOTAL 1.00'] },
  ])(
    'appears if its print is requested or it is adjusted (print: $print, adjusted: $adjusted)',
    ({ print, adjusted, lines }) => {
      const { device } = plainDevice()
      ok(device.openFiscal(SALE_RECEIPT))
      ok(device.sell(bread()))
      const adjustment = { kind: 'discount', amount: 20 } as const
      ok(device.subtotal({ print, display: false, ...(adjusted && { adjustment }) }))
      ok(device.pay({ mode: 0 }))
      ok(device.closeFiscal())
      const printed = device.journal.linesOf(1).filter((line) => line.startsWith('SUBTOTAL'))
      expect(printed.map((line) => line.trim().replace(/ +/, ' '))).toEqual(lines)
      const subtotals = device.printedSteps(1)?.filter((step) => step.asked?.ask === 'subtotal')
      expect(subtotals?.length).toBe(lines.length === 0 ? 0 : 1)
    },
  )
})
