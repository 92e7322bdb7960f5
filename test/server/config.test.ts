/** The command line overrides the configuration file (decisions 7). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError, loadSettings } from '../../server/config.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-config-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, content: string) => writeFileSync(join(folder, name), content)

async function problemsOf(yaml: string): Promise<readonly string[]> {
  write('my.yaml', yaml)
  const error = await loadSettings('my.yaml', {}, folder).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConfigError)
  return (error as ConfigError).lines
}

it('the configuration without a file means family A on the emulator, on loopback', async () => {
  expect(await loadSettings(undefined, {}, folder)).toMatchObject({
    family: 'A',
    device: 'emulator',
    listen: { host: '127.0.0.1', httpPort: 65400, httpsPort: 65401, panelPort: 65402, hosts: [], origins: [] },
    defaults: { operator: 1, pointOfSale: 1 },
    platform: undefined,
  })
})

it('the file may contain every documented member', async () => {
  write('secret.txt', 'from a file\n')
  write('cert.pem', '')
  process.env['FISCAL_RIG_TEST_SECRET'] = 'from the environment'
  write(
    'fiscal-rig.yaml',
    `
family: B
device: tcp://10.0.0.5:4999
profile: b8
baud: 19200
data: memory
listen: {host: 0.0.0.0, httpPort: 1, httpsPort: 2, panelPort: 3, hosts: [till.example], origins: ["https://pos.example"]}
tls: {certificate: cert.pem, key: cert.pem}
apiKey: {env: FISCAL_RIG_TEST_SECRET}
defaults: {operator: 2, password: {file: secret.txt}, pointOfSale: 7, customer: {taxNumber: "123", name: Shop, address: Street 1}}
operators: {"1": {password: "0000"}}
payments: {"0": P, "1": D}
taxRates: {A: 20, B: 9.5}
legacy: {plu: [{name: Bread, plu: 12}, {taxCode: 1, plu: 13}]}
platform:
  word: shop
  gidNamespace: shop
  arrangement: relay
  baseUrl: "http://127.0.0.1:4010/{shop}"
  shopSuffix: myshop.example
  allowedShops: [a.myshop.example]
  clientId: id
  clientSecret: {env: FISCAL_RIG_TEST_SECRET}
  previousClientSecret: old
  apiVersion: "2026-07"
  accessTokenHeader: X-Shop
  tokenTypePrefix: "urn:shop:"
  clockToleranceS: 5
  timeoutS: 20
  mapping:
    currency: RON
    taxCodes: [{rate: "21.00", code: 1}]
    gateways: {cash: cash}
    modes: {cash: 0, card: 1}
    plu: [{sku: X1, plu: 3, price: "1.50"}]
`,
  )
  const settings = await loadSettings(undefined, {}, folder)
  expect(settings).toMatchObject({
    family: 'B',
    device: 'tcp://10.0.0.5:4999',
    baud: 19_200,
    data: 'memory',
    listen: { host: '0.0.0.0', httpPort: 1, hosts: ['till.example'], origins: ['https://pos.example'] },
    tls: { certificate: join(folder, 'cert.pem') },
    apiKey: 'from the environment',
    defaults: { operator: 2, password: 'from a file', pointOfSale: 7, customer: { taxNumber: '123' } },
    operators: { '1': { password: '0000' } },
    payments: { 0: 'P', 1: 'D' },
    taxRates: { A: 2000, B: 950 },
    legacy: {
      plu: [
        { name: 'Bread', plu: 12 },
        { taxCode: 1, plu: 13 },
      ],
    },
    platform: {
      word: 'shop',
      arrangement: 'relay',
      clientSecret: 'from the environment',
      mapping: { plu: [{ price: 150 }] },
    },
  })
})

it('a file with the extension .json is read as JSON, and the command line overrides the file', async () => {
  write('fiscal-rig.json', '{"family": "B", "listen": {"httpPort": 8080}, "device": "/dev/ttyUSB0"}')
  const settings = await loadSettings(undefined, { family: 'C', httpPort: 0 }, folder)
  expect(settings).toMatchObject({ family: 'C', device: '/dev/ttyUSB0', listen: { httpPort: 0 } })
})

describe('a wrong configuration is reported with one line for each problem:', () => {
  it.each([
    ['familly: A', /^my\.yaml: familly: expected one of family, device, .* unknown$/],
    ['listen: {prot: 1}', /^my\.yaml: listen\.prot: expected one of host, httpPort/],
    ['family: D', /^my\.yaml: family: expected A, B or C$/],
    ['baud: fast', /^my\.yaml: baud: expected a whole number from 300 to 4000000$/],
    ['listen: {httpPort: "65400"}', /^my\.yaml: listen\.httpPort: expected a whole number from 0 to 65535$/],
    ['listen: {origins: [pos.example]}', /^my\.yaml: listen\.origins\[0\]: expected an origin/],
    ['listen: 5', /^my\.yaml: listen: expected an object$/],
    ['device: "http://x"', /^my\.yaml: device: expected emulator, the path of a port, tcp/],
    ['operators: {"1": {password: 0000}}', /^my\.yaml: operators\.1\.password: expected a text/],
    ['operators: {"31": {password: "1"}}', /^my\.yaml: operators\.31: expected an operator/],
    ['taxRates: {I: 5}', /^my\.yaml: taxRates\.I: expected a tax group, A to H/],
    ['taxRates: {A: 20.005}', /^my\.yaml: taxRates\.A: expected 0 to 99\.99/],
    ['payments: {cash: P}', /^my\.yaml: payments\.cash: expected a payment mode/],
    ['legacy: {plu: [{plu: 1}]}', /^my\.yaml: legacy\.plu\[0\]: expected name or taxCode$/],
    [
      'platform: {mapping: {taxCodes: [{rate: "20.00", code: 1}, {rate: "9.00", code: 9}]}}',
      /^my\.yaml: platform\.mapping\.taxCodes\[1\]\.code: expected a whole number from 1 to 8$/,
    ],
    ['platform: {mapping: {}}', /^my\.yaml: platform\.mapping\.currency: expected the currency that the device prints/],
    [
      'platform: {mapping: {currency: RON, shippingTax: fixed}}',
      /^my\.yaml: platform\.mapping: expected shippingTaxCode, because shippingTax is fixed$/,
    ],
    [
      'apiKey: {env: FISCAL_RIG_NOT_SET}',
      /^my\.yaml: apiKey\.env: expected the environment variable FISCAL_RIG_NOT_SET to be set$/,
    ],
    [
      'apiKey: {file: nowhere.txt}',
      /^my\.yaml: apiKey\.file: expected a readable file, not nowhere\.txt: it does not exist$/,
    ],
    ['tls: {certificate: nowhere.pem, key: my.yaml}', /^my\.yaml: tls\.certificate: expected a readable file/],
    ['tls: {certificate: my.yaml}', /^my\.yaml: tls\.key: expected a file/],
    ['{', /^my\.yaml: expected valid YAML/],
    ['- 1', /^my\.yaml: expected an object$/],
  ])('%s', async (yaml, line) => {
    expect(await problemsOf(yaml)).toEqual([expect.stringMatching(line)])
  })

  it('all problems of a file at once', async () => {
    expect(await problemsOf('family: D\nbaud: 1\nnew: 1\nlisten: {host: ""}')).toHaveLength(4)
  })

  it('the name of a missing file', async () => {
    await expect(loadSettings('gone.json', {}, folder)).rejects.toThrow('gone.json: expected a readable file')
  })
})

it('the message about an unknown placeholder in orderText names the only placeholder', async () => {
  const [problem] = await problemsOf('platform: {mapping: {orderText: "Order {name}, {sku}"}}')
  expect(problem).toBe(
    "my.yaml: platform.mapping.orderText: expected a text; {name}, the order's name, is its only placeholder",
  )
  write('my.yaml', 'platform: {mapping: {currency: RON, orderText: "{ Order } {name}"}}')
  expect((await loadSettings('my.yaml', {}, folder)).platform?.mapping.orderText).toBe('{ Order } {name}')
})
