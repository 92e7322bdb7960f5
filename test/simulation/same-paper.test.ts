/**
 * What was answered 200 stands on paper as if nothing had happened: every kind of request with all that it can hold, with
 * one trouble at each of its commands. Judged by the same request on a device that was not disturbed, line by line of all
 * that it printed. Every fifth place has its turn in each run of the suite; `SAME_PAPER_EVERY=1` takes them all.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { PaperDocument } from '../../emulator/fiscal/api.ts'
import type { Call, Reply } from '../../scenarios/simulation/client.ts'
import { Counter } from '../../scenarios/simulation/counter.ts'
import { LEGACY, ORDER } from '../../scenarios/simulation/orders.ts'
import { CASES } from '../legacy/cases.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'

const EVERY = Number(process.env['SAME_PAPER_EVERY'] ?? 5)

const DEVICES = [...FAMILIES, 'A ro']

/** Shorter than a driver waits before it writes a command again. */
const BLINK_MS = 300

const FISCAL = '/print-fiscal-receipt'
const NON_FISCAL = '/print-non-fiscal-receipt'
const plu = (more: object = {}) => ({ Type: 1, PluSale: { PluNumber: 1, Quantity: 2, ...more } })
const text = (message: string) => ({ Type: 2, Text: { Message: message } })
const line = (message: string) => ({ Type: 0, Text: { Message: message } })
const RULE = { Type: 4, SeparatingLineType: 1 }
const BARCODE = { Type: 3, BarCode: { Type: 1, Data: '12345670' } }
const QR = { Type: 3, BarCode: { Type: 4, Data: 'https://example.test/receipt/4711' } }
const FREE = {
  Type: 0,
  FreeSale: { ProductName: 'Tea', TaxCode: 1, Price: 1.5, Department: 1, Unit: 'pcs', Quantity: 2 },
}
const cash = { PaymentMode: 0, Amount: 50 }
const card = (amount: number) => ({ PaymentMode: 1, Amount: amount })
const adjusted = (kind: number, value: number) => ({ DiscountType: kind, DiscountValue: value })

interface Request {
  /** What was done before, without trouble, and what ends it. */
  readonly before?: readonly Call[]
  readonly call: Call
  readonly after?: readonly Call[]
}

const whole = (body: object): Request => ({ call: { path: FISCAL, body } })
const slip = (...items: readonly object[]): Request => ({ call: { path: NON_FISCAL, body: { ReceiptItems: items } } })

/** Each kind of request; what a family does not have is refused without trouble too. */
function requestsOf(password: string): Readonly<Record<string, Request>> {
  const operator = { OperatorCode: 1, OperatorPassword: password }
  const opening = (Invoice: boolean) => ({ OpenFiscalReceipt: { ...operator, PointOfSaleNumber: 1, Invoice } })
  const open: Call = { path: '/open-fiscal-receipt', body: opening(false).OpenFiscalReceipt }
  const sale: Call = { path: '/register-plu-sale', body: plu().PluSale }
  const pay: Call = { path: '/payment', body: cash }
  const close: Call = { path: '/close-fiscal-receipt' }
  const inside = (path: string, body: object): Request => ({
    before: [open, sale],
    call: { path, body },
    after: [pay, close],
  })
  const openSlip: Call = { path: '/open-non-fiscal-receipt', body: operator }
  const slipText: Call = { path: '/print-non-fiscal-text', body: { Message: 'Hello' } }
  const closeSlip: Call = { path: '/close-non-fiscal-receipt' }
  return {
    ...Object.fromEntries(
      [1, 2, 3, 4].flatMap((kind) => [
        [`adjustment ${kind} of the subtotal`, whole({ ReceiptItems: [plu()], Subtotal: adjusted(kind, 0.5) })],
        [`adjustment ${kind} of a row`, whole({ ReceiptItems: [plu(adjusted(kind, 0.5)), plu()] })],
      ]),
    ),
    'a printed subtotal with a discount, two payments': whole({
      ReceiptItems: [plu(), plu()],
      Subtotal: { Print: true, Display: true, ...adjusted(2, 10) },
      Payments: [card(1), cash],
    }),
    'a subtotal that is printed': whole({ ReceiptItems: [plu()], Subtotal: { Print: true } }),
    'a subtotal that is shown': whole({ ReceiptItems: [plu()], Subtotal: { Display: true } }),
    'equal rows': whole({ ReceiptItems: [plu(), plu(), plu()], Payments: [cash] }),
    'free sales': whole({ ReceiptItems: [FREE, FREE], Payments: [card(1), cash] }),
    'a row that is taken back': whole({ ReceiptItems: [plu(), plu(), plu({ Void: true })] }),
    'equal texts': whole({ ReceiptItems: [text('Hello'), plu(), plu(), text('Hello'), text('Hello')] }),
    'equal lines': whole({ ReceiptItems: [text('Hello'), RULE, plu(), RULE, RULE, text('Bye')] }),
    'a barcode': whole({ ReceiptItems: [BARCODE, plu(), BARCODE] }),
    'a code of two dimensions': whole({ ReceiptItems: [plu(), QR] }),
    'an opening of its own': whole({ ...opening(false), ReceiptItems: [plu()], Payments: [card(2.4)] }),
    'an invoice': whole({ ...opening(true), ReceiptItems: [plu()] }),
    'a non-fiscal receipt': slip(line('Hello'), { ...RULE, Type: 2 }, line('Hello')),
    'a non-fiscal receipt with codes': slip({ ...BARCODE, Type: 1 }, { ...QR, Type: 1 }, line('Hello')),
    'an order': { call: { path: ORDER, body: { order: 1, token: 'token', again: false } } },
    'an order with a discount, shipping and two payments': {
      call: { path: ORDER, body: { order: 2, token: 'token', again: false } },
    },
    opening: { call: open, after: [sale, pay, close] },
    'one sale': inside(sale.path, plu(adjusted(2, 10)).PluSale),
    'one free sale': inside('/register-free-sale', FREE.FreeSale),
    'one row taken back': inside(sale.path, plu({ Void: true }).PluSale),
    'one text': inside('/print-fiscal-text', { Message: 'Hello' }),
    'one barcode': inside('/print-bar-code', BARCODE.BarCode),
    'one subtotal': inside('/subtotal', { Print: true }),
    'one discount': inside('/subtotal', { Print: true, ...adjusted(2, 10) }),
    'one payment': inside('/payment', card(1)),
    'one close': { before: [open, sale, pay], call: close },
    'one cancel': { before: [open, sale], call: { path: '/cancel-fiscal-receipt' } },
    'one opening, not fiscal': { call: openSlip, after: [slipText, closeSlip] },
    'one text, not fiscal': { before: [openSlip], call: slipText, after: [closeSlip] },
    'one close, not fiscal': { before: [openSlip, slipText], call: closeSlip },
    'one cancel, not fiscal': { before: [openSlip, slipText], call: { path: '/cancel-non-fiscal-receipt' } },
    'a copy': { call: { path: '/copy-of-last-fiscal-receipt' } },
    'an X': { call: { path: '/report-x' } },
    'a Z': { call: { path: '/report-z' } },
    ...Object.fromEntries(
      CASES.filter(({ expect: { ok } }) => ok).map(({ name, lines }) => [
        `legacy lines, ${name}`,
        { call: { path: LEGACY, body: lines } },
      ]),
    ),
  }
}

/** Undefined: it did not come to it any more. */
type Trouble = (rig: KillableService, send: Send, place: number) => Promise<Reply | undefined>
type Send = () => Promise<Reply>

const isOver = ({ emulator }: KillableService): boolean => emulator.faults.list().some(({ hits }) => hits === 0)

const cutOff =
  (times: number): Trouble =>
  async (rig, send, skip) => {
    rig.emulator.faults.add({ at: 'command.after', skip, times, do: 'powerCut' })
    const reply = await rig.run(send())
    return isOver(rig) ? undefined : reply
  }

/** Its caller hears that nobody knows, and asks again with the same key when the device is heard again. */
const unheard: Trouble = async (rig, send, skip) => {
  rig.emulator.faults.add({ at: 'link.toHost', skip, times: 200, do: 'drop' })
  await rig.run(send())
  if (isOver(rig)) return undefined
  rig.emulator.faults.clear()
  return rig.run(send())
}

const killed: Trouble = async (rig, send, frames) => {
  if ((await rig.killDuring({ frames, sent: true }, send)) !== 'killed') return undefined
  rig.restart()
  return rig.run(send())
}

const TROUBLES: readonly (readonly [string, Trouble])[] = [
  ['cut off behind one of its commands', cutOff(1)],
  ['cut off behind two of them', cutOff(2)],
  ['not heard from one of them on', unheard],
  ['without its service from one of them on', killed],
]

const open: KillableService[] = []
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close()
})

/** A time of day, a number, what is coded of them, and what is worked out from all lines: another one each time. */
const ITS_OWN = /\d\d:\d\d:\d\d|^ *\|\| .*\*.*\|\|$|^ *[0-9A-F]{5}(-[0-9A-F]{5}){3}$/
const NUMBER = /\d{6,7}(?=\D*$)/

/** Nothing was done, says such an answer, or nobody knows. */
const SAYS_MORE = /^(Completed as receipt \d+|Outcome unknown):/

/** A receipt that was begun and taken back counts for nothing; behind a job's own receipt its copy may be missing. */
const isLeftOut = ({ kind, text: lines }: PaperDocument): boolean =>
  kind === 'cancelled' || kind === 'copy' || (kind === 'nonFiscal' && lines.some((one) => /\bVOID\b/.test(one)))

/** A row that a device has carried out twice and taken back once. */
const TAKEN_BACK = /^VOID$/

/** What was answered, and what stands on paper; undefined: no trouble any more. */
async function carriedOut(device: string, name: string, trouble?: readonly [Trouble, number]) {
  const [family = '', profile] = device.split(' ')
  const rig = startKillableService(family, {
    powerReturnsAfterMs: BLINK_MS,
    ...(profile !== undefined && { profile }),
  })
  open.push(rig)
  const { before = [], call, after = [] } = requestsOf(rig.printer.capabilities.defaultPassword(1))[name] as Request
  const send = (one: Call) => new Counter(rig.service, rig.stores).handle(one)
  // What a line of a legacy job copies or takes money from is there.
  for (const one of [whole({ ReceiptItems: [plu()] }).call, ...before]) await rig.run(send(one))
  const keyed = () => send({ ...call, key: 'key' })
  const answer = trouble ? await trouble[0](rig, keyed, trouble[1]) : await rig.run(keyed())
  rig.emulator.faults.clear()
  for (const one of after) await rig.run(send(one))
  const { powerLoss } = rig.emulator.profile.paper.words
  const documents = rig.emulator.device.documents()
  const paper = documents
    .filter((one) => !isLeftOut(one))
    .flatMap(({ text: lines }) => lines)
    .filter((one) => one.trim() !== powerLoss && !ITS_OWN.test(one))
    .map((one) => one.replace(NUMBER, 'N'))
  const receipts = documents.filter(({ kind }) => kind === 'fiscal' || kind === 'invoice').length
  open.splice(open.indexOf(rig), 1)
  await rig.close()
  return answer && { answer, paper, receipts }
}

/** Behind its last command a request is heard whatever comes. */
const PLACES_AT_MOST = 400

describe.each(DEVICES)('family %s, %s', (device) => {
  describe.each(TROUBLES)('%s,', (_, trouble) => {
    it.each(Object.keys(requestsOf('')))('%s', async (name) => {
      const undisturbed = await carriedOut(device, name)
      if (undisturbed?.answer.status !== 200) return
      const isWhole = !name.startsWith('one ') && name !== 'opening'
      for (let place = name.length % EVERY; place < PLACES_AT_MOST; place += EVERY) {
        const disturbed = await carriedOut(device, name, [trouble, place])
        if (!disturbed) return
        const { answer, paper, receipts } = disturbed
        const at = `at place ${place}: ${answer.status} ${answer.message}`
        if (answer.status === 200 && !paper.some((one) => TAKEN_BACK.test(one)))
          expect(paper, at).toEqual(undisturbed.paper)
        // The first was there before.
        if (answer.status !== 200 && isWhole && !SAYS_MORE.test(answer.message)) expect(receipts, at).toBe(1)
      }
      throw new Error('it has no end')
    })
  })
})
