import { describe, expect, it } from 'vitest'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { DeviceEvent } from '../../emulator/fiscal/types/events.ts'
import { paperText } from '../../emulator/print/text-paper.ts'
import { bread, ENGLISH_PAPER, ok, plainDevice, profileWith, SALE_RECEIPT, sellReceipt } from './plain-device.ts'

function fullReceipt(device: FiscalDevice): void {
  ok(device.openFiscal({ ...SALE_RECEIPT, saleNumber: 'TT000001-0001-0000001' }))
  ok(
    device.sell(
      bread({
        name: 'Green apples',
        price: 250,
        quantity: 1500,
        unit: 'kg',
        adjustment: { kind: 'discount', percent: 1000 },
      }),
    ),
  )
  ok(device.sell(bread({ taxCode: 2 })))
  ok(device.sell(bread({ taxCode: 2, void: true })))
  ok(device.sellArticle({ plu: 8, quantity: 2000, void: false, adjustment: { kind: 'surcharge', amount: 20 } }))
  ok(
    device.sell(
      bread({ name: 'A name that is much longer than the line of this printer is wide', taxCode: 4, price: 1 }),
    ),
  )
  ok(device.subtotal({ print: true, display: false, adjustment: { kind: 'discount', amount: 100 } }))
  ok(device.printText({ text: 'Points on your card: 12', alignment: 'center', bold: true }))
  ok(device.printBarcode({ type: 2, data: '5901234123457' }, 'EAN-13'))
  ok(device.printSeparator(3))
  ok(device.pay({ mode: 1, amount: 1000 }))
  ok(device.pay({ mode: 0, amount: 3000 }))
  ok(device.closeFiscal())
}

const documents: Readonly<Record<string, (device: FiscalDevice) => unknown>> = {
  receipt: fullReceipt,
  invoice: (device) => {
    ok(device.openFiscal({ ...SALE_RECEIPT, invoice: true }))
    ok(device.sell(bread()))
    ok(device.pay({ mode: 0 }))
    ok(device.setCustomer({ name: 'Buyer Ltd', taxNumber: '987654321', address: '1 High Street', fields: [] }))
    ok(device.closeFiscal())
  },
  reversal: (device) => {
    ok(device.cashInOut({ direction: 'in', amount: 1000 }))
    const original = { document: 12, at: '2025-07-13T18:30:00', fiscalMemoryNumber: '02000001' }
    ok(device.openFiscal({ ...SALE_RECEIPT, kind: 'reversal', reason: 'refund', original }))
    ok(device.sell(bread()))
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
  },
  cancelled: (device) => {
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.cancelFiscal())
  },
  'non-fiscal': (device) => {
    ok(device.openNonFiscal({ operator: 3 }))
    ok(device.printText({ text: 'TABLE 12', height: 'double' }))
    ok(device.printBarcode({ type: 4, data: 'https://example.com/table/12/order/0000123', qrSize: 4 }, 'QR'))
    ok(device.printSeparator(4))
    ok(device.closeNonFiscal())
  },
  cash: (device) => ok(device.cashInOut({ direction: 'in', amount: 5000, operator: 1, text: ['Change for the day'] })),
  copy: (device) => {
    sellReceipt(device, [bread({ quantity: 2000 })], 0, 500)
    ok(device.copyLastReceipt())
  },
  'x-report': (device) => {
    fullReceipt(device)
    ok(device.reportX())
  },
  'z-report': (device) => {
    fullReceipt(device)
    ok(device.cashInOut({ direction: 'in', amount: 5000 }))
    ok(device.reportZ())
  },
  'memory-report': (device) => {
    fullReceipt(device)
    ok(device.reportZ())
    ok(device.reportZ())
    ok(device.printMemoryReport(1, 2, false))
  },
}

describe('the printed paper equals the golden file:', () => {
  it.each(Object.keys(documents))('%s, 42 columns', async (name) => {
    const { device } = plainDevice()
    documents[name]?.(device)
    const paper = device.documents().at(-1)
    for (const line of paper?.text ?? []) expect(line.length).toBeLessThanOrEqual(42)
    await expect(`${paper?.text.join('\n')}\n`).toMatchFileSnapshot(`../../fixtures/paper/${name}-42.txt`)
  })

  it('receipt, 32 columns, quantity first, comments between signs, tax letters of another alphabet', async () => {
    const paper = { ...ENGLISH_PAPER, commentMarks: true, itemLayout: 'quantityFirst', taxLetters: 'АБВГДЕЖЗ' } as const
    const { device } = plainDevice({ profile: profileWith({}, { lineWidth: 32, paper }) })
    fullReceipt(device)
    const text = device.documents().at(-1)?.text ?? []
    for (const line of text) expect(line.length).toBeLessThanOrEqual(32)
    await expect(`${text.join('\n')}\n`).toMatchFileSnapshot('../../fixtures/paper/receipt-32.txt')
  })

  it('the print operations of a document produce its text again, and the journal has the same lines', () => {
    const { device } = plainDevice()
    fullReceipt(device)
    const paper = device.documents().at(-1)
    expect(paperText(paper?.operations ?? [], 42)).toEqual(paper?.text)
    expect(device.journal.linesOf(1)).toEqual(paper?.text)
    expect(device.document(1)).toEqual(paper)
  })
})

describe('on a device with paper and a cover,', () => {
  it('printing waits if the paper runs out in a document, and continues with a new roll', () => {
    const lines: string[] = []
    const onEvent = (event: DeviceEvent) => void (event.type === 'line' && lines.push(event.text))
    let left = 12
    const { device } = plainDevice({
      onEvent,
      points: {
        memoryWrite: () => undefined,
        paperLine: () => void (left-- === 0 && device.mechanism.setPaper('out')),
      },
    })
    let unblocked = 0
    device.mechanism.onUnblocked(() => unblocked++)
    sellReceipt(device, [bread()])
    expect(device.day.total).toBe(120)
    expect(device.mechanism.blocked).toBe(true)
    expect(device.refusals.print()).toBe('noPaper')
    expect(device.documents().at(-1)?.text.length).toBe(12)
    device.mechanism.setPaper('ok')
    expect(device.mechanism.blocked).toBe(false)
    expect(unblocked).toBe(1)
    expect(lines).toEqual(device.journal.linesOf(1))
    expect(device.documents().at(-1)?.text).toEqual(lines)
    expect(device.mechanism.linesPrinted).toBe(lines.length)
  })

  it('an open cover stops printing like missing paper', () => {
    const { device } = plainDevice()
    device.mechanism.setCover(true)
    ok(device.cashInOut({ direction: 'in', amount: 100 }))
    expect([device.mechanism.blocked, device.refusals.print(), device.documents()[0]?.text]).toEqual([
      true,
      'coverOpen',
      [],
    ])
    device.mechanism.setPaper('low')
    expect(device.mechanism.blocked).toBe(true)
    device.mechanism.setCover(false)
    expect([device.mechanism.blocked, device.refusals.print(), device.mechanism.paper]).toEqual([
      false,
      undefined,
      'low',
    ])
  })

  it('a postponed receipt is printed when it is closed', () => {
    const { device } = plainDevice()
    ok(device.openFiscal({ ...SALE_RECEIPT, postponed: true }))
    ok(device.sell(bread()))
    ok(device.pay({ mode: 0 }))
    expect(device.mechanism.linesPrinted).toBe(0)
    ok(device.closeFiscal())
    expect(device.mechanism.linesPrinted).toBe(device.journal.linesOf(1).length)
  })
})

describe('the customer display', () => {
  it('shows, pads, cuts, clears and stores its lines', () => {
    const { device } = plainDevice()
    device.display.show(1, 'Good morning')
    device.display.show(2, 'a line that is longer than twenty')
    expect(device.display.lines).toEqual(['Good morning        ', 'a line that is longe'])
    device.display.clear()
    expect(device.display.lines).toEqual([' '.repeat(20), ' '.repeat(20)])
    expect(device.display.history.length).toBe(3)
    device.display.setAttached(false)
    device.display.show(1, 'nobody sees it')
    expect(device.display.history.length).toBe(3)
  })

  it('shows a subtotal on request', () => {
    const { device } = plainDevice()
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.subtotal({ print: false, display: true }))
    expect(device.display.lines).toEqual(['SUBTOTAL            ', '                1.20'])
  })
})
