import { describe, expect, it } from 'vitest'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import { type BookPoints, type DeviceEvent, PowerCut } from '../../emulator/fiscal/types/events.ts'
import type { OpenFiscal, ReceiptDetails } from '../../emulator/fiscal/types/receipt.ts'
import { withWords } from '../support/verdict-rows.ts'
import {
  answerOf,
  bread,
  ENGLISH_PAPER,
  INVOICE,
  inHand,
  issue,
  ok,
  plainDevice,
  profileWith,
  REVERSAL,
  SALE_RECEIPT,
} from './plain-device.ts'

const UNNAMED: OpenFiscal = { ...SALE_RECEIPT, invoice: true }
const FREE_OF_TROUBLE: BookPoints = { memoryWrite: () => undefined, paperLine: () => undefined }

describe('the customer of an invoice', () => {
  const customer = { fields: ['Buyer Ltd'] }

  it.each(
    withWords(([, answer]) => (answer === 'ok' ? 'accepted' : `refused as ${answer}`), [
      ['nothing is open', 'noReceiptOpen', () => undefined],
      ['a non-fiscal receipt is open', 'nonFiscalReceiptOpen', (device: FiscalDevice) => device.openNonFiscal()],
      ['nothing was sold', 'paymentNotStarted', (device: FiscalDevice) => device.openFiscal(UNNAMED)],
      [
        'a part is paid',
        'paymentNotStarted',
        (device: FiscalDevice) => {
          ok(device.openFiscal(UNNAMED))
          ok(device.sell(bread()))
          ok(device.pay({ mode: 0, amount: 119 }))
        },
      ],
      [
        'a receipt that is not an invoice is paid',
        'wrongReceiptKind',
        (device: FiscalDevice) => {
          ok(device.openFiscal(SALE_RECEIPT))
          ok(device.sell(bread()))
          ok(device.pay({ mode: 0 }))
        },
      ],
      [
        'the invoice is paid',
        'ok',
        (device: FiscalDevice) => {
          ok(device.openFiscal(UNNAMED))
          ok(device.sell(bread()))
          ok(device.pay({ mode: 0 }))
        },
      ],
    ] as const),
  )('is %s when %s', (_result, _, answer, before) => {
    const { device } = plainDevice()
    before(device)
    expect(answerOf(device.setCustomer(customer))).toBe(answer)
  })

  it('can still be named, once, if it was opened without fields', () => {
    const { device } = plainDevice()
    ok(device.openFiscal(INVOICE))
    ok(device.sell(bread()))
    ok(device.pay({ mode: 0 }))
    ok(device.setCustomer(customer))
    expect(answerOf(device.setCustomer(customer))).toBe('customerAlreadyGiven')
    ok(device.closeFiscal())
  })
})

describe('the taxes that a receipt contains', () => {
  const opened = (change: Partial<OpenFiscal> = {}, extra?: ReceiptDetails): OpenFiscal => ({
    ...SALE_RECEIPT,
    ...change,
    ...(extra && { extra }),
  })
  it.each(
    withWords({ true: 'printed', false: 'omitted' }, [
      ['always', 'a sale', opened(), true],
      ['never', 'a sale', opened(), false],
      ['never', 'a sale that asks for them', opened({}, { vat: '1' }), false],
      ['never', 'an invoice', opened(INVOICE), true],
      ['onRequest', 'a sale', opened(), false],
      ['onRequest', 'a sale that asks for none', opened({}, { vat: '0' }), false],
      ['onRequest', 'a sale that asks for them', opened({}, { vat: '1' }), true],
      ['onRequest', 'an invoice', opened(INVOICE), true],
    ] as const),
  )('are %s if the family prints them "%s": on %s', (_result, taxBlock, _, opening, printed) => {
    const { device } = plainDevice({ profile: profileWith({}, { paper: { ...ENGLISH_PAPER, taxBlock } }) })
    issue(device, opening, [bread()])
    const lines = device.journal.linesOf(1).map((line) => line.trim())
    expect(lines.filter((line) => line.startsWith('TAX A'))).toEqual(
      printed ? ['TAX A 20.00%                  1.20  0.20'] : [],
    )
  })
})

describe('the numbers of invoices', () => {
  it('are used by invoices alone', () => {
    const { device } = plainDevice()
    expect(ok(device.openFiscal(SALE_RECEIPT))).toStrictEqual({ document: 1 })
    ok(device.cancelFiscal())
    expect(device.registers.invoiceRange?.next).toBe(1)
    expect(ok(device.openFiscal(INVOICE))).toStrictEqual({ document: 2, invoiceNumber: 1 })
    expect(device.registers.invoiceRange?.next).toBe(2)
  })

  it('are not needed for a sale when they are used up', () => {
    const { device } = plainDevice()
    device.registers.setInvoiceRange({ start: 7, end: 6 })
    expect(answerOf(device.openFiscal(INVOICE))).toBe('invoiceRangeUsedUp')
    expect(answerOf(device.openFiscal(SALE_RECEIPT))).toBe('ok')
  })

  it('are not needed for simplified invoices either (A 9.1)', () => {
    const { device } = plainDevice({ rules: { simplifiedInvoices: true } })
    device.registers.setInvoiceRange({ start: 7, end: 6 })
    expect(ok(device.openFiscal(INVOICE))).toStrictEqual({ document: 1 })
    expect(device.registers.invoiceRange?.next).toBe(7)
  })
})

describe('a fiscal memory that reports that it is full', () => {
  /** `memoryFull` is called with true before a write, and with false before an operation that needs a write later. */
  const fullFor = (writes: boolean) =>
    plainDevice({ points: { ...FREE_OF_TROUBLE, memoryFull: (asked) => asked === writes } }).device

  it('lets no receipt begin that could not be closed', () => {
    expect(answerOf(fullFor(false).openFiscal(SALE_RECEIPT))).toBe('fiscalMemoryFull')
  })

  it('lets neither a receipt nor the day be closed', () => {
    const device = fullFor(true)
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.pay({ mode: 0 }))
    expect(answerOf(device.closeFiscal())).toBe('fiscalMemoryFull')
    const empty = fullFor(true)
    expect(answerOf(empty.reportZ())).toBe('fiscalMemoryFull')
    expect(empty.memory.used).toBe(0)
  })

  it('does not affect a device without that fault', () => {
    const { device } = plainDevice({ points: FREE_OF_TROUBLE })
    issue(device, SALE_RECEIPT, [bread()])
    expect(ok(device.reportZ()).total).toBe(120)
  })
})

describe('the sale of an article', () => {
  it('needs an open receipt', () => {
    const { device } = plainDevice()
    const article = { plu: 1, quantity: 1000, void: false }
    expect(answerOf(device.sellArticle(article))).toBe('noReceiptOpen')
    ok(device.openNonFiscal())
    expect(answerOf(device.sellArticle(article))).toBe('nonFiscalReceiptOpen')
  })
})

describe('an open receipt', () => {
  it('is still open after a restart, and not after it was closed', () => {
    const store = new PlainStore()
    const { device } = plainDevice({ store })
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread({ price: 790 })))
    ok(device.pay({ mode: 1, amount: 90 }))
    const openReceipt = inHand(device)
    const again = plainDevice({ store }).device
    expect(inHand(again)).toEqual(openReceipt)
    expect(ok(again.pay({ mode: 0 }))).toEqual({ rest: 0, change: 0 })
    ok(again.closeFiscal())
    expect(plainDevice({ store }).device.receipt).toBeNull()
  })

  it('is unchanged after a power failure in the middle of a sale', () => {
    let isCut = false
    const paperLine = () => {
      if (isCut) throw new PowerCut()
    }
    const { device } = plainDevice({ points: { ...FREE_OF_TROUBLE, paperLine } })
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    isCut = true
    expect(() => device.sell(bread({ price: 500 }))).toThrow(PowerCut)
    isCut = false
    expect(inHand(device)).toMatchObject({ total: 120, items: 1 })
    ok(device.pay({ mode: 0 }))
    expect(ok(device.closeFiscal()).total).toBe(120)
  })

  it('is printed immediately unless it is postponed', () => {
    const { device } = plainDevice()
    ok(device.openNonFiscal())
    expect(device.openPaper?.linesPrinted).toBe(5)
    ok(device.closeNonFiscal())
    ok(device.openFiscal(SALE_RECEIPT))
    // The five lines are two header lines of the shop, its tax number, operator and number, and a rule.
    expect(device.openPaper?.linesPrinted).toBe(5)
    ok(device.cancelFiscal())
    ok(device.openNonFiscal({ postponed: true }))
    expect(device.openPaper?.linesPrinted).toBe(0)
  })

  it('that is non-fiscal and has no header begins with its first line', () => {
    const { device } = plainDevice()
    ok(device.openNonFiscal({ header: false }))
    ok(device.printText({ text: 'TABLE 12' }))
    ok(device.closeNonFiscal())
    const lines = device.journal.linesOf(1)
    expect(lines[0]?.trim()).toBe('TABLE 12')
    expect(lines.some((line) => line.includes('THANK YOU'))).toBe(false)
  })

  it('reports that it was opened', () => {
    const events: DeviceEvent[] = []
    const { device } = plainDevice({ onEvent: (event) => void events.push(event) })
    ok(device.openFiscal(SALE_RECEIPT))
    expect(events.filter(({ type }) => type !== 'line')).toEqual([{ type: 'state' }])
  })
})

describe('the request of a receipt', () => {
  it('records whether the price of an article was its own', () => {
    const { device } = plainDevice()
    const {
      turnover: _turnover,
      sold: _sold,
      ...known
    } = device.articles.get(1) as NonNullable<ReturnType<FiscalDevice['articles']['get']>>
    ok(device.articles.program({ ...known, priceType: 'free' }))
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    for (const price of [{}, { price: 120 }, { price: 99 }])
      ok(device.sellArticle({ plu: 1, quantity: 1000, void: false, ...price }))
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
    const sales = device.printedSteps(1)?.flatMap(({ asked }) => (asked?.ask === 'sale' ? [asked] : []))
    expect(sales?.map(({ row, ownPrice }) => [row.plu, row.price, ownPrice])).toEqual([
      [0, 120, undefined],
      [1, 120, undefined],
      [1, 120, undefined],
      [1, 99, true],
    ])
  })
})

describe('a closed receipt in the journal', () => {
  it('is counted by kind, reversals separately', () => {
    const { device } = plainDevice()
    issue(device, SALE_RECEIPT, [bread()])
    issue(device, SALE_RECEIPT, [bread()])
    issue(device, REVERSAL, [bread()])
    issue(device, INVOICE, [bread()])
    const documents = device.journal.documents({})
    expect(documents.map(({ kind, kindNumber, reversal }) => [kind, kindNumber, reversal])).toEqual([
      ['fiscal', 1, false],
      ['fiscal', 2, false],
      ['fiscal', 1, true],
      ['invoice', 1, false],
    ])
  })
})
