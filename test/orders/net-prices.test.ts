/** Worked orders with net prices, from the mock platform through the service to the paper of each family. */
import { readFileSync } from 'node:fs'
import supertest from 'supertest'
import { afterEach, describe, expect, it } from 'vitest'
import { printerOver } from '../../bin/library/printer.ts'
import type { Family } from '../../drivers/model/families.ts'
import { parseDecimal } from '../../drivers/model/money.ts'
import { factorySettings } from '../../emulator/emulator.ts'
import { programmer } from '../../emulator/panel/program-articles.ts'
import { type MockPlatform, startMockPlatform } from '../../scenarios/mock-platform/mock-platform.ts'
import { type Internal, readOrders } from '../../scenarios/mock-platform/orders.ts'
import { type PrintingService, startService } from '../support/rig.ts'
import { platformConfig } from './cases.ts'

interface NetOrder {
  readonly order: Readonly<Record<string, unknown>> & { readonly legacyResourceId: string }
  readonly internal: Internal
}

interface Row {
  readonly Type: 0 | 2
  readonly Text?: { readonly Message: string }
  readonly FreeSale?: {
    readonly ProductName: string
    readonly TaxCode: number
    readonly Price: string
    readonly Quantity: string
    readonly DiscountValue?: string
  }
}

interface Vat {
  readonly TaxCode: number
  readonly rate: string
  readonly turnover: string
  readonly vat: string
}

interface Printed {
  readonly status: 200
  readonly receiptItems: readonly Row[]
  readonly lineTotals: readonly string[]
  readonly payments: readonly { readonly PaymentMode: number; readonly Amount: string }[]
  readonly total: string
  /** Missing if the device does not report its rates. */
  readonly vat?: readonly Vat[]
}

interface NetCase extends NetOrder {
  readonly case: string
  readonly kind: string
  readonly before?: NetOrder
  readonly query?: { readonly again?: boolean }
  readonly device?: { readonly rates: Readonly<Record<string, string>> | null }
  readonly configOverride?: Readonly<Record<string, unknown>>
  readonly expected: Printed | { readonly status: 400; readonly message: string }
}

interface File {
  readonly config: Readonly<Record<string, unknown>>
  readonly device: { readonly rates: Readonly<Record<string, string>> }
  readonly cases: readonly NetCase[]
}

const FILE: File = JSON.parse(readFileSync(new URL('../../fixtures/orders/net-cases.json', import.meta.url), 'utf8'))
const WIDE = { maximum: 100_000, restorePerSecond: 100_000 }
const RATES_COMMAND: Readonly<Record<Family, string>> = { A: 'taxRates', B: 'taxRates', C: 'readTaxRates' }
/** Warnings in the log about orders that are printed all the same. */
const WARNINGS: Readonly<Record<string, (id: string) => readonly string[]>> = {
  'vat-not-told': () => ['the VAT of orders is not checked: the device does not report its tax rates'],
  'vat-warn': (id) => [
    `order ${id}: tax code 2 is programmed with 20.00% in the device, line 1 of the order has 11.00%; program the device or change platform.mapping.taxCodes`,
  ],
  'cash-rounding-apart': (id) => [`order ${id}: a difference of -0.02 was settled by cash rounding`],
  'cash-rounding-inside': (id) => [`order ${id}: a difference of -0.02 was settled by cash rounding`],
  'cash-rounding-up-with-card': (id) => [`order ${id}: a difference of 0.02 was settled by cash rounding`],
  'uneven-cents-not-told': (id) => [`order ${id}: a difference of 0.01 was settled by rounding`],
}
const FAMILIES: readonly Family[] = ['A', 'C', 'B']

let rig: PrintingService
let platform: MockPlatform
afterEach(async () => {
  await rig?.close()
  await platform?.close()
})

const hundredths = (text: string | undefined): number => {
  const value = parseDecimal(text ?? '0', 2)
  if (typeof value !== 'number') throw new Error(`not a decimal: ${text}`)
  return value
}

function settingsFor(rates: Readonly<Record<string, string>>): ReturnType<typeof factorySettings> {
  const letters = Object.fromEntries(
    [1, 2, 3, 4].map((code) => {
      const rate = rates[code]
      return [String.fromCharCode(64 + code), rate === undefined ? null : hundredths(rate)]
    }),
  )
  return factorySettings({ taxRates: letters })
}

async function setUp(one: NetCase, family: Family): Promise<void> {
  platform = await startMockPlatform(0, { orders: readOrders(one.before ? [one.before] : [one]), bucket: WIDE })
  const override = Object.fromEntries(Object.entries(one.configOverride ?? {}).filter(([, value]) => value !== null))
  const omitted = Object.entries(one.configOverride ?? {}).flatMap(([name, value]) => (value === null ? [name] : []))
  const plu = [1, 2, 3, 4].map((taxCode) => ({ taxCode, plu: taxCode }))
  const mapping = Object.fromEntries(
    Object.entries({ ...FILE.config, ...(family === 'B' && { plu }), ...override }).filter(
      ([name]) => !omitted.includes(name),
    ),
  )
  const arrangement = one.internal.relay === true ? 'relay' : 'direct'
  const settings = { platform: platformConfig(mapping, { baseUrl: `${platform.url}/{shop}`, arrangement }) }
  const rates = one.device?.rates === undefined ? FILE.device.rates : one.device.rates
  rig = await startService({ family, settings: settingsFor(rates ?? FILE.device.rates) }, { settings })
  if (family === 'B') {
    programmer(
      rig.emulator,
      [1, 2, 3, 4].map((taxCode) => ({ plu: taxCode, name: `Group ${taxCode}`, taxCode, price: '1.00' })),
    )()
  }
  if (rates !== null) return
  // The driver of family A also queries the rates at its start, which must succeed.
  await rig.printer.connect()
  rig.emulator.faults.add({ at: 'command.before', on: RATES_COMMAND[family], do: 'refuse' })
}

async function print(id: string, query = ''): Promise<{ StatusCode: number; Data?: string; Message?: string }> {
  const path = `/api/print-platform-order/${id}${query}`
  return (await supertest(rig.app).post(path).set('Authorization', `Bearer ${platform.mint()}`)).body
}

const taxesOn = (paper: string): readonly string[] =>
  [...paper.matchAll(/^TAX ([A-H]) (\d+\.\d\d)%\s+(\d+\.\d\d)\s+(\d+\.\d\d)\s*$/gm)].map(([, ...parts]) =>
    parts.join(' '),
  )

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '')

function judgeReceipt({ receiptItems, payments, total, vat }: Printed, family: Family): void {
  const receipt = printerOver(rig.emulator).receipts().at(-1)
  const sales = receiptItems.flatMap(({ FreeSale }) => (FreeSale ? [FreeSale] : []))
  expect(receipt?.rows.map(({ taxCode, amount }) => [taxCode, amount])).toEqual(
    sales.map(({ TaxCode, Price, Quantity, DiscountValue }) => [
      TaxCode,
      ((hundredths(Price) * Number(Quantity) - hundredths(DiscountValue)) / 100).toFixed(2),
    ]),
  )
  if (family !== 'B') {
    expect(receipt?.rows.map(({ price, quantity }) => [price, quantity])).toEqual(
      sales.map(({ Price, Quantity }) => [Price, `${Quantity}.000`]),
    )
    receipt?.rows.forEach(({ name }, index) => {
      expect(name.length).toBeGreaterThan(0)
      expect(folded(sales[index]?.ProductName ?? '')).toContain(folded(name))
    })
  }
  expect(receipt?.total).toBe(total)
  expect(receipt?.payments).toEqual(
    payments.map(({ PaymentMode, Amount }) => ({ paymentMode: PaymentMode, amount: Amount })),
  )
  const paper = rig.papers().at(-1)
  expect(paper?.kind).toBe('fiscal')
  const text = String(paper?.text)
  // Family B prints no tax table on a receipt, and the tax groups of its rows were checked above.
  if (family !== 'B' && vat) {
    expect(taxesOn(text)).toEqual(
      vat.map(({ TaxCode, rate, turnover, vat: tax }) => `${'ABCDEFGH'[TaxCode - 1]} ${rate} ${turnover} ${tax}`),
    )
  }
  // Family B prints the names of its articles instead of the products' names.
  const texts = receiptItems.flatMap(({ Text, FreeSale }) => {
    if (Text) return [Text.Message]
    return FreeSale && family !== 'B' ? [FreeSale.ProductName.slice(0, 8)] : []
  })
  const places = texts.map((one) => folded(text).indexOf(folded(one)))
  expect(places).not.toContain(-1)
  expect(places.toSorted((a, b) => a - b)).toEqual(places)
}

it('all cases of the table are present', () => expect(FILE.cases.length).toBe(69))

describe.each(FAMILIES)('each order of the table gets its result on family %s:', (family) => {
  it.each(FILE.cases.map((one) => [one.case, one] as const))('%s', async (_name, one) => {
    await setUp(one, family)
    const id = one.order.legacyResourceId
    let first: string | undefined
    if (one.before) {
      first = (await print(id)).Data
      expect(first).toMatch(/^\d+$/)
      for (const order of readOrders([{ ...one, expected: { status: 400 } }])) platform.put(order)
    }
    const papers = rig.papers().length
    const mark = rig.mark()
    const answer = await print(id, one.query?.again ? '?again=true' : '')
    if (one.expected.status === 200) {
      expect(answer).toEqual({ StatusCode: 200, Data: expect.stringMatching(/^\d+$/) })
      judgeReceipt(one.expected, family)
      expect(rig.warnings).toEqual(WARNINGS[one.case]?.(id) ?? [])
      return
    }
    const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(answer.Message ?? '')?.[0] ?? ''
    const message = one.expected.message
      .replace('{order}', id)
      .replace('{number}', first ?? '')
      .replace('{time}', time)
    expect(answer).toEqual({ StatusCode: 400, Message: message })
    // The service has only queried the rates of the device.
    if (one.kind !== 'vat') expect(rig.framesSince(mark)).toBe(0)
    expect(rig.papers().length).toBe(papers)
    expect(rig.emulator.device.receipt).toBeNull()
  })
})
