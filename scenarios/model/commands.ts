/**
 * The calls of the service as commands of a model-based test. A command asks the model whether the call must be
 * accepted, makes the call, compares the result and updates the model.
 */
import fc from 'fast-check'
import { type Adjustment, rowAmount } from '../oracle/totals.ts'
import { ARTICLES, type Expectation, LARGEST, type Line, type Model } from './model.ts'
import { amountOf, expectSame, expectStatus, quantityOf, type Subject } from './subject.ts'

type ModelCommand = fc.AsyncCommand<Model, Subject>

const named = (label: string, run: (model: Model, subject: Subject) => Promise<void>): ModelCommand => ({
  check: () => true,
  run: async (model, subject) => {
    await run(model, subject)
    await agree(model, subject)
  },
  toString: () => label,
})

async function agree(model: Model, subject: Subject): Promise<void> {
  const reply = await subject.post('/status-of-the-fiscal-transaction')
  expectStatus('status-of-the-fiscal-transaction', reply, 'accepted')
  const data = reply.data as Record<string, unknown>
  const open = model.state !== 'none'
  expectSame('IsOpen', data['IsOpen'], open)
  const fiscal = model.invoice ? 'Invoice' : 'Fiscal'
  const kind = model.state === 'none' ? 'None' : model.state === 'nonFiscal' ? 'NonFiscal' : fiscal
  expectSame('Kind', data['Kind'], kind)
  if (model.state !== 'fiscal') return
  const { total, tendered, due, change } = model.sums()
  expectSame('Total', data['Total'], amountOf(total))
  // A value that the protocol does not report is null. If there is change, command 76 of family A reports the tendered
  // amount, and command 76 of family B the amount without change.
  const taken = amountOf(tendered - change)
  if (data['Paid'] !== null && data['Paid'] !== taken) expectSame('Paid', data['Paid'], amountOf(tendered))
  if (data['Remaining'] !== null) expectSame('Remaining', data['Remaining'], amountOf(due))
}

const money = (max: number): fc.Arbitrary<bigint> => fc.integer({ min: 1, max }).map(BigInt)
const price = fc.oneof(
  { weight: 12, arbitrary: money(2_500) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 999_999n, 999_999_999n) },
)
const quantity = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(1000n, 2000n, 3000n) },
  { weight: 3, arbitrary: fc.integer({ min: 10, max: 4_000 }).map(BigInt) },
  { weight: 1, arbitrary: fc.constantFrom(10n, 15n, 500n, 999_999_999n) },
)

interface Discount {
  readonly type: 1 | 2 | 3 | 4
  readonly value: bigint
}
const discount: fc.Arbitrary<Discount | undefined> = fc.option(
  fc.oneof(
    fc.record({ type: fc.constantFrom(1 as const, 2 as const), value: money(9_999) }),
    fc.record({ type: fc.constantFrom(3 as const, 4 as const), value: money(300) }),
  ),
  { nil: undefined, freq: 2 },
)
const adjustmentOf = (one: Discount | undefined): Adjustment | undefined => {
  if (!one) return undefined
  const signed = one.type === 2 || one.type === 4 ? -one.value : one.value
  return one.type <= 2 ? { percent: signed } : { amount: signed }
}
const discountBody = (one: Discount | undefined): object =>
  one ? { DiscountType: one.type, DiscountValue: amountOf(one.value) } : {}

const NAMES = ['Coffee', 'Paine alba', 'Кафе', 'X']
const freeItem = fc.record({
  name: fc.constantFrom(...NAMES),
  group: fc.integer({ min: 0, max: 7 }),
  price,
  quantity,
  discount,
})
const articleItem = fc.record({ article: fc.constantFrom(...ARTICLES), quantity, discount })

interface Item {
  readonly call: Readonly<Record<string, unknown>>
  readonly line: Omit<Line, 'amount' | 'remaining'>
  readonly adjustment: Adjustment | undefined
  readonly free: boolean
}

const fromFree = ({
  name,
  group,
  price: each,
  quantity: count,
  discount: off,
}: typeof freeItem extends fc.Arbitrary<infer T> ? T : never): Item => {
  const call = { ProductName: name, TaxCode: group + 1, Price: amountOf(each), Department: 0, Unit: 'pc' }
  return {
    call: { ...call, Quantity: quantityOf(count), ...discountBody(off) },
    line: { key: `${name}|${group}|${each}`, group, price: each, quantity: count, call },
    adjustment: adjustmentOf(off),
    free: true,
  }
}
const fromArticle = ({
  article,
  quantity: count,
  discount: off,
}: typeof articleItem extends fc.Arbitrary<infer T> ? T : never): Item => {
  const call = { PluNumber: article.plu }
  const { group, price: each } = article
  return {
    call: { ...call, Quantity: quantityOf(count), ...discountBody(off) },
    line: { key: `article ${article.plu}`, group, price: each, quantity: count, call },
    adjustment: adjustmentOf(off),
    free: false,
  }
}
const saleItem = fc.oneof(freeItem.map(fromFree), articleItem.map(fromArticle))

const pathOf = (item: { readonly free: boolean }): string => (item.free ? '/register-free-sale' : '/register-plu-sale')
const show = (body: unknown): string => JSON.stringify(body)

function sale(item: Item): ModelCommand {
  return named(`${pathOf(item)} ${show(item.call)}`, async (model, subject) => {
    const { price: each, quantity: count } = item.line
    let expectation: Expectation = model.maySell(each, count, item.adjustment)
    if (item.free && !model.traits.freeSale) expectation = 'refused'
    if (expectation === 'unclear') return
    expectStatus('sale', await subject.post(pathOf(item), item.call), expectation)
    if (expectation === 'accepted') model.sell(item.line, item.adjustment)
  })
}

function voidRow(which: number, share: 'whole' | 'half' | 'more'): ModelCommand {
  return named(`void row ${which}, ${share}`, async (model, subject) => {
    const line = model.lines[which % Math.max(1, model.lines.length)]
    if (!line) return
    const count = share === 'whole' ? line.quantity : share === 'half' ? line.quantity / 2n : line.quantity * 3n
    if (count < 10n || count > 999_999_999n) return
    const amount = model.voidAmount(line, count)
    if (amount === 'unclear') return
    const body = { ...line.call, Quantity: quantityOf(count), Void: true }
    const free = 'ProductName' in line.call
    const reply = await subject.post(pathOf({ free }), body)
    expectStatus(`void ${show(body)}`, reply, amount === 'refused' ? 'refused' : 'accepted')
    if (amount !== 'refused') model.voidSale(line, count, amount)
  })
}

const openFiscal = (operator: number, password: string | undefined, invoice: boolean): ModelCommand =>
  named(
    `/open-fiscal-receipt operator ${operator} ${password ?? 'factory'} ${invoice ? 'invoice' : ''}`,
    async (model, subject) => {
      const body = {
        OperatorCode: operator,
        OperatorPassword: password ?? model.traits.password(operator),
        PointOfSaleNumber: 1,
        Invoice: invoice,
      }
      const good = model.state === 'none' && password === undefined
      const reply = await subject.post('/open-fiscal-receipt', body)
      expectStatus('open-fiscal-receipt', reply, good ? 'accepted' : 'refused')
      if (good) model.openFiscal(await numberOf(subject), invoice)
    },
  )

const numberOf = async (subject: Subject): Promise<number> => {
  const reply = await subject.post('/status-of-the-fiscal-transaction')
  return Number((reply.data as { ReceiptNumber: string | null }).ReceiptNumber ?? 0)
}

const subtotal = (off: Discount | undefined, empty: boolean): ModelCommand =>
  named(`/subtotal ${empty ? '' : show(discountBody(off))}`, async (model, subject) => {
    const adjustment = empty ? undefined : adjustmentOf(off)
    const expectation = model.mayAdjustSubtotal(adjustment)
    if (expectation === 'unclear') return
    const body = empty ? undefined : { Print: true, Display: false, ...discountBody(off) }
    expectStatus('subtotal', await subject.post('/subtotal', body), expectation)
    if (expectation === 'accepted' && adjustment) model.adjustSubtotal(adjustment)
  })

type Size = 'exact' | 'half' | 'over' | 'hundredth'
function payment(which: number, size: Size): ModelCommand {
  return named(`/payment mode ${which}, ${size}`, async (model, subject) => {
    const mode = model.traits.modes[which % model.traits.modes.length] ?? 0
    const due = model.state === 'fiscal' ? model.sums().due : 500n
    const base = due > 0n ? due : 100n
    const amount = { exact: base, half: base / 2n + 1n, over: base + 137n, hundredth: 1n }[size]
    // No request may exceed the largest amount, however much is due.
    const expectation = amount > LARGEST ? 'refused' : model.mayPay(mode, amount)
    if (expectation === 'unclear') return
    const reply = await subject.post('/payment', { PaymentMode: mode, Amount: amountOf(amount) })
    expectStatus(`payment of ${amount}`, reply, expectation)
    if (expectation === 'accepted') model.payments.push({ mode, amount })
  })
}

const close = named('/close-fiscal-receipt', async (model, subject) => {
  const good = model.mayClose()
  const reply = await subject.post('/close-fiscal-receipt')
  expectStatus('close-fiscal-receipt', reply, good ? 'accepted' : 'refused')
  if (!good) return
  expectReceipt(model, reply.data)
  model.endFiscal(false)
})

/** The receipt number must be a document number greater than all earlier ones. */
function expectReceipt(model: Model, data: unknown): void {
  if (typeof data !== 'string' || !/^[1-9]\d*$/.test(data)) throw new Error(`${show(data)} is not a receipt number`)
  const number = Number(data)
  if (number <= model.lastDocument) throw new Error(`receipt ${number} follows document ${model.lastDocument}`)
  if (model.state === 'fiscal' && model.number !== 0) expectSame('receipt number', number, model.number)
  model.lastDocument = number
  model.number = number
}

const cancel = named('/cancel-fiscal-receipt', async (model, subject) => {
  const good = model.mayCancel()
  expectStatus('cancel-fiscal-receipt', await subject.post('/cancel-fiscal-receipt'), good ? 'accepted' : 'refused')
  if (good) model.endFiscal(true)
})

/** Returns a call that is accepted only while `good` returns true. `then` updates the model. */
const stated = (
  path: string,
  body: unknown,
  good: (model: Model) => boolean,
  then?: (model: Model) => void,
): ModelCommand =>
  named(`${path} ${body === undefined ? '' : show(body)}`, async (model, subject) => {
    const expectation = good(model) ? 'accepted' : 'refused'
    expectStatus(path, await subject.post(path, body), expectation)
    if (expectation === 'accepted') then?.(model)
  })

const openNonFiscal = named('/open-non-fiscal-receipt', async (model, subject) => {
  const good = model.state === 'none'
  const reply = await subject.post('/open-non-fiscal-receipt', model.traits.nonFiscalBody)
  expectStatus('open-non-fiscal-receipt', reply, good ? 'accepted' : 'refused')
  if (good) model.state = 'nonFiscal'
})

const barcode = named('/print-bar-code', async (model, subject) => {
  const good = model.traits.barcodes && model.state !== 'none'
  const reply = await subject.post('/print-bar-code', { Type: 2, Data: '5941234567899' })
  expectStatus('print-bar-code', reply, good ? 'accepted' : 'refused')
})

const display = (line: 1 | 2, text: string): ModelCommand =>
  named(`/display-line-${line === 1 ? 'one' : 'two'} ${text}`, async (model, subject) => {
    const path = line === 1 ? '/display-line-one' : '/display-line-two'
    expectStatus(path, await subject.post(path, { Text: text }), 'accepted')
    const reply = await subject.device<{ display: string[] }>('')
    expectSame(`display line ${line}`, reply.display[line - 1]?.trimEnd(), text)
    model.display[line - 1] = text
  })

const reportX = named('/report-x', async (model, subject) => {
  const good = model.state === 'none'
  const reply = await subject.post('/report-x')
  expectStatus('report-x', reply, good ? 'accepted' : 'refused')
  if (good) model.documents.push('x')
})

const reportZ = named('/report-z', async (model, subject) => {
  const good = model.state === 'none'
  const reply = await subject.post('/report-z')
  expectStatus('report-z', reply, good ? 'accepted' : 'refused')
  if (good) model.closeDay()
})

const copy = named('/copy-of-last-fiscal-receipt', async (model, subject) => {
  const expectation = model.mayCopy()
  if (expectation === 'unclear') return
  const reply = await subject.post('/copy-of-last-fiscal-receipt')
  expectStatus('copy-of-last-fiscal-receipt', reply, expectation)
  if (expectation === 'refused') return
  expectSame('copied receipt', (reply.data as { ReceiptNumber: string }).ReceiptNumber, String(model.lastReceipt))
  model.documents.push('copy')
  model.copied = true
})

type PaymentKind = 'absent' | 'card' | 'card and cash' | 'cash with change'

function composite(
  items: readonly Item[],
  off: Discount | undefined,
  paying: PaymentKind,
  opened: boolean,
): ModelCommand {
  const body = (password: string, payments: object): object => ({
    ...(opened
      ? { OpenFiscalReceipt: { OperatorCode: 1, OperatorPassword: password, PointOfSaleNumber: 1, Invoice: false } }
      : {}),
    ReceiptItems: [
      ...items.map((item) => (item.free ? { Type: 0, FreeSale: item.call } : { Type: 1, PluSale: item.call })),
      { Type: 2, Text: { Message: 'thank you' } },
      { Type: 4, SeparatingLineType: 1 },
    ],
    ...(off ? { Subtotal: discountBody(off) } : {}),
    ...payments,
  })
  const label = `/print-fiscal-receipt ${paying} ${show(body('', {}))}`
  return named(label, async (model, subject) => {
    const path = '/print-fiscal-receipt'
    const password = model.traits.password(1)
    if (model.state !== 'none') {
      expectStatus(path, await subject.post(path, body(password, {})), 'refused')
      return
    }
    const usable = items.filter((item) => model.traits.freeSale || !item.free)
    if (usable.length !== items.length) {
      expectStatus(path, await subject.post(path, body(password, {})), 'refused')
      return
    }
    const trial = fill(model, items, off)
    if (trial === 'unclear') return
    const payments = trial === 'refused' ? [] : tenders(model.sums().total, paying)
    const sums = payments.map(({ mode, amount }) => ({ PaymentMode: mode, Amount: amountOf(amount) }))
    model.state = 'none'
    const reply = await subject.post(path, body(password, sums.length > 0 ? { Payments: sums } : {}))
    expectStatus(path, reply, trial)
    model.state = 'fiscal'
    if (trial === 'refused') {
      if (isKnownBefore(model, items, off)) model.state = 'none'
      else model.endFiscal(true)
      return
    }
    model.number = 0
    expectReceipt(model, reply.data)
    model.payments = payments.length > 0 ? payments : [{ mode: 0, amount: model.sums().total }]
    model.endFiscal(false)
  })
}

function isKnownBefore({ traits }: Model, items: readonly Item[], off: Discount | undefined): boolean {
  if (items.some(({ line }) => line.quantity > traits.largestQuantity) || items.some(comesToNothing)) return true
  const adjustment = adjustmentOf(off)
  if (traits.subtotalAmount !== 'one group' || !adjustment || !('amount' in adjustment)) return false
  return new Set(items.filter(({ free }) => free).map(({ line }) => line.group)).size > 1
}

/**
 * Returns true for a free row of 0.00, and for one that its discount consumes (decisions 3, Price 0.00). The service
 * does not query the price of an article.
 */
function comesToNothing({ free, line: { price, quantity }, adjustment }: Item): boolean {
  const amount = rowAmount(price, quantity)
  return free && (amount === 0n || (adjustment !== undefined && 'amount' in adjustment && -adjustment.amount >= amount))
}

function fill(model: Model, items: readonly Item[], off: Discount | undefined): Expectation {
  model.openFiscal(0, false)
  const result = fillOpen(model, items, off)
  if (result === 'unclear') model.state = 'none'
  return result
}

function fillOpen(model: Model, items: readonly Item[], off: Discount | undefined): Expectation {
  for (const item of items) {
    const expectation = model.maySell(item.line.price, item.line.quantity, item.adjustment)
    if (expectation !== 'accepted') return expectation
    model.sell(item.line, item.adjustment)
  }
  const adjustment = adjustmentOf(off)
  const expectation = model.mayAdjustSubtotal(adjustment)
  if (expectation === 'accepted' && adjustment) model.adjustSubtotal(adjustment)
  return expectation
}

function tenders(total: bigint, paying: PaymentKind): { mode: number; amount: bigint }[] {
  const part = total / 3n
  if (paying === 'absent') return []
  if (paying === 'card') return [{ mode: 1, amount: total }]
  if (paying === 'cash with change') return [{ mode: 0, amount: total + 63n }]
  if (part === 0n) return [{ mode: 0, amount: total }]
  return [
    { mode: 1, amount: part },
    { mode: 0, amount: total - part + 20n },
  ]
}

/** Requests that the service refuses in every state before it sends any byte. */
const BAD: readonly (readonly [path: string, body: unknown])[] = [
  ['/register-free-sale', { ProductName: 'a', TaxCode: 9, Price: 1, Department: 0, Unit: 'pc' }],
  ['/register-free-sale', { ProductName: 'a', TaxCode: 1, Price: 1.005, Department: 0, Unit: 'pc' }],
  ['/register-free-sale', { ProductName: 'a', TaxCode: 1, Price: '1', Department: 0, Unit: 'pc' }],
  ['/register-free-sale', { ProductName: 'a', TaxCode: 1, Price: 1, Department: 0, Unit: 'pc', Quantity: 0.001 }],
  ['/register-free-sale', { ProductName: 'a', TaxCode: 1, Price: 1, Department: 0, Unit: 'pc', DiscountType: 2 }],
  ['/register-plu-sale', { PluNumber: 0 }],
  ['/register-plu-sale', { PluNumber: 21, Quantity: 1.0005 }],
  ['/register-plu-sale', { PluNumber: 4_999 }],
  ['/subtotal', { DiscountType: 5, DiscountValue: 1 }],
  ['/payment', { PaymentMode: 0, Amount: 0 }],
  ['/payment', { PaymentMode: 0, Amount: 1.001 }],
  ['/payment', { PaymentMode: 0 }],
  ['/print-fiscal-receipt', { ReceiptItems: [{ Type: 0 }] }],
  ['/print-fiscal-receipt', {}],
  ['/print-non-fiscal-receipt', { ReceiptItems: [{ Type: 7, Text: { Message: 'x' } }] }],
  ['/print-separating-line/5', undefined],
  ['/open-fiscal-receipt', { OperatorCode: 31, OperatorPassword: '0', PointOfSaleNumber: 1, Invoice: false }],
  ['/display-line-one', {}],
]
const badValue = fc.constantFrom(...BAD).map(([path, body]) => stated(path, body, () => false))

const anyReceipt = (model: Model): boolean => model.state !== 'none'
const text = { Message: 'line of text' }

const openings = fc
  .tuple(fc.constantFrom(1, 7), fc.constantFrom(undefined, undefined, undefined, '4321'), fc.boolean())
  .map(([who, word, invoice]) => openFiscal(who, word, invoice))
const voids = fc
  .tuple(fc.nat(6), fc.constantFrom('whole' as const, 'whole' as const, 'half' as const, 'more' as const))
  .map(([which, share]) => voidRow(which, share))
const subtotals = fc.tuple(discount, fc.boolean()).map(([off, empty]) => subtotal(off, empty))
const payments = fc
  .tuple(fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 5), fc.constantFrom<Size>('exact', 'half', 'over', 'hundredth'))
  .map(([mode, size]) => payment(mode, size))
const fiscalText = stated('/print-fiscal-text', text, (model) => model.state === 'fiscal')

const inNonFiscal = (model: Model): boolean => model.state === 'nonFiscal'
const ends = (model: Model): void => model.endNonFiscal()
const nonFiscalText = stated('/print-non-fiscal-text', text, inNonFiscal)
const closeNonFiscal = stated('/close-non-fiscal-receipt', undefined, inNonFiscal, ends)
const cancelNonFiscal = stated('/cancel-non-fiscal-receipt', undefined, inNonFiscal, ends)
const nonFiscalItems = [
  { Type: 0, Text: text },
  { Type: 2, SeparatingLineType: 2 },
]
const nonFiscalAtOnce = named('/print-non-fiscal-receipt', async (model, subject) => {
  const good = model.state === 'none'
  const reply = await subject.post('/print-non-fiscal-receipt', { ReceiptItems: nonFiscalItems })
  expectStatus('print-non-fiscal-receipt', reply, good ? 'accepted' : 'refused')
  if (good) model.documents.push('nonFiscal')
})
const lines = fc
  .integer({ min: 1, max: 4 })
  .map((style) => stated(`/print-separating-line/${style}`, undefined, anyReceipt))
const displays = fc
  .tuple(fc.constantFrom(1 as const, 2 as const), fc.constantFrom('TOTAL 12.50', 'hello', 'x'))
  .map(([line, words]) => display(line, words))
const composites = fc
  .tuple(
    fc.array(saleItem, { minLength: 1, maxLength: 5 }),
    discount,
    fc.constantFrom<PaymentKind>('absent', 'card', 'card and cash', 'cash with change'),
    fc.boolean(),
  )
  .map(([items, off, paying, opened]) => composite(items, off, paying, opened))

/** Combines commands into one. Random single commands would rarely complete a receipt. */
const scene = (steps: readonly ModelCommand[]): ModelCommand => ({
  check: () => true,
  async run(model, subject) {
    for (const step of steps) await step.run(model, subject)
  },
  toString: () => steps.join(',\n'),
})
const goodOpening = fc.boolean().map((invoice) => openFiscal(1, undefined, invoice))
const fillings = fc.array(fc.oneof(saleItem.map(sale), saleItem.map(sale), voids), { minLength: 1, maxLength: 6 })
const wholeReceipt = fc
  .tuple(goodOpening, fillings, fc.array(subtotals, { maxLength: 2 }), fc.array(payments, { maxLength: 2 }))
  .map(([opening, filled, adjusted, paid]) =>
    scene([opening, ...filled, ...adjusted, fiscalText, ...paid, payment(0, 'exact'), close]),
  )
const cancelledReceipt = fc.tuple(goodOpening, fillings).map(([opening, filled]) => scene([opening, ...filled, cancel]))

const commands = (): fc.Arbitrary<ModelCommand>[] => {
  const weighted: [number, fc.Arbitrary<ModelCommand>][] = [
    [8, wholeReceipt],
    [2, cancelledReceipt],
    [3, openings],
    [5, saleItem.map(sale)],
    [2, voids],
    [2, subtotals],
    [3, payments],
    [2, fc.constant(close)],
    [1, fc.constant(cancel)],
    [1, fc.constant(openNonFiscal)],
    [1, fc.constant(scene([openNonFiscal, nonFiscalText, barcode, closeNonFiscal]))],
    [1, fc.constant(nonFiscalText)],
    [1, fc.constant(fiscalText)],
    [1, fc.constant(closeNonFiscal)],
    [1, fc.constant(cancelNonFiscal)],
    [1, lines],
    [1, fc.constant(barcode)],
    [4, composites],
    [1, fc.constant(nonFiscalAtOnce)],
    [1, fc.constant(reportX)],
    [2, fc.constant(reportZ)],
    [1, fc.constant(copy)],
    [1, displays],
    [1, fc.constant(stated('/clear-display', undefined, () => true))],
    [2, badValue],
  ]
  return weighted.flatMap(([times, arbitrary]) => Array.from({ length: times }, () => arbitrary))
}

let anyCommand: fc.Arbitrary<ModelCommand> | undefined

/** Returns the command for a number. Numbers are plain data, so that a sequence can be shrunk and saved. */
export function commandForNumber(draw: number): ModelCommand {
  anyCommand ??= fc.oneof(...commands())
  const [command] = fc.sample(anyCommand, { seed: draw, numRuns: 1 })
  if (!command) throw new RangeError(`number ${draw} results in no command`)
  return command
}
