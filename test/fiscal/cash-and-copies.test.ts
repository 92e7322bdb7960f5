/** Cash in and out, and copies: refusals, and the printed paper (sheets A 6.6, C 4.12 and 5.5). */
import { describe, expect, it } from 'vitest'
import type { BookRules, DeviceProfile } from '../../emulator/fiscal/types/profile.ts'
import {
  answerOf,
  bread,
  ENGLISH_PAPER,
  INVOICE,
  issue,
  lastPaper,
  ok,
  PROFILE,
  plainDevice,
  profileWith,
  SALE_RECEIPT,
} from './plain-device.ts'

const CURRENCY = 3
const FOREIGN: Partial<DeviceProfile> = {
  payments: [...PROFILE.payments, { mode: CURRENCY, name: 'CURRENCY' }],
  foreignPayment: CURRENCY,
}

describe('cash in and cash out', () => {
  /** The drawer holds at most a hundred times the largest receipt. */
  const LIMITED: Partial<BookRules> = { receiptMaximum: 100 }
  it.each([
    { what: 'an unknown mode', cash: { direction: 'in', amount: 100, mode: 9 }, answer: 'paymentModeUnknown' },
    { what: 'a mode without a drawer', cash: { direction: 'in', amount: 100, mode: 1 }, answer: 'paymentModeDisabled' },
    { what: 'currency', cash: { direction: 'in', amount: 100, mode: CURRENCY }, answer: 'ok' },
    { what: 'an amount that fills the drawer', cash: { direction: 'in', amount: 4000 }, answer: 'ok' },
    { what: 'a hundredth more than that', cash: { direction: 'in', amount: 4001 }, answer: 'receiptTooLarge' },
    { what: 'all that there is', cash: { direction: 'out', amount: 6000 }, answer: 'ok' },
    { what: 'a hundredth more', cash: { direction: 'out', amount: 6001 }, answer: 'notEnoughCash' },
  ] as const)('have the result $answer with 60.00 in the drawer: $what', ({ cash, answer }) => {
    const { device } = plainDevice({ profile: profileWith(LIMITED, FOREIGN) })
    ok(device.cashInOut({ direction: 'in', amount: 6000 }))
    expect(answerOf(device.cashInOut(cash))).toBe(answer)
  })

  it('print the moved amount, and the name of a currency; the drawer opens', () => {
    const events: string[] = []
    const { device } = plainDevice({
      profile: profileWith({}, FOREIGN),
      onEvent: ({ type }) => void (type === 'drawer' && events.push(type)),
    })
    ok(device.cashInOut({ direction: 'in', amount: 5000 }))
    const head = ['CORNER SHOP', '12 MARKET STREET', 'TAX No 123456789']
    expect(lastPaper(device).text.slice(0, 5)).toEqual([...head, 'CASH IN 50.00', '-'.repeat(42)])
    ok(device.cashInOut({ direction: 'in', amount: 700, mode: CURRENCY }))
    expect(lastPaper(device).text.slice(0, 5)).toEqual([...head, 'CASH IN CURRENCY 7.00', '-'.repeat(42)])
    ok(device.cashInOut({ direction: 'out', amount: 200, mode: CURRENCY, text: ['To the bank'] }))
    expect(lastPaper(device).text.slice(3, 5)).toEqual(['To the bank', 'CASH OUT CURRENCY 2.00'])
    expect(events).toEqual(['drawer', 'drawer', 'drawer'])
  })

  it('are counted separately among the service documents', () => {
    const { device } = plainDevice()
    ok(device.printReport('service', [{ text: 'OPERATORS' }]))
    ok(device.cashInOut({ direction: 'in', amount: 100 }))
    ok(device.cashInOut({ direction: 'out', amount: 100 }))
    ok(device.printReport('service', [{ text: 'DEPARTMENTS' }]))
    expect(device.journal.documents({}).map(({ kind, kindNumber }) => [kind, kindNumber])).toEqual([
      ['service', 1],
      ['service', 1],
      ['service', 2],
      ['service', 2],
    ])
  })
})

describe('a copy of the last receipt', () => {
  it('needs a receipt', () => {
    expect(answerOf(plainDevice().device.copyLastReceipt())).toBe('nothingToCopy')
  })

  it('is one piece of paper without the fiscal mark, whatever has been printed since', () => {
    const { device } = plainDevice()
    issue(device, SALE_RECEIPT, [bread()])
    ok(device.cashInOut({ direction: 'in', amount: 100 }))
    expect(ok(device.copyLastReceipt())).toEqual({ document: 3 })
    const { operations, text } = lastPaper(device)
    expect(operations.map(({ op }) => op).filter((op) => op === 'cut' || op === 'logo')).toEqual(['cut'])
    expect(operations.at(-1)).toEqual({ op: 'cut' })
    expect(text.slice(0, 2)).toEqual(['COPY No 0000001', 'CORNER SHOP'])
    expect(device.printedSteps(3)).toEqual([{ asked: { ask: 'copy' }, lines: text.length }])
  })

  it.each([
    ['a receipt and an invoice', [SALE_RECEIPT, INVOICE], 'COPY No 0000002'],
    ['an invoice and a receipt', [INVOICE, SALE_RECEIPT], 'COPY No 0000002'],
    ['two receipts', [SALE_RECEIPT, SALE_RECEIPT], 'COPY No 0000002'],
    ['one receipt', [SALE_RECEIPT], 'COPY No 0000001'],
    ['no closed receipt: refused', [], 'nothingToCopy'],
  ])('is of the last closed receipt, even if a cancelled receipt follows (B 10.5), after %s', (_what, closed, copy) => {
    const { device } = plainDevice({ rules: { cancelledCounts: true } })
    for (const open of closed) issue(device, open, [bread()])
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.cancelFiscal())
    const answer = answerOf(device.copyLastReceipt())
    expect(answer === 'ok' ? lastPaper(device).text[0] : answer).toBe(copy)
  })

  const marked = {
    ...ENGLISH_PAPER,
    words: { ...ENGLISH_PAPER.words, copy: 'DUPLICATE', more: { original: 'ORIGINAL' } },
  }
  const copied = (paper: DeviceProfile['paper'], text: string): string[] => {
    const { device } = plainDevice({ profile: profileWith({}, { paper }) })
    ok(device.openFiscal(INVOICE))
    ok(device.sell(bread()))
    ok(device.printText({ text }))
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
    ok(device.copyLastReceipt())
    return lastPaper(device).text
  }

  it('of an invoice has the word duplicate instead of original (C 5.5), and every other word of the invoice', () => {
    const lines = copied(marked, 'THE ORIGINAL')
    expect(lines.filter((line) => /ORIGINAL|DUPLICATE/.test(line))).toEqual([
      'DUPLICATE No 0000001',
      'DUPLICATE',
      'THE ORIGINAL',
      'DUPLICATE',
    ])
    expect(lines).toContain('THANK YOU')
  })

  it('has no empty line if originals are not marked', () => {
    const lines = copied(ENGLISH_PAPER, '')
    expect(lines.filter((line) => line.startsWith('COPY'))).toEqual(['COPY No 0000001', 'COPY'])
    expect(lines[lines.findIndex((line) => line.startsWith('Bread')) + 1]).toBe('')
  })
})
