import request from 'supertest'
import { afterEach, describe, expect, it } from 'vitest'
import { tillAt } from '../../bin/till-over-service.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { Panel } from '../../emulator/panel/panel.ts'
import { settingsOf } from '../../server/config.ts'
import { createPanel } from '../support/panel.ts'

let ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends) await end()
  ends = []
})

function withPanel(family: Family, withTill = true): { emulator: Emulator; panel: Panel } {
  const emulator = createEmulator({ family })
  const till = tillAt(emulator, settingsOf({}, { family, profile: emulator.profile.profile }))
  const panel = createPanel(emulator, { till: withTill ? till : undefined })
  ends.push(
    () => panel.close(),
    () => emulator.close(),
  )
  return { emulator, panel }
}

const post = async ({ panel }: { panel: Panel }, path: string, body: object = {}) =>
  (await request(panel.app).post(path).set('Content-Type', 'application/json').send(JSON.stringify(body))).body

const RECEIPT = {
  ReceiptItems: [
    { Type: 1, PluSale: { PluNumber: 1, Quantity: 2, DiscountType: 2, DiscountValue: 10 } },
    { Type: 1, PluSale: { PluNumber: 2 } },
    { Type: 1, PluSale: { PluNumber: 2, Void: true } },
  ],
  Subtotal: { Print: true, DiscountType: 2, DiscountValue: 5 },
  Payments: [{ PaymentMode: 0, Amount: 20 }],
}

const rowsOf = ({ device }: Emulator, id: number) => {
  const receipt = device.journal.receipt(device.document(id)?.number ?? 0)
  return (
    receipt && {
      rows: receipt.rows,
      off: receipt.subtotalAdjustments,
      payments: receipt.payments,
      operator: receipt.operator,
    }
  )
}

describe.each(['A', 'B', 'C'] as const)('family %s', (family) => {
  it('prints a receipt, and prints it again with the same content, over its own line', async () => {
    const on = withPanel(family)
    expect(await post(on, '/emulator/receipts', RECEIPT)).toEqual({
      document: 1,
      documents: [1],
      message: null,
      errors: [],
    })
    expect(await post(on, '/emulator/documents/1/again')).toEqual({
      document: 2,
      documents: [2],
      message: null,
      errors: [],
    })
    expect(rowsOf(on.emulator, 1)?.rows).toHaveLength(3)
    expect(rowsOf(on.emulator, 2)).toEqual(rowsOf(on.emulator, 1))
    expect(on.emulator.framesOf(2).map(({ command }) => command)).toContain('openFiscal')
  })

  it.each([undefined, 'fiscalMemory'] as const)(
    'shows only the frames of the document, also of the first one after a reset that keeps %s',
    async (keep) => {
      const on = withPanel(family)
      await post(on, '/emulator/receipts', RECEIPT)
      await post(on, '/emulator/receipts', RECEIPT)
      await post(on, '/emulator/reset', keep && { keep })
      const { document } = await post(on, '/emulator/receipts', RECEIPT)
      const commands = on.emulator.framesOf(document).filter(({ direction }) => direction === 'toDevice')
      expect(commands.filter(({ command }) => command === 'openFiscal')).toHaveLength(1)
      expect(commands.filter(({ command }) => command === 'closeFiscal')).toHaveLength(1)
    },
  )

  it('says which member of the receipt is wrong, and prints nothing', async () => {
    const on = withPanel(family)
    const wrong = { ...RECEIPT, ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 'two' } }] }
    const { document, errors } = await post(on, '/emulator/receipts', wrong)
    expect([document, errors.map(({ path }: { path: string }) => path)]).toEqual([
      null,
      ['ReceiptItems[0].PluSale.Quantity'],
    ])
    expect(on.emulator.device.counters.lastDocument).toBe(0)
  })

  it('prints lines of text and an X report again, but no Z report', async () => {
    const on = withPanel(family)
    const { device } = on.emulator
    device.openNonFiscal({ operator: 1 })
    device.printText({ text: 'Opening hours' })
    device.printSeparator(2)
    device.closeNonFiscal()
    await post(on, '/emulator/documents/1/again')
    const body = (id: number) => device.document(id)?.text.filter((line) => /Opening/.test(line))
    expect(body(2)).toEqual(body(1))
    device.reportX()
    expect(await post(on, '/emulator/documents/3/again')).toEqual({
      document: 4,
      documents: [4],
      message: null,
      errors: [],
    })
    expect(device.document(4)?.kind).toBe('x')
    device.reportZ()
    expect(await post(on, '/emulator/documents/5/again')).toEqual({
      error: 'it cannot be printed again: a second Z report would close the current day',
    })
  })
})

it('an article whose price has changed is sold for the new price, which is reported', async () => {
  const on = withPanel('A')
  await post(on, '/emulator/receipts', RECEIPT)
  on.emulator.device.reportZ()
  on.emulator.device.articles.clearTurnover(1, 1)
  const dearer = [{ plu: 1, name: 'Bread', taxCode: 1, price: '9.99', department: 0 }]
  expect(await post(on, '/emulator/articles', dearer)).toMatchObject([{ price: '9.99' }])
  const { message } = await post(on, '/emulator/documents/1/again')
  expect(message).toBe('The total differs from the original: articles have other prices now.')
})

it('the till of the page does not cancel the open receipt of another program', async () => {
  const on = withPanel('A')
  const { device } = on.emulator
  device.openNonFiscal({ operator: 1 })
  device.printText({ text: 'Opening hours' })
  device.closeNonFiscal()
  device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
  const { document, message } = await post(on, '/emulator/documents/1/again')
  expect([document, message]).toEqual([null, expect.stringMatching(/receipt 2 is open/)])
  expect(device.receipt?.kind).toBe('fiscal')
})

describe.each(['A', 'B', 'C'] as const)('a receipt that another program has left open, family %s', (family) => {
  const left = (on: { emulator: Emulator }, paid: number) => {
    const { device } = on.emulator
    device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    device.sell({ name: 'Bread', taxCode: 1, price: 120, quantity: 1000, void: false })
    if (paid > 0) device.pay({ mode: 0, amount: paid })
  }
  const end = (on: { panel: Panel }, how: string) => post(on, '/emulator/receipt', { end: how })

  it('is cancelled', async () => {
    const on = withPanel(family)
    left(on, 0)
    expect(await end(on, 'cancel')).toEqual({ document: 1, documents: [1], message: null, errors: [] })
    expect([on.emulator.device.receipt, on.emulator.device.document(1)?.kind]).toEqual([null, 'cancelled'])
  })

  it.each([0, 50, 200])('is closed, paid with %i', async (paid) => {
    const on = withPanel(family)
    left(on, paid)
    expect(await end(on, 'close')).toEqual({ document: 1, documents: [1], message: null, errors: [] })
    expect(on.emulator.device.day).toMatchObject({ total: 120, payments: { 0: 120 } })
  })

  it('of text is closed', async () => {
    const on = withPanel(family)
    on.emulator.device.openNonFiscal({ operator: 1 })
    expect(await end(on, 'close')).toEqual({ document: 1, documents: [1], message: null, errors: [] })
    expect(await end(on, 'close')).toEqual({ error: 'no receipt is open' })
  })
})

it('a refusal of the device is reported, and the receipt remains open', async () => {
  const on = withPanel('A')
  const { device } = on.emulator
  device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
  device.sell({ name: 'Bread', taxCode: 1, price: 120, quantity: 1000, void: false })
  device.pay({ mode: 0, amount: 50 })
  const { document, errors } = await post(on, '/emulator/receipt', { end: 'cancel' })
  expect([document, errors.length, device.receipt?.kind]).toEqual([null, 1, 'fiscal'])
})

it('without paper nothing is printed, and that is reported', async () => {
  const on = withPanel('A')
  on.emulator.setPaper('out')
  const { document, errors } = await post(on, '/emulator/receipts', RECEIPT)
  expect(document).toBeNull()
  expect(errors[0].message).toMatch(/paper/)
})

it('without a service the page does not offer to print, and a call returns the reason', async () => {
  const on = withPanel('A', false)
  expect((await request(on.panel.app).get('/emulator/registers')).body.composes).toBe(false)
  expect((await post(on, '/emulator/receipts', RECEIPT)).error).toBe(
    'nothing was printed: no REST service runs on this device',
  )
})
