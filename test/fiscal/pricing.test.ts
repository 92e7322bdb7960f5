/** Sales and voids: refusals, and cases at their limits (sheets A 6.4, B 10.4, C 4.8). */
import { describe, expect, it } from 'vitest'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { Outcome } from '../../emulator/fiscal/types/outcome.ts'
import type { BookRules, DeviceProfile } from '../../emulator/fiscal/types/profile.ts'
import type { Sale } from '../../emulator/fiscal/types/receipt.ts'
import type { ProgrammedArticle } from '../../emulator/fiscal/types/registers.ts'
import { answerOf, bread, ok, plainDevice, profileWith, REVERSAL, SALE_RECEIPT } from './plain-device.ts'

const PEN: ProgrammedArticle = {
  plu: 50,
  name: 'Pen',
  taxCode: 1,
  department: 0,
  group: 0,
  priceType: 'free',
  price: 100,
  stock: null,
  barcodes: [],
  unit: 0,
}

const sellPen = (device: FiscalDevice, quantity = 1000, change: { price?: number; void?: boolean } = {}) =>
  device.sellArticle({ plu: 50, quantity, void: false, ...change })

describe('the price of an article (A 58: fixed, free, or at most the programmed one)', () => {
  it.each([
    { priceType: 'fixed', price: undefined, answer: 100 },
    { priceType: 'fixed', price: 100, answer: 100 },
    { priceType: 'fixed', price: 99, answer: 'articlePriceFixed' },
    { priceType: 'free', price: 99, answer: 99 },
    { priceType: 'free', price: 101, answer: 101 },
    { priceType: 'maximum', price: 1, answer: 1 },
    { priceType: 'maximum', price: 100, answer: 100 },
    { priceType: 'maximum', price: 101, answer: 'articlePriceAboveMaximum' },
    { priceType: 'free', price: 0, answer: 'articleWithoutPrice' },
  ] as const)(
    'has the result $answer if the type is $priceType and the article is sold for $price',
    ({ priceType, price, answer }) => {
      const { device } = plainDevice()
      ok(device.articles.program({ ...PEN, priceType }))
      ok(device.openFiscal(SALE_RECEIPT))
      const outcome = sellPen(device, 1000, price === undefined ? {} : { price })
      expect(outcome.ok ? outcome.value.amount : outcome.refusal).toBe(answer)
    },
  )

  it('is refused if the article was programmed without a price', () => {
    const { device } = plainDevice()
    ok(device.articles.program({ ...PEN, priceType: 'fixed', price: 0 }))
    ok(device.openFiscal(SALE_RECEIPT))
    expect(answerOf(sellPen(device))).toBe('articleWithoutPrice')
  })
})

describe('the stock of an article, if the family tracks it (B 10.4),', () => {
  const withStock = (stock: number | null, rules: Partial<BookRules> = { stockChecked: true }) => {
    const { device } = plainDevice({ rules })
    ok(device.articles.program({ ...PEN, stock }))
    return device
  }

  it('can be sold to the last piece, but not one thousandth more', () => {
    const device = withStock(2000)
    ok(device.openFiscal(SALE_RECEIPT))
    expect(answerOf(sellPen(device, 2001))).toBe('outOfStock')
    ok(sellPen(device, 1500))
    expect(answerOf(sellPen(device, 501))).toBe('outOfStock')
    ok(sellPen(device, 500))
    expect(answerOf(sellPen(device, 1))).toBe('outOfStock')
  })

  it('does not limit voids: the voided pieces can be sold again', () => {
    const device = withStock(2000)
    ok(device.openFiscal(SALE_RECEIPT))
    ok(sellPen(device, 2000))
    ok(sellPen(device, 1000, { void: true }))
    ok(sellPen(device, 1000))
    expect(answerOf(sellPen(device, 1000))).toBe('outOfStock')
  })

  it('does not limit reversals', () => {
    const device = withStock(0)
    ok(device.cashInOut({ direction: 'in', amount: 1000 }))
    ok(device.openFiscal(REVERSAL))
    ok(sellPen(device, 3000))
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
    expect(device.articles.get(50)?.stock).toBe(3000)
  })

  it('does not run out if it is not tracked', () => {
    const device = withStock(null)
    ok(device.openFiscal(SALE_RECEIPT))
    ok(sellPen(device, 99_000))
  })

  it('may become negative in another family', () => {
    const device = withStock(1000, {})
    ok(device.openFiscal(SALE_RECEIPT))
    ok(sellPen(device, 3000))
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
    expect(device.articles.get(50)?.stock).toBe(-2000)
  })
})

const LIMITED: Partial<BookRules> = { rowMaximum: 10_000, receiptMaximum: 15_000 }
type Step = (device: FiscalDevice) => Outcome<unknown>
interface Case {
  readonly what: string
  readonly rules?: Partial<BookRules>
  readonly profile?: Partial<DeviceProfile>
  readonly setting?: Step
  readonly before?: readonly Step[]
  readonly act: Step
  readonly answer: string
}
const sell =
  (change: Partial<Sale>): Step =>
  (device) =>
    device.sell(bread(change))
const voided = (change: Partial<Sale> = {}): Step => sell({ void: true, ...change })
const halfOff: Step = (device) =>
  device.subtotal({ print: true, display: false, adjustment: { kind: 'discount', percent: 5000 } })

const limits: readonly Case[] = [
  { what: 'the last tax group', profile: { taxGroups: 5 }, act: sell({ taxCode: 5 }), answer: 'ok' },
  { what: 'a tax group more', profile: { taxGroups: 5 }, act: sell({ taxCode: 6 }), answer: 'taxGroupDisabled' },
  {
    what: 'a tax group that the device lacks, whatever rate was written for it',
    profile: { taxGroups: 5 },
    setting: (device) => device.registers.setTaxRates([2000, 2000, 2000, 900, 0, 900, 0, 0]),
    act: sell({ taxCode: 6 }),
    answer: 'taxGroupDisabled',
  },
  { what: 'no department', act: sell({ department: 0 }), answer: 'ok' },
  { what: 'the last department', act: sell({ department: 99 }), answer: 'ok' },
  { what: 'a department more', act: sell({ department: 100 }), answer: 'departmentUnknown' },
  { what: 'a department below 0', act: sell({ department: -1 }), answer: 'departmentUnknown' },
  { what: 'the largest row', rules: LIMITED, act: sell({ price: 10_000 }), answer: 'ok' },
  { what: 'a hundredth above it', rules: LIMITED, act: sell({ price: 10_001 }), answer: 'rowTooLarge' },
  {
    what: 'a row above it that a discount would bring below',
    rules: LIMITED,
    act: sell({ price: 10_001, adjustment: { kind: 'discount', amount: 5000 } }),
    answer: 'rowTooLarge',
  },
  {
    what: 'a row that a surcharge brings above it',
    rules: LIMITED,
    act: sell({ price: 10_000, adjustment: { kind: 'surcharge', amount: 1 } }),
    answer: 'rowTooLarge',
  },
  {
    what: 'the largest receipt',
    rules: LIMITED,
    before: [sell({ price: 10_000 })],
    act: sell({ price: 5000 }),
    answer: 'ok',
  },
  {
    what: 'a hundredth above the largest receipt',
    rules: LIMITED,
    before: [sell({ price: 10_000 })],
    act: sell({ price: 5001 }),
    answer: 'receiptTooLarge',
  },
  {
    what: 'a row of nothing with a surcharge',
    act: sell({ price: 1, quantity: 499, adjustment: { kind: 'surcharge', amount: 50 } }),
    answer: 'zeroRow',
  },
]

/**
 * B 10.4: a void must equal one whole earlier row of the same article, or of the same group and department, in price
 * and quantity.
 */
const REPEATS: Partial<BookRules> = { voidRepeatsRow: true }
const voids: readonly Case[] = [
  {
    what: 'after an adjusted subtotal, if the family allows it',
    before: [sell({ price: 200 }), sell({}), halfOff],
    act: voided(),
    answer: 'ok',
  },
  {
    what: 'without an adjusted subtotal, if the family forbids a row after one',
    rules: { voidAfterSubtotalAdjustment: false },
    before: [sell({})],
    act: voided(),
    answer: 'ok',
  },
  {
    what: 'of any name, if turnover of the group is enough (C 4.8)',
    rules: { voidMatches: 'group' },
    before: [sell({ price: 500 })],
    act: voided({ name: 'Coupon', price: 500 }),
    answer: 'ok',
  },
  {
    what: 'of more than that turnover',
    rules: { voidMatches: 'group' },
    before: [sell({ price: 500 }), sell({ taxCode: 2 })],
    act: voided({ name: 'Coupon', price: 501 }),
    answer: 'nothingToVoid',
  },
  {
    what: 'of an article that was not sold, there too',
    rules: { voidMatches: 'group' },
    before: [sell({ price: 500 })],
    act: voided({ plu: 7 }),
    answer: 'nothingToVoid',
  },
  {
    what: 'of an article at another price, there',
    rules: { voidMatches: 'group' },
    before: [sell({ plu: 7, price: 500 })],
    act: voided({ plu: 7 }),
    answer: 'ok',
  },
  {
    what: 'of an article at another price, if rows are matched',
    before: [sell({ plu: 7, price: 500 })],
    act: voided({ plu: 7 }),
    answer: 'nothingToVoid',
  },
  {
    what: 'of a whole earlier row',
    rules: REPEATS,
    before: [sell({}), sell({ price: 7 })],
    act: voided(),
    answer: 'ok',
  },
  {
    what: 'of that row again',
    rules: REPEATS,
    before: [sell({}), voided()],
    act: voided(),
    answer: 'nothingToVoid',
  },
  {
    what: 'of a row at another price',
    rules: REPEATS,
    before: [sell({ price: 200 })],
    act: voided(),
    answer: 'nothingToVoid',
  },
  {
    what: 'of a row of another quantity',
    rules: REPEATS,
    before: [sell({ quantity: 2000 })],
    act: voided(),
    answer: 'nothingToVoid',
  },
  {
    what: 'of a row of another tax group',
    rules: REPEATS,
    before: [sell({ taxCode: 2 }), sell({ price: 500 })],
    act: voided(),
    answer: 'nothingToVoid',
  },
  {
    what: 'of a row of another department',
    rules: REPEATS,
    before: [sell({ department: 2 })],
    act: voided({ department: 1 }),
    answer: 'nothingToVoid',
  },
  {
    what: 'of an article by a free sale',
    rules: REPEATS,
    before: [sell({ plu: 7 })],
    act: voided(),
    answer: 'nothingToVoid',
  },
  {
    what: 'of another article',
    rules: REPEATS,
    before: [sell({ plu: 7 })],
    act: voided({ plu: 8 }),
    answer: 'nothingToVoid',
  },
  {
    what: 'of an article, whatever group and department are named',
    rules: REPEATS,
    before: [sell({ plu: 7, department: 2 })],
    act: voided({ plu: 7 }),
    answer: 'ok',
  },
]

const tried = ({ rules = {}, profile = {}, setting, before = [], act }: Case): string => {
  const { device } = plainDevice({ profile: profileWith(rules, profile) })
  if (setting) ok(setting(device))
  ok(device.openFiscal(SALE_RECEIPT))
  for (const step of before) ok(step(device))
  return answerOf(act(device))
}

describe('a sale', () => {
  it.each(limits)('has the result $answer: $what', (row) => {
    expect(tried(row)).toBe(row.answer)
  })
})

describe('a void', () => {
  it.each(voids)('has the result $answer: $what', (row) => {
    expect(tried(row)).toBe(row.answer)
  })
})
