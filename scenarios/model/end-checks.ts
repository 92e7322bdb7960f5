/**
 * Checks at the end of a sequence that paper, electronic journal, day, archive and recorded traffic agree with the
 * model.
 */
import { money } from '../oracle/decimal.ts'
import { replays } from '../oracle/replays.ts'
import {
  adjustmentOf,
  type CountedAmount,
  type DaySums,
  type Entry,
  letter,
  rowAmount,
  sumsOf,
} from '../oracle/totals.ts'
import { ARTICLES, type Model, RATES } from './model.ts'
import { amountOf, expectSame, expectStatus, type RecordedSubject } from './subject.ts'

interface DocumentView {
  readonly id: number
  readonly kind: string
  readonly number: number
  readonly zNumber?: number
  readonly text: readonly string[]
}
interface CountedView {
  readonly count: number
  readonly amount: string
}
interface DayView {
  readonly taxes: Readonly<Record<string, string>>
  readonly payments: Readonly<Record<string, string>>
  readonly total: string
  readonly discounts: CountedView
  readonly surcharges: CountedView
  readonly voids: CountedView
  readonly cashIn: string
  readonly cashOut: string
  readonly drawerCash: string
}
interface ZView extends Omit<DayView, 'taxes' | 'payments' | 'drawerCash'> {
  readonly number: number
  readonly firstReceipt: number | null
  readonly lastReceipt: number | null
  readonly receiptsCount: number
  readonly taxes: readonly { readonly letter: string; readonly turnover: string; readonly tax: string }[]
  readonly payments: readonly { readonly paymentMode: number; readonly amount: string }[]
}

const counted = ({ count, amount }: CountedAmount): CountedView => ({ count, amount: money(amount) })
const byLetter = (groups: readonly bigint[]): Record<string, string> =>
  Object.fromEntries(groups.map((sum, group) => [letter(group), money(sum)]))
const paid = (entries: Iterable<readonly [string | number, string]>): Record<string, string> =>
  Object.fromEntries(
    [...entries]
      .filter(([, amount]) => amount !== '0.00')
      .map(([mode, amount]) => [String(mode), amount] as const)
      .sort(([one], [other]) => one.localeCompare(other)),
  )

export async function agreeAtTheEnd(model: Model, subject: RecordedSubject): Promise<void> {
  if (model.state === 'nonFiscal') {
    expectStatus('close', await subject.post('/close-non-fiscal-receipt'), 'accepted')
    model.endNonFiscal()
  }
  if (model.state === 'fiscal') await endFiscal(model, subject)
  agreeOnDay(await subject.device('').then((view) => (view as { day: DayView }).day), model.day())
  await agreeOnPaper(model, subject)
  await closeTheDay(model, subject)
  for (const z of model.zs) {
    const issued = z.receipts.filter(({ cancelled }) => model.traits.cancelledCounts || !cancelled)
    const sums = { ...z.sums, receipts: issued.length }
    await agreeOnArchive(z.number, sums, subject, model.traits.cancelledCounts)
  }
  agreeOnWire(model, subject)
  expectSame('troubles of the device', subject.troubles, [])
}

async function endFiscal(model: Model, subject: RecordedSubject): Promise<void> {
  if (model.mayCancel()) {
    expectStatus('cancel', await subject.post('/cancel-fiscal-receipt'), 'accepted')
    model.endFiscal(true)
    return
  }
  const { due } = model.sums()
  if (due > 0n) {
    expectStatus('payment', await subject.post('/payment', { PaymentMode: 0, Amount: amountOf(due) }), 'accepted')
    model.payments.push({ mode: 0, amount: due })
  }
  expectStatus('close', await subject.post('/close-fiscal-receipt'), 'accepted')
  model.endFiscal(false)
}

function agreeOnDay(reported: DayView, day: DaySums): void {
  expectSame(
    'turnover of the day by group',
    { ...byLetter([0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n]), ...reported.taxes },
    byLetter(day.groups),
  )
  expectSame('turnover of the day', reported.total, money(day.total))
  const payments = Array.from(day.payments, ([mode, amount]) => [mode, money(amount)] as const)
  expectSame('payments of the day', paid(Object.entries(reported.payments)), paid(payments))
  agreeOnCounts(reported, day)
  expectSame('drawer', reported.drawerCash, money(day.drawer))
}

function agreeOnCounts(reported: Omit<DayView, 'taxes' | 'payments' | 'drawerCash'>, day: DaySums): void {
  expectSame('discounts', reported.discounts, counted(day.discounts))
  expectSame('surcharges', reported.surcharges, counted(day.surcharges))
  expectSame('voids', reported.voids, counted(day.voids))
  expectSame('cash in', reported.cashIn, money(day.cashIn.amount))
  expectSame('cash out', reported.cashOut, money(day.cashOut.amount))
}

/** Checks that all documents exist in order, and that completed receipts show their rows and total. */
async function agreeOnPaper(model: Model, subject: RecordedSubject): Promise<void> {
  const documents = await subject.device<DocumentView[]>('/documents')
  expectSame(
    'documents on paper',
    documents.map(({ kind }) => kind),
    model.documents,
  )
  const numbers = documents.map(({ number }) => number)
  if (numbers.some((number, at) => at > 0 && number <= (numbers[at - 1] ?? 0))) {
    throw new Error(`document numbers do not grow: ${numbers.join(', ')}`)
  }
  const journal = await subject.device<{ document: number; line: string }[]>('/journal')
  const receipts = new Map(
    [...model.zs.flatMap(({ receipts: all }) => all), ...model.receipts].map((one) => [one.number, one]),
  )
  for (const { kind, number, text } of documents) {
    const lines = journal.filter(({ document }) => document === number).map(({ line }) => line)
    if (lines.length === 0 && kind !== 'copy') throw new Error(`document ${number} (${kind}) is not in the journal`)
    const receipt = receipts.get(number)
    if (!receipt || receipt.cancelled || (kind !== 'fiscal' && kind !== 'invoice')) continue
    const { total } = sumsOf(receipt, RATES)
    const rows = receipt.entries.flatMap((entry) => amountsOf(entry, model.traits.voidedBy === 'line'))
    const paper = text.join('\n')
    for (const amount of [total, ...rows]) {
      const amountText = money(amount)
      if (!paper.includes(amountText)) throw new Error(`receipt ${number} does not show ${amountText}:\n${paper}`)
      if (!lines.join('\n').includes(amountText))
        throw new Error(`the journal of receipt ${number} does not show ${amountText}`)
    }
  }
}

/** Returns the amounts that a row shows on paper: its amount before the adjustment, and the adjustment. */
function amountsOf(entry: Entry, voidsInParts: boolean): bigint[] {
  // A void of a whole line prints its amount and its adjustment separately.
  if (entry.what === 'void') return voidsInParts ? [] : [entry.amount]
  if (entry.what === 'subtotal') return []
  const bare = rowAmount(entry.price, entry.quantity)
  const change = entry.adjustment ? adjustmentOf(bare, entry.adjustment) : 0n
  return change === 0n ? [bare] : [bare, change < 0n ? -change : change]
}

async function closeTheDay(model: Model, subject: RecordedSubject): Promise<void> {
  expectStatus('report-x', await subject.post('/report-x'), 'accepted')
  expectStatus('report-z', await subject.post('/report-z'), 'accepted')
  model.documents.push('x')
  model.closeDay()
}

async function agreeOnArchive(
  number: number,
  sums: DaySums,
  subject: RecordedSubject,
  cancelledCounts: boolean,
): Promise<void> {
  const storedZ = (await subject.device<ZView[]>('/z-reports')).find((z) => z.number === number)
  if (!storedZ) throw new Error(`Z ${number} is not in the fiscal memory`)
  expectSame(`Z ${number}, total`, storedZ.total, money(sums.total))
  const empty = byLetter([0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n])
  const amountsByTax = (pick: (one: ZView['taxes'][number]) => string): object => ({
    ...empty,
    ...Object.fromEntries(storedZ.taxes.map((one) => [one.letter, pick(one)])),
  })
  expectSame(
    `Z ${number}, turnover`,
    amountsByTax((one) => one.turnover),
    byLetter(sums.groups),
  )
  expectSame(
    `Z ${number}, tax`,
    amountsByTax((one) => one.tax),
    byLetter(sums.taxes),
  )
  expectSame(`Z ${number}, receipts`, storedZ.receiptsCount, sums.receipts)
  // If cancelled receipts count, the first or last one may be a cancelled one, whose number is not reported.
  if (!cancelledCounts) {
    expectSame(`Z ${number}, first receipt`, storedZ.firstReceipt, sums.firstReceipt ?? null)
    expectSame(`Z ${number}, last receipt`, storedZ.lastReceipt, sums.lastReceipt ?? null)
  }
  const payments = Array.from(sums.payments, ([mode, amount]) => [mode, money(amount)] as const)
  expectSame(
    `Z ${number}, payments`,
    paid(storedZ.payments.map((one) => [one.paymentMode, one.amount] as const)),
    paid(payments),
  )
  agreeOnCounts(storedZ, sums)
  await agreeOnService(number, sums, subject, cancelledCounts)
}

/** Values that the protocol does not report are null and not compared. */
async function agreeOnService(
  number: number,
  sums: DaySums,
  subject: RecordedSubject,
  cancelledCounts: boolean,
): Promise<void> {
  const reply = await subject.get(`/ask-for-z-report-structured-information/${number}`)
  expectStatus(`archived Z ${number}`, reply, 'accepted')
  const data = reply.data as Record<string, unknown>
  const expectKnown = (name: string, expected: unknown): void => {
    if (data[name] !== null) expectSame(`archived Z ${number}, ${name}`, data[name], expected)
  }
  expectSame('number of the archived Z', data['Number'], number)
  expectKnown('Total', amountOf(sums.total))
  expectKnown('ReceiptsCount', sums.receipts)
  if (!cancelledCounts) {
    expectKnown('FirstReceipt', sums.firstReceipt ?? null)
    expectKnown('LastReceipt', sums.lastReceipt ?? null)
  }
  expectKnown('CashIn', 0)
  expectKnown('CashOut', 0)
  for (const [name, book] of [
    ['Discounts', sums.discounts],
    ['Surcharges', sums.surcharges],
    ['Voids', sums.voids],
  ] as const) {
    const one = data[name] as { Count: number | null; Amount: number | null } | null
    if (one?.Count != null) expectSame(`archived Z ${number}, count of ${name}`, one.Count, book.count)
    if (one?.Amount != null) expectSame(`archived Z ${number}, ${name}`, one.Amount, amountOf(book.amount))
  }
  for (const one of data['Taxes'] as { TaxCode: number; Turnover: number | null; Tax: number | null }[]) {
    const group = one.TaxCode - 1
    if (one.Turnover !== null)
      expectSame(`archived turnover ${one.TaxCode}`, one.Turnover, amountOf(sums.groups[group] ?? 0n))
    if (one.Tax !== null) expectSame(`archived tax ${one.TaxCode}`, one.Tax, amountOf(sums.taxes[group] ?? 0n))
  }
}

function agreeOnWire(model: Model, subject: RecordedSubject): void {
  const articles = Object.fromEntries(ARTICLES.map(({ plu, group, price }) => [plu, { group, price }]))
  const replay = replays.get(model.traits.family)
  if (!replay) throw new RangeError(`no oracle reads family ${model.traits.family}`)
  const record = replay(subject.pieces, { rates: RATES, articles })
  expectSame('disagreements on the wire', record.disagreements, [])
  const totals = record.closedDays.map(({ sums }) => [money(sums.total), money(sums.drawer), sums.receipts])
  const archive = model.zs.map(({ sums }) => [money(sums.total), money(sums.drawer), sums.receipts])
  expectSame('days read on the wire', totals, archive)
}
