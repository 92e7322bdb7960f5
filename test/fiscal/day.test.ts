import { describe, expect, it } from 'vitest'
import { bread, ok, plainDevice, SALE_RECEIPT, sellReceipt } from './plain-device.ts'

const DAY = 24 * 60 * 60 * 1000

describe('in the totals of the day,', () => {
  it('sales are added only when their receipt is closed, and the sums agree', () => {
    const { device } = plainDevice()
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread({ adjustment: { kind: 'discount', percent: 1000 }, department: 3 })))
    ok(device.sell(bread({ taxCode: 2, price: 500, adjustment: { kind: 'surcharge', amount: 50 } })))
    ok(device.sell(bread({ taxCode: 4, price: 300 })))
    ok(device.sell(bread({ taxCode: 4, price: 300, void: true })))
    ok(device.subtotal({ print: true, display: false, adjustment: { kind: 'discount', amount: 58 } }))
    ok(device.pay({ mode: 1, amount: 200 }))
    ok(device.pay({ mode: 0, amount: 1000 }))
    expect(device.day.total).toBe(0)
    ok(device.closeFiscal())
    // 1.08 + 5.50 = 6.58; 0.58 off: A 1.08 x 0.58 / 6.58 = 0.095 -> 0.10, B 5.50 x 0.58 / 6.58 = 0.485 -> 0.48.
    expect(device.day).toMatchObject({
      taxes: [98, 502, 0, 0, 0, 0, 0, 0],
      total: 600,
      payments: { 0: 400, 1: 200 },
      tendered: { 0: 1000, 1: 200 },
      change: { 0: 600 },
      paymentCounts: { 0: 1, 1: 1 },
      discounts: { count: 2, amount: 70 },
      surcharges: { count: 1, amount: 50 },
      voids: { count: 1, amount: 300 },
      drawerCash: 400,
      receipts: 1,
      documents: 1,
      firstReceipt: 1,
      lastReceipt: 1,
    })
    expect(device.registers.departmentTotals(3).sales).toEqual({ count: 1, amount: 108 })
    expect(device.registers.operatorTotals(1)).toMatchObject({ receipts: 1, total: 600, payments: { 0: 400, 1: 200 } })
  })

  it('a cancelled receipt counts only in its own counter, and its number is used up', () => {
    const { device } = plainDevice()
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.sell(bread({ void: true, quantity: 500 })))
    ok(device.cancelFiscal())
    expect(device.day).toMatchObject({
      total: 0,
      receipts: 0,
      voids: { count: 0, amount: 0 },
      cancelled: { count: 1, amount: 60 },
    })
    expect(device.counters).toMatchObject({ lastDocument: 1, fiscalReceipts: 0, lastReceipt: 0 })
    expect(device.lastFiscal).toMatchObject({ document: 1, cancelled: true })
    expect(ok(device.openFiscal(SALE_RECEIPT)).document).toBe(2)
  })

  it('a cancelled receipt counts as issued if the family defines it', () => {
    const { device } = plainDevice({ rules: { cancelledCounts: true } })
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.cancelFiscal())
    expect(device.day).toMatchObject({ total: 0, receipts: 1, lastReceipt: 1, cancelled: { count: 1, amount: 120 } })
  })

  it('cash in and out of the drawer is counted, and the drawer never contains less than 0.00', () => {
    const { device } = plainDevice()
    expect(ok(device.cashInOut({ direction: 'in', amount: 5000, operator: 2 }))).toEqual({
      drawer: 5000,
      cashIn: 5000,
      cashOut: 0,
    })
    expect(device.cashInOut({ direction: 'out', amount: 5001 })).toEqual({ ok: false, refusal: 'notEnoughCash' })
    expect(ok(device.cashInOut({ direction: 'out', amount: 2000 }))).toEqual({
      drawer: 3000,
      cashIn: 5000,
      cashOut: 2000,
    })
    expect(ok(device.cashInOut({ direction: 'in', amount: 0 }))).toEqual({ drawer: 3000, cashIn: 5000, cashOut: 2000 })
    expect(device.documents().length).toBe(2)
    expect(device.registers.operatorTotals(2).cashIn).toEqual({ count: 1, amount: 5000 })
  })

  it('articles count their turnover and stock when the receipt is closed', () => {
    const { device } = plainDevice()
    ok(device.articles.addStock(1, 10_000))
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sellArticle({ plu: 1, quantity: 2500, void: false }))
    ok(device.sellArticle({ plu: 1, quantity: 2500, void: false }))
    ok(device.sellArticle({ plu: 1, quantity: 2500, void: true }))
    ok(device.pay({ mode: 0 }))
    expect(device.articles.get(1)).toMatchObject({ sold: 0, stock: 10_000 })
    ok(device.closeFiscal())
    expect(device.articles.get(1)).toMatchObject({ sold: 2500, turnover: 300, stock: 7500 })
    expect(device.registers.groupTotals(1).sales).toEqual({ count: 1, amount: 300 })
    expect(device.articles.remove(1, 1)).toEqual({ ok: false, refusal: 'articleHasTurnover' })
  })
})

describe('with X and Z reports,', () => {
  it('an X report changes only the document number, and a Z report writes a record, resets the day and continues the numbers', () => {
    const { device } = plainDevice()
    sellReceipt(device, [bread()])
    const x = ok(device.reportX())
    expect(x).toMatchObject({ number: 1, total: 120, receiptsCount: 1, firstReceipt: 1, document: 2 })
    const z = ok(device.reportZ())
    expect(z).toMatchObject({ number: 1, total: 120, document: 3, payments: { 0: 120 }, drawerCash: 120 })
    expect(device.day).toMatchObject({
      total: 0,
      receipts: 0,
      documents: 0,
      drawerCash: 0,
      since: null,
      firstReceipt: null,
    })
    expect(device.counters).toMatchObject({ lastZ: 1, lastDocument: 3, lastReceipt: 1 })
    expect(device.memory.z(1)).toEqual(z)
    expect(ok(device.reportZ()).number).toBe(2)
  })

  it('the archive can be searched by number and by date', () => {
    const { device, clock } = plainDevice()
    for (let day = 0; day < 3; day++) {
      sellReceipt(device, [bread({ price: 100 + day })])
      ok(device.reportZ())
      clock.advance(DAY)
    }
    expect(device.memory.zs(2, 3).map((z) => z.total)).toEqual([101, 102])
    expect(device.memory.zsByDate('2025-07-15', '2025-07-15').map((z) => z.number)).toEqual([2])
    expect(device.memory.z(4)).toBeUndefined()
    expect(device.memory.lastZ?.number).toBe(3)
    expect(device.memory.lastRecordAt).toBe('2025-07-16T10:00:00')
    expect(device.memory.events().map((event) => event.kind)).toEqual(['fiscalised', 'taxRates', 'z', 'z', 'z'])
  })

  it('the fiscal memory accepts a limited number of Z reports', () => {
    const { device } = plainDevice()
    for (let z = 0; z < device.memory.capacity; z++) ok(device.reportZ())
    expect(device.memory.remaining).toBe(0)
    expect(device.refusals.fiscalMemory()).toBe('fiscalMemoryFull')
    expect(device.reportZ()).toEqual({ ok: false, refusal: 'fiscalMemoryFull' })
  })

  it('the 24 hours count from the first receipt after the last Z report', () => {
    const { device, clock } = plainDevice()
    clock.advance(2 * DAY)
    expect(device.refusals.day()).toBeUndefined()
    sellReceipt(device, [bread()])
    clock.advance(DAY - 1)
    expect(device.refusals.day()).toBeUndefined()
    clock.advance(1)
    expect(device.refusals.day()).toBe('dayExpired')
    ok(device.reportZ())
    expect(device.refusals.day()).toBeUndefined()
  })

  it('tax rates change only on an empty day, and a limited number of times', () => {
    const { device } = plainDevice()
    const rates = [1900, 900, 0, 0, 0, 0, 0, null] as const
    sellReceipt(device, [bread()])
    expect(device.registers.setTaxRates(rates)).toEqual({ ok: false, refusal: 'dayNotClosed' })
    ok(device.reportZ())
    expect(ok(device.registers.setTaxRates(rates))).toEqual({ changesLeft: 1 })
    expect(ok(device.registers.setTaxRates(rates))).toEqual({ changesLeft: 0 })
    expect(device.registers.setTaxRates(rates)).toEqual({ ok: false, refusal: 'noChangesLeft' })
    expect(device.registers.taxRates[0]).toBe(1900)
  })

  it('tax rates are not written to a full memory', () => {
    const points = { memoryWrite: () => {}, paperLine: () => {}, memoryFull: () => true }
    const { device } = plainDevice({ points })
    expect(device.registers.setTaxRates([1900, 900, 0, 0, 0, 0, 0, null])).toEqual({
      ok: false,
      refusal: 'fiscalMemoryFull',
    })
    expect(device.registers.taxRates[0]).toBe(2000)
  })

  it('the clock cannot be set before the last record of the fiscal memory', () => {
    const { device } = plainDevice()
    ok(device.reportZ())
    expect(device.setClock('2025-07-14T09:59:59')).toEqual({ ok: false, refusal: 'clockBehind' })
    ok(device.setClock('2025-08-01T12:00:00'))
    expect(device.localTime()).toBe('2025-08-01T12:00:00')
  })

  it('a RAM reset loses the day and the registers, and leaves fiscal memory, journal and numbers', () => {
    const { device } = plainDevice()
    device.registers.setHeader(0, 'MY SHOP')
    sellReceipt(device, [bread()])
    ok(device.reportZ())
    sellReceipt(device, [bread()])
    const lines = device.journal.lines
    device.resetRam()
    expect(device.day.total).toBe(0)
    expect(device.clockSet).toBe(false)
    expect(device.registers.header[0]).toBe('CORNER SHOP')
    expect(device.registers.invoiceRange).toBeNull()
    expect(device.memory.lastZ?.total).toBe(120)
    expect(device.journal.lines).toBe(lines)
    expect(device.counters).toMatchObject({ lastDocument: 3, lastZ: 1, ramResets: 1 })
  })
})

describe('a reset that keeps the fiscal memory', () => {
  it('keeps a clock that is ahead, so that a Z report is accepted, and no other', () => {
    for (const [days, left] of [
      [2, 2],
      [-2, 0],
    ] as const) {
      const { device, clock } = plainDevice()
      const shifted = new Date(clock.wallTime() + days * 86_400_000).toISOString().slice(0, 19)
      ok(device.setClock(shifted))
      sellReceipt(device, [bread()])
      if (days > 0) ok(device.reportZ())
      device.reset({ keep: 'fiscalMemory' })
      expect(device.localTime()).toBe(new Date(clock.wallTime() + left * 86_400_000).toISOString().slice(0, 19))
      ok(device.reportZ())
    }
  })
})

describe('the articles of a device', () => {
  it('can be programmed, found, read one after the other and removed', () => {
    const { device } = plainDevice()
    const article = {
      plu: 50,
      name: 'Pen',
      taxCode: 1,
      department: 0,
      group: 1,
      priceType: 'free',
      price: 100,
      stock: null,
      barcodes: ['123'],
      unit: 0,
    } as const
    ok(device.articles.program(article))
    expect(device.articles.byBarcode('123')?.plu).toBe(50)
    expect(device.articles.program({ ...article, plu: 51 })).toEqual({ ok: false, refusal: 'articleNameExists' })
    expect(device.articles.program({ ...article, plu: 51, name: 'Pencil' })).toEqual({
      ok: false,
      refusal: 'articleBarcodeExists',
    })
    expect(device.articles.program({ ...article, barcodes: ['9', '9'] })).toEqual({
      ok: false,
      refusal: 'articleBarcodeExists',
    })
    ok(device.articles.program({ ...article, plu: 51, name: 'Pencil', barcodes: [] }))
    expect(device.articles.program({ ...article, plu: 52, name: 'Paper', barcodes: [] })).toEqual({
      ok: false,
      refusal: 'articleTableFull',
    })
    expect(device.articles.next(11, 'up')?.plu).toBe(50)
    expect(device.articles.next(49, 'down')?.plu).toBe(10)
    expect(device.articles.nextFree(50, 'up')).toBe(52)
    expect(device.articles.nextFree(10, 'down')).toBeUndefined()
    expect(ok(device.articles.remove(50, 60))).toEqual({ removed: 2 })
    expect(device.articles.count).toBe(10)
  })
})
