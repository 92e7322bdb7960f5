/** Refusals that a caller can cause through REST. fixtures/refusals.md lists the responses. */
import type { Family } from '../../drivers/model/families.ts'
import type { Answer, ServiceRig } from '../support/rig.ts'

export interface Provocation {
  readonly name: string
  readonly before?: readonly Step[]
  readonly ask: Step
  readonly families?: readonly Family[]
}

export interface Subject {
  readonly family: Family
  readonly profile: string
}

export type Step = readonly [path: string, body?: object] | ((rig: RefusalRig) => void)

export interface RefusalRig extends Pick<ServiceRig, 'post' | 'get'> {
  readonly family: Family
  readonly password: string
  advance(hours: number): void
  fillMemory(): void
  switchOff(taxCode: number): void
  sellOut(): void
}

const HERE = Symbol('password of the family')
export const OPENING = { OperatorCode: 1, OperatorPassword: HERE, PointOfSaleNumber: 1, Invoice: false }
const OPEN = ['/open-fiscal-receipt', OPENING] as const
const OPEN_NON_FISCAL = ['/open-non-fiscal-receipt', { OperatorCode: 1, OperatorPassword: HERE }] as const
const SALE = ['/register-plu-sale', { PluNumber: 1, Quantity: 2 }] as const
const FREE = { ProductName: 'Bread', TaxCode: 1, Price: 1.5, Department: 0, Unit: 'pcs' }
const PART = ['/payment', { PaymentMode: 0, Amount: 1 }] as const
const PAID = ['/payment', { PaymentMode: 0, Amount: 100 }] as const
const CLOSE = ['/close-fiscal-receipt'] as const
const RECEIPT = [OPEN, SALE, PAID, CLOSE] as const
const ITEM = { Type: 1, PluSale: { PluNumber: 1 } }
const WITH_FREE_SALES = ['A', 'C'] as const
const ADJUSTED = ['/subtotal', { DiscountType: 2, DiscountValue: 10 }] as const

export const PROVOCATIONS: readonly Provocation[] = [
  { name: 'a sale with nothing open', ask: SALE },
  { name: 'a free sale with nothing open', ask: ['/register-free-sale', FREE], families: WITH_FREE_SALES },
  { name: 'a payment with nothing open', ask: PAID },
  { name: 'a subtotal with nothing open', ask: ['/subtotal', { Print: true }] },
  { name: 'a text with nothing open', ask: ['/print-fiscal-text', { Message: 'x' }] },
  { name: 'a close with nothing open', ask: CLOSE },
  { name: 'a cancel with nothing open', ask: ['/cancel-fiscal-receipt'] },
  { name: 'a non-fiscal text with nothing open', ask: ['/print-non-fiscal-text', { Message: 'x' }] },
  { name: 'a non-fiscal close with nothing open', ask: ['/close-non-fiscal-receipt'] },
  { name: 'a non-fiscal cancel with nothing open', ask: ['/cancel-non-fiscal-receipt'] },
  { name: 'a separating line with nothing open', ask: ['/print-separating-line/1'] },
  { name: 'a barcode with nothing open', ask: ['/print-bar-code', { Type: 1, Data: '1234567' }], families: ['A', 'B'] },
  { name: 'a second opening', before: [OPEN], ask: OPEN },
  { name: 'an opening after a sale', before: [OPEN, SALE], ask: OPEN },
  { name: 'an opening after a payment', before: [OPEN, SALE, PART], ask: OPEN },
  { name: 'an opening of a paid receipt', before: [OPEN, SALE, PAID], ask: OPEN },
  { name: 'an opening in a non-fiscal receipt', before: [OPEN_NON_FISCAL], ask: OPEN },
  { name: 'a sale in a non-fiscal receipt', before: [OPEN_NON_FISCAL], ask: SALE },
  { name: 'a close of a non-fiscal receipt as fiscal', before: [OPEN_NON_FISCAL], ask: CLOSE },
  { name: 'a non-fiscal opening in a fiscal receipt', before: [OPEN, SALE], ask: OPEN_NON_FISCAL },
  { name: 'a non-fiscal text in a fiscal receipt', before: [OPEN], ask: ['/print-non-fiscal-text', { Message: 'x' }] },
  {
    name: 'a fiscal text in a non-fiscal receipt',
    before: [OPEN_NON_FISCAL],
    ask: ['/print-fiscal-text', { Message: 'x' }],
  },
  { name: 'a non-fiscal close in a fiscal receipt', before: [OPEN, SALE], ask: ['/close-non-fiscal-receipt'] },
  { name: 'an X report with a receipt open', before: [OPEN, SALE], ask: ['/report-x'] },
  { name: 'a Z report with a receipt open', before: [OPEN, SALE], ask: ['/report-z'] },
  { name: 'a Z report with a non-fiscal receipt open', before: [OPEN_NON_FISCAL], ask: ['/report-z'] },
  { name: 'a copy with a receipt open', before: [...RECEIPT, OPEN], ask: ['/copy-of-last-fiscal-receipt'] },
  {
    name: 'a complete receipt while one is open',
    before: [OPEN, SALE],
    ask: ['/print-fiscal-receipt', { ReceiptItems: [ITEM] }],
  },
  { name: 'an article that is not programmed', before: [OPEN], ask: ['/register-plu-sale', { PluNumber: 99 }] },
  {
    name: 'a void of an article that was not sold',
    before: [OPEN],
    ask: ['/register-plu-sale', { PluNumber: 1, Void: true }],
  },
  {
    name: 'a price of zero',
    before: [OPEN],
    ask: ['/register-free-sale', { ...FREE, Price: 0 }],
    families: WITH_FREE_SALES,
  },
  {
    name: 'a tax group that is switched off',
    before: [(rig) => rig.switchOff(4), OPEN],
    ask: ['/register-free-sale', { ...FREE, TaxCode: 4 }],
    families: WITH_FREE_SALES,
  },
  {
    name: 'a row that is too large',
    before: [OPEN],
    ask: ['/register-free-sale', { ...FREE, Price: 9999999.99, Quantity: 999999 }],
    families: WITH_FREE_SALES,
  },
  {
    name: 'a discount larger than the sale',
    before: [OPEN],
    ask: ['/register-plu-sale', { PluNumber: 1, DiscountType: 4, DiscountValue: 100 }],
  },
  { name: 'a sale after a payment', before: [OPEN, SALE, PART], ask: SALE },
  { name: 'a sale on a paid receipt', before: [OPEN, SALE, PAID], ask: SALE },
  { name: 'a discount on the subtotal of nothing', before: [OPEN], ask: ADJUSTED },
  { name: 'a second adjusted subtotal', before: [OPEN, SALE, ADJUSTED], ask: ADJUSTED, families: ['B'] },
  {
    name: 'a void after an adjusted subtotal',
    before: [OPEN, SALE, ADJUSTED],
    ask: ['/register-plu-sale', { PluNumber: 1, Quantity: 2, Void: true }],
    families: ['B'],
  },
  { name: 'an adjusted subtotal after a payment', before: [OPEN, SALE, PART], ask: ADJUSTED },
  {
    name: 'an article that is sold out',
    before: [(rig) => rig.sellOut(), OPEN],
    ask: ['/register-plu-sale', { PluNumber: 50, Quantity: 3 }],
    families: ['B'],
  },
  {
    name: 'an article number that no article can have',
    before: [OPEN],
    ask: ['/register-plu-sale', { PluNumber: 2_000_000_000 }],
  },
  { name: 'a payment with nothing sold', before: [OPEN], ask: PAID, families: ['A', 'B'] },
  {
    name: 'a card payment above the remaining amount',
    before: [OPEN, SALE],
    ask: ['/payment', { PaymentMode: 1, Amount: 50 }],
  },
  { name: 'a payment of a paid receipt', before: [OPEN, SALE, PAID], ask: PART },
  { name: 'a close with nothing sold', before: [OPEN], ask: CLOSE, families: ['A', 'B'] },
  { name: 'a close with nothing paid', before: [OPEN, SALE], ask: CLOSE },
  { name: 'a close with a remaining amount', before: [OPEN, SALE, PART], ask: CLOSE },
  { name: 'a cancel after a payment', before: [OPEN, SALE, PART], ask: ['/cancel-fiscal-receipt'] },
  { name: 'a cancel of a paid receipt', before: [OPEN, SALE, PAID], ask: ['/cancel-fiscal-receipt'] },
  { name: 'a copy before the first receipt', ask: ['/copy-of-last-fiscal-receipt'] },
  {
    name: 'a second copy',
    before: [...RECEIPT, ['/copy-of-last-fiscal-receipt']],
    ask: ['/copy-of-last-fiscal-receipt'],
    families: ['C'],
  },
  { name: 'a wrong password', ask: ['/open-fiscal-receipt', { ...OPENING, OperatorPassword: '9876' }] },
  {
    name: 'an operator that is not there',
    ask: ['/open-fiscal-receipt', { ...OPENING, OperatorCode: 30 }],
    families: ['B', 'C'],
  },
  {
    name: 'a wrong password of a non-fiscal receipt',
    ask: ['/open-non-fiscal-receipt', { OperatorCode: 1, OperatorPassword: '9876' }],
    families: ['C'],
  },
  { name: 'a receipt after 24 hours', before: [...RECEIPT, (rig) => rig.advance(25)], ask: OPEN },
  {
    name: 'a complete receipt after 24 hours',
    before: [...RECEIPT, (rig) => rig.advance(25)],
    ask: ['/print-fiscal-receipt', { ReceiptItems: [ITEM] }],
  },
  { name: 'a receipt with the fiscal memory full', before: [(rig) => rig.fillMemory()], ask: OPEN },
  { name: 'a Z report with the fiscal memory full', before: [(rig) => rig.fillMemory()], ask: ['/report-z'] },
  {
    name: 'a complete receipt whose third item is not programmed',
    ask: ['/print-fiscal-receipt', { ReceiptItems: [ITEM, ITEM, { Type: 1, PluSale: { PluNumber: 99 } }] }],
  },
  {
    name: 'a complete receipt whose void was not sold',
    ask: ['/print-fiscal-receipt', { ReceiptItems: [ITEM, { Type: 1, PluSale: { PluNumber: 2, Void: true } }] }],
  },
  {
    name: 'a complete receipt whose second payment is too large',
    ask: [
      '/print-fiscal-receipt',
      {
        ReceiptItems: [ITEM],
        Payments: [
          { PaymentMode: 0, Amount: 1 },
          { PaymentMode: 1, Amount: 50 },
        ],
      },
    ],
  },
  {
    name: 'a complete receipt whose payments are too small',
    ask: ['/print-fiscal-receipt', { ReceiptItems: [ITEM], Payments: [{ PaymentMode: 0, Amount: 0.5 }] }],
  },
  {
    name: 'a complete receipt with a wrong password',
    ask: [
      '/print-fiscal-receipt',
      { OpenFiscalReceipt: { ...OPENING, OperatorPassword: '9876' }, ReceiptItems: [ITEM] },
    ],
  },
]

export const provocationsOf = (family: Family): readonly Provocation[] =>
  PROVOCATIONS.filter(({ families }) => families === undefined || families.includes(family))

/** Returns the response to `ask`. Throws if a request of `before` is refused. */
export async function provoke({ before = [], ask }: Provocation, rig: RefusalRig): Promise<Answer> {
  for (const step of before) {
    const answer = await carryOut(step, rig)
    if (answer && answer.StatusCode !== 200) throw new Error(`${JSON.stringify(step)}: ${answer.Message}`)
  }
  const answer = await carryOut(ask, rig)
  if (!answer) throw new Error('nothing was asked')
  return answer
}

async function carryOut(step: Step, rig: RefusalRig): Promise<Answer | undefined> {
  if (typeof step === 'function') return void step(rig)
  const [path, body] = step
  return rig.post(path, body === undefined ? undefined : (filled(body, rig.password) as object))
}

const filled = (value: unknown, password: string): unknown => {
  if (value === HERE) return password
  if (Array.isArray(value)) return value.map((one) => filled(one, password))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, password)]))
}
