/** Failures, the queue, and Idempotency-Key: decisions 3. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import type { SimulatedClock } from '../../drivers/model/clock.ts'
import type { DeviceProblem } from '../../drivers/model/errors.ts'
import { canonical, readJson } from '../../drivers/model/json.ts'
import { openStores } from '../../server/compose.ts'
import type { Entry } from '../../server/operations/operation.ts'
import { reconcile } from '../../server/operations/run.ts'
import { UnderWay } from '../../server/operations/under-way.ts'
import { WAITING_MAX } from '../../server/printer-queue.ts'
import { CAPABILITIES_B, createFakePrinter } from '../support/fake-printer.ts'
import { composeService, type ServiceOptions } from '../support/rig.ts'

const NO_ANSWER: DeviceProblem = { kind: 'noAnswer' }
const NO_PAPER: DeviceProblem = { kind: 'cannotPrint', condition: 'noPaper' }
const REFUSED: DeviceProblem = { kind: 'refused', code: '-1', key: 'no', meaning: 'not now' }
const UNKNOWN: DeviceProblem = { kind: 'outcomeUnknown', what: 'the answer was lost.' }
const HALF_PAID: Entry = {
  steps: [
    { does: 'open' },
    { does: 'sell', sale: { plu: 1, quantity: 1000, void: false } },
    { does: 'pay', payment: { mode: 0, amount: 40 } },
    { does: 'pay', payment: { mode: 0 } },
    { does: 'close' },
  ],
  at: 2,
  before: null,
  document: 2,
}
const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }

function rig(options: ServiceOptions<SimulatedClock> = {}, printer = createFakePrinter()) {
  const parts = composeService(printer, options)
  const agent = supertest(parts.app)
  const post = (path: string, body?: object, key?: string) => {
    const request = agent.post(`/api${path}`)
    if (key !== undefined) request.set('Idempotency-Key', key)
    return body === undefined ? request : request.send(body)
  }
  const print = (body: object = RECEIPT, key?: string) => post('/print-fiscal-receipt', body, key)
  return { ...parts, printer, agent, post, print }
}

describe('a complete receipt', () => {
  it("is opened, filled, paid in cash with the device's own sum and closed", async () => {
    const { printer, print } = rig()
    const { body } = await print({ ...RECEIPT, Payments: [] })
    expect(body).toEqual({ StatusCode: 200, Data: '1' })
    expect(printer.calls).toEqual(['evidence', 'openFiscal', 'sellArticle', 'pay', 'closeFiscal'])
  })

  it.each([
    ['sellArticle', REFUSED, 400],
    ['sellArticle', NO_PAPER, 424],
    ['subtotal', NO_ANSWER, 424],
    ['pay', REFUSED, 400],
  ] as const)(
    'is cancelled when %s fails (%o, status %i), and the answer says so',
    async (operation, problem, status) => {
      const { printer, print } = rig()
      printer.failOn(operation, problem)
      const { body } = await print({ ...RECEIPT, Subtotal: {} })
      expect(body.StatusCode).toBe(status)
      expect(body.Message).toMatch(/The receipt was cancelled\.$/)
      expect([printer.kind, printer.closed]).toEqual(['None', []])
    },
  )

  it('does not touch a receipt that another program has opened', async () => {
    const { printer, print, post } = rig()
    await post('/open-fiscal-receipt', { OperatorCode: 1, OperatorPassword: '0', PointOfSaleNumber: 1, Invoice: false })
    const { body } = await print()
    expect(body.StatusCode).toBe(400)
    expect(printer.calls).not.toContain('cancelFiscal')
    expect(printer.kind).toBe('Fiscal')
  })

  const IN_TWO = {
    ...RECEIPT,
    Payments: [
      { PaymentMode: 0, Amount: 0.4 },
      { PaymentMode: 1, Amount: 0.6 },
    ],
  }

  it('is completed as requested if the second payment was refused only once', async () => {
    const { printer, print } = rig()
    printer.failOn('pay', REFUSED, false, 1)
    expect((await print(IN_TWO)).body).toEqual({ StatusCode: 200, Data: '1' })
    expect([printer.kind, printer.closed]).toEqual(['None', [1]])
  })

  it('is completed with the remaining amount in cash if the device accepts no more of the requested payments', async () => {
    const { printer, print } = rig()
    printer.failOn('pay', REFUSED, false, 1)
    printer.failOn('pay', REFUSED)
    const { body } = await print(IN_TWO)
    expect(body.StatusCode).toBe(400)
    expect(body.Message).toMatch(/^Completed as receipt 1: .*The remaining amount was registered as a cash payment\.$/)
    expect([printer.kind, printer.closed]).toEqual(['None', [1]])
  })

  it.each([
    ['too little', [[0, 0.4]], 'Payments: The payments total 0.40, but the receipt total is 1.00.'],
    [
      'more by card than remains',
      [
        [0, 0.4],
        [1, 9],
      ],
      'Payments[1]: The payment of 9.00 exceeds the remaining 0.60; only cash gives change.',
    ],
    [
      'a payment that is not needed',
      [
        [0, 5],
        [1, 1],
      ],
      'Payments[1]: The receipt total of 1.00 is already paid; this payment is not needed.',
    ],
  ])('whose payments do not match its sum is cancelled before anything is paid: %s', async (_, payments, message) => {
    const { printer, print } = rig()
    const Payments = payments.map(([PaymentMode, Amount]) => ({ PaymentMode, Amount }))
    const { body } = await print({ ...RECEIPT, Payments })
    const Message = `${message} The receipt was cancelled.`
    const Path = message.slice(0, message.indexOf(':'))
    expect(body).toEqual({ StatusCode: 400, Message, Errors: [{ Path, Message }] })
    expect([printer.closed, printer.calls.includes('pay')]).toEqual([[], false])
  })

  it.each([
    ['pay', UNKNOWN, true],
    ['pay', UNKNOWN, false],
    ['closeFiscal', UNKNOWN, true],
    ['closeFiscal', UNKNOWN, false],
    ['closeFiscal', NO_PAPER, true],
    ['closeFiscal', NO_PAPER, false],
  ] as const)(
    'is answered by its state after the failure of %s (%o, executed: %s): 200 if it is closed, and otherwise its cancellation',
    async (operation, problem, afterwards) => {
      const { printer, print } = rig()
      printer.failOn(operation, problem, afterwards)
      const { body } = await print()
      if (operation === 'pay' && !afterwards) {
        expect(body.Message).toMatch(/The receipt was cancelled\.$/)
        expect(printer.closed).toEqual([])
      } else {
        expect(body).toEqual({ StatusCode: 200, Data: '1' })
        expect(printer.closed).toEqual([1])
      }
    },
  )

  it('whose outcome is unknown is answered with 424 Outcome unknown:, and is reconciled before the next request', async () => {
    const { printer, print, post } = rig()
    printer.failOn('closeFiscal', UNKNOWN)
    printer.failOn('evidence', NO_ANSWER, false, 1)
    const { body } = await print()
    expect(body.StatusCode).toBe(424)
    expect(body.Message).toMatch(/^Outcome unknown:/)
    printer.failOn('evidence', NO_ANSWER)
    expect((await post('/display-line-one', { Text: 'x' })).body.StatusCode).toBe(424)
    expect(printer.calls).not.toContain('displayLine')
    expect((await post('/display-line-one', { Text: 'x' })).body.StatusCode).toBe(200)
    expect([printer.kind, printer.closed]).toEqual(['None', [1]])
  })

  it('that could be neither filled nor cancelled is answered with 424: the service will cancel the receipt before it processes any other request', async () => {
    const { printer, print, post } = rig()
    printer.failOn('sellArticle', NO_ANSWER)
    printer.failOn('evidence', NO_ANSWER, false, 1)
    const { body } = await print()
    expect(body.StatusCode).toBe(424)
    expect(body.Message).not.toMatch(/^Outcome unknown:/)
    expect(printer.kind).toBe('Fiscal')
    await post('/clear-display')
    expect([printer.kind, printer.closed]).toEqual(['None', []])
  })
})

describe('a complete non-fiscal receipt', () => {
  const LINES = {
    ReceiptItems: [
      { Type: 0, Text: { Message: 'x' } },
      { Type: 2, SeparatingLineType: 3 },
    ],
  }

  it('is opened, printed and closed', async () => {
    const { printer, post } = rig()
    expect((await post('/print-non-fiscal-receipt', LINES)).body).toEqual({ StatusCode: 200, Data: '' })
    expect(printer.calls).toEqual([
      'evidence',
      'openNonFiscal',
      'printNonFiscalText',
      'printSeparatingLine',
      'closeNonFiscal',
    ])
  })

  it('is cancelled when a step fails', async () => {
    const { printer, post } = rig()
    printer.failOn('printSeparatingLine', REFUSED)
    expect((await post('/print-non-fiscal-receipt', LINES)).body.Message).toMatch(/The receipt was cancelled\.$/)
    expect(printer.kind).toBe('None')
  })
})

describe('the service with an Idempotency-Key', () => {
  it('returns the first answer to the same key and body, in any order of the fields, and also if an absent field is null', async () => {
    const { printer, print } = rig()
    const first = await print({ ...RECEIPT, Payments: null }, 'k')
    const calls = printer.calls.length
    for (const body of [RECEIPT, { Payments: null, ...RECEIPT }]) expect((await print(body, 'k')).text).toBe(first.text)
    expect([printer.calls.length, printer.closed]).toEqual([calls, [1]])
  })

  it('refuses the same key with another body or another path', async () => {
    const { print, post } = rig()
    await print(RECEIPT, 'k')
    const other = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 2 } }] }
    for (const answer of [await print(other, 'k'), await post('/report-x', undefined, 'k')]) {
      expect([answer.status, answer.body.StatusCode]).toEqual([400, 400])
      expect(answer.body.Message).toContain('Idempotency-Key')
    }
  })

  it('accepts a key of 1 to 128 characters', async () => {
    const { print } = rig()
    expect((await print(RECEIPT, 'k'.repeat(128))).status).toBe(200)
    expect((await print(RECEIPT, 'k'.repeat(129))).status).toBe(400)
  })

  it('answers a retry with the receipt after a restart, even on a device that could not print it', async () => {
    const first = rig()
    const free = {
      ReceiptItems: [{ Type: 0, FreeSale: { ProductName: 'Tea', TaxCode: 8, Price: 1.2, Department: 1, Unit: 'pcs' } }],
    }
    const stored = await first.print(free, 'k')
    expect(stored.status).toBe(200)
    const other = createFakePrinter(CAPABILITIES_B)
    const second = rig({ stores: first.stores, clock: first.clock }, other)
    expect((await second.print(free, 'new')).status).toBe(400)
    expect((await second.print(free, 'k')).text).toBe(stored.text)
    expect(other.closed).toEqual([])
  })

  it('forgets a key after 24 hours', async () => {
    const { clock, printer, print } = rig()
    await print(RECEIPT, 'k')
    clock.advance(24 * 60 * 60 * 1000)
    expect((await print(RECEIPT, 'k')).body.Data).toBe('2')
    expect(printer.closed).toEqual([1, 2])
  })

  it('executes the retry of a request that was refused or cancelled', async () => {
    const { printer, print } = rig()
    printer.failOn('sellArticle', NO_PAPER)
    expect((await print(RECEIPT, 'k')).status).toBe(424)
    expect((await print(RECEIPT, 'k')).body.StatusCode).toBe(200)
    expect(printer.closed).toHaveLength(1)
  })

  it('stores Completed as receipt N: like any answer to a request that printed', async () => {
    const { printer, print } = rig()
    const Payments = [0.4, 0.6].map((Amount) => ({ PaymentMode: 0, Amount }))
    printer.failOn('pay', REFUSED, false, 1)
    printer.failOn('pay', REFUSED)
    const first = await print({ ...RECEIPT, Payments }, 'k')
    expect(first.body.Message).toMatch(/^Completed as receipt 1:/)
    expect((await print({ ...RECEIPT, Payments }, 'k')).text).toBe(first.text)
    expect(printer.closed).toEqual([1])
  })

  it('makes a retry wait while the first request is running', async () => {
    const { printer, print } = rig()
    const release = printer.hold()
    const both = [print(RECEIPT, 'k').then(), print(RECEIPT, 'k').then()]
    await expect.poll(() => printer.calls.length).toBeGreaterThan(0)
    release()
    const [first, second] = await Promise.all(both)
    expect(second?.text).toBe(first?.text)
    expect(printer.closed).toEqual([1])
  })

  it.each([
    ['exists', true, [1]],
    ['does not exist', false, [1]],
  ] as const)('reconciles after Outcome unknown: a receipt that %s is printed once', async (_, carriedOut, closed) => {
    const { printer, print } = rig()
    printer.failOn('closeFiscal', UNKNOWN, carriedOut)
    printer.failOn('evidence', NO_ANSWER, false, 1)
    const first = await print(RECEIPT, 'k')
    expect(first.body.Message).toMatch(/^Outcome unknown:/)
    expect((await print(RECEIPT, 'k')).body).toEqual({ StatusCode: 200, Data: '1' })
    expect((await print(RECEIPT, 'k')).body).toEqual({ StatusCode: 200, Data: '1' })
    expect(printer.closed).toEqual(closed)
  })

  it('keeps a key across a restart, also the key of an interrupted request', async () => {
    const printer = createFakePrinter()
    const first = rig({}, printer)
    const stored = await first.print(RECEIPT, 'done')
    first.stores.answers.begin({ name: '/print-fiscal-receipt', key: 'half', fingerprint: 'unused' }, HALF_PAID)
    await printer.openFiscal({ operator: { code: 1, password: '' }, pointOfSale: 1, invoice: false })
    await printer.sellArticle({ plu: 1, quantity: 1000, void: false })
    await printer.pay({ mode: 0, amount: 40 })
    const second = rig({ stores: first.stores, clock: first.clock }, printer)
    expect((await second.print(RECEIPT, 'done')).text).toBe(stored.text)
    await second.post('/clear-display')
    expect(second.stores.answers.find('half')).toMatchObject({ state: 'answered', reply: { status: 200 } })
    expect(printer.closed).toEqual([1, 2])
  })

  it('reconciles a single sale by the device’s own sum', async () => {
    const { printer, post } = rig()
    await post('/open-fiscal-receipt', { OperatorCode: 1, OperatorPassword: '0', PointOfSaleNumber: 1, Invoice: false })
    const sell = () => post('/register-plu-sale', { PluNumber: 1 }, 'k')
    printer.failOn('sellArticle', UNKNOWN, true)
    printer.failOn('evidence', NO_ANSWER, false, 1)
    expect((await sell()).body.Message).toMatch(/^Outcome unknown:/)
    expect((await sell()).body).toEqual({ StatusCode: 200, Data: '' })
    expect((await post('/status-of-the-fiscal-transaction')).body.Data).toMatchObject({ ItemsCount: 1, Total: 1 })
  })

  it('reconciles a report by the number of the last document', async () => {
    const { printer, post } = rig()
    printer.failOn('reportZ', UNKNOWN, true)
    expect((await post('/report-z', undefined, 'k')).body).toEqual({ StatusCode: 200, Data: '' })
    printer.failOn('reportZ', UNKNOWN, false)
    expect((await post('/report-z', undefined, 'l')).body.Message).toMatch(/The device did not execute the command\.$/)
    expect((await post('/report-z', undefined, 'l')).body).toEqual({ StatusCode: 200, Data: '2' })
    expect(printer.calls.filter((one) => one === 'reportZ')).toHaveLength(3)
  })

  it.each([
    ['was printed', true, '', 1],
    ['was not printed', false, '1', 2],
  ])('reconciles a report before the next request: the report %s', async (_, carriedOut, data, asked) => {
    const { printer, post } = rig()
    printer.failOn('reportX', UNKNOWN, carriedOut)
    printer.failOn('evidence', NO_ANSWER, false, 1)
    expect((await post('/report-x', undefined, 'k')).body.Message).toMatch(/^Outcome unknown:/)
    expect((await post('/report-x', undefined, 'k')).body).toEqual({ StatusCode: 200, Data: data })
    expect(printer.calls.filter((one) => one === 'reportX')).toHaveLength(asked)
  })

  it('ignores the key of a request that prints nothing', async () => {
    const { printer, post } = rig()
    for (let i = 0; i < 2; i++) await post('/display-line-one', { Text: 'x' }, 'k')
    expect(printer.calls).toEqual(['displayLine', 'displayLine'])
  })
})

describe('the queue of requests', () => {
  it('lets one request at a time reach the device, in the order of arrival', async () => {
    const { printer, print, post } = rig()
    const release = printer.hold()
    const all = [print().then(), print().then(), post('/clear-display').then()]
    await expect.poll(() => printer.calls).toEqual(['evidence'])
    release()
    await Promise.all(all)
    expect(printer.calls.filter((one) => one === 'closeFiscal' || one === 'openFiscal' || one === 'clearDisplay')).toEqual([
      'openFiscal', 'closeFiscal', 'openFiscal', 'closeFiscal', 'clearDisplay',
    ]) // biome-ignore format: one line
  })

  it('refuses a request with 503 and Retry-After while 64 others are waiting', async () => {
    const { printer, post, service } = rig()
    const release = printer.hold()
    const waiting = Array.from({ length: WAITING_MAX + 1 }, () => post('/clear-display').then())
    await expect.poll(() => service.queue.waiting).toBe(WAITING_MAX)
    const { status, body, headers } = await post('/clear-display')
    expect([status, body.StatusCode]).toEqual([503, 503])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    release()
    expect((await Promise.all(waiting)).map((one) => one.status)).toEqual(Array(WAITING_MAX + 1).fill(200))
  })

  it('lets no request wait longer than 120 s', async () => {
    const { printer, clock, post, print, service } = rig()
    const release = printer.hold()
    const running = print().then()
    await expect.poll(() => printer.calls.length).toBe(1)
    const waiting = post('/clear-display').then()
    await expect.poll(() => service.queue.waiting).toBe(1)
    clock.advance(120_000)
    expect((await waiting).status).toBe(503)
    expect((await running).body.Message).toMatch(/^Outcome unknown:/)
    release()
    await expect.poll(() => printer.closed).toEqual([1])
    expect(printer.calls).not.toContain('clearDisplay')
  })

  it('lets a receipt be printed completely when the client disconnects', async () => {
    const { printer, print } = rig()
    const release = printer.hold()
    const request = print()
    const ended = request.then().catch(() => undefined)
    await expect.poll(() => printer.calls.length).toBe(1)
    request.abort()
    release()
    await expect.poll(() => printer.closed).toEqual([1])
    await ended
  })
})

describe('a request that prints a report after its receipt', () => {
  it('is reconciled by its receipt, even if the service was interrupted during the report', async () => {
    const { printer } = rig()
    const progress = new UnderWay()
    progress.begin({ steps: HALF_PAID.steps, before: null, document: 7 })
    progress.reach(4)
    progress.closed('7')
    progress.begin({ steps: [{ does: 'document', kind: 'x' }], before: null })
    expect(progress.entry).toMatchObject({ steps: HALF_PAID.steps, is: 'done', receiptNumber: '7' })
    expect(await reconcile(printer, progress)).toEqual({ became: 'closed', receiptNumber: '7', as: 'asked' })
    expect(printer.calls).toEqual([])
  })
})

it('a data folder stores answered and unfinished requests in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-answers-'))
  const file = join(folder, 'answers.sqlite')
  const { clock } = rig()
  const intent = { name: '/print-fiscal-receipt', fingerprint: 'f' }
  try {
    const stores = openStores(clock, { journal: file })
    const first = stores.answers
    const answered = first.begin({ ...intent, key: 'answered' }, HALF_PAID)
    first.answer(answered, { status: 200, body: '{}' })
    first.forget(first.begin({ ...intent, key: 'forgotten' }, HALF_PAID))
    const half = first.begin(intent, HALF_PAID)
    first.advance(half, { ...HALF_PAID, at: 4 }, false)
    stores.close()
    const later = openStores(clock, { journal: file })
    const second = later.answers
    expect(second.find('answered')).toEqual({ state: 'answered', fingerprint: 'f', reply: { status: 200, body: '{}' } })
    expect(second.find('forgotten')).toBeUndefined()
    const entry = { ...HALF_PAID, at: 4 }
    expect(second.unfinished()).toEqual([{ id: half, name: '/print-fiscal-receipt', entry }])
    later.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('equal numbers in the body of a request', () => {
  it.each([
    ['2.0', '2'],
    ['2.50', '2.5'],
    ['0.25e1', '2.5'],
    ['20e-1', '2'],
    ['-0', '0'],
    ['0.0e9', '0'],
    ['1E3', '1000'],
    ['0.001', '0.001'],
    ['10', '10'],
    ['12345678901234567890.10', '12345678901234567890.1'],
    ['1e40', '1e40'],
  ])('have several spellings: %s equals %s', (one, other) => {
    expect(canonical(readJson(one))).toBe(other)
    expect(canonical(readJson(`[{"a":${one}}]`))).toBe(canonical(readJson(`[{"A":${other}}]`)))
  })

  it('make equal requests, and different numbers make different requests', async () => {
    const { agent, printer } = rig()
    const print = (amount: string) =>
      agent
        .post('/api/print-fiscal-receipt')
        .set('Idempotency-Key', 'k')
        .type('json')
        .send(
          `{"ReceiptItems":[{"Type":1,"PluSale":{"PluNumber":1}}],"Payments":[{"PaymentMode":0,"Amount":${amount}}]}`,
        )
    const first = (await print('20')).body
    expect(first.StatusCode).toBe(200)
    expect((await print('20.00')).body).toEqual(first)
    expect((await print('2e1')).body).toEqual(first)
    expect((await print('20.01')).body.StatusCode).toBe(400)
    expect(printer.closed.length).toBe(1)
  })
})
