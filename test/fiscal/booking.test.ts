import { describe, expect, it } from 'vitest'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { BookRules } from '../../emulator/fiscal/types/profile.ts'
import type { Sale } from '../../emulator/fiscal/types/receipt.ts'
import { bread, INVOICE, issue, ok, plainDevice, REVERSAL, SALE_RECEIPT } from './plain-device.ts'

type Sold = readonly [count: number, amount: number, quantity: number]
const NONE: Sold = [0, 0, 0]
const soldIn = (device: FiscalDevice, department: number): Sold => {
  const { sales, quantity = 0 } = device.registers.departmentTotals(department)
  return [sales.count, sales.amount, quantity]
}

const inDepartment = (department: number, change: Partial<Sale> = {}): Sale => bread({ department, ...change })
/** A void of free sales names no department. */
const back = (change: Partial<Sale> = {}): Sale => bread({ void: true, ...change })

interface Taken {
  readonly what: string
  readonly rules?: Partial<BookRules>
  readonly sales: readonly Sale[]
  readonly departments: readonly Sold[]
}

/** Cases of a void. Bread costs 1.20, the quantity is one piece, and the tax group is A. */
const taken: readonly Taken[] = [
  {
    what: 'the last row of that price and quantity',
    sales: [inDepartment(1), inDepartment(2), back()],
    departments: [[1, 120, 1000], NONE],
  },
  {
    what: 'a row of that quantity rather than a later one of another',
    sales: [
      inDepartment(1, { quantity: 2000 }),
      inDepartment(2),
      inDepartment(3, { quantity: 3000 }),
      back({ quantity: 2000 }),
    ],
    departments: [NONE, [1, 120, 1000], [1, 360, 3000]],
  },
  {
    what: 'a part of a row, which stays a sale',
    sales: [inDepartment(1, { quantity: 3000 }), back()],
    departments: [[1, 240, 2000]],
  },
  {
    what: 'a row in two parts, which is not counted as a sale if nothing is left',
    sales: [inDepartment(1, { quantity: 3000 }), back(), back({ quantity: 2000 })],
    departments: [NONE],
  },
  {
    what: 'as many rows as it needs',
    sales: [inDepartment(1), inDepartment(1), inDepartment(1), back({ quantity: 2000 })],
    departments: [[1, 120, 1000]],
  },
  {
    what: 'another row than the void before it',
    sales: [inDepartment(1), inDepartment(2), back(), back()],
    departments: [NONE, NONE],
  },
  {
    what: 'nothing that is sold after it',
    sales: [inDepartment(1), back(), inDepartment(2)],
    departments: [NONE, [1, 120, 1000]],
  },
  {
    what: 'no row of another name',
    sales: [inDepartment(1), inDepartment(2, { name: 'Roll' }), back()],
    departments: [NONE, [1, 120, 1000]],
  },
  {
    what: 'no row of another tax group',
    sales: [inDepartment(1), inDepartment(2, { taxCode: 2 }), back()],
    departments: [NONE, [1, 120, 1000]],
  },
  {
    what: 'no article of the same name',
    sales: [inDepartment(1), inDepartment(2, { plu: 7 }), back()],
    departments: [NONE, [1, 120, 1000]],
  },
  {
    what: 'no row of another price',
    sales: [inDepartment(1, { quantity: 2000 }), inDepartment(2, { price: 200 }), back()],
    departments: [
      [1, 120, 1000],
      [1, 200, 1000],
    ],
  },
  {
    what: 'no other article',
    sales: [inDepartment(1, { plu: 1 }), inDepartment(2, { plu: 2 }), back({ plu: 1 })],
    departments: [NONE, [1, 120, 1000]],
  },
  {
    what: 'of an article a row of that price first',
    rules: { voidMatches: 'group' },
    sales: [
      inDepartment(1, { plu: 7, price: 100 }),
      inDepartment(2, { plu: 7, price: 200 }),
      back({ plu: 7, price: 100 }),
    ],
    departments: [NONE, [1, 200, 1000]],
  },
  {
    what: 'of its own department if nothing of the kind was sold',
    rules: { voidMatches: 'group' },
    sales: [inDepartment(1, { price: 500 }), back({ name: 'Coupon', price: 100, department: 2 })],
    departments: [
      [1, 500, 1000],
      [0, -100, -1000],
    ],
  },
]

describe('a void reverses', () => {
  it.each(taken.map((one) => [one.what, one] as const))('%s', (_what, { rules, sales, departments }) => {
    const { device } = plainDevice({ rules: { zeroTotal: true, ...rules } })
    issue(device, SALE_RECEIPT, sales)
    expect(departments.map((_, index) => soldIn(device, index + 1))).toEqual(departments)
  })
})

describe('departments and item groups', () => {
  it('of one receipt stay as they are when another receipt sells elsewhere', () => {
    const { device } = plainDevice()
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(inDepartment(3)))
    // Bread belongs to item group 1, and the newspaper to group 3.
    ok(device.sellArticle({ plu: 1, quantity: 1000, void: false }))
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(inDepartment(4, { quantity: 2000 })))
    ok(device.sellArticle({ plu: 7, quantity: 2000, void: false }))
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
    expect([soldIn(device, 3), soldIn(device, 4)]).toEqual([
      [1, 120, 1000],
      [1, 240, 2000],
    ])
    expect(device.registers.groupTotals(1)).toMatchObject({ sales: { count: 1, amount: 120 }, quantity: 1000 })
    expect(device.registers.groupTotals(3)).toMatchObject({ sales: { count: 1, amount: 500 }, quantity: 2000 })
  })

  it('count the amount of a reversal separately, and subtract its pieces from those sold', () => {
    const { device } = plainDevice()
    issue(device, SALE_RECEIPT, [inDepartment(3, { quantity: 3000 })])
    issue(device, REVERSAL, [inDepartment(3)])
    expect(device.registers.departmentTotals(3)).toEqual({
      sales: { count: 1, amount: 360 },
      reversals: { count: 1, amount: 120 },
      quantity: 2000,
    })
  })

  it('have no number 0: nothing is counted under 0', () => {
    const { device } = plainDevice()
    const { turnover, sold, ...article } = device.articles.get(1) ?? {}
    expect([turnover, sold]).toEqual([0, 0])
    ok(device.articles.program({ ...article, plu: 50, name: 'Pen', group: 0 } as never))
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.sellArticle({ plu: 50, quantity: 1000, void: false }))
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
    const nothing = { sales: { count: 0, amount: 0 }, reversals: { count: 0, amount: 0 } }
    expect(device.registers.departmentTotals(0)).toEqual(nothing)
    expect(device.registers.groupTotals(0)).toEqual(nothing)
    expect(device.articles.get(50)).toMatchObject({ turnover: 120, sold: 1000 })
  })

  it('an article that is removed while its receipt is open does not prevent the close', () => {
    const { device } = plainDevice()
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sellArticle({ plu: 1, quantity: 1000, void: false }))
    ok(device.articles.remove(1, 1))
    ok(device.pay({ mode: 0 }))
    expect(ok(device.closeFiscal()).total).toBe(120)
    expect(device.registers.groupTotals(1).sales.count).toBe(0)
  })

  it('get their share of an adjusted subtotal if the family defines it', () => {
    for (const [subtotalReachesRows, first, second] of [
      [true, 270, 540],
      [false, 300, 600],
    ] as const) {
      const { device } = plainDevice({ rules: { subtotalReachesRows } })
      ok(device.openFiscal(SALE_RECEIPT))
      ok(device.sell(inDepartment(1, { price: 300 })))
      ok(device.sell(inDepartment(2, { price: 600 })))
      // 10 % off 9.00 in one tax group is 0.90: 0.30 off the first row and 0.60 off the second.
      ok(device.subtotal({ print: true, display: false, adjustment: { kind: 'discount', percent: 1000 } }))
      ok(device.pay({ mode: 0 }))
      expect(ok(device.closeFiscal()).total).toBe(810)
      expect([soldIn(device, 1)[1], soldIn(device, 2)[1]]).toEqual([first, second])
    }
  })
})

describe('the running numbers', () => {
  it('count fiscal receipts with invoices, and non-fiscal receipts', () => {
    const { device, clock } = plainDevice()
    issue(device, SALE_RECEIPT, [bread()])
    issue(device, INVOICE, [bread()])
    clock.advance(60_000)
    issue(device, INVOICE, [bread()])
    for (const document of [4, 5]) {
      expect(ok(device.openNonFiscal())).toEqual({ document })
      expect(ok(device.closeNonFiscal())).toEqual({ document })
    }
    expect(device.counters).toMatchObject({
      fiscalReceipts: 3,
      invoices: 2,
      nonFiscal: 2,
      lastReceipt: 3,
      lastReceiptAt: Date.parse('2025-07-14T10:01:00Z'),
      lastDocument: 5,
    })
  })
})

describe('the last fiscal receipt can be read back', () => {
  it('with its payments, and the number of its Z report', () => {
    const { device } = plainDevice({ rules: { nonCashChange: true } })
    ok(device.reportZ())
    issue(
      device,
      SALE_RECEIPT,
      [bread(), bread({ taxCode: 2 })],
      [
        { mode: 0, amount: 100 },
        { mode: 1, amount: 200, changeMode: 1 },
      ],
    )
    expect(device.lastFiscal).toStrictEqual({
      document: 2,
      closure: 2,
      receiptOfDay: 1,
      items: 2,
      total: 240,
      paid: 300,
      change: 60,
      cancelled: false,
      invoice: false,
      reversal: false,
      groups: [120, 120, 0, 0, 0, 0, 0, 0],
      closedAt: Date.parse('2025-07-14T10:00:00Z'),
      payments: [
        { mode: 0, amount: 100 },
        { mode: 1, amount: 200, changeMode: 1 },
      ],
    })
  })

  it('with the number of an invoice', () => {
    const { device } = plainDevice()
    device.registers.setInvoiceRange({ start: 41, end: 50 })
    issue(device, INVOICE, [bread()])
    expect(device.lastFiscal).toMatchObject({ invoice: true, invoiceNumber: 41, reversal: false, cancelled: false })
  })

  it('as a reversal if it is a reversal', () => {
    const { device } = plainDevice()
    issue(device, SALE_RECEIPT, [bread()])
    issue(device, REVERSAL, [bread()])
    expect(device.lastFiscal).toMatchObject({ document: 2, receiptOfDay: 2, reversal: true, invoice: false })
  })
})
