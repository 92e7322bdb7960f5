import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { ProgrammedArticle } from '../../emulator/fiscal/types/registers.ts'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { comparable } from '../../scenarios/runner/golden.ts'
import { failures, play, scenarioFile } from '../scenarios/play.ts'
import { createPanel } from '../support/panel.ts'
import { type PrintingService, startPrinter, startService } from '../support/rig.ts'

const BREAD: ProgrammedArticle = {
  ...{ plu: 70, name: 'Rye bread', price: 120, taxCode: 1, department: 1, group: 1 },
  ...{ priceType: 'fixed', stock: null, barcodes: [], unit: 0 },
}

const AT = Date.parse('2026-07-14T09:00:00Z')

const printed = (text: readonly string[]) =>
  comparable(text).map((line) => line.replace(/(?<![\d.])\d{4,}(?!\d|\.\d)/g, (number) => '_'.repeat(number.length)))

async function copied(emulator: Emulator, id: number, form: 'curl' | 'yaml' | 'wire', status = 200): Promise<string> {
  const panel = createPanel(emulator)
  try {
    const answer = await request(panel.app).get(`/emulator/documents/${id}.${form}`)
    expect([answer.status, answer.text]).toEqual([status, answer.text])
    return status === 200 ? answer.text : String(answer.body.error)
  } finally {
    panel.close()
  }
}

const requestsIn = (curl: string): readonly { readonly path: string; readonly body: string }[] =>
  curl.split(' &&\n').map((one) => ({
    path: /\/api(\/\S+)/.exec(one)?.[1] ?? '',
    body: (/ -d '([\s\S]*)'$/.exec(one.trimEnd())?.[1] ?? '').replaceAll("'\\''", "'"),
  }))

const DEVICES: readonly (readonly [Family, string])[] = [
  ['A', 'bg'],
  ['A', 'ro'],
  ['B', 'b8'],
  ['B', 'b5'],
  ['C', 'c4'],
  ['C', 'c6'],
  ['C', 'cr'],
]

type Step = readonly [path: string, body?: object]

const free = (ProductName: string, more: object = {}) => ({
  ProductName,
  TaxCode: 1,
  Price: 2.5,
  Department: 1,
  Unit: 'kg',
  ...more,
})

/** Returns documents of every kind, as calls of a client. Free sales are included only if the family has them. */
const documentsFor = (family: Family, opening: object): Readonly<Record<string, readonly Step[]>> => ({
  'an article, with change': [
    [
      '/print-fiscal-receipt',
      {
        ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }],
        Payments: [{ PaymentMode: 0, Amount: 20 }],
      },
    ],
  ],
  'discounts, surcharges, a void, a subtotal and two payments': [
    ['/open-fiscal-receipt', opening],
    ['/register-plu-sale', { PluNumber: 1, Quantity: 3, DiscountType: 2, DiscountValue: 10 }],
    ['/register-plu-sale', { PluNumber: 3, DiscountType: 1, DiscountValue: 5.5 }],
    ['/register-plu-sale', { PluNumber: 2 }],
    ['/register-plu-sale', { PluNumber: 2, Void: true }],
    ['/print-fiscal-text', { Message: "It's 5 o'clock, pay $5" }],
    ['/subtotal', { Print: true, DiscountType: 2, DiscountValue: 10 }],
    ['/payment', { PaymentMode: 1, Amount: 1 }],
    ['/payment', { PaymentMode: 0, Amount: 10 }],
    ['/close-fiscal-receipt'],
  ],
  'two subtotals': [
    ['/open-fiscal-receipt', opening],
    ['/register-plu-sale', { PluNumber: 1 }],
    ['/subtotal', { Print: true }],
    ['/register-plu-sale', { PluNumber: 3 }],
    ['/subtotal', { Print: true }],
    ['/payment', { PaymentMode: 0, Amount: 4.4 }],
    ['/close-fiscal-receipt'],
  ],
  'a cancelled receipt': [
    ['/open-fiscal-receipt', opening],
    ['/register-plu-sale', { PluNumber: 1 }],
    ['/cancel-fiscal-receipt'],
  ],
  'a non-fiscal receipt': [
    [
      '/print-non-fiscal-receipt',
      {
        ReceiptItems: [
          { Type: 0, Text: { Message: 'Kitchen order 7' } },
          { Type: 2, SeparatingLineType: 2 },
          { Type: 0, Text: { Message: '2 x soup' } },
        ],
      },
    ],
  ],
  ...(family !== 'C' && {
    'barcodes and a line': [
      ['/open-fiscal-receipt', opening],
      ['/register-plu-sale', { PluNumber: 1 }],
      ['/print-bar-code', { Type: 2, Data: '5941234567899', Height: 12, PrintText: true }],
      ...(family === 'A' ? [['/print-bar-code', { Type: 4, Data: "https://shop.example/?a=1&b='2'" }] as const] : []),
      ['/print-separating-line/2'],
      ['/payment', { PaymentMode: 0, Amount: 1.2 }],
      ['/close-fiscal-receipt'],
    ],
  }),
  'an X report': [['/report-x']],
  'a copy': [['/copy-of-last-fiscal-receipt']],
  'a Z report': [['/report-z']],
  ...(family !== 'B' && {
    'sales by department, of a fraction': [
      ['/open-fiscal-receipt', opening],
      ['/register-free-sale', free('Green apples', { Quantity: 1.235 })],
      ['/register-free-sale', free('Pears', { DiscountType: 2, DiscountValue: 20 })],
      ['/register-free-sale', free('Plums')],
      ['/register-free-sale', free('Plums', { Void: true })],
      ['/payment', { PaymentMode: 0, Amount: 50 }],
      ['/close-fiscal-receipt'],
    ],
    'an invoice': [
      [
        '/print-fiscal-receipt',
        { OpenFiscalReceipt: { ...opening, Invoice: true }, ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 8 } }] },
      ],
    ],
  }),
})

const CUSTOMER = { taxNumber: 'RO12345674', name: 'Corner Bakery', address: '12 Market Street' }

const serviceOf = (family: Family, profile: string) =>
  startService({ family, profile }, { settings: { defaults: { operator: 1, pointOfSale: 1, customer: CUSTOMER } } })

const last = ({ emulator }: PrintingService) => emulator.device.documents().at(-1)

describe.each(DEVICES)('family %s, profile %s', (family, profile) => {
  it('prints the same paper from its copy as curl and from its copy as a scenario', async () => {
    const [first, second] = [await serviceOf(family, profile), await serviceOf(family, profile)]
    try {
      const { profile: made } = first.emulator
      const opening = {
        OperatorCode: 2,
        OperatorPassword: made.factoryPassword(2),
        PointOfSaleNumber: 1,
        Invoice: false,
      }
      const scenarios: string[] = []
      for (const [name, steps] of Object.entries(documentsFor(family, opening))) {
        for (const [path, body] of steps)
          expect([name, await first.post(path, body)]).toMatchObject([name, { StatusCode: 200 }])
        const document = last(first)
        const id = document?.id ?? 0
        for (const { path, body } of requestsIn(await copied(first.emulator, id, 'curl'))) {
          const answer = body === '' ? await second.post(path) : await second.raw(path, body)
          expect([name, path, body, answer]).toMatchObject([name, path, body, { StatusCode: 200 }])
        }
        expect([name, last(second)?.kind, ...printed(last(second)?.text ?? [])]).toEqual([
          name,
          document?.kind,
          ...printed(document?.text ?? []),
        ])
        scenarios.push(await copied(first.emulator, id, 'yaml'))
        expect(await copied(first.emulator, id, 'wire')).toMatch(/^# > to the device, \S+: \w+/)
      }
      const played = await play([scenarioFile(scenarios.join('---\n'))], { families: [family], profile })
      expect(failures(played)).toEqual([])
      expect(played.results.filter(({ status }) => status === 'passed')).toHaveLength(scenarios.length)
    } finally {
      await first.close()
      await second.close()
    }
  }, 60_000)
})

const NO_SERVICE_CALL: readonly (readonly [string, (device: FiscalDevice) => void, string])[] = [
  [
    'a reversal',
    (device: FiscalDevice) => {
      device.openFiscal({ kind: 'reversal', reason: 'refund', invoice: false, operator: 1, pointOfSale: 1 })
      device.closeFiscal()
    },
    'the service has no call for a reversal',
  ],
  [
    'cash put in',
    (device: FiscalDevice) => void device.cashInOut({ direction: 'in', amount: 1000 }),
    'the service has no call that prints this: it is cash in or out, or a list of the device',
  ],
  [
    'a price of its own',
    (device: FiscalDevice) => {
      device.articles.program({ ...BREAD, priceType: 'free' })
      device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
      expect(device.sellArticle({ plu: 70, price: 99, quantity: 1000, void: false })).toMatchObject({ ok: true })
      device.pay({ mode: 0, amount: 100 })
      device.closeFiscal()
    },
    'the service sells article 70 at its programmed price only',
  ],
]

describe('a document without a call of the service', () => {
  it.each(['A', 'B', 'C'] as const)('is copied as frames, which pass as a scenario: family %s', async (family) => {
    const { emulator, driver, close } = startPrinter({ family })
    printSample(emulator)
    const printer = driver()
    await printer.moveCash?.(1000, { code: 1, password: emulator.profile.factoryPassword(1) })
    expect(emulator.device.document(2)?.kind).toBe('service')
    expect(await copied(emulator, 2, 'curl', 404)).toContain('cash in or out')
    const yaml = await copied(emulator, 2, 'yaml')
    expect(yaml).toMatch(/- wire: \{ send: "[\dA-F ]+" \} # cashInOut/)
    expect(yaml).toContain('post /print-fiscal-receipt')
    const { results } = await play([scenarioFile(yaml)], { families: [family] })
    expect([failures({ results }), results.map(({ status }) => status)]).toEqual([[], ['passed']])
    await close()
  })

  it.each(NO_SERVICE_CALL)(
    'is copied with a message if no frames are stored either: %s',
    async (_name, make, sentence) => {
      const emulator = createEmulator({ family: 'A', clock: new SimulatedClock(AT) })
      make(emulator.device)
      if (emulator.device.receipt) emulator.device.cancelFiscal()
      expect(await copied(emulator, 1, 'curl', 404)).toBe(sentence)
      expect(await copied(emulator, 1, 'yaml', 404)).toBe(`${sentence}, and none of its frames are stored`)
      expect(await copied(emulator, 1, 'wire')).toBe(
        '# No frames: the document was entered at the device, or its frames are no longer stored.\n',
      )
      await emulator.close()
    },
  )
})

it.each(DEVICES)('a copied report expects its sums and its lines: family %s, profile %s', async (family, profile) => {
  const service = await serviceOf(family, profile)
  const sale = (PluNumber: number, more: object = {}) => ({
    ReceiptItems: [{ Type: 1, PluSale: { PluNumber, ...more } }],
  })
  for (const [path, body] of [
    ['/print-fiscal-receipt', sale(1)],
    ['/report-z'],
    ['/print-fiscal-receipt', sale(2)],
    ['/print-fiscal-receipt', { ...sale(3, { Quantity: 2 }), Payments: [{ PaymentMode: 1, Amount: 6.4 }] }],
    ['/report-x'],
    ['/report-z'],
    ['/report-z'],
  ] as const)
    expect(await service.post(path, body)).toMatchObject({ StatusCode: 200 })
  const [x, z, empty] = await Promise.all([5, 6, 7].map((id) => copied(service.emulator, id, 'yaml')))
  const total = `${service.emulator.profile.paper.words.total} `
  expect(x).toContain('day: { total: 7.90 }')
  expect(z).toContain('z: { receiptsCount: 2, taxes: { A: 7.90 }, payments: { "0": 1.50, "1": 6.40 }, total: 7.90 }')
  for (const one of [x, z]) expect(one).toMatch(new RegExp(`- "${total}.* 7\\.90"`))
  expect(empty).toContain('z: { receiptsCount: 0, taxes: {}, payments: {}, total: 0.00 }')
  const scenarios = [x, z, empty].join('---\n')
  expect(failures(await play([scenarioFile(scenarios)], { families: [family], profile }))).toEqual([])
  const wrong = await play([scenarioFile(String(z).replace('PluNumber: 2,', 'PluNumber: 1,'))], {
    families: [family],
    profile,
  })
  expect(JSON.stringify(failures(wrong))).toContain('7.60')
  await service.close()
})

it.each(DEVICES)('a copied receipt contains what was refused on it: family %s, profile %s', async (family, profile) => {
  const service = await serviceOf(family, profile)
  const { emulator, post } = service
  const opening = { OperatorCode: 1, OperatorPassword: emulator.profile.factoryPassword(1), PointOfSaleNumber: 1 }
  const statuses = async (steps: readonly Step[]) => {
    const answers = []
    for (const [path, body] of steps) answers.push((await post(path, body)).StatusCode)
    return answers
  }
  expect(
    await statuses([
      ['/open-fiscal-receipt', { ...opening, Invoice: false }],
      ['/register-plu-sale', { PluNumber: 9_999, Quantity: 2 }],
      ['/register-plu-sale', { PluNumber: 1 }],
      ['/register-plu-sale', { PluNumber: 2, Void: true }],
      ['/close-fiscal-receipt'],
      ['/cancel-fiscal-receipt'],
    ]),
  ).toEqual([200, 400, 200, 400, 400, 200])
  expect(
    await statuses([
      ['/open-fiscal-receipt', { ...opening, Invoice: false }],
      ['/register-plu-sale', { PluNumber: 1 }],
      ['/register-plu-sale', { PluNumber: 9_999 }],
      ['/payment', { PaymentMode: 0, Amount: 5 }],
      ['/close-fiscal-receipt'],
    ]),
  ).toEqual([200, 200, 400, 200, 200])
  expect(
    await statuses([
      ['/print-fiscal-receipt', { ReceiptItems: [1, 9_999].map((PluNumber) => ({ Type: 1, PluSale: { PluNumber } })) }],
    ]),
  ).toEqual([400])
  const ids = [1, 2, 3]
  expect(ids.map((id) => emulator.device.document(id)?.kind)).toEqual(['cancelled', 'fiscal', 'cancelled'])
  const scenarios = await Promise.all(ids.map((id) => copied(emulator, id, 'yaml')))
  const stepsIn = (text: string) => text.match(/(?<=post \/)(?!open)[\w-]+|PluNumber: \d+|(?<=expect: ).*/g)
  const refused = ['register-plu-sale', 'PluNumber: 9999', '{ StatusCode: 400 }']
  const sold = ['register-plu-sale', 'PluNumber: 1']
  const voided = ['register-plu-sale', 'PluNumber: 2', '{ StatusCode: 400 }']
  expect(scenarios.map(stepsIn)).toEqual([
    [...refused, ...sold, ...voided, 'cancel-fiscal-receipt'],
    [...sold, ...refused, 'payment', 'close-fiscal-receipt'],
    [...sold, ...refused, 'cancel-fiscal-receipt'],
  ])
  const played = await play([scenarioFile(scenarios.join('---\n'))], { families: [family], profile })
  expect(failures(played)).toEqual([])
  expect(await copied(emulator, 2, 'curl')).not.toContain('9999')
  await service.close()
})

it('the export gives a new device the article, the rate, the password and the customer that it lacks', async () => {
  const settings = { taxRates: { 4: 500 }, operators: { 3: { password: '77' } } }
  const emulator = createEmulator({ family: 'A', clock: new SimulatedClock(AT), settings })
  const { device } = emulator
  device.articles.program({ ...BREAD, name: "Baker's $2 bread", price: 275 })
  device.openFiscal({ kind: 'sale', invoice: true, operator: 3, pointOfSale: 1 })
  device.sellArticle({ plu: 70, quantity: 2500, void: false })
  device.pay({ mode: 0, amount: 1000 })
  device.setCustomer({ taxNumber: '123456789', name: 'Corner "Bakery"', address: '12 Market Street', fields: [] })
  device.closeFiscal()
  const yaml = await copied(emulator, 1, 'yaml')
  expect(yaml).toContain('taxRates: { D: 5.00 }, operators: { "3": { password: "77" } }')
  const { results } = await play([scenarioFile(yaml)], { families: ['A'] })
  expect([failures({ results }), results.map(({ status }) => status)]).toEqual([[], ['passed']])
  await emulator.close()
})

it('the exported lines of curl are valid in a shell: with quotes, dollar signs and letters of every kind', async () => {
  const service = await startService({ family: 'A' })
  const listening = service.app.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  try {
    const { device } = service.emulator
    device.openNonFiscal()
    device.printText({ text: `It's "5 o'clock", pay $5 \\ Кафе` })
    device.closeNonFiscal()
    const { port } = listening.address() as AddressInfo
    const script = (await copied(service.emulator, 1, 'curl')).replaceAll(':65400', `:${port}`)
    await promisify(execFile)('sh', ['-c', script])
    expect(printed(device.document(2)?.text ?? [])).toEqual(printed(device.document(1)?.text ?? []))
  } finally {
    listening.close()
    await service.close()
  }
})

it('the export of a document without stored data says so', async () => {
  const emulator = createEmulator({ family: 'A', clock: new SimulatedClock(AT) })
  printSample(emulator)
  const { tables, ...snapshot } = emulator.device.snapshot()
  emulator.restore({ ...snapshot, tables: { ...tables, courses: [] } })
  expect(await copied(emulator, 1, 'curl', 404)).toMatch(/^the service has no call that prints this/)
  printSample(emulator)
  expect(await copied(emulator, 2, 'curl')).toContain('/print-fiscal-receipt')
  await emulator.close()
})

it('the wire text of a document names an injected fault at its frame', async () => {
  const { emulator, post, close } = await startService({ family: 'A' })
  emulator.faults.add({ at: 'link.toHost', on: 'payment', times: 1, do: 'drop' })
  await post('/print-fiscal-receipt', { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] })
  const wire = await copied(emulator, 1, 'wire')
  expect(wire).toMatch(
    /# < to the host, \S+: payment\n(?:# {3}.*\n)+# ! rule 1, payment: lost on the way to the host\n/,
  )
  expect(wire.match(/# !/g)).toHaveLength(1)
  await close()
})
