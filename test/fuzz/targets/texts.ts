/**
 * Texts that the product reads: request bodies, legacy lines, scenario and configuration files, session tokens, orders.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { capabilitiesOf, FAMILIES } from '../../../drivers/index.ts'
import { JsonSyntaxError, readJson } from '../../../drivers/model/json.ts'
import { DEFAULT_PROFILE } from '../../../scenarios/mock-platform/profile.ts'
import { mintSessionToken } from '../../../scenarios/mock-platform/session-token.ts'
import { schemaMistakes } from '../../../scenarios/runner/mistake.ts'
import { scenarioSchema } from '../../../scenarios/runner/schema.ts'
import { isRequestKey } from '../../../scenarios/runner/steps/requests.ts'
import { readYaml } from '../../../scenarios/runner/yaml-file.ts'
import { ConfigError, loadSettings } from '../../../server/config.ts'
import { endpoints } from '../../../server/endpoints/index.ts'
import { invalid } from '../../../server/envelope.ts'
import { parseJob } from '../../../server/legacy/parse.ts'
import { ServiceError } from '../../../server/operations/outcome.ts'
import { rowsOf } from '../../../server/orders/lines.ts'
import { mapOrder } from '../../../server/orders/map.ts'
import { mappingOf } from '../../../server/orders/mapping.ts'
import { orderSchema } from '../../../server/orders/order.ts'
import { profileOf } from '../../../server/orders/profile.ts'
import { verifySession } from '../../../server/orders/token.ts'
import { CASES, mappingConfig, platformConfig, platformOrder } from '../../orders/cases.ts'
import { Find, type FuzzTarget } from '../search.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const text = (input: Buffer): string => input.toString('utf8')
const shape = (message: string): string => message.replace(/"[^"]*"?|\d+/g, '#').slice(0, 80)

const capabilities = FAMILIES.map((family) => capabilitiesOf({ family, device: '' }))
const withBody = endpoints.filter(({ method, body }) => method === 'post' && body !== undefined)
const ANSWER_MAX = 64 * 1024

/** A body at every endpoint of every family is validated, or refused with a short message. */
const requests: FuzzTarget = {
  name: 'requests',
  seeds: () =>
    [
      '{"ReceiptItems":[{"Type":1,"PluSale":{"PluNumber":1,"Quantity":1.5,"Void":false}}],"Payments":[{"PaymentMode":0,"Amount":1.50}]}',
      '{"ReceiptItems":[{"Type":0,"FreeSale":{"ProductName":"Bread","TaxCode":2,"Price":1.15,"Department":0,"Unit":"pcs","DiscountType":1,"DiscountValue":10.5}}]}',
      '{"OperatorCode":1,"OperatorPassword":"0000","PointOfSaleNumber":1,"Invoice":true}',
      '{"Type":4,"Data":"https://example.com","QrSize":4,"Position":2}',
      '{"Text":"caf\\u00e9","Bold":true}',
    ].map((one) => Buffer.from(one)),
  run(input) {
    let json: ReturnType<typeof readJson>
    try {
      json = readJson(text(input))
    } catch (error) {
      if (error instanceof JsonSyntaxError) return shape(error.message)
      throw error
    }
    const outcomes: string[] = []
    for (const endpoint of withBody) {
      for (const can of capabilities) {
        const prepared = endpoint.prepare({ params: { type: '1', number: '1' }, body: json }, can)
        if (prepared.ok) outcomes.push('ok')
        else {
          const { body } = invalid(prepared.problems)
          if (body.length > ANSWER_MAX) throw new Find(`${endpoint.path} answers with ${body.length} characters`)
          outcomes.push(shape(prepared.problems[0]?.message ?? ''))
        }
      }
    }
    return outcomes.join()
  },
}

const lines: FuzzTarget = {
  name: 'lines',
  seeds: () => {
    const file = JSON.parse(readFileSync(join(root, 'fixtures', 'legacy', 'cases.json'), 'utf8')) as object
    const all = JSON.stringify(file).match(/\[(?:"[^"\\]{3,200}",?){1,20}\]/g) ?? []
    return all.slice(0, 60).map((one) => Buffer.from(one))
  },
  run(input) {
    let json: ReturnType<typeof readJson>
    try {
      json = readJson(text(input))
    } catch (error) {
      if (error instanceof JsonSyntaxError) return 'not JSON'
      throw error
    }
    const parsed = parseJob(json)
    return parsed.ok ? `job ${parsed.format}` : `${parsed.problem.code} ${shape(parsed.problem.message)}`
  },
}

const scenarios: FuzzTarget = {
  name: 'scenarios',
  seeds: () =>
    ['platform/platform.yaml', 'README.md']
      .map((file) => readFileSync(join(root, 'scenarios', file)).subarray(0, 2000))
      .concat([
        Buffer.from(
          'name: a\nfamilies: [A]\nsteps:\n  - post /report-x:\n    expect: { StatusCode: 200 }\ncheck: { receipts: 0 }\n',
        ),
        Buffer.from(
          'name: b\nlet: &a { x: 1 }\nsteps:\n  - repeat: { times: 2, steps: [{ post /payment: { Amount: 1.00 } }] }\n  - include: x.yaml\n',
        ),
      ]),
  run(input) {
    const yaml = readYaml('fuzz.yaml', text(input))
    const [mistake] = yaml.mistakes
    if (mistake) return shape(mistake.what)
    return yaml.values
      .map((value, document) => {
        const { error } = scenarioSchema.safeParse(value)
        return error ? shape(schemaMistakes(yaml, document, error.issues, isRequestKey)[0]?.what ?? 'no') : 'scenario'
      })
      .join()
  },
}

/** A file that each input overwrites. */
const SCRATCH = join(mkdtempSync(join(tmpdir(), 'fiscal-rig-fuzz-')), 'fuzz.yaml')
process.once('exit', () => rmSync(dirname(SCRATCH), { recursive: true, force: true }))

const configurations: FuzzTarget = {
  name: 'configurations',
  seeds: () => [
    readFileSync(join(root, 'fixtures', 'orders', 'mock-platform.yaml')),
    Buffer.from(
      'family: A\nlisten: {host: 127.0.0.1, httpPort: 1, origins: ["https://pos.example"]}\napiKey: {env: X}\ntaxRates: {A: 20, B: 9.5}\n',
    ),
    Buffer.from(
      'operators: {"1": {password: "0000"}}\npayments: {"0": "P"}\nlegacy: {plu: [{name: x, plu: 2}]}\ndevice: tcp://127.0.0.1:4999\n',
    ),
  ],
  async run(input) {
    try {
      writeFileSync(SCRATCH, input)
      await loadSettings(SCRATCH)
      return 'settings'
    } catch (error) {
      if (error instanceof ConfigError) return shape(error.lines[0]?.replace(/^[^\n]*?: /, '') ?? '')
      throw error
    }
  },
}

const NOW = Date.UTC(2026, 6, 15)
const SHOP = 'demo.myshop.example'
const direct = profileOf(platformConfig({}, { clientSecret: DEFAULT_PROFILE.clientSecret }))
const mint = (more: object = {}) =>
  Buffer.from(mintSessionToken(DEFAULT_PROFILE, { shop: SHOP, now: NOW, jti: 'one', ...more }))
const SIGNED = [mint(), mint({ user: '7' })]

const tokens: FuzzTarget = {
  name: 'tokens',
  seeds: () => [...SIGNED, mint({ shiftS: -3600 }), mint({ secret: 'somebody-elses' }), mint({ alg: 'none' })],
  async run(input) {
    if (!direct) throw new Error('the profile is not complete')
    const token = text(input)
    try {
      await verifySession(token, direct, NOW)
    } catch (error) {
      if (error instanceof ServiceError && error.outcome.status === 401) return error.message
      throw error
    }
    // The last character of base64url contains unused bits, so it may differ.
    const isSame = SIGNED.some((one) => one.toString().slice(0, -1) === token.slice(0, -1))
    if (!isSame) throw new Find('an unsigned token is accepted')
    return 'accepted'
  },
}

const mapping = mappingOf(mappingConfig())
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/**
 * An order in the platform's format is refused, or becomes a receipt whose lines, rows and payments match its total.
 */
const orders: FuzzTarget = {
  name: 'orders',
  seeds: () => CASES.map((one) => Buffer.from(JSON.stringify(platformOrder(one)))),
  run(input) {
    let json: unknown
    try {
      json = JSON.parse(text(input))
    } catch {
      return 'not JSON'
    }
    const read = orderSchema.safeParse(json)
    if (!read.success) return `lacks ${read.error.issues[0]?.path.join('.')}`
    try {
      const { lines: mapped, payments, total } = mapOrder(read.data, mapping)
      const rows = mapped.flatMap(rowsOf)
      const rowTotals = rows.map(({ price, pieces, adjustment }) => {
        const more = adjustment?.kind === 'surcharge' ? adjustment.amount : -(adjustment?.amount ?? 0)
        return price * pieces + more
      })
      const sums = [sum(mapped.map((line) => line.total)), sum(payments.map(({ amount }) => amount)), sum(rowTotals)]
      if (!Number.isSafeInteger(total) || total <= 0) throw new Find(`a total of ${total}`)
      if (sums.some((one) => one !== total)) throw new Find(`${total} is told as ${sums}`)
      return `order of ${mapped.length}`
    } catch (error) {
      if (error instanceof ServiceError && error.outcome.status === 400) return shape(error.message)
      throw error
    }
  },
  longest: 16 * 1024,
}

export const texts: readonly FuzzTarget[] = [requests, lines, scenarios, configurations, tokens, orders]
