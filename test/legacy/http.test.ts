import fc from 'fast-check'
import supertest from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAMILIES, type TaxCode } from '../../drivers/model/receipt.ts'
import { parseJob } from '../../server/legacy/parse.ts'
import { CATALOGUE } from '../../server/legacy/problem.ts'
import { CASES, type Case } from './cases.ts'
import { type CompatibilityRig, openRig } from './rig.ts'

/** The worked examples through POST /api/Receipt onto the emulated paper, and everything that may be posted there. */

let rig: CompatibilityRig
afterEach(() => rig.close())

const GOOD = { ReceiptStatus: 'true', ErrorCode: '', ErrorInfo: '' }
const failed = (code: keyof typeof CATALOGUE, line?: number) => ({
  ReceiptStatus: 'false',
  ReceiptNumber: '',
  ErrorCode: code,
  ErrorInfo: expect.stringMatching(`^${CATALOGUE[code]}: ${line === undefined ? '(?!line)' : `line ${line}: `}.`),
})

/** Rates in hundredths of a percent, by tax code. */
const ratesOf = (one: Case) =>
  Object.fromEntries(
    Object.entries(one.context?.vatTable ?? {}).map(([percent, code]) => [code, Number(percent) * 100]),
  ) as Partial<Record<TaxCode, number>>

function open(one: Case): CompatibilityRig {
  return openRig({ family: one.context?.family ?? 'A', settings: { taxRates: ratesOf(one) } })
}

const KINDS = { fiscal: 'fiscal', nonfiscal: 'nonFiscal' } as const

describe('the worked examples over HTTP, onto paper', () => {
  const good = CASES.filter(({ expect: { ok } }) => ok)
  it.each(good)('$name prints', async (one) => {
    rig = open(one)
    if (!one.expect.ok) return
    const { kind, total, payments, change = 0, items = [], customerTaxId, open: opening } = one.expect
    if (opening && JSON.stringify(opening).includes('0001')) programPassword(rig, 3, '0001')
    const answer = await rig.post(one.lines)
    expect(answer).toEqual({ ...GOOD, ReceiptNumber: kind === 'fiscal' ? expect.stringMatching(/^\d+$/) : '' })
    const { day, receipt } = rig.emulator.device
    expect(receipt).toBe(null)
    if (kind === 'fiscal') {
      expect(day.total / 100).toBe(total)
      const booked = Object.values(day.payments).reduce((sum, amount) => sum + amount, 0)
      expect(booked / 100).toBe(total)
      const tendered = (payments ?? []).reduce((sum, payment) => sum + Math.round(payment.Amount * 100), 0)
      expect(tendered - Math.round(change * 100)).toBe(booked)
    } else expect(day.total).toBe(0)
    const [paper] = rig.papers()
    if (kind === 'fiscal' || kind === 'nonfiscal') {
      const isInvoice = opening !== undefined && (opening as { Invoice: boolean }).Invoice
      expect(paper?.kind).toBe(isInvoice ? 'invoice' : KINDS[kind])
      if (customerTaxId !== undefined) expect(paper?.text).toContain(customerTaxId)
      for (const name of namesOf(items)) expect(paper?.text).toContain(name)
    }
    if (kind === 'fiscal-cancelled') expect(paper?.kind).toBe('cancelled')
  })

  it.each(CASES.filter(({ expect: { ok } }) => !ok))('$name touches no device', async (one) => {
    rig = open(one)
    const mark = rig.mark()
    const answer = await rig.post(one.lines)
    if (one.expect.ok) return
    expect(answer).toEqual(failed(one.expect.error.code as keyof typeof CATALOGUE, one.expect.error.line))
    expect(rig.papers()).toEqual([])
    // A percentage has to be looked up in the device; nothing else is asked.
    if (one.expect.error.code !== '403') expect(rig.framesSince(mark)).toBe(0)
  })
})

function programPassword(target: CompatibilityRig, operator: number, password: string): void {
  target.emulator.device.registers.setOperator({ code: operator, name: 'Operator 3', password })
}

/** The first word of each product: long names wrap, letters may lose their marks. */
const namesOf = (items: readonly unknown[]): readonly string[] =>
  (items as readonly { FreeSale?: { ProductName: string } }[]).flatMap(({ FreeSale }) =>
    FreeSale ? [FreeSale.ProductName.split(' ')[0] as string] : [],
  )

describe.each(FAMILIES)('family %s', (family) => {
  beforeEach(() => {
    rig = openRig({
      family,
      plu: [
        { name: 'Cafea', plu: 105 },
        { taxCode: 1, plu: 101 },
        { taxCode: 2, plu: 3 },
      ],
    })
    programArticles(rig)
  })

  it('sells, adjusts and takes change', async () => {
    const lines = [
      'S^Cafea^1050^2000^buc^1^1',
      'S^Paine^350^1500^kg^1^1',
      'DP^1000',
      'S^Lapte^799^1000^buc^2^1',
      'DV^99',
      'P^1^10000',
    ]
    expect(await rig.post(lines)).toEqual({ ...GOOD, ReceiptNumber: expect.stringMatching(/^\d+$/) })
    // 21.00 + (5.25 - 0.53) + (7.99 - 0.99)
    expect(rig.emulator.device.day.total).toBe(2100 + 472 + 700)
    expect(rig.papers().map(({ kind }) => kind)).toEqual(['fiscal'])
  })

  it('takes back a sale that carries a discount, whole', async () => {
    const lines = [
      'S^Cafea^1000^2000^buc^1^1',
      'DP^1000',
      'S^Paine^350^1000^kg^1^1',
      'VS^Cafea^1000^2000^buc^1^1',
      'P^1^350',
    ]
    expect(await rig.post(lines)).toMatchObject(GOOD)
    expect(rig.emulator.device.day.total).toBe(350)
  })

  it('runs service commands in their order', async () => {
    expect(await rig.post(['DS^', 'I^10000', 'X^', 'Z^'])).toMatchObject({ ...GOOD, ReceiptNumber: '' })
    const kinds = rig.papers().map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'x' || kind === 'z')).toEqual(['x', 'z'])
  })

  it('a name of 72 characters that the device has not is printed', async () => {
    const answer = await rig.post([`S^${'😀'.repeat(72)}^100^1000^buc^1^1`, 'P^1^0'])
    expect(answer).toMatchObject(GOOD)
    expect(rig.emulator.device.day.total).toBe(100)
  })

  // The catalogue: "222 OPERATOR_INVALID | 48 fields"; C pads or cuts whatever it is given.
  it.each(['pa\u0219', '123456789', '12 4'])('a password %j that the wire cannot carry', async (password) => {
    const mark = rig.mark()
    const header = ',1,______,_,__;'
    const lines = [`48${header}1;${password};1`, `S${header}Cafea;1.00;1;1;1;1`, `T${header}`]
    const answer = await rig.post(lines)
    expect(JSON.stringify(answer)).not.toContain(password)
    if (family === 'C') return expect(answer.ErrorCode).toBe('509')
    expect(answer).toEqual(failed('222', 1))
    expect([rig.papers(), rig.framesSince(mark)]).toEqual([[], 0])
  })

  it('shows two lines on the display', async () => {
    expect(await rig.post(['MD^TOTAL^24.50'])).toMatchObject(GOOD)
  })

  it('cancels what another program has left open, and says when nothing is', async () => {
    expect(await rig.post(['VB^'])).toEqual(failed('504'))
    const password = rig.printer.capabilities.defaultPassword(1)
    await rig.printer.openFiscal({ operator: { code: 1, password }, pointOfSale: 1, invoice: false })
    expect(await rig.post(['S^Cafea^1050^2000^buc^1^1', 'P^1^0'])).toEqual(failed('503'))
    for (const line of ['X^', 'Z^', 'I^100', 'O^100', 'COPIEBON^']) {
      expect([line, await rig.post([line])]).toEqual([line, failed('503')])
    }
    expect(rig.papers()).toEqual([])
    expect(await rig.post(['VB^', 'X^'])).toMatchObject(GOOD)
  })

  it('a percentage on the subtotal over several tax groups is paid as the device computes it', async () => {
    const lines = ['S^Cafea^333^1000^buc^1^1', 'S^Lapte^333^1000^buc^2^1', 'ST^', 'DP^1550', 'P^1^0']
    expect(await rig.post(lines)).toMatchObject(GOOD)
    expect(rig.papers().map(({ kind }) => kind)).toEqual(['fiscal'])
  })

  it('says what the device needs: paper, a closed cover, a cable', async () => {
    const lines = ['S^Cafea^1050^2000^buc^1^1', 'P^1^0']
    rig.emulator.setPaper('out')
    expect((await rig.post(lines)).ErrorCode).toBe('505')
    rig.emulator.setPaper('ok')
    rig.emulator.setCover(true)
    // Not every wire tells a cover from another fault of the mechanism.
    expect(['506', '509']).toContain((await rig.post(lines)).ErrorCode)
    rig.emulator.setCover(false)
    await rig.emulator.setCable(false)
    expect((await rig.post(lines)).ErrorCode).toBe('501')
    await rig.emulator.setCable(true)
    expect(await rig.post(lines)).toMatchObject(GOOD)
    expect(rig.emulator.device.day.total).toBe(2100)
  })
})

/** 101 and 105 take a price with the sale where the family has such articles; 3 keeps its own. */
function programArticles({ emulator }: CompatibilityRig): void {
  for (const [plu, price] of [
    [101, 100],
    [105, 900],
  ] as const) {
    emulator.device.articles.program({
      plu,
      name: `Marfa ${plu}`,
      taxCode: 1,
      department: 1,
      group: 1,
      priceType: 'free',
      price,
      stock: null,
      barcodes: [],
      unit: 0,
    })
  }
}

describe('family B', () => {
  it('refuses a sale that the table has no entry for, before anything is opened', async () => {
    rig = openRig({ family: 'B', plu: [{ name: 'Paine', taxCode: 2, plu: 2 }] })
    const mark = rig.mark()
    expect(await rig.post(['S^Paine^350^1000^buc^1^1', 'P^1^0'])).toEqual(failed('402'))
    expect(await rig.post(['S^Cafea^350^1000^buc^2^1', 'P^1^0'])).toEqual(failed('402'))
    expect([rig.papers(), rig.framesSince(mark)]).toEqual([[], 0])
  })

  it('an entry with a name sells that article only', async () => {
    rig = openRig({ family: 'B', plu: [{ name: 'Paine', taxCode: 2, plu: 2 }] })
    expect(await rig.post(['S^Paine^350^1000^buc^2^1', 'P^1^0'])).toMatchObject(GOOD)
    expect(rig.emulator.device.day.total).toBe(350)
  })
})

describe('whatever is posted', () => {
  beforeEach(() => {
    rig = openRig({ family: 'A' })
  })

  it.each<[string, string, string | Buffer, keyof typeof CATALOGUE]>([
    ['not JSON', 'application/json', 'S^a^1', '101'],
    ['an object', 'application/json', '{"lines":[]}', '101'],
    ['nothing', 'application/json', '', '101'],
    ['bytes that are no UTF-8', 'application/json', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), '101'],
    ['more than a megabyte', 'application/json', JSON.stringify(['x'.repeat(1_100_000)]), '105'],
    ['an empty list', 'application/json', '[]', '102'],
  ])('%s: HTTP 200 and a code', async (_, type, body, code) => {
    const response = await supertest(rig.app).post('/api/Receipt').set('Content-Type', type).send(body)
    expect(response.status).toBe(200)
    expect(response.body).toEqual(failed(code))
  })

  it('any list of texts gets an answer, and no frame unless the lines make a job', async () => {
    const piece = fc.constantFrom('S', 'a', '100', '1000', '1', 'P', 'X', '^', ',', ';', '48', 'TL', 'T', '__')
    const line = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
    const lines = fc.array(fc.oneof(line, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(lines, async (posted) => {
        const mark = rig.mark()
        const response = await supertest(rig.app).post('/api/Receipt').send(posted)
        expect([response.status, Object.values(response.body).every((one) => typeof one === 'string')]).toEqual([
          200,
          true,
        ])
        if (!parseJob(posted).ok) expect(rig.framesSince(mark)).toBe(0)
      }),
      { numRuns: 150 },
    )
  })

  it('another content type is read all the same', async () => {
    const response = await supertest(rig.app).post('/api/receipt').set('Content-Type', 'text/plain').send('["X^"]')
    expect([response.status, response.body]).toEqual([200, { ...GOOD, ReceiptNumber: '' }])
  })

  it.each(['/api/receipt', '/api/RECEIPT', '/api/Receipt/'])('%s is the same path', async (path) => {
    expect((await supertest(rig.app).post(path).send(['TL^x'])).body).toMatchObject(GOOD)
  })

  it.each(['get', 'put', 'delete'] as const)('%s is 405 with Allow', async (method) => {
    const response = await supertest(rig.app)[method]('/api/Receipt')
    expect([response.status, response.headers['allow']]).toEqual([405, expect.stringContaining('POST')])
  })

  it('the same Idempotency-Key prints once', async () => {
    const lines = ['S^Paine^350^1000^buc^2^1', 'P^1^350']
    const post = () => supertest(rig.app).post('/api/Receipt').set('Idempotency-Key', 'k1').send(lines)
    const first = (await post()).body
    expect((await post()).body).toEqual(first)
    expect(rig.papers().length).toBe(1)
    const other = await supertest(rig.app).post('/api/Receipt').set('Idempotency-Key', 'k1').send(['X^'])
    expect(other.body).toMatchObject({ ReceiptStatus: 'false', ErrorCode: '101' })
  })

  it('a sale that the device refuses leaves a cancelled receipt and a reason', async () => {
    const answer = await rig.post(['S^Proba^0^1000^buc^1^1', 'S^Paine^350^1000^buc^2^1', 'P^1^0'])
    expect(answer).toEqual(failed('509'))
    expect(answer.ErrorInfo).toContain('The receipt was cancelled')
    expect(rig.emulator.device.receipt).toBe(null)
    expect(rig.emulator.device.day.total).toBe(0)
  })
})
